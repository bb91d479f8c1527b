/* A workspace: a tree of tracks and a list of pinned ones.  The first one is
 * built from the trace; others begin empty and are filled by copies. */
#ifndef COMMANDS_WORKSPACE_H
#define COMMANDS_WORKSPACE_H

#include "commands/track_tree.h"

struct session;

struct workspace {
    char *title;
    struct track_tree tree;
    struct track_tree pinned; /* flat: nodes below its root, without children */
};

struct workspace_list VEC_OF(struct workspace *);

struct workspace *workspace_new(const char *title);
void workspace_free(struct workspace *workspace);

/* Adds a copy of a track of any workspace, with all below it, at the top or below
 * copies of what is above it; what is there already is not added again, but what
 * it lacks.  False when nothing was missing. */
bool workspace_copy(struct workspace *workspace, const struct track_node *node, bool ancestors);

struct workspace *session_workspace(const struct session *session); /* the current one */
/* The first of that title; NULL. */
struct workspace *session_workspace_find(const struct session *session, const char *title);
struct workspace *session_workspace_add(struct session *session, const char *title);
void session_workspace_switch(struct session *session, struct workspace *workspace);

/* Adds a copy without children to the current workspace's pinned rows; false
 * when it is there already. */
bool session_pin(struct session *session, const struct track_node *node);
bool session_unpin(struct session *session, const char *uri);
void session_unpin_all(struct session *session);
bool session_is_pinned(const struct session *session, const char *uri);

/* Rows from the top as they are drawn: pinned ones, then the tree without what
 * is folded away.  Borrowed until the next change of the session. */
struct session_row {
    struct track_node *node;
    bool pinned;
    uint16_t indent; /* levels below the top, headless ones not counted */
};
const struct session_row *session_rows(struct session *session, uint32_t *count);

#endif
