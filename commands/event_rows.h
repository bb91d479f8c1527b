/* The rows that a node draws, whatever its table: runs of row numbers, each in
 * order of time as a rule.  Valid inside table_read_begin/end only. */
#ifndef COMMANDS_EVENT_ROWS_H
#define COMMANDS_EVENT_ROWS_H

#include "commands/event.h"

struct event_rows {
    enum event_table table_id;
    const struct table *table;
    const struct column *ts, *dur; /* dur NULL: instants */
    bool is_sorted;                /* ts is */
    bool all;                      /* every row of the table */
    VEC(struct row_span) spans;
    VEC(uint32_t) lanes;         /* depth at which a span's own depth 0 is drawn */
    const struct column *filter; /* a string column … */
    string_id wanted;            /* … that must have this value; STRING_NULL: any */
};

/* False for groups, debug tracks, and tables that are still growing. */
bool event_rows_open(const struct tables *tables, const struct track_node *node,
                     struct event_rows *out);
void event_rows_close(struct event_rows *rows);
bool event_rows_accepts(const struct event_rows *rows, uint32_t row);
/* First place in a span whose time is > ts, or >= ts. */
uint32_t event_rows_bound(const struct event_rows *rows, struct row_span span, int64_t ts,
                          bool after);
uint32_t event_rows_count(const struct event_rows *rows, struct row_span span);
uint32_t event_rows_at(const struct event_rows *rows, struct row_span span, uint32_t i);

const struct table *event_table_of(const struct tables *tables, enum event_table table,
                                   const struct column **ts, const struct column **dur);

#endif
