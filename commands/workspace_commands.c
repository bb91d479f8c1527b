/* Workspaces. */
#include <string.h>

#include "commands/core.h"
#include "commands/track_match.h"

static bool create(const struct command_call *call, struct status *st)
{
    (void)st;
    session_workspace_add(call->session, call->args[0]);
    return true;
}

static bool create_and_switch(const struct command_call *call, struct status *st)
{
    (void)st;
    session_workspace_switch(call->session, session_workspace_add(call->session, call->args[0]));
    return true;
}

static bool switch_to(const struct command_call *call, struct status *st)
{
    struct workspace *workspace = session_workspace_find(call->session, call->args[0]);
    if (!workspace)
        return status_fail(st, STATUS_NOT_FOUND, STATUS_NO_OFFSET,
                           "there is no workspace \"%.80s\"", call->args[0]);
    session_workspace_switch(call->session, workspace);
    return true;
}

static struct workspace *find_or_add(struct session *session, const char *title)
{
    struct workspace *workspace = session_workspace_find(session, title);
    return workspace ? workspace : session_workspace_add(session, title);
}

static struct track_node *child_of(const struct track_node *parent, const char *uri)
{
    for (size_t i = 0; i < parent->children.count; i++)
        if (strcmp(parent->children.items[i]->uri, uri) == 0) return parent->children.items[i];
    return NULL;
}

/* Copies what is above `node`, where it is not there yet, then the node. */
static void copy_with_ancestors(struct track_tree *tree, const struct track_node *node)
{
    VEC(const struct track_node *) chain = {0};
    for (const struct track_node *up = node->parent; up; up = up->parent)
        vec_push(&chain, up);
    struct track_node *into = &tree->root;
    for (size_t i = chain.count; i-- > 0;) {
        struct track_node *there = child_of(into, chain.items[i]->uri);
        into = there ? there : track_tree_copy(tree, into, chain.items[i], false);
    }
    if (!child_of(into, node->uri)) track_tree_copy(tree, into, node, true);
    vec_free(&chain);
}

static bool copy_by_regex(const struct command_call *call, bool ancestors, struct status *st)
{
    const char *by = command_arg(call, 2, "name");
    struct track_node_list found;
    if (!session_match_tracks(call->session, call->args[0], by, &found, st)) return false;
    struct workspace *workspace = find_or_add(call->session, call->args[1]);
    for (size_t i = 0; i < found.count; i++) {
        if (ancestors)
            copy_with_ancestors(&workspace->tree, found.items[i]);
        else if (!child_of(&workspace->tree.root, found.items[i]->uri))
            track_tree_copy(&workspace->tree, &workspace->tree.root, found.items[i], true);
    }
    session_changed(call->session);
    if (found.count)
        session_say(call->session, MESSAGE_INFO, "%zu track%s copied to %s", found.count,
                    found.count == 1 ? "" : "s", workspace->title);
    else
        session_say_no_match(call->session, call->args[0], by);
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
    struct workspace *from = call->session->workspace;
    struct workspace *to = find_or_add(call->session, call->args[0]);
    for (size_t i = 0; i < from->pinned.root.children.count; i++)
        if (!child_of(&to->tree.root, from->pinned.root.children.items[i]->uri))
            track_tree_copy(&to->tree, &to->tree.root, from->pinned.root.children.items[i], true);
    session_changed(call->session);
    return true;
}

static bool copy_main_threads(const struct command_call *call, struct status *st)
{
    (void)st;
    struct session *session = call->session;
    struct workspace *to = find_or_add(session, command_arg(call, 0, "Main threads"));
    const struct track_node *root = &session->workspace->tree.root;
    VEC(struct track_node *) found = {0};
    for (struct track_node *node = track_tree_next(root, root); node;
         node = track_tree_next(root, node)) {
        if (node->kind != TRACK_KIND_THREAD || node->utid == NULL_UINT32) continue;
        const struct tables *t = session_tables(session, node->trace);
        if (column_get_int64(&t->thread.is_main_thread, node->utid)) vec_push(&found, node);
    }
    for (size_t i = 0; i < found.count; i++)
        for (size_t k = 0; k < found.items[i]->children.count; k++)
            if (!child_of(&to->tree.root, found.items[i]->children.items[k]->uri))
                track_tree_copy(&to->tree, &to->tree.root, found.items[i]->children.items[k], true);
    vec_free(&found);
    session_changed(session);
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
