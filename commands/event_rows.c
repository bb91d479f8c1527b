#include "commands/event_rows.h"

const struct table *event_table_of(const struct tables *t, enum event_table table,
                                   const struct column **ts, const struct column **dur)
{
    *dur = NULL;
    switch (table) {
    case EVENT_SLICE: *ts = &t->slice.ts, *dur = &t->slice.dur; return &t->slice.table;
    case EVENT_SCHED:
        *ts = &t->sched_slice.ts, *dur = &t->sched_slice.dur;
        return &t->sched_slice.table;
    case EVENT_THREAD_STATE:
        *ts = &t->thread_state.ts, *dur = &t->thread_state.dur;
        return &t->thread_state.table;
    case EVENT_COUNTER: *ts = &t->counter.ts; return &t->counter.table;
    case EVENT_STATE: *ts = &t->state.ts, *dur = &t->state.dur; return &t->state.table;
    case EVENT_SAMPLE: *ts = &t->profiler_sample.ts; return &t->profiler_sample.table;
    case EVENT_HEAP:
        *ts = &t->heap_profile.ts, *dur = &t->heap_profile.dur;
        return &t->heap_profile.table;
    case EVENT_HEAP_GRAPH: *ts = &t->heap_graph.ts; return &t->heap_graph.table;
    case EVENT_FTRACE: *ts = &t->ftrace_event.ts; return &t->ftrace_event.table;
    case EVENT_LOG: *ts = &t->logs.ts; return &t->logs.table;
    case EVENT_DEBUG: break;
    }
    return NULL;
}

static bool add_span(struct event_rows *rows, uint32_t column, int64_t value, uint32_t lane)
{
    struct row_span span;
    if (!table_rows_equal(rows->table, column, value, &span)) return false;
    if (span.count) {
        vec_push(&rows->spans, span);
        vec_push(&rows->lanes, lane);
    }
    return true;
}

static bool open_tracks(const struct track_node *node, struct event_rows *out, uint32_t column)
{
    for (uint32_t i = 0; i < node->n_tracks; i++)
        if (!add_span(out, column, node->tracks[i], node->lane_start ? node->lane_start[i] : 0))
            return false;
    return true;
}

/* Samples hang on task contexts; one of a thread may name its process or not. */
static bool open_samples(const struct tables *t, const struct track_node *node,
                         struct event_rows *out)
{
    const struct profiler_task_context_table *tasks = &t->profiler_task_context;
    out->filter = &t->profiler_sample.source;
    out->wanted = strpool_find(t->strings, str_of(node->source));
    for (uint32_t task = 0; task < table_rows(&tasks->table); task++) {
        uint32_t utid = column_get_row(&tasks->utid, task);
        uint32_t upid = column_get_row(&tasks->upid, task);
        if (node->utid != NULL_UINT32) {
            if (utid != node->utid) continue;
        } else {
            if (upid == NULL_UINT32 && utid < table_rows(&t->thread.table))
                upid = column_get_row(&t->thread.upid, utid);
            if (upid != node->upid) continue;
        }
        if (!add_span(out, profiler_sample_COLUMN_task_context_id, task, 0)) return false;
    }
    return true;
}

static bool open_kind(const struct tables *t, const struct track_node *node, struct event_rows *out)
{
    switch (node->kind) {
    case TRACK_KIND_SLICES: return open_tracks(node, out, slice_COLUMN_track_id);
    case TRACK_KIND_COUNTER:
    case TRACK_KIND_CPU_FREQ: return open_tracks(node, out, counter_COLUMN_track_id);
    case TRACK_KIND_STATE: return open_tracks(node, out, state_COLUMN_track_id);
    case TRACK_KIND_CPU_SCHED: return add_span(out, sched_slice_COLUMN_ucpu, node->ucpu, 0);
    case TRACK_KIND_THREAD_STATE: return add_span(out, thread_state_COLUMN_utid, node->utid, 0);
    case TRACK_KIND_FTRACE: return add_span(out, ftrace_event_COLUMN_ucpu, node->ucpu, 0);
    case TRACK_KIND_SAMPLES: return open_samples(t, node, out);
    case TRACK_KIND_HEAP:
        out->filter = &t->heap_profile.heap_name;
        out->wanted = strpool_find(t->strings, str_of(node->source));
        return add_span(out, heap_profile_COLUMN_upid, node->upid, 0);
    case TRACK_KIND_HEAP_GRAPH: return add_span(out, heap_graph_COLUMN_upid, node->upid, 0);
    case TRACK_KIND_LOGS:
        out->filter = &t->logs.log_source;
        out->wanted = strpool_find(t->strings, str_of(node->source));
        out->all = true;
        vec_push(&out->spans, (struct row_span){NULL, table_rows(&t->logs.table)});
        vec_push(&out->lanes, 0);
        return true;
    default: return false;
    }
}

static const struct {
    enum track_kind kind;
    enum event_table table;
} tables_of_kinds[] = {
    {TRACK_KIND_SLICES, EVENT_SLICE},     {TRACK_KIND_COUNTER, EVENT_COUNTER},
    {TRACK_KIND_CPU_FREQ, EVENT_COUNTER}, {TRACK_KIND_STATE, EVENT_STATE},
    {TRACK_KIND_CPU_SCHED, EVENT_SCHED},  {TRACK_KIND_THREAD_STATE, EVENT_THREAD_STATE},
    {TRACK_KIND_FTRACE, EVENT_FTRACE},    {TRACK_KIND_SAMPLES, EVENT_SAMPLE},
    {TRACK_KIND_HEAP, EVENT_HEAP},        {TRACK_KIND_HEAP_GRAPH, EVENT_HEAP_GRAPH},
    {TRACK_KIND_LOGS, EVENT_LOG},
};

bool event_rows_open(const struct tables *tables, const struct track_node *node,
                     struct event_rows *out)
{
    *out = (struct event_rows){0};
    for (size_t i = 0; i < sizeof tables_of_kinds / sizeof tables_of_kinds[0]; i++) {
        if (tables_of_kinds[i].kind != node->kind) continue;
        out->table_id = tables_of_kinds[i].table;
        out->table = event_table_of(tables, out->table_id, &out->ts, &out->dur);
        out->is_sorted = out->ts->is_sorted;
        if (open_kind(tables, node, out)) return true;
    }
    event_rows_close(out);
    return false;
}

void event_rows_close(struct event_rows *rows)
{
    vec_free(&rows->spans);
    vec_free(&rows->lanes);
}

bool event_rows_accepts(const struct event_rows *rows, uint32_t row)
{
    return rows->wanted == STRING_NULL || column_get_string(rows->filter, row) == rows->wanted;
}

uint32_t event_rows_count(const struct event_rows *rows, struct row_span span)
{
    (void)rows;
    return span.count;
}

uint32_t event_rows_at(const struct event_rows *rows, struct row_span span, uint32_t i)
{
    return rows->all ? i : span.rows[i];
}

uint32_t event_rows_bound(const struct event_rows *rows, struct row_span span, int64_t ts,
                          bool after)
{
    const int64_t *times = column_int64(rows->ts);
    uint32_t low = 0, high = span.count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        int64_t t = times[event_rows_at(rows, span, middle)];
        if (after ? t <= ts : t < ts)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}
