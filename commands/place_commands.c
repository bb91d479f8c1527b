/* Where a session is, by names and times instead of by steps from where it was: what
 * a recorded macro is made of. */
#include <string.h>

#include "commands/core.h"
#include "commands/track_match.h"

static int64_t time_arg(const struct command_call *call, uint32_t i)
{
    int64_t ts = 0;
    str_to_int64(str_of(call->args[i]), &ts);
    return ts;
}

static bool set_cursor(const struct command_call *call, struct status *st)
{
    (void)st;
    session_set_cursor(call->session, time_arg(call, 0));
    return true;
}

static struct track_node *wanted(struct session *session, const char *name, struct status *st)
{
    struct track_node *node = session_find_track(session, name);
    if (!node)
        status_fail(st, STATUS_NOT_FOUND, STATUS_NO_OFFSET, "no track is called %.80s", name);
    return node;
}

/* The row in the tree unfolds what it is in; the pinned one is there as it is. */
static bool focus_track(const struct command_call *call, struct status *st)
{
    struct session *session = call->session;
    struct track_node *node = wanted(session, call->args[0], st);
    if (!node) return false;
    int64_t depth = 0;
    if (strcmp(command_arg(call, 1, "tree"), "pinned") == 0) {
        struct track_node *pin = track_tree_find(&session->workspace->pinned, node->uri);
        if (!pin)
            return status_fail(st, STATUS_NOT_FOUND, STATUS_NO_OFFSET, "%s is not pinned",
                               node->name);
        session->focus = pin;
        session->focus_pinned = true;
        session_changed(session);
    } else {
        session_focus_track(session, node->uri);
    }
    str_to_int64(str_of(command_arg(call, 2, "0")), &depth);
    session->focus_depth =
        session->focus && depth > 0 && depth < session->focus->depths ? (uint32_t)depth : 0;
    session_changed(session);
    return true;
}

static bool select_track(const struct command_call *call, struct status *st)
{
    const struct track_node *node = wanted(call->session, call->args[0], st);
    if (!node) return false;
    session_select_track(call->session, node->uri);
    return true;
}

/* The newest of those that begin then. */
static bool select_note(const struct command_call *call, struct status *st)
{
    const struct note_list *notes = &call->session->notes;
    const struct note *found = NULL;
    int64_t ts = time_arg(call, 0);
    for (size_t i = 0; i < notes->count; i++)
        if (notes->items[i].start == ts) found = &notes->items[i];
    if (!found)
        return status_fail(st, STATUS_NOT_FOUND, STATUS_NO_OFFSET, "no note begins at %s ns",
                           call->args[0]);
    session_select_note(call->session, found->id);
    return true;
}

/* A uri may be of a track that another workspace shows.  Tracks that are not there are
 * left out; none at all would mean every one. */
static bool select_area_on_tracks(const struct command_call *call, struct status *st)
{
    struct session *session = call->session;
    struct str rest = str_of(call->args[2]), line;
    struct buffer name = BUFFER_INIT;
    VEC(const char *) uris = {0};
    while (str_split_next(&rest, '\n', &line)) {
        buffer_clear(&name);
        buffer_append_str(&name, line);
        const struct track_node *node =
            line.n ? session_find_track(session, buffer_text(&name)) : NULL;
        if (!node) node = track_tree_find(&session->workspaces.items[0]->tree, buffer_text(&name));
        if (node) vec_push(&uris, node->uri);
    }
    if (uris.count)
        session_select_area(session, time_arg(call, 0), time_arg(call, 1), uris.items,
                            (uint32_t)uris.count);
    else
        status_fail(st, STATUS_NOT_FOUND, STATUS_NO_OFFSET, "none of these tracks is here");
    bool found = uris.count > 0;
    vec_free(&uris);
    buffer_free(&name);
    return found;
}

const struct command command_set_cursor = {
    .id = "dev.perfetty.SetCursor",
    .name = "Cursor to a time",
    .args = {{"timestamp", COMMAND_ARG_TIME, false, NULL}},
    .run = set_cursor,
};
const struct command command_focus_track = {
    .id = "dev.perfetty.FocusTrack",
    .name = "Go to the row of a track, in the tree or pinned",
    .args = {{"track", COMMAND_ARG_TRACK, false, NULL},
             {"where", COMMAND_ARG_CHOICE, true, "tree|pinned"},
             {"depth", COMMAND_ARG_INT, true, NULL}},
    .run = focus_track,
};
const struct command command_select_track = {
    .id = "dev.perfetty.SelectTrack",
    .name = "Select a track by name",
    .args = {{"track", COMMAND_ARG_TRACK, false, NULL}},
    .run = select_track,
};
const struct command command_select_note = {
    .id = "dev.perfetty.SelectNote",
    .name = "Select the note that begins at a time",
    .args = {{"timestamp", COMMAND_ARG_TIME, false, NULL}},
    .run = select_note,
};
const struct command command_select_area_on_tracks = {
    .id = "dev.perfetty.SelectAreaOnTracks",
    .name = "Select a span of time on tracks, one name a line",
    .args = {{"start", COMMAND_ARG_TIME, false, NULL},
             {"end", COMMAND_ARG_TIME, false, NULL},
             {"tracks", COMMAND_ARG_TEXT, false, NULL}},
    .run = select_area_on_tracks,
};
