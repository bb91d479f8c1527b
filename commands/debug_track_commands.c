/* Debug tracks: a query's rows as slices or as a counter. */
#include <string.h>

#include "commands/core.h"
#include "commands/track_match.h"

static bool add(const struct command_call *call, bool is_counter, bool has_pivot, struct status *st)
{
    struct debug_request request = {.is_counter = is_counter,
                                    .origin = command_origin(call->context),
                                    .sql = call->args[0],
                                    .pivot = has_pivot ? call->args[1] : NULL,
                                    .title = call->args[has_pivot ? 2 : 1]};
    return session_add_debug_tracks(call->session, session_trace_in_focus(call->session), &request,
                                    st);
}

static bool add_slices(const struct command_call *call, struct status *st)
{
    return add(call, false, false, st);
}

static bool add_slices_with_pivot(const struct command_call *call, struct status *st)
{
    return add(call, false, true, st);
}

static bool add_counter(const struct command_call *call, struct status *st)
{
    return add(call, true, false, st);
}

static bool add_counter_with_pivot(const struct command_call *call, struct status *st)
{
    return add(call, true, true, st);
}

/* The one in focus, or all of a title. */
static bool remove_tracks(const struct command_call *call, struct status *st)
{
    struct session *session = call->session;
    const struct track_node *focus = session->focus;
    if (call->n_args == 0) {
        if (!focus || !focus->debug)
            return status_fail(st, STATUS_INVALID, STATUS_NO_OFFSET,
                               "the row in focus is no debug track");
        const char *title = focus->debug->title;
        session_remove_debug_track(session, focus->debug);
        session_say(session, MESSAGE_INFO, "removed %s", title);
        return true;
    }
    unsigned removed = 0;
    for (size_t i = 0; i < session->debug_tracks.count; i++)
        if (strcmp(session->debug_tracks.items[i]->title, call->args[0]) == 0)
            removed += session_remove_debug_track(session, session->debug_tracks.items[i]);
    if (!removed)
        return status_fail(st, STATUS_NOT_FOUND, STATUS_NO_OFFSET,
                           "no debug track is called \"%.80s\"", call->args[0]);
    session_say(session, MESSAGE_INFO, "%u debug track%s removed", removed,
                removed == 1 ? "" : "s");
    return true;
}

#define PLAIN_ARGS \
    { \
        {"query", COMMAND_ARG_SQL, false, NULL}, \
        { \
            "title", COMMAND_ARG_TEXT, false, NULL \
        } \
    }
#define PIVOT_ARGS \
    { \
        {"query", COMMAND_ARG_SQL, false, NULL}, {"pivotColumn", COMMAND_ARG_COLUMN, false, NULL}, \
        { \
            "title", COMMAND_ARG_TEXT, false, NULL \
        } \
    }

const struct command command_add_debug_slice_track = {
    .id = "dev.perfetto.AddDebugSliceTrack",
    .name = "Add a debug track of slices",
    .kind = COMMAND_QUERY,
    .args = PLAIN_ARGS,
    .run = add_slices,
};
const struct command command_add_debug_slice_track_with_pivot = {
    .id = "dev.perfetto.AddDebugSliceTrackWithPivot",
    .name = "Add debug tracks of slices, one for each value of a column",
    .kind = COMMAND_QUERY,
    .args = PIVOT_ARGS,
    .run = add_slices_with_pivot,
};
const struct command command_add_debug_counter_track = {
    .id = "dev.perfetto.AddDebugCounterTrack",
    .name = "Add a debug track of a counter",
    .kind = COMMAND_QUERY,
    .args = PLAIN_ARGS,
    .run = add_counter,
};
const struct command command_add_debug_counter_track_with_pivot = {
    .id = "dev.perfetto.AddDebugCounterTrackWithPivot",
    .name = "Add debug tracks of a counter, one for each value of a column",
    .kind = COMMAND_QUERY,
    .args = PIVOT_ARGS,
    .run = add_counter_with_pivot,
};
const struct command command_remove_debug_track = {
    .id = "dev.perfetty.RemoveDebugTrack",
    .name = "Remove the debug track in focus, or those of a title",
    .args = {{"title", COMMAND_ARG_TEXT, true, NULL}},
    .run = remove_tracks,
};
