/* Pages: tabs whose rows the program asks for itself, and asks again when what they
 * are about has moved on.
 *
 * A kind of page is one constant: a SELECT, or a function that makes the rows.  The
 * rows of a SELECT are those of the visible window (while the page follows it), at
 * most PAGE_ROWS at a time: order, filters and counts of the tab's shape become part
 * of the SQL, so that a table of millions of rows costs what is shown of it.  The
 * rows from before stay on the screen while the next are asked for.
 */
#ifndef COMMANDS_PAGE_H
#define COMMANDS_PAGE_H

#include "commands/session.h"

#define PAGE_ROWS     5000
#define PAGE_NO_START INT64_MIN /* of a span of time without one */
#define PAGE_NO_END   INT64_MAX

struct page_kind {
    const char *title; /* of the tab; there is one of each kind */
    /* Writes a SELECT without order and limit; times are [start, end) of the trace. */
    void (*write_sql)(const struct session *session, const struct tab *tab, int64_t start,
                      int64_t end, struct buffer *out);
    const char *columns;       /* of the SELECT, in the order in which they are shown */
    const char *order;         /* when nothing else is asked for */
    const char *searched;      /* where a filter of any column looks; "a|b|c" */
    bool has_args;             /* a column arg_set_id becomes the last one, args */
    const char *const *levels; /* the least one may be chosen of, from all to the worst */
    bool is_timeless;          /* the rows have no time: no window narrows them */
    /* Or: makes all rows at once. */
    struct result *(*make_rows)(struct session *session);
    /* Rows are asked for again when it is another; NULL: only for the reasons above. */
    uint64_t (*version)(const struct session *session);
    /* Enter on a row of `result`; NULL: goes to the event or time that it names. */
    bool (*open_row)(struct session *session, const struct result *result, uint64_t row,
                     struct status *st);
};

struct page {
    const struct page_kind *kind;
    bool follows_window;
    uint32_t level;   /* of `levels`; 0: all */
    uint64_t skipped; /* rows before the first one that is asked for */
    uint64_t version; /* of the rows that are there */
};

/* Shows the page, made when there is none. */
struct tab *session_open_page(struct session *session, const struct page_kind *kind);
/* Asks again for the rows of the shown page when they are not those of now. */
void session_follow_page(struct session *session);
/* The shape's order and filters are carried out by SQL. */
bool page_is_bounded(const struct page *page);
/* "visible window, level W and worse, rows 1 to 5000 and more". */
void page_write_state(const struct tab *tab, struct buffer *out);

#endif
