/* What an event says beyond its name and time: args, log lines, flows, call
 * stacks (spec engine_2 2.2 "Args keys"). */
#include "engine/import/track_event.h"

#include "engine/import/profile_stacks.h"
#include "engine/import/stack.h"
#include "engine/import/symbols.h"

#define BIT(n) (UINT64_C(1) << (n))
/* Fields whose messages become args as they are. */
#define REFLECTED \
    (BIT(24) | BIT(25) | BIT(26) | BIT(27) | BIT(28) | BIT(29) | BIT(32) | BIT(33) | BIT(34) | \
     BIT(35) | BIT(38) | BIT(39) | BIT(40) | BIT(41) | BIT(43) | BIT(49) | BIT(50))
/* Fields that are no args, or are written in another way; others are unknown. */
#define FIRST_UNKNOWN 58

/* The extension that ties a slice to work of the GPU. */
#define GPU_CORRELATION 3000
#define OTHER_ARGS      (BIT(4) | BIT(5) | BIT(21) | BIT(52) | BIT(53) | BIT(54))
#define FLOWS           (BIT(36) | BIT(42) | BIT(47) | BIT(48))
#define CALLSTACKS      (BIT(55) | BIT(56))

enum { LOG_PRIORITY_INFO = 4 };
enum { ACTIVE_PROCESSES = 49, ACTIVE_PROCESSES_EXTENSION = 1042 };

/* Source locations. */

bool track_event_source_location(struct track_event *e, uint64_t iid, struct str *file,
                                 struct str *function, uint32_t *line)
{
    struct str entry;
    *file = *function = STR_NONE;
    *line = 0;
    if (!packet_interned(&e->packet, INTERNED_SOURCE_LOCATION, iid, &entry)) return false;
    struct wire w = wire_open(entry);
    struct wire_field f;
    while (wire_next(&w, &f)) {
        if (f.number == 2) *file = f.bytes;
        if (f.number == 3) *function = f.bytes;
        if (f.number == 4) *line = (uint32_t)f.value;
    }
    return true;
}

static void put_text_under(struct arg_writer *w, const char *name, struct str text)
{
    struct arg_mark mark = arg_writer_enter(w, str_of(name));
    arg_writer_put_text(w, text);
    arg_writer_leave(w, mark);
}

static void put_number_under(struct arg_writer *w, const char *name, enum arg_type type,
                             int64_t value)
{
    struct arg_mark mark = arg_writer_enter(w, str_of(name));
    arg_writer_put(w, type, value);
    arg_writer_leave(w, mark);
}

/* file_name, function_name and line_number under the key that is entered; paths of
 * Windows get slashes. */
static bool put_location(struct track_event *e, uint64_t iid, enum arg_type line_type)
{
    struct arg_writer *w = &e->te->writer;
    struct str file, function;
    uint32_t line;
    if (!track_event_source_location(e, iid, &file, &function, &line)) return false;
    struct buffer *text = &e->te->text;
    buffer_clear(text);
    buffer_append_str(text, file);
    for (size_t i = 0; i < text->length; i++)
        if (text->data[i] == '\\') text->data[i] = '/';
    put_text_under(w, "file_name", buffer_str(text));
    if (function.p) put_text_under(w, "function_name", function);
    put_number_under(w, "line_number", line_type, line);
    return true;
}

/* ---- names told apart (symbols.h) ---- */

enum { INTERNED_UNSYMBOLIZED_LOCATION = 28 };

/* The function at an interned address of a module; absent when no symbols tell. */
static struct str function_of_location(struct track_event *e, uint64_t iid)
{
    struct import *import = e->te->import;
    const struct stack_profile_mapping_table *mappings = &import->tables->stack_profile_mapping;
    struct str entry, function;
    struct wire_field mapping_id, address;
    if (!packet_interned(&e->packet, INTERNED_UNSYMBOLIZED_LOCATION, iid, &entry) ||
        !wire_find(entry, 2, &mapping_id))
        return STR_NONE;
    if (!wire_find(entry, 3, &address)) address.value = 0;
    uint32_t mapping = profile_mapping(&e->packet, mapping_id.value);
    if (mapping == NULL_UINT32 ||
        !symbols_function_at(import, column_get_string(&mappings->name, mapping),
                             column_get_string(&mappings->build_id, mapping), address.value,
                             &function))
        return STR_NONE;
    return function;
}

/* Mojo names a method by the address of a function that is made for that alone:
 * "ns::Interface::Method_Sym::IPCStableHash". */
static bool put_mojo_method(struct track_event *e, uint64_t iid)
{
    struct arg_writer *w = &e->te->writer;
    struct str method = function_of_location(e, iid), tag;
    size_t at;
    if (!method.p) return false;
    bool is_mojo = str_find(method, STR("_Sym::IPCStableHash"), &at);
    if (is_mojo) method = str_slice(method, 0, at);
    tag = method;
    if (is_mojo) {
        struct buffer *text = &e->te->text;
        size_t end = method.n;
        buffer_clear(text);
        while (end > 0 && method.p[end - 1] != ':')
            end--;
        end -= end >= 2 ? 2 : end;
        for (size_t i = 0; i < end; i++) {
            bool is_colons = method.p[i] == ':' && i + 1 < end && method.p[i + 1] == ':';
            buffer_append_byte(text, is_colons ? '.' : method.p[i]);
            i += is_colons;
        }
        tag = buffer_str(text);
    }
    put_text_under(w, "mojo_method_name", method);
    put_text_under(w, "mojo_interface_tag", tag);
    return true;
}

/* A class of an app's view under the name that it had before shrinking. */
static bool put_view_class(struct track_event *e, const struct proto_field *field, struct str name)
{
    struct arg_writer *w = &e->te->writer;
    if (!str_starts(buffer_str(&w->key), STR("android_view_dump."))) return false;
    string_id plain = symbols_class(e->te->import, name);
    if (plain == STRING_NULL) return false;
    struct arg_mark mark = arg_writer_enter(w, field->name);
    arg_writer_put_string(w, plain);
    arg_writer_leave(w, mark);
    return true;
}

/* Fields that need more than their own bytes. */
static bool take_field(void *context, const struct proto_field *field,
                       const struct wire_field *value)
{
    struct track_event *e = context;
    if (field->message && str_is(field->message->full_name, "perfetto.protos.DebugAnnotation")) {
        if (wire_is_bytes(value)) track_event_annotation(e, value->bytes);
        return true;
    }
    if (str_ends(field->name, STR("_hash"))) track_event_put_hash_name(e, field, value->value);
    if (value->type == WIRE_VARINT && str_is(field->name, "mojo_interface_method_iid"))
        return put_mojo_method(e, value->value);
    if (wire_is_bytes(value) && str_is(field->name, "class_name"))
        return put_view_class(e, field, value->bytes);
    bool is_iid = value->type == WIRE_VARINT && str_ends(field->name, STR("location_iid"));
    return is_iid && e->te->writer.key.length && put_location(e, value->value, ARG_INT);
}

/* Parts with keys of their own. */

static void put_task(struct track_event *e, struct str task)
{
    struct wire_field iid;
    if (!wire_find(task, 1, &iid)) return;
    struct arg_mark mark = arg_writer_enter(&e->te->writer, STR("task.posted_from"));
    put_location(e, iid.value, ARG_UINT);
    arg_writer_leave(&e->te->writer, mark);
}

static void put_source(struct track_event *e, uint64_t location)
{
    struct arg_mark mark = arg_writer_enter(&e->te->writer, STR("source"));
    put_location(e, location, ARG_UINT);
    arg_writer_leave(&e->te->writer, mark);
}

static void put_log(struct track_event *e, struct str log)
{
    struct track_events *te = e->te;
    struct arg_writer *w = &te->writer;
    struct wire wire = wire_open(log);
    struct wire_field f;
    uint64_t location = 0, body = 0, priority = LOG_PRIORITY_INFO;
    bool has_priority = false;
    while (wire_next(&wire, &f)) {
        if (f.number == 1) location = f.value;
        if (f.number == 2) body = f.value;
        if (f.number == 3) priority = f.value, has_priority = true;
    }
    if (e->utid == NULL_UINT32) {
        track_event_error(e);
        return;
    }
    struct logs_row row = {.ts = e->ts,
                           .utid = some_uint32(e->utid),
                           .prio = (uint32_t)priority,
                           .log_source = strpool_intern(te->import->strings, STR("android_logcat")),
                           .msg = track_event_interned(e, INTERNED_LOG_BODY, body)};
    struct arg_mark mark = arg_writer_enter(w, STR("track_event.log_message"));
    struct arg_mark message = arg_writer_enter(w, STR("message"));
    arg_writer_put_string(w, row.msg);
    arg_writer_leave(w, message);
    struct str file, function;
    uint32_t line;
    if (location && track_event_source_location(e, location, &file, &function, &line)) {
        put_text_under(w, "file_name", file);
        put_text_under(w, "function_name", function);
        put_number_under(w, "line_number", ARG_INT, line);
        buffer_clear(&te->text);
        buffer_append_str(&te->text, file);
        buffer_printf(&te->text, ":%u", line);
        row.tag = strpool_intern(te->import->strings, buffer_str(&te->text));
    }
    arg_writer_leave(w, mark);
    if (has_priority) put_number_under(w, "track_event.priority", ARG_INT, (int64_t)priority);
    logs_append(&te->import->tables->logs, &row);
}

static void put_correlation(struct track_event *e, const struct wire_field *f)
{
    struct arg_writer *w = &e->te->writer;
    struct arg_mark mark = arg_writer_enter(w, STR("correlation_id"));
    if (f->number == 52) {
        buffer_clear(&e->te->text);
        buffer_printf(&e->te->text, "tp:#%llu", (unsigned long long)f->value);
        arg_writer_put_text(w, buffer_str(&e->te->text));
    } else if (f->number == 53) {
        arg_writer_put_text(w, f->bytes);
    } else {
        string_id text = track_event_interned(e, INTERNED_CORRELATION_ID, f->value);
        if (text != STRING_NULL) arg_writer_put_string(w, text);
    }
    arg_writer_leave(w, mark);
}

/* Processes that were alive, whether or not the trace has anything else of them. */
static void note_processes(struct track_event *e, struct str list)
{
    struct wire w = wire_open(list);
    struct wire_field f;
    while (wire_next(&w, &f))
        if (f.number == 1 && f.type == WIRE_VARINT) process_intern(e->te->file, (int32_t)f.value);
}

static void put_histogram_name(struct track_event *e, struct str sample)
{
    struct wire_field iid;
    if (!wire_find(sample, 4, &iid)) return;
    string_id name = track_event_interned(e, INTERNED_HISTOGRAM_NAME, iid.value);
    struct arg_mark mark = arg_writer_enter(&e->te->writer, STR("chrome_histogram_sample.name"));
    if (name != STRING_NULL) arg_writer_put_string(&e->te->writer, name);
    arg_writer_leave(&e->te->writer, mark);
}

/* Repeated extension fields of one event; those past them share a count. */
#define COUNTED_FIELDS 16
struct field_counts {
    uint32_t numbers[COUNTED_FIELDS];
    uint64_t values[COUNTED_FIELDS];
    unsigned used;
};

static uint64_t *count_field(struct field_counts *counts, uint32_t number)
{
    unsigned i = 0;
    while (i < counts->used && counts->numbers[i] != number)
        i++;
    if (i == COUNTED_FIELDS) return &counts->values[COUNTED_FIELDS - 1];
    if (i == counts->used) {
        counts->numbers[i] = number;
        counts->values[i] = 0;
        counts->used++;
    }
    return &counts->values[i];
}

static void put_reflected(struct track_event *e, const struct wire_field *f,
                          struct field_counts *counts)
{
    struct track_events *te = e->te;
    bool is_listed = f->number < 64 && REFLECTED & BIT(f->number);
    if (!is_listed && f->number < FIRST_UNKNOWN) return;
    if (f->number == GPU_CORRELATION) e->gpu_correlation = f->bytes;
    if (track_event_take_android(e, f)) return;
    const struct proto_field *field =
        descriptor_pool_field(te->import->descriptors, te->message, f->number);
    if (field)
        arg_writer_field(&te->writer, field, f, count_field(counts, f->number));
    else
        te->writer.unknown_fields++;
}

void track_event_put_args(struct track_event *e)
{
    struct track_events *te = e->te;
    struct arg_writer *w = &te->writer;
    if (!e->has_extension && !(e->seen & (REFLECTED | OTHER_ARGS | ~(BIT(FIRST_UNKNOWN) - 1))))
        return;
    struct wire wire = wire_open(e->bytes);
    struct wire_field f;
    struct field_counts counts = {.used = 0};
    w->take = take_field;
    w->take_context = e;
    w->unknown_fields = 0;
    while (wire_next(&wire, &f)) {
        switch (f.number) {
        case 4:
            if (wire_is_bytes(&f)) track_event_debug_annotation(e, f.bytes);
            break;
        case 5: put_task(e, f.bytes); break;
        case 21: put_log(e, f.bytes); break;
        case 52:
        case 53:
        case 54: put_correlation(e, &f); break;
        default: put_reflected(e, &f, &counts); break;
        }
        if (f.number == 28) put_histogram_name(e, f.bytes);
        if (f.number == 34) put_source(e, f.value);
        if (f.number == ACTIVE_PROCESSES || f.number == ACTIVE_PROCESSES_EXTENSION)
            note_processes(e, f.bytes);
    }
    if (w->unknown_fields)
        stats_add(te->file, STAT_unknown_extension_fields, (int64_t)w->unknown_fields);
}

struct arg_list *track_event_args(struct track_event *e)
{
    struct track_events *te = e->te;
    vec_clear(&te->args);
    track_event_put_args(e);
    if (e->phase == 'R' || e->phase == 'S' || e->phase == 'T' || e->phase == 'p') {
        char phase[2] = {(char)e->phase, '\0'};
        arg_list_put_string(&te->args, te->strings.legacy_event_phase,
                            strpool_intern_text(te->import->strings, phase));
    }
    if (e->has_async_id)
        arg_list_put_int(&te->args, te->strings.legacy_trace_source_id, e->async_id);
    if (e->passthrough_utid != NULL_UINT32)
        arg_list_put(&te->args, (struct arg){.flat_key = te->strings.passthrough_utid,
                                             .key = te->strings.passthrough_utid,
                                             .type = ARG_UINT,
                                             .value.integer = e->passthrough_utid});
    return te->args.count ? &te->args : NULL;
}

/* Flows. */

static void one_flow(struct track_event *e, uint32_t slice, uint64_t id, bool is_last)
{
    const struct import_file *file = e->te->file;
    if (is_last) {
        if (flow_is_active(file, id)) flow_end(file, slice, id, true);
    } else if (flow_is_active(file, id)) {
        flow_step(file, slice, id);
    } else {
        flow_begin(file, slice, id);
    }
}

static void flows_of_field(struct track_event *e, uint32_t slice, unsigned number, bool is_last)
{
    struct wire w = wire_open(e->bytes);
    struct wire_field f;
    bool is_fixed = number == 47 || number == 48;
    while (wire_next(&w, &f)) {
        uint64_t id = f.value;
        if (f.number != number) continue;
        if (f.type != WIRE_BYTES) {
            one_flow(e, slice, id, is_last);
            continue;
        }
        struct wire packed = wire_open(f.bytes);
        for (size_t at = 0; is_fixed && at + 8 <= f.bytes.n; at += 8) {
            memcpy(&id, f.bytes.p + at, 8);
            one_flow(e, slice, id, is_last);
        }
        while (!is_fixed && wire_varint(&packed, &id))
            one_flow(e, slice, id, is_last);
    }
}

static void legacy_flow(struct track_event *e, uint32_t slice)
{
    const struct import_file *file = e->te->file;
    switch (e->flow_direction) {
    case 1: flow_end(file, slice, e->bind_id, false); break;
    case 2: flow_begin(file, slice, e->bind_id); break;
    case 3: flow_step(file, slice, e->bind_id); break;
    default: stats_add(file, STAT_flow_without_direction, 1); break;
    }
}

/* Stages of the GPU that this slice has submitted (1) or waited for (2). */
static void link_gpu(const struct track_event *e, uint32_t slice)
{
    struct wire w = wire_open(e->gpu_correlation);
    struct wire_field f;
    while (wire_next(&w, &f)) {
        if (f.number != 1 && f.number != 2) continue;
        enum gpu_link kind = f.number == 1 ? GPU_LINK_SUBMISSION : GPU_LINK_WAIT;
        struct wire packed = f.type == WIRE_BYTES ? wire_open(f.bytes) : wire_open(STR_NONE);
        uint64_t id = f.value;
        bool single = f.type != WIRE_BYTES;
        for (; single || wire_varint(&packed, &id); single = false)
            flow_link_gpu(e->te->file, kind, id, slice);
    }
}

void track_event_flows(struct track_event *e, uint32_t slice)
{
    if (e->gpu_correlation.p) link_gpu(e, slice);
    if (e->has_legacy && track_event_legacy_has(e, 8)) legacy_flow(e, slice);
    if (!(e->seen & FLOWS)) return;
    if (track_event_has(e, 36)) flows_of_field(e, slice, 36, false);
    if (track_event_has(e, 47)) flows_of_field(e, slice, 47, false);
    if (track_event_has(e, 42)) flows_of_field(e, slice, 42, true);
    if (track_event_has(e, 48)) flows_of_field(e, slice, 48, true);
}

void track_event_callstack(struct track_event *e, uint32_t slice, bool is_end)
{
    if (e->seen & CALLSTACKS) track_event_put_callstack(e, slice, is_end);
}
