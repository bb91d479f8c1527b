/* One input of a span join: what its table has, and its spans in order.
 *
 * The input is read once, unordered, with the columns that are used only, and
 * sorted here by (partition, ts): cheaper than asking SQLite to sort whole rows.
 */
#ifndef ENGINE_SQL_SPAN_SIDE_H
#define ENGINE_SQL_SPAN_SIDE_H

#include "engine/sql/database_internal.h"

#define SPAN_MAX_COLUMNS 64

/* The table, as known when the join is made. */
struct span_table {
    char *name, *partition; /* owned; partition NULL when there is none */
    char *columns[SPAN_MAX_COLUMNS];
    char *types[SPAN_MAX_COLUMNS];
    int n_columns; /* other than ts, dur and the partition */
    bool has_dur;
};

struct span_cell {
    int type; /* of SQLite */
    union {
        int64_t integer;
        double real;
        string_id string;
    };
};

struct span {
    int64_t ts, end, partition;
    uint32_t row; /* its cells are [row * n_cells, …) */
};

struct span_side {
    VEC(struct span) spans; /* by (partition, ts) */
    VEC(struct span_cell) cells;
    int n_cells;
    int cell_of[SPAN_MAX_COLUMNS]; /* of a table's column; -1: not read */
};

/* "table [PARTITIONED column]" */
bool span_table_open(struct sql_database *db, const char *argument, struct span_table *t,
                     struct status *st);
void span_table_dispose(struct span_table *t);

/* `used`: which columns are wanted, a bit each.  `where` is SQL to put behind WHERE,
 * or NULL, with one value for its ?1. */
bool span_side_read(struct sql_database *db, const struct span_table *t, uint64_t used,
                    const char *where, sqlite3_value *value, struct span_side *side,
                    struct status *st);
void span_side_dispose(struct span_side *side);

#endif
