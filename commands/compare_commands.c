/* A second trace opens and closes; from a track to its like in the other trace. */
#include "commands/compare.h"
#include "commands/core.h"
#include "commands/track_match.h"

static bool needs_two(const struct session *session, struct status *st)
{
    if (session_is_comparing(session)) return true;
    return status_fail(st, STATUS_INVALID, STATUS_NO_OFFSET,
                       "there is no second trace: dev.perfetty.CompareWith opens one");
}

static bool compare_with(const struct command_call *call, struct status *st)
{
    if (!call->session->n_traces)
        return status_fail(st, STATUS_INVALID, STATUS_NO_OFFSET, "no trace is open");
    session_ask(call->session, REQUEST_COMPARE, command_arg(call, 0, ""));
    return true;
}

static bool close_compared(const struct command_call *call, struct status *st)
{
    struct session *session = call->session;
    if (!needs_two(session, st)) return false;
    session_say(session, MESSAGE_INFO, "closed B %s", session->traces[1].title);
    session_remove_compared(session);
    session_ask(session, REQUEST_CLOSE_COMPARED, NULL);
    return true;
}

/* SQL, pages and areas follow: they are of the trace in focus. */
static bool switch_trace(const struct command_call *call, struct status *st)
{
    struct session *session = call->session;
    if (!needs_two(session, st)) return false;
    uint8_t to = session_trace_in_focus(session) ? 0 : 1;
    const struct track_node *like =
        session->focus ? session_counterpart(session, session->focus) : NULL;
    const char *uri = like ? like->uri : to ? "t1" : "t0";
    if (!session_focus_track(session, uri))
        return status_fail(st, STATUS_NOT_FOUND, STATUS_NO_OFFSET,
                           "this workspace shows nothing of %c", session_trace_letter(to));
    session_say(session, MESSAGE_INFO, "%c %s: queries and areas are of it now%s",
                session_trace_letter(to), session->traces[to].title,
                like ? "" : "; it has no such track");
    return true;
}

static bool pin_both(const struct command_call *call, struct status *st)
{
    struct session *session = call->session;
    if (!needs_two(session, st)) return false;
    if (!session->focus)
        return status_fail(st, STATUS_INVALID, STATUS_NO_OFFSET, "no track has the focus");
    const struct track_node *node = session->focus, *like = session_counterpart(session, node);
    if (!like)
        return status_fail(st, STATUS_NOT_FOUND, STATUS_NO_OFFSET, "%c has no track like %.80s",
                           session_trace_letter(node->trace ? 0 : 1), node->name);
    if (node->trace) {
        const struct track_node *swap = node; /* A above B */
        node = like;
        like = swap;
    }
    unsigned pinned = session_pin(session, node);
    pinned += session_pin(session, like);
    session_say(session, MESSAGE_INFO, "pinned %s of A and %s of B%s", node->name, like->name,
                pinned == 2   ? ""
                : pinned == 1 ? ", one was there"
                              : ", both were there");
    return true;
}

const struct command command_compare_with = {
    .id = "dev.perfetty.CompareWith",
    .name = "Compare: open a second trace below this one",
    .kind = COMMAND_REACH,
    .args = {{"file", COMMAND_ARG_FILE, true, NULL}},
    .run = compare_with,
};
const struct command command_close_compared = {
    .id = "dev.perfetty.CloseCompared",
    .name = "Compare: close the second trace",
    .run = close_compared,
};
const struct command command_switch_trace = {
    .id = "dev.perfetty.SwitchTrace",
    .name = "Compare: to the same track of the other trace, queries too",
    .run = switch_trace,
};
const struct command command_pin_both = {
    .id = "dev.perfetty.PinBoth",
    .name = "Compare: pin the track and its like of the other trace",
    .run = pin_both,
};
