/* Track descriptors by uuid: what they say, whose they are, the tracks made of
 * them at their first event (spec engine_2 2.2). */
#include "engine/import/track_event.h"

/* A sandboxed process knows neither its own tids nor pids as others see them. */
#define SYNTHETIC_TID(pid, tid) ((tid) | (int64_t)((uint64_t)(pid) << 32))

enum { ORDER_LEXICOGRAPHIC = 1, ORDER_CHRONOLOGICAL = 2, ORDER_EXPLICIT = 3 };
enum { BUILTIN_THREAD_TIME = 1, BUILTIN_INSTRUCTIONS = 2 };

struct track_event_track *track_event_track_find(struct track_events *te, uint64_t uuid)
{
    if (te->last_track && te->last_track->uuid == uuid) return te->last_track;
    const uint64_t *found = map_get(&te->tracks, uuid);
    if (!found) return NULL;
    te->last_track = (struct track_event_track *)(uintptr_t)*found;
    return te->last_track;
}

static struct track_event_track *add_track(struct track_events *te,
                                           const struct track_event_track *described)
{
    struct track_event_track *track = arena_alloc(&te->arena, sizeof *track);
    *track = *described;
    track->utid = track->upid = NULL_UINT32;
    track->row = track->lanes = track->some_lane = NULL_UINT32;
    if (track->uuid == 0 && track->name == STRING_NULL) track->name = te->strings.default_track;
    map_set(&te->tracks, track->uuid, (uintptr_t)track);
    return track;
}

struct track_event_track *track_event_track_get(struct track_events *te, uint64_t uuid)
{
    struct track_event_track *track = track_event_track_find(te, uuid);
    return track ? track : add_track(te, &(struct track_event_track){.uuid = uuid});
}

/* Reading a descriptor. */

static string_id intern(struct track_events *te, struct str text)
{
    return strpool_intern(te->import->strings, text);
}

static void read_thread(struct track_event_track *track, struct str bytes)
{
    struct wire w = wire_open(bytes);
    struct wire_field f;
    while (wire_next(&w, &f)) {
        if (f.number == 1) {
            track->has_pid = true;
            track->pid = (int32_t)f.value;
        } else if (f.number == 2) {
            track->has_tid = true;
            track->tid = (int64_t)f.value;
        }
    }
}

static void read_process(struct track_event_track *track, struct str bytes)
{
    struct wire_field f;
    if (!wire_find(bytes, 1, &f)) return;
    track->has_pid = true;
    track->pid = (int32_t)f.value;
}

static void read_counter(struct track_events *te, struct track_event_track *track, struct str bytes)
{
    static const char *const units[] = {NULL, "ns", "count", "bytes"};
    struct wire w = wire_open(bytes);
    struct wire_field f;
    track->is_counter = true;
    while (wire_next(&w, &f)) {
        switch (f.number) {
        case 1:
            track->builtin_counter = f.value <= BUILTIN_INSTRUCTIONS ? (uint8_t)f.value : 0;
            break;
        case 2:
            if (track->category == STRING_NULL) track->category = intern(te, f.bytes);
            break;
        case 3:
            if (f.value < sizeof units / sizeof *units && units[f.value])
                track->unit = strpool_intern_text(te->import->strings, units[f.value]);
            break;
        case 4: track->unit_multiplier = (int64_t)f.value; break;
        case 5: track->is_incremental = f.value != 0; break;
        case 6: track->unit = intern(te, f.bytes); break;
        case 7: track->axis_key = intern(te, f.bytes); break;
        default: break;
        }
    }
    if (track->builtin_counter == BUILTIN_THREAD_TIME) {
        if (track->name == STRING_NULL) track->name = te->strings.thread_time;
        track->unit = strpool_intern_text(te->import->strings, "ns");
    } else if (track->builtin_counter == BUILTIN_INSTRUCTIONS) {
        if (track->name == STRING_NULL) track->name = te->strings.thread_instruction_count;
        track->unit = strpool_intern_text(te->import->strings, "count");
    }
}

/* True when the field `is_sandboxed_tid` of the Chrome thread is set. */
static bool is_sandboxed(struct str chrome_thread)
{
    struct wire_field f;
    return wire_find(chrome_thread, 3, &f) && f.value;
}

static bool read_descriptor(struct track_events *te, struct str bytes,
                            struct track_event_track *track)
{
    struct wire w = wire_open(bytes);
    struct wire_field f;
    struct str counter = STR_NONE;
    bool has_uuid = false, has_thread = false, has_process = false;
    while (wire_next(&w, &f)) {
        switch (f.number) {
        case 1: track->uuid = f.value, has_uuid = true; break;
        case 2:
        case 10:
        case 13: track->name = intern(te, f.bytes); break;
        case 3: has_process = true, read_process(track, f.bytes); break;
        case 4: has_thread = true, read_thread(track, f.bytes); break;
        case 5: track->parent_uuid = f.value; break;
        case 7: track->is_synthetic_tid = is_sandboxed(f.bytes); break;
        case 8: counter = f.bytes.p ? f.bytes : STR(""); break;
        case 9: track->no_system_merge = f.value != 0; break;
        case 11: track->child_ordering = f.value <= ORDER_EXPLICIT ? (uint8_t)f.value : 0; break;
        case 12: track->has_rank = true, track->rank = (int32_t)f.value; break;
        case 14: track->description = intern(te, f.bytes); break;
        case 15:
            track->merge = f.value == 2 ? MERGE_NONE : f.value == 3 ? MERGE_BY_KEY : MERGE_BY_NAME;
            break;
        case 16: track->merge_key = intern(te, f.bytes); break;
        case 17: track->merge_key_int = f.value; break;
        case 18: track->is_state = true; break;
        case 19: track->explicit_processes = f.value == 1; break;
        case 20: track->explicit_threads = f.value == 1; break;
        default: break;
        }
    }
    if (!has_uuid) {
        stats_add(te->file, STAT_track_descriptor_missing_uuid, 1);
        return false;
    }
    if (has_thread && (!track->has_pid || !track->has_tid)) {
        stats_add(te->file, STAT_track_descriptor_thread_missing_pid_tid, 1);
        return false;
    }
    if (has_process && !has_thread && !track->has_pid) {
        stats_add(te->file, STAT_track_descriptor_process_missing_pid, 1);
        return false;
    }
    if (track->is_synthetic_tid) track->tid = SYNTHETIC_TID(track->pid, track->tid);
    if (counter.p && !has_thread && !has_process) read_counter(te, track, counter);
    return true;
}

static bool is_same(const struct track_event_track *a, const struct track_event_track *b)
{
    return a->parent_uuid == b->parent_uuid && a->has_pid == b->has_pid &&
           a->has_tid == b->has_tid && a->pid == b->pid && a->tid == b->tid &&
           a->is_counter == b->is_counter && a->is_incremental == b->is_incremental &&
           a->unit_multiplier == b->unit_multiplier && a->unit == b->unit &&
           a->builtin_counter == b->builtin_counter;
}

void track_event_track_register(struct track_events *te, const struct packet *packet,
                                struct track_event_sequence *sequence, struct str descriptor)
{
    struct track_event_track described = {0};
    if (!read_descriptor(te, descriptor, &described)) return;
    if (described.uuid == 0 && described.parent_uuid) {
        import_log(te->file, STAT_track_descriptor_default_track_with_parent, NO_BYTE_OFFSET,
                   packet->ts, NULL);
        described.parent_uuid = 0;
    }
    described.counter_sequence = sequence;
    described.is_first_on_sequence = sequence && sequence->is_first;
    struct track_event_track *known = track_event_track_find(te, described.uuid);
    if (!known) {
        add_track(te, &described);
        return;
    }
    if (!is_same(known, &described)) {
        import_log(te->file, STAT_track_descriptor_conflicting_reservation, NO_BYTE_OFFSET,
                   packet->ts, NULL);
        return;
    }
    if (known->name == STRING_NULL) known->name = described.name;
}

void track_event_track_set_name(struct track_events *te, struct track_event_track *track,
                                string_id name)
{
    if (name == STRING_NULL || track->name == name) return;
    if (track->name != STRING_NULL && track->merge != MERGE_NONE) return;
    track->name = name;
    bool is_shared = track->scope == SCOPE_THREAD && track->is_root && !track->no_system_merge;
    if (track->row != NULL_UINT32 && !is_shared)
        table_set_string(&te->import->tables->track.table, track_COLUMN_name, track->row, name);
}

/* Resolving. */

/* The row of a thread or process that this descriptor alone describes: a second
 * descriptor of the same row means that the number was used again. */
static uint32_t claim_thread(struct track_events *te, const struct track_event_track *track)
{
    bool added;
    uint32_t utid = thread_intern_in(te->file, track->tid, track->pid);
    map_put_if_absent(&te->uuid_of_utid, utid, track->uuid, &added);
    if (added) return utid;
    thread_start(te->file, (struct opt_int64){0}, track->tid, NULL_UINT32);
    utid = thread_intern_in(te->file, track->tid, track->pid);
    map_set(&te->uuid_of_utid, utid, track->uuid);
    return utid;
}

static uint32_t claim_process(struct track_events *te, const struct track_event_track *track)
{
    bool added;
    uint32_t upid = process_intern(te->file, track->pid);
    map_put_if_absent(&te->uuid_of_upid, upid, track->uuid, &added);
    if (added) return upid;
    upid = process_start(te->file, (struct opt_int64){0}, track->pid, (struct opt_uint32){0},
                         STRING_NULL, THREAD_NAME_TRACK_DESCRIPTOR);
    map_set(&te->uuid_of_upid, upid, track->uuid);
    return upid;
}

static bool fail(struct track_events *te, struct track_event_track *track, enum stat stat)
{
    track->resolution = TRACK_FAILED;
    stats_add(te->file, stat, 1);
    return false;
}

static bool resolve(struct track_events *te, struct track_event_track *track, unsigned depth)
{
    if (track->resolution == TRACK_RESOLVED) return true;
    if (track->resolution == TRACK_FAILED) return false;
    if (track->resolution == TRACK_RESOLVING)
        return fail(te, track, STAT_track_event_track_hierarchy_loop);
    if (depth > TRACK_EVENT_MAX_ANCESTORS)
        return fail(te, track, STAT_track_event_track_hierarchy_too_deep);
    struct track_event_track *parent = NULL;
    track->resolution = TRACK_RESOLVING;
    if (track->parent_uuid) {
        parent = track_event_track_find(te, track->parent_uuid);
        if (!parent) return fail(te, track, STAT_track_hierarchy_missing_uuid);
        if (!resolve(te, parent, depth + 1)) {
            track->resolution = TRACK_FAILED;
            return false;
        }
    }
    if (track->has_tid) {
        track->scope = SCOPE_THREAD;
        track->is_root = true;
        track->utid = claim_thread(te, track);
        track->upid = thread_process(te->file, track->utid);
    } else if (track->has_pid) {
        track->scope = SCOPE_PROCESS;
        track->is_root = true;
        track->upid = claim_process(te, track);
    } else if (parent) {
        track->scope = parent->scope;
        track->utid = parent->utid;
        track->upid = parent->upid;
    } else {
        track->is_root = true;
    }
    track->resolution = TRACK_RESOLVED;
    return true;
}

bool track_event_track_resolve(struct track_events *te, struct track_event_track *track)
{
    return resolve(te, track, 0);
}

/* Making. */

static const char *const slice_types[] = {"global_track_event", "process_track_event",
                                          "thread_track_event"};
static const char *const merged_types[] = {
    "global_merged_track_event", "process_merged_track_event", "thread_merged_track_event"};
static const char *const counter_types[] = {
    "global_counter_track_event", "process_counter_track_event", "thread_counter_track_event"};
static const char *const state_types[] = {"global_state_track_event", "process_state_track_event",
                                          "thread_state_track_event"};

static void put_source_args(struct track_events *te, const struct track_event_track *track)
{
    static const char *const orders[] = {NULL, "lexicographic", "chronological", "explicit"};
    static const char *const builtins[] = {NULL, "thread_time_ns", "thread_instruction_count"};
    const struct track_event_strings *s = &te->strings;
    struct strpool *strings = te->import->strings;
    struct arg_list *args = &te->args;
    vec_clear(args);
    arg_list_put_string(args, s->source, s->descriptor);
    arg_list_put_int(args, s->trace_id, (int64_t)track->uuid);
    arg_list_put_bool(args, s->is_root_in_scope, track->is_root);
    if (track->category != STRING_NULL) arg_list_put_string(args, s->category, track->category);
    if (track->builtin_counter)
        arg_list_put_string(args, s->builtin_counter_type,
                            strpool_intern_text(strings, builtins[track->builtin_counter]));
    if (track->axis_key != STRING_NULL)
        arg_list_put_string(args, s->y_axis_share_key, track->axis_key);
    if (track->is_first_on_sequence) arg_list_put_bool(args, s->first_on_sequence, true);
    if (track->child_ordering)
        arg_list_put_string(args, s->child_ordering,
                            strpool_intern_text(strings, orders[track->child_ordering]));
    if (track->has_rank) arg_list_put_int(args, s->sibling_order_rank, track->rank);
    if (track->description != STRING_NULL)
        arg_list_put_string(args, s->description, track->description);
}

static void start_key(struct track_events *te, const struct track_event_track *track,
                      const char *const types[3], enum track_event_type event_type,
                      struct track_key *key)
{
    *key = (struct track_key){.type = types[track->scope],
                              .event_type = event_type,
                              .machine_id = te->file->machine_id,
                              .scope = (uint64_t)te->file->file_id + 1};
    if (track->scope == SCOPE_THREAD)
        key->dimensions[key->n_dimensions++] = dimension_int("utid", track->utid);
    else if (track->scope == SCOPE_PROCESS)
        key->dimensions[key->n_dimensions++] = dimension_int("upid", track->upid);
}

/* Siblings of the same name, or of the same key, share one set of lanes. */
static void add_merge_key(struct track_events *te, const struct track_event_track *track,
                          string_id name, struct track_key *key)
{
    struct strpool *strings = te->import->strings;
    const char *type = "track_name";
    string_id value = name;
    if (track->merge == MERGE_BY_KEY && track->merge_key != STRING_NULL) {
        type = "sibling_merge_key";
        value = track->merge_key;
    } else if (track->merge == MERGE_BY_KEY) {
        type = "sibling_merge_key_int";
        buffer_clear(&te->text);
        buffer_printf(&te->text, "%llu", (unsigned long long)track->merge_key_int);
        value = strpool_intern(strings, buffer_str(&te->text));
    }
    key->dimensions[key->n_dimensions++] =
        dimension_int("parent_track_uuid", (int64_t)track->parent_uuid);
    key->dimensions[key->n_dimensions++] =
        dimension_string("merge_key_type", strpool_intern_text(strings, type));
    key->dimensions[key->n_dimensions++] = dimension_string("merge_key_value", value);
}

static void make(struct track_events *te, struct track_event_track *track, string_id event_name);

/* A row of the parent that children can point to. */
static struct opt_uint32 parent_row(struct track_events *te, const struct track_event_track *track)
{
    if (!track->parent_uuid) return (struct opt_uint32){0};
    struct track_event_track *parent = track_event_track_find(te, track->parent_uuid);
    make(te, parent, STRING_NULL);
    if (parent->is_root && parent->scope != SCOPE_GLOBAL) return (struct opt_uint32){0};
    if (parent->lanes == NULL_UINT32) return some_uint32(parent->row);
    if (parent->some_lane == NULL_UINT32) {
        parent->some_lane =
            track_lane_begin(te->import->tracks, parent->lanes, (int64_t)parent->uuid);
        track_lane_end(te->import->tracks, parent->lanes, (int64_t)parent->uuid);
    }
    return some_uint32(parent->some_lane);
}

static void make(struct track_events *te, struct track_event_track *track, string_id event_name)
{
    if (track->row != NULL_UINT32 || track->lanes != NULL_UINT32) return;
    struct track_tracker *tracks = te->import->tracks;
    string_id name = track->name != STRING_NULL ? track->name : event_name;
    name = track_event_translate(&te->translations.track_names, name);
    bool is_own_row = track->is_counter || track->is_state || track->merge == MERGE_NONE ||
                      (track->is_root && track->scope != SCOPE_GLOBAL);
    struct track_key key;
    struct track_info info = {.unit = track->unit, .parent_id = parent_row(te, track)};
    if (!track->is_counter && !track->is_state && track->is_root && track->scope != SCOPE_GLOBAL) {
        name = track->name;
        if (track->scope == SCOPE_THREAD && !track->no_system_merge) {
            track->row = track_of_thread(tracks, te->file->machine_id, track->utid);
            return;
        }
    }
    if (track->is_counter)
        start_key(te, track, counter_types, TRACK_COUNTER, &key);
    else if (track->is_state)
        start_key(te, track, state_types, TRACK_STATE, &key);
    else
        start_key(te, track, is_own_row ? slice_types : merged_types, TRACK_SLICE, &key);
    info.name = name;
    put_source_args(te, track);
    info.source_args = &te->args;
    if (is_own_row) {
        key.dimensions[key.n_dimensions++] = dimension_int("track_uuid", (int64_t)track->uuid);
        track->row = track_intern(tracks, &key, &info);
    } else {
        add_merge_key(te, track, name, &key);
        track->lanes = track_lanes_intern(tracks, &key, &info);
    }
    vec_clear(&te->args);
}

uint32_t track_event_track_row(struct track_events *te, struct track_event_track *track,
                               enum track_event_edge edge, string_id event_name)
{
    if (!track_event_track_resolve(te, track)) return NULL_UINT32;
    make(te, track, event_name);
    if (track->lanes == NULL_UINT32) return track->row;
    struct track_tracker *tracks = te->import->tracks;
    int64_t cookie = (int64_t)track->uuid;
    uint32_t lane;
    if (edge == EDGE_END) {
        lane = track_lane_end(tracks, track->lanes, cookie);
    } else {
        lane = track_lane_begin(tracks, track->lanes, cookie);
        if (edge == EDGE_INSTANT) track_lane_end(tracks, track->lanes, cookie);
    }
    if (track->some_lane == NULL_UINT32) track->some_lane = lane;
    return lane;
}
