/* perfetty info TRACE… : what is in it and what was lost, as text or JSON. */
#include <string.h>

#include "cli/cli.h"
#include "cli/json.h"
#include "engine/base/utf8.h"
#include "engine/base/vec.h"
#include "engine/store/late_rows.h"

/* One counted kind of row; its name is the key in JSON. */
struct count {
    const char *name;
    const struct table *table;
};

enum { MAX_COUNTS = 24 };

static size_t list_counts(const struct tables *t, struct count counts[MAX_COUNTS])
{
    const struct count all[] = {
        {"machines", &t->machine.table},
        {"processes", &t->process.table},
        {"threads", &t->thread.table},
        {"tracks", &t->track.table},
        {"slices", &t->slice.table},
        {"flows", &t->flow.table},
        {"counter_values", &t->counter.table},
        {"sched_slices", &t->sched_slice.table},
        {"thread_states", &t->thread_state.table},
        {"ftrace_events", &t->ftrace_event.table},
        {"log_lines", &t->logs.table},
        {"stack_samples", &t->profiler_sample.table},
        {"heap_allocations", &t->heap_profile_allocation.table},
        {"heap_graph_objects", &t->heap_graph_object.table},
        {"aggregate_samples", &t->aggregate_sample.table},
        {"import_log_lines", &t->trace_import_logs.table},
    };
    size_t n = sizeof all / sizeof *all;
    memcpy(counts, all, sizeof all);
    return n;
}

static unsigned count_of(const struct tables *t, const struct count *count)
{
    return count->table == &t->ftrace_event.table ? late_rows_count(t) : table_rows(count->table);
}

static struct str text_of(const struct tables *t, const struct column *c, uint32_t row)
{
    return strpool_get(t->strings, column_get_string(c, row));
}

/* The stats that count as a loss or an error, and are not zero. */
static bool is_loss(const struct tables *t, uint32_t row)
{
    struct str severity = text_of(t, &t->stats.severity, row);
    return column_get_int64(&t->stats.value, row) > 0 &&
           (str_is(severity, "error") || str_is(severity, "data_loss"));
}

static struct str file_name(const struct tables *t, uint32_t row, const char *operand)
{
    struct str name = text_of(t, &t->trace_file.name, row);
    uint32_t parent = column_get_row(&t->trace_file.parent_id, row);
    if (name.n > 0) return name;
    return parent == NULL_UINT32 ? str_of(operand) : file_name(t, parent, operand);
}

/* ---- text ---- */

static void put_visible(struct str s)
{
    struct buffer visible = BUFFER_INIT;
    utf8_append_visible(&visible, s, false);
    fputs(buffer_text(&visible), stdout);
    buffer_free(&visible);
}

static void print_size(int64_t bytes)
{
    static const char *const units[] = {"B", "KB", "MB", "GB", "TB"};
    double value = (double)bytes;
    int unit = 0;
    for (; value >= 1000 && unit < 4; unit++)
        value /= 1000;
    printf(unit == 0 ? "%9.0f %s" : "%9.1f %s", value, units[unit]);
}

static void print_files(const struct tables *t, const char *operand)
{
    puts("Files");
    uint32_t rows = table_rows(&t->trace_file.table);
    for (uint32_t i = 0; i < rows; i++) {
        fputs("  ", stdout);
        print_size(column_get_int64(&t->trace_file.size, i));
        printf("  %-18.*s ", STR_ARG(text_of(t, &t->trace_file.trace_type, i)));
        for (uint32_t p = column_get_row(&t->trace_file.parent_id, i); p != NULL_UINT32;
             p = column_get_row(&t->trace_file.parent_id, p))
            fputs("  ", stdout);
        put_visible(file_name(t, i, operand));
        putchar('\n');
    }
}

static void print_losses(const struct tables *t)
{
    uint32_t rows = table_rows(&t->stats.table), n = 0;
    for (uint32_t i = 0; i < rows; i++) {
        if (!is_loss(t, i)) continue;
        if (n++ == 0) puts("\nLost or wrong");
        printf("  %.*s", STR_ARG(text_of(t, &t->stats.name, i)));
        if (!column_is_null(&t->stats.idx, i))
            printf("[%lld]", (long long)column_get_int64(&t->stats.idx, i));
        printf(": %lld", (long long)column_get_int64(&t->stats.value, i));
        struct str description = text_of(t, &t->stats.description, i);
        if (description.n > 0) {
            fputs("  ", stdout);
            put_visible(description);
        }
        putchar('\n');
    }
    if (n == 0) puts("\nNothing was lost.");
}

static void print_text(struct engine *engine, const char *operand)
{
    const struct tables *t = engine_tables(engine);
    struct count counts[MAX_COUNTS];
    size_t n = list_counts(t, counts);
    int64_t start = engine_start(engine), end = engine_end(engine);
    print_files(t, operand);
    printf("\nTime\n  %.9f s  from %lld ns to %lld ns\n", (double)(end - start) / 1e9,
           (long long)start, (long long)end);
    puts("\nRows");
    for (size_t i = 0; i < n; i++)
        if (count_of(t, &counts[i]) > 0)
            printf("  %12u  %s\n", count_of(t, &counts[i]), counts[i].name);
    if (engine_trace_extensions(engine).p)
        puts("\nIt brings extensions along: see perfetty extensions dump");
    print_losses(t);
}

/* ---- JSON ---- */

static void json_files(struct buffer *out, const struct tables *t, const char *operand)
{
    uint32_t rows = table_rows(&t->trace_file.table);
    buffer_append_text(out, ",\"files\":[");
    for (uint32_t i = 0; i < rows; i++) {
        buffer_printf(out, "%s{\"id\":%u,\"name\":", i > 0 ? "," : "", (unsigned)i);
        json_append_text(out, file_name(t, i, operand));
        buffer_append_text(out, ",\"parent_id\":");
        uint32_t parent = column_get_row(&t->trace_file.parent_id, i);
        if (parent == NULL_UINT32)
            buffer_append_text(out, "null");
        else
            buffer_printf(out, "%u", (unsigned)parent);
        buffer_append_text(out, ",\"trace_type\":");
        json_append_text(out, text_of(t, &t->trace_file.trace_type, i));
        buffer_printf(out, ",\"size_bytes\":%lld}",
                      (long long)column_get_int64(&t->trace_file.size, i));
    }
    buffer_append_byte(out, ']');
}

static void json_losses(struct buffer *out, const struct tables *t)
{
    uint32_t rows = table_rows(&t->stats.table), n = 0;
    buffer_append_text(out, ",\"losses\":[");
    for (uint32_t i = 0; i < rows; i++) {
        if (!is_loss(t, i)) continue;
        buffer_append_text(out, n++ > 0 ? ",{\"name\":" : "{\"name\":");
        json_append_text(out, text_of(t, &t->stats.name, i));
        if (!column_is_null(&t->stats.idx, i))
            buffer_printf(out, ",\"index\":%lld", (long long)column_get_int64(&t->stats.idx, i));
        buffer_printf(
            out, ",\"value\":%lld,\"severity\":", (long long)column_get_int64(&t->stats.value, i));
        json_append_text(out, text_of(t, &t->stats.severity, i));
        buffer_append_text(out, ",\"source\":");
        json_append_text(out, text_of(t, &t->stats.source, i));
        if (!column_is_null(&t->stats.trace_id, i))
            buffer_printf(out, ",\"file\":%lld",
                          (long long)column_get_int64(&t->stats.trace_id, i));
        buffer_append_byte(out, '}');
    }
    buffer_append_byte(out, ']');
}

static void print_json(struct engine *engine, const char *operand)
{
    const struct tables *t = engine_tables(engine);
    struct buffer out = BUFFER_INIT;
    struct count counts[MAX_COUNTS];
    size_t n = list_counts(t, counts);
    buffer_printf(&out, "{\"start_ns\":%lld,\"end_ns\":%lld", (long long)engine_start(engine),
                  (long long)engine_end(engine));
    json_files(&out, t, operand);
    buffer_append_text(&out, ",\"rows\":{");
    for (size_t i = 0; i < n; i++)
        buffer_printf(&out, "%s\"%s\":%u", i > 0 ? "," : "", counts[i].name,
                      count_of(t, &counts[i]));
    buffer_append_byte(&out, '}');
    json_losses(&out, t);
    buffer_append_text(&out, ",\"warnings\":[");
    const char *warning;
    for (size_t i = 0; (warning = engine_warning(engine, i)) != NULL; i++) {
        if (i > 0) buffer_append_byte(&out, ',');
        json_append_text(&out, str_of(warning));
    }
    buffer_append_text(&out, "],\"extensions\":");
    struct str extensions = engine_trace_extensions(engine);
    buffer_append_str(&out, extensions.p ? extensions : STR("null"));
    buffer_append_text(&out, "}\n");
    fwrite(buffer_text(&out), 1, out.length, stdout);
    buffer_free(&out);
}

static int run(const struct cli_load *load, const struct cli_operands *operands, bool json)
{
    int exit_status = CLI_OK;
    if (operands->count == 0) return cli_usage("info", "no trace was named");
    struct engine *engine =
        cli_open(load, operands->items, operands->count, ENGINE_EXTENSIONS_LOAD, &exit_status);
    if (!engine) return exit_status;
    const char *name = operands->count > 1                    ? "(all operands)"
                       : strcmp(operands->items[0], "-") == 0 ? "(standard input)"
                                                              : operands->items[0];
    if (json)
        print_json(engine, name);
    else
        print_text(engine, name);
    cli_close(engine);
    return exit_status;
}

int cli_run_info(int argc, char **argv)
{
    struct cli_load load = {0};
    bool json = false, help = false;
    const struct cli_option options[] = {
        {"json", 0, NULL, "one JSON object", NULL, &json},
        CLI_LOAD_OPTIONS(&load),
    };
    size_t n_options = sizeof options / sizeof *options;
    struct cli_operands operands = {0};
    struct status st = STATUS_INIT;
    int exit_status = CLI_OK;
    if (!args_parse(options, n_options, argc, argv, &operands, &help, &st)) {
        exit_status = cli_usage("info", "%s", status_message(&st));
    } else if (help) {
        fputs("usage: perfetty info TRACE… [options]\n\n"
              "Says which files a trace holds, how much of what is in them, and what was lost.\n\n",
              stdout);
        args_print_options(stdout, options, n_options);
    } else {
        exit_status = run(&load, &operands, json);
    }
    status_clear(&st);
    vec_free(&operands);
    return cli_finish_output(exit_status);
}
