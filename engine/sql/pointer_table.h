/* Tables that functions hand to __intrinsic_table_ptr as pointers.
 *
 * A value of SQL can be a pointer with a type name; "TABLE" is one of these.  The
 * reader FROM __intrinsic_table_ptr(p) shows its columns as c0, c1 ….
 */
#ifndef ENGINE_SQL_POINTER_TABLE_H
#define ENGINE_SQL_POINTER_TABLE_H

#include "engine/sql/database_internal.h"
#include "engine/sql/span_side.h"

#define POINTER_TABLE_TYPE    "TABLE"
#define POINTER_TABLE_COLUMNS 32

/* Columns that are not used read as NULL. */
struct pointer_table {
    uint32_t references;
    size_t rows;
    struct {
        int64_t *integers;       /* owned, or NULL */
        struct span_cell *cells; /* owned, or NULL */
    } columns[POINTER_TABLE_COLUMNS];
};

void pointer_table_release(void *table);
/* Gives the table away. */
void pointer_table_result(sqlite3_context *context, struct pointer_table *table);
bool pointer_table_register(struct sql_database *db, struct status *st);

/* A cell as a result; its strings are the pool's. */
void span_cell_result(sqlite3_context *context, const struct strpool *strings,
                      const struct span_cell *cell);
struct span_cell span_cell_of(struct strpool *strings, sqlite3_value *value);

#endif
