/* Table functions written in C: FROM ancestor_slice(5).
 *
 * A function is a constant table entry.  Its call fills a list of rows; a column
 * shows a column of `table` at the row's number, or a cell that the call computed.
 * All arguments must be given.
 */
#ifndef ENGINE_SQL_NATIVE_FUNCTION_H
#define ENGINE_SQL_NATIVE_FUNCTION_H

#include "engine/sql/database_internal.h"

#define NATIVE_CELL        (-1) /* native_column.from: the row's next cell */
#define NATIVE_MAX_COLUMNS 24
#define NATIVE_MAX_ARGS    6

enum native_cell_kind { NATIVE_NULL, NATIVE_INT, NATIVE_REAL, NATIVE_STRING, NATIVE_TEXT };

struct native_cell {
    enum native_cell_kind kind;
    union {
        int64_t integer;
        double real;
        string_id string;
        const char *text; /* lives as long as the database */
    };
};

static inline struct native_cell native_int(int64_t value)
{
    return (struct native_cell){.kind = NATIVE_INT, .integer = value};
}

static inline struct native_cell native_string(string_id id)
{
    return (struct native_cell){.kind = id == STRING_NULL ? NATIVE_NULL : NATIVE_STRING,
                                .string = id};
}

static inline struct native_cell native_text(const char *text)
{
    return (struct native_cell){.kind = text ? NATIVE_TEXT : NATIVE_NULL, .text = text};
}

struct native_rows {
    const struct table *table;     /* of columns that come from one; else NULL */
    VEC(uint32_t) rows;            /* its rows; as many as the result has */
    VEC(struct native_cell) cells; /* n_rows times the number of cell columns */
    uint32_t n_rows;               /* when there is no table */
};

struct native_column {
    const char *name, *type;
    int from; /* column of the table, or NATIVE_CELL */
};

struct native_function {
    const char *name;
    const struct native_column *columns; /* ends with a NULL name */
    const char *arguments[NATIVE_MAX_ARGS + 1];
    bool (*call)(struct sql_database *db, sqlite3_value **arguments, struct native_rows *out,
                 struct status *st);
    int64_t typical_rows; /* for the planner */
};

extern const struct native_function slice_table_functions[];
extern const struct native_function flow_table_functions[];
extern const struct native_function stack_table_functions[];
extern const struct native_function schema_table_functions[];
extern const struct native_function layout_table_functions[];
extern const struct native_function sched_table_functions[];
extern const struct native_function wakeup_table_functions[];
extern const struct native_function stdlib_table_functions[];

bool native_functions_register(struct sql_database *db, struct status *st);

/* An integer that is a row of `table`: true.  NULL: false without a failure;
 * anything else fails with "no row with id N". */
bool native_row_argument(const struct table *table, sqlite3_value *value, uint32_t *row,
                         struct status *st);

/* Rows of `column` equal to `value`, ascending; found by a scan, into *scratch,
 * while the table still grows. */
struct row_span native_rows_equal(const struct table *table, uint32_t column, int64_t value,
                                  uint32_t **scratch);

#endif
