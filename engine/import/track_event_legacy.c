/* Events that carry a phase of the older JSON format (spec engine_2 2.2
 * "LegacyEvent"). */
#include "engine/import/track_event.h"

#include "engine/base/checked.h"
#include "engine/base/hash.h"

enum { FLOW_IN = 1, FLOW_OUT = 2, FLOW_INOUT = 3 };
enum { INSTANT_UNSPECIFIED = 0, INSTANT_GLOBAL = 1, INSTANT_PROCESS = 2, INSTANT_THREAD = 3 };
enum { LEGACY_UNSCOPED_ID = 6, LEGACY_LOCAL_ID = 10, LEGACY_GLOBAL_ID = 11 };

bool track_event_legacy_read(struct track_event *e)
{
    struct wire w = wire_open(e->legacy_bytes);
    struct wire_field f;
    while (wire_next(&w, &f)) {
        if (f.number < 64) e->legacy_seen |= UINT64_C(1) << f.number;
        switch (f.number) {
        case 1: e->legacy_name_iid = f.value; break;
        case 2: e->phase = (uint32_t)f.value; break;
        case 3: e->duration_us = (int64_t)f.value; break;
        case 4: e->thread_duration_us = (int64_t)f.value; break;
        case 6: e->unscoped_id = f.value; break;
        case 7: e->id_scope = f.bytes; break;
        case 8: e->bind_id = f.value; break;
        case 9: e->use_async_tts = f.value != 0; break;
        case 10: e->local_id = f.value; break;
        case 11: e->global_id = f.value; break;
        case 12: e->bind_to_enclosing = f.value != 0; break;
        case 13: e->flow_direction = (uint32_t)f.value; break;
        case 14: e->instant_scope = (uint32_t)f.value; break;
        case 15: e->thread_instruction_delta = (int64_t)f.value; break;
        case 18: e->pid_override = (int32_t)f.value; break;
        case 19: e->tid_override = (int32_t)f.value; break;
        default: break;
        }
    }
    return !w.bad;
}

static string_id intern_text(const struct track_event *e, const char *text)
{
    return strpool_intern_text(e->te->import->strings, text);
}

/* Async events: one set of lanes for a scope and the name of the first event that
 * had the id; the event that makes the set names its lanes. */

static bool is_async(uint32_t phase)
{
    return phase == 'b' || phase == 'e' || phase == 'n' || phase == 'S' || phase == 'T' ||
           phase == 'p' || phase == 'F';
}

static bool find_source_id(struct track_event *e, int64_t *id, bool *is_of_process)
{
    *is_of_process = false;
    if (track_event_legacy_has(e, LEGACY_UNSCOPED_ID)) {
        *id = (int64_t)e->unscoped_id;
    } else if (track_event_legacy_has(e, LEGACY_GLOBAL_ID)) {
        *id = (int64_t)e->global_id;
    } else if (track_event_legacy_has(e, LEGACY_LOCAL_ID)) {
        *id = (int64_t)e->local_id;
        *is_of_process = true;
        if (e->upid == NULL_UINT32) return false;
    } else {
        return false;
    }
    return true;
}

static string_id find_scope(struct track_event *e)
{
    struct strpool *strings = e->te->import->strings;
    struct buffer *text = &e->te->text;
    if (e->id_scope.p) {
        buffer_clear(text);
        buffer_append_str(text, strpool_get(strings, e->category));
        buffer_append_byte(text, ':');
        buffer_append_str(text, e->id_scope);
        return strpool_intern(strings, buffer_str(text));
    }
    return e->phase == 'b' || e->phase == 'e' || e->phase == 'n' ? e->category : e->name;
}

static void put_async_source(struct track_event *e, bool is_of_process, string_id scope)
{
    struct arg_list *args = &e->te->args;
    vec_clear(args);
    arg_list_put_string(args, e->te->strings.source, intern_text(e, "chrome"));
    arg_list_put_bool(args, intern_text(e, "trace_id_is_process_scoped"), is_of_process);
    if (e->upid != NULL_UINT32) arg_list_put_int(args, intern_text(e, "upid"), e->upid);
    arg_list_put_string(args, intern_text(e, "source_scope"), scope);
}

static bool place_async(struct track_event *e)
{
    struct track_events *te = e->te;
    struct track_tracker *tracks = te->import->tracks;
    int64_t id;
    bool is_of_process;
    if (!find_source_id(e, &id, &is_of_process)) return track_event_error(e);
    string_id scope = find_scope(e);
    uint32_t upid = is_of_process ? e->upid : 0;
    uint64_t identity = hash_mix(hash_mix(1, (uint64_t)id), is_of_process ? upid + 1 : 0);
    uint64_t name = *map_put_if_absent(&te->legacy_names, identity, e->name, NULL);
    struct track_key key = {.type = is_of_process ? "legacy_async_process_slice"
                                                  : "legacy_async_global_slice",
                            .machine_id = te->file->machine_id,
                            .scope = (uint64_t)te->file->file_id + 1};
    if (is_of_process) key.dimensions[key.n_dimensions++] = dimension_int("upid", e->upid);
    key.dimensions[key.n_dimensions++] = dimension_string("scope", scope);
    key.dimensions[key.n_dimensions++] = dimension_string("name", (string_id)name);
    struct track_info info = {.name = e->name, .source_args = &te->args};
    put_async_source(e, is_of_process, scope);
    uint32_t set = track_lanes_intern(tracks, &key, &info);
    /* As in the reference, a lane is free after the first step of what is on it, or after
     * 'e'; 'F' does not change who has it. */
    bool is_end = e->phase == 'e' || e->phase == 'T' || e->phase == 'p';
    bool is_begin = e->phase == 'b' || e->phase == 'S';
    e->track = is_end ? track_lane_end(tracks, set, id) : track_lane_begin(tracks, set, id);
    if (!is_end && !is_begin) track_lane_end(tracks, set, id);
    vec_clear(&te->args);
    e->descriptor = NULL;
    e->passthrough_utid = e->utid;
    e->utid = NULL_UINT32;
    e->has_async_id = true;
    e->async_id = id;
    return true;
}

static bool place_instant(struct track_event *e)
{
    struct track_events *te = e->te;
    struct track_key key = {.machine_id = te->file->machine_id,
                            .scope = (uint64_t)te->file->file_id + 1};
    switch (e->instant_scope) {
    case INSTANT_UNSPECIFIED:
    case INSTANT_THREAD: return e->utid != NULL_UINT32 || track_event_error(e);
    case INSTANT_GLOBAL: key.type = "legacy_chrome_global_instants"; break;
    case INSTANT_PROCESS:
        if (e->upid == NULL_UINT32) return track_event_error(e);
        key.type = "chrome_process_instant";
        key.dimensions[key.n_dimensions++] = dimension_int("upid", e->upid);
        break;
    default: return track_event_error(e);
    }
    put_async_source(e, e->instant_scope == INSTANT_PROCESS, STRING_NULL);
    te->args.count--; /* no scope */
    struct track_info info = {.source_args = &te->args};
    e->track = track_intern(te->import->tracks, &key, &info);
    vec_clear(&te->args);
    e->descriptor = NULL;
    e->passthrough_utid = e->utid;
    e->utid = NULL_UINT32;
    return true;
}

bool track_event_legacy_associate(struct track_event *e)
{
    if (is_async(e->phase)) return place_async(e);
    if (e->phase == 'i' || e->phase == 'I' || e->phase == 'R') return place_instant(e);
    return true;
}

/* What each phase makes. */

static bool complete(struct track_event *e)
{
    struct track_events *te = e->te;
    int64_t dur;
    if (e->utid == NULL_UINT32 || e->duration_us < 0 ||
        !checked_mul_int64(e->duration_us, 1000, &dur))
        return track_event_error(e);
    uint32_t slice =
        slice_scoped(te->file, e->ts, dur, e->track, e->category, e->name, track_event_args(e));
    if (slice == NO_SLICE) return true;
    struct table *slices = &te->import->tables->slice.table;
    int64_t thread_dur;
    track_event_set_thread_times(e, slice);
    if (e->has_thread_ts && checked_mul_int64(e->thread_duration_us, 1000, &thread_dur))
        table_set_int64(slices, slice_COLUMN_thread_dur, slice, thread_dur);
    if (e->has_instructions)
        table_set_int64(slices, slice_COLUMN_thread_instruction_delta, slice,
                        e->thread_instruction_delta);
    track_event_flows(e, slice);
    return true;
}

static bool flow(struct track_event *e)
{
    const struct import_file *file = e->te->file;
    if (!track_event_legacy_has(e, LEGACY_UNSCOPED_ID)) {
        stats_add(file, STAT_flow_invalid_id, 1);
        return track_event_error(e);
    }
    uint64_t id = flow_id_v1(file, e->unscoped_id, e->category, e->name);
    uint32_t slice = slice_top(file, e->ts, e->track);
    if (e->phase == 's')
        flow_begin(file, slice, id);
    else if (e->phase == 't')
        flow_step(file, slice, id);
    else if (e->bind_to_enclosing)
        flow_end(file, slice, id, false);
    else
        flow_end_at_next_slice(file, e->track, id);
    return true;
}

static bool raw(struct track_event *e)
{
    struct track_events *te = e->te;
    struct arg_list *args = &te->args;
    if (e->utid == NULL_UINT32) return track_event_error(e);
    char phase[2] = {(char)e->phase, '\0'};
    vec_clear(args);
    if (e->category != STRING_NULL)
        arg_list_put_string(args, intern_text(e, "legacy_event.category"), e->category);
    if (e->name != STRING_NULL)
        arg_list_put_string(args, intern_text(e, "legacy_event.name"), e->name);
    arg_list_put_string(args, te->strings.legacy_event_phase, intern_text(e, phase));
    const struct {
        bool has;
        const char *key;
        int64_t value;
        enum arg_type type;
    } parts[] = {
        {track_event_legacy_has(e, 3), "legacy_event.duration_ns",
         (int64_t)((uint64_t)e->duration_us * 1000), ARG_INT},
        {e->has_thread_ts, "legacy_event.thread_timestamp_ns", e->thread_ts, ARG_INT},
        {track_event_legacy_has(e, 4), "legacy_event.thread_duration_ns",
         (int64_t)((uint64_t)e->thread_duration_us * 1000), ARG_INT},
        {e->has_instructions, "legacy_event.thread_instruction_count", e->instructions, ARG_INT},
        {track_event_legacy_has(e, 15), "legacy_event.thread_instruction_delta",
         e->thread_instruction_delta, ARG_INT},
        {e->use_async_tts, "legacy_event.use_async_tts", 1, ARG_BOOL},
        {track_event_legacy_has(e, 6), "legacy_event.unscoped_id", (int64_t)e->unscoped_id,
         ARG_UINT},
        {track_event_legacy_has(e, 11), "legacy_event.global_id", (int64_t)e->global_id, ARG_UINT},
        {track_event_legacy_has(e, 10), "legacy_event.local_id", (int64_t)e->local_id, ARG_UINT},
        {track_event_legacy_has(e, 8), "legacy_event.bind_id", (int64_t)e->bind_id, ARG_UINT},
        {e->bind_to_enclosing, "legacy_event.bind_to_enclosing", 1, ARG_BOOL},
    };
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        string_id key = parts[i].has ? intern_text(e, parts[i].key) : STRING_NULL;
        if (parts[i].has)
            arg_list_put(args, (struct arg){.flat_key = key,
                                            .key = key,
                                            .type = parts[i].type,
                                            .value.integer = parts[i].value});
    }
    if (e->id_scope.p)
        arg_list_put_string(args, intern_text(e, "legacy_event.id_scope"),
                            strpool_intern(te->import->strings, e->id_scope));
    static const char *const directions[] = {NULL, "in", "out", "inout"};
    if (e->flow_direction >= FLOW_IN && e->flow_direction <= FLOW_INOUT)
        arg_list_put_string(args, intern_text(e, "legacy_event.flow_direction"),
                            intern_text(e, directions[e->flow_direction]));
    track_event_put_args(e);
    struct chrome_raw_row row = {.ts = e->ts,
                                 .name = intern_text(e, "track_event.legacy_event"),
                                 .utid = e->utid,
                                 .arg_set_id = args_commit(te->import->args, args)};
    chrome_raw_append(&te->import->tables->chrome_raw, &row);
    return true;
}

/* The text of the first debug annotation: what a metadata event says. */
static struct str first_annotation_text(const struct track_event *e)
{
    struct wire_field annotation, text;
    if (wire_find(e->bytes, 4, &annotation) && wire_find(annotation.bytes, 6, &text))
        return text.bytes;
    return STR_NONE;
}

static bool metadata(struct track_event *e)
{
    struct track_events *te = e->te;
    struct str name = strpool_get(te->import->strings, e->name);
    struct str text = first_annotation_text(e);
    if (str_is(name, "thread_name")) {
        if (e->utid == NULL_UINT32) return track_event_error(e);
        if (text.n)
            thread_set_name(te->file, e->utid, strpool_intern(te->import->strings, text),
                            THREAD_NAME_TRACK_DESCRIPTOR);
        return true;
    }
    if (str_is(name, "process_name")) {
        if (e->upid == NULL_UINT32) return track_event_error(e);
        if (text.n)
            process_set_name(te->file, e->upid, strpool_intern(te->import->strings, text),
                             PROCESS_NAME_TRACK_DESCRIPTOR);
        return true;
    }
    return raw(e);
}

static bool on_thread(struct track_event *e, enum track_event_edge edge)
{
    if (e->utid == NULL_UINT32) return track_event_error(e);
    return track_event_place(e, edge);
}

bool track_event_legacy_run(struct track_event *e)
{
    switch (e->phase) {
    case 'B': return on_thread(e, EDGE_BEGIN) && track_event_begin(e);
    case 'E': return on_thread(e, EDGE_END) && track_event_end(e);
    case 'X': return on_thread(e, EDGE_INSTANT) && complete(e);
    case 's':
    case 't':
    case 'f': return track_event_place(e, EDGE_INSTANT) && flow(e);
    case 'i':
    case 'I':
    case 'R': return track_event_place(e, EDGE_INSTANT) && track_event_instant(e);
    case 'b':
    case 'S': return track_event_begin(e);
    case 'e':
    case 'F': return track_event_end(e);
    case 'n':
    case 'T':
    case 'p': return track_event_instant(e);
    case 'M': return metadata(e);
    default: return raw(e);
    }
}
