/* The one virtual table module over columns: the engine's tables and the results
 * of CREATE PERFETTO TABLE.  Read-only.
 *
 *   vtab_plan.c    xBestIndex: which constraints, order and limit it takes over
 *   vtab_filter.c  constraint values -> predicates over rows
 *   vtab_order.c   sorting row numbers
 *   vtab.c         the module: cursors, columns
 *
 * A row of a cursor is a row number.  Rows come in ascending order unless an
 * ORDER BY was taken over.
 */
#ifndef ENGINE_SQL_VTAB_H
#define ENGINE_SQL_VTAB_H

#include "engine/sql/database_internal.h"

/* ---- plans ---- */

#define VTAB_MAX_TERMS 32
#define VTAB_MAX_USED  6

enum vtab_operator {
    VTAB_EQ,
    VTAB_NE,
    VTAB_LT,
    VTAB_LE,
    VTAB_GT,
    VTAB_GE,
    VTAB_IS,
    VTAB_IS_NOT,
    VTAB_IS_NULL,
    VTAB_IS_NOT_NULL,
    VTAB_IN,
    VTAB_GLOB,
    VTAB_LIKE,
    VTAB_REGEXP,
    VTAB_LIMIT,
    VTAB_OFFSET,
};

struct vtab_term {
    uint32_t column;
    enum vtab_operator op;
};

struct vtab_order {
    uint32_t column;
    bool descending;
};

/* Terms stand in the order of their values in xFilter; LIMIT and OFFSET last. */
struct vtab_plan {
    struct vtab_term terms[VTAB_MAX_TERMS];
    uint32_t n_terms;
    struct vtab_order order[VTAB_MAX_TERMS];
    uint32_t n_order;
    uint32_t used[VTAB_MAX_USED]; /* columns that the statement reads, some of them */
    uint32_t n_used;
};

/* Which column of the table each declared column shows. */
struct vtab_columns {
    uint32_t *map; /* owned by the virtual table; NULL: the same ones */
    uint32_t count;
};

/* `leaves_operators` as outer_join.h says. */
int vtab_best_index(const struct sql_table *table, const struct vtab_columns *columns,
                    bool leaves_operators, sqlite3_index_info *info);
/* `text` was made by vtab_best_index. */
void vtab_plan_read(struct vtab_plan *plan, const char *text);

/* ---- filters ---- */

enum vtab_filter_kind {
    VTAB_FILTER_NOT_NULL,
    VTAB_FILTER_NULL,
    VTAB_FILTER_RANGE,   /* integers in [low, high] */
    VTAB_FILTER_NOT_INT, /* integers other than `low` */
    VTAB_FILTER_INT_SET, /* integers among `set` */
    VTAB_FILTER_STRING,  /* string id `low` */
    VTAB_FILTER_NOT_STRING,
    VTAB_FILTER_TEXT,       /* a predicate on the bytes, remembered by string id */
    VTAB_FILTER_STRING_SET, /* string ids among `set` */
    VTAB_FILTER_REAL,       /* op with `real` or with integer `low` */
    VTAB_FILTER_REAL_SET,
};

struct vtab_filter {
    enum vtab_filter_kind kind;
    uint32_t column;
    bool or_null; /* IS NOT: NULL passes as well */
    enum vtab_operator op;
    int64_t low, high;
    double real;
    bool real_is_int; /* compare a REAL with integer `low`, exactly */
    struct str text;  /* pattern or bound; borrowed from the statement's value */
    struct regex *regex;
    int64_t *set;  /* owned, ascending; doubles by their bits' value order */
    double *reals; /* owned; VTAB_FILTER_REAL_SET */
    size_t n_set;
    uint8_t *verdicts; /* owned; by string id: 0 not asked, 1 no, 2 yes */
    uint32_t n_verdicts;
};

struct vtab_filters {
    struct vtab_filter items[VTAB_MAX_TERMS];
    uint32_t count;
    bool none; /* no row can pass */
};

/* Adds what `term` with `value` asks.  False with a message on a bad regex. */
bool vtab_filters_add(struct vtab_filters *filters, const struct table *table,
                      struct vtab_term term, sqlite3_value *value, struct status *st);
void vtab_filters_clear(struct vtab_filters *filters);
/* Cheap ones first. */
void vtab_filters_sort(struct vtab_filters *filters);
/* Keeps those of rows[0..n) that pass all filters; returns how many. */
uint32_t vtab_filters_keep(struct vtab_filters *filters, const struct table *table, uint32_t *rows,
                           uint32_t n);

/* ---- order ---- */

/* Sorts row numbers, stably, by the columns; NULLs are smallest. */
void vtab_sort_rows(const struct table *table, const struct vtab_order *order, uint32_t n_order,
                    uint32_t *rows, uint32_t n);
/* True when the column's values ascend with the rows, and none is NULL. */
bool vtab_column_ascends(const struct table *table, uint32_t column);
/* True when ascending row order is that order already. */
bool vtab_is_row_order(const struct table *table, const struct vtab_order *order, uint32_t n_order);

/* ---- the module ---- */

bool vtab_register(struct sql_database *db, struct status *st);
/* The value of one cell as a result of `context`. */
void vtab_result_cell(sqlite3_context *context, const struct table *table, uint32_t column,
                      uint32_t row);

#endif
