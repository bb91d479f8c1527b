/* art_process_metadata packets: a managed process whose heap was dumped, and, when it
 * ran out of memory, what it asked for and where (spec engine_2 2.6). */
#include "engine/import/packet.h"

#include "engine/base/strpool.h"
#include "engine/base/vec.h"
#include "engine/import/ftrace.h"
#include "engine/import/process.h"
#include "engine/import/stack.h"

enum { PACKET_ART_METADATA = 131 };
enum {
    ART_PID = 1,
    ART_UID = 2,
    ART_NAME = 3,
    ART_PACKAGE = 4,
    ART_ASKED_BYTES = 5,
    ART_FREE_BYTES = 6,
    ART_LEFT_BYTES = 7,
    ART_STACK = 8,
    ART_ERROR = 9,
};

#define MAX_FRAMES 65536

/* "void a.B.c(int, d.E)" is a.B.c. */
static struct str method_name(struct str pretty)
{
    size_t paren;
    if (str_find_byte(pretty, '(', &paren)) pretty = str_slice(pretty, 0, paren);
    size_t at = pretty.n;
    while (at > 0 && pretty.p[at - 1] != ' ')
        at--;
    return str_slice(pretty, at, pretty.n);
}

/* The innermost frame comes first. */
static uint32_t enter_stack(const struct import_file *file, struct str bytes)
{
    struct import *import = file->import;
    struct stack_mapping mapping = {
        .build_id = strpool_intern_text(import->strings, ""),
        .name = strpool_intern_text(import->strings, "art_process_metadata"),
    };
    uint32_t row = stack_mapping_intern(import->stacks, &mapping), callsite = NULL_UINT32;
    VEC(struct str) frames = {0};
    struct wire w = wire_open(bytes);
    struct wire_field frame;
    while (wire_next(&w, &frame) && frames.count < MAX_FRAMES)
        if (frame.number == 1 && frame.type == WIRE_BYTES) vec_push(&frames, frame.bytes);
    for (size_t i = frames.count; i-- > 0;) {
        struct ftrace_fields f;
        ftrace_read_fields(&f, frames.items[i]);
        if (!field_has(&f, 1)) continue;
        string_id name = strpool_intern(import->strings, method_name(field_str(&f, 1))),
                  source = field_has(&f, 2) ? strpool_intern(import->strings, field_str(&f, 2))
                                            : STRING_NULL;
        uint32_t line = (uint32_t)field_uint(&f, 3);
        callsite = stack_callsite_intern(
            import->stacks, callsite,
            stack_frame_intern_source(import->stacks, name, row, source, line), 0);
    }
    vec_free(&frames);
    return callsite;
}

static void add_package(struct import *import, struct str name, int64_t uid)
{
    struct package_list_table *table = &import->tables->package_list;
    struct package_list_row row = {.package_name = strpool_intern(import->strings, name),
                                   .uid = uid};
    uint32_t rows = table_rows(&table->table);
    for (uint32_t i = rows > 1024 ? rows - 1024 : 0; i < rows; i++)
        if (column_get_int64(&table->uid, i) == uid &&
            column_get_string(&table->package_name, i) == row.package_name)
            return;
    package_list_append(table, &row);
}

static void enter_out_of_memory(const struct import_file *file, uint32_t graph,
                                const struct ftrace_fields *f)
{
    struct import *import = file->import;
    struct heap_graph_java_oome_details_row details = {
        .heap_graph_id = graph,
        .allocation_size_bytes = field_int(f, ART_ASKED_BYTES),
        .total_bytes_free = field_int(f, ART_FREE_BYTES),
        .free_bytes_until_oom = field_int(f, ART_LEFT_BYTES),
    };
    if (field_has(f, ART_ERROR))
        details.error_msg = strpool_intern(import->strings, field_str(f, ART_ERROR));
    heap_graph_java_oome_details_append(&import->tables->heap_graph_java_oome_details, &details);
    if (!field_has(f, ART_STACK)) return;
    int32_t pid = (int32_t)field_int(f, ART_PID);
    struct heap_graph_thread_callsite_row callsite = {
        .heap_graph_id = graph,
        .utid = thread_intern_in(file, pid, pid),
        .callsite_id = opt_row(enter_stack(file, field_str(f, ART_STACK))),
    };
    heap_graph_thread_callsite_append(&import->tables->heap_graph_thread_callsite, &callsite);
}

static void parse(void *state, int64_t ts, const struct packet *packet, struct str field)
{
    (void)state;
    const struct import_file *file = packet->file;
    struct strpool *strings = file->import->strings;
    struct ftrace_fields f;
    ftrace_read_fields(&f, field);
    uint32_t upid = process_intern(file, (int32_t)field_int(&f, ART_PID));
    if (field_has(&f, ART_NAME))
        process_set_name(file, upid, strpool_intern(strings, field_str(&f, ART_NAME)),
                         PROCESS_NAME_SYSTEM);
    if (field_has(&f, ART_UID)) process_set_uid(file, upid, (uint32_t)field_uint(&f, ART_UID));
    if (field_has(&f, ART_PACKAGE) && field_has(&f, ART_UID))
        add_package(file->import, field_str(&f, ART_PACKAGE), field_int(&f, ART_UID));
    struct heap_graph_row row = {.ts = ts, .upid = upid};
    if (field_has(&f, ART_ASKED_BYTES)) row.dump_reason = strpool_intern_text(strings, "OOME");
    uint32_t graph = heap_graph_append(&file->import->tables->heap_graph, &row);
    if (field_has(&f, ART_ASKED_BYTES)) enter_out_of_memory(file, graph, &f);
}

static const struct packet_module modules[] = {{PACKET_ART_METADATA, NULL, parse}};

const struct packet_source art_metadata_source = {
    .name = "art_metadata", .modules = modules, .n_modules = 1};
