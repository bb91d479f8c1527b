/* What a user can do.  A key, a mouse gesture, a palette entry, a macro step and
 * a startup command are five ways to say the same {id, args}.
 *
 * A command is one constant table entry: id, words, kind, arguments, run.  It
 * acts on the session, never on the screen.  All arguments are strings
 * (spec ui §3a); the registry has checked their number and kinds before `run`.
 */
#ifndef COMMANDS_COMMAND_H
#define COMMANDS_COMMAND_H

#include "engine/base/status.h"
#include "engine/base/str.h"
#include "engine/base/vec.h"
#include "engine/engine.h"

struct session;
struct report;

enum command_kind {
    COMMAND_VIEW,  /* changes what is shown */
    COMMAND_QUERY, /* reads the trace */
    COMMAND_REACH, /* a file, the clipboard, a setting, the network, a program, another trace, quit
                    */
};

/* What an argument is: for completion, and for what the registry refuses. */
enum command_arg_type {
    COMMAND_ARG_TEXT,
    COMMAND_ARG_REGEX, /* JavaScript's; checked by the command */
    COMMAND_ARG_SQL,
    COMMAND_ARG_TIME,      /* int64, ns of trace time */
    COMMAND_ARG_INT,       /* int64 */
    COMMAND_ARG_NUMBER,    /* double */
    COMMAND_ARG_TRACK,     /* a uri, or a path */
    COMMAND_ARG_WORKSPACE, /* a title */
    COMMAND_ARG_COLUMN,    /* of the SQL before it */
    COMMAND_ARG_CHOICE,    /* one of `choices` */
    COMMAND_ARG_COMMAND,   /* an id */
    COMMAND_ARG_FILE,      /* a path of the file system */
    COMMAND_ARG_LETTER,    /* a mark: one letter */
};

struct command_arg {
    const char *name;
    enum command_arg_type type;
    bool optional;
    const char *choices; /* "name|path"; NULL for other types */
};

#define COMMAND_MAX_ARGS 6

/* Who asked.  A step of a macro has the source of whoever started the macro. */
enum command_source {
    COMMAND_FROM_PERSON, /* key, mouse, palette, prompt */
    COMMAND_FROM_TRACE,  /* startup commands of the sidecar */
    COMMAND_FROM_COMMAND_LINE,
    COMMAND_FROM_SETTINGS,
};

/* Where a registered id came from. */
enum command_scope {
    COMMAND_CORE,
    COMMAND_BUNDLED_MACRO,
    COMMAND_SETTINGS_MACRO,
    COMMAND_SERVER_MACRO,
    COMMAND_TRACE_MACRO, /* gone when the trace closes */
};

/* The macros that are running, innermost first; how a ring is noticed and what
 * a question or a report names. */
struct command_frame {
    const char *macro_id, *macro_name;
    enum command_scope scope;
    const char *origin; /* "the trace (com.example.bench)", a server's name … */
    const struct command_frame *outer;
    uint32_t depth;
    uint32_t *steps_left; /* of all macros that the outermost one leads to */
};

struct command_context {
    enum command_source source;
    bool allowlist_only;   /* every step at any depth must be on the allowlist or a macro */
    bool no_prompts;       /* nobody answers: what is missing is a failure */
    bool ask_before_reach; /* inside a macro of a trace or a server */
    struct report *report; /* blocked and failed steps go there; may be NULL */
    const struct command_frame *frame; /* NULL outside macros */
    bool *ends_macro; /* a step sets it: the macro is done, the steps after it are left out */
};

#define COMMAND_CONTEXT_PERSON ((struct command_context){.source = COMMAND_FROM_PERSON})

struct command;

struct command_call {
    struct session *session;
    const struct command *command;
    const struct command_context *context;
    const char *const *args; /* n_args; those left out are not there */
    uint32_t n_args;
    void *closure; /* of the registration (a macro) */
};

struct invocation;

struct command {
    const char *id;   /* "dev.perfetto.PinTracksByRegex" */
    const char *name; /* for the palette: "Pin tracks by regex" */
    enum command_kind kind;
    struct command_arg args[COMMAND_MAX_ARGS]; /* ends at the first without a name */
    bool (*run)(const struct command_call *call, struct status *st);
    const struct invocation *steps; /* of a macro; else NULL */
    const char *key;                /* that a macro wishes for; NULL: none */
    uint32_t n_steps;
};

/* Whose SQL a command carries: the trace's or a server's when it is a step of
 * their macro, or a startup command of the trace. */
enum engine_origin command_origin(const struct command_context *context);

/* Argument i, or `fallback` when it was left out. */
static inline const char *command_arg(const struct command_call *call, uint32_t i,
                                      const char *fallback)
{
    return i < call->n_args ? call->args[i] : fallback;
}

/* {id, args: string[]}: the shape of settings, sidecars and servers. */
struct invocation {
    char *id;
    char **args;
    uint32_t n_args;
};

struct invocation_list VEC_OF(struct invocation);

void invocation_set(struct invocation *out, const char *id, const char *const *args,
                    uint32_t n_args);
void invocation_copy(struct invocation *out, const struct invocation *in);
void invocation_dispose(struct invocation *invocation);
void invocation_list_free(struct invocation_list *list);

#endif
