/* A slice: its thread's states, what is around it, its flows, others of its name. */
#include "tui/details_lines.h"
#include "tui/time_text.h"

/* How a thread spent [start, end): sums by state, longest first. */
static void add_states(struct details *d, const struct tables *t, uint32_t utid, int64_t start,
                       int64_t end)
{
    struct row_span span;
    if (end <= start ||
        !table_rows_equal(&t->thread_state.table, thread_state_COLUMN_utid, utid, &span))
        return;
    struct {
        string_id state;
        int64_t ns;
    } sums[16];
    size_t n = 0;
    const int64_t *ts = column_int64(&t->thread_state.ts);
    uint32_t low = 0, high = span.count;
    while (low < high) {
        uint32_t mid = (low + high) / 2;
        if (ts[span.rows[mid]] <= start)
            low = mid + 1;
        else
            high = mid;
    }
    for (uint32_t i = low ? low - 1 : 0; i < span.count && ts[span.rows[i]] < end; i++) {
        uint32_t row = span.rows[i];
        int64_t dur = column_get_int64(&t->thread_state.dur, row);
        int64_t stop = dur < 0 ? end : ts[row] + dur;
        int64_t from = ts[row] > start ? ts[row] : start;
        if (stop > end) stop = end;
        if (stop <= from) continue;
        string_id state = column_get_string(&t->thread_state.state, row);
        size_t k = 0;
        while (k < n && sums[k].state != state)
            k++;
        if (k == sizeof sums / sizeof *sums) continue;
        if (k == n) {
            sums[n].state = state;
            sums[n++].ns = 0;
        }
        sums[k].ns += stop - from;
    }
    for (size_t round = 0; round < n; round++) {
        size_t best = round;
        for (size_t k = round + 1; k < n; k++)
            if (sums[k].ns > sums[best].ns) best = k;
        int64_t ns = sums[best].ns;
        struct detail_line *line =
            details_add_duration(d, &d->left, strpool_text(t->strings, sums[best].state), ns);
        line->bar = (double)ns / (double)(end - start);
        line->indent = 1;
        sums[best] = sums[round];
    }
}

static void add_flows(struct details *d, const struct tables *t, uint32_t slice, int64_t ts)
{
    struct row_span span;
    if (table_rows_equal(&t->flow.table, flow_COLUMN_slice_in, slice, &span))
        for (uint32_t i = 0; i < span.count && i < 20; i++)
            details_add_slice(d, t, &d->right, "from",
                              column_get_row(&t->flow.slice_out, span.rows[i]), ts);
    if (table_rows_equal(&t->flow.table, flow_COLUMN_slice_out, slice, &span))
        for (uint32_t i = 0; i < span.count && i < 20; i++)
            details_add_slice(d, t, &d->right, "to",
                              column_get_row(&t->flow.slice_in, span.rows[i]), ts);
}

/* Count and spread of the slices of one name: median and 95th percentile. */
static void add_same_name(struct details *d, const struct tables *t, string_id name)
{
    struct row_span span;
    if (name == STRING_NULL || !table_rows_equal(&t->slice.table, slice_COLUMN_name, name, &span) ||
        span.count < 2)
        return;
    uint32_t buckets[64] = {0}; /* by power of two of the duration */
    for (uint32_t i = 0; i < span.count; i++) {
        int64_t dur = column_get_int64(&t->slice.dur, span.rows[i]);
        int bit = 0;
        while (bit < 62 && dur >> (bit + 1))
            bit++;
        buckets[dur < 0 ? 0 : bit]++;
    }
    struct buffer text = BUFFER_INIT;
    buffer_printf(&text, "%u, most near ", span.count);
    int best = 0;
    for (int i = 1; i < 63; i++)
        if (buckets[i] > buckets[best]) best = i;
    duration_write((INT64_C(1) << best) + (INT64_C(1) << best) / 2, &text);
    details_add(d, &d->right, "same name", buffer_str(&text));
    buffer_free(&text);
}

static uint32_t thread_of_track(const struct tables *t, uint32_t track)
{
    return track < table_rows(&t->track.table) ? column_get_row(&t->track.utid, track)
                                               : NULL_UINT32;
}

void details_of_slice(struct details *d, struct session *s, const struct tables *t,
                      const struct event *event)
{
    uint32_t id = event->id;
    const struct slice_table *slice = &t->slice;
    uint32_t track = column_get_row(&slice->track_id, id);
    uint32_t utid = thread_of_track(t, track);
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
    if (utid != NULL_UINT32) add_states(d, t, utid, ts, ts + event->dur);
    struct str category = strpool_get(t->strings, column_get_string(&slice->category, id));
    if (category.n) details_add(d, &d->left, "category", category);
    details_add_number(d, &d->left, "id", id, "");
    details_add_args(d, t, &d->left, column_get_row(&slice->arg_set_id, id));

    details_add_heading(d, &d->right, STR("Around it"));
    uint32_t parent = column_get_row(&slice->parent_id, id);
    for (int i = 0; i < 16 && parent != NULL_UINT32; i++) {
        details_add_slice(d, t, &d->right, i ? "above" : "parent", parent, ts);
        parent = column_get_row(&slice->parent_id, parent);
    }
    struct row_span children;
    if (table_rows_equal(&slice->table, slice_COLUMN_parent_id, id, &children) && children.count) {
        uint32_t longest = children.rows[0];
        int64_t inside = 0;
        for (uint32_t i = 0; i < children.count; i++) {
            int64_t dur = column_get_int64(&slice->dur, children.rows[i]);
            if (dur > 0) inside += dur;
            if (dur > column_get_int64(&slice->dur, longest)) longest = children.rows[i];
        }
        details_add_number(d, &d->right, "children", children.count, "");
        details_add_slice(d, t, &d->right, "longest", longest, ts);
        if (event->dur > 0)
            details_add_duration(d, &d->right, "self time", event->dur - inside)->bar =
                (double)(event->dur - inside) / (double)event->dur;
    }
    add_flows(d, t, id, ts);
    add_same_name(d, t, column_get_string(&slice->name, id));
}
