/* perfetty run TRACE…: the viewer's session for scripts. */
#include <ctype.h>
#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/output.h"
#include "engine/base/memory.h"
#include "engine/base/vec.h"
#include "tui/viewer.h"

enum { LONGEST_SLUG = 40 };

struct run_args {
    struct cli_load load;
    const char *macro, *commands, *out, *format, *size, *trace_commands, *compare;
    struct viewer_batch batch;
    char *commands_text; /* of a file; owned */
    struct buffer option;
    size_t tables;
    bool failed;
};

static void print_help(const struct cli_option *options, size_t n)
{
    fputs("usage: perfetty run TRACE… --macro ID [options]\n"
          "       perfetty run TRACE… --commands JSON|@FILE|- [options]\n"
          "       perfetty run TRACE… --trace-commands always [options]\n\n"
          "Opens the trace as the viewer does, without a screen, and runs the macro or the\n"
          "commands ([{\"id\": …, \"args\": […]}]).  The rows of each query tab are written: with\n"
          "--out to a file of DIR, named by number and title, besides frame.txt, the last screen;\n"
          "else to standard output.  What commands say goes to standard error.  Exit status 1\n"
          "when a command or a query failed or was blocked.\n\n",
          stdout);
    args_print_options(stdout, options, n);
    fputs(
        "\nExample: perfetty run trace.pb --macro dev.perfetty.macros.LongestSlices --out result\n",
        stdout);
}

/* ---- what comes out ---- */

static void say(void *context, enum batch_line kind, const char *text)
{
    struct run_args *args = context;
    if (kind == BATCH_FAILED) args->failed = true;
    if (args->load.quiet && kind != BATCH_FAILED) return;
    struct status st = STATUS_INIT;
    status_fail(&st, STATUS_INVALID, STATUS_NO_OFFSET, "%s", text);
    cli_fail_query(&st); /* a query's message has several lines */
}

static bool write_file(const char *folder, const char *name, struct str text, struct status *st)
{
    struct buffer path = BUFFER_INIT, part = BUFFER_INIT;
    buffer_printf(&path, "%s/%s", folder, name);
    buffer_printf(&part, "%s/%s.%ld.part", folder, name, (long)getpid());
    FILE *file = fopen(buffer_text(&part), "wbe");
    bool ok = file && fwrite(text.p ? text.p : "", 1, text.n, file) == text.n;
    if (file && fclose(file) != 0) ok = false;
    ok = ok && rename(buffer_text(&part), buffer_text(&path)) == 0;
    if (!ok) {
        status_fail(st, STATUS_IO, STATUS_NO_OFFSET, "%s: %s", buffer_text(&path), strerror(errno));
        if (file) unlink(buffer_text(&part));
    }
    buffer_free(&path);
    buffer_free(&part);
    return ok;
}

/* "03-frame-times.csv": small letters, digits and hyphens of the title. */
static void append_name(struct buffer *out, uint32_t number, const char *title, const char *ending)
{
    buffer_printf(out, "%02u", number);
    size_t start = out->length;
    bool gap = true;
    for (const char *c = title; *c && out->length - start < LONGEST_SLUG; c++) {
        bool is_plain = (unsigned char)*c < 0x80 && isalnum((unsigned char)*c);
        if (is_plain && gap) buffer_append_byte(out, '-');
        if (is_plain) buffer_append_byte(out, (char)tolower((unsigned char)*c));
        gap = !is_plain;
    }
    buffer_printf(out, ".%s", ending);
}

static bool take_table(void *context, uint32_t number, const char *title, struct str text,
                       struct status *st)
{
    struct run_args *args = context;
    args->tables++;
    if (!args->out) {
        if (args->tables > 1) fputs("\n", stdout);
        output_write(stdout, text);
        return true;
    }
    struct buffer name = BUFFER_INIT;
    append_name(&name, number, title, args->format);
    bool ok = write_file(args->out, buffer_text(&name), text, st);
    if (ok && !args->load.quiet) cli_say("%s/%s written", args->out, buffer_text(&name));
    buffer_free(&name);
    return ok;
}

/* ---- options ---- */

static bool fill(struct run_args *args, const struct cli_operands *operands,
                 struct viewer_options *viewer, struct status *st)
{
    const char *extensions = args->load.extensions;
    const char *wrong = NULL;
    if (operands->count == 0)
        wrong = "no trace was named";
    else if (!args->macro && !args->commands && !args->trace_commands)
        wrong = "give --macro or --commands, or --trace-commands for the trace's own";
    else if (strcmp(args->format, "csv") != 0 && strcmp(args->format, "json") != 0)
        wrong = "--format is csv or json";
    else if (!args_parse_size(args->size, &args->batch.width, &args->batch.height))
        wrong = "--size is WxH, like 120x40, at most 1000x1000";
    else if (extensions && strcmp(extensions, "load") != 0 && strcmp(extensions, "ignore") != 0)
        wrong = "--extensions is load or ignore";
    if (wrong) return status_fail(st, STATUS_USAGE, STATUS_NO_OFFSET, "%s", wrong);
    if (args->commands &&
        !cli_read_commands("--commands", args->commands, operands, &args->commands,
                           &args->commands_text, &args->option, st))
        return false;
    if (args->out && mkdir(args->out, 0777) != 0 && errno != EEXIST)
        return status_fail(st, STATUS_IO, STATUS_NO_OFFSET, "%s: %s", args->out, strerror(errno));
    args->batch.macro = args->macro;
    args->batch.format = args->format;
    args->batch.context = args;
    args->batch.say = say;
    args->batch.table = take_table;
    *viewer = (struct viewer_options){.operands = operands->items,
                                      .n_operands = operands->count,
                                      .sidecar = args->load.with,
                                      .compare = args->compare,
                                      .extensions = extensions && strcmp(extensions, "ignore") == 0
                                                        ? ENGINE_EXTENSIONS_IGNORE
                                                        : ENGINE_EXTENSIONS_LOAD,
                                      .startup_commands = args->commands,
                                      .startup_option = buffer_text(&args->option),
                                      .trace_commands = args->trace_commands};
    return true;
}

static bool run(struct run_args *args, const struct cli_operands *operands, struct status *st)
{
    struct viewer_options viewer;
    struct buffer frame = BUFFER_INIT;
    bool ok = fill(args, operands, &viewer, st) &&
              viewer_run_batch(&viewer, &args->batch, &frame, st) &&
              (!args->out || write_file(args->out, "frame.txt", buffer_str(&frame), st));
    buffer_free(&frame);
    return ok;
}

int cli_run_run(int argc, char **argv)
{
    struct run_args args = {.format = "csv", .size = "80x24", .option = BUFFER_INIT};
    const struct cli_option options[] = {
        {"macro", 0, "ID", "the macro to run", &args.macro, NULL},
        {"commands", 0, "JSON", "commands to run before it, @FILE that holds them, or -",
         &args.commands, NULL},
        {"out", 0, "DIR", "where tables and the frame go; made when it is not there", &args.out,
         NULL},
        {"format", 0, "FORMAT", "of the tables: csv (as a rule) or json", &args.format, NULL},
        {"size", 0, "WxH", "cells of the frame (80x24)", &args.size, NULL},
        {"trace-commands", 0, "WHAT",
         "the trace's own startup commands, this time: ask (skips), always, never",
         &args.trace_commands, NULL},
        {"with", 0, "SIDECAR", "a sidecar to load besides the trace", &args.load.with, NULL},
        {"compare", 0, "TRACE", "a second trace beside the first", &args.compare, NULL},
        {"extensions", 0, "WHAT", "load (as a rule) or ignore what the trace brings along",
         &args.load.extensions, NULL},
        {"quiet", 'q', NULL, "only what failed", NULL, &args.load.quiet},
    };
    size_t n_options = sizeof options / sizeof *options;
    struct cli_operands operands = {0};
    struct status st = STATUS_INIT;
    bool help = false;
    int exit_status = CLI_OK;
    if (!args_parse(options, n_options, argc, argv, &operands, &help, &st) ||
        (!help && !run(&args, &operands, &st))) {
        if (st.code == STATUS_USAGE) {
            exit_status = cli_usage("run", "%s", status_message(&st));
            status_clear(&st);
        } else {
            exit_status = cli_fail(&st);
        }
    } else if (help) {
        print_help(options, n_options);
    } else if (args.failed) {
        exit_status = CLI_FAILED;
    }
    mem_free(args.commands_text);
    buffer_free(&args.option);
    vec_free(&operands);
    return cli_finish_output(exit_status);
}
