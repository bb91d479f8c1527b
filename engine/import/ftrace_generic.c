#include "engine/import/ftrace_generic.h"

#include "engine/base/memory.h"
#include "engine/base/strpool.h"
#include "engine/import/ftrace_track.h"
#include "engine/import/process.h"
#include "engine/import/stats.h"

#define MAX_FIELDS      32
#define MAX_DESCRIPTORS 4096

enum { TYPE_DOUBLE = 1, TYPE_FLOAT = 2, TYPE_STRING = 9, TYPE_BYTES = 12 };

struct generic_field {
    uint32_t number, type; /* as in FieldDescriptorProto */
    string_id key;
};

struct generic_event {
    uint32_t id;
    string_id name;
    uint32_t n_fields;
    struct generic_field fields[MAX_FIELDS];
    /* Field numbers of a kernel track event; 0: it has no such field. */
    uint32_t event_type, slice_name, counter_value, track_name, tgid, cpu, custom;
};

struct ftrace_generic {
    VEC(struct generic_event *) events;
    struct map by_id; /* id -> index */
};

static bool is_integer(uint32_t type)
{
    return type == 3 || type == 4 || type == 5 || type == 6 || type == 7 || type == 8 ||
           (type >= 13 && type <= 18);
}

static void note_role(struct generic_event *event, struct str key, const struct generic_field *f)
{
    bool integer = is_integer(f->type), text = f->type == TYPE_STRING;
    if (integer && str_is(key, "track_event_type")) event->event_type = f->number;
    if (text && str_is(key, "slice_name")) event->slice_name = f->number;
    if (integer && str_is(key, "counter_value")) event->counter_value = f->number;
    if (text && str_is(key, "track_name")) event->track_name = f->number;
    if (!integer || !str_starts(key, STR("scope_"))) return;
    if (str_is(key, "scope_tgid"))
        event->tgid = f->number;
    else if (str_is(key, "scope_cpu"))
        event->cpu = f->number;
    else
        event->custom = f->number;
}

static bool read_field(struct ftrace *ftrace, struct generic_event *event, struct str bytes)
{
    struct wire w = wire_open(bytes);
    struct wire_field f;
    struct generic_field field = {0};
    struct str key = STR_NONE;
    while (wire_next(&w, &f))
        switch (f.number) {
        case 1: key = f.bytes; break;
        case 3: field.number = (uint32_t)f.value; break;
        case 5: field.type = (uint32_t)f.value; break;
        default: break;
        }
    if (w.bad || !key.n || !field.number || field.number > 31 || event->n_fields == MAX_FIELDS)
        return false;
    field.key = strpool_intern(ftrace->import->strings, key);
    event->fields[event->n_fields++] = field;
    note_role(event, key, &field);
    return true;
}

static bool read_descriptor(struct ftrace *ftrace, struct generic_event *event, struct str bytes)
{
    struct wire w = wire_open(bytes);
    struct wire_field f;
    while (wire_next(&w, &f)) {
        if (f.number == 1) event->name = strpool_intern(ftrace->import->strings, f.bytes);
        if (f.number == 2 && !read_field(ftrace, event, f.bytes)) return false;
    }
    return !w.bad && event->name != STRING_NULL;
}

void ftrace_generic_describe(struct ftrace *ftrace, struct str bytes)
{
    struct wire_field id, descriptor;
    if (!ftrace->generic) ftrace->generic = mem_zero(1, sizeof *ftrace->generic);
    struct ftrace_generic *generic = ftrace->generic;
    if (!wire_find(bytes, 1, &id) || id.value < FTRACE_GENERIC_BASE || id.value > INT32_MAX ||
        !wire_find(bytes, 2, &descriptor) || generic->events.count >= MAX_DESCRIPTORS) {
        stats_add(ftrace->file, STAT_ftrace_generic_descriptor_errors, 1);
        return;
    }
    if (map_get(&generic->by_id, id.value)) return;
    struct generic_event *event = mem_zero(1, sizeof *event);
    event->id = (uint32_t)id.value;
    if (!read_descriptor(ftrace, event, descriptor.bytes)) {
        mem_free(event);
        stats_add(ftrace->file, STAT_ftrace_generic_descriptor_errors, 1);
        return;
    }
    map_set(&generic->by_id, id.value, generic->events.count);
    vec_push(&generic->events, event);
}

void ftrace_generic_free(struct ftrace *ftrace)
{
    struct ftrace_generic *generic = ftrace->generic;
    if (!generic) return;
    for (size_t i = 0; i < generic->events.count; i++)
        mem_free(generic->events.items[i]);
    vec_free(&generic->events);
    map_free(&generic->by_id);
    mem_free(generic);
    ftrace->generic = NULL;
}

static struct arg make_arg(struct import *import, const struct generic_field *field,
                           const struct wire_field *f)
{
    struct arg arg = {.flat_key = field->key, .key = field->key, .type = ARG_INT};
    arg.value.integer = (int64_t)f->value;
    switch (field->type) {
    case TYPE_DOUBLE:
        arg.type = ARG_REAL;
        arg.value.real = wire_double(f);
        break;
    case TYPE_FLOAT:
        arg.type = ARG_REAL;
        arg.value.real = (double)wire_float(f);
        break;
    case TYPE_STRING:
        arg.type = ARG_STRING;
        arg.value.string = strpool_intern(import->strings, f->bytes);
        break;
    case 4:
    case 6:
    case 7:
    case 13: arg.type = ARG_UINT; break;
    case 17:
    case 18: arg.value.integer = wire_zigzag(f->value); break;
    default: break;
    }
    return arg;
}

static void put_args(const struct ftrace_event *event, const struct generic_event *shape)
{
    struct wire w = wire_open(event->body);
    struct wire_field f;
    while (wire_next(&w, &f))
        for (uint32_t i = 0; i < shape->n_fields; i++) {
            const struct generic_field *field = &shape->fields[i];
            if (field->number != f.number || field->type == TYPE_BYTES) continue;
            arg_list_put(&event->ftrace->args, make_arg(event->import, field, &f));
        }
}

/* The track of a kernel track event: of the scope that it names, else of its thread. */
static uint32_t track_of(const struct ftrace_event *event, const struct generic_event *shape,
                         const struct ftrace_fields *f, bool is_counter)
{
    static const char *const types[][2] = {
        {"kernel_trackevent_thread_slice", "kernel_trackevent_thread_counter"},
        {"kernel_trackevent_process_slice", "kernel_trackevent_process_counter"},
        {"kernel_trackevent_cpu_slice", "kernel_trackevent_cpu_counter"},
        {"kernel_trackevent_custom_slice", "kernel_trackevent_custom_counter"},
    };
    string_id name = shape->name;
    if (shape->track_name && field_has(f, shape->track_name))
        name = strpool_intern(event->import->strings, field_str(f, shape->track_name));
    int kind = 0;
    struct track_dimension scope = dimension_int("utid", event->utid);
    if (shape->tgid) {
        kind = 1;
        scope =
            dimension_int("upid", process_intern(event->file, (int32_t)field_int(f, shape->tgid)));
    } else if (shape->cpu) {
        kind = 2;
        scope = dimension_int("cpu", field_int(f, shape->cpu));
    } else if (shape->custom) {
        kind = 3;
        scope = dimension_int("scope", field_int(f, shape->custom));
    }
    struct track_key key =
        ftrace_track_key(event, types[kind][is_counter], is_counter ? TRACK_COUNTER : TRACK_SLICE);
    key.n_dimensions = 3;
    key.dimensions[0] = scope;
    key.dimensions[1] = dimension_string("tracepoint", shape->name);
    key.dimensions[2] = dimension_string("name", name);
    struct track_info info = {.name = name};
    return track_intern(event->import->tracks, &key, &info);
}

static void parse_slice(const struct ftrace_event *event, const struct generic_event *shape,
                        const struct ftrace_fields *f)
{
    uint32_t track = track_of(event, shape, f, false);
    string_id name = strpool_intern(event->import->strings, field_str(f, shape->slice_name));
    switch (field_uint(f, shape->event_type)) {
    case 'B': slice_begin(event->file, event->ts, track, STRING_NULL, name, NULL); break;
    case 'E': slice_end(event->file, event->ts, track, STRING_NULL, STRING_NULL, NULL); break;
    case 'I': slice_scoped(event->file, event->ts, 0, track, STRING_NULL, name, NULL); break;
    default: stats_add(event->file, STAT_kernel_trackevent_format_error, 1); break;
    }
}

void ftrace_generic_event(const struct ftrace_event *event, bool parse)
{
    struct ftrace_generic *generic = event->ftrace->generic;
    uint64_t *index = generic ? map_get(&generic->by_id, event->id) : NULL;
    if (!index) {
        stats_add_indexed(event->file, STAT_perfetty_unread_ftrace_events, event->id, 1);
        return;
    }
    const struct generic_event *shape = generic->events.items[*index];
    put_args(event, shape);
    ftrace_write_raw(event, shape->name);
    if (!parse) return;
    struct ftrace_fields f;
    ftrace_read_fields(&f, event->body);
    if (shape->event_type && shape->slice_name)
        parse_slice(event, shape, &f);
    else if (shape->counter_value)
        counter_push(event->file, event->ts, track_of(event, shape, &f, true),
                     (double)field_int(&f, shape->counter_value), NULL);
}

/* GenericFtraceEvent: {name, one of text, int, uint} pairs. */
void ftrace_generic_field_event(const struct ftrace_event *event)
{
    struct import *import = event->import;
    string_id name = STRING_NULL;
    struct wire w = wire_open(event->body);
    struct wire_field f;
    while (wire_next(&w, &f)) {
        if (f.number == 1) name = strpool_intern(import->strings, f.bytes);
        if (f.number != 2 || f.type != WIRE_BYTES) continue;
        struct ftrace_fields pair;
        ftrace_read_fields(&pair, f.bytes);
        struct arg arg = {.key = strpool_intern(import->strings, field_str(&pair, 1))};
        arg.flat_key = arg.key;
        if (field_has(&pair, 3)) {
            arg.type = ARG_STRING;
            arg.value.string = strpool_intern(import->strings, field_str(&pair, 3));
        } else if (field_has(&pair, 4) || field_has(&pair, 5)) {
            arg.type = field_has(&pair, 4) ? ARG_INT : ARG_UINT;
            arg.value.integer = field_int(&pair, field_has(&pair, 4) ? 4 : 5);
        } else {
            continue;
        }
        arg_list_put(&event->ftrace->args, arg);
    }
    ftrace_write_raw(event, name);
}
