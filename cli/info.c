/* perfetty info TRACE… : what is in it and what was lost, as text or JSON. */
#include <string.h>

#include "cli/cli.h"
#include "cli/info_json.h"

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
    struct info *info = info_new(engine, name);
    struct buffer out = BUFFER_INIT;
    if (json)
        info_append_json(info, engine_tables(engine), &out);
    else
        info_append_text(info, &out);
    fwrite(buffer_text(&out), 1, out.length, stdout);
    buffer_free(&out);
    info_free(info);
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
              "Says which files a trace holds, what is in them and when, what was lost, and what\n"
              "to do about it.\n\n",
              stdout);
        args_print_options(stdout, options, n_options);
    } else {
        exit_status = run(&load, &operands, json);
    }
    status_clear(&st);
    vec_free(&operands);
    return cli_finish_output(exit_status);
}
