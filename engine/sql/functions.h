/* SQL functions of the engine (engine_4 4.5), one file for each family.  A family
 * is a constant table; functions_register enters them all.
 *
 * Functions that cannot do harm and always answer the same for one trace are
 * FUNCTION_PURE; those that change the database are FUNCTION_DIRECT: they cannot
 * stand in a view, so that nobody runs them without having written them.
 */
#ifndef ENGINE_SQL_FUNCTIONS_H
#define ENGINE_SQL_FUNCTIONS_H

#include "engine/sql/database_internal.h"

#define FUNCTION_PURE   (SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS)
#define FUNCTION_READ   (SQLITE_UTF8 | SQLITE_INNOCUOUS)
#define FUNCTION_DIRECT (SQLITE_UTF8 | SQLITE_DIRECTONLY)

typedef void (*function_scalar)(sqlite3_context *, int, sqlite3_value **);
typedef void (*function_final)(sqlite3_context *);

/* The user data of every function is the database. */
struct function_entry {
    const char *name;
    int argc; /* -1: any number */
    int flags;
    function_scalar scalar;
    function_scalar step; /* aggregates and windows */
    function_final final;
    function_final value;
    function_scalar inverse;
};

extern const struct function_entry args_functions[];
extern const struct function_entry trace_functions[];
extern const struct function_entry control_functions[];
extern const struct function_entry json_functions[];
extern const struct function_entry text_functions[];
extern const struct function_entry regex_functions[];
extern const struct function_entry clock_functions[];
extern const struct function_entry aggregate_functions[];
extern const struct function_entry sum_functions[];
extern const struct function_entry interval_functions[];

bool functions_register(struct sql_database *db, struct status *st);
bool functions_enter(struct sql_database *db, const struct function_entry *entry,
                     struct status *st);
/* For DELEGATES TO: by lower-cased name, with or without "__intrinsic_" in front. */
const struct function_entry *functions_find(struct str name);
const struct function_entry *functions_find_argc(struct str name, int argc);

static inline struct sql_database *function_database(sqlite3_context *context)
{
    return sqlite3_user_data(context);
}

/* Bytes of a TEXT or BLOB argument, or of the text of a number. */
static inline struct str function_text(sqlite3_value *value)
{
    const char *text = sqlite3_value_blob(value); /* adds no NUL, so that it need not copy */
    return (struct str){text ? text : "", (size_t)sqlite3_value_bytes(value)};
}

/* A copy of the bytes as the result. */
static inline void function_result_text(sqlite3_context *context, struct str s)
{
    sqlite3_result_text(context, s.n ? s.p : "", (int)s.n, SQLITE_TRANSIENT);
}

/* The result of a function that has none: the shell prints no row for it. */
void function_result_void(sqlite3_context *context);

/* "name: what" as the error. */
void function_error(sqlite3_context *context, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
