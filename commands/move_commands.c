/* Cursor, window, rows, jumps. */
#include "commands/core.h"
#include "commands/event.h"

/* A count: argument i, or 1. */
static int64_t count_arg(const struct command_call *call, uint32_t i)
{
    int64_t n = 1;
    if (i < call->n_args) str_to_int64(str_of(call->args[i]), &n);
    return n > 1000000 ? 1000000 : n < -1000000 ? -1000000 : n;
}

static int64_t cell_ns(const struct session *session)
{
    int64_t ns = (session->window_end - session->window_start) / session->cells;
    return ns > 0 ? ns : 1;
}

static void move_cells(struct session *session, int64_t cells)
{
    int64_t ns = cell_ns(session), by;
    if (__builtin_mul_overflow(ns, cells, &by)) return;
    session_set_cursor(session, session->cursor + by);
}

static bool move_horizontally(const struct command_call *call, int direction)
{
    move_cells(call->session, direction * count_arg(call, 0));
    return true;
}

static bool cursor_left(const struct command_call *call, struct status *st)
{
    (void)st;
    return move_horizontally(call, -1);
}

static bool cursor_right(const struct command_call *call, struct status *st)
{
    (void)st;
    return move_horizontally(call, 1);
}

/* With an event selected, left and right go from event to event. */
static bool step_or_move(const struct command_call *call, bool forward, struct status *st)
{
    const struct selection *s = &call->session->selection;
    if (s->kind == SELECTION_EVENT && !call->session->area_open)
        return session_select_neighbour(call->session, forward, st);
    return move_horizontally(call, forward ? 1 : -1);
}

static bool left(const struct command_call *call, struct status *st)
{
    return step_or_move(call, false, st);
}

static bool right(const struct command_call *call, struct status *st)
{
    return step_or_move(call, true, st);
}

static bool zoom(const struct command_call *call, double factor)
{
    int64_t n = count_arg(call, 0);
    for (int64_t i = 0; i < n && i < 100; i++)
        session_zoom(call->session, factor, call->session->cursor);
    return true;
}

static bool zoom_in(const struct command_call *call, struct status *st)
{
    (void)st;
    return zoom(call, 2.0 / 3.0);
}

static bool zoom_out(const struct command_call *call, struct status *st)
{
    (void)st;
    return zoom(call, 1.5);
}

static bool zoom_to_fit(const struct command_call *call, struct status *st)
{
    (void)st;
    session_jump_push(call->session);
    session_set_window(call->session, call->session->start, call->session->end);
    return true;
}

static bool zoom_to(const struct command_call *call, struct status *st)
{
    int64_t start = 0, end = 0;
    str_to_int64(str_of(call->args[0]), &start);
    str_to_int64(str_of(call->args[1]), &end);
    if (end <= start)
        return status_fail(st, STATUS_USAGE, STATUS_NO_OFFSET, "the end is not after the start");
    session_jump_push(call->session);
    session_set_window(call->session, start, end);
    if (call->session->cursor < start || call->session->cursor >= end)
        session_set_cursor(call->session, start);
    return true;
}

static bool pan(const struct command_call *call, double windows)
{
    session_pan(call->session, windows * (double)count_arg(call, 0));
    return true;
}

static bool pan_left(const struct command_call *call, struct status *st)
{
    (void)st;
    return pan(call, -0.2);
}

static bool pan_right(const struct command_call *call, struct status *st)
{
    (void)st;
    return pan(call, 0.2);
}

static bool pan_cells(const struct command_call *call, struct status *st)
{
    (void)st;
    return pan(call, 1.0 / call->session->cells);
}

static bool pan_to_timestamp(const struct command_call *call, struct status *st)
{
    (void)st;
    struct session *session = call->session;
    int64_t ts = 0;
    str_to_int64(str_of(call->args[0]), &ts);
    session_jump_push(session);
    int64_t length = session->window_end - session->window_start;
    session_set_cursor(session, ts);
    session_set_window(session, session->cursor - length / 2,
                       session->cursor - length / 2 + length);
    return true;
}

/* ---- rows ---- */

/* One step down or up: through the depths of a track, then to the next row. */
static void step_row(struct session *session, int direction)
{
    const struct track_node *node = session->focus;
    bool deep = node && node->depths > 1 && !node->flat;
    if (deep && direction > 0 && session->focus_depth + 1 < node->depths) {
        session->focus_depth++;
        session_moved(session);
        return;
    }
    if (deep && direction < 0 && session->focus_depth > 0) {
        session->focus_depth--;
        session_moved(session);
        return;
    }
    int64_t row = session_focus_index(session);
    session_focus_row(session, row + direction);
    if (direction < 0 && session->focus != node && session->focus && !session->focus->flat)
        session->focus_depth = session->focus->depths - 1;
}

static bool move_rows(const struct command_call *call, int direction)
{
    int64_t n = count_arg(call, 0);
    for (int64_t i = 0; i < n; i++) {
        const struct track_node *node = call->session->focus;
        uint32_t depth = call->session->focus_depth;
        step_row(call->session, direction);
        if (call->session->focus == node && call->session->focus_depth == depth) break;
    }
    return true;
}

static bool row_down(const struct command_call *call, struct status *st)
{
    (void)st;
    return move_rows(call, 1);
}

static bool row_up(const struct command_call *call, struct status *st)
{
    (void)st;
    return move_rows(call, -1);
}

static bool move_whole_rows(const struct command_call *call, int64_t rows)
{
    int64_t at = session_focus_index(call->session);
    session_focus_row(call->session, at + rows * count_arg(call, 0));
    return true;
}

static bool next_row(const struct command_call *call, struct status *st)
{
    (void)st;
    return move_whole_rows(call, 1);
}

static bool previous_row(const struct command_call *call, struct status *st)
{
    (void)st;
    return move_whole_rows(call, -1);
}

static int64_t page(const struct session *session)
{
    return session->rows_visible > 2 ? (int64_t)session->rows_visible - 1 : 1;
}

static bool page_down(const struct command_call *call, struct status *st)
{
    (void)st;
    return move_whole_rows(call, page(call->session));
}

static bool page_up(const struct command_call *call, struct status *st)
{
    (void)st;
    return move_whole_rows(call, -page(call->session));
}

static bool first_row(const struct command_call *call, struct status *st)
{
    (void)st;
    session_focus_row(call->session, 0);
    return true;
}

static bool last_row(const struct command_call *call, struct status *st)
{
    (void)st;
    session_focus_row(call->session, INT64_MAX);
    return true;
}

static bool to_parent_group(const struct command_call *call, struct status *st)
{
    struct session *session = call->session;
    struct track_node *up = session->focus ? session->focus->parent : NULL;
    while (up && up->headless)
        up = up->parent;
    if (!up) return status_fail(st, STATUS_INVALID, STATUS_NO_OFFSET, "this row is in no group");
    session->focus = up;
    session->focus_depth = 0;
    session_changed(session);
    return true;
}

static bool cursor_to_start(const struct command_call *call, struct status *st)
{
    (void)st;
    session_set_cursor(call->session, call->session->start);
    return true;
}

static bool cursor_to_end(const struct command_call *call, struct status *st)
{
    (void)st;
    session_set_cursor(call->session, call->session->end);
    return true;
}

/* ---- jumps ---- */

static bool jump(const struct command_call *call, int step, struct status *st)
{
    if (session_jump_go(call->session, step)) return true;
    return status_fail(st, STATUS_INVALID, STATUS_NO_OFFSET, "no jump to go %s to",
                       step < 0 ? "back" : "forward");
}

static bool jump_back(const struct command_call *call, struct status *st)
{
    return jump(call, -1, st);
}

static bool jump_forward(const struct command_call *call, struct status *st)
{
    return jump(call, 1, st);
}

#define COUNTED(symbol, command_id, words, function) \
    const struct command symbol = {.id = command_id, \
                                   .name = words, \
                                   .args = {{"count", COMMAND_ARG_INT, true, NULL}}, \
                                   .run = function}
#define PLAIN(symbol, command_id, words, function) \
    const struct command symbol = {.id = command_id, .name = words, .run = function}

COUNTED(command_cursor_left, "dev.perfetty.CursorLeft", "Cursor one cell left", cursor_left);
COUNTED(command_cursor_right, "dev.perfetty.CursorRight", "Cursor one cell right", cursor_right);
COUNTED(command_left, "dev.perfetty.Left", "Cursor left, or the previous event", left);
COUNTED(command_right, "dev.perfetty.Right", "Cursor right, or the next event", right);
COUNTED(command_zoom_in, "dev.perfetty.ZoomIn", "Zoom in about the cursor", zoom_in);
COUNTED(command_zoom_out, "dev.perfetty.ZoomOut", "Zoom out about the cursor", zoom_out);
COUNTED(command_pan_left, "dev.perfetty.PanLeft", "Pan left", pan_left);
COUNTED(command_pan_right, "dev.perfetty.PanRight", "Pan right", pan_right);
COUNTED(command_pan_cells, "dev.perfetty.PanCells", "Pan by cells of the screen", pan_cells);
PLAIN(command_zoom_to_fit, "dev.perfetty.ZoomToFit", "Show the whole trace", zoom_to_fit);
const struct command command_zoom_to = {
    .id = "dev.perfetty.ZoomTo",
    .name = "Show a span of time",
    .args = {{"start", COMMAND_ARG_TIME, false, NULL}, {"end", COMMAND_ARG_TIME, false, NULL}},
    .run = zoom_to,
};
const struct command command_pan_to_timestamp = {
    .id = "dev.perfetto.PanToTimestamp",
    .name = "Go to a time",
    .args = {{"timestamp", COMMAND_ARG_TIME, false, NULL}},
    .run = pan_to_timestamp,
};
COUNTED(command_row_down, "dev.perfetty.RowDown", "Down: depth of a track, then the next row",
        row_down);
COUNTED(command_row_up, "dev.perfetty.RowUp", "Up: depth of a track, then the row before", row_up);
COUNTED(command_next_row, "dev.perfetty.NextRow", "Next row", next_row);
COUNTED(command_previous_row, "dev.perfetty.PreviousRow", "Previous row", previous_row);
COUNTED(command_page_down, "dev.perfetty.PageDown", "A page down", page_down);
COUNTED(command_page_up, "dev.perfetty.PageUp", "A page up", page_up);
PLAIN(command_first_row, "dev.perfetty.FirstRow", "First row", first_row);
PLAIN(command_last_row, "dev.perfetty.LastRow", "Last row", last_row);
PLAIN(command_to_parent_group, "dev.perfetty.ParentRow", "Up to the row's group", to_parent_group);
PLAIN(command_cursor_to_start, "dev.perfetty.CursorToStart", "Cursor to the trace's start",
      cursor_to_start);
PLAIN(command_cursor_to_end, "dev.perfetty.CursorToEnd", "Cursor to the trace's end",
      cursor_to_end);
PLAIN(command_jump_back, "dev.perfetty.JumpBack", "Back to where you were", jump_back);
PLAIN(command_jump_forward, "dev.perfetty.JumpForward", "Forward again", jump_forward);
