#include "engine/sql/database_internal.h"
#include "engine/sql/stdlib.h"

static const char *const stdlib_packages[] = {
    "android", "appleos", "callstacks", "chrome",  "counters",   "export", "graphs",  "intervals",
    "linux",   "pixel",   "pkvm",       "prelude", "proto_path", "sched",  "slices",  "stack_trace",
    "stacks",  "std",     "time",       "traced",  "v8",         "viz",    "wattson",
};

const char *sql_stdlib_package_name(size_t i)
{
    return i < sizeof stdlib_packages / sizeof *stdlib_packages ? stdlib_packages[i] : NULL;
}

bool sql_database_after_load(struct sql_database *db, struct status *st)
{
    for (size_t i = 0; i < stdlib_modules_count; i++) {
        struct str text = {stdlib_modules[i].bytes, stdlib_modules[i].length};
        if (!str_starts(str_of(stdlib_modules[i].path), STR("prelude/"))) continue;
        if (!sql_database_run(db, text, SQL_ORIGIN_STDLIB, st)) return false;
    }
    db->is_loaded = true;
    return true;
}

bool sql_database_register_package(struct sql_database *db, const char *package,
                                   const struct sql_module *modules, size_t n_modules,
                                   enum sql_origin origin, bool allow_override, struct status *st)
{
    (void)db;
    (void)modules;
    (void)n_modules;
    (void)origin;
    (void)allow_override;
    return status_fail(st, STATUS_INVALID, STATUS_NO_OFFSET, "Package '%s' cannot be registered",
                       package);
}

const char *sql_database_withdrawn_package(const struct sql_database *db)
{
    (void)db;
    return NULL;
}
