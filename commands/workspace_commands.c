/* Workspaces. */
#include <string.h>

#include "commands/core.h"
#include "commands/track_match.h"

static bool create(const struct command_call *call, struct status *st)
{
    (void)st;
    session_workspace_add(call->session, call->args[0]);
    session_say(call->session, MESSAGE_INFO, "workspace %s created", call->args[0]);
    return true;
}

static bool create_and_switch(const struct command_call *call, struct status *st)
{
    (void)st;
    session_workspace_switch(call->session, session_workspace_add(call->session, call->args[0]));
    session_say(call->session, MESSAGE_INFO, "workspace %s created and shown", call->args[0]);
    return true;
}

static bool switch_to(const struct command_call *call, struct status *st)
{
    struct workspace *workspace = session_workspace_find(call->session, call->args[0]);
    if (!workspace)
        return status_fail(st, STATUS_NOT_FOUND, STATUS_NO_OFFSET,
                           "there is no workspace \"%.80s\"", call->args[0]);
    session_workspace_switch(call->session, workspace);
    session_say(call->session, MESSAGE_INFO, "workspace %s", workspace->title);
    return true;
}

/* ---- copies ---- */

static struct workspace *find_or_add(struct session *session, const char *title)
{
    struct workspace *workspace = session_workspace_find(session, title);
    return workspace ? workspace : session_workspace_add(session, title);
}

void session_copy_tracks(struct session *session, const struct track_node_list *nodes,
                         const char *title, bool ancestors)
{
    struct workspace *workspace = find_or_add(session, title);
    size_t copied = 0;
    for (size_t i = 0; i < nodes->count; i++)
        copied += workspace_copy(workspace, nodes->items[i], ancestors);
    session_changed(session);
    size_t there = nodes->count - copied;
    if (there)
        session_say(session, MESSAGE_INFO, "%zu track%s copied to %s, %zu already there", copied,
                    copied == 1 ? "" : "s", title, there);
    else
        session_say(session, MESSAGE_INFO, "%zu track%s copied to %s", copied,
                    copied == 1 ? "" : "s", title);
}

static bool copy_by_regex(const struct command_call *call, bool ancestors, struct status *st)
{
    const char *by = command_arg(call, 2, "name");
    struct track_node_list found;
    if (!session_match_tracks(call->session, call->args[0], by, &found, st)) return false;
    if (found.count) {
        session_copy_tracks(call->session, &found, call->args[1], ancestors);
    } else {
        find_or_add(call->session, call->args[1]);
        session_say_no_match(call->session, call->args[0], by);
    }
    vec_free(&found);
    return true;
}

static bool copy_flat(const struct command_call *call, struct status *st)
{
    return copy_by_regex(call, false, st);
}

static bool copy_ancestors(const struct command_call *call, struct status *st)
{
    return copy_by_regex(call, true, st);
}

static bool copy_pinned(const struct command_call *call, struct status *st)
{
    (void)st;
    session_copy_tracks(call->session, &call->session->workspace->pinned.root.children,
                        call->args[0], false);
    return true;
}

/* Rows that are not folded away, with what is above them. */
static bool copy_shown(const struct command_call *call, struct status *st)
{
    (void)st;
    uint32_t count;
    const struct session_row *rows = session_rows(call->session, &count);
    struct track_node_list found = {0};
    for (uint32_t i = 0; i < count; i++)
        if (!rows[i].pinned && (rows[i].node->collapsed || !rows[i].node->children.count))
            vec_push(&found, rows[i].node);
    session_copy_tracks(call->session, &found, call->args[0], true);
    vec_free(&found);
    return true;
}

static bool copy_selected(const struct command_call *call, struct status *st)
{
    struct session *session = call->session;
    const struct selection *s = &session->selection;
    const struct workspace *from = session->workspace;
    struct track_node_list found = {0};
    const char *only[] = {s->kind == SELECTION_EVENT || s->kind == SELECTION_TRACK ? s->uri : NULL};
    const char *const *uris = only;
    size_t n = 1;
    if (s->kind == SELECTION_AREA) {
        uris = (const char *const *)s->tracks.items;
        n = s->tracks.count;
    }
    for (size_t i = 0; i < n; i++) {
        struct track_node *node = track_tree_find(&from->tree, uris[i]);
        if (!node) node = track_tree_find(&from->pinned, uris[i]);
        if (node) vec_push(&found, node);
    }
    if (found.count)
        session_copy_tracks(session, &found, call->args[0], true);
    else
        status_fail(st, STATUS_INVALID, STATUS_NO_OFFSET,
                    "select a track, an event or an area of tracks first");
    bool good = found.count > 0;
    vec_free(&found);
    return good;
}

static bool copy_main_threads(const struct command_call *call, struct status *st)
{
    (void)st;
    struct session *session = call->session;
    const struct track_node *root = &session->workspace->tree.root;
    struct track_node_list found = {0};
    for (struct track_node *node = track_tree_next(root, root); node;
         node = track_tree_next(root, node)) {
        if (node->kind != TRACK_KIND_THREAD || node->utid == NULL_UINT32) continue;
        const struct tables *t = session_tables(session, node->trace);
        if (!column_get_int64(&t->thread.is_main_thread, node->utid)) continue;
        for (size_t k = 0; k < node->children.count; k++)
            vec_push(&found, node->children.items[k]);
    }
    session_copy_tracks(session, &found, command_arg(call, 0, "Main threads"), false);
    vec_free(&found);
    return true;
}

const struct command command_create_workspace = {
    .id = "dev.perfetto.CreateWorkspace",
    .name = "Create a workspace",
    .args = {{"title", COMMAND_ARG_TEXT, false, NULL}},
    .run = create,
};
const struct command command_create_workspace_and_switch = {
    .id = "dev.perfetto.CreateWorkspaceAndSwitch",
    .name = "Create a workspace and go there",
    .args = {{"title", COMMAND_ARG_TEXT, false, NULL}},
    .run = create_and_switch,
};
const struct command command_switch_workspace = {
    .id = "dev.perfetto.SwitchWorkspace",
    .name = "Switch the workspace",
    .args = {{"title", COMMAND_ARG_WORKSPACE, false, NULL}},
    .run = switch_to,
};
const struct command command_copy_tracks_to_workspace_by_regex = {
    .id = "dev.perfetto.CopyTracksToWorkspaceByRegex",
    .name = "Copy tracks to a workspace by regex",
    .args = {{"pattern", COMMAND_ARG_REGEX, false, NULL},
             {"workspaceTitle", COMMAND_ARG_WORKSPACE, false, NULL},
             {"nameOrPath", COMMAND_ARG_CHOICE, true, "name|path"}},
    .run = copy_flat,
};
const struct command command_copy_tracks_to_workspace_by_regex_with_ancestors = {
    .id = "dev.perfetto.CopyTracksToWorkspaceByRegexWithAncestors",
    .name = "Copy tracks and what is above them to a workspace by regex",
    .args = {{"pattern", COMMAND_ARG_REGEX, false, NULL},
             {"workspaceTitle", COMMAND_ARG_WORKSPACE, false, NULL},
             {"nameOrPath", COMMAND_ARG_CHOICE, true, "name|path"}},
    .run = copy_ancestors,
};
const struct command command_copy_pinned_to_workspace = {
    .id = "dev.perfetto.CopyPinnedToWorkspace",
    .name = "Copy the pinned tracks to a workspace",
    .args = {{"workspaceTitle", COMMAND_ARG_WORKSPACE, false, NULL}},
    .run = copy_pinned,
};
const struct command command_copy_main_thread_tracks_to_workspace = {
    .id = "dev.perfetto.CopyMainThreadTracksToWorkspace",
    .name = "Copy the main threads' tracks to a workspace",
    .args = {{"workspaceTitle", COMMAND_ARG_WORKSPACE, true, NULL}},
    .run = copy_main_threads,
};
const struct command command_copy_filtered_to_workspace = {
    .id = "dev.perfetto.CopyFilteredToWorkspace",
    .name = "Copy the tracks that are not folded away to a workspace",
    .args = {{"workspaceTitle", COMMAND_ARG_WORKSPACE, false, NULL}},
    .run = copy_shown,
};
const struct command command_copy_selected_tracks_to_workspace = {
    .id = "dev.perfetto.CopySelectedTracksToWorkspace",
    .name = "Copy the selected tracks to a workspace",
    .args = {{"workspaceTitle", COMMAND_ARG_WORKSPACE, false, NULL}},
    .run = copy_selected,
};
