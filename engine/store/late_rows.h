/* Rows that are made only when somebody reads their table.
 *
 * Most loads never look at raw kernel events, and such a row with its args takes
 * several times the memory of the event itself.  So their importer keeps them as
 * bytes, and attaches what can make the rows to the tables that will hold them.
 *
 * Until then table_is_complete says false for these tables: their rows are fewer
 * than they will be, and they have no indexes.  table_complete makes all of them.
 * It belongs on the thread that runs SQL and interns strings, outside
 * table_read_begin; other threads may go on reading.
 */
#ifndef ENGINE_STORE_LATE_ROWS_H
#define ENGINE_STORE_LATE_ROWS_H

#include "engine/store/tables.h"

struct late_rows {
    /* Appends every row, then lets go of what they were made from.  Called once. */
    void (*make)(struct late_rows *late);
    void (*dispose)(struct late_rows *late);
    /* Whether a row that waits can hold `text` in this column. */
    bool (*may_hold)(const struct late_rows *late, const struct table *table, uint32_t column,
                     struct str text);
    struct tables *tables;
    /* Of the rows of ftrace_event that wait, as long as they wait: */
    uint32_t n_rows;
    int64_t first_ts, last_ts; /* when n_rows > 0 */
    uint32_t *rows_of_cpu;     /* by ucpu; changes place under the gate */
    uint32_t n_cpus;
};

/* The tables own `late` from here on.  One per tables. */
void late_rows_attach(struct tables *tables, struct late_rows *late);
/* Only once the tables are frozen: while an importer fills them, nobody else may. */
bool late_rows_can_be_made(const struct tables *tables);
/* NULL when no row waits. */
const struct late_rows *late_rows_of(const struct tables *tables);
/* Rows of ftrace_event, with those that wait. */
uint32_t late_rows_count(const struct tables *tables);

#endif
