#include "engine/internal.h"

#include <stdarg.h>

struct engine *engine_new(void)
{
    struct engine *engine = mem_zero(1, sizeof *engine);
    engine->tables = tables_new();
    return engine;
}

void engine_free(struct engine *engine)
{
    if (!engine) return;
    sql_database_free(engine->database);
    tables_free(engine->tables);
    text_list_free(&engine->warnings);
    text_list_free(&engine->problems);
    text_list_free(&engine->descriptor_names);
    mem_free(engine->package_skipped);
    mem_free(engine->trace_extensions);
    mem_free(engine);
}

void text_list_add(struct text_list *list, const char *format, ...)
{
    struct buffer text = BUFFER_INIT;
    va_list args;
    va_start(args, format);
    buffer_vprintf(&text, format, args);
    va_end(args);
    vec_push(list, mem_strdup(buffer_text(&text)));
    buffer_free(&text);
}

void text_list_free(struct text_list *list)
{
    for (size_t i = 0; i < list->count; i++)
        mem_free(list->items[i]);
    vec_free(list);
}

const char *engine_warning(const struct engine *engine, size_t i)
{
    return i < engine->warnings.count ? engine->warnings.items[i] : NULL;
}

const char *engine_extension_problem(const struct engine *engine, size_t i)
{
    return i < engine->problems.count ? engine->problems.items[i] : NULL;
}

const char *engine_trace_descriptor_names(const struct engine *engine, size_t i)
{
    return i < engine->descriptor_names.count ? engine->descriptor_names.items[i] : NULL;
}

const char *engine_trace_package_skipped(const struct engine *engine)
{
    return engine->package_skipped;
}

struct tables *engine_tables(struct engine *engine)
{
    return engine->tables;
}

struct strpool *engine_strings(struct engine *engine)
{
    return engine->tables->strings;
}

int64_t engine_start(const struct engine *engine)
{
    return engine->start;
}

int64_t engine_end(const struct engine *engine)
{
    return engine->end;
}

struct str engine_trace_extensions(const struct engine *engine)
{
    if (!engine->trace_extensions) return STR_NONE;
    return (struct str){engine->trace_extensions, engine->trace_extensions_length};
}

struct sql_database *engine_database(struct engine *engine, struct status *st)
{
    if (!engine->database) {
        engine->database = sql_database_new(engine->tables, st);
        if (engine->database) sql_database_set_time_limit(engine->database, engine->query_limit_ms);
    }
    return engine->database;
}

/* The row of the stat is there since the load. */
static void count_skipped_package(struct engine *engine)
{
    struct stats_table *stats = &engine->tables->stats;
    string_id name =
        strpool_find(engine->tables->strings, STR("perfetty_extensions_package_skipped"));
    uint32_t rows = table_rows(&stats->table);
    for (uint32_t i = 0; i < rows; i++)
        if (column_get_string(&stats->name, i) == name)
            table_set_int64(&stats->table, stats_COLUMN_value, i,
                            column_get_int64(&stats->value, i) + 1);
}

static bool register_package(struct engine *engine, const char *package,
                             const struct engine_module *modules, size_t n, enum sql_origin origin,
                             struct status *st)
{
    struct sql_database *database = engine_database(engine, st);
    if (!database) return false;
    VEC(struct sql_module) list = {0};
    for (size_t i = 0; i < n; i++)
        vec_push(&list, (struct sql_module){modules[i].name, modules[i].sql});
    bool ok = sql_database_register_package(database, package, list.items, n, origin,
                                            origin == SQL_ORIGIN_SERVER, st);
    vec_free(&list);
    const char *withdrawn = ok ? sql_database_withdrawn_package(database) : NULL;
    if (withdrawn) {
        count_skipped_package(engine);
        text_list_add(&engine->warnings,
                      "the SQL package '%s' that came with the trace gives way to package '%s'",
                      withdrawn, package);
        mem_free(engine->package_skipped);
        engine->package_skipped = mem_strdup(engine->warnings.items[engine->warnings.count - 1]);
    }
    const char *kept;
    for (size_t i = 0; ok && (kept = sql_database_kept_module(database, i)) != NULL; i++)
        text_list_add(&engine->warnings,
                      "the SQL module '%s' was included already and stays as it was: open the "
                      "trace again for its new text",
                      kept);
    return ok;
}

bool engine_register_package(struct engine *engine, const char *package,
                             const struct engine_module *modules, size_t n, struct status *st)
{
    return register_package(engine, package, modules, n, SQL_ORIGIN_USER, st);
}

bool engine_unregister_server_package(struct engine *engine, const char *package)
{
    struct status st = STATUS_INIT;
    struct sql_database *database = engine_database(engine, &st);
    status_clear(&st);
    return database && sql_database_unregister_package(database, package, SQL_ORIGIN_SERVER);
}

bool engine_register_server_package(struct engine *engine, const char *package,
                                    const struct engine_module *modules, size_t n,
                                    struct status *st)
{
    return register_package(engine, package, modules, n, SQL_ORIGIN_SERVER, st);
}
