#include "tui/track_data.h"

#include <stdlib.h>
#include <string.h>

#include "engine/base/memory.h"
#include "engine/store/late_rows.h"
#include "tui/frame_color.h"

/* Rows up to which a pyramid is built on the spot: under a millisecond. */
#define SMALL_TRACK 20000u

struct row_list VEC_OF(uint32_t);

struct track_data_job {
    struct track_data *data;
    const struct tables *tables;
    const struct track_node *node;
    int64_t end;
    struct job *job; /* NULL when built on the spot */
};

struct track_data_cache {
    struct worker *worker;
    struct strmap by_uri; /* → index in items */
    VEC(struct track_data *) items;
};

struct track_data_cache *track_data_cache_new(struct worker *worker)
{
    struct track_data_cache *cache = mem_zero(1, sizeof *cache);
    cache->worker = worker;
    return cache;
}

static void finish_job(struct track_data *data)
{
    if (!data->job) return;
    if (data->job->job) {
        job_cancel(data->job->job);
        job_wait(data->job->job);
        job_release(data->job->job);
    }
    mem_free(data->job);
    data->job = NULL;
}

void track_data_cache_clear(struct track_data_cache *cache)
{
    for (size_t i = 0; i < cache->items.count; i++) {
        struct track_data *data = cache->items.items[i];
        finish_job(data);
        for (uint32_t d = 0; d < data->n_depths; d++)
            pyramid_free(data->depths[d]);
        mem_free(data->depths);
        load_curve_free(data->load);
        mem_free(data);
    }
    vec_free(&cache->items);
    strmap_free(&cache->by_uri);
}

void track_data_cache_free(struct track_data_cache *cache)
{
    if (!cache) return;
    track_data_cache_clear(cache);
    mem_free(cache);
}

/* ---- building ---- */

static void set_depths(struct track_data *data, uint32_t n)
{
    data->n_depths = n ? n : 1;
    data->depths = mem_zero(data->n_depths, sizeof *data->depths);
}

static void add_span_rows(struct row_list *list, struct row_span span)
{
    vec_reserve(list, list->count + span.count);
    if (span.count) memcpy(list->items + list->count, span.rows, span.count * sizeof *span.rows);
    list->count += span.count;
}

/* Rows are in order of time already when their table is sorted and they come
 * from one index; several lists need a merge. */
static void sort_by_time(struct row_list *list, const int64_t *ts)
{
    bool sorted = true;
    for (size_t i = 1; i < list->count && sorted; i++)
        sorted = ts[list->items[i - 1]] <= ts[list->items[i]];
    if (sorted) return;
    /* Bottom-up merge sort: stable, and without a comparison that needs context. */
    uint32_t *from = list->items, *to = mem_alloc(list->count * sizeof *to), *spare = to;
    for (size_t width = 1; width < list->count; width *= 2) {
        for (size_t low = 0; low < list->count; low += 2 * width) {
            size_t mid = low + width < list->count ? low + width : list->count;
            size_t high = mid + width < list->count ? mid + width : list->count;
            size_t a = low, b = mid, out = low;
            while (a < mid || b < high)
                to[out++] =
                    b >= high || (a < mid && ts[from[a]] <= ts[from[b]]) ? from[a++] : from[b++];
        }
        uint32_t *swap = from;
        from = to;
        to = swap;
    }
    if (from != list->items) memcpy(list->items, from, list->count * sizeof *from);
    mem_free(spare);
}

static struct pyramid *make_pyramid(struct row_list *list, const int64_t *ts, const int64_t *dur,
                                    const double *value, int64_t end)
{
    if (!list->count || !ts) {
        vec_free(list);
        return NULL;
    }
    sort_by_time(list, ts);
    struct pyramid_source source = {.ts = ts,
                                    .dur = dur,
                                    .value = value,
                                    .rows = list->items,
                                    .count = (uint32_t)list->count,
                                    .end = end};
    return pyramid_new(&source);
}

static void build_slices(struct track_data_job *job)
{
    const struct slice_table *slice = &job->tables->slice;
    const struct track_node *node = job->node;
    set_depths(job->data, node->depths);
    job->data->holds_frames = node->n_tracks && frame_track_is_actual(job->tables, node->tracks[0]);
    struct row_list *lists = mem_zero(job->data->n_depths, sizeof *lists);
    const uint32_t *depth = column_uint32(&slice->depth);
    for (uint32_t t = 0; t < node->n_tracks; t++) {
        struct row_span span = {NULL, 0};
        uint32_t lane = track_node_lane_start(node, node->tracks[t]);
        table_rows_equal(&slice->table, slice_COLUMN_track_id, node->tracks[t], &span);
        for (uint32_t i = 0; i < span.count; i++) {
            uint32_t at = lane + depth[span.rows[i]];
            if (at < job->data->n_depths) vec_push(&lists[at], span.rows[i]);
        }
    }
    for (uint32_t d = 0; d < job->data->n_depths; d++)
        job->data->depths[d] = make_pyramid(&lists[d], column_int64(&slice->ts),
                                            column_int64(&slice->dur), NULL, job->end);
    mem_free(lists);
}

/* One depth of all rows of `table` whose `column` equals `value`. */
static void build_equal(struct track_data_job *job, const struct table *table, uint32_t column,
                        int64_t value, const struct column *ts, const struct column *dur,
                        const struct column *values)
{
    set_depths(job->data, 1);
    struct row_list list = {0};
    struct row_span span = {NULL, 0};
    table_rows_equal(table, column, value, &span);
    add_span_rows(&list, span);
    job->data->depths[0] = make_pyramid(&list, column_int64(ts), dur ? column_int64(dur) : NULL,
                                        values ? column_double(values) : NULL, job->end);
    if (values && job->data->depths[0])
        pyramid_range(job->data->depths[0], &job->data->least, &job->data->most);
}

static bool is_idle(const struct tables *tables, uint32_t utid)
{
    return utid < table_rows(&tables->thread.table) &&
           column_get_int64(&tables->thread.is_idle, utid) != 0;
}

/* Takes the list over. */
static void make_load(struct track_data_job *job, struct row_list *list, const struct column *ts,
                      const struct column *dur)
{
    set_depths(job->data, 1);
    if (list->count)
        job->data->load = load_curve_new(column_int64(ts), column_int64(dur), list->items,
                                         (uint32_t)list->count, job->end);
    vec_free(list);
}

/* What ran on one CPU; idling is no work. */
static void build_sched(struct track_data_job *job, uint32_t ucpu)
{
    const struct sched_slice_table *sched = &job->tables->sched_slice;
    struct row_list list = {0};
    struct row_span span = {NULL, 0};
    table_rows_equal(&sched->table, sched_slice_COLUMN_ucpu, ucpu, &span);
    for (uint32_t i = 0; i < span.count; i++)
        if (!is_idle(job->tables, column_get_row(&sched->utid, span.rows[i])))
            vec_push(&list, span.rows[i]);
    set_depths(job->data, 1);
    job->data->depths[0] =
        make_pyramid(&list, column_int64(&sched->ts), column_int64(&sched->dur), NULL, job->end);
}

/* The whole trace in one row: CPU time, else slices at depth 0. */
static void build_overview(struct track_data_job *job)
{
    const struct tables *tables = job->tables;
    const struct sched_slice_table *sched = &tables->sched_slice;
    const struct slice_table *slice = &tables->slice;
    struct row_list list = {0};
    job->data->cpus = 0;
    for (uint32_t row = 0; row < table_rows(&tables->cpu.table); row++)
        job->data->cpus += !column_is_null(&tables->cpu.cpu, row);
    uint32_t n = table_rows(&sched->table);
    for (uint32_t row = 0; row < n; row++)
        if (!is_idle(tables, column_get_row(&sched->utid, row))) vec_push(&list, row);
    make_load(job, &list, &sched->ts, &sched->dur);
    if (job->data->load) return;
    list = (struct row_list){0};
    n = table_rows(&slice->table);
    for (uint32_t row = 0; row < n; row++)
        if (column_get_int64(&slice->depth, row) == 0) vec_push(&list, row);
    mem_free(job->data->depths);
    make_load(job, &list, &slice->ts, &slice->dur);
    job->data->cpus = 1;
}

static bool thread_is_in(const struct tables *tables, uint32_t utid, uint32_t upid)
{
    return utid < table_rows(&tables->thread.table) &&
           column_get_row(&tables->thread.upid, utid) == upid;
}

/* CPU time of all threads of a process; slices at depth 0 when it never ran. */
static void build_process(struct track_data_job *job)
{
    const struct tables *tables = job->tables;
    uint32_t upid = job->node->upid;
    struct row_list list = {0};
    struct row_span threads = {NULL, 0}, span;
    table_rows_equal(&tables->thread.table, thread_COLUMN_upid, upid, &threads);
    for (uint32_t i = 0; i < threads.count; i++)
        if (table_rows_equal(&tables->sched_slice.table, sched_slice_COLUMN_utid, threads.rows[i],
                             &span))
            add_span_rows(&list, span);
    job->data->cpus = 1;
    if (list.count) {
        make_load(job, &list, &tables->sched_slice.ts, &tables->sched_slice.dur);
        return;
    }
    const uint32_t *depth = column_uint32(&tables->slice.depth);
    uint32_t tracks = table_rows(&tables->track.table);
    for (uint32_t t = 0; t < tracks; t++) {
        uint32_t utid = column_get_row(&tables->track.utid, t);
        bool ours = column_get_row(&tables->track.upid, t) == upid ||
                    (utid != NULL_UINT32 && thread_is_in(tables, utid, upid));
        if (!ours || !table_rows_equal(&tables->slice.table, slice_COLUMN_track_id, t, &span))
            continue;
        for (uint32_t i = 0; i < span.count; i++)
            if (depth[span.rows[i]] == 0) vec_push(&list, span.rows[i]);
    }
    make_load(job, &list, &tables->slice.ts, &tables->slice.dur);
}

static void build_samples(struct track_data_job *job)
{
    const struct tables *tables = job->tables;
    const struct track_node *node = job->node;
    set_depths(job->data, 1);
    struct row_list list = {0};
    uint32_t n = table_rows(&tables->profiler_sample.table);
    for (uint32_t row = 0; row < n; row++) {
        const char *source =
            strpool_text(tables->strings, column_get_string(&tables->profiler_sample.source, row));
        uint32_t task = column_get_row(&tables->profiler_sample.task_context_id, row);
        if (task == NULL_UINT32 || (node->source && strcmp(source, node->source) != 0)) continue;
        uint32_t utid = column_get_row(&tables->profiler_task_context.utid, task);
        uint32_t upid = column_get_row(&tables->profiler_task_context.upid, task);
        bool ours = node->utid != NULL_UINT32
                        ? utid == node->utid
                        : upid == node->upid ||
                              (utid != NULL_UINT32 && thread_is_in(tables, utid, node->upid));
        if (ours) vec_push(&list, row);
    }
    job->data->depths[0] =
        make_pyramid(&list, column_int64(&tables->profiler_sample.ts), NULL, NULL, job->end);
}

static void build_logs(struct track_data_job *job)
{
    const struct tables *tables = job->tables;
    set_depths(job->data, 1);
    struct row_list list = {0};
    uint32_t n = table_rows(&tables->logs.table);
    for (uint32_t row = 0; row < n; row++) {
        const char *source =
            strpool_text(tables->strings, column_get_string(&tables->logs.log_source, row));
        if (!job->node->source || strcmp(source, job->node->source) == 0) vec_push(&list, row);
    }
    job->data->depths[0] =
        make_pyramid(&list, column_int64(&tables->logs.ts), NULL, NULL, job->end);
}

static void build_debug(struct track_data_job *job)
{
    const struct debug_track *debug = job->node->debug;
    bool counter = debug->is_counter;
    set_depths(job->data, counter ? 1 : debug->n_depths);
    struct row_list *lists = mem_zero(job->data->n_depths, sizeof *lists);
    for (uint32_t row = 0; row < debug->n_rows; row++) {
        uint32_t depth = counter ? 0 : debug->depth[row];
        if (depth < job->data->n_depths) vec_push(&lists[depth], row);
    }
    for (uint32_t d = 0; d < job->data->n_depths; d++)
        job->data->depths[d] = make_pyramid(&lists[d], debug->ts, counter ? NULL : debug->dur,
                                            counter ? debug->value : NULL, job->end);
    mem_free(lists);
    job->data->least = debug->least;
    job->data->most = debug->most;
}

static void build(struct track_data_job *job)
{
    const struct tables *t = job->tables;
    const struct track_node *node = job->node;
    if (!node) {
        build_overview(job);
        return;
    }
    uint32_t track = node->n_tracks ? node->tracks[0] : NULL_UINT32;
    switch (node->kind) {
    case TRACK_KIND_SLICES: build_slices(job); break;
    case TRACK_KIND_CPU_SCHED: build_sched(job, node->ucpu); break;
    case TRACK_KIND_THREAD_STATE:
        build_equal(job, &t->thread_state.table, thread_state_COLUMN_utid, node->utid,
                    &t->thread_state.ts, &t->thread_state.dur, NULL);
        break;
    case TRACK_KIND_CPU_FREQ:
    case TRACK_KIND_COUNTER:
        build_equal(job, &t->counter.table, counter_COLUMN_track_id, track, &t->counter.ts, NULL,
                    &t->counter.value);
        break;
    case TRACK_KIND_STATE:
        build_equal(job, &t->state.table, state_COLUMN_track_id, track, &t->state.ts, &t->state.dur,
                    NULL);
        break;
    case TRACK_KIND_FTRACE:
        table_complete(&t->ftrace_event.table);
        build_equal(job, &t->ftrace_event.table, ftrace_event_COLUMN_ucpu, node->ucpu,
                    &t->ftrace_event.ts, NULL, NULL);
        break;
    case TRACK_KIND_HEAP:
        build_equal(job, &t->heap_profile.table, heap_profile_COLUMN_upid, node->upid,
                    &t->heap_profile.ts, NULL, NULL);
        break;
    case TRACK_KIND_HEAP_GRAPH:
        build_equal(job, &t->heap_graph.table, heap_graph_COLUMN_upid, node->upid,
                    &t->heap_graph.ts, NULL, NULL);
        break;
    case TRACK_KIND_SAMPLES: build_samples(job); break;
    case TRACK_KIND_LOGS: build_logs(job); break;
    case TRACK_KIND_DEBUG_SLICES:
    case TRACK_KIND_DEBUG_COUNTER: build_debug(job); break;
    case TRACK_KIND_PROCESS:
    case TRACK_KIND_THREAD: build_process(job); break;
    case TRACK_KIND_GROUP: set_depths(job->data, 1); break;
    }
}

static enum track_data_kind kind_of(const struct track_node *node)
{
    switch (node->kind) {
    case TRACK_KIND_SLICES: return TRACK_DATA_SLICES;
    case TRACK_KIND_CPU_SCHED: return TRACK_DATA_SCHED;
    case TRACK_KIND_THREAD_STATE: return TRACK_DATA_STATES;
    case TRACK_KIND_STATE: return TRACK_DATA_STATE_TRACK;
    case TRACK_KIND_CPU_FREQ:
    case TRACK_KIND_COUNTER:
    case TRACK_KIND_DEBUG_COUNTER: return TRACK_DATA_COUNTER;
    case TRACK_KIND_DEBUG_SLICES: return TRACK_DATA_DEBUG_SLICES;
    case TRACK_KIND_GROUP:
    case TRACK_KIND_PROCESS:
    case TRACK_KIND_THREAD: return TRACK_DATA_LOAD;
    default: return TRACK_DATA_INSTANTS;
    }
}

static void run_build(void *argument, struct cancel *cancel)
{
    (void)cancel;
    build(argument);
}

static bool waits_for_rows(const struct tables *t, const struct track_node *node)
{
    return node->kind == TRACK_KIND_FTRACE && !table_is_complete(&t->ftrace_event.table);
}

/* `node` NULL is the overview. */
static const struct track_data *get(struct track_data_cache *cache, struct session *session,
                                    const char *key, const struct track_node *node, bool large)
{
    const struct tables *tables = session_tables(session, node ? node->trace : 0);
    bool waits = node && waits_for_rows(tables, node);
    if (waits && !late_rows_can_be_made(tables)) return NULL;
    bool added;
    uint64_t *slot = strmap_put_if_absent(&cache->by_uri, str_of(key), cache->items.count, &added);
    if (!added) {
        struct track_data *data = cache->items.items[*slot];
        if (data->job && data->job->job && job_is_done(data->job->job)) finish_job(data);
        return data->job ? NULL : data;
    }
    struct track_data *data = mem_zero(1, sizeof *data);
    vec_push(&cache->items, data);
    data->kind = node ? kind_of(node) : TRACK_DATA_LOAD;
    uint8_t trace = node ? node->trace : 0;
    struct track_data_job *job = mem_zero(1, sizeof *job);
    *job = (struct track_data_job){
        .data = data, .tables = tables, .node = node, .end = session->traces[trace].end};
    data->job = job;
    struct worker *worker = large ? cache->worker : NULL;
    /* Late rows are made where SQL runs. */
    if (waits) worker = session->traces[trace].worker;
    if (worker) {
        job->job = worker_post(worker, run_build, job, NULL);
        return NULL;
    }
    build(job);
    finish_job(data);
    return data;
}

/* Its row is what the overview shows. */
static bool is_group_of_cpus(const struct track_node *node)
{
    return node->kind == TRACK_KIND_GROUP && node->trace == 0 && node->children.count &&
           node->children.items[0]->kind == TRACK_KIND_CPU_SCHED;
}

const struct track_data *track_data_get(struct track_data_cache *cache, struct session *session,
                                        const struct track_node *node)
{
    if (is_group_of_cpus(node)) return track_data_overview(cache, session);
    if (node->kind == TRACK_KIND_GROUP ||
        (node->kind == TRACK_KIND_THREAD && node->upid == NULL_UINT32))
        return NULL;
    bool large = node->events > SMALL_TRACK || node->kind == TRACK_KIND_PROCESS ||
                 node->kind == TRACK_KIND_SAMPLES || node->kind == TRACK_KIND_LOGS;
    return get(cache, session, node->uri, node, large);
}

const struct track_data *track_data_overview(struct track_data_cache *cache,
                                             struct session *session)
{
    return session->n_traces ? get(cache, session, "overview", NULL, true) : NULL;
}

bool track_data_is_busy(const struct track_data_cache *cache)
{
    for (size_t i = 0; i < cache->items.count; i++) {
        const struct track_data *data = cache->items.items[i];
        if (data->job && !job_is_done(data->job->job)) return true;
    }
    return false;
}
