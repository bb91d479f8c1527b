/* What the files of engine/sql share: the database's insides.  Nobody outside
 * this folder includes it. */
#ifndef ENGINE_SQL_DATABASE_INTERNAL_H
#define ENGINE_SQL_DATABASE_INTERNAL_H

#include <sqlite3.h>

#include "engine/base/map.h"
#include "engine/base/thread.h"
#include "engine/base/vec.h"
#include "engine/sql/database.h"

/* Calls of functions, includes and expansions that nest deeper fail. */
#define SQL_MAX_NESTING 100

/* A table as SQL sees it.  Counted: the registry of the database holds one
 * reference, each connected virtual table another one. */
struct sql_table {
    struct table *table;
    bool owned; /* made by CREATE PERFETTO TABLE: freed with the last reference */
    uint32_t references;
    /* By column: equality scans so far.  The second one builds an index; CREATE
     * PERFETTO INDEX counts as one. */
    uint32_t *equalities;
    uint32_t *distinct; /* by column: estimate of distinct values, 0 not known */
};

struct sql_packages;
struct sql_functions;
struct sql_macros;
struct sql_clocks;

struct sql_database {
    sqlite3 *sqlite;
    struct tables *tables;         /* borrowed */
    struct strmap by_name;         /* lower-case name -> struct sql_table * */
    struct strmap table_functions; /* perfettosql_table_function.c */
    struct strmap indexes;         /* names of CREATE PERFETTO INDEX -> 1 while there */
    struct strmap owners;          /* lower-case name of an object -> enum sql_origin */
    enum sql_origin origin;        /* of the SQL being prepared or run */
    bool is_internal;              /* the engine's own statements: no authorizer */
    const char *denied;            /* why the authorizer last said no, or NULL */
    char *denied_text;             /* owned; what `denied` points at when it is made up */
    atomic_bool interrupted;       /* asked for, until the running statement ends */
    int64_t time_limit_ns;         /* 0: none */
    int64_t deadline_ns;           /* of the statement that runs; 0: none */
    bool timed_out;                /* the deadline ended it */
    /* outer_join.h: of the statement being prepared; of a view or a function */
    bool leaves_operators, kept_outer_joins;
    unsigned nesting;              /* of functions, includes and expansions */
    bool is_loaded;                /* after sql_database_after_load */
    bool has_bounds;               /* the two below are final */
    int64_t trace_start, trace_end;
    struct sql_packages *packages;
    struct sql_functions *functions;
    struct sql_macros *macros;
    struct sql_clocks *clocks; /* functions_clock.c; built at first need */
};

/* The registry of tables (table_registry.c). */
struct sql_table *sql_table_find(struct sql_database *db, struct str name);
struct sql_table *sql_table_add(struct sql_database *db, const char *name, struct table *table,
                                bool owned);
void sql_table_release(struct sql_table *table);
void sql_table_forget(struct sql_database *db, struct str name);

/* Lower-case (ASCII) copy in a fixed buffer, cut at its size. */
struct str sql_lower(struct str name, char *buffer, size_t size);

/* One statement or several of the engine's own, past the authorizer. */
bool sql_execute_internal(struct sql_database *db, const char *sql, struct status *st);
/* st from SQLite's last error; names an interrupt, a limit or a denial as such. */
bool sql_fail(struct sql_database *db, struct status *st, const char *prefix);

struct regex;
/* With the syntax that SQL means (functions_regex.c). */
struct regex *sql_regex_compile(struct str pattern, unsigned flags, struct status *st);
void sql_clocks_free(struct sql_clocks *clocks);

/* [start, end) of the trace, from the tables (engine_1 1.10). */
void sql_trace_bounds(struct sql_database *db, int64_t *start, int64_t *end);

#endif
