#include "commands/workspace.h"

#include <string.h>

#include "commands/query.h"
#include "engine/base/memory.h"

struct workspace *workspace_new(const char *title)
{
    struct workspace *workspace = mem_zero(1, sizeof *workspace);
    workspace->title = mem_strdup(title);
    track_tree_init(&workspace->tree);
    track_tree_init(&workspace->pinned);
    return workspace;
}

void workspace_free(struct workspace *workspace)
{
    if (!workspace) return;
    track_tree_dispose(&workspace->tree);
    track_tree_dispose(&workspace->pinned);
    mem_free(workspace->title);
    mem_free(workspace);
}

struct workspace *session_workspace(const struct session *session)
{
    return session->workspace;
}

struct workspace *session_workspace_find(const struct session *session, const char *title)
{
    for (size_t i = 0; i < session->workspaces.count; i++)
        if (strcmp(session->workspaces.items[i]->title, title) == 0)
            return session->workspaces.items[i];
    return NULL;
}

struct workspace *session_workspace_add(struct session *session, const char *title)
{
    struct workspace *workspace = workspace_new(title);
    vec_push(&session->workspaces, workspace);
    session_changed(session);
    return workspace;
}

void session_workspace_switch(struct session *session, struct workspace *workspace)
{
    if (session->workspace == workspace) return;
    char *uri = session->focus ? mem_strdup(session->focus->uri) : NULL;
    session->workspace = workspace;
    session->focus = NULL;
    session->focus_pinned = false;
    session_changed(session);
    if (!uri || !session_focus_track(session, uri)) session_focus_row(session, 0);
    mem_free(uri);
}

bool session_is_pinned(const struct session *session, const char *uri)
{
    return track_tree_find(&session->workspace->pinned, uri) != NULL;
}

bool session_pin(struct session *session, const struct track_node *node)
{
    if (!node->uri[0] || session_is_pinned(session, node->uri)) return false;
    struct track_tree *pinned = &session->workspace->pinned;
    struct track_node *copy = track_tree_copy(pinned, &pinned->root, node, false);
    copy->headless = false;
    session_changed(session);
    return true;
}

bool session_unpin(struct session *session, const char *uri)
{
    struct track_tree *pinned = &session->workspace->pinned;
    struct track_node *node = track_tree_find(pinned, uri);
    if (!node) return false;
    int64_t row = session->focus == node ? session_focus_index(session) : -1;
    track_tree_remove(pinned, node);
    session_changed(session);
    if (row >= 0) {
        session->focus = NULL;
        session->focus_pinned = false;
        session_focus_row(session, row);
    }
    return true;
}

void session_unpin_all(struct session *session)
{
    struct track_tree *pinned = &session->workspace->pinned;
    bool focused = session->focus_pinned;
    track_tree_dispose(pinned);
    session_changed(session);
    if (!focused) return;
    session->focus = NULL;
    session->focus_pinned = false;
    session_focus_row(session, 0);
}

/* ---- rows ---- */

static void push_row(struct session *session, struct track_node *node, bool pinned, uint16_t indent)
{
    if (session->row_cache.count == session->row_cache.capacity) {
        size_t capacity = session->row_cache.capacity;
        session->row_cache.rows = vec_grow(session->row_cache.rows, &capacity, capacity + 1,
                                           sizeof *session->row_cache.rows);
        session->row_cache.capacity = (uint32_t)capacity;
    }
    session->row_cache.rows[session->row_cache.count++] =
        (struct session_row){node, pinned, indent};
}

/* Next node in pre-order that is not inside a folded one. */
static struct track_node *next_unfolded(const struct track_node *root, struct track_node *node)
{
    bool folded = node->collapsed && !node->headless;
    return folded ? track_tree_next_after(root, node) : track_tree_next(root, node);
}

const struct session_row *session_rows(struct session *session, uint32_t *count)
{
    if (session->row_cache.valid) {
        *count = session->row_cache.count;
        return session->row_cache.rows;
    }
    session->row_cache.count = 0;
    struct workspace *workspace = session->workspace;
    for (size_t i = 0; i < workspace->pinned.root.children.count; i++)
        push_row(session, workspace->pinned.root.children.items[i], true, 0);
    struct track_node *root = &workspace->tree.root;
    for (struct track_node *node = next_unfolded(root, root); node;
         node = next_unfolded(root, node)) {
        if (node->headless) continue;
        unsigned indent = 0;
        for (const struct track_node *up = node->parent; up && indent < 1000; up = up->parent)
            indent += !up->headless;
        push_row(session, node, false, (uint16_t)indent);
    }
    session->row_cache.valid = true;
    *count = session->row_cache.count;
    return session->row_cache.rows;
}
