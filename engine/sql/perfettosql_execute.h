/* Carrying out the engine's own statements.
 *
 * Each gets the parsed statement, whose body is a slice of `unit->text`, and on
 * failure sets *error_at to a byte of that text.  Work on the schema happens past
 * the authorizer, so each asks authorizer_may_replace itself.
 */
#ifndef ENGINE_SQL_PERFETTOSQL_EXECUTE_H
#define ENGINE_SQL_PERFETTOSQL_EXECUTE_H

#include "engine/sql/database_internal.h"
#include "engine/sql/perfettosql_source.h"
#include "engine/sql/perfettosql_statement.h"

struct sql_execution {
    struct sql_database *db;
    const struct sql_unit *unit;
    const struct sql_statement *statement;
    size_t error_at;
    bool no_traceback; /* the message stands alone (INCLUDE, INDEX) */
};

bool execute_statement(struct sql_execution *e, struct status *st);

bool execute_create_table(struct sql_execution *e, struct status *st);
bool execute_create_view(struct sql_execution *e, struct status *st);
bool execute_create_index(struct sql_execution *e, struct status *st);
bool execute_drop_index(struct sql_execution *e, struct status *st);
bool execute_create_function(struct sql_execution *e, struct status *st);
bool execute_create_table_function(struct sql_execution *e, struct status *st);
bool execute_include(struct sql_execution *e, struct status *st);

/* Prepares the body (one SELECT) under the authorizer; `what` stands in front of
 * the message.  NULL on failure. */
sqlite3_stmt *execute_prepare_body(struct sql_execution *e, const char *what, struct status *st);

/* Compares declared and existing column names as sets (engine_4 4.2). */
bool execute_check_schema(struct sql_execution *e, sqlite3_stmt *body, struct status *st);
bool execute_check_column_names(sqlite3_stmt *body, const char *what, struct status *st);

/* "table" or "view" when sqlite_master has the name, else NULL. */
const char *execute_object_kind(struct sql_database *db, struct str name);

/* Runs every statement of the source; a row is an error when `no_rows`. */
bool sql_run_source(struct sql_database *db, struct sql_source *source, bool no_rows,
                    struct status *st);

/* From SQLite's last error: the message, and the place in `unit` where it is known
 * (`body` is what was prepared). */
bool execute_sqlite_error(struct sql_execution *e, struct str body, const char *what,
                          struct status *st);

/* Text to embed in SQL; free with sqlite3_free. */
static inline char *execute_name(struct str name)
{
    return sqlite3_mprintf("%.*s", (int)name.n, name.p);
}

#endif
