/* Facts about the trace: its bounds and its metadata. */
#include "engine/base/checked.h"
#include "engine/import/import.h"
#include "engine/sql/functions.h"

void sql_trace_bounds(struct sql_database *db, int64_t *start, int64_t *end)
{
    if (!db->has_bounds) {
        import_bounds(db->tables, &db->trace_start, &db->trace_end);
        db->has_bounds = db->is_loaded;
    }
    *start = db->trace_start;
    *end = db->trace_end;
}

static void trace_start(sqlite3_context *context, int argc, sqlite3_value **argv)
{
    (void)argc;
    (void)argv;
    int64_t start, end;
    sql_trace_bounds(function_database(context), &start, &end);
    sqlite3_result_int64(context, start);
}

static void trace_end(sqlite3_context *context, int argc, sqlite3_value **argv)
{
    (void)argc;
    (void)argv;
    int64_t start, end;
    sql_trace_bounds(function_database(context), &start, &end);
    sqlite3_result_int64(context, end);
}

static void trace_dur(sqlite3_context *context, int argc, sqlite3_value **argv)
{
    (void)argc;
    (void)argv;
    int64_t start, end;
    sql_trace_bounds(function_database(context), &start, &end);
    sqlite3_result_int64(context, wrapping_sub_int64(end, start));
}

/* ---- metadata ---- */

/* Argument numbers of the machine and the trace in a call; -1: any. */
struct scope {
    int machine, trace, name;
};

static bool fits(const struct column *c, uint32_t row, sqlite3_value *wanted)
{
    if (!wanted) return true;
    if (sqlite3_value_type(wanted) == SQLITE_NULL) return column_is_null(c, row);
    return !column_is_null(c, row) && column_get_int64(c, row) == sqlite3_value_int64(wanted);
}

/* The first row of that name: its text, else its number. */
static void find_metadata(sqlite3_context *context, sqlite3_value **argv, struct scope scope)
{
    const struct metadata_table *t = &function_database(context)->tables->metadata;
    string_id name = strpool_find(t->table.strings, function_text(argv[scope.name]));
    if (name == STRING_NULL) return;
    for (uint32_t i = 0; i < table_rows(&t->table); i++) {
        if (column_get_string(&t->name, i) != name ||
            !fits(&t->machine_id, i, scope.machine < 0 ? NULL : argv[scope.machine]) ||
            !fits(&t->trace_id, i, scope.trace < 0 ? NULL : argv[scope.trace]))
            continue;
        string_id text = column_get_string(&t->str_value, i);
        if (text != STRING_NULL)
            function_result_text(context, strpool_get(t->table.strings, text));
        else if (!column_is_null(&t->int_value, i))
            sqlite3_result_int64(context, column_get_int64(&t->int_value, i));
        return;
    }
}

static void extract_metadata(sqlite3_context *context, int argc, sqlite3_value **argv)
{
    (void)argc;
    find_metadata(context, argv, (struct scope){-1, -1, 0});
}

static void extract_of_machine(sqlite3_context *context, int argc, sqlite3_value **argv)
{
    (void)argc;
    find_metadata(context, argv, (struct scope){0, -1, 1});
}

static void extract_of_trace(sqlite3_context *context, int argc, sqlite3_value **argv)
{
    (void)argc;
    find_metadata(context, argv, (struct scope){-1, 0, 1});
}

static void extract_exact(sqlite3_context *context, int argc, sqlite3_value **argv)
{
    (void)argc;
    find_metadata(context, argv, (struct scope){0, 1, 2});
}

const struct function_entry trace_functions[] = {
    {.name = "extract_metadata", .argc = 1, .flags = FUNCTION_PURE, .scalar = extract_metadata},
    {.name = "extract_metadata_for_machine",
     .argc = 2,
     .flags = FUNCTION_PURE,
     .scalar = extract_of_machine},
    {.name = "extract_metadata_for_trace",
     .argc = 2,
     .flags = FUNCTION_PURE,
     .scalar = extract_of_trace},
    {.name = "extract_exact_metadata", .argc = 3, .flags = FUNCTION_PURE, .scalar = extract_exact},
    {.name = "trace_start", .argc = 0, .flags = FUNCTION_PURE, .scalar = trace_start},
    {.name = "trace_end", .argc = 0, .flags = FUNCTION_PURE, .scalar = trace_end},
    {.name = "trace_dur", .argc = 0, .flags = FUNCTION_PURE, .scalar = trace_dur},
    {.name = NULL},
};
