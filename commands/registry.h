/* Every command there is, by id: the core ones and the macros of settings,
 * servers and the trace.
 *
 * Collisions (spec/sidecar.md "What the viewer does" 3): an id that is taken is
 * refused before anything is entered.  A definition of the user's or a server's
 * takes the id from a macro of the trace, with a warning.  The allowlist is 14
 * exact ids; a registered macro may be entered as well, its steps are checked
 * each by itself.
 */
#ifndef COMMANDS_REGISTRY_H
#define COMMANDS_REGISTRY_H

#include "commands/command.h"
#include "engine/base/buffer.h"

struct registry;

struct registry_entry {
    const struct command *command; /* for a macro: owned by the closure */
    enum command_scope scope;
    const char *origin; /* shown as the source; owned */
    void *closure;
    void (*dispose)(void *closure);
};

struct registry *registry_new(void); /* holds the core commands */
void registry_free(struct registry *registry);

/* Takes the closure over in any case.  False when the id is taken (the message
 * says by whom).  When a trace's macro had to go, *warning is an owned text. */
bool registry_add(struct registry *registry, const struct command *command,
                  enum command_scope scope, const char *origin, void *closure,
                  void (*dispose)(void *), char **warning, struct status *st);
void registry_remove_scope(struct registry *registry, enum command_scope scope);
/* Those of one source in it. */
void registry_remove_origin(struct registry *registry, enum command_scope scope,
                            const char *origin);

/* Good until the next add or remove. */
const struct registry_entry *registry_find(const struct registry *registry, const char *id);
uint32_t registry_count(const struct registry *registry);
/* In order of registration. */
const struct registry_entry *registry_at(const struct registry *registry, uint32_t i);
bool registry_is_macro(const struct registry_entry *entry);

/* Exact ids only (spec ui §4a). */
bool allowlist_has(const char *id);
/* The 14 of them; NULL past the end. */
const char *allowlist_at(uint32_t i);

enum command_outcome { COMMAND_DONE, COMMAND_BLOCKED, COMMAND_FAILED };

/* Checks the allowlist (before existence), existence, arguments; asks before a
 * step that reaches out of the program where the context wants it; runs.  What
 * is blocked or fails is told in `st`, and in the context's report. */
enum command_outcome registry_run(struct session *session, const char *id, const char *const *args,
                                  uint32_t n_args, const struct command_context *context,
                                  struct status *st);

/* "pattern [nameOrPath=name|path]": arguments as the prompt and messages write them. */
void command_append_usage(const struct command *command, struct buffer *out);
bool command_check_args(const struct command *command, const char *const *args, uint32_t n_args,
                        struct status *st);

/* A line of the prompt: an id (or a unique end of one: "PinTracksByRegex"), then
 * words; double or single quotes hold a word together; a backslash hides a quote
 * or a blank and is itself elsewhere.  The last argument takes the rest of the line when it is
 * SQL.  The status holds the byte where it went wrong. */
bool registry_parse_line(const struct registry *registry, struct str line, struct invocation *out,
                         struct status *st);

#endif
