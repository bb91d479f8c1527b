#include "engine/import/clock.h"

#include "engine/base/checked.h"
#include "engine/base/vec.h"
#include "engine/import/args.h"
#include "engine/import/clock_graph.h"
#include "engine/import/stats.h"

#define FIRST_SEQUENCE_CLOCK    64
#define LAST_SEQUENCE_CLOCK     127
#define CACHED_CLOCKS           16
#define MAX_CLOCKS_PER_SNAPSHOT 256

/* What is known of a clock beside its ties. */
struct clock_unit {
    int64_t unit_ns; /* 0: not registered by a snapshot */
    bool is_incremental;
    int64_t base_ns; /* of an incremental clock: its last value */
};

struct cached_clock {
    uint32_t clock_id, sequence, node;
};

/* A file on a machine. */
struct clock_context {
    uint32_t file_id, machine_id;
    uint32_t tag;           /* 0 while it shares the machine's clocks, else file id + 1 */
    uint32_t default_clock; /* 0: packet times are trace time already */
    uint32_t source_clock;  /* its importer's clock, bridged at need; 0: none */
    bool is_bridged;        /* tried */
    bool is_unrelatable;    /* tried in vain */
    bool has_converted;
    struct cached_clock cache[CACHED_CLOCKS];
};

struct clock_tracker {
    struct import *import;
    struct clock_graph *graph;
    VEC(struct clock_unit) units; /* by node */
    VEC(struct clock_context *) contexts;
    VEC(uint32_t) primaries; /* by machine: file id + 1 of the first file, 0 none */
    struct clock_context *last;
    uint32_t trace_time;               /* node */
    bool is_claimed;                   /* trace_time was chosen by somebody, not by default */
    const struct clock_context *owner; /* who may still change it; NULL: nobody */
    bool is_used;                      /* something was converted */
    uint32_t n_snapshots;
};

struct clock_tracker *clock_tracker_new(struct import *import)
{
    struct clock_tracker *clocks = mem_zero(1, sizeof *clocks);
    clocks->import = import;
    clocks->graph = clock_graph_new();
    /* Until somebody says better, trace time is a clock of nobody's. */
    clocks->trace_time =
        clock_graph_intern(clocks->graph, &(struct clock_key){.clock_id = CLOCK_ID_TRACE_FILE});
    return clocks;
}

void clock_tracker_free(struct clock_tracker *clocks)
{
    if (!clocks) return;
    for (size_t i = 0; i < clocks->contexts.count; i++)
        mem_free(clocks->contexts.items[i]);
    vec_free(&clocks->contexts);
    vec_free(&clocks->primaries);
    vec_free(&clocks->units);
    clock_graph_free(clocks->graph);
    mem_free(clocks);
}

/* ---- contexts ---- */

static uint32_t *primary_of(struct clock_tracker *clocks, uint32_t machine_id)
{
    while (clocks->primaries.count <= machine_id)
        vec_push(&clocks->primaries, 0);
    return &clocks->primaries.items[machine_id];
}

/* The first file of a machine has the machine's own clocks. */
static void claim_machine(struct clock_tracker *clocks, const struct clock_context *context)
{
    uint32_t *primary = primary_of(clocks, context->machine_id);
    if (*primary == 0 && context->tag == 0) *primary = context->file_id + 1;
}

/* `only_named`: the manifest speaks of it, it has not begun. */
static struct clock_context *find_context(const struct import_file *file, bool only_named)
{
    struct clock_tracker *clocks = file->import->clocks;
    struct clock_context *c = clocks->last;
    if (c && c->file_id == file->file_id && c->machine_id == file->machine_id) return c;
    for (size_t i = 0; i < clocks->contexts.count; i++) {
        c = clocks->contexts.items[i];
        if (c->file_id == file->file_id && c->machine_id == file->machine_id)
            return clocks->last = c;
    }
    c = mem_zero(1, sizeof *c);
    c->file_id = file->file_id;
    c->machine_id = file->machine_id;
    if (file->has_pinned_clock) {
        c->default_clock = c->source_clock = CLOCK_ID_TRACE_FILE;
    } else if (file->importer) {
        enum import_clock policy = file->importer->clock;
        c->source_clock = policy == IMPORT_CLOCK_PACKETS ? CLOCK_ID_BOOTTIME : (uint32_t)policy;
    }
    if (!only_named) claim_machine(clocks, c);
    vec_push(&clocks->contexts, c);
    return clocks->last = c;
}

static struct clock_context *context_of(const struct import_file *file)
{
    return find_context(file, false);
}

static void isolate(struct clock_context *context)
{
    context->tag = context->file_id + 1;
    memset(context->cache, 0, sizeof context->cache);
}

static bool is_sequence_clock(uint32_t clock_id)
{
    return clock_id >= FIRST_SEQUENCE_CLOCK && clock_id <= LAST_SEQUENCE_CLOCK;
}

static struct clock_key key_of(const struct clock_context *context, uint32_t clock_id,
                               uint32_t sequence)
{
    struct clock_key key = {clock_id, context->machine_id, context->tag, 0};
    if (is_sequence_clock(clock_id)) {
        key.file_tag = context->file_id + 1;
        key.sequence = sequence;
    } else if (clock_id == CLOCK_ID_TRACE_FILE) {
        key.file_tag = context->file_id + 1;
    }
    return key;
}

static uint32_t node_of(struct clock_tracker *clocks, struct clock_context *context,
                        uint32_t clock_id, uint32_t sequence)
{
    if (!is_sequence_clock(clock_id)) sequence = 0;
    struct cached_clock *cached = &context->cache[(clock_id ^ sequence * 7) % CACHED_CLOCKS];
    if (cached->clock_id == clock_id && cached->sequence == sequence && clock_id != 0)
        return cached->node;
    struct clock_key key = key_of(context, clock_id, sequence);
    uint32_t node = clock_graph_intern(clocks->graph, &key);
    while (clocks->units.count <= node)
        vec_push(&clocks->units, (struct clock_unit){0});
    *cached = (struct cached_clock){clock_id, sequence, node};
    return node;
}

/* The first file to claim may change its mind until something was converted; so may
 * each machine in it, until something of its own was. */
static void claim_trace_time(struct clock_tracker *clocks, const struct clock_context *context,
                             uint32_t node)
{
    const struct clock_context *owner = clocks->owner;
    if (clocks->is_claimed && (!owner || owner->file_id != context->file_id)) return;
    if (clocks->trace_time == node && clocks->is_claimed) return;
    if (owner == context || !owner ? clocks->is_used : context->has_converted) return;
    clocks->trace_time = node;
    clocks->is_claimed = true;
    clocks->owner = context;
    metadata_set_int(clocks->import, NULL, "trace_time_clock_id",
                     clock_graph_key(clocks->graph, node)->clock_id);
}

void clock_begin_file(const struct import_file *file, enum import_clock policy)
{
    struct clock_tracker *clocks = file->import->clocks;
    struct clock_context *context = context_of(file);
    claim_machine(clocks, context);
    if (policy == IMPORT_CLOCK_NONE || policy == IMPORT_CLOCK_PACKETS) return;
    context->default_clock = (uint32_t)policy;
    claim_trace_time(clocks, context, node_of(clocks, context, context->default_clock, 0));
}

void clock_set_default(const struct import_file *file, uint32_t clock_id)
{
    struct clock_tracker *clocks = file->import->clocks;
    struct clock_context *context = context_of(file);
    context->default_clock = clock_id;
    claim_trace_time(clocks, context, node_of(clocks, context, clock_id, 0));
}

/* ---- rows of clock_snapshot ---- */

static const char *const NAMES[] = {
    [CLOCK_ID_REALTIME] = "REALTIME",           [CLOCK_ID_REALTIME_COARSE] = "REALTIME_COARSE",
    [CLOCK_ID_MONOTONIC] = "MONOTONIC",         [CLOCK_ID_MONOTONIC_COARSE] = "MONOTONIC_COARSE",
    [CLOCK_ID_MONOTONIC_RAW] = "MONOTONIC_RAW", [CLOCK_ID_BOOTTIME] = "BOOTTIME",
};

static bool is_named(uint32_t clock_id)
{
    return clock_id < sizeof NAMES / sizeof *NAMES && NAMES[clock_id];
}

/* Enters the snapshot in the graph, and a row for each clock that has a way to
 * trace time. */
static void enter_snapshot(struct clock_tracker *clocks, const uint32_t *nodes,
                           const int64_t *values, size_t n)
{
    struct import *import = clocks->import;
    uint32_t snapshot = clocks->n_snapshots++;
    if (n == 0) return;
    clock_graph_add(clocks->graph, nodes, values, n);
    for (size_t i = 0; i < n; i++) {
        int64_t ts;
        const struct clock_key *key = clock_graph_key(clocks->graph, nodes[i]);
        bool has_ts =
            clock_graph_convert(clocks->graph, nodes[i], values[i], clocks->trace_time, &ts);
        for (size_t k = 0; k < n && !has_ts; k++)
            if (nodes[k] == clocks->trace_time) {
                ts = values[k];
                has_ts = true;
            }
        if (!has_ts) continue;
        clocks->is_used = true;
        struct clock_snapshot_row row = {
            .ts = ts,
            .clock_id = key->clock_id,
            .clock_name = is_named(key->clock_id)
                              ? strpool_intern_text(import->strings, NAMES[key->clock_id])
                              : STRING_NULL,
            .clock_value = values[i],
            .snapshot_id = snapshot,
            .machine_id = key->machine_id,
        };
        clock_snapshot_append(&import->tables->clock_snapshot, &row);
    }
}

static void tie(struct clock_tracker *clocks, uint32_t a, uint32_t b, int64_t value_a,
                int64_t value_b)
{
    if (a == b) return;
    enter_snapshot(clocks, (uint32_t[]){a, b}, (int64_t[]){value_a, value_b}, 2);
}

/* ---- snapshots ---- */

/* A later file of a machine that brings its own snapshots gets its own clocks. */
static void own_snapshots(const struct import_file *file, struct clock_context *context)
{
    struct clock_tracker *clocks = file->import->clocks;
    if (context->tag != 0 || *primary_of(clocks, context->machine_id) == context->file_id + 1)
        return;
    if (context->has_converted) stats_add(file, STAT_clock_sync_mixed_clock_sources, 1);
    isolate(context);
    if (clock_graph_key(clocks->graph, clocks->trace_time)->machine_id == context->machine_id)
        return;
    struct clock_key shared = {CLOCK_ID_REALTIME, context->machine_id, 0, 0};
    uint32_t node = clock_graph_find(clocks->graph, &shared);
    if (clock_graph_is_tied(clocks->graph, node))
        tie(clocks, node, node_of(clocks, context, CLOCK_ID_REALTIME, 0), 0, 0);
}

static void reject(const struct import_file *file, const char *why, uint32_t clock_id)
{
    struct strpool *strings = file->import->strings;
    struct arg_list args = {0};
    arg_list_put_string(&args, strpool_intern_text(strings, "reason"),
                        strpool_intern_text(strings, why));
    arg_list_put_int(&args, strpool_intern_text(strings, "clock_id"), clock_id);
    import_log(file, STAT_invalid_clock_snapshots, NO_BYTE_OFFSET, NO_LOG_TS, &args);
    vec_free(&args);
}

/* NULL, or what is wrong with the reading. */
static const char *check_reading(const struct clock_tracker *clocks,
                                 const struct clock_reading *reading, uint32_t node,
                                 int64_t *value_ns)
{
    const struct clock_unit *known = &clocks->units.items[node];
    int64_t unit = reading->unit_ns ? reading->unit_ns : 1;
    if (reading->is_incremental && !is_sequence_clock(reading->clock_id))
        return "only a clock of a sequence can be incremental";
    if (is_sequence_clock(reading->clock_id) && reading->sequence == 0)
        return "a clock of a sequence in a packet without a sequence id";
    if (known->unit_ns &&
        (known->unit_ns != unit || known->is_incremental != reading->is_incremental))
        return "the clock had another unit before";
    if (node == clocks->trace_time && unit != 1) return "the trace clock must count nanoseconds";
    if (!checked_mul_int64(reading->value, unit, value_ns)) return "the reading is out of range";
    return NULL;
}

static bool take_readings(const struct import_file *file, struct clock_context *context,
                          const struct clock_reading *readings, size_t n, uint32_t *nodes,
                          int64_t *values)
{
    struct clock_tracker *clocks = file->import->clocks;
    for (size_t i = 0; i < n; i++) {
        nodes[i] = node_of(clocks, context, readings[i].clock_id, readings[i].sequence);
        const char *wrong = check_reading(clocks, &readings[i], nodes[i], &values[i]);
        for (size_t k = 0; k < i && !wrong; k++)
            if (nodes[k] == nodes[i]) wrong = "a clock stands twice in one snapshot";
        if (wrong) {
            reject(file, wrong, readings[i].clock_id);
            return false;
        }
    }
    for (size_t i = 0; i < n; i++) {
        int64_t before;
        if (nodes[i] == clocks->trace_time &&
            clock_graph_last(clocks->graph, nodes, n, i, &before) && values[i] < before) {
            reject(file, "the trace clock ran backwards", readings[i].clock_id);
            return false;
        }
    }
    return true;
}

static void choose_default(struct clock_tracker *clocks, struct clock_context *context,
                           const struct clock_reading *readings, size_t n, uint32_t primary)
{
    bool has_boottime = false, has_trace_file = false;
    for (size_t i = 0; i < n; i++) {
        has_boottime |= readings[i].clock_id == CLOCK_ID_BOOTTIME;
        has_trace_file |= readings[i].clock_id == CLOCK_ID_TRACE_FILE;
    }
    if (primary == 0 && has_boottime && !has_trace_file) primary = CLOCK_ID_BOOTTIME;
    if (primary == 0 || is_sequence_clock(primary)) return;
    context->default_clock = primary;
    claim_trace_time(clocks, context, node_of(clocks, context, primary, 0));
}

static void add_snapshot(const struct import_file *file, const struct clock_reading *readings,
                         size_t n, uint32_t primary_clock_id, bool is_of_sync)
{
    struct clock_tracker *clocks = file->import->clocks;
    struct clock_context *context = context_of(file);
    uint32_t nodes[MAX_CLOCKS_PER_SNAPSHOT];
    int64_t values[MAX_CLOCKS_PER_SNAPSHOT];
    if (n > MAX_CLOCKS_PER_SNAPSHOT) {
        reject(file, "too many clocks in one snapshot", 0);
        return;
    }
    own_snapshots(file, context);
    if (!is_of_sync) choose_default(clocks, context, readings, n, primary_clock_id);
    if (!take_readings(file, context, readings, n, nodes, values)) return;
    for (size_t i = 0; i < n; i++)
        clocks->units.items[nodes[i]] = (struct clock_unit){
            readings[i].unit_ns ? readings[i].unit_ns : 1, readings[i].is_incremental, values[i]};
    enter_snapshot(clocks, nodes, values, n);
}

void clock_add_snapshot(const struct import_file *file, const struct clock_reading *readings,
                        size_t n, uint32_t primary_clock_id)
{
    add_snapshot(file, readings, n, primary_clock_id, false);
}

void clock_add_sync_readings(const struct import_file *file, const struct clock_reading *readings,
                             size_t n)
{
    add_snapshot(file, readings, n, 0, true);
}

void clock_add_remote_offset(const struct import_file *host, const struct import_file *client,
                             uint32_t clock_id, int64_t host_value, int64_t client_value)
{
    struct clock_tracker *clocks = host->import->clocks;
    uint32_t a = node_of(clocks, context_of(host), clock_id, 0);
    uint32_t b = node_of(clocks, context_of(client), clock_id, 0);
    tie(clocks, a, b, host_value, client_value);
}

/* ---- the manifest ---- */

void clock_set_trace_time(struct import *import, const struct import_file *file,
                          uint32_t machine_id, uint32_t clock_id)
{
    struct clock_tracker *clocks = import->clocks;
    struct clock_key key = {clock_id, machine_id, 0, 0};
    if (file) {
        struct clock_context *context = find_context(file, true);
        claim_machine(clocks, context);
        key = key_of(context, clock_id, 0);
    }
    clocks->trace_time = clock_graph_intern(clocks->graph, &key);
    clocks->is_claimed = true;
    clocks->owner = NULL;
    metadata_set_int(import, NULL, "trace_time_clock_id", clock_id);
}

void clock_isolate_file(const struct import_file *file)
{
    isolate(find_context(file, true));
}

void clock_add_edge(struct import *import, const struct import_file *source, uint32_t source_clock,
                    const struct import_file *target, uint32_t target_clock, int64_t offset_ns)
{
    struct clock_tracker *clocks = import->clocks;
    struct clock_context *from = find_context(source, true), *to = find_context(target, true);
    claim_machine(clocks, to);
    if (*primary_of(clocks, to->machine_id) != to->file_id + 1 && to->tag == 0) isolate(to);
    if (from != to && from->machine_id == to->machine_id && from->tag == to->tag) isolate(from);
    tie(clocks, node_of(clocks, from, source_clock, 0), node_of(clocks, to, target_clock, 0),
        offset_ns < 0 ? -offset_ns : 0, offset_ns > 0 ? offset_ns : 0);
}

/* ---- conversion ---- */

/* A REALTIME of the machine that can be reached from `from` (or reaches `to`). */
static uint32_t find_realtime(struct clock_tracker *clocks, uint32_t machine_id, uint32_t tag,
                              uint32_t from, uint32_t to)
{
    const uint32_t tags[] = {tag, 0};
    for (int i = 0; i < 2; i++) {
        struct clock_key key = {CLOCK_ID_REALTIME, machine_id, tags[i], 0};
        uint32_t node = clock_graph_find(clocks->graph, &key);
        int64_t ignored;
        if (node == CLOCK_NO_NODE) continue;
        if (clock_graph_convert(clocks->graph, from == CLOCK_NO_NODE ? node : from, 0,
                                to == CLOCK_NO_NODE ? node : to, &ignored))
            return node;
    }
    return CLOCK_NO_NODE;
}

/* Ties the file's own clock to trace time, when nothing else does: by wall clock,
 * else by taking both for the same. */
static void bridge(const struct import_file *file, struct clock_context *context)
{
    struct clock_tracker *clocks = file->import->clocks;
    context->is_bridged = true;
    if (context->source_clock == 0) return;
    uint32_t source = node_of(clocks, context, context->source_clock, 0);
    int64_t ignored;
    if (clock_graph_convert(clocks->graph, source, 0, clocks->trace_time, &ignored)) return;
    const struct clock_key target = *clock_graph_key(clocks->graph, clocks->trace_time);
    uint32_t here = find_realtime(clocks, context->machine_id, context->tag, source, CLOCK_NO_NODE);
    uint32_t there = find_realtime(clocks, target.machine_id, target.file_tag, CLOCK_NO_NODE,
                                   clocks->trace_time);
    if (here != CLOCK_NO_NODE && there != CLOCK_NO_NODE && here != there) {
        tie(clocks, here, there, 0, 0);
    } else if (context->source_clock == CLOCK_ID_TRACE_FILE ||
               target.clock_id == CLOCK_ID_TRACE_FILE || target.clock_id == context->source_clock) {
        tie(clocks, source, clocks->trace_time, 0, 0);
    } else {
        context->is_unrelatable = true;
        import_log(file, STAT_clock_sync_unrelatable_clock_domains, NO_BYTE_OFFSET, NO_LOG_TS,
                   NULL);
    }
}

static enum clock_result fail(const struct import_file *file, struct clock_context *context,
                              uint32_t node, uint32_t clock_id)
{
    struct clock_tracker *clocks = file->import->clocks;
    if (context->is_unrelatable) return CLOCK_FAILED; /* said once */
    enum stat stat = !clock_graph_is_tied(clocks->graph, node)
                         ? STAT_clock_sync_failure_unknown_source_clock
                     : !clock_graph_is_tied(clocks->graph, clocks->trace_time)
                         ? STAT_clock_sync_failure_unknown_target_clock
                         : STAT_clock_sync_failure_no_path;
    string_id key = strpool_intern_text(file->import->strings, "source_clock_id");
    struct arg_list args = {0};
    arg_list_put_int(&args, key, clock_id);
    import_log(file, stat, NO_BYTE_OFFSET, NO_LOG_TS, &args);
    vec_free(&args);
    return CLOCK_FAILED;
}

enum clock_result clock_to_trace_time(const struct import_file *file, uint32_t clock_id,
                                      uint32_t sequence, int64_t value, bool last_chance,
                                      int64_t *ts)
{
    struct clock_tracker *clocks = file->import->clocks;
    struct clock_context *context = context_of(file);
    if (clock_id == 0) clock_id = context->default_clock;
    if (clock_id == 0) {
        *ts = value;
        return CLOCK_OK;
    }
    uint32_t node = node_of(clocks, context, clock_id, sequence);
    struct clock_unit *unit = &clocks->units.items[node];
    int64_t value_ns = value;
    if (unit->unit_ns > 1) value_ns = (int64_t)((uint64_t)value * (uint64_t)unit->unit_ns);
    if (unit->is_incremental) value_ns = wrapping_add_int64(unit->base_ns, value_ns);
    if (!clock_graph_convert(clocks->graph, node, value_ns, clocks->trace_time, ts)) {
        if (!last_chance) return CLOCK_LATER;
        if (!context->is_bridged) bridge(file, context);
        if (!clock_graph_convert(clocks->graph, node, value_ns, clocks->trace_time, ts))
            return fail(file, context, node, clock_id);
    }
    unit = &clocks->units.items[node]; /* bridging may have made nodes */
    if (unit->is_incremental) unit->base_ns = value_ns;
    context->has_converted = clocks->is_used = true;
    return CLOCK_OK;
}

bool clock_convert(const struct import_file *file, uint32_t from, int64_t value, uint32_t to,
                   int64_t *out)
{
    struct clock_tracker *clocks = file->import->clocks;
    struct clock_context *context = context_of(file);
    uint32_t source = node_of(clocks, context, from, 0);
    uint32_t target = node_of(clocks, context, to, 0);
    return clock_graph_convert(clocks->graph, source, value, target, out);
}
