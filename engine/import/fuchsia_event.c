#include "engine/import/fuchsia.h"

#include <inttypes.h>

#include "engine/base/checked.h"
#include "engine/base/hash.h"
#include "engine/import/process.h"
#include "engine/import/slice.h"

#define FLOW_OF_MANY UINT64_MAX

struct parse {
    struct fuchsia *f;
    const struct fuchsia_event *event;
    int64_t ts;
    uint32_t utid, track;
    struct arg_list args;
};

static void put_arg(struct parse *p, const struct fuchsia_arg *arg)
{
    struct strpool *strings = p->f->import->strings;
    struct arg out = {.flat_key = arg->name, .key = arg->name};
    switch (arg->type) {
    case FUCHSIA_ARG_INT32:
    case FUCHSIA_ARG_INT64: out.type = ARG_INT; break;
    case FUCHSIA_ARG_UINT32:
    case FUCHSIA_ARG_UINT64:
    case FUCHSIA_ARG_KOID: out.type = ARG_UINT; break;
    case FUCHSIA_ARG_DOUBLE: out.type = ARG_REAL; break;
    case FUCHSIA_ARG_POINTER: out.type = ARG_POINTER; break;
    case FUCHSIA_ARG_BOOL: out.type = ARG_BOOL; break;
    default: out.type = ARG_STRING; break;
    }
    if (arg->type == FUCHSIA_ARG_STRING)
        out.value.string = arg->value.string;
    else if (out.type == ARG_STRING)
        out.value.string =
            strpool_intern_text(strings, arg->type == FUCHSIA_ARG_NULL ? "null" : "unknown");
    else if (out.type == ARG_REAL)
        out.value.real = arg->value.real;
    else
        out.value.integer = (int64_t)arg->value.number;
    arg_list_put(&p->args, out);
}

/* ---- counters ---- */

static bool number_of(const struct fuchsia_arg *arg, double *value)
{
    switch (arg->type) {
    case FUCHSIA_ARG_INT32:
    case FUCHSIA_ARG_INT64: *value = (double)(int64_t)arg->value.number; return true;
    case FUCHSIA_ARG_UINT32:
    case FUCHSIA_ARG_UINT64: *value = (double)arg->value.number; return true;
    case FUCHSIA_ARG_DOUBLE: *value = arg->value.real; return true;
    default: return false;
    }
}

/* Each number among the args is a counter "event:arg:id". */
static void parse_counters(struct parse *p)
{
    struct fuchsia *f = p->f;
    struct strpool *strings = f->import->strings;
    uint32_t upid = process_intern(f->file, p->event->thread.pid);
    for (uint32_t i = 0; i < p->event->n_args; i++) {
        const struct fuchsia_arg *arg = &f->args.items[p->event->first_arg + i];
        double value;
        if (!number_of(arg, &value)) {
            stats_add(f->file, STAT_fuchsia_non_numeric_counters, 1);
            continue;
        }
        buffer_clear(&f->text);
        buffer_append_str(&f->text, strpool_get(strings, p->event->name));
        buffer_append_byte(&f->text, ':');
        buffer_append_str(&f->text, strpool_get(strings, arg->name));
        buffer_printf(&f->text, ":%" PRIu64, p->event->more.id);
        string_id name = strpool_intern(strings, buffer_str(&f->text));
        struct track_key key = {.type = "fuchsia_counter",
                                .event_type = TRACK_COUNTER,
                                .machine_id = f->file->machine_id,
                                .n_dimensions = 2};
        key.dimensions[0] = dimension_int("upid", upid);
        key.dimensions[1] = dimension_string("name", name);
        struct track_info info = {.name = name};
        counter_push(f->file, p->ts, track_intern(f->import->tracks, &key, &info), value, NULL);
    }
}

/* ---- async ---- */

static void parse_async(struct parse *p)
{
    struct fuchsia *f = p->f;
    struct track_tracker *tracks = f->import->tracks;
    const struct fuchsia_event *event = p->event;
    struct track_key key = {.type = "legacy_async_process_slice",
                            .machine_id = f->file->machine_id,
                            .n_dimensions = 3,
                            .scope = (uint64_t)f->file->file_id + 1};
    key.dimensions[0] = dimension_int("upid", process_intern(f->file, event->thread.pid));
    key.dimensions[1] = dimension_string("scope", STRING_NULL);
    key.dimensions[2] = dimension_string("name", event->name);
    struct track_info info = {.name = event->name};
    uint32_t set = track_lanes_intern(tracks, &key, &info);
    int64_t cookie = (int64_t)event->more.id;
    uint32_t track = event->kind == FUCHSIA_ASYNC_END ? track_lane_end(tracks, set, cookie)
                                                      : track_lane_begin(tracks, set, cookie);
    switch (event->kind) {
    case FUCHSIA_ASYNC_BEGIN:
        slice_begin(f->file, p->ts, track, event->category, event->name, &p->args);
        break;
    case FUCHSIA_ASYNC_END:
        slice_end(f->file, p->ts, track, event->category, event->name, &p->args);
        break;
    default:
        track_lane_end(tracks, set, cookie);
        slice_scoped(f->file, p->ts, 0, track, event->category, event->name, &p->args);
        break;
    }
}

/* ---- flows ---- */

/* A flow belongs to the process that began it; another may go on with it when
 * only one did. */
static void parse_flow(struct parse *p)
{
    struct fuchsia *f = p->f;
    uint64_t id = p->event->more.id, pid = p->event->thread.pid;
    uint32_t slice = slice_top(f->file, p->ts, p->track);
    if (p->event->kind == FUCHSIA_FLOW_BEGIN) {
        bool added;
        uint64_t *owner = map_put_if_absent(&f->flow_pids, id, pid, &added);
        if (*owner != pid) *owner = FLOW_OF_MANY;
        flow_begin(f->file, slice, hash_mix(hash_mix(pid, id), f->file->file_id));
        return;
    }
    uint64_t own = hash_mix(hash_mix(pid, id), f->file->file_id), flow = own;
    const uint64_t *owner = map_get(&f->flow_pids, id);
    if (!flow_is_active(f->file, own) && owner && *owner != pid) {
        if (*owner == FLOW_OF_MANY) return;
        flow = hash_mix(hash_mix(*owner, id), f->file->file_id);
    }
    if (p->event->kind == FUCHSIA_FLOW_STEP)
        flow_step(f->file, slice, flow);
    else
        flow_end(f->file, slice, flow, true);
}

static void parse_slice(struct parse *p)
{
    const struct fuchsia_event *event = p->event;
    const struct import_file *file = p->f->file;
    switch (event->kind) {
    case FUCHSIA_INSTANT:
        slice_scoped(file, p->ts, 0, p->track, event->category, event->name, &p->args);
        break;
    case FUCHSIA_BEGIN:
        slice_begin(file, p->ts, p->track, event->category, event->name, &p->args);
        break;
    case FUCHSIA_END: slice_end(file, p->ts, p->track, STRING_NULL, STRING_NULL, &p->args); break;
    default:
        if (event->more.end < p->ts)
            stats_add(file, STAT_fuchsia_timestamp_overflow, 1);
        else
            slice_scoped(file, p->ts, wrapping_sub_int64(event->more.end, p->ts), p->track,
                         event->category, event->name, &p->args);
        break;
    }
}

void fuchsia_parse_event(void *owner, int64_t ts, const void *payload)
{
    struct fuchsia *f = owner;
    struct parse p = {.f = f, .event = payload, .ts = ts};
    if (p.event->kind == FUCHSIA_SWITCH) {
        fuchsia_parse_switch(f, ts, p.event);
        return;
    }
    if (p.event->kind == FUCHSIA_WAKEUP) {
        fuchsia_parse_wakeup(f, ts, p.event);
        return;
    }
    p.utid = thread_intern_in(f->file, p.event->thread.tid, p.event->thread.pid);
    p.track = track_of_thread(f->import->tracks, f->file->machine_id, p.utid);
    for (uint32_t i = 0; i < p.event->n_args; i++)
        put_arg(&p, &f->args.items[p.event->first_arg + i]);
    if (p.event->kind == FUCHSIA_COUNTER)
        parse_counters(&p);
    else if (p.event->kind <= FUCHSIA_COMPLETE)
        parse_slice(&p);
    else if (p.event->kind <= FUCHSIA_ASYNC_END)
        parse_async(&p);
    else
        parse_flow(&p);
    vec_free(&p.args);
}
