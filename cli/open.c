/* Opening a trace for a subcommand: options, warnings, Ctrl-C. */
#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"
#include "engine/base/buffer.h"
#include "engine/base/memory.h"
#include "engine/base/utf8.h"

/* What the signal handler may touch: the one engine that a subcommand works on.
 * A handler has no other way to reach it. */
static struct {
    struct engine *volatile engine;
    struct cancel cancel;
    volatile sig_atomic_t interrupted;
} running;

static void on_interrupt(int number)
{
    (void)number;
    running.interrupted = 1;
    cancel_request(&running.cancel);
    struct engine *engine = running.engine;
    if (engine) engine_interrupt(engine);
}

static void watch_interrupts(struct engine *engine)
{
    running.engine = engine;
    atomic_store(&running.cancel.requested, false);
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = on_interrupt;
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
}

bool cli_take_interrupt(void)
{
    bool was = running.interrupted;
    running.interrupted = 0;
    return was;
}

void cli_end_if_interrupted(void)
{
    if (!running.interrupted) return;
    fflush(stdout);
    fputs("perfetty: interrupted\n", stderr);
    signal(SIGINT, SIG_DFL);
    raise(SIGINT);
}

static void say(const char *prefix, const char *format, va_list args)
{
    struct buffer text = BUFFER_INIT, visible = BUFFER_INIT;
    buffer_vprintf(&text, format, args);
    utf8_append_visible(&visible, buffer_str(&text), false);
    fflush(stdout); /* in order, where both are one terminal */
    fprintf(stderr, "perfetty: %s%s\n", prefix, buffer_text(&visible));
    buffer_free(&text);
    buffer_free(&visible);
}

void cli_say(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    say("", format, args);
    va_end(args);
}

int cli_fail(struct status *st)
{
    int exit_status = st->code == STATUS_USAGE ? CLI_USAGE : CLI_FAILED;
    cli_say("%s", status_message(st));
    status_clear(st);
    return exit_status;
}

int cli_fail_query(struct status *st)
{
    struct str rest = str_of(status_message(st)), line;
    struct buffer visible = BUFFER_INIT;
    buffer_append_text(&visible, "perfetty: ");
    while (str_split_next(&rest, '\n', &line)) {
        utf8_append_visible(&visible, line, false);
        buffer_append_byte(&visible, '\n');
    }
    fflush(stdout);
    fputs(buffer_text(&visible), stderr);
    buffer_free(&visible);
    status_clear(st);
    return CLI_FAILED;
}

int cli_usage(const char *command, const char *format, ...)
{
    struct buffer text = BUFFER_INIT;
    va_list args;
    va_start(args, format);
    buffer_vprintf(&text, format, args);
    va_end(args);
    if (command)
        cli_say("%s: %s; see: perfetty %s --help", command, buffer_text(&text), command);
    else
        cli_say("%s; see: perfetty --help", buffer_text(&text));
    buffer_free(&text);
    return CLI_USAGE;
}

struct engine *cli_open(const struct cli_load *load, const char *const *traces, size_t n_traces,
                        enum engine_extensions mode, int *exit_status)
{
    struct engine_options options = {.extensions = mode, .sidecar_path = load->with};
    if (load->extensions && strcmp(load->extensions, "ignore") == 0) {
        options.extensions = ENGINE_EXTENSIONS_IGNORE;
    } else if (load->extensions && strcmp(load->extensions, "load") != 0) {
        *exit_status =
            cli_usage(NULL, "--extensions is load or ignore, not '%s'", load->extensions);
        return NULL;
    }
    struct engine *engine = engine_new();
    struct status st = STATUS_INIT;
    watch_interrupts(engine);
    options.cancel = &running.cancel;
    int64_t began = clock_now_ns();
    if (!engine_load(engine, traces, n_traces, &options, &st)) {
        cli_end_if_interrupted();
        *exit_status = cli_fail(&st);
        cli_close(engine);
        return NULL;
    }
    const char *warning;
    for (size_t i = 0; !load->quiet && (warning = engine_warning(engine, i)) != NULL; i++)
        cli_say("%s", warning);
    if (load->verbose) cli_say("loaded in %.3f s", (double)(clock_now_ns() - began) / 1e9);
    return engine;
}

void cli_close(struct engine *engine)
{
    running.engine = NULL;
    engine_free(engine);
}

char *cli_read_text(const char *path, size_t *length, struct status *st)
{
    FILE *file = strcmp(path, "-") == 0 ? stdin : fopen(path, "rbe");
    if (!file) {
        status_fail(st, STATUS_IO, STATUS_NO_OFFSET, "%s: %s", path, strerror(errno));
        return NULL;
    }
    struct buffer text = BUFFER_INIT;
    char piece[65536];
    size_t n;
    while ((n = fread(piece, 1, sizeof piece, file)) > 0)
        buffer_append(&text, piece, n);
    bool ok = !ferror(file);
    if (!ok) status_fail(st, STATUS_IO, STATUS_NO_OFFSET, "%s: %s", path, strerror(errno));
    if (ok && text.overflowed)
        ok = status_fail(st, STATUS_LIMIT, STATUS_NO_OFFSET, "%s: too long for a text", path);
    if (file != stdin) fclose(file);
    if (!ok) {
        buffer_free(&text);
        return NULL;
    }
    *length = text.length;
    buffer_append_byte(&text, 0);
    return buffer_take(&text);
}

bool cli_read_commands(const char *option, const char *given, const struct cli_operands *operands,
                       const char **text, char **owned, struct buffer *name, struct status *st)
{
    size_t length;
    bool is_stdin = strcmp(given, "-") == 0;
    buffer_append_text(name, option);
    if (!is_stdin && given[0] != '@') {
        *text = given;
        return true;
    }
    for (size_t i = 0; is_stdin && i < operands->count; i++)
        if (strcmp(operands->items[i], "-") == 0)
            return status_fail(st, STATUS_USAGE, STATUS_NO_OFFSET,
                               "standard input is the trace already: give %s as JSON or @FILE",
                               option);
    buffer_printf(name, " %s", given);
    *owned = cli_read_text(is_stdin ? given : given + 1, &length, st);
    *text = *owned;
    return *owned != NULL;
}

int cli_finish_output(int exit_status)
{
    if (fflush(stdout) == 0 && !ferror(stdout)) return exit_status;
    cli_say("writing the output failed: %s", strerror(errno));
    return CLI_FAILED;
}
