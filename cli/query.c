/* perfetty query TRACE… [SQL] */
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/output.h"
#include "engine/base/memory.h"
#include "engine/base/vec.h"

struct query_args {
    struct cli_load load;
    struct cli_operands operands; /* traces, and the SQL where it is one */
    const char *file, *format_name;
    bool each;
    enum output_format format;
    char *sql; /* owned */
    size_t sql_length;
};

static void print_help(const struct cli_option *options, size_t n)
{
    fputs("usage: perfetty query TRACE… [SQL] [options]\n\n"
          "Runs SQL over the trace and prints the rows of each statement.  Without SQL and\n"
          "without -f it is read from standard input.  Several traces are one merged input.\n\n",
          stdout);
    args_print_options(stdout, options, n);
    fputs("\nExample: perfetty query trace.pb 'select name, dur from slice limit 5'\n", stdout);
}

/* The last operand is the SQL when it is no file and others are before it. */
static bool take_sql(struct query_args *args, struct status *st)
{
    struct cli_operands *operands = &args->operands;
    if (args->file) {
        args->sql = cli_read_text(args->file, &args->sql_length, st);
        return args->sql != NULL;
    }
    if (operands->count > 1) {
        const char *last = operands->items[operands->count - 1];
        if (strcmp(last, "-") != 0 && access(last, F_OK) != 0) {
            operands->count--;
            args->sql = mem_strdup(last);
            args->sql_length = strlen(last);
            return true;
        }
    }
    if (isatty(STDIN_FILENO))
        return status_fail(
            st, STATUS_USAGE, STATUS_NO_OFFSET,
            "query: no SQL provided. Use positional arg, -f FILE, or pipe to stdin.");
    args->file = "-";
    args->sql = cli_read_text("-", &args->sql_length, st);
    return args->sql != NULL;
}

static bool check(struct query_args *args, struct status *st)
{
    if (args->operands.count == 0)
        return status_fail(st, STATUS_USAGE, STATUS_NO_OFFSET,
                           "query: no trace was named; see: perfetty query --help");
    if (args->format_name && !output_parse_format(args->format_name, &args->format))
        return status_fail(st, STATUS_USAGE, STATUS_NO_OFFSET,
                           "query: --format is tp, csv, json or table, not '%s'",
                           args->format_name);
    if (!take_sql(args, st)) return false;
    if (args->file && strcmp(args->file, "-") == 0)
        for (size_t i = 0; i < args->operands.count; i++)
            if (strcmp(args->operands.items[i], "-") == 0)
                return status_fail(st, STATUS_USAGE, STATUS_NO_OFFSET,
                                   "query: standard input cannot be both the trace and the SQL");
    return true;
}

static bool run_statements(struct engine *engine, const struct query_args *args,
                           struct output *output, struct status *st)
{
    struct query *query = engine_query(engine, (struct str){args->sql, args->sql_length}, st);
    if (!query) return false;
    bool ok = true;
    while (ok && query_next_statement(query, st))
        ok = output_statement(output, query, st);
    query_free(query);
    return ok && st->code == STATUS_OK;
}

static int run_one(const struct query_args *args, const char *const *traces, size_t n,
                   struct output *output)
{
    int exit_status = CLI_OK;
    struct engine *engine = cli_open(&args->load, traces, n, ENGINE_EXTENSIONS_LOAD, &exit_status);
    if (!engine) return exit_status;
    cli_end_if_interrupted();
    struct status st = STATUS_INIT;
    int64_t began = clock_now_ns();
    if (!run_statements(engine, args, output, &st)) {
        cli_end_if_interrupted();
        exit_status = cli_fail_query(&st);
    }
    if (args->load.verbose) cli_say("query took %.3f ms", (double)(clock_now_ns() - began) / 1e6);
    cli_close(engine);
    return exit_status;
}

static int run_all(const struct query_args *args)
{
    struct output *output = output_new(stdout, args->format);
    const char *const *traces = args->operands.items;
    int exit_status = CLI_OK;
    if (!args->each) {
        exit_status = run_one(args, traces, args->operands.count, output);
    } else {
        for (size_t i = 0; i < args->operands.count; i++) {
            output_set_trace(output, traces[i]);
            int one = run_one(args, &traces[i], 1, output);
            if (one != CLI_OK) exit_status = one;
        }
    }
    output_free(output);
    return exit_status;
}

int cli_run_query(int argc, char **argv)
{
    struct query_args args = {.format = OUTPUT_TP};
    const struct cli_option options[] = {
        {"query-file", 'f', "FILE", "read the SQL from FILE, - for standard input", &args.file,
         NULL},
        {"format", 0, "FORMAT", "tp (as trace_processor_shell), csv, json or table",
         &args.format_name, NULL},
        {"each", 0, NULL, "ask each trace by itself; rows get a first column, trace", NULL,
         &args.each},
        CLI_LOAD_OPTIONS(&args.load),
    };
    size_t n_options = sizeof options / sizeof *options;
    struct status st = STATUS_INIT;
    bool help = false;
    int exit_status = CLI_OK;
    if (!args_parse(options, n_options, argc, argv, &args.operands, &help, &st)) {
        exit_status = cli_usage("query", "%s", status_message(&st));
        status_clear(&st);
    } else if (help) {
        print_help(options, n_options);
    } else if (!check(&args, &st)) {
        exit_status = cli_fail(&st);
    } else {
        exit_status = run_all(&args);
    }
    vec_free(&args.operands);
    mem_free(args.sql);
    return cli_finish_output(exit_status);
}
