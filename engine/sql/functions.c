#include "engine/sql/functions.h"

#include <stdarg.h>
#include <stdio.h>

static const struct function_entry *const families[] = {
    args_functions,
    trace_functions,
};

static bool enter(struct sql_database *db, const struct function_entry *f, struct status *st)
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
            if (!enter(db, f, st)) return false;
    return true;
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
