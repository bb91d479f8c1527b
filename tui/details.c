#include "tui/details.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "commands/event.h"
#include "engine/base/memory.h"
#include "tui/time_text.h"

static struct detail_line *add(struct details *d, struct detail_lines *to, const char *label,
                               struct str value)
{
    struct detail_line line = {.label = arena_copy_str(&d->arena, str_of(label)),
                               .value = arena_copy_str(&d->arena, value),
                               .bar = -1};
    vec_push(to, line);
    return vec_last(to);
}

static void add_heading(struct details *d, struct detail_lines *to, struct str text)
{
    add(d, to, "", text)->is_heading = true;
}

static struct detail_line *add_duration(struct details *d, struct detail_lines *to,
                                        const char *label, int64_t ns)
{
    struct buffer text = BUFFER_INIT;
    duration_write(ns, &text);
    struct detail_line *line = add(d, to, label, buffer_str(&text));
    buffer_free(&text);
    return line;
}

static void add_time(struct details *d, struct session *s, struct detail_lines *to,
                     const char *label, int64_t ts)
{
    struct buffer text = BUFFER_INIT;
    time_write(s, ts, &text);
    add(d, to, label, buffer_str(&text));
    buffer_free(&text);
}

static void add_number(struct details *d, struct detail_lines *to, const char *label, double value,
                       const char *unit)
{
    struct buffer text = BUFFER_INIT;
    number_write(value, unit, &text);
    add(d, to, label, buffer_str(&text));
    buffer_free(&text);
}

static void add_thread(struct details *d, const struct tables *t, struct detail_lines *to,
                       const char *label, uint32_t utid)
{
    if (utid >= table_rows(&t->thread.table)) return;
    struct buffer text = BUFFER_INIT;
    track_thread_name(t, utid, &text);
    uint32_t upid = column_get_row(&t->thread.upid, utid);
    if (upid != NULL_UINT32) {
        buffer_append_text(&text, ", ");
        track_process_name(t, upid, &text);
    }
    add(d, to, label, buffer_str(&text));
    buffer_free(&text);
}

static struct detail_line *add_event(struct details *d, const struct tables *t,
                                     struct detail_lines *to, const char *label, uint32_t slice,
                                     int64_t reference)
{
    struct buffer text = BUFFER_INIT;
    buffer_append_str(&text, strpool_get(t->strings, column_get_string(&t->slice.name, slice)));
    int64_t delta = column_get_int64(&t->slice.ts, slice) - reference;
    buffer_append_text(&text, delta < 0 ? "  " : "  +");
    duration_write(delta, &text);
    struct detail_line *line = add(d, to, label, buffer_str(&text));
    line->leads = true;
    line->target_table = EVENT_SLICE;
    line->target_id = slice;
    buffer_free(&text);
    return line;
}

/* ---- args ---- */

static void arg_text(const struct tables *t, uint32_t row, struct buffer *out)
{
    const struct args_table *args = &t->args;
    struct str type = strpool_get(t->strings, column_get_string(&args->value_type, row));
    if (str_is(type, "string") || str_is(type, "json"))
        buffer_append_str(out,
                          strpool_get(t->strings, column_get_string(&args->string_value, row)));
    else if (str_is(type, "real"))
        buffer_printf(out, "%g", column_get_double(&args->real_value, row));
    else if (str_is(type, "pointer"))
        buffer_printf(out, "0x%llx", (unsigned long long)column_get_int64(&args->int_value, row));
    else if (str_is(type, "bool"))
        buffer_append_text(out, column_get_int64(&args->int_value, row) ? "true" : "false");
    else if (str_is(type, "uint"))
        buffer_printf(out, "%llu", (unsigned long long)column_get_int64(&args->int_value, row));
    else if (str_is(type, "int"))
        buffer_printf(out, "%lld", (long long)column_get_int64(&args->int_value, row));
    else
        buffer_append_text(out, "NULL");
}

static void add_args(struct details *d, const struct tables *t, struct detail_lines *to,
                     uint32_t set)
{
    if (set == NULL_UINT32) return;
    add_heading(d, to, STR("Arguments"));
    struct str before = STR("");
    for (uint32_t row = set; row < table_rows(&t->args.table); row++) {
        if (column_get_row(&t->args.arg_set_id, row) != set) break;
        struct str key = strpool_get(t->strings, column_get_string(&t->args.key, row));
        /* Parts that it shares with the key above are indented away. */
        size_t shared = 0;
        uint8_t indent = 1;
        for (size_t i = 0; i < key.n && i < before.n && key.p[i] == before.p[i]; i++)
            if (key.p[i] == '.') {
                shared = i + 1;
                indent++;
            }
        struct buffer value = BUFFER_INIT;
        arg_text(t, row, &value);
        char *label = mem_copy_string(key.p + shared, key.n - shared);
        struct detail_line *line = add(d, to, label, buffer_str(&value));
        line->indent = indent < 6 ? indent : 6;
        mem_free(label);
        buffer_free(&value);
        before = key;
    }
}

/* ---- slices ---- */

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
            add_duration(d, &d->left, strpool_text(t->strings, sums[best].state), ns);
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
            add_event(d, t, &d->right, "from", column_get_row(&t->flow.slice_out, span.rows[i]),
                      ts);
    if (table_rows_equal(&t->flow.table, flow_COLUMN_slice_out, slice, &span))
        for (uint32_t i = 0; i < span.count && i < 20; i++)
            add_event(d, t, &d->right, "to", column_get_row(&t->flow.slice_in, span.rows[i]), ts);
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
    add(d, &d->right, "same name", buffer_str(&text));
    buffer_free(&text);
}

static uint32_t thread_of_track(const struct tables *t, uint32_t track)
{
    return track < table_rows(&t->track.table) ? column_get_row(&t->track.utid, track)
                                               : NULL_UINT32;
}

static void slice_details(struct details *d, struct session *s, const struct tables *t,
                          const struct event *event)
{
    uint32_t id = event->id;
    const struct slice_table *slice = &t->slice;
    uint32_t track = column_get_row(&slice->track_id, id);
    uint32_t utid = thread_of_track(t, track);
    int64_t ts = column_get_int64(&slice->ts, id);
    add_heading(d, &d->left, event->name);
    if (utid != NULL_UINT32)
        add_thread(d, t, &d->left, "thread", utid);
    else if (event->node)
        add(d, &d->left, "track", str_of(event->node->name));
    add_time(d, s, &d->left, "start", event->ts);
    if (event->unfinished)
        add(d, &d->left, "duration", STR("did not end"));
    else
        add_duration(d, &d->left, "duration", event->dur);
    if (!column_is_null(&slice->thread_dur, id) && event->dur > 0) {
        int64_t cpu = column_get_int64(&slice->thread_dur, id);
        add_duration(d, &d->left, "CPU time", cpu)->bar = (double)cpu / (double)event->dur;
    }
    if (utid != NULL_UINT32) add_states(d, t, utid, ts, ts + event->dur);
    struct str category = strpool_get(t->strings, column_get_string(&slice->category, id));
    if (category.n) add(d, &d->left, "category", category);
    add_number(d, &d->left, "id", id, "");
    add_args(d, t, &d->left, column_get_row(&slice->arg_set_id, id));

    add_heading(d, &d->right, STR("Around it"));
    uint32_t parent = column_get_row(&slice->parent_id, id);
    for (int i = 0; i < 16 && parent != NULL_UINT32; i++) {
        add_event(d, t, &d->right, i ? "above" : "parent", parent, ts);
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
        add_number(d, &d->right, "children", children.count, "");
        add_event(d, t, &d->right, "longest", longest, ts);
        if (event->dur > 0)
            add_duration(d, &d->right, "self time", event->dur - inside)->bar =
                (double)(event->dur - inside) / (double)event->dur;
    }
    add_flows(d, t, id, ts);
    add_same_name(d, t, column_get_string(&slice->name, id));
}

/* ---- scheduling ---- */

static void sched_details(struct details *d, struct session *s, const struct tables *t,
                          const struct event *event)
{
    uint32_t id = event->id;
    uint32_t utid = column_get_row(&t->sched_slice.utid, id);
    add_heading(d, &d->left, event->name);
    add_thread(d, t, &d->left, "thread", utid);
    add_time(d, s, &d->left, "start", event->ts);
    add_duration(d, &d->left, "ran for", event->dur);
    int64_t priority = column_get_int64(&t->sched_slice.priority, id);
    add_number(d, &d->left, "priority", (double)priority, priority < 100 ? "(real-time)" : "");
    struct str end_state =
        strpool_get(t->strings, column_get_string(&t->sched_slice.end_state, id));
    if (end_state.n) add(d, &d->left, "end state", end_state);
    uint32_t ucpu = column_get_row(&t->sched_slice.ucpu, id);
    add_number(d, &d->left, "CPU", ucpu % 4096, "");

    /* The runnable state that led here: its waker and the wait. */
    struct row_span span;
    int64_t ts = column_get_int64(&t->sched_slice.ts, id);
    if (!table_rows_equal(&t->thread_state.table, thread_state_COLUMN_utid, utid, &span)) return;
    for (uint32_t i = 1; i < span.count; i++) {
        uint32_t row = span.rows[i], before = span.rows[i - 1];
        if (column_get_int64(&t->thread_state.ts, row) != ts) continue;
        uint32_t waker = column_get_row(&t->thread_state.waker_utid, before);
        add_heading(d, &d->right, STR("Scheduling latency"));
        add_duration(d, &d->right, "waited", ts - column_get_int64(&t->thread_state.ts, before));
        if (waker != NULL_UINT32) add_thread(d, t, &d->right, "woken by", waker);
        break;
    }
}

static void state_details(struct details *d, struct session *s, const struct tables *t,
                          const struct event *event)
{
    uint32_t id = event->id;
    add_heading(d, &d->left, event->name);
    add_thread(d, t, &d->left, "thread", column_get_row(&t->thread_state.utid, id));
    add_time(d, s, &d->left, "start", event->ts);
    add_duration(d, &d->left, "duration", event->dur);
    uint32_t ucpu = column_get_row(&t->thread_state.ucpu, id);
    if (ucpu != NULL_UINT32) add_number(d, &d->left, "on CPU", ucpu % 4096, "");
    if (!column_is_null(&t->thread_state.io_wait, id))
        add(d, &d->left, "I/O wait",
            str_of(column_get_int64(&t->thread_state.io_wait, id) ? "yes" : "no"));
    struct str function =
        strpool_get(t->strings, column_get_string(&t->thread_state.blocked_function, id));
    if (function.n) add(d, &d->left, "blocked in", function);
    uint32_t waker = column_get_row(&t->thread_state.waker_utid, id);
    if (waker == NULL_UINT32) return;
    add_heading(d, &d->right, STR("Woken by"));
    add_thread(d, t, &d->right, "thread", waker);
    uint32_t waker_id = column_get_row(&t->thread_state.waker_id, id);
    if (waker_id == NULL_UINT32) return;
    struct detail_line *line = add(d, &d->right, "state", STR("go there"));
    line->leads = true;
    line->target_table = EVENT_THREAD_STATE;
    line->target_id = waker_id;
}

/* ---- the rest ---- */

static void counter_details(struct details *d, struct session *s, const struct tables *t,
                            const struct event *event)
{
    add_heading(d, &d->left, event->node ? str_of(event->node->name) : event->name);
    add_time(d, s, &d->left, "at", event->ts);
    const char *unit = event->node ? event->node->unit : "";
    double value = column_get_double(&t->counter.value, event->id);
    add_number(d, &d->left, "value", value, unit);
    struct row_span span;
    if (table_rows_equal(&t->counter.table, counter_COLUMN_track_id,
                         column_get_row(&t->counter.track_id, event->id), &span))
        for (uint32_t i = 1; i < span.count; i++)
            if (span.rows[i] == event->id)
                add_number(d, &d->left, "change",
                           value - column_get_double(&t->counter.value, span.rows[i - 1]), unit);
    add_duration(d, &d->left, "until next", event->dur);
    add_args(d, t, &d->left, column_get_row(&t->counter.arg_set_id, event->id));
}

static void sample_details(struct details *d, struct session *s, const struct tables *t,
                           const struct event *event)
{
    add_heading(d, &d->left, STR("Sample"));
    add_time(d, s, &d->left, "at", event->ts);
    uint32_t task = column_get_row(&t->profiler_sample.task_context_id, event->id);
    if (task != NULL_UINT32)
        add_thread(d, t, &d->left, "thread", column_get_row(&t->profiler_task_context.utid, task));
    add_heading(d, &d->right, STR("Call stack"));
    uint32_t site = column_get_row(&t->profiler_sample.callsite_id, event->id);
    for (int i = 0; i < 128 && site != NULL_UINT32; i++) {
        uint32_t frame = column_get_row(&t->stack_profile_callsite.frame_id, site);
        struct str name =
            strpool_get(t->strings, column_get_string(&t->stack_profile_frame.name, frame));
        add(d, &d->right, "", name.n ? name : STR("(no symbol)"));
        site = column_get_row(&t->stack_profile_callsite.parent_id, site);
    }
}

static void plain_details(struct details *d, struct session *s, const struct event *event)
{
    add_heading(d, &d->left, event->name);
    add_time(d, s, &d->left, "at", event->ts);
    if (event->dur > 0) add_duration(d, &d->left, "duration", event->dur);
    add_number(d, &d->left, "id", event->id, "");
}

static void event_details(struct details *d, struct session *s)
{
    struct event event;
    if (!event_of_selection(s, &event)) return;
    const struct tables *t = session_tables(s, event.trace);
    switch (event.table) {
    case EVENT_SLICE: slice_details(d, s, t, &event); break;
    case EVENT_SCHED: sched_details(d, s, t, &event); break;
    case EVENT_THREAD_STATE: state_details(d, s, t, &event); break;
    case EVENT_COUNTER: counter_details(d, s, t, &event); break;
    case EVENT_SAMPLE: sample_details(d, s, t, &event); break;
    case EVENT_FTRACE:
        plain_details(d, s, &event);
        add_args(d, t, &d->left, column_get_row(&t->ftrace_event.arg_set_id, event.id));
        break;
    default: plain_details(d, s, &event);
    }
}

static void area_details(struct details *d, struct session *s)
{
    add_heading(d, &d->left, STR("Area"));
    add_time(d, s, &d->left, "from", s->selection.start);
    add_time(d, s, &d->left, "to", s->selection.end);
    add_duration(d, &d->left, "length", s->selection.end - s->selection.start);
    if (s->selection.tracks.count)
        add_number(d, &d->left, "tracks", (double)s->selection.tracks.count, "");
    else
        add(d, &d->left, "tracks", STR("all"));
}

static void track_details(struct details *d, struct session *s)
{
    const struct track_node *node =
        s->workspace ? track_tree_find(&s->workspace->tree, s->selection.uri) : NULL;
    if (!node) return;
    add_heading(d, &d->left, str_of(node->name));
    struct buffer path = BUFFER_INIT;
    track_node_path(node, &path);
    add(d, &d->left, "path", buffer_str(&path));
    buffer_free(&path);
    if (node->events) add_number(d, &d->left, "events", (double)node->events, "");
}

void details_update(struct details *d, struct session *s)
{
    const struct selection *sel = &s->selection;
    const char *uri = sel->uri ? sel->uri : "";
    if (d->valid && d->kind == sel->kind && d->table == sel->table && d->id == sel->id &&
        d->trace == sel->trace && d->start == sel->start && d->end == sel->end &&
        d->time_format == s->time_format && strcmp(d->uri, uri) == 0)
        return;
    details_dispose(d);
    d->kind = sel->kind;
    d->table = sel->table;
    d->id = sel->id;
    d->trace = sel->trace;
    d->start = sel->start;
    d->end = sel->end;
    d->time_format = s->time_format;
    d->uri = mem_strdup(uri);
    d->valid = true;
    switch (sel->kind) {
    case SELECTION_EVENT: event_details(d, s); break;
    case SELECTION_AREA: area_details(d, s); break;
    case SELECTION_TRACK: track_details(d, s); break;
    case SELECTION_NOTE: {
        const struct note *note = session_note_find(s, sel->id);
        if (!note) break;
        add_heading(d, &d->left, note->text[0] ? str_of(note->text) : STR("Note"));
        add_time(d, s, &d->left, "at", note->start);
        if (note->is_span) add_duration(d, &d->left, "length", note->end - note->start);
        break;
    }
    case SELECTION_NONE: break;
    }
}

void details_dispose(struct details *d)
{
    arena_free(&d->arena);
    vec_free(&d->left);
    vec_free(&d->right);
    mem_free(d->uri);
    *d = (struct details){.arena = ARENA_INIT};
}

const struct detail_line *details_line(const struct details *d, uint64_t row)
{
    if (row < d->left.count) return &d->left.items[row];
    row -= d->left.count;
    return row < d->right.count ? &d->right.items[row] : NULL;
}

/* ---- drawing ---- */

static void draw_line(struct app *app, const struct detail_line *line, struct rect area,
                      int label_w, bool focused)
{
    struct canvas *canvas = app->canvas;
    uint8_t bg = focused ? COLOR_FOCUS : COLOR_DEFAULT;
    uint8_t attributes = focused && app->theme->is_mono ? CELL_REVERSE : 0;
    if (focused) canvas_fill(canvas, area, ' ', (struct style){COLOR_DEFAULT, bg, attributes});
    if (line->is_heading) {
        canvas_text_middle(canvas, area.x, area.y, area.w, line->value,
                           (struct style){COLOR_DEFAULT, bg, attributes | CELL_BOLD});
        return;
    }
    int x = area.x + 1 + line->indent;
    int label_room = label_w - line->indent;
    if (line->label.n)
        canvas_text(canvas, x, area.y, label_room, line->label,
                    (struct style){COLOR_DIM, bg, attributes});
    int value_x = area.x + 1 + (line->label.n ? label_w + 1 : 0);
    int room = area.x + area.w - value_x;
    uint8_t fg = line->leads ? COLOR_SELECTION : COLOR_DEFAULT;
    int used =
        canvas_text(canvas, value_x, area.y, room, line->value, (struct style){fg, bg, attributes});
    if (line->bar < 0 || room - used < 8) return;
    int cells = room - 12 < 20 ? room - 12 : 20;
    int eighths = (int)(line->bar * cells * 8 + 0.5);
    for (int i = 0; i < cells && eighths > 0; i++, eighths -= 8)
        canvas_put(canvas, value_x + 12 + i, area.y,
                   canvas_glyph(canvas, eighths >= 8 ? 0x2588 : 0x2590u - (uint32_t)eighths, '#'),
                   (struct style){COLOR_SUMMARY, bg, attributes});
}

static int label_width(const struct detail_lines *lines, int room)
{
    size_t most = 6;
    for (size_t i = 0; i < lines->count; i++) {
        size_t n = lines->items[i].label.n + lines->items[i].indent;
        if (n > most) most = n;
    }
    int limit = room / 2;
    return (int)most < limit ? (int)most : limit;
}

void details_draw(struct app *app, const struct details *d, struct rect area)
{
    struct session *s = app->session;
    if (!d->left.count && !d->right.count) {
        canvas_text(app->canvas, area.x + 1, area.y, area.w - 2,
                    STR("Nothing is selected: Enter selects what is under the cursor."),
                    STYLE(DIM, DEFAULT, 0));
        return;
    }
    const struct tab *tab = session_tab_shown(s);
    uint64_t row = s->pane == PANE_DETAILS && tab ? tab->row : UINT64_MAX;
    bool two = area.w >= 72 && d->right.count;
    struct rect left = area;
    if (two) left.w = area.w * 11 / 20;
    int widths[2] = {label_width(&d->left, left.w), label_width(&d->right, area.w - left.w)};
    if (!two) widths[0] = widths[1] = widths[0] > widths[1] ? widths[0] : widths[1];
    if (row != UINT64_MAX) {
        int64_t at = (int64_t)row;
        if (two && at >= (int64_t)d->left.count) at -= (int64_t)d->left.count;
        if (at < app->drawer_top) app->drawer_top = at;
        if (at >= app->drawer_top + area.h) app->drawer_top = at - area.h + 1;
    }
    uint64_t index = 0;
    for (int side = 0; side < 2; side++) {
        const struct detail_lines *lines = side ? &d->right : &d->left;
        struct rect column = left;
        if (side && two)
            column = (struct rect){area.x + left.w + 1, area.y, area.w - left.w - 1, area.h};
        int64_t y = column.y - app->drawer_top;
        if (side && !two) y += (int64_t)d->left.count;
        for (size_t i = 0; i < lines->count; i++, y++, index++) {
            if (y < area.y || y >= area.y + area.h) continue;
            draw_line(app, &lines->items[i], (struct rect){column.x, (int)y, column.w, 1},
                      widths[side], index == row);
        }
    }
}
