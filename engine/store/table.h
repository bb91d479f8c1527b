/* A table: columns of equal length under one schema.
 *
 * One thread appends (the engine's worker).  It publishes a row count; below it
 * only COLUMN_MUTABLE columns can still change.  Other threads read between
 * table_read_begin and table_read_end, which hold the store's gate against
 * remapping; they must not keep a column pointer past table_read_end.
 *
 * The engine's own tables are in tables.h; those that SQL creates
 * (CREATE PERFETTO TABLE) are made with table_new and filled with table_put_*.
 */
#ifndef ENGINE_STORE_TABLE_H
#define ENGINE_STORE_TABLE_H

#include <stdatomic.h>

#include "engine/base/status.h"
#include "engine/base/thread.h"
#include "engine/store/column.h"

struct table_schema {
    const char *name; /* as SQL knows it */
    const char *doc;
    const struct column_schema *columns; /* the first one is the ID column */
    uint32_t n_columns;
};

struct late_rows;
struct row_index;

struct table {
    const struct table_schema *schema;
    struct column *columns;
    struct rwlock *gate;               /* of the store; NULL for a table of one thread */
    struct strpool *strings;           /* borrowed */
    _Atomic uint32_t row_count;        /* published */
    uint32_t capacity;                 /* rows */
    uint32_t ready;                    /* rows whose memory was brought in; at most capacity */
    bool frozen;                       /* no row will be added any more */
    struct late_rows *_Atomic late;    /* makes rows that wait (late_rows.h); NULL: complete */
    struct row_index **indexes;        /* by column, built at first need; owned */
    struct table_schema *owned_schema; /* of table_new; names and docs too */
};

#define TABLE_MAX_ROWS (UINT32_MAX - 1)

static inline uint32_t table_rows(const struct table *t)
{
    return atomic_load_explicit(&((struct table *)(uintptr_t)t)->row_count, memory_order_acquire);
}

/* False while there are rows that table_complete will make (late_rows.h). */
static inline bool table_is_complete(const struct table *t)
{
    return !atomic_load_explicit(&((struct table *)(uintptr_t)t)->late, memory_order_acquire);
}
void table_complete(const struct table *t);

void table_read_begin(const struct table *t);
void table_read_end(const struct table *t);

/* Sets up a table whose struct and columns the caller owns. */
void table_init(struct table *t, const struct table_schema *schema, struct column *columns,
                struct strpool *strings, struct rwlock *gate);
void table_dispose(struct table *t); /* storage and indexes */

/* A table made at run time.  The schema is copied.  Its first column must be
 * the ID column. */
struct table *table_new(const struct table_schema *schema, struct strpool *strings);
void table_free(struct table *t);

/* The column's number, or -1.  Case-insensitive (ASCII), as SQL. */
int table_find_column(const struct table *t, const char *name);

/* Appending: put each column (those not put are NULL, or 0 where NULL is not
 * allowed), then end the row.  Returns its number. */
void table_begin_row(struct table *t);
void table_put_int64(struct table *t, uint32_t column, int64_t value);
void table_put_double(struct table *t, uint32_t column, double value);
void table_put_string(struct table *t, uint32_t column, string_id value);
uint32_t table_end_row(struct table *t);

/* Changes one cell of a row that is there. */
void table_set_int64(struct table *t, uint32_t column, uint32_t row, int64_t value);
void table_set_double(struct table *t, uint32_t column, uint32_t row, double value);
void table_set_string(struct table *t, uint32_t column, uint32_t row, string_id value);
void table_set_null(struct table *t, uint32_t column, uint32_t row);

/* After the last append: tightens memory, allows indexes.  A table with late rows
 * is frozen when they are made. */
void table_freeze(struct table *t);

/* Rows of equal value, ascending.  The rows are borrowed from the index. */
struct row_span {
    const uint32_t *rows;
    uint32_t count;
};

/* Rows whose integer or string-id value equals `value`.  Builds the index of
 * that column at first need (any thread; the build is under a lock).  False
 * when the table is not frozen or the column is of another type. */
bool table_rows_equal(const struct table *t, uint32_t column, int64_t value, struct row_span *span);

/* First row whose value in a sorted integer column is >= value (table_rows when
 * none).  The caller checks column.is_sorted. */
uint32_t table_lower_bound(const struct table *t, uint32_t column, int64_t value);

#endif
