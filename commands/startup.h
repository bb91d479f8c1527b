/* Startup commands: the trace's, then the command line's, then those of the
 * settings, one list, one report (spec/sidecar.md "What the viewer does" 4).
 *
 *     struct startup *s = startup_new(session, &options);
 *     … when startup_asks(s): show startup_trace_commands, get an answer …
 *     startup_run(s, answer);
 *     startup_free(s);
 *
 * Nothing runs before startup_run.  Macros must be registered before startup_new.
 *
 * Who decides on the trace's, the first that has an opinion: --trace-commands; the
 * setting when it is `never`; what is remembered for this very content (trust.h); the
 * setting.  --trace-commands ask asks again what is remembered.
 */
#ifndef COMMANDS_STARTUP_H
#define COMMANDS_STARTUP_H

#include "commands/session.h"
#include "commands/settings.h"
#include "commands/trace_extensions.h"

struct startup_options {
    const struct trace_extensions *extensions; /* NULL: the trace has none */
    struct settings *settings;                 /* ALWAYS and NEVER are stored there */
    struct invocation_list command_line;       /* borrowed */
    const char *title;                         /* of the trace, to be remembered; or NULL */
    /* --trace-commands: instead of the setting, for this run; NULL: the setting. */
    const enum trace_commands *trace_commands;
    bool has_person; /* false: `ask` means skip */
};

/* STARTUP_NO_QUESTION: nothing was asked (startup_asks was false). */
enum startup_answer {
    STARTUP_NO_QUESTION,
    STARTUP_RUN,
    STARTUP_SKIP,
    STARTUP_ALWAYS_THIS, /* and remembered, for this content */
    STARTUP_NEVER_THIS,
    STARTUP_ALWAYS, /* the setting becomes that */
    STARTUP_NEVER,
};

struct startup;

struct startup *startup_new(struct session *session, const struct startup_options *options);
bool startup_asks(const struct startup *startup);
/* The trace's commands, in order, whatever the answer will be. */
const struct invocation_list *startup_trace_commands(const struct startup *startup);
/* The id of what they are (trust.h); "" without any, or when they are too long. */
const char *startup_content(const struct startup *startup);
/* What is remembered for them; NULL. */
const struct trust_decision *startup_decision(const struct startup *startup);
/* "namespace com.example.bench", or what else is known of their author. */
const char *startup_trace_origin(const struct startup *startup);
/* Whether the command would be blocked; the same rule as when it runs. */
bool startup_is_allowed(const struct startup *startup, const struct invocation *command);

void startup_run(struct startup *startup, enum startup_answer answer);
void startup_free(struct startup *startup);

/* --startup-commands: a JSON list of {id, args}. */
bool startup_parse_command_line(const char *json, struct invocation_list *out, struct status *st);

#endif
