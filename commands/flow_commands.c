/* From one event to another that has to do with it. */
#include "commands/core.h"
#include "commands/event.h"

static bool selected_slice(struct session *session, struct event *out, struct status *st)
{
    if (event_of_selection(session, out) && out->table == EVENT_SLICE) return true;
    return status_fail(st, STATUS_INVALID, STATUS_NO_OFFSET, "select a slice first");
}

static bool go_to(struct session *session, uint8_t trace, enum event_table table, uint32_t id,
                  struct status *st)
{
    session_jump_push(session);
    if (!session_select_event(session, trace, table, id, st)) return false;
    session->cursor = session->selection.start;
    session_show_selection(session);
    return true;
}

/* ---- flows ---- */

static bool flows_of(const struct tables *t, uint32_t slice, bool forward, struct row_span *span)
{
    uint32_t column = forward ? flow_COLUMN_slice_out : flow_COLUMN_slice_in;
    return table_rows_equal(&t->flow.table, column, slice, span) && span->count > 0;
}

static bool move_flow(const struct command_call *call, bool forward, struct status *st)
{
    struct event event;
    struct row_span span;
    if (!selected_slice(call->session, &event, st)) return false;
    const struct tables *t = session_tables(call->session, event.trace);
    if (!flows_of(t, event.id, forward, &span))
        return status_fail(st, STATUS_NOT_FOUND, STATUS_NO_OFFSET, "no flow %s this slice",
                           forward ? "leaves" : "comes to");
    uint32_t row = span.rows[call->session->focused_flow % span.count];
    uint32_t id = column_get_row(forward ? &t->flow.slice_in : &t->flow.slice_out, row);
    return go_to(call->session, event.trace, EVENT_SLICE, id, st);
}

static bool move_next_flow(const struct command_call *call, struct status *st)
{
    return move_flow(call, true, st);
}

static bool move_previous_flow(const struct command_call *call, struct status *st)
{
    return move_flow(call, false, st);
}

static bool change_flow(const struct command_call *call, int step, struct status *st)
{
    struct event event;
    struct row_span out = {0}, in = {0};
    if (!selected_slice(call->session, &event, st)) return false;
    const struct tables *t = session_tables(call->session, event.trace);
    flows_of(t, event.id, true, &out);
    flows_of(t, event.id, false, &in);
    uint32_t n = out.count > in.count ? out.count : in.count;
    if (n < 2)
        return status_fail(st, STATUS_NOT_FOUND, STATUS_NO_OFFSET, "there are no other flows here");
    uint32_t flow = (call->session->focused_flow + n + (uint32_t)step) % n;
    call->session->focused_flow = flow;
    session_changed(call->session);
    session_say(call->session, MESSAGE_INFO, "flow %u of %u", flow + 1, n);
    return true;
}

static bool next_flow(const struct command_call *call, struct status *st)
{
    return change_flow(call, 1, st);
}

static bool previous_flow(const struct command_call *call, struct status *st)
{
    return change_flow(call, -1, st);
}

/* ---- stack of slices ---- */

static bool parent(const struct command_call *call, struct status *st)
{
    struct event event;
    if (!selected_slice(call->session, &event, st)) return false;
    const struct tables *t = session_tables(call->session, event.trace);
    uint32_t id = column_get_row(&t->slice.parent_id, event.id);
    if (id == NULL_UINT32)
        return status_fail(st, STATUS_NOT_FOUND, STATUS_NO_OFFSET, "this slice has no parent");
    return go_to(call->session, event.trace, EVENT_SLICE, id, st);
}

static bool longest_child(const struct command_call *call, struct status *st)
{
    struct event event;
    struct row_span span;
    if (!selected_slice(call->session, &event, st)) return false;
    const struct tables *t = session_tables(call->session, event.trace);
    if (!table_rows_equal(&t->slice.table, slice_COLUMN_parent_id, event.id, &span) ||
        span.count == 0)
        return status_fail(st, STATUS_NOT_FOUND, STATUS_NO_OFFSET, "this slice has no children");
    uint32_t best = span.rows[0];
    for (uint32_t i = 0; i < span.count; i++) {
        int64_t dur = column_int64(&t->slice.dur)[span.rows[i]];
        int64_t most = column_int64(&t->slice.dur)[best];
        /* What never ended lasts the longest. */
        if (most >= 0 && (dur < 0 || dur > most)) best = span.rows[i];
    }
    return go_to(call->session, event.trace, EVENT_SLICE, best, st);
}

/* Rows of the same name: slices anywhere, a thread on any CPU, else the track. */
static bool same_name_rows(const struct tables *t, const struct event *event, struct row_span *span)
{
    if (event->table == EVENT_SLICE) {
        string_id name = column_get_string(&t->slice.name, event->id);
        return table_rows_equal(&t->slice.table, slice_COLUMN_name, name, span);
    }
    if (event->table == EVENT_SCHED) {
        int64_t utid = column_get_int64(&t->sched_slice.utid, event->id);
        return table_rows_equal(&t->sched_slice.table, sched_slice_COLUMN_utid, utid, span);
    }
    return false;
}

static bool step_same_name(const struct command_call *call, bool forward, struct status *st)
{
    struct session *session = call->session;
    struct event event;
    struct row_span span;
    if (!event_of_selection(session, &event))
        return status_fail(st, STATUS_INVALID, STATUS_NO_OFFSET, "select an event first");
    if (event.table != EVENT_DEBUG &&
        same_name_rows(session_tables(session, event.trace), &event, &span)) {
        for (uint32_t i = 0; i < span.count; i++) {
            if (span.rows[i] != event.id) continue;
            if (forward ? i + 1 >= span.count : i == 0) break;
            return go_to(session, event.trace, event.table, span.rows[forward ? i + 1 : i - 1], st);
        }
        return status_fail(st, STATUS_NOT_FOUND, STATUS_NO_OFFSET, "no %s event of this name",
                           forward ? "later" : "earlier");
    }
    struct event at = event, next;
    while (at.node && event_step(session, at.node, at.ts, at.id, forward, &next)) {
        at = next;
        if (!str_equal(at.name, event.name)) continue;
        if (at.table != EVENT_DEBUG) return go_to(session, at.trace, at.table, at.id, st);
        session_jump_push(session);
        if (!session_select_debug(session, at.node->uri, at.id, st)) return false;
        session_show_selection(session);
        return true;
    }
    return status_fail(st, STATUS_NOT_FOUND, STATUS_NO_OFFSET, "no %s event of this name",
                       forward ? "later" : "earlier");
}

static bool next_same_name(const struct command_call *call, struct status *st)
{
    return step_same_name(call, true, st);
}

static bool previous_same_name(const struct command_call *call, struct status *st)
{
    return step_same_name(call, false, st);
}

/* ---- who woke me ---- */

/* The thread that an event is of; NULL_UINT32 when it is of none. */
static uint32_t thread_of(const struct tables *t, const struct event *event)
{
    switch (event->table) {
    case EVENT_THREAD_STATE: return column_get_row(&t->thread_state.utid, event->id);
    case EVENT_SCHED: return column_get_row(&t->sched_slice.utid, event->id);
    case EVENT_SLICE:
        return column_get_row(&t->track.utid, column_get_row(&t->slice.track_id, event->id));
    default: return NULL_UINT32;
    }
}

/* The last state of `utid` that began at or before `ts` (trace time). */
static bool last_state(const struct tables *t, uint32_t utid, int64_t ts, struct row_span *span,
                       uint32_t *index)
{
    if (!table_rows_equal(&t->thread_state.table, thread_state_COLUMN_utid, utid, span))
        return false;
    uint32_t low = 0, high = span->count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (column_int64(&t->thread_state.ts)[span->rows[middle]] <= ts)
            low = middle + 1;
        else
            high = middle;
    }
    *index = low - 1;
    return low > 0;
}

static bool waker(const struct command_call *call, struct status *st)
{
    struct session *session = call->session;
    struct event event;
    struct row_span span, theirs;
    uint32_t index, at;
    if (!event_of_selection(session, &event) || event.table == EVENT_DEBUG)
        return status_fail(st, STATUS_INVALID, STATUS_NO_OFFSET, "select an event of a thread");
    const struct tables *t = session_tables(session, event.trace);
    uint32_t utid = thread_of(t, &event);
    int64_t ts = event.ts - session->traces[event.trace].offset_ns;
    if (utid == NULL_UINT32 || !last_state(t, utid, ts, &span, &index))
        return status_fail(st, STATUS_NOT_FOUND, STATUS_NO_OFFSET, "no thread state here");
    for (uint32_t i = index + 1; i-- > 0;) {
        uint32_t row = span.rows[i];
        uint32_t waker_id = column_get_row(&t->thread_state.waker_id, row);
        uint32_t waker_utid = column_get_row(&t->thread_state.waker_utid, row);
        if (waker_id == NULL_UINT32 && waker_utid != NULL_UINT32 &&
            last_state(t, waker_utid, column_int64(&t->thread_state.ts)[row], &theirs, &at))
            waker_id = theirs.rows[at];
        if (waker_id != NULL_UINT32)
            return go_to(session, event.trace, EVENT_THREAD_STATE, waker_id, st);
        if (index - i > 8) break; /* a wakeup is a few states back or not recorded */
    }
    return status_fail(st, STATUS_NOT_FOUND, STATUS_NO_OFFSET, "no wakeup is recorded here");
}

#define PLAIN(symbol, command_id, words, function) \
    const struct command symbol = {.id = command_id, .name = words, .run = function}

PLAIN(command_move_next_flow, "dev.perfetto.MoveNextFlow", "Follow the flow forward",
      move_next_flow);
PLAIN(command_move_prev_flow, "dev.perfetto.MovePrevFlow", "Follow the flow back",
      move_previous_flow);
PLAIN(command_next_flow, "dev.perfetto.NextFlow", "Another flow of this slice", next_flow);
PLAIN(command_prev_flow, "dev.perfetto.PrevFlow", "The flow before of this slice", previous_flow);
PLAIN(command_select_parent, "dev.perfetty.SelectParent", "Select the parent slice", parent);
PLAIN(command_select_longest_child, "dev.perfetty.SelectLongestChild", "Select the longest child",
      longest_child);
PLAIN(command_select_waker, "dev.perfetty.SelectWaker", "Who woke this thread", waker);
PLAIN(command_next_same_name, "dev.perfetty.NextSameName", "Next event of the same name",
      next_same_name);
PLAIN(command_previous_same_name, "dev.perfetty.PreviousSameName",
      "Previous event of the same name", previous_same_name);
