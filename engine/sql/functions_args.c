/* Functions over sets of arguments.  The id of a set is the row of its first
 * argument, so that a look-up is a walk over neighbouring rows. */
#include "engine/sql/functions.h"

/* The key's id, found once for each statement when the key is a constant. */
static string_id key_id(sqlite3_context *context, sqlite3_value *value, int argument)
{
    void *known = sqlite3_get_auxdata(context, argument);
    if (known) return (string_id)((uintptr_t)known - 1);
    struct sql_database *db = function_database(context);
    string_id id = strpool_find(db->tables->strings, function_text(value));
    sqlite3_set_auxdata(context, argument, (void *)((uintptr_t)id + 1), NULL);
    return id;
}

static void result_of_row(sqlite3_context *context, const struct args_table *args, uint32_t row)
{
    if (!column_is_null(&args->int_value, row)) {
        sqlite3_result_int64(context, column_int64(&args->int_value)[row]);
    } else if (!column_is_null(&args->string_value, row)) {
        struct str s = strpool_get(args->table.strings, column_string(&args->string_value)[row]);
        sqlite3_result_text(context, s.p, (int)s.n, SQLITE_STATIC);
    } else if (!column_is_null(&args->real_value, row)) {
        sqlite3_result_double(context, column_double(&args->real_value)[row]);
    }
}

static void extract_arg(sqlite3_context *context, int argc, sqlite3_value **argv)
{
    (void)argc;
    const struct args_table *args = &function_database(context)->tables->args;
    if (sqlite3_value_type(argv[0]) == SQLITE_NULL) return;
    if (sqlite3_value_type(argv[0]) != SQLITE_INTEGER) {
        function_error(context, "EXTRACT_ARG: 1st argument should be arg set id");
        return;
    }
    if (sqlite3_value_type(argv[1]) != SQLITE_TEXT) {
        function_error(context, "EXTRACT_ARG: 2nd argument should be key");
        return;
    }
    int64_t set = sqlite3_value_int64(argv[0]);
    uint32_t rows = table_rows(&args->table);
    if (set < 0 || set >= (int64_t)rows) return;
    string_id key = key_id(context, argv[1], 1);
    if (key == STRING_NULL) return;
    const uint32_t *sets = column_uint32(&args->arg_set_id);
    const string_id *keys = column_string(&args->key);
    for (uint32_t row = (uint32_t)set; keys && row < rows && sets[row] == set; row++)
        if (keys[row] == key) {
            result_of_row(context, args, row);
            return;
        }
}

const struct function_entry args_functions[] = {
    {.name = "extract_arg", .argc = 2, .flags = FUNCTION_PURE, .scalar = extract_arg},
    {.name = NULL},
};
