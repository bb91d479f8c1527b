/* Functions that change the database: the old way to make functions and to include
 * modules.  All are FUNCTION_DIRECT. */
#include "engine/sql/functions.h"
#include "engine/sql/perfettosql_execute.h"
#include "engine/sql/perfettosql_function.h"

static void experimental_memoize(sqlite3_context *context, int argc, sqlite3_value **argv)
{
    (void)argc;
    struct status st = STATUS_INIT;
    const char *name = (const char *)sqlite3_value_text(argv[0]);
    if (function_memoize(function_database(context), name ? name : "", &st))
        function_result_void(context);
    else
        function_error(context, "%s", status_message(&st));
    status_clear(&st);
}

/* Runs `sql`, which was put together from arguments, as the one who asked. */
static void run(sqlite3_context *context, char *sql)
{
    struct sql_database *db = function_database(context);
    struct status st = STATUS_INIT;
    struct sql_source source;
    sql_source_init(&source, "Trace Processor Internal", str_of(sql ? sql : ""), db->origin);
    if (sql && db->nesting < SQL_MAX_NESTING) {
        db->nesting++;
        if (sql_run_source(db, &source, true, &st)) function_result_void(context);
        db->nesting--;
    }
    if (st.code != STATUS_OK) sqlite3_result_error(context, status_message(&st), -1);
    status_clear(&st);
    sql_source_free(&source);
    sqlite3_free(sql);
}

static void create_function(sqlite3_context *context, int argc, sqlite3_value **argv)
{
    (void)argc;
    run(context, sqlite3_mprintf("CREATE OR REPLACE PERFETTO FUNCTION %s RETURNS %s AS %s",
                                 sqlite3_value_text(argv[0]), sqlite3_value_text(argv[1]),
                                 sqlite3_value_text(argv[2])));
}

static void create_view_function(sqlite3_context *context, int argc, sqlite3_value **argv)
{
    (void)argc;
    run(context, sqlite3_mprintf("CREATE OR REPLACE PERFETTO FUNCTION %s RETURNS TABLE(%s) AS %s",
                                 sqlite3_value_text(argv[0]), sqlite3_value_text(argv[1]),
                                 sqlite3_value_text(argv[2])));
}

static void import(sqlite3_context *context, int argc, sqlite3_value **argv)
{
    (void)argc;
    run(context, sqlite3_mprintf("INCLUDE PERFETTO MODULE %s", sqlite3_value_text(argv[0])));
}

const struct function_entry control_functions[] = {
    {.name = "experimental_memoize",
     .argc = 1,
     .flags = FUNCTION_DIRECT,
     .scalar = experimental_memoize},
    {.name = "create_function", .argc = 3, .flags = FUNCTION_DIRECT, .scalar = create_function},
    {.name = "create_view_function",
     .argc = 3,
     .flags = FUNCTION_DIRECT,
     .scalar = create_view_function},
    {.name = "import", .argc = 1, .flags = FUNCTION_DIRECT, .scalar = import},
    {.name = NULL},
};
