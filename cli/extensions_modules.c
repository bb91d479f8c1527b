#include <jansson.h>

#include "cli/extensions.h"
#include "engine/base/buffer.h"
#include "engine/extensions/json.h"

static bool include(struct engine *engine, const char *name, struct status *st)
{
    struct buffer sql = BUFFER_INIT;
    buffer_printf(&sql, "INCLUDE PERFETTO MODULE %s", name);
    struct result *result =
        engine_query_result_from(engine, ENGINE_ORIGIN_TRACE, buffer_str(&sql), 0, st);
    buffer_free(&sql);
    result_free(result);
    return result != NULL;
}

size_t extensions_run_modules(struct engine *engine, const char *label)
{
    const char *skipped = engine_trace_package_skipped(engine);
    struct str section = engine_trace_extensions(engine);
    struct status st = STATUS_INIT;
    json_t *root = section.p ? json_strict_load(section, &st) : NULL, *entry;
    size_t i, failed = 0;
    status_clear(&st);
    if (skipped) {
        cli_say("%s: extensions.sql_modules: the package is left out: %s", label, skipped);
        failed++;
    }
    json_array_foreach(skipped ? NULL : json_object_get(root, "sql_modules"), i, entry)
    {
        const char *name = json_string_value(json_object_get(entry, "name"));
        int64_t began = clock_now_ns();
        if (name && include(engine, name, &st)) {
            printf("%s runs (%.1f ms)\n", name, (double)(clock_now_ns() - began) / 1e6);
            continue;
        }
        status_prefix(&st, "%s: extensions.sql_modules[%zu]: %s does not run", label, i,
                      name ? name : "");
        cli_fail_query(&st);
        failed++;
    }
    json_decref(root);
    return failed;
}
