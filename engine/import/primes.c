/* Traces of Primes, the tracing library of mobile apps (message Trace of
 * https://github.com/google/perfetto/blob/main/protos/third_party/primes/primes_tracing.proto;
 * spec engine_2c §9).
 *
 * An edge begins or ends a slice, or is a mark; slices lie on the lanes of their
 * executor, which a slice that names none has from its parent.  Edges wait in the
 * sorter by their place in the bytes. */
#include "engine/base/map.h"
#include "engine/import/clock.h"
#include "engine/import/damage.h"
#include "engine/import/import.h"
#include "engine/import/slice.h"
#include "engine/import/sorter.h"
#include "engine/import/track.h"
#include "engine/proto/wire.h"

#define POLL_EVERY 4096
#define NS_IN_S    INT64_C(1000000000)

enum trace_field { TRACE_ID = 1, TRACE_START = 4, TRACE_EDGES = 7 };

struct pending {
    uint64_t offset, length;
};

struct state {
    struct import_file *file;
    struct import *import;
    struct str bytes;
    struct damage damage;
    uint32_t queue, sink;
    struct map executor_of_edge; /* id of a slice or mark */
    struct map lanes_of_edge;    /* id of a slice that is open -> lane set */
};

/* ---- edges in order of time ---- */

enum edge_type { EDGE_UNKNOWN, EDGE_BEGIN, EDGE_END, EDGE_MARK };

struct edge {
    uint64_t id;
    enum edge_type type;
    struct str details, executor_name;
    uint64_t executor; /* 0: not given */
    string_id name;
    uint64_t parent;
};

static void read_content(struct edge *edge, struct str message)
{
    struct wire w = wire_open(message);
    struct wire_field f;
    while (wire_next(&w, &f)) {
        if (f.number == 1 && wire_is_bytes(&f)) edge->details = f.bytes;
        if (f.number == 6 && edge->type == EDGE_BEGIN) edge->executor_name = f.bytes;
        if (f.number == 8 && edge->type == EDGE_BEGIN) edge->executor = f.value;
    }
}

static void read_edge(struct state *state, struct str message, struct edge *edge)
{
    struct wire w = wire_open(message);
    struct wire_field f;
    *edge = (struct edge){0};
    while (wire_next(&w, &f)) {
        if (f.number == 1) edge->id = f.value;
        if (f.number < 3 || f.number > 5 || !wire_is_bytes(&f)) continue;
        edge->type = (enum edge_type)(f.number - 3 + EDGE_BEGIN);
        if (edge->type != EDGE_END) read_content(edge, f.bytes);
    }
    w = wire_open(edge->details);
    while (wire_next(&w, &f)) {
        if (f.number == 1 && wire_is_bytes(&f))
            edge->name = strpool_intern(state->import->strings, f.bytes);
        if (f.number == 2) edge->parent = f.value;
    }
}

/* Its own, or its parent's. */
static bool find_executor(struct state *state, struct edge *edge)
{
    if (edge->executor == 0) {
        const uint64_t *executor = map_get(&state->executor_of_edge, edge->parent);
        enum stat stat =
            edge->parent == 0 ? STAT_primes_missing_parent_id : STAT_primes_executor_not_found;
        if (edge->parent == 0 || !executor) {
            stats_add(state->file, stat, 1);
            return false;
        }
        edge->executor = *executor;
    }
    map_set(&state->executor_of_edge, edge->id, edge->executor);
    return true;
}

static uint32_t lanes_of(struct state *state, const struct edge *edge)
{
    struct track_key key = {.type = "primes_executor_slice",
                            .event_type = TRACK_SLICE,
                            .machine_id = state->file->machine_id,
                            .n_dimensions = 1,
                            .dimensions = {dimension_int("executor_id", (int64_t)edge->executor)}};
    struct track_info info = {.name = strpool_intern(state->import->strings, edge->executor_name)};
    return track_lanes_intern(state->import->tracks, &key, &info);
}

static void bind_flow(struct state *state, uint32_t slice, uint32_t field, uint64_t flow)
{
    bool is_active = flow_is_active(state->file, flow);
    if (field == 3) {
        if (is_active) flow_end(state->file, slice, flow, false);
    } else if (is_active) {
        flow_step(state->file, slice, flow);
    } else {
        flow_begin(state->file, slice, flow);
    }
}

/* A slice may be followed by its id; it follows others, and is in flows. */
static void bind_flows(struct state *state, const struct edge *edge, uint32_t slice)
{
    struct wire w = wire_open(edge->details);
    struct wire_field f;
    uint64_t flow;
    if (slice == NO_SLICE) return;
    flow_begin(state->file, slice, edge->id);
    while (wire_next(&w, &f)) {
        if (f.number != 3 && f.number != 4) continue;
        struct wire packed = wire_open(f.bytes);
        if (!wire_is_bytes(&f)) bind_flow(state, slice, f.number, f.value);
        while (packed.at < packed.end && wire_varint(&packed, &flow))
            bind_flow(state, slice, f.number, flow);
    }
}

static void begin_slice(struct state *state, int64_t ts, struct edge *edge)
{
    if (!find_executor(state, edge)) return;
    uint32_t lanes = lanes_of(state, edge);
    uint32_t track = track_lane_begin(state->import->tracks, lanes, (int64_t)edge->id);
    map_set(&state->lanes_of_edge, edge->id, lanes);
    bind_flows(state, edge, slice_begin(state->file, ts, track, STRING_NULL, edge->name, NULL));
}

static void end_slice(struct state *state, int64_t ts, const struct edge *edge)
{
    const uint64_t *lanes = map_get(&state->lanes_of_edge, edge->id);
    if (!lanes) {
        stats_add(state->file, STAT_primes_end_without_matching_begin, 1);
        return;
    }
    uint32_t track = track_lane_end(state->import->tracks, (uint32_t)*lanes, (int64_t)edge->id);
    map_remove(&state->lanes_of_edge, edge->id);
    slice_end(state->file, ts, track, STRING_NULL, STRING_NULL, NULL);
}

static void add_mark(struct state *state, int64_t ts, struct edge *edge)
{
    if (!edge->details.p) {
        stats_add(state->file, STAT_primes_missing_entity_details, 1);
        return;
    }
    if (!find_executor(state, edge)) return;
    uint32_t track = track_lane_scoped(state->import->tracks, lanes_of(state, edge), ts, 0);
    bind_flows(state, edge, slice_scoped(state->file, ts, 0, track, STRING_NULL, edge->name, NULL));
}

static void parse(void *owner, int64_t ts, const void *payload)
{
    struct state *state = owner;
    const struct pending *pending = payload;
    struct edge edge;
    read_edge(state, (struct str){state->bytes.p + pending->offset, pending->length}, &edge);
    switch (edge.type) {
    case EDGE_BEGIN: begin_slice(state, ts, &edge); break;
    case EDGE_END: end_slice(state, ts, &edge); break;
    case EDGE_MARK: add_mark(state, ts, &edge); break;
    case EDGE_UNKNOWN: stats_add(state->file, STAT_primes_unknown_edge_type, 1); break;
    }
}

/* ---- the file ---- */

/* A Timestamp or Duration. */
static bool read_time(struct str message, int64_t *ns)
{
    struct wire w = wire_open(message);
    struct wire_field f;
    int64_t seconds = 0, nanos = 0;
    while (wire_next(&w, &f)) {
        if (f.number == 1) seconds = (int64_t)f.value;
        if (f.number == 2) nanos = (int32_t)f.value;
    }
    return !__builtin_mul_overflow(seconds, NS_IN_S, ns) && !__builtin_add_overflow(*ns, nanos, ns);
}

static bool find_start(struct str bytes, int64_t *start)
{
    struct wire w = wire_open(bytes);
    struct wire_field f;
    while (wire_next(&w, &f))
        if (f.number == TRACE_START && wire_is_bytes(&f)) return read_time(f.bytes, start);
    return false;
}

static void push_edge(struct state *state, struct str message, int64_t start)
{
    struct wire w = wire_open(message);
    struct wire_field f;
    int64_t ts = 0;
    bool has_time = false;
    while (wire_next(&w, &f))
        if (f.number == 2 && wire_is_bytes(&f))
            has_time = read_time(f.bytes, &ts) && !__builtin_add_overflow(ts, start, &ts);
    if (!has_time) {
        stats_add(state->file, STAT_primes_malformed_timestamp, 1);
        return;
    }
    if (clock_to_trace_time(state->file, 0, 0, ts, true, &ts) != CLOCK_OK) return;
    struct pending *pending =
        sorter_push(state->import->sorter, state->queue, state->sink, ts, sizeof *pending);
    pending->offset = (uint64_t)(message.p - state->bytes.p);
    pending->length = message.n;
}

static void push_edges(struct state *state, int64_t start)
{
    const uint8_t *begin = (const uint8_t *)state->bytes.p;
    struct wire w = wire_open(state->bytes);
    struct wire_field f;
    size_t reported = 0;
    for (uint64_t n = 1;; n++) {
        size_t at = (size_t)(w.at - begin);
        if (!wire_next(&w, &f)) {
            if (w.bad)
                damage_log(&state->damage, STAT_perfetty_input_truncated, at,
                           "the trace ends inside a field");
            return;
        }
        if (f.number == TRACE_EDGES && wire_is_bytes(&f)) push_edge(state, f.bytes, start);
        if (n % POLL_EVERY != 0) continue;
        import_progress(state->import, at - reported);
        reported = at;
        if (cancel_is_requested(state->import->cancel)) return;
    }
}

static void finish(struct import_file *file)
{
    struct state *state = file->state;
    if (!state) return;
    map_free(&state->executor_of_edge);
    map_free(&state->lanes_of_edge);
    mem_free(state);
    file->state = NULL;
}

static bool tokenize(struct import_file *file, struct str bytes, struct status *st)
{
    int64_t start;
    if (!find_start(bytes, &start))
        return status_fail(st, STATUS_CORRUPT, 0,
                           "Primes Trace proto did not contain a start time.");
    struct state *state = mem_zero(1, sizeof *state);
    file->state = state;
    state->file = file;
    state->import = file->import;
    state->bytes = bytes;
    state->damage.file = file;
    state->queue = sorter_add_queue(file->import->sorter);
    state->sink = sorter_add_sink(file->import->sorter, parse, state);
    push_edges(state, start);
    return true;
}

/* The id, a fixed64; then nothing, or a message or text of Trace. */
static bool sniff(struct str bytes)
{
    static const char FIELDS[] = {2, 4, 6, 7, 11, 12};
    struct wire w = wire_open(bytes);
    struct wire_field f;
    if (!wire_next(&w, &f) || f.number != TRACE_ID || f.type != WIRE_FIXED64) return false;
    if (!wire_next(&w, &f)) return w.at == w.end && !w.bad;
    return wire_is_bytes(&f) && f.number <= 12 &&
           memchr(FIELDS, (int)f.number, sizeof FIELDS) != NULL;
}

const struct importer importer_primes = {
    .name = "primes",
    .detection_priority = 240,
    .archive_priority = 2,
    .clock = IMPORT_CLOCK_TRACE_FILE,
    .sniff = sniff,
    .tokenize = tokenize,
    .finish = finish,
};
