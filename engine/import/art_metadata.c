/* art_process_metadata packets: a managed process that ran out of memory
 * (spec engine_2 2.6): its name, its heap, and the frames that asked. */
#include "engine/import/packet.h"

#include "engine/base/strpool.h"
#include "engine/import/ftrace.h"
#include "engine/import/process.h"
#include "engine/import/stack.h"

enum { PACKET_ART_METADATA = 131 };
enum { ART_PID = 1, ART_UID = 2, ART_NAME = 3, ART_HEAP_SIZE = 6, ART_STACK = 8 };

/* One row for each (name, line): managed frames have no address to tell them apart. */
static void enter_frame(struct import *import, struct map *known, uint32_t mapping,
                        struct str bytes)
{
    struct ftrace_fields f;
    ftrace_read_fields(&f, bytes);
    struct stack_profile_frame_row row = {.name = strpool_intern(import->strings, field_str(&f, 1)),
                                          .mapping = mapping};
    bool added;
    map_put_if_absent(known, (uint64_t)row.name << 32 | (uint32_t)field_uint(&f, 3), 0, &added);
    if (added) stack_profile_frame_append(&import->tables->stack_profile_frame, &row);
}

static void enter_stack(const struct import_file *file, struct str bytes)
{
    struct import *import = file->import;
    struct stack_mapping mapping = {
        .build_id = strpool_intern_text(import->strings, ""),
        .name = strpool_intern_text(import->strings, "art_process_metadata"),
    };
    uint32_t row = stack_mapping_intern(import->stacks, &mapping);
    struct map known = {0};
    struct wire w = wire_open(bytes);
    struct wire_field frame;
    while (wire_next(&w, &frame))
        if (frame.number == 1 && frame.type == WIRE_BYTES)
            enter_frame(import, &known, row, frame.bytes);
    map_free(&known);
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
    if (field_has(&f, ART_STACK)) enter_stack(file, field_str(&f, ART_STACK));
    struct heap_graph_row row = {.ts = ts, .upid = upid};
    if (field_has(&f, ART_HEAP_SIZE)) row.heap_size = some_int64(field_int(&f, ART_HEAP_SIZE));
    heap_graph_append(&file->import->tables->heap_graph, &row);
}

static const struct packet_module modules[] = {{PACKET_ART_METADATA, NULL, parse}};

const struct packet_source art_metadata_source = {
    .name = "art_metadata", .modules = modules, .n_modules = 1};
