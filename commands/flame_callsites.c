/* Stacks of frames: samples, allocations, aggregate samples. */
#include <string.h>

#include "commands/flame_profile.h"
#include "engine/base/memory.h"

/* ---- callsites as paths of the profile ---- */

/* A frame of the trace is one or, where code was inlined into it, several. */
struct resolver {
    const struct flame_input *in;
    const struct tables *t;
    uint32_t *stack_of;    /* by callsite; FLAME_NONE: not yet */
    struct map frame_of;   /* frame << 32 | symbol → frame of the profile */
    VEC(uint32_t) pending; /* callsites from a leaf up */
    uint32_t n_callsites, n_frames, n_symbols;
};

static struct str text_of(const struct resolver *r, const struct column *column, uint32_t row)
{
    return strpool_get(r->t->strings, column_get_string(column, row));
}

static struct str mapping_of(const struct resolver *r, uint32_t frame)
{
    uint32_t mapping = column_get_row(&r->t->stack_profile_frame.mapping, frame);
    if (mapping >= table_rows(&r->t->stack_profile_mapping.table)) return STR_NONE;
    return text_of(r, &r->t->stack_profile_mapping.name, mapping);
}

/* "libc.so+0x1234": of a frame that nobody has a name for. */
static struct str place_name(struct resolver *r, uint32_t frame)
{
    struct str file = mapping_of(r, frame);
    for (size_t i = file.n; i-- > 0;)
        if (file.p[i] == '/') {
            file = str_slice(file, i + 1, file.n);
            break;
        }
    file = str_slice(file, 0, 200);
    return str_of(arena_printf(
        &r->in->profile->arena, "%.*s%s0x%llx", (int)file.n, file.n ? file.p : "",
        file.n ? "+" : "",
        (unsigned long long)column_get_int64(&r->t->stack_profile_frame.rel_pc, frame)));
}

/* `symbol` FLAME_NONE: the frame has none. */
static uint32_t make_frame(struct resolver *r, uint32_t frame, uint32_t symbol)
{
    struct flame_profile *profile = r->in->profile;
    const struct stack_profile_frame_table *f = &r->t->stack_profile_frame;
    struct str name = STR_NONE;
    if (symbol != FLAME_NONE) name = text_of(r, &r->t->stack_profile_symbol.name, symbol);
    if (!name.n) name = text_of(r, &f->deobfuscated_name, frame);
    if (!name.n) name = text_of(r, &f->name, frame);
    if (!name.n && column_get_int64(&f->rel_pc, frame)) name = place_name(r, frame);
    if (!name.n) name = STR("[unknown]");
    uint32_t made = flame_profile_frame(profile, name, mapping_of(r, frame));
    struct flame_frame *out = &profile->frames.items[made];
    if (symbol != FLAME_NONE && !out->file.n) {
        const struct stack_profile_symbol_table *s = &r->t->stack_profile_symbol;
        struct str file = text_of(r, &s->source_file, symbol);
        if (file.n) out->file = arena_copy_str(&profile->arena, file);
        uint32_t line = column_get_row(&s->line_number, symbol);
        out->line = line == NULL_UINT32 ? 0 : line;
    }
    return made;
}

static uint32_t frame_of(struct resolver *r, uint32_t frame, uint32_t symbol)
{
    uint64_t key = (uint64_t)frame << 32 | symbol;
    uint64_t *found = map_get(&r->frame_of, key);
    if (found) return (uint32_t)*found;
    uint32_t made = make_frame(r, frame, symbol);
    map_set(&r->frame_of, key, made);
    return made;
}

/* Below `parent`: the frame with what is inlined in it, the outermost first. */
static uint32_t add_frame(struct resolver *r, uint32_t parent, uint32_t frame)
{
    enum { MAX_INLINED = 1000 };
    if (frame >= r->n_frames)
        return flame_profile_child(r->in->profile, parent,
                                   flame_profile_frame(r->in->profile, STR("[unknown]"), STR_NONE));
    uint32_t set = column_get_row(&r->t->stack_profile_frame.symbol_set_id, frame);
    uint32_t end = set;
    while (end < r->n_symbols && end - set < MAX_INLINED &&
           column_get_row(&r->t->stack_profile_symbol.symbol_set_id, end) == set)
        end++;
    if (end == set || set >= r->n_symbols)
        return flame_profile_child(r->in->profile, parent, frame_of(r, frame, FLAME_NONE));
    while (end-- > set)
        parent = flame_profile_child(r->in->profile, parent, frame_of(r, frame, end));
    return parent;
}

static uint32_t resolve(struct resolver *r, uint32_t callsite)
{
    const struct stack_profile_callsite_table *c = &r->t->stack_profile_callsite;
    uint32_t at = callsite;
    r->pending.count = 0;
    while (at < r->n_callsites && r->stack_of[at] == FLAME_NONE &&
           r->pending.count <= r->n_callsites) {
        vec_push(&r->pending, at);
        at = column_get_row(&c->parent_id, at);
    }
    uint32_t stack = at < r->n_callsites && r->stack_of[at] != FLAME_NONE ? r->stack_of[at] : 0;
    for (size_t i = r->pending.count; i-- > 0;) {
        uint32_t row = r->pending.items[i];
        if (r->stack_of[row] == FLAME_NONE)
            r->stack_of[row] = add_frame(r, stack, column_get_row(&c->frame_id, row));
        stack = r->stack_of[row];
    }
    return stack;
}

bool flame_add_callsites(const struct flame_input *in, const double *weights)
{
    struct resolver r = {.in = in, .t = in->tables};
    bool done = true;
    r.n_callsites = table_rows(&r.t->stack_profile_callsite.table);
    r.n_frames = table_rows(&r.t->stack_profile_frame.table);
    r.n_symbols = table_rows(&r.t->stack_profile_symbol.table);
    r.stack_of = mem_alloc(((size_t)r.n_callsites + 1) * sizeof *r.stack_of);
    memset(r.stack_of, 0xFF, ((size_t)r.n_callsites + 1) * sizeof *r.stack_of);
    for (uint32_t i = 0; i < r.n_callsites && done; i++) {
        if (weights[i] > 0) {
            uint32_t stack = resolve(&r, i); /* may move the stacks */
            in->profile->stacks.items[stack].self[in->side] += weights[i];
        }
        done = !flame_is_cancelled(in, i);
    }
    mem_free(r.stack_of);
    map_free(&r.frame_of);
    vec_free(&r.pending);
    return done;
}

static double *new_weights(const struct flame_input *in)
{
    return mem_zero((size_t)table_rows(&in->tables->stack_profile_callsite.table) + 1,
                    sizeof(double));
}

static void weigh(const struct flame_input *in, double *weights, uint32_t callsite, double weight)
{
    if (callsite < table_rows(&in->tables->stack_profile_callsite.table))
        weights[callsite] += weight;
}

/* ---- samples ---- */

/* What a sample weighs by the counter that the metric names. */
struct counters {
    struct map last;    /* track → bits of the value before */
    VEC(double) weight; /* by row of profiler_counter_set; those of other counters 0 */
};

static bool is_running_total(const struct tables *t, uint32_t track)
{
    return str_starts(strpool_get(t->strings, column_get_string(&t->track.type, track)),
                      STR("perf_"));
}

/* perf's counters only grow: a sample stands for what they grew by. */
static double grown(struct counters *c, uint32_t track, double value)
{
    double before = 0;
    uint64_t *slot = map_get(&c->last, track);
    if (slot) memcpy(&before, slot, sizeof before);
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    map_set(&c->last, track, bits);
    return value > before ? value - before : 0;
}

static void read_counters(const struct flame_input *in, struct counters *c)
{
    const struct tables *t = in->tables;
    string_id name = strpool_find(t->strings, str_of(in->metric->key));
    uint32_t rows = table_rows(&t->profiler_counter_set.table);
    uint32_t n_counters = table_rows(&t->counter.table), n_tracks = table_rows(&t->track.table);
    for (uint32_t i = 0; i < rows; i++) {
        uint32_t counter = column_get_row(&t->profiler_counter_set.counter_id, i);
        double weight = 0;
        uint32_t track =
            counter < n_counters ? column_get_row(&t->counter.track_id, counter) : NULL_UINT32;
        if (track < n_tracks && column_get_string(&t->track.name, track) == name) {
            weight = column_get_double(&t->counter.value, counter);
            if (is_running_total(t, track)) weight = grown(c, track, weight);
        }
        vec_push(&c->weight, weight);
    }
}

static double weight_of_set(const struct flame_input *in, const struct counters *c, uint32_t set)
{
    double sum = 0;
    for (uint32_t i = set;
         i < c->weight.count &&
         column_get_row(&in->tables->profiler_counter_set.counter_set_id, i) == set;
         i++)
        sum += c->weight.items[i];
    return sum;
}

static bool sample_is_in(const struct flame_input *in, uint32_t row)
{
    const struct tables *t = in->tables;
    int64_t ts = column_int64(&t->profiler_sample.ts)[row];
    if (ts < in->scope->start || ts >= in->scope->end) return false;
    if (in->sets.everything) return true;
    uint32_t task = column_get_row(&t->profiler_sample.task_context_id, row);
    if (task >= table_rows(&t->profiler_task_context.table)) return false;
    uint32_t utid = column_get_row(&t->profiler_task_context.utid, task);
    uint32_t upid = column_get_row(&t->profiler_task_context.upid, task);
    return flame_sets_has(in->sets.threads, in->sets.n_threads, utid) ||
           (utid >= in->sets.n_threads &&
            flame_sets_has(in->sets.processes, in->sets.n_processes, upid));
}

/* Event counts by row of profiler_sample; those of other event types are 0. */
static double *event_counts(const struct flame_input *in)
{
    const struct simpleperf_sample_table *s = &in->tables->simpleperf_sample;
    uint32_t n = table_rows(&in->tables->profiler_sample.table), rows = table_rows(&s->table);
    double *counts = mem_zero((size_t)n + 1, sizeof *counts);
    for (uint32_t i = 0; i < rows; i++) {
        uint32_t sample = column_get_row(&s->stack_sample_id, i);
        if (sample < n && column_get_row(&s->event_type_id, i) == in->metric->which)
            counts[sample] += (double)column_get_int64(&s->event_count, i);
    }
    return counts;
}

bool flame_add_samples(const struct flame_input *in)
{
    const struct profiler_sample_table *s = &in->tables->profiler_sample;
    struct counters counters = {0};
    double *events = NULL, *weights = new_weights(in);
    if (in->metric->source == FLAME_COUNTER) read_counters(in, &counters);
    if (in->metric->source == FLAME_EVENTS) events = event_counts(in);
    uint32_t rows = table_rows(&s->table);
    bool done = true;
    for (uint32_t i = 0; i < rows && done; i++) {
        done = !flame_is_cancelled(in, i);
        if (!sample_is_in(in, i)) continue;
        double weight = 1;
        if (events) weight = events[i];
        if (in->metric->source == FLAME_COUNTER)
            weight = weight_of_set(in, &counters, column_get_row(&s->counter_set_id, i));
        if (weight <= 0) continue;
        in->profile->rows[in->side]++;
        weigh(in, weights, column_get_row(&s->callsite_id, i), weight);
    }
    done = done && flame_add_callsites(in, weights);
    mem_free(events);
    mem_free(weights);
    map_free(&counters.last);
    vec_free(&counters.weight);
    return done;
}

/* ---- allocations ---- */

bool flame_add_allocations(const struct flame_input *in)
{
    const struct heap_profile_allocation_table *a = &in->tables->heap_profile_allocation;
    string_id heap = strpool_find(in->tables->strings, str_of(in->metric->key));
    uint32_t which = in->metric->which, rows = table_rows(&a->table);
    bool by_size = which == FLAME_UNRELEASED_SIZE || which == FLAME_TOTAL_SIZE;
    bool allocated = which == FLAME_TOTAL_SIZE || which == FLAME_TOTAL_COUNT;
    double *weights = new_weights(in);
    bool done = true;
    for (uint32_t i = 0; i < rows && done; i++) {
        done = !flame_is_cancelled(in, i);
        int64_t ts = column_get_int64(&a->ts, i);
        if (ts < in->scope->start || ts >= in->scope->end) continue;
        if (column_get_string(&a->heap_name, i) != heap) continue;
        uint32_t upid = column_get_row(&a->upid, i);
        if (!in->sets.everything && !flame_sets_has(in->sets.processes, in->sets.n_processes, upid))
            continue;
        int64_t value = column_get_int64(by_size ? &a->size : &a->count, i);
        if (allocated && value < 0) continue; /* a release */
        in->profile->rows[in->side]++;
        weigh(in, weights, column_get_row(&a->callsite_id, i), (double)value);
    }
    done = done && flame_add_callsites(in, weights);
    mem_free(weights);
    return done;
}

/* ---- profiles without times ---- */

bool flame_add_aggregate(const struct flame_input *in)
{
    const struct aggregate_sample_table *a = &in->tables->aggregate_sample;
    uint32_t rows = table_rows(&a->table);
    double *weights = new_weights(in);
    bool done = true;
    for (uint32_t i = 0; i < rows && done; i++) {
        done = !flame_is_cancelled(in, i);
        if (column_get_row(&a->aggregate_profile_id, i) != in->metric->which) continue;
        in->profile->rows[in->side]++;
        weigh(in, weights, column_get_row(&a->callsite_id, i), column_get_double(&a->value, i));
    }
    done = done && flame_add_callsites(in, weights);
    mem_free(weights);
    return done;
}
