#include "engine/import/slice_parts.h"

#include "engine/base/hash.h"
#include "engine/base/map.h"
#include "engine/import/stats.h"

struct waiting_flow {
    uint64_t flow;
    uint32_t next; /* older one of the same track, or NONE */
};

#define NONE UINT32_MAX

/* Numbers of v1 flows are given out from 0; inside this tracker they carry a mark
 * that keeps them apart from the 64-bit ids of v2. */
#define V1_MARK      (UINT64_C(0x5f31f10e) << 32)
#define V1_MARK_MASK (UINT64_C(0xffffffff) << 32)

struct gpu_end {
    uint64_t stage; /* hash of machine and event id */
    uint32_t slice;
    enum gpu_link kind;
};

struct flow_tracker {
    struct import *import;
    struct map slice_of_flow; /* flow id -> the slice it was last bound to */
    struct map waiting;       /* track -> newest flow that waits for its next slice */
    VEC(struct waiting_flow) waiting_flows;
    struct map v1_numbers; /* hash of (id, category, name) -> number */
    VEC(uint32_t) v1_args; /* by number: set of args */
    struct arg_list scratch;
    string_id name_key, category_key;
    VEC(struct gpu_end) gpu_ends;
    struct map gpu_stages; /* hash of machine and event id -> slice */
};

struct flow_tracker *flow_tracker_new(struct import *import)
{
    struct flow_tracker *t = mem_zero(1, sizeof *t);
    t->import = import;
    t->name_key = strpool_intern_text(import->strings, "name");
    t->category_key = strpool_intern_text(import->strings, "cat");
    return t;
}

void flow_tracker_free(struct flow_tracker *t)
{
    if (!t) return;
    map_free(&t->slice_of_flow);
    map_free(&t->waiting);
    map_free(&t->v1_numbers);
    vec_free(&t->waiting_flows);
    vec_free(&t->v1_args);
    vec_free(&t->scratch);
    vec_free(&t->gpu_ends);
    map_free(&t->gpu_stages);
    mem_free(t);
}

static void insert(struct flow_tracker *t, uint32_t out, uint32_t in, struct opt_int64 id,
                   uint32_t args)
{
    const int64_t *ts = column_int64(&t->import->tables->slice.ts);
    struct flow_row row = {
        .slice_out = out, .slice_in = in, .trace_id = id, .arg_set_id = opt_row(args)};
    if (ts[out] > ts[in]) {
        row.slice_out = in;
        row.slice_in = out;
    }
    flow_append(&t->import->tables->flow, &row);
}

static void connect(struct flow_tracker *t, uint32_t out, uint32_t in, uint64_t flow)
{
    uint32_t args = NULL_UINT32;
    uint64_t shown = flow;
    if ((flow & V1_MARK_MASK) == V1_MARK && (uint32_t)flow < t->v1_args.count) {
        shown = (uint32_t)flow;
        args = t->v1_args.items[shown];
    }
    insert(t, out, in, some_int64((int64_t)shown), args);
}

void flow_begin(const struct import_file *file, uint32_t slice, uint64_t flow)
{
    struct flow_tracker *t = file->import->flows;
    if (slice == NO_SLICE) {
        stats_add(file, STAT_flow_no_enclosing_slice, 1);
        return;
    }
    bool added;
    map_put_if_absent(&t->slice_of_flow, flow, slice, &added);
    if (!added) stats_add(file, STAT_flow_duplicate_id, 1);
}

void flow_step(const struct import_file *file, uint32_t slice, uint64_t flow)
{
    struct flow_tracker *t = file->import->flows;
    if (slice == NO_SLICE) {
        stats_add(file, STAT_flow_no_enclosing_slice, 1);
        return;
    }
    uint64_t *previous = map_get(&t->slice_of_flow, flow);
    if (!previous) {
        stats_add(file, STAT_flow_step_without_start, 1);
        return;
    }
    uint32_t out = (uint32_t)*previous;
    *previous = slice;
    connect(t, out, slice, flow);
}

void flow_end(const struct import_file *file, uint32_t slice, uint64_t flow, bool close)
{
    struct flow_tracker *t = file->import->flows;
    if (slice == NO_SLICE) {
        stats_add(file, STAT_flow_no_enclosing_slice, 1);
        return;
    }
    const uint64_t *previous = map_get(&t->slice_of_flow, flow);
    if (!previous) {
        stats_add(file, STAT_flow_end_without_start, 1);
        return;
    }
    uint32_t out = (uint32_t)*previous;
    if (close) map_remove(&t->slice_of_flow, flow);
    connect(t, out, slice, flow);
}

bool flow_is_active(const struct import_file *file, uint64_t flow)
{
    return map_get(&file->import->flows->slice_of_flow, flow) != NULL;
}

uint64_t flow_id_v1(const struct import_file *file, uint64_t id, string_id category, string_id name)
{
    struct flow_tracker *t = file->import->flows;
    uint64_t hash = hash_mix(hash_mix(hash_mix(0, id), category), name);
    bool added;
    uint64_t *number = map_put_if_absent(&t->v1_numbers, hash, t->v1_args.count, &added);
    if (added) {
        vec_clear(&t->scratch);
        arg_list_put_string(&t->scratch, t->name_key, name);
        arg_list_put_string(&t->scratch, t->category_key, category);
        vec_push(&t->v1_args, args_commit(t->import->args, &t->scratch));
    }
    return V1_MARK | *number;
}

void flow_end_at_next_slice(const struct import_file *file, uint32_t track, uint64_t flow)
{
    struct flow_tracker *t = file->import->flows;
    uint32_t at = (uint32_t)t->waiting_flows.count;
    uint64_t *newest = map_get(&t->waiting, track);
    vec_push(&t->waiting_flows,
             (struct waiting_flow){.flow = flow, .next = newest ? (uint32_t)*newest : NONE});
    map_set(&t->waiting, track, at);
}

void flow_slice_began(const struct import_file *file, uint32_t track, uint32_t slice)
{
    struct flow_tracker *t = file->import->flows;
    if (!t || t->waiting.count == 0) return;
    const uint64_t *newest = map_get(&t->waiting, track);
    if (!newest) return;
    uint32_t at = (uint32_t)*newest;
    map_remove(&t->waiting, track);

    /* The list runs from the newest to the oldest; arrows are made in order. */
    uint32_t oldest = NONE;
    while (at != NONE) {
        uint32_t older = t->waiting_flows.items[at].next;
        t->waiting_flows.items[at].next = oldest;
        oldest = at;
        at = older;
    }
    for (at = oldest; at != NONE; at = t->waiting_flows.items[at].next)
        flow_end(file, slice, t->waiting_flows.items[at].flow, false);
    if (t->waiting.count == 0) vec_clear(&t->waiting_flows);
}

void flow_insert(const struct import_file *file, uint32_t slice_out, uint32_t slice_in,
                 struct opt_int64 flow)
{
    insert(file->import->flows, slice_out, slice_in, flow, NULL_UINT32);
}

void flow_link_gpu(const struct import_file *file, enum gpu_link kind, uint64_t event_id,
                   uint32_t slice)
{
    struct flow_tracker *t = file->import->flows;
    if (slice == NO_SLICE) return;
    uint64_t stage = hash_mix(file->machine_id, event_id);
    if (kind == GPU_LINK_STAGE)
        map_set(&t->gpu_stages, stage, slice);
    else
        vec_push(&t->gpu_ends, (struct gpu_end){stage, slice, kind});
}

void flow_tracker_finish(struct flow_tracker *t)
{
    const struct opt_int64 none = {0};
    for (size_t i = 0; i < t->gpu_ends.count; i++) {
        const struct gpu_end *end = &t->gpu_ends.items[i];
        const uint64_t *stage = map_get(&t->gpu_stages, end->stage);
        if (!stage) continue;
        if (end->kind == GPU_LINK_SUBMISSION)
            insert(t, end->slice, (uint32_t)*stage, none, NULL_UINT32);
        else
            insert(t, (uint32_t)*stage, end->slice, none, NULL_UINT32);
    }
}
