#include "engine/import/track.h"

#include <assert.h>

#include "engine/base/checked.h"
#include "engine/base/hash.h"
#include "engine/base/map.h"
#include "engine/import/process.h"

/* One lane of a set.  Lanes of begun events count how deep they are nested; lanes
 * of scoped events know when their last one ends. */
struct lane {
    uint32_t track;
    uint32_t nest;
    int64_t cookie;
    int64_t end_ts;
    bool is_scoped;
};

struct lane_set {
    struct track_row row; /* what a new lane looks like */
    VEC(struct lane) lanes;
    struct map by_cookie; /* cookie -> lane */
    uint32_t first_maybe_free;
    int64_t first_end_ts; /* no scoped lane ends before; INT64_MIN: look */
};

struct track_tracker {
    struct import *import;
    struct map by_identity; /* hash of the key -> row */
    struct map sets_by_identity;
    VEC(struct lane_set) sets;
    VEC(uint32_t) thread_tracks; /* by utid: row + 1 of its plain track */
    struct arg_list scratch;
    string_id event_types[3];
    string_id thread_execution;
};

struct track_tracker *track_tracker_new(struct import *import)
{
    struct track_tracker *t = mem_zero(1, sizeof *t);
    t->import = import;
    t->event_types[TRACK_SLICE] = strpool_intern_text(import->strings, "slice");
    t->event_types[TRACK_COUNTER] = strpool_intern_text(import->strings, "counter");
    t->event_types[TRACK_STATE] = strpool_intern_text(import->strings, "state");
    t->thread_execution = strpool_intern_text(import->strings, "thread_execution");
    return t;
}

void track_tracker_free(struct track_tracker *t)
{
    if (!t) return;
    for (size_t i = 0; i < t->sets.count; i++) {
        vec_free(&t->sets.items[i].lanes);
        map_free(&t->sets.items[i].by_cookie);
    }
    vec_free(&t->sets);
    vec_free(&t->thread_tracks);
    vec_free(&t->scratch);
    map_free(&t->by_identity);
    map_free(&t->sets_by_identity);
    mem_free(t);
}

static uint64_t key_hash(const struct track_key *key)
{
    uint64_t h = hash_bytes(key->type, strlen(key->type));
    h = hash_mix(h, (uint64_t)key->event_type << 32 | key->machine_id);
    h = hash_mix(h, key->scope);
    for (uint32_t i = 0; i < key->n_dimensions; i++) {
        const struct track_dimension *d = &key->dimensions[i];
        h = hash_mix(h, hash_bytes(d->key, strlen(d->key)));
        h = hash_mix(h, d->is_string ? (uint64_t)d->string : (uint64_t)d->integer);
    }
    return h;
}

static void make_row(struct track_tracker *t, const struct track_key *key,
                     const struct track_info *info, struct track_row *row)
{
    struct strpool *strings = t->import->strings;
    assert(key->n_dimensions <= TRACK_MAX_DIMENSIONS);
    *row = (struct track_row){
        .machine_id = key->machine_id,
        .type = strpool_intern_text(strings, key->type),
        .event_type = t->event_types[key->event_type],
    };
    vec_clear(&t->scratch);
    for (uint32_t i = 0; i < key->n_dimensions; i++) {
        const struct track_dimension *d = &key->dimensions[i];
        string_id name = strpool_intern_text(strings, d->key);
        if (d->is_string)
            arg_list_put_string(&t->scratch, name, d->string);
        else
            arg_list_put_int(&t->scratch, name, d->integer);
        if (!d->is_string && strcmp(d->key, "utid") == 0)
            row->utid = some_uint32((uint32_t)d->integer);
        if (!d->is_string && strcmp(d->key, "upid") == 0)
            row->upid = some_uint32((uint32_t)d->integer);
        if (!d->is_string && strcmp(d->key, "cpu") == 0)
            cpu_note(t->import, key->machine_id, (uint32_t)d->integer);
    }
    if (key->n_dimensions)
        row->dimension_arg_set_id = opt_row(args_commit(t->import->args, &t->scratch));
    if (!info) return;
    row->name = info->name;
    row->counter_unit = info->unit;
    row->parent_id = info->parent_id;
    if (info->source_args && info->source_args->count)
        row->source_arg_set_id = opt_row(args_commit(t->import->args, info->source_args));
}

/* Whoever asks for a track that is there gives up the args that go with it. */
static void drop_args(const struct track_info *info)
{
    if (info && info->source_args) vec_clear(info->source_args);
}

uint32_t track_intern(struct track_tracker *t, const struct track_key *key,
                      const struct track_info *info)
{
    bool added;
    uint64_t *at = map_put_if_absent(&t->by_identity, key_hash(key), 0, &added);
    if (!added) {
        drop_args(info);
        return (uint32_t)*at;
    }
    struct track_row row;
    make_row(t, key, info, &row);
    uint32_t id = track_append(&t->import->tables->track, &row);
    *at = id;
    return id;
}

uint32_t track_of_thread(struct track_tracker *t, uint32_t machine_id, uint32_t utid)
{
    if (utid < t->thread_tracks.count && t->thread_tracks.items[utid])
        return t->thread_tracks.items[utid] - 1;
    struct track_key key = {.type = "thread_execution",
                            .machine_id = machine_id,
                            .n_dimensions = 1,
                            .dimensions = {dimension_int("utid", utid)}};
    uint32_t id = track_intern(t, &key, NULL);
    if (utid == NULL_UINT32) return id;
    vec_reserve(&t->thread_tracks, (size_t)utid + 1);
    while (t->thread_tracks.count <= utid)
        t->thread_tracks.items[t->thread_tracks.count++] = 0;
    t->thread_tracks.items[utid] = id + 1;
    return id;
}

uint32_t track_counter_of_cpu(struct track_tracker *t, uint32_t machine_id, const char *type,
                              uint32_t cpu, const char *name, const char *unit)
{
    struct track_key key = {.type = type,
                            .event_type = TRACK_COUNTER,
                            .machine_id = machine_id,
                            .n_dimensions = 1,
                            .dimensions = {dimension_int("cpu", cpu)}};
    bool added;
    uint64_t *at = map_put_if_absent(&t->by_identity, key_hash(&key), 0, &added);
    if (!added) return (uint32_t)*at;
    struct strpool *strings = t->import->strings;
    struct track_info info = {.name = name ? strpool_intern_text(strings, name) : STRING_NULL,
                              .unit = unit ? strpool_intern_text(strings, unit) : STRING_NULL};
    struct track_row row;
    make_row(t, &key, &info, &row);
    uint32_t id = track_append(&t->import->tables->track, &row);
    *at = id;
    return id;
}

uint32_t track_lanes_intern(struct track_tracker *t, const struct track_key *key,
                            const struct track_info *info)
{
    bool added;
    uint64_t *at =
        map_put_if_absent(&t->sets_by_identity, key_hash(key), (uint64_t)t->sets.count, &added);
    if (!added) {
        drop_args(info);
        return (uint32_t)*at;
    }
    uint32_t id = (uint32_t)*at;
    struct lane_set set = {.first_end_ts = INT64_MIN};
    make_row(t, key, info, &set.row);
    set.row.track_group_id = some_uint32(id);
    vec_push(&t->sets, set);
    return id;
}

static struct lane *add_lane(struct track_tracker *t, struct lane_set *set)
{
    struct lane lane = {.track = track_append(&t->import->tables->track, &set->row)};
    vec_push(&set->lanes, lane);
    return vec_last(&set->lanes);
}

static struct lane *lane_of_cookie(struct track_tracker *t, struct lane_set *set, int64_t cookie)
{
    uint64_t *bound = map_get(&set->by_cookie, (uint64_t)cookie);
    if (bound) return &set->lanes.items[*bound];

    struct lane *lane = NULL;
    for (size_t i = set->first_maybe_free; i < set->lanes.count && !lane; i++) {
        struct lane *candidate = &set->lanes.items[i];
        if (!candidate->is_scoped && candidate->nest == 0) lane = candidate;
    }
    if (lane)
        map_remove(&set->by_cookie, (uint64_t)lane->cookie);
    else
        lane = add_lane(t, set);
    lane->cookie = cookie;
    map_set(&set->by_cookie, (uint64_t)cookie, (uint64_t)(lane - set->lanes.items));
    return lane;
}

static uint32_t begin_on_lane(struct track_tracker *t, uint32_t set_id, int64_t cookie, bool once)
{
    struct lane_set *set = &t->sets.items[set_id];
    struct lane *lane = lane_of_cookie(t, set, cookie);
    if (!once || lane->nest == 0) lane->nest++;
    while (set->first_maybe_free < set->lanes.count) {
        const struct lane *first = &set->lanes.items[set->first_maybe_free];
        if (!first->is_scoped && first->nest == 0) break;
        set->first_maybe_free++;
    }
    return lane->track;
}

uint32_t track_lane_begin(struct track_tracker *t, uint32_t set, int64_t cookie)
{
    return begin_on_lane(t, set, cookie, false);
}

uint32_t track_lane_begin_once(struct track_tracker *t, uint32_t set, int64_t cookie)
{
    return begin_on_lane(t, set, cookie, true);
}

uint32_t track_lane_end(struct track_tracker *t, uint32_t set_id, int64_t cookie)
{
    struct lane_set *set = &t->sets.items[set_id];
    struct lane *lane = lane_of_cookie(t, set, cookie);
    if (lane->nest) lane->nest--;
    uint32_t index = (uint32_t)(lane - set->lanes.items);
    if (lane->nest == 0 && index < set->first_maybe_free) set->first_maybe_free = index;
    return lane->track;
}

uint32_t track_lane_scoped(struct track_tracker *t, uint32_t set_id, int64_t ts, int64_t dur)
{
    struct lane_set *set = &t->sets.items[set_id];
    struct lane *lane = NULL;
    int64_t first_end = INT64_MAX;
    if (set->first_end_ts <= ts) {
        for (size_t i = 0; i < set->lanes.count && !lane; i++) {
            struct lane *candidate = &set->lanes.items[i];
            if (!candidate->is_scoped) continue;
            if (candidate->end_ts <= ts)
                lane = candidate;
            else if (candidate->end_ts < first_end)
                first_end = candidate->end_ts;
        }
        set->first_end_ts = lane ? INT64_MIN : first_end;
    }
    if (!lane) {
        lane = add_lane(t, set);
        lane->is_scoped = true;
    }
    lane->end_ts = saturating_add_int64(ts, dur);
    if (lane->end_ts < set->first_end_ts) set->first_end_ts = lane->end_ts;
    return lane->track;
}
