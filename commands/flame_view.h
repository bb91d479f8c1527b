/* The flamegraph of a session: what it is of, how it is looked at, where the
 * reader is in it.  There is one; the tab of kind TAB_FLAME shows it.
 *
 * Gathering and laying out run on the worker of the trace that is looked at; what
 * was there before stays until the new one is done (flame_view_poll).  Cursor and
 * zoom are nodes of `tree`; the zoomed node fills the width, those above it stand
 * over it, those beside it are not seen.
 */
#ifndef COMMANDS_FLAME_VIEW_H
#define COMMANDS_FLAME_VIEW_H

#include "commands/flame_tree.h"

struct session;
struct flame_job;

/* What is looked at, or what that is compared with. */
struct flame_subject {
    struct flame_scope scope;
    char *title; /* "main 4213"; owned; NULL: there is none */
};

struct flame_view {
    struct flame_subject now, base;
    struct flame_metric_list metrics; /* of now's trace */
    uint32_t metric;
    struct flame_look look;
    struct flame_profile *profile; /* what `tree` is of; NULL until the first is done */
    struct flame_tree *tree;
    struct flame_metric weighed; /* of `tree`, while a job makes another */
    struct flame_look drawn;     /* the same */
    char *error;                 /* of the last job; NULL */
    struct flame_job *job;
    uint32_t cursor, zoom;
    struct flame_rows zooms; /* to go back to */
    int64_t started_ns;      /* of the job */
};

/* What a command names. */
enum flame_of {
    FLAME_OF_SELECTION,
    FLAME_OF_THREAD,
    FLAME_OF_PROCESS,
    FLAME_OF_TRACE,
    FLAME_OF_WINDOW,
    FLAME_OF_MARKS
};

/* The session's own; made at first need. */
struct flame_view *session_flame(struct session *session);
void flame_view_free(struct flame_view *view);

/* What `of` means now.  False and why when there is nothing such. */
bool flame_subject_of(struct session *session, enum flame_of of, struct flame_subject *out,
                      struct flame_rows *sources, struct status *st);
void flame_subject_dispose(struct flame_subject *subject);

/* Looks at `subject` (taken over).  `metric` is a name or its beginning, in any
 * case; NULL: one that fits `sources` (enum flame_source, the likeliest first). */
bool flame_view_open(struct session *session, struct flame_subject *subject,
                     const struct flame_rows *sources, const char *metric, struct status *st);
bool flame_view_set_metric(struct session *session, const char *name, struct status *st);

/* Begins again: from the tables, or only with another look. */
void flame_view_gather(struct session *session);
void flame_view_lay_out(struct session *session);
/* Takes in what is done. */
void flame_view_poll(struct session *session);
void flame_view_cancel(struct session *session);
bool flame_view_is_running(const struct session *session);

/* A trace that holds nothing but profiles without times opens with them. */
void flame_view_open_alone(struct session *session);

/* The cursor's node; NULL when there is no tree. */
const struct flame_node *flame_view_node(const struct flame_view *view);
void flame_view_zoom(struct session *session, uint32_t node);

#endif
