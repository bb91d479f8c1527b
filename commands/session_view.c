/* The visible window, the cursor, the row in focus and the list of jumps. */
#include <string.h>

#include "commands/query.h"
#include "engine/base/checked.h"
#include "engine/base/memory.h"

/* Empty room that may be seen beyond the ends of the trace: one part of 20. */
static int64_t gutter(const struct session *session)
{
    return (session->end - session->start) / 20 + 1;
}

void session_set_window(struct session *session, int64_t start, int64_t end)
{
    int64_t low = session->start - gutter(session), high = session->end + gutter(session);
    if (start < low) start = low;
    if (start > high) start = high;
    if (end < low) end = low;
    if (end > high) end = high;
    if (end < start) end = start;
    if (end - start < SESSION_MIN_WINDOW) {
        start -= (SESSION_MIN_WINDOW - (end - start)) / 2;
        end = start + SESSION_MIN_WINDOW;
    }
    if (start == session->window_start && end == session->window_end) return;
    session->window_start = start;
    session->window_end = end;
    session_moved(session);
}

/* Moves the window without changing its length. */
static void slide_window(struct session *session, int64_t start)
{
    int64_t length = session->window_end - session->window_start;
    int64_t low = session->start - gutter(session);
    int64_t high = session->end + gutter(session) - length;
    if (start > high) start = high;
    if (start < low) start = low;
    session_set_window(session, start, start + length);
}

void session_set_cursor(struct session *session, int64_t ts)
{
    if (ts < session->start) ts = session->start;
    if (ts > session->end) ts = session->end;
    int64_t length = session->window_end - session->window_start;
    if (ts < session->window_start)
        slide_window(session, ts - length / 10);
    else if (ts >= session->window_end)
        slide_window(session, ts - length + length / 10 + 1);
    if (ts == session->cursor) return;
    session->cursor = ts;
    session_moved(session);
    session_follow_area(session);
}

void session_set_size(struct session *session, uint32_t cells, uint32_t rows)
{
    if (cells) session->cells = cells;
    if (rows) session->rows_visible = rows;
}

void session_zoom(struct session *session, double factor, int64_t about)
{
    double length = (double)(session->window_end - session->window_start);
    double want = length * factor;
    double most = (double)(session->end - session->start) + 2.0 * (double)gutter(session);
    if (!(want >= SESSION_MIN_WINDOW)) want = SESSION_MIN_WINDOW;
    if (want > most) want = most;
    double part = (double)(about - session->window_start) / (length > 0 ? length : 1);
    if (!(part >= 0)) part = 0;
    if (part > 1) part = 1;
    int64_t wide = (int64_t)(want + 0.5);
    int64_t start = saturating_add_int64(about, -(int64_t)(want * part));
    session->window_end = session->window_start + wide;
    slide_window(session, start);
    session_moved(session);
}

void session_pan(struct session *session, double windows)
{
    double length = (double)(session->window_end - session->window_start);
    double by = length * windows;
    if (by > 4e18) by = 4e18;
    if (by < -4e18) by = -4e18;
    int64_t step = (int64_t)by;
    if (step == 0) step = windows < 0 ? -1 : 1;
    slide_window(session, saturating_add_int64(session->window_start, step));
    if (session->cursor < session->window_start) session->cursor = session->window_start;
    if (session->cursor >= session->window_end) session->cursor = session->window_end - 1;
    if (session->cursor < session->start) session->cursor = session->start;
    if (session->cursor > session->end) session->cursor = session->end;
    session_moved(session);
}

/* ---- focus ---- */

int64_t session_focus_index(struct session *session)
{
    uint32_t count;
    const struct session_row *rows = session_rows(session, &count);
    for (uint32_t k = 0; k < count; k++) {
        uint32_t i = (session->row_cache.focus + k) % count;
        if (rows[i].node != session->focus || rows[i].pinned != session->focus_pinned) continue;
        session->row_cache.focus = i;
        return i;
    }
    return -1;
}

void session_focus_row(struct session *session, int64_t row)
{
    uint32_t count;
    const struct session_row *rows = session_rows(session, &count);
    if (count == 0) {
        session->focus = NULL;
        return;
    }
    if (row < 0) row = 0;
    if (row >= count) row = count - 1;
    if (session->focus == rows[row].node && session->focus_pinned == rows[row].pinned) return;
    session->focus = rows[row].node;
    session->focus_pinned = rows[row].pinned;
    session->focus_depth = 0;
    session->row_cache.focus = (uint32_t)row;
    session_moved(session);
    session_follow_area(session);
}

void session_fix_focus(struct session *session)
{
    if (session->focus && session_focus_index(session) >= 0) return;
    for (struct track_node *at = session->focus; at; at = at->parent) {
        session->focus = at;
        session->focus_depth = 0;
        if (session_focus_index(session) >= 0) {
            session_changed(session);
            return;
        }
    }
    session->focus = NULL;
    session->focus_pinned = false;
    session_focus_row(session, 0);
}

bool session_focus_track(struct session *session, const char *uri)
{
    struct workspace *workspace = session->workspace;
    bool pinned = false;
    struct track_node *node = track_tree_find(&workspace->tree, uri);
    if (!node) {
        node = track_tree_find(&workspace->pinned, uri);
        pinned = true;
    }
    if (!node) return false;
    if (!pinned) track_node_reveal(node);
    session->focus = node;
    session->focus_pinned = pinned;
    if (session->focus_depth >= node->depths) session->focus_depth = 0;
    session_changed(session);
    session_fix_focus(session); /* a headless node has no row */
    return true;
}

/* ---- jumps ---- */

#define MAX_JUMPS 200

static void dispose_jump(struct session_jump *jump)
{
    selection_dispose(&jump->selection);
    mem_free(jump->focus_uri);
}

static struct session_jump here(const struct session *session)
{
    struct session_jump jump = {
        .start = session->window_start, .end = session->window_end, .cursor = session->cursor};
    selection_copy(&jump.selection, &session->selection);
    jump.focus_uri = session->focus ? mem_strdup(session->focus->uri) : NULL;
    return jump;
}

void session_jump_push(struct session *session)
{
    while (session->jumps.count > session->jump_at) {
        dispose_jump(vec_last(&session->jumps));
        session->jumps.count--;
    }
    if (session->jumps.count == MAX_JUMPS) {
        dispose_jump(&session->jumps.items[0]);
        memmove(&session->jumps.items[0], &session->jumps.items[1],
                (MAX_JUMPS - 1) * sizeof session->jumps.items[0]);
        session->jumps.count--;
    }
    vec_push(&session->jumps, here(session));
    session->jump_at = (uint32_t)session->jumps.count;
}

bool session_jump_go(struct session *session, int step)
{
    int64_t to = (int64_t)session->jump_at + step;
    if (to < 0 || to >= (int64_t)session->jumps.count) return false;
    if (session->jump_at == session->jumps.count) vec_push(&session->jumps, here(session));
    struct session_jump *jump = &session->jumps.items[to];
    session->jump_at = (uint32_t)to;
    selection_dispose(&session->selection);
    selection_copy(&session->selection, &jump->selection);
    session_set_window(session, jump->start, jump->end);
    session->cursor = jump->cursor;
    if (jump->focus_uri) session_focus_track(session, jump->focus_uri);
    session_changed(session);
    return true;
}
