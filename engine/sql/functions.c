#include "engine/sql/functions.h"

#include <stdarg.h>
#include <stdio.h>

static const struct function_entry *const families[] = {
    args_functions,  trace_functions, control_functions,   json_functions,     text_functions,
    regex_functions, clock_functions, aggregate_functions, interval_functions, sum_functions,
};

bool functions_enter(struct sql_database *db, const struct function_entry *f, struct status *st)
{
    int rc;
    if (f->value)
        rc = sqlite3_create_window_function(db->sqlite, f->name, f->argc, f->flags, db, f->step,
                                            f->final, f->value, f->inverse, NULL);
    else
        rc = sqlite3_create_function_v2(db->sqlite, f->name, f->argc, f->flags, db, f->scalar,
                                        f->step, f->final, NULL);
    return rc == SQLITE_OK || sql_fail(db, st, f->name);
}

bool functions_register(struct sql_database *db, struct status *st)
{
    for (size_t i = 0; i < sizeof families / sizeof *families; i++)
        for (const struct function_entry *f = families[i]; f->name; f++)
            if (!functions_enter(db, f, st)) return false;
    return true;
}

static bool is_named(struct str name, const char *entry)
{
    static const struct str prefix = {"__intrinsic_", sizeof "__intrinsic_" - 1};
    char buffer[128];
    name = sql_lower(name, buffer, sizeof buffer);
    if (str_is(name, entry)) return true;
    return str_starts(name, prefix) && str_is(str_slice(name, prefix.n, name.n), entry);
}

const struct function_entry *functions_find(struct str name)
{
    for (size_t i = 0; i < sizeof families / sizeof *families; i++)
        for (const struct function_entry *f = families[i]; f->name; f++)
            if (is_named(name, f->name)) return f;
    return NULL;
}

const struct function_entry *functions_find_argc(struct str name, int argc)
{
    for (size_t i = 0; i < sizeof families / sizeof *families; i++)
        for (const struct function_entry *f = families[i]; f->name; f++)
            if (is_named(name, f->name) && (f->argc == argc || f->argc == -1)) return f;
    return NULL;
}

void function_result_void(sqlite3_context *context)
{
    static char nothing;
    sqlite3_result_pointer(context, &nothing, "VOID", NULL);
}

void function_error(sqlite3_context *context, const char *format, ...)
{
    char text[512];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    sqlite3_result_error(context, text, -1);
}
