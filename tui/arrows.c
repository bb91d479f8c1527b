#include "tui/arrows.h"

#include <string.h>

#include "commands/event.h"
#include "engine/base/checked.h"
#include "tui/details_lines.h"
#include "tui/timeline.h"

#define MAX_ARROWS 24u

/* Goes along the row of `from` and then to the other row, or, with `turns_late`, to the
 * other row first. */
struct arrow {
    struct event from, to;
    int64_t from_ts, to_ts; /* session time */
    bool turns_late;
};

struct arrows {
    struct app *app;
    const struct tables *tables;
    struct arrow items[MAX_ARROWS];
    uint32_t count;
};

/* ---- which ones ---- */

static int64_t within(int64_t ts, const struct event *event)
{
    int64_t end = event->ts + event->dur;
    return ts < event->ts ? event->ts : ts > end ? end : ts;
}

/* From where the one is when the other begins, or from its end. */
static void add(struct arrows *arrows, uint8_t trace, enum event_table table, uint32_t from,
                uint32_t to)
{
    if (arrows->count == MAX_ARROWS) return;
    struct arrow *arrow = &arrows->items[arrows->count];
    *arrow = (struct arrow){.turns_late = false};
    struct session *s = arrows->app->session;
    if (!event_get(s, trace, table, from, &arrow->from) ||
        !event_get(s, trace, table, to, &arrow->to))
        return;
    arrow->to_ts = arrow->to.ts;
    arrow->from_ts = within(arrow->to_ts, &arrow->from);
    arrows->count++;
}

static void add_flows(struct arrows *arrows, const struct event *slice)
{
    const struct flow_table *flow = &arrows->tables->flow;
    struct row_span span;
    if (table_rows_equal(&flow->table, flow_COLUMN_slice_out, slice->id, &span))
        for (uint32_t i = 0; i < span.count && i < MAX_ARROWS; i++)
            add(arrows, slice->trace, EVENT_SLICE, slice->id,
                column_get_row(&flow->slice_in, span.rows[i]));
    if (table_rows_equal(&flow->table, flow_COLUMN_slice_in, slice->id, &span))
        for (uint32_t i = 0; i < span.count && i < MAX_ARROWS; i++)
            add(arrows, slice->trace, EVENT_SLICE, column_get_row(&flow->slice_out, span.rows[i]),
                slice->id);
}

/* The row of a table of one thread that began last at or before `ts`; NULL_UINT32. */
static uint32_t last_of_thread(const struct table *table, uint32_t column,
                               const struct column *times, uint32_t utid, int64_t ts)
{
    struct row_span span;
    if (utid == NULL_UINT32 || !table_rows_equal(table, column, utid, &span)) return NULL_UINT32;
    uint32_t low = 0, high = span.count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (column_int64(times)[span.rows[middle]] <= ts)
            low = middle + 1;
        else
            high = middle;
    }
    return low ? span.rows[low - 1] : NULL_UINT32;
}

/* From the CPU on which the waker ran to the slice: the wait is the way along the row. */
static void add_wakeup(struct arrows *arrows, const struct event *slice)
{
    const struct tables *t = arrows->tables;
    uint32_t utid = column_get_row(&t->sched_slice.utid, slice->id);
    int64_t ts = column_get_int64(&t->sched_slice.ts, slice->id);
    if (ts == INT64_MIN) return;
    uint32_t state = details_state_at(t, utid, ts - 1);
    if (state == NULL_UINT32) return;
    uint32_t waker = column_get_row(&t->thread_state.waker_utid, state);
    int64_t woken = column_get_int64(&t->thread_state.ts, state);
    uint32_t ran = last_of_thread(&t->sched_slice.table, sched_slice_COLUMN_utid,
                                  &t->sched_slice.ts, waker, woken);
    if (ran == NULL_UINT32) return;
    uint32_t before = arrows->count;
    add(arrows, slice->trace, EVENT_SCHED, ran, slice->id);
    if (arrows->count == before) return;
    struct arrow *arrow = &arrows->items[before];
    int64_t offset = arrows->app->session->traces[slice->trace].offset_ns;
    arrow->from_ts = within(saturating_add_int64(woken, offset), &arrow->from);
    arrow->turns_late = true;
}

static void add_wakers(struct arrows *arrows, const struct event *state)
{
    const struct thread_state_table *states = &arrows->tables->thread_state;
    uint32_t waker = column_get_row(&states->waker_id, state->id);
    if (waker == NULL_UINT32)
        waker = last_of_thread(&states->table, thread_state_COLUMN_utid, &states->ts,
                               column_get_row(&states->waker_utid, state->id),
                               column_get_int64(&states->ts, state->id));
    if (waker != NULL_UINT32) add(arrows, state->trace, EVENT_THREAD_STATE, waker, state->id);
    struct row_span span;
    if (table_rows_equal(&states->table, thread_state_COLUMN_waker_id, state->id, &span))
        for (uint32_t i = 0; i < span.count && i < MAX_ARROWS; i++)
            add(arrows, state->trace, EVENT_THREAD_STATE, state->id, span.rows[i]);
}

/* ---- drawing ---- */

static bool is_on_axis(const struct layout *l, int x, int y)
{
    bool in_rows = (y >= l->tree.y && y < l->tree.y + l->tree.h) ||
                   (y >= l->pinned.y && y < l->pinned.y + l->pinned.h);
    return in_rows && x >= l->time_x && x < l->time_x + l->time_w;
}

static void put(struct app *app, int x, int y, uint32_t glyph, char ascii, bool is_head)
{
    if (!is_on_axis(&app->layout, x, y)) return;
    struct cell *cell = canvas_at(app->canvas, x, y);
    if (!is_head && (cell->character != ' ' || cell->bg != COLOR_DEFAULT)) return;
    cell->character = canvas_glyph(app->canvas, glyph, ascii);
    cell->fg = cell->bg == COLOR_SELECTION ? COLOR_INK_DARK : COLOR_SELECTION;
    cell->attributes = (uint8_t)((cell->attributes & CELL_REVERSE) | CELL_BOLD);
    /* The edge of a slice is drawn in reverse: the head would be a hole in it. */
    if (is_head && (cell->attributes & CELL_REVERSE) && !app->theme->is_mono)
        cell->attributes = CELL_BOLD;
}

static void draw_row_part(struct app *app, int from, int to, int y)
{
    int low = from < to ? from : to, high = from < to ? to : from;
    const struct layout *l = &app->layout;
    if (low < l->time_x) low = l->time_x;
    if (high >= l->time_x + l->time_w) high = l->time_x + l->time_w - 1;
    for (int x = low; x <= high; x++)
        put(app, x, y, 0x2504, '-', false);
}

static void draw_column_part(struct app *app, int x, int from, int to)
{
    int low = from < to ? from : to, high = from < to ? to : from;
    for (int y = low + 1; y < high; y++)
        put(app, x, y, 0x2506, ':', false);
}

/* The line of an event, or of the row that hides it; beyond the edge when it is
 * scrolled away.  False when no row has to do with it. */
static bool line_of(struct app *app, const struct event *event, int *y)
{
    uint32_t depth = event->depth;
    for (const struct track_node *node = event->node; node; node = node->parent, depth = 0)
        if (node->uri && timeline_line_of(app, node->uri, depth, y)) return true;
    return false;
}

static void draw_arrow(struct app *app, const struct arrow *arrow)
{
    int from_y, to_y;
    if (!line_of(app, &arrow->from, &from_y) || !line_of(app, &arrow->to, &to_y)) return;
    int from_x = app_x_of_time(app, arrow->from_ts), to_x = app_x_of_time(app, arrow->to_ts);
    const struct layout *l = &app->layout;
    int turn_x = arrow->turns_late ? from_x : to_x;
    draw_row_part(app, from_x, to_x, arrow->turns_late ? to_y : from_y);
    draw_column_part(app, turn_x, from_y, to_y);
    if (to_x < l->time_x) /* out of sight: the edge points there */
        put(app, l->time_x, to_y, 0x25C2, '<', true);
    else if (to_x >= l->time_x + l->time_w)
        put(app, l->time_x + l->time_w - 1, arrow->turns_late ? to_y : from_y, 0x25B8, '>', true);
    else if (to_y < l->tree.y && !is_on_axis(l, to_x, to_y))
        put(app, to_x, l->tree.y, 0x25B4, '^', true);
    else if (to_y >= l->tree.y + l->tree.h)
        put(app, to_x, l->tree.y + l->tree.h - 1, 0x25BE, 'v', true);
    else
        put(app, to_x, to_y, 0x25B8, '>', true);
}

void arrows_draw(struct app *app)
{
    struct event event;
    struct arrows arrows = {.app = app};
    if (app->session->selection.kind != SELECTION_EVENT ||
        app->session->selection.table == EVENT_DEBUG || !event_of_selection(app->session, &event))
        return;
    arrows.tables = session_tables(app->session, event.trace);
    switch (event.table) {
    case EVENT_SLICE: add_flows(&arrows, &event); break;
    case EVENT_SCHED: add_wakeup(&arrows, &event); break;
    case EVENT_THREAD_STATE: add_wakers(&arrows, &event); break;
    default: break;
    }
    for (uint32_t i = 0; i < arrows.count; i++)
        draw_arrow(app, &arrows.items[i]);
}
