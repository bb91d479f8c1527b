/* Tabs of the lower (or right) part: the current selection first, then what
 * commands opened.
 *
 * A query tab shows "running" until its job is done; session_poll moves the
 * result in.  A tab's number never is used again.
 */
#ifndef COMMANDS_TAB_H
#define COMMANDS_TAB_H

#include "commands/grid.h"
#include "engine/base/vec.h"
#include "engine/engine.h"

struct page;
struct area_scope;
struct session;
struct query_job;

enum tab_kind {
    TAB_SELECTION,
    TAB_QUERY,
    TAB_REPORT,
    TAB_LOG,
    TAB_SEARCH,
    TAB_NOTES,
    TAB_PAGE,
    TAB_FLAME
};
enum tab_state { TAB_READY, TAB_RUNNING, TAB_FAILED };

struct tab {
    uint32_t id;
    enum tab_kind kind;
    enum tab_state state;
    char *title;
    char *tag;                 /* a tab of the same tag is used again; NULL for one of its own */
    char *sql;                 /* of a query */
    enum engine_origin origin; /* who wrote it */
    uint8_t trace;
    struct result *result;   /* of a query that is TAB_READY */
    char *error;             /* of a query that is TAB_FAILED; SQL's have several lines */
    struct query_job *job;   /* while it is running */
    int64_t started_ns;      /* clock_now_ns at the start of the query */
    char *text;              /* of a page: lines; a heading begins with no space */
    uint64_t row;            /* where the reader is; the screen keeps it */
    uint32_t column;         /* the same among the columns of a table that are shown */
    uint32_t left;           /* first column on the screen; the screen keeps it */
    struct grid_shape shape; /* how a table is shown; change it with tab_reshaped */
    struct grid *grid;       /* the shape on the result; tab_grid makes it */
    struct area_scope *area; /* of a table over an area (area.h); owned; NULL else */
    struct page *page;       /* of a page that asks its rows itself (page.h); NULL else */
};

struct tab_list VEC_OF(struct tab *);

/* The tab of that kind, made when there is none. */
struct tab *session_tab_of_kind(struct session *session, enum tab_kind kind, const char *title);
/* The page of that title, with this text (taken over) instead of what it had. */
struct tab *session_tab_page(struct session *session, const char *title, char *text);
/* Runs `sql` on the worker in a tab; returns at once.  `tag` may be NULL. */
struct tab *session_open_query(struct session *session, uint8_t trace, enum engine_origin origin,
                               const char *title, const char *tag, const char *sql);
/* Another query in a tab: the rows that it has stay until those of this one are there. */
void session_query_again(struct session *session, struct tab *tab, uint8_t trace, const char *sql);
/* The tab of that tag, made empty when there is none. */
struct tab *session_tab_of_tag(struct session *session, const char *title, const char *tag);
/* Other rows at once; takes the result over.  The reader stays where they are. */
void tab_set_rows(struct session *session, struct tab *tab, struct result *result);
struct tab *session_tab_find(const struct session *session, uint32_t id);
void session_tab_show(struct session *session, const struct tab *tab);
bool session_tab_close(struct session *session, uint32_t id); /* not the selection's */
struct tab *session_tab_shown(const struct session *session);
void tab_free(struct tab *tab);
/* What a tab with a result shows of it; NULL without one.  The tab's until it changes. */
const struct grid *tab_grid(struct tab *tab);
/* After a change of its shape. */
void tab_reshaped(struct session *session, struct tab *tab);
/* Its rows are values of a column, and how often each is there. */
bool tab_has_counts(const struct tab *tab);
/* Shows the rows that the counted value at the cursor stands for; false when the tab
 * counts nothing. */
bool tab_open_group(struct session *session, struct tab *tab);

#endif
