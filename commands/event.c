#include "commands/event.h"

#include <string.h>

#include "commands/event_rows.h"
#include "engine/base/checked.h"
#include "engine/store/late_rows.h"
#include "engine/worker.h"

#define TIME_LIMIT (INT64_C(1) << 61)

static void run_complete(void *argument, struct cancel *cancel)
{
    (void)cancel;
    table_complete(argument);
}

/* Late rows that somebody asks for are made where SQL runs. */
static void wait_for_rows(struct session *session, uint8_t trace, const struct table *rows)
{
    if (table_is_complete(rows) || !late_rows_can_be_made(session_tables(session, trace))) return;
    struct worker *worker = session->traces[trace].worker;
    if (!worker) {
        table_complete(rows);
        return;
    }
    struct job *job = worker_post(worker, run_complete, (void *)(uintptr_t)rows, NULL);
    job_wait(job);
    job_release(job);
}

const char *event_table_name(enum event_table table)
{
    static const char *const names[] = {
        [EVENT_SLICE] = "slice",
        [EVENT_SCHED] = "sched_slice",
        [EVENT_THREAD_STATE] = "thread_state",
        [EVENT_COUNTER] = "counter",
        [EVENT_STATE] = "state",
        [EVENT_SAMPLE] = "stack_sample",
        [EVENT_HEAP] = "heap_profile",
        [EVENT_HEAP_GRAPH] = "heap_graph",
        [EVENT_FTRACE] = "ftrace_event",
        [EVENT_LOG] = "android_logs",
        [EVENT_DEBUG] = "debug track",
    };
    return names[table];
}

static int64_t session_time(const struct session *session, uint8_t trace, int64_t ts)
{
    ts = saturating_add_int64(ts, session->traces[trace].offset_ns);
    return ts < -TIME_LIMIT ? -TIME_LIMIT : ts > TIME_LIMIT ? TIME_LIMIT : ts;
}

static int64_t trace_time(const struct session *session, uint8_t trace, int64_t ts)
{
    int64_t result;
    return checked_sub_int64(ts, session->traces[trace].offset_ns, &result) ? result : ts;
}

/* Fills times from those of the trace; dur -1 lasts to the end. */
static void set_times(const struct session *session, struct event *event, int64_t ts, int64_t dur)
{
    event->ts = session_time(session, event->trace, ts);
    event->unfinished = dur < 0;
    int64_t end = dur < 0 ? session->traces[event->trace].end : saturating_add_int64(ts, dur);
    end = session_time(session, event->trace, end);
    event->dur = end > event->ts ? end - event->ts : 0;
}

static struct str text_of(const struct tables *t, const struct column *column, uint32_t row)
{
    struct str s = strpool_get(t->strings, column_get_string(column, row));
    return s.p ? s : STR("");
}

static struct str name_of(const struct tables *t, enum event_table table, uint32_t id)
{
    uint32_t utid;
    switch (table) {
    case EVENT_SLICE: return text_of(t, &t->slice.name, id);
    case EVENT_SCHED:
        utid = column_get_row(&t->sched_slice.utid, id);
        return utid < table_rows(&t->thread.table) ? text_of(t, &t->thread.name, utid) : STR("");
    case EVENT_THREAD_STATE: return text_of(t, &t->thread_state.state, id);
    case EVENT_STATE: return text_of(t, &t->state.value, id);
    case EVENT_SAMPLE: return text_of(t, &t->profiler_sample.source, id);
    case EVENT_HEAP: return text_of(t, &t->heap_profile.heap_name, id);
    case EVENT_FTRACE: return text_of(t, &t->ftrace_event.name, id);
    case EVENT_LOG: return text_of(t, &t->logs.msg, id);
    default: return STR("");
    }
}

/* uri of the node for events that hang on no track. */
static const struct track_node *find_by_uri(const struct session *session, const char *what,
                                            uint8_t trace, uint32_t id)
{
    struct buffer uri = BUFFER_INIT;
    buffer_printf(&uri, "t%u/%s/%u", trace, what, id);
    const struct track_node *node =
        track_tree_find(&session->workspaces.items[0]->tree, buffer_text(&uri));
    buffer_free(&uri);
    return node;
}

static const struct track_node *find_by_text(const struct session *session, uint8_t trace,
                                             const char *what, uint32_t id, struct str tail)
{
    struct buffer uri = BUFFER_INIT;
    if (id == NULL_UINT32)
        buffer_printf(&uri, "t%u/%s/", trace, what);
    else
        buffer_printf(&uri, "t%u/%s/%u/", trace, what, id);
    buffer_append_str(&uri, tail);
    const struct track_node *node =
        track_tree_find(&session->workspaces.items[0]->tree, buffer_text(&uri));
    buffer_free(&uri);
    return node;
}

static const struct track_node *node_of_sample(const struct session *session,
                                               const struct tables *t, uint8_t trace, uint32_t id)
{
    uint32_t task = column_get_row(&t->profiler_sample.task_context_id, id);
    if (task >= table_rows(&t->profiler_task_context.table)) return NULL;
    uint32_t utid = column_get_row(&t->profiler_task_context.utid, task);
    uint32_t upid = column_get_row(&t->profiler_task_context.upid, task);
    struct buffer what = BUFFER_INIT;
    struct str source = text_of(t, &t->profiler_sample.source, id);
    buffer_printf(&what, "samples/%.*s/%s", STR_ARG(source),
                  utid != NULL_UINT32 ? "thread" : "process");
    const struct track_node *node =
        find_by_uri(session, buffer_text(&what), trace, utid != NULL_UINT32 ? utid : upid);
    buffer_free(&what);
    return node;
}

static const struct track_node *node_of(const struct session *session, const struct tables *t,
                                        uint8_t trace, enum event_table table, uint32_t id)
{
    const struct track_tree *tree = &session->workspaces.items[0]->tree;
    switch (table) {
    case EVENT_SLICE:
        return track_tree_find_track(tree, trace, column_get_row(&t->slice.track_id, id));
    case EVENT_COUNTER:
        return track_tree_find_track(tree, trace, column_get_row(&t->counter.track_id, id));
    case EVENT_STATE:
        return track_tree_find_track(tree, trace, column_get_row(&t->state.track_id, id));
    case EVENT_SCHED:
        return find_by_uri(session, "sched", trace, column_get_row(&t->sched_slice.ucpu, id));
    case EVENT_THREAD_STATE:
        return find_by_uri(session, "state", trace, column_get_row(&t->thread_state.utid, id));
    case EVENT_FTRACE:
        return find_by_uri(session, "ftrace", trace, column_get_row(&t->ftrace_event.ucpu, id));
    case EVENT_HEAP_GRAPH:
        return find_by_uri(session, "heap_graph", trace, column_get_row(&t->heap_graph.upid, id));
    case EVENT_HEAP:
        return find_by_text(session, trace, "heap", column_get_row(&t->heap_profile.upid, id),
                            text_of(t, &t->heap_profile.heap_name, id));
    case EVENT_LOG:
        return find_by_text(session, trace, "logs", NULL_UINT32,
                            text_of(t, &t->logs.log_source, id));
    case EVENT_SAMPLE: return node_of_sample(session, t, trace, id);
    case EVENT_DEBUG: break;
    }
    return NULL;
}

static int64_t counter_dur(const struct tables *t, uint32_t id)
{
    struct row_span span;
    int64_t track = column_get_int64(&t->counter.track_id, id);
    if (!table_rows_equal(&t->counter.table, counter_COLUMN_track_id, track, &span)) return 0;
    uint32_t low = 0, high = span.count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (span.rows[middle] <= id)
            low = middle + 1;
        else
            high = middle;
    }
    int64_t dur;
    if (low == span.count || !checked_sub_int64(column_int64(&t->counter.ts)[span.rows[low]],
                                                column_int64(&t->counter.ts)[id], &dur))
        return -1;
    return dur < 0 ? 0 : dur;
}

/* `on`: the node that it is looked for on; NULL: any that shows it. */
static void fill(struct session *session, const struct tables *t, const struct track_node *on,
                 uint8_t trace, enum event_table table, uint32_t id, struct event *out)
{
    const struct column *ts, *dur;
    event_table_of(t, table, &ts, &dur);
    *out = (struct event){.table = table, .trace = trace, .id = id};
    int64_t length = dur ? column_get_int64(dur, id) : 0;
    if (table == EVENT_COUNTER) length = counter_dur(t, id);
    set_times(session, out, column_get_int64(ts, id), length);
    out->name = name_of(t, table, id);
    if (on) out->node = track_tree_find(&session->workspaces.items[0]->tree, on->uri);
    if (!out->node) out->node = node_of(session, t, trace, table, id);
    if (table == EVENT_SLICE) {
        out->depth = (uint32_t)column_get_int64(&t->slice.depth, id);
        if (out->node)
            out->depth += track_node_lane_start(out->node, column_get_row(&t->slice.track_id, id));
    }
}

bool event_get(struct session *session, uint8_t trace, enum event_table table, uint32_t id,
               struct event *out)
{
    const struct tables *t = session_tables(session, trace);
    const struct column *ts, *dur;
    if (!t) return false;
    const struct table *rows = event_table_of(t, table, &ts, &dur);
    if (!rows) return false;
    wait_for_rows(session, trace, rows);
    table_read_begin(rows);
    bool there = id < table_rows(rows);
    if (there) fill(session, t, NULL, trace, table, id, out);
    table_read_end(rows);
    return there;
}

bool event_get_debug(struct session *session, const struct track_node *node, uint32_t row,
                     struct event *out)
{
    const struct debug_track *debug = node->debug;
    if (!debug || row >= debug->n_rows) return false;
    *out = (struct event){
        .table = EVENT_DEBUG, .trace = debug->trace, .id = row, .node = node, .debug = debug};
    int64_t dur = 0;
    if (!debug->is_counter) {
        dur = debug->dur[row];
        out->depth = debug->depth[row];
        out->name = debug->name[row];
    } else if (row + 1 >= debug->n_rows ||
               !checked_sub_int64(debug->ts[row + 1], debug->ts[row], &dur)) {
        dur = -1;
    }
    set_times(session, out, debug->ts[row], dur);
    return true;
}

/* ---- debug tracks ---- */

static bool debug_step(struct session *session, const struct track_node *node, int64_t ts,
                       int64_t after_id, bool forward, struct event *out)
{
    const struct debug_track *debug = node->debug;
    uint32_t best = UINT32_MAX;
    for (uint32_t i = 0; i < debug->n_rows; i++) {
        int64_t at = debug->ts[i];
        bool later = at > ts || (at == ts && after_id >= 0 && (int64_t)i > after_id);
        bool earlier = at < ts || (at == ts && after_id >= 0 && (int64_t)i < after_id);
        if (forward && later) {
            best = i;
            break;
        }
        if (!forward && earlier) best = i;
    }
    return best != UINT32_MAX && event_get_debug(session, node, best, out);
}

static bool debug_near(struct session *session, const struct track_node *node, uint32_t depth,
                       int64_t ts, int64_t slack, struct event *out)
{
    int64_t best = INT64_MAX;
    for (uint32_t i = 0; i < node->debug->n_rows; i++) {
        struct event event;
        if (!node->debug->is_counter && node->debug->depth[i] != depth) continue;
        if (!event_get_debug(session, node, i, &event)) continue;
        int64_t end = event.ts + event.dur;
        int64_t gap = ts < event.ts ? event.ts - ts : ts >= end && ts > event.ts ? ts - end + 1 : 0;
        if (gap > slack || gap >= best) continue;
        best = gap;
        *out = event;
    }
    return best != INT64_MAX;
}

/* ---- neighbours ---- */

struct candidate {
    bool found;
    int64_t ts;
    uint32_t id;
};

static void consider(struct candidate *best, int64_t ts, uint32_t id, bool forward)
{
    bool better = !best->found || (forward ? ts < best->ts || (ts == best->ts && id < best->id)
                                           : ts > best->ts || (ts == best->ts && id > best->id));
    if (better) *best = (struct candidate){true, ts, id};
}

static bool is_beyond(int64_t ts, uint32_t id, int64_t from, int64_t from_id, bool forward)
{
    if (ts != from) return forward ? ts > from : ts < from;
    if (from_id < 0) return false;
    return forward ? (int64_t)id > from_id : (int64_t)id < from_id;
}

static void step_in_span(const struct event_rows *rows, struct row_span span, int64_t ts,
                         int64_t after_id, bool forward, struct candidate *best)
{
    const int64_t *times = column_int64(rows->ts);
    if (!rows->is_sorted) {
        for (uint32_t i = 0; i < span.count; i++) {
            uint32_t id = event_rows_at(rows, span, i);
            if (is_beyond(times[id], id, ts, after_id, forward) && event_rows_accepts(rows, id))
                consider(best, times[id], id, forward);
        }
        return;
    }
    uint32_t from = event_rows_bound(rows, span, ts, !forward);
    for (uint32_t i = from; forward ? i < span.count : i > 0; forward ? i++ : i--) {
        uint32_t id = event_rows_at(rows, span, forward ? i : i - 1);
        if (!is_beyond(times[id], id, ts, after_id, forward)) continue;
        if (!event_rows_accepts(rows, id)) continue;
        consider(best, times[id], id, forward);
        return;
    }
}

bool event_step(struct session *session, const struct track_node *node, int64_t ts,
                int64_t after_id, bool forward, struct event *out)
{
    if (node->debug)
        return debug_step(session, node, trace_time(session, node->trace, ts), after_id, forward,
                          out);
    const struct tables *t = session_tables(session, node->trace);
    struct event_rows rows;
    if (!t) return false;
    if (node->kind == TRACK_KIND_FTRACE)
        wait_for_rows(session, node->trace, &t->ftrace_event.table);
    table_read_begin(&t->track.table);
    struct candidate best = {0};
    if (event_rows_open(t, node, &rows)) {
        int64_t at = trace_time(session, node->trace, ts);
        for (size_t i = 0; i < rows.spans.count; i++)
            step_in_span(&rows, rows.spans.items[i], at, after_id, forward, &best);
        if (best.found) fill(session, t, node, node->trace, rows.table_id, best.id, out);
        event_rows_close(&rows);
    }
    table_read_end(&t->track.table);
    return best.found;
}

/* On one track, what covers a time is the last slice that began before it, or
 * one of its parents. */
static bool slice_covering(const struct tables *t, uint32_t id, int64_t ts, uint32_t depth,
                           uint32_t *found)
{
    enum { DEEPEST = 4096 };
    for (unsigned guard = 0; id < table_rows(&t->slice.table) && guard < DEEPEST; guard++) {
        if (column_uint32(&t->slice.depth)[id] == depth) {
            int64_t start = column_int64(&t->slice.ts)[id], dur = column_int64(&t->slice.dur)[id];
            *found = id;
            return dur < 0 || ts < saturating_add_int64(start, dur) || ts == start;
        }
        id = column_get_row(&t->slice.parent_id, id);
    }
    return false;
}

/* Looks a few hundred rows to both sides: an event further away than that is
 * not within a cell of the cursor as long as there are so many between. */
static void look_around(struct session *session, const struct event_rows *rows, size_t span_index,
                        uint32_t depth, int64_t ts, int64_t slack, int64_t *best,
                        const struct tables *t, const struct track_node *node, struct event *out)
{
    enum { REACH = 256 };
    struct row_span span = rows->spans.items[span_index];
    uint32_t lane = rows->lanes.items[span_index];
    uint32_t middle = rows->is_sorted ? event_rows_bound(rows, span, ts, true) : span.count;
    uint32_t from = middle > REACH ? middle - REACH : 0;
    uint32_t to = span.count - middle > REACH ? middle + REACH : span.count;
    if (!rows->is_sorted) from = 0;
    for (uint32_t i = to; i-- > from;) {
        uint32_t id = event_rows_at(rows, span, i);
        if (!event_rows_accepts(rows, id)) continue;
        if (rows->table_id == EVENT_SLICE && column_uint32(&t->slice.depth)[id] + lane != depth)
            continue;
        int64_t start = column_int64(rows->ts)[id];
        int64_t dur = rows->dur ? column_get_int64(rows->dur, id) : 0;
        if (rows->table_id == EVENT_COUNTER && start <= ts) dur = -1;
        int64_t end = dur < 0 ? INT64_MAX : saturating_add_int64(start, dur);
        int64_t gap = 0;
        if (ts < start && !checked_sub_int64(start, ts, &gap)) continue;
        if (ts >= end && ts > start && !checked_sub_int64(ts, end - 1, &gap)) continue;
        if (gap > slack || gap >= *best) continue;
        *best = gap;
        fill(session, t, node, node->trace, rows->table_id, id, out);
    }
}

bool event_near(struct session *session, const struct track_node *node, uint32_t depth, int64_t ts,
                int64_t slack, struct event *out)
{
    int64_t at = trace_time(session, node->trace, ts);
    if (node->debug) return debug_near(session, node, depth, ts, slack, out);
    const struct tables *t = session_tables(session, node->trace);
    struct event_rows rows;
    if (!t) return false;
    int64_t best = INT64_MAX;
    table_read_begin(&t->track.table);
    if (event_rows_open(t, node, &rows)) {
        for (size_t i = 0; i < rows.spans.count && best > 0; i++) {
            struct row_span span = rows.spans.items[i];
            uint32_t lane = rows.lanes.items[i], found;
            if (rows.table_id == EVENT_SLICE && rows.is_sorted && depth >= lane) {
                uint32_t bound = event_rows_bound(&rows, span, at, true);
                if (bound && slice_covering(t, span.rows[bound - 1], at, depth - lane, &found)) {
                    fill(session, t, node, node->trace, EVENT_SLICE, found, out);
                    best = 0;
                    break;
                }
            }
            look_around(session, &rows, i, depth, at, slack, &best, t, node, out);
        }
        event_rows_close(&rows);
    }
    table_read_end(&t->track.table);
    return best != INT64_MAX;
}

bool event_at(struct session *session, const struct track_node *node, uint32_t depth, int64_t ts,
              struct event *out)
{
    if (depth < node->depths) return event_near(session, node, depth, ts, 0, out);
    for (uint32_t d = node->depths; d-- > 0;)
        if (event_near(session, node, d, ts, 0, out)) return true;
    return false;
}

bool event_of_selection(struct session *session, struct event *out)
{
    const struct selection *s = &session->selection;
    if (s->kind != SELECTION_EVENT) return false;
    const struct track_node *node;
    if (s->table != EVENT_DEBUG) {
        if (!event_get(session, s->trace, s->table, s->id, out)) return false;
        node = track_tree_find(&session->workspaces.items[0]->tree, s->uri);
        if (node) out->node = node;
        return true;
    }
    node = track_tree_find(&session->workspace->pinned, s->uri);
    if (!node) node = track_tree_find(&session->workspace->tree, s->uri);
    return node && event_get_debug(session, node, s->id, out);
}
