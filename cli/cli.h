/* The command line: subcommands, their table, and what they share.
 *
 * Exit status: 0 done (also when parts of a trace were lost and told), 1 a load
 * or a query failed, 2 a wrong command line.  Results go to stdout; warnings,
 * one line each ("perfetty: FILE: what was lost"), and errors to stderr.
 *
 * A subcommand is one line in commands.c and one file here.
 */
#ifndef CLI_CLI_H
#define CLI_CLI_H

#include <stdio.h>

#include "cli/args.h"
#include "engine/base/buffer.h"
#include "engine/engine.h"

enum cli_exit { CLI_OK = 0, CLI_FAILED = 1, CLI_USAGE = 2 };

struct cli_command {
    const char *name;
    const char *summary; /* one line of the list */
    /* argv[0] is the name of the subcommand. */
    int (*run)(int argc, char **argv);
};

extern const struct cli_command cli_commands[];
extern const unsigned cli_commands_count;

/* The whole program; `version` is shown by --version. */
int cli_main(int argc, char **argv, const char *version);

int cli_run_query(int argc, char **argv);
int cli_run_shell(int argc, char **argv);
int cli_run_info(int argc, char **argv);
int cli_run_extensions(int argc, char **argv);
int cli_run_bundle(int argc, char **argv);
int cli_run_run(int argc, char **argv);
int cli_run_servers(int argc, char **argv);
int cli_run_view(int argc, char **argv);
int cli_run_snapshot(int argc, char **argv);

/* ---- what subcommands share ---- */

/* Options that every subcommand which loads a trace has. */
struct cli_load {
    const char *with;       /* --with SIDECAR */
    const char *extensions; /* --extensions load|ignore */
    bool verbose;           /* -v */
    bool quiet;             /* --quiet: no warnings */
};
#define CLI_LOAD_OPTIONS(load) \
    {"with", 0, "SIDECAR", "a sidecar to load besides the trace", &(load)->with, NULL}, \
        {"extensions",        0,   "WHAT", "load (as a rule) or ignore what the trace brings along", \
         &(load)->extensions, NULL}, \
        {"verbose", 'v', NULL, "say how long loading and queries take", NULL, &(load)->verbose}, \
    { \
        "quiet", 'q', NULL, "no warnings about what was lost", NULL, &(load)->quiet \
    }

/* A line on stderr; what is not fit for a terminal is shown, never sent. */
void cli_say(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* "perfetty: MESSAGE" of a failed status, and the exit status for it. */
int cli_fail(struct status *st);
/* The same for SQL, whose messages have several lines (the traceback). */
int cli_fail_query(struct status *st);
/* The same for a wrong command line, with the hint where help is. */
int cli_usage(const char *command, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Loads with warnings; NULL after a message (exit status in *exit_status).  Ctrl-C
 * stops the load and then the running query of this engine. */
struct engine *cli_open(const struct cli_load *load, const char *const *traces, size_t n_traces,
                        enum engine_extensions mode, int *exit_status);
void cli_close(struct engine *engine);
/* True after Ctrl-C since the last call of this. */
bool cli_take_interrupt(void);

/* Where Ctrl-C ends the program: by the same signal, so that the status is true. */
void cli_end_if_interrupted(void);

/* All of a file, or of stdin for "-"; owned by the caller. */
char *cli_read_text(const char *path, size_t *length, struct status *st);
/* A list of commands as an option gives it: JSON, @FILE that holds it, or - for standard
 * input.  *text is what is to be read, *owned (freed by the caller) its memory or NULL;
 * *name gets words for messages, "--commands @FILE".  Standard input is refused where an
 * operand takes it. */
bool cli_read_commands(const char *option, const char *given, const struct cli_operands *operands,
                       const char **text, char **owned, struct buffer *name, struct status *st);
/* Flushes stdout; a full disk is a failure with a message. */
int cli_finish_output(int exit_status);

#endif
