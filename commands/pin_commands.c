/* Pinned tracks. */
#include "commands/core.h"
#include "commands/track_match.h"
#include "engine/base/memory.h"

static bool pin_by_regex(const struct command_call *call, struct status *st)
{
    const char *by = command_arg(call, 1, "name");
    struct track_node_list found;
    if (!session_match_tracks(call->session, call->args[0], by, &found, st)) return false;
    size_t pinned = 0, matched = found.count;
    for (size_t i = 0; i < found.count; i++)
        pinned += session_pin(call->session, found.items[i]);
    vec_free(&found);
    if (!matched)
        session_say_no_match(call->session, call->args[0], by);
    else if (pinned == matched)
        session_say(call->session, MESSAGE_INFO, "%zu track%s pinned", pinned,
                    pinned == 1 ? "" : "s");
    else
        session_say(call->session, MESSAGE_INFO, "%zu track%s pinned, %zu were already", pinned,
                    pinned == 1 ? "" : "s", matched - pinned);
    return true;
}

static bool unpin_all(const struct command_call *call, struct status *st)
{
    (void)st;
    size_t n = call->session->workspace->pinned.root.children.count;
    session_unpin_all(call->session);
    session_say(call->session, MESSAGE_INFO, "%zu track%s unpinned", n, n == 1 ? "" : "s");
    return true;
}

static bool no_focus(struct status *st)
{
    return status_fail(st, STATUS_INVALID, STATUS_NO_OFFSET, "no track has the focus");
}

static struct track_node *wanted_track(const struct command_call *call, struct status *st)
{
    struct track_node *node = session_find_track(call->session, call->args[0]);
    if (!node)
        status_fail(st, STATUS_NOT_FOUND, STATUS_NO_OFFSET, "no track is called %.80s",
                    call->args[0]);
    return node;
}

/* The track that is named, else the one in focus. */
static struct track_node *target(const struct command_call *call, struct status *st)
{
    if (call->n_args) return wanted_track(call, st);
    if (!call->session->focus) no_focus(st);
    return call->session->focus;
}

static bool pin_focused(const struct command_call *call, struct status *st)
{
    struct session *session = call->session;
    const struct track_node *node = target(call, st);
    if (!node) return false;
    if (!session_pin(session, node))
        return status_fail(st, STATUS_INVALID, STATUS_NO_OFFSET, "%s is pinned already",
                           node->name);
    session_say(session, MESSAGE_INFO, "pinned %s", node->name);
    return true;
}

static bool unpin_focused(const struct command_call *call, struct status *st)
{
    struct session *session = call->session;
    const struct track_node *node = target(call, st);
    if (!node) return false;
    if (!session_is_pinned(session, node->uri))
        return status_fail(st, STATUS_INVALID, STATUS_NO_OFFSET, "%s is not pinned", node->name);
    char *name = mem_strdup(node->name); /* the node may be the pinned one */
    session_unpin(session, node->uri);
    session_say(session, MESSAGE_INFO, "unpinned %s", name);
    mem_free(name);
    return true;
}

static bool toggle_pin(const struct command_call *call, struct status *st)
{
    const struct track_node *node = target(call, st);
    if (!node) return false;
    return session_is_pinned(call->session, node->uri) ? unpin_focused(call, st)
                                                       : pin_focused(call, st);
}

static bool find_by_name(const struct command_call *call, struct status *st)
{
    if (call->n_args == 0) {
        session_ask(call->session, REQUEST_FIND_TRACK, NULL);
        return true;
    }
    struct track_node *node = wanted_track(call, st);
    if (!node) return false;
    session_jump_push(call->session);
    session_focus_track(call->session, node->uri);
    return true;
}

static bool pin_by_name(const struct command_call *call, struct status *st)
{
    if (call->n_args == 0) {
        session_ask(call->session, REQUEST_PIN_TRACK, NULL);
        return true;
    }
    struct track_node *node = wanted_track(call, st);
    if (!node) return false;
    bool is_new = session_pin(call->session, node);
    session_say(call->session, MESSAGE_INFO, is_new ? "pinned %s" : "%s is pinned already",
                node->name);
    return true;
}

const struct command command_pin_tracks_by_regex = {
    .id = "dev.perfetto.PinTracksByRegex",
    .name = "Pin tracks by regex",
    .args = {{"pattern", COMMAND_ARG_REGEX, false, NULL},
             {"nameOrPath", COMMAND_ARG_CHOICE, true, "name|path"}},
    .run = pin_by_regex,
};
const struct command command_unpin_all_tracks = {
    .id = "dev.perfetto.UnpinAllTracks", .name = "Unpin all tracks", .run = unpin_all};
const struct command command_pin_track = {
    .id = "dev.perfetty.PinTrack",
    .name = "Pin the track in focus, or the one that is named",
    .args = {{"track", COMMAND_ARG_TRACK, true, NULL}},
    .run = pin_focused,
};
const struct command command_unpin_track = {
    .id = "dev.perfetty.UnpinTrack",
    .name = "Unpin the track in focus, or the one that is named",
    .args = {{"track", COMMAND_ARG_TRACK, true, NULL}},
    .run = unpin_focused,
};
const struct command command_toggle_pin = {
    .id = "dev.perfetty.TogglePin",
    .name = "Pin or unpin the track in focus, or the one that is named",
    .args = {{"track", COMMAND_ARG_TRACK, true, NULL}},
    .run = toggle_pin,
};
const struct command command_find_track_by_name = {
    .id = "dev.perfetto.FindTrackByName",
    .name = "Find a track by name",
    .args = {{"track", COMMAND_ARG_TRACK, true, NULL}},
    .run = find_by_name,
};
const struct command command_find_track_by_uri = {
    .id = "dev.perfetto.FindTrackByUri",
    .name = "Find a track by uri",
    .args = {{"uri", COMMAND_ARG_TRACK, true, NULL}},
    .run = find_by_name,
};
const struct command command_pin_track_by_name = {
    .id = "dev.perfetto.PinTrackByName",
    .name = "Pin a track by name",
    .args = {{"track", COMMAND_ARG_TRACK, true, NULL}},
    .run = pin_by_name,
};
