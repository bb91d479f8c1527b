/* perfetty extensions check|dump|strip|trust */
#include "cli/extensions.h"

#include <string.h>

#include "cli/output.h"
#include "engine/base/vec.h"

struct extensions_args {
    struct cli_load load;
    bool runs, lints, as_json;
    const char *revoke;
};

static void print_help(const struct cli_option *options, size_t n)
{
    fputs("usage: perfetty extensions check [--lint] [--run] TRACE…\n"
          "       perfetty extensions dump TRACE…\n"
          "       perfetty extensions strip TRACE OUT\n"
          "       perfetty extensions trust [--json] [--revoke ID|all]\n\n"
          "check lists every problem of the sidecar that a trace carries: its place in the JSON,\n"
          "the rule it breaks and what is allowed there (exit status 1 when there is one).  dump\n"
          "prints the resolved `extensions` section as JSON, as the viewer and SQL see it\n"
          "(metadata, trace_extensions).  Neither loads the trace; check --run does.\n"
          "strip writes a copy without extensions; archives and folders become a zip.\n"
          "trust lists what is remembered about startup commands of traces, a line each, and\n"
          "forgets it with --revoke: such a trace asks again.\n\n",
          stdout);
    args_print_options(stdout, options, n);
}

static int run_modules(const struct extensions_args *args, const char *const *traces, size_t n)
{
    int exit_status = CLI_OK;
    struct engine *engine = cli_open(&args->load, traces, n, ENGINE_EXTENSIONS_LOAD, &exit_status);
    if (!engine) return exit_status;
    if (extensions_run_modules(engine, traces[0]) > 0) exit_status = CLI_FAILED;
    cli_end_if_interrupted();
    cli_close(engine);
    return exit_status;
}

static int check(const struct extensions_args *args, const char *const *traces, size_t n_traces)
{
    int exit_status = CLI_OK;
    struct engine *engine =
        cli_open(&args->load, traces, n_traces, ENGINE_EXTENSIONS_CHECK, &exit_status);
    if (!engine) return exit_status;
    const char *problem;
    size_t n = 0;
    bool has_section = engine_trace_extensions(engine).p != NULL;
    for (; (problem = engine_extension_problem(engine, n)) != NULL; n++)
        cli_say("%s", problem);
    bool is_good = n == 0;
    if (is_good && args->lints) n += extensions_lint(engine, traces[0]);
    cli_close(engine);
    if (is_good && args->runs && run_modules(args, traces, n_traces) != CLI_OK) n++;
    if (n > 0) return CLI_FAILED;
    fputs(has_section ? "the sidecar is good\n" : "the sidecar is good; it has no extensions\n",
          stdout);
    return CLI_OK;
}

static int dump(const struct extensions_args *args, const char *const *traces, size_t n)
{
    int exit_status = CLI_OK;
    struct engine *engine = cli_open(&args->load, traces, n, ENGINE_EXTENSIONS_CHECK, &exit_status);
    if (!engine) return exit_status;
    const char *problem = engine_extension_problem(engine, 0);
    struct str section = engine_trace_extensions(engine);
    if (problem || !section.p) {
        cli_say("%s", problem ? problem : "the sidecar has no extensions");
        exit_status = CLI_FAILED;
    } else {
        output_write(stdout, section);
        fputs("\n", stdout);
    }
    cli_close(engine);
    return exit_status;
}

static int run(const struct extensions_args *args, const struct cli_operands *operands)
{
    const char *what = operands->count > 0 ? operands->items[0] : "";
    const char *const *traces = operands->items + 1;
    size_t n = operands->count > 0 ? operands->count - 1 : 0;
    bool is_check = strcmp(what, "check") == 0;
    if (strcmp(what, "strip") == 0) {
        if (n != 2) return cli_usage("extensions", "strip takes a trace and the file to write");
        return extensions_strip(traces[0], traces[1]);
    }
    if (strcmp(what, "trust") == 0) {
        if (n > 0) return cli_usage("extensions", "trust takes no trace");
        return extensions_trust(args->revoke, args->as_json);
    }
    if (args->revoke || args->as_json)
        return cli_usage("extensions", "--revoke and --json belong to trust");
    if (!is_check && strcmp(what, "dump") != 0)
        return cli_usage("extensions", "say check, dump, strip or trust");
    if (n == 0) return cli_usage("extensions", "no trace was named");
    if (!is_check && (args->runs || args->lints))
        return cli_usage("extensions", "--run and --lint belong to check");
    return is_check ? check(args, traces, n) : dump(args, traces, n);
}

int cli_run_extensions(int argc, char **argv)
{
    struct extensions_args args = {0};
    const struct cli_option options[] = {
        {"with", 0, "SIDECAR", "a sidecar to look at besides the trace", &args.load.with, NULL},
        {"lint", 0, NULL, "check: look up each step's command, check its arguments", NULL,
         &args.lints},
        {"run", 0, NULL, "check: load the trace and run each SQL module", NULL, &args.runs},
        {"revoke", 0, "ID", "trust: forget this decision (8 digits do), or all", &args.revoke,
         NULL},
        {"json", 0, NULL, "trust: list as the settings hold it", NULL, &args.as_json},
        {"quiet", 'q', NULL, "no warnings about what was lost", NULL, &args.load.quiet},
    };
    size_t n_options = sizeof options / sizeof *options;
    struct cli_operands operands = {0};
    struct status st = STATUS_INIT;
    bool help = false;
    int exit_status = CLI_OK;
    if (!args_parse(options, n_options, argc, argv, &operands, &help, &st))
        exit_status = cli_usage("extensions", "%s", status_message(&st));
    else if (help)
        print_help(options, n_options);
    else
        exit_status = run(&args, &operands);
    status_clear(&st);
    vec_free(&operands);
    return cli_finish_output(exit_status);
}
