/* SQL over the columns of one trace: PerfettoSQL on SQLite (spec/engine_4_sql.md).
 *
 * A database borrows a `struct tables` and shows each of its tables; rows that are
 * appended later are seen by later statements.  It belongs to one thread at a
 * time; only sql_database_interrupt may be called from another one, or from a
 * signal handler.  Statements run either on the thread that appends or after
 * tables_freeze.
 *
 * Nothing here can reach a file, a network or another database: see authorizer.h.
 */
#ifndef ENGINE_SQL_DATABASE_H
#define ENGINE_SQL_DATABASE_H

#include <stdbool.h>
#include <stdint.h>

#include "engine/base/status.h"
#include "engine/base/str.h"
#include "engine/store/tables.h"

struct sql_database;

/* Who wrote a text.  SQL of a trace or a server cannot drop, replace, shadow or
 * write to what the engine, the standard library or the user made. */
enum sql_origin { SQL_ORIGIN_STDLIB, SQL_ORIGIN_USER, SQL_ORIGIN_SERVER, SQL_ORIGIN_TRACE };

/* Opens with the prelude of before the end of the file (metadata, stats,
 * functions …).  NULL with a message when SQLite refuses. */
struct sql_database *sql_database_new(struct tables *tables, struct status *st);
void sql_database_free(struct sql_database *db); /* NULL is fine; before tables_free */

/* After the load and tables_freeze: slice, thread, sched and the rest of the
 * prelude (spec/engine_3_tables.md).  Once. */
bool sql_database_after_load(struct sql_database *db, struct status *st);

/* Stops what runs now: it fails with STATUS_INTERRUPTED. */
void sql_database_interrupt(struct sql_database *db);
/* A statement that runs longer fails with STATUS_LIMIT; 0, the default: none. */
void sql_database_set_time_limit(struct sql_database *db, int64_t milliseconds);
/* One limit for all databases of the process (SQLite has one heap); the default
 * is SQL_HEAP_LIMIT. */
#define SQL_HEAP_LIMIT (INT64_C(2) << 30)
void sql_set_heap_limit(int64_t bytes);

/* ---- packages (engine_4 4.3) ---- */

struct sql_module {
    const char *name; /* the full dotted key, "com.example.frames" */
    const char *sql;
};

/* Copies all of it.  Fails, with the message of 4.3, on a clash.  A package of
 * SQL_ORIGIN_TRACE gives way: when one of the user or a server clashes with it,
 * the trace's is withdrawn (sql_database_withdrawn_package).  A server's takes the place
 * of the server's of that name; a module of it that ran already is not run again. */
bool sql_database_register_package(struct sql_database *db, const char *package,
                                   const struct sql_module *modules, size_t n_modules,
                                   enum sql_origin origin, bool allow_override, struct status *st);
/* The trace's package that had to give way in the last successful call of
 * sql_database_register_package, or NULL. */
const char *sql_database_withdrawn_package(const struct sql_database *db);
/* Modules that came with other text in that call, but ran before: they stay what they
 * were.  NULL past the end. */
const char *sql_database_kept_module(const struct sql_database *db, size_t i);
/* Its modules cannot be included any more; what they have made stays.  False when
 * there is none of that name and origin. */
bool sql_database_unregister_package(struct sql_database *db, const char *package,
                                     enum sql_origin origin);

/* Top-level names of the standard library, all reserved (sidecar rule E3), also
 * those of which no module is here; NULL past the end. */
const char *sql_stdlib_package_name(size_t i);

/* ---- statements ---- */

struct sql_cursor;

enum sql_type { SQL_NULL, SQL_INT, SQL_REAL, SQL_TEXT, SQL_BLOB };

/* A text of any number of statements, copied; none of them has run when this
 * returns.  NULL, with "No valid SQL to run", when it holds no statement.
 *
 *     while (sql_cursor_next_statement(c, &st))
 *         while (sql_cursor_step(c, &st)) …
 *
 * Messages of failed statements begin with the traceback of 4.1. */
struct sql_cursor *sql_database_query(struct sql_database *db, struct str sql,
                                      enum sql_origin origin, struct status *st);
/* Finishes the statement before; prepares the next one.  A statement of the
 * engine (CREATE PERFETTO …, INCLUDE …) has run when this returns and has no
 * columns.  False at the end and on an error. */
bool sql_cursor_next_statement(struct sql_cursor *cursor, struct status *st);
/* The next row; false at the end of the rows and on an error. */
bool sql_cursor_step(struct sql_cursor *cursor, struct status *st);
void sql_cursor_free(struct sql_cursor *cursor); /* NULL is fine */

uint32_t sql_cursor_column_count(const struct sql_cursor *cursor);
const char *sql_cursor_column_name(const struct sql_cursor *cursor, uint32_t column);
enum sql_type sql_cursor_type(const struct sql_cursor *cursor, uint32_t column);
int64_t sql_cursor_int(const struct sql_cursor *cursor, uint32_t column);
double sql_cursor_real(const struct sql_cursor *cursor, uint32_t column);
/* Bytes of a TEXT or BLOB, other types as text; good until the next step. */
struct str sql_cursor_text(const struct sql_cursor *cursor, uint32_t column);
/* True for a statement whose rows the shell does not print: its only column is
 * suppress_query_output, or its value is the void of a function without result. */
bool sql_cursor_is_silent(const struct sql_cursor *cursor);

/* Runs every statement and throws the rows away. */
bool sql_database_run(struct sql_database *db, struct str sql, enum sql_origin origin,
                      struct status *st);

#endif
