/* perfetty extensions check|dump TRACE… */
#include <string.h>

#include "cli/cli.h"
#include "cli/output.h"
#include "engine/base/vec.h"

static void print_help(const struct cli_option *options, size_t n)
{
    fputs(
        "usage: perfetty extensions check TRACE…\n"
        "       perfetty extensions dump TRACE…\n\n"
        "check lists every problem of the sidecar that a trace carries (exit status 1 when there\n"
        "is one).  dump prints the resolved `extensions` section as JSON, as the viewer and SQL\n"
        "see it (metadata, trace_extensions).  Neither loads the trace.\n\n",
        stdout);
    args_print_options(stdout, options, n);
}

static int check(struct engine *engine)
{
    const char *problem;
    size_t n = 0;
    for (; (problem = engine_extension_problem(engine, n)) != NULL; n++)
        cli_say("%s", problem);
    if (n > 0) return CLI_FAILED;
    fputs(engine_trace_extensions(engine).p ? "the sidecar is good\n"
                                            : "the sidecar is good; it has no extensions\n",
          stdout);
    return CLI_OK;
}

static int dump(struct engine *engine)
{
    const char *problem = engine_extension_problem(engine, 0);
    struct str section = engine_trace_extensions(engine);
    if (problem) {
        cli_say("%s", problem);
        return CLI_FAILED;
    }
    if (!section.p) {
        cli_say("the sidecar has no extensions");
        return CLI_FAILED;
    }
    output_write(stdout, section);
    fputs("\n", stdout);
    return CLI_OK;
}

static int run(const struct cli_load *load, const struct cli_operands *operands)
{
    const char *what = operands->count > 0 ? operands->items[0] : "";
    bool is_check = strcmp(what, "check") == 0;
    int exit_status = CLI_OK;
    if (!is_check && strcmp(what, "dump") != 0) return cli_usage("extensions", "say check or dump");
    if (operands->count < 2) return cli_usage("extensions", "no trace was named");
    struct engine *engine = cli_open(load, operands->items + 1, operands->count - 1,
                                     ENGINE_EXTENSIONS_CHECK, &exit_status);
    if (!engine) return exit_status;
    exit_status = is_check ? check(engine) : dump(engine);
    cli_close(engine);
    return exit_status;
}

int cli_run_extensions(int argc, char **argv)
{
    struct cli_load load = {0};
    const struct cli_option options[] = {
        {"with", 0, "SIDECAR", "a sidecar to check besides the trace", &load.with, NULL},
    };
    struct cli_operands operands = {0};
    struct status st = STATUS_INIT;
    bool help = false;
    int exit_status = CLI_OK;
    if (!args_parse(options, 1, argc, argv, &operands, &help, &st))
        exit_status = cli_usage("extensions", "%s", status_message(&st));
    else if (help)
        print_help(options, 1);
    else
        exit_status = run(&load, &operands);
    status_clear(&st);
    vec_free(&operands);
    return cli_finish_output(exit_status);
}
