/* A slice: how its thread spent its time, what is around it, its flows, and how long
 * others of its name took. */
#include <stdlib.h>
#include <string.h>

#include "engine/base/checked.h"
#include "engine/base/memory.h"
#include "tui/details_lines.h"
#include "tui/time_text.h"

/* ---- its time ---- */

struct state_sum {
    string_id state;
    int64_t io_wait; /* -1: not told */
    uint32_t row;
    int64_t ns;
};

static int longest_first(const void *left, const void *right)
{
    const struct state_sum *l = left, *r = right;
    return (l->ns < r->ns) - (l->ns > r->ns);
}

static uint32_t first_state_in(const struct tables *t, struct row_span span, int64_t start)
{
    uint32_t low = 0, high = span.count;
    while (low < high) {
        uint32_t mid = low + (high - low) / 2;
        if (column_int64(&t->thread_state.ts)[span.rows[mid]] <= start)
            low = mid + 1;
        else
            high = mid;
    }
    return low ? low - 1 : 0;
}

/* How a thread spent [start, end): sums by state, longest first. */
static void add_states(struct details *d, const struct tables *t, uint32_t utid, int64_t start,
                       int64_t end)
{
    struct row_span span;
    if (end <= start ||
        !table_rows_equal(&t->thread_state.table, thread_state_COLUMN_utid, utid, &span))
        return;
    struct state_sum sums[24];
    size_t n = 0;
    const int64_t *ts = column_int64(&t->thread_state.ts);
    for (uint32_t i = first_state_in(t, span, start); i < span.count && ts[span.rows[i]] < end;
         i++) {
        uint32_t row = span.rows[i];
        int64_t dur = column_get_int64(&t->thread_state.dur, row);
        int64_t stop = dur < 0 || dur > INT64_MAX - ts[row] ? end : ts[row] + dur;
        int64_t from = ts[row] > start ? ts[row] : start;
        if (stop > end) stop = end;
        if (stop <= from) continue;
        string_id state = column_get_string(&t->thread_state.state, row);
        const struct column *io = &t->thread_state.io_wait;
        int64_t io_wait = column_is_null(io, row) ? -1 : column_get_int64(io, row);
        size_t k = 0;
        while (k < n && (sums[k].state != state || sums[k].io_wait != io_wait))
            k++;
        if (k == sizeof sums / sizeof *sums) continue;
        if (k == n) sums[n++] = (struct state_sum){state, io_wait, row, 0};
        sums[k].ns += stop - from;
    }
    qsort(sums, n, sizeof *sums, longest_first);
    for (size_t i = 0; i < n; i++) {
        struct buffer text = BUFFER_INIT, label = BUFFER_INIT;
        duration_write(sums[i].ns, &text);
        buffer_append_str(&label, details_state_name(t, sums[i].row));
        struct detail_line *line = details_add(d, &d->left, buffer_text(&label), buffer_str(&text));
        line->bar = (double)sums[i].ns / (double)(end - start);
        line->indent = 1;
        buffer_free(&text);
        buffer_free(&label);
    }
}

/* ---- what is around it ---- */

static void add_ancestors(struct details *d, const struct tables *t, uint32_t id, uint32_t utid,
                          int64_t ts)
{
    enum { MOST = 64 };
    uint32_t above[MOST], n = 0;
    for (uint32_t at = column_get_row(&t->slice.parent_id, id); at != NULL_UINT32 && n < MOST;
         at = column_get_row(&t->slice.parent_id, at))
        above[n++] = at;
    if (!n) return;
    details_add_slice(d, t, &d->right, "parent", above[0], utid, ts);
    if (n == 1) return;
    struct buffer text = BUFFER_INIT;
    buffer_printf(&text, "%u", n);
    if (details_begin_group(d, &d->right, "ancestors", "ancestors", buffer_str(&text),
                            DETAILS_SMALL_GROUP + 1))
        for (uint32_t i = 0; i < n; i++)
            details_add_slice(d, t, &d->right, NULL, above[i], utid, ts)->indent = 1;
    buffer_free(&text);
}

struct child {
    uint32_t row;
    int64_t dur;
};

/* The longest of them, in order; a slice can have millions. */
struct longest {
    struct child items[DETAILS_MAX_GROUP];
    uint32_t count;
};

static void keep_longest(struct longest *l, struct child child)
{
    uint32_t at = l->count;
    while (at > 0 && l->items[at - 1].dur < child.dur)
        at--;
    if (at == DETAILS_MAX_GROUP) return;
    uint32_t moved = l->count - at;
    if (l->count == DETAILS_MAX_GROUP)
        moved--;
    else
        l->count++;
    memmove(&l->items[at + 1], &l->items[at], moved * sizeof *l->items);
    l->items[at] = child;
}

/* Children, the longest first, and what the slice spent itself. */
static void add_children(struct details *d, const struct tables *t, const struct event *event,
                         uint32_t utid, int64_t ts)
{
    struct row_span span;
    if (!table_rows_equal(&t->slice.table, slice_COLUMN_parent_id, event->id, &span) || !span.count)
        return;
    struct longest children = {.count = 0};
    int64_t inside = 0;
    for (uint32_t i = 0; i < span.count; i++) {
        int64_t dur = column_get_int64(&t->slice.dur, span.rows[i]);
        /* One that never ended lasts as long as its parent. */
        if (dur < 0 && !checked_sub_int64(saturating_add_int64(ts, event->dur),
                                          column_get_int64(&t->slice.ts, span.rows[i]), &dur))
            dur = 0;
        if (dur > 0) inside = saturating_add_int64(inside, dur);
        keep_longest(&children, (struct child){span.rows[i], dur});
    }
    int64_t self = event->dur > inside ? event->dur - inside : 0;
    if (event->dur > 0)
        details_add_duration(d, &d->right, "self time", self)->bar =
            (double)self / (double)event->dur;
    struct buffer text = BUFFER_INIT;
    buffer_printf(&text, "%u, the longest ", span.count);
    duration_write(children.items[0].dur, &text);
    if (details_begin_group(d, &d->right, "children", "children", buffer_str(&text), span.count)) {
        for (uint32_t i = 0; i < children.count; i++) {
            struct detail_line *line =
                details_add_slice(d, t, &d->right, "", children.items[i].row, utid, ts);
            line->indent = 1;
            buffer_clear(&text);
            duration_write(children.items[i].dur, &text);
            line->label = arena_copy_str(&d->arena, buffer_str(&text));
        }
        details_end_group(d, &d->right, span.count);
    }
    buffer_free(&text);
}

/* ---- flows ---- */

/* The one that ] or [ would follow has a mark, when there are several. */
static void add_flows(struct details *d, const struct tables *t, uint32_t slice, bool out,
                      uint32_t utid, int64_t ts)
{
    struct row_span span;
    const struct column *other = out ? &t->flow.slice_in : &t->flow.slice_out;
    uint32_t column = out ? flow_COLUMN_slice_out : flow_COLUMN_slice_in;
    if (!table_rows_equal(&t->flow.table, column, slice, &span) || !span.count) return;
    struct buffer text = BUFFER_INIT;
    buffer_printf(&text, "%u", span.count);
    if (details_begin_group(d, &d->right, out ? "flows out" : "flows in",
                            out ? "flows out" : "flows in", buffer_str(&text), span.count)) {
        for (uint32_t i = 0; i < span.count && i < DETAILS_MAX_GROUP; i++) {
            struct detail_line *line = details_add_slice(
                d, t, &d->right, NULL, column_get_row(other, span.rows[i]), utid, ts);
            line->indent = 1;
            if (span.count < 2 || i != d->focused_flow % span.count) continue;
            buffer_clear(&text);
            buffer_append_text(&text, "> ");
            buffer_append_str(&text, line->value);
            line->value = arena_copy_str(&d->arena, buffer_str(&text));
        }
        details_end_group(d, &d->right, span.count);
    }
    buffer_free(&text);
}

/* ---- others of its name ---- */

#define MAX_SPREAD_ROWS 1000000u /* beyond: every second row, every third … */

static const struct spread *spread_of_name(struct details *d, const struct tables *t, uint8_t trace,
                                           string_id name, struct row_span span)
{
    if (d->same_name.valid && d->same_name.trace == trace && d->same_name.name == name &&
        d->same_name.count == span.count)
        return &d->same_name.spread;
    uint32_t step = span.count / MAX_SPREAD_ROWS + 1, n = 0;
    int64_t *durations = mem_alloc(((size_t)span.count / step + 1) * sizeof *durations);
    for (uint32_t i = 0; i < span.count; i += step) {
        int64_t dur = column_get_int64(&t->slice.dur, span.rows[i]);
        if (dur >= 0) durations[n++] = dur;
    }
    spread_compute(durations, n, &d->same_name.spread);
    mem_free(durations);
    d->same_name.valid = true;
    d->same_name.trace = trace;
    d->same_name.name = name;
    d->same_name.count = span.count;
    return &d->same_name.spread;
}

static void add_histogram(struct details *d, const struct spread *spread, int64_t dur)
{
    uint8_t *levels = arena_alloc(&d->arena, SPREAD_BUCKETS);
    uint32_t most = 1;
    for (int i = 0; i < SPREAD_BUCKETS; i++)
        if (spread->buckets[i] > most) most = spread->buckets[i];
    for (int i = 0; i < SPREAD_BUCKETS; i++) {
        uint64_t n = spread->buckets[i];
        levels[i] = n ? (uint8_t)(1 + n * 7 / most) : 0;
    }
    struct buffer text = BUFFER_INIT;
    duration_write(spread->least, &text);
    struct detail_line *line = details_add(d, &d->right, buffer_text(&text), STR(""));
    buffer_clear(&text);
    duration_write(spread->most, &text);
    if (spread->is_log) buffer_append_text(&text, " (log)");
    line->value = arena_copy_str(&d->arena, buffer_str(&text));
    line->levels = levels;
    line->n_levels = SPREAD_BUCKETS;
    line->indent = 1;
    if (dur >= 0) line->here = spread_bucket(spread, dur);
    buffer_free(&text);
}

/* Count and spread of the slices of one name, and where this one lies in it. */
static void add_same_name(struct details *d, const struct tables *t, const struct event *event)
{
    struct row_span span;
    string_id name = column_get_string(&t->slice.name, event->id);
    if (name == STRING_NULL || !table_rows_equal(&t->slice.table, slice_COLUMN_name, name, &span) ||
        span.count < 2)
        return;
    const struct spread *spread = spread_of_name(d, t, event->trace, name, span);
    struct buffer text = BUFFER_INIT;
    buffer_printf(&text, "%u", span.count);
    if (spread->count) {
        buffer_append_text(&text, "  p50 ");
        duration_write(spread->p50, &text);
        buffer_append_text(&text, "  p95 ");
        duration_write(spread->p95, &text);
    }
    bool is_open =
        details_begin_group(d, &d->right, "same name", "same name", buffer_str(&text), 1);
    if (is_open && spread->count) add_histogram(d, spread, event->unfinished ? -1 : event->dur);
    buffer_free(&text);
}

void details_of_slice(struct details *d, struct session *s, const struct tables *t,
                      const struct event *event)
{
    uint32_t id = event->id;
    const struct slice_table *slice = &t->slice;
    uint32_t track = column_get_row(&slice->track_id, id), utid = NULL_UINT32;
    if (track < table_rows(&t->track.table)) utid = column_get_row(&t->track.utid, track);
    int64_t ts = column_get_int64(&slice->ts, id);
    details_add_heading(d, &d->left, event->name);
    if (utid != NULL_UINT32)
        details_add_thread(d, t, &d->left, "thread", utid);
    else if (event->node)
        details_add(d, &d->left, "track", str_of(event->node->name));
    details_add_time(d, s, &d->left, "start", event->ts);
    if (event->unfinished)
        details_add(d, &d->left, "duration", STR("did not end"));
    else
        details_add_duration(d, &d->left, "duration", event->dur);
    if (!column_is_null(&slice->thread_dur, id) && event->dur > 0) {
        int64_t cpu = column_get_int64(&slice->thread_dur, id);
        details_add_duration(d, &d->left, "CPU time", cpu)->bar = (double)cpu / (double)event->dur;
    }
    if (utid != NULL_UINT32) add_states(d, t, utid, ts, saturating_add_int64(ts, event->dur));
    struct str category = strpool_get(t->strings, column_get_string(&slice->category, id));
    if (category.n) details_add(d, &d->left, "category", category);
    uint32_t upid = NULL_UINT32;
    if (utid < table_rows(&t->thread.table))
        upid = column_get_row(&t->thread.upid, utid);
    else if (track < table_rows(&t->track.table))
        upid = column_get_row(&t->track.upid, track);
    details_add_user(d, t, &d->left, upid);
    details_add_number(d, &d->left, "id", id, "");
    details_add_frame(d, t, event);
    details_add_args(d, t, &d->left, column_get_row(&slice->arg_set_id, id), "slice");

    details_add_heading(d, &d->right, STR("Around it"));
    add_ancestors(d, t, id, utid, ts);
    add_children(d, t, event, utid, ts);
    add_flows(d, t, id, false, utid, ts);
    add_flows(d, t, id, true, utid, ts);
    add_same_name(d, t, event);
}
