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

static struct track_node *child_of(const struct track_tree *tree, const struct track_node *parent,
                                   const char *uri)
{
    if (!track_tree_find(tree, uri)) return NULL; /* as most: trees are wide */
    for (size_t i = 0; i < parent->children.count; i++)
        if (strcmp(parent->children.items[i]->uri, uri) == 0) return parent->children.items[i];
    return NULL;
}

/* Copies the children that `into`, a copy of `from`, lacks, at any depth.  The
 * depth of a tree is a trace's to choose, so no recursion. */
static bool add_missing(struct track_tree *tree, struct track_node *into,
                        const struct track_node *from)
{
    struct pair {
        struct track_node *into;
        const struct track_node *from;
    };
    VEC(struct pair) open = {0};
    vec_push(&open, (struct pair){into, from});
    bool added = false;
    while (open.count) {
        struct pair pair = vec_pop(&open);
        for (size_t i = 0; i < pair.from->children.count; i++) {
            const struct track_node *child = pair.from->children.items[i];
            struct track_node *there = child_of(tree, pair.into, child->uri);
            if (there == child) continue;
            if (there) {
                vec_push(&open, (struct pair){there, child});
            } else {
                track_tree_copy(tree, pair.into, child, true);
                added = true;
            }
        }
    }
    vec_free(&open);
    return added;
}

bool workspace_copy(struct workspace *workspace, const struct track_node *node, bool ancestors)
{
    struct track_tree *tree = &workspace->tree;
    struct track_node *into = &tree->root;
    VEC(const struct track_node *) chain = {0};
    for (const struct track_node *up = node->parent; ancestors && up; up = up->parent)
        vec_push(&chain, up);
    for (size_t i = chain.count; i-- > 0;) {
        struct track_node *there = child_of(tree, into, chain.items[i]->uri);
        into = there ? there : track_tree_copy(tree, into, chain.items[i], false);
    }
    vec_free(&chain);
    struct track_node *there = child_of(tree, into, node->uri);
    if (there == node) return false;
    if (there) return add_missing(tree, there, node);
    track_tree_copy(tree, into, node, true);
    return true;
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
