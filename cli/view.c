/* `perfetty TRACE…`, full screen, and `perfetty snapshot`. */
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"
#include "engine/base/memory.h"
#include "tui/viewer.h"

struct view_args {
    const char *with, *compare, *extensions, *startup_commands, *trace_commands, *theme;
    bool ascii, no_mouse, no_color, clean, plain;
};

#define VIEW_OPTIONS(a) \
    {"with", 0, "SIDECAR", "a sidecar to load besides the trace", &(a)->with, NULL}, \
        {"compare",     0,   "TRACE", "a second trace, below the first on the same ruler", \
         &(a)->compare, NULL}, \
        {"extensions",     0,   "WHAT", "load (as a rule) or ignore what the trace brings along", \
         &(a)->extensions, NULL}, \
        {"startup-commands", \
         0, \
         "JSON", \
         "commands to run after loading, @FILE that holds them, or -", \
         &(a)->startup_commands, \
         NULL}, \
        {"trace-commands", \
         0, \
         "WHAT", \
         "the trace's own startup commands, this time: ask, always or never", \
         &(a)->trace_commands, \
         NULL}, \
        {"theme", 0, "NAME", "dark, light, mono or color-blind", &(a)->theme, NULL}, \
        {"ascii", 0, NULL, "draw with ASCII only", NULL, &(a)->ascii}, \
        {"no-mouse", 0, NULL, "leave the mouse to the terminal", NULL, &(a)->no_mouse}, \
    { \
        "no-color", 0, NULL, "no colours", NULL, &(a)->no_color \
    }

static bool fill(const struct view_args *args, const struct cli_operands *operands,
                 struct viewer_options *out, struct status *st)
{
    *out = (struct viewer_options){.operands = operands->items,
                                   .n_operands = operands->count,
                                   .sidecar = args->with,
                                   .compare = args->compare,
                                   .startup_commands = args->startup_commands,
                                   .trace_commands = args->trace_commands,
                                   .theme = args->theme,
                                   .ascii = args->ascii,
                                   .no_mouse = args->no_mouse,
                                   .no_color = args->no_color,
                                   .clean = args->clean};
    if (args->extensions && strcmp(args->extensions, "ignore") == 0)
        out->extensions = ENGINE_EXTENSIONS_IGNORE;
    else if (args->extensions && strcmp(args->extensions, "load") != 0)
        return status_fail(st, STATUS_USAGE, STATUS_NO_OFFSET,
                           "--extensions is load or ignore, not '%s'", args->extensions);
    return true;
}

/* What the options of the viewer own. */
struct view_texts {
    char *commands;
    struct buffer option;
};

static bool read_startup(struct viewer_options *options, const struct cli_operands *operands,
                         struct view_texts *texts, struct status *st)
{
    if (!options->startup_commands) return true;
    bool ok = cli_read_commands("--startup-commands", options->startup_commands, operands,
                                &options->startup_commands, &texts->commands, &texts->option, st);
    options->startup_option = buffer_text(&texts->option);
    return ok;
}

static void texts_free(struct view_texts *texts)
{
    mem_free(texts->commands);
    buffer_free(&texts->option);
}

static int usage_or_fail(struct status *st, const char *command)
{
    if (st->code != STATUS_USAGE) return cli_fail(st);
    int exit_status = cli_usage(command, "%s", status_message(st));
    status_clear(st);
    return exit_status;
}

static bool run_plain(const struct viewer_options *options, struct status *st)
{
    for (size_t i = 0; i < options->n_operands; i++)
        if (strcmp(options->operands[i], "-") == 0)
            return status_fail(st, STATUS_USAGE, STATUS_NO_OFFSET,
                               "--plain reads commands from standard input: name the trace's file");
    return viewer_run_plain(options, stdin, stdout, st);
}

int cli_run_view(int argc, char **argv)
{
    struct view_args args = {0};
    const struct cli_option options[] = {
        {"clean", 0, NULL, "without what is remembered of this trace, and remembering nothing",
         NULL, &args.clean},
        {"plain", 0, NULL,
         "in lines of text, for screen readers: commands come from standard input", NULL,
         &args.plain},
        VIEW_OPTIONS(&args)};
    struct cli_operands operands = {0};
    struct viewer_options viewer;
    struct status st = STATUS_INIT;
    bool help = false;
    struct view_texts texts = {.option = BUFFER_INIT};
    int exit_status = CLI_OK;
    bool ok =
        args_parse(options, sizeof options / sizeof *options, argc, argv, &operands, &help, &st);
    if (ok && help) {
        printf("usage: perfetty TRACE… [OPTIONS]\n\nOpens a trace full screen.\n\n");
        args_print_options(stdout, options, sizeof options / sizeof *options);
    } else if (ok && !args.plain && !isatty(STDOUT_FILENO)) {
        exit_status = cli_usage(NULL, "standard output is no terminal; without one use "
                                      "perfetty query, info or snapshot");
    } else {
        ok = ok && fill(&args, &operands, &viewer, &st) &&
             read_startup(&viewer, &operands, &texts, &st) &&
             (args.plain ? run_plain(&viewer, &st) : viewer_run(&viewer, &st));
        if (!ok) exit_status = usage_or_fail(&st, NULL);
    }
    texts_free(&texts);
    mem_free(operands.items);
    return exit_status;
}

static bool parse_format(const char *text, enum snapshot_format *format)
{
    static const char *const names[] = {"text", "ansi", "svg", "roles"};
    for (int i = 0; i < 4; i++)
        if (strcmp(text, names[i]) == 0) {
            *format = (enum snapshot_format)i;
            return true;
        }
    return false;
}

int cli_run_snapshot(int argc, char **argv)
{
    struct view_args args = {0};
    const char *size = "80x24", *keys = NULL, *format_name = "text";
    const struct cli_option options[] = {
        {"size", 0, "WxH", "cells of the frame (80x24)", &size, NULL},
        {"keys", 0, "SCRIPT", "keys to play first: \"j j Enter\"; text in double quotes", &keys,
         NULL},
        {"format", 0, "WHAT", "text, ansi, svg, or roles (colours by name)", &format_name, NULL},
        VIEW_OPTIONS(&args)};
    struct cli_operands operands = {0};
    struct viewer_options viewer;
    struct status st = STATUS_INIT;
    struct buffer out = BUFFER_INIT;
    enum snapshot_format format = SNAPSHOT_TEXT;
    bool help = false;
    struct view_texts texts = {.option = BUFFER_INIT};
    int exit_status = CLI_OK, width = 80, height = 24;
    bool ok =
        args_parse(options, sizeof options / sizeof *options, argc, argv, &operands, &help, &st);
    if (ok && help) {
        printf("usage: perfetty snapshot TRACE… [OPTIONS]\n\nOne frame of the viewer.\n\n");
        args_print_options(stdout, options, sizeof options / sizeof *options);
        mem_free(operands.items);
        return CLI_OK;
    }
    if (ok && !operands.count)
        ok = status_fail(&st, STATUS_USAGE, STATUS_NO_OFFSET, "no trace is given");
    if (ok && !args_parse_size(size, &width, &height))
        ok = status_fail(&st, STATUS_USAGE, STATUS_NO_OFFSET,
                         "--size is WxH, like 120x40, at most 1000x1000; not '%s'", size);
    if (ok && !parse_format(format_name, &format))
        ok = status_fail(&st, STATUS_USAGE, STATUS_NO_OFFSET,
                         "--format is text, ansi, svg or roles, not '%s'", format_name);
    ok = ok && fill(&args, &operands, &viewer, &st) &&
         read_startup(&viewer, &operands, &texts, &st) &&
         viewer_snapshot(&viewer, width, height, keys, format, &out, &st);
    if (ok)
        fwrite(buffer_text(&out), 1, out.length, stdout);
    else
        exit_status = usage_or_fail(&st, "snapshot");
    buffer_free(&out);
    texts_free(&texts);
    mem_free(operands.items);
    return ok ? cli_finish_output(CLI_OK) : exit_status;
}
