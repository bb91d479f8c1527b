/* A macro: a named list of commands, {id, name, run: [{id, args}]} (spec ui §4b), and
 * the key that it would like to run by: "key", as settings write them.
 *
 * A registered macro is a command like any other.  Its steps run in order; a
 * failing one ends it.  Steps of a trace's or a server's macro run with the
 * rules of spec/sidecar.md "A macro that a person starts".
 */
#ifndef MACROS_MACRO_H
#define MACROS_MACRO_H

#include "commands/registry.h"
#include "commands/session.h"
#include "engine/extensions/json.h"

/* Of all macros that one start leads to: those of a trace can fan out without end. */
#define MACRO_MOST_STEPS 10000

struct macro {
    char *id, *name;
    char *key; /* NULL: none */
    struct invocation_list run;
};

struct macro_list VEC_OF(struct macro);

/* `path` is the place of `value`.  Refused: wrong shapes and an id twice; when
 * `strict`, as for what a person writes, an empty name, step or key and a macro
 * that has itself as a step too. */
bool macro_list_read(const json_t *value, bool strict, struct buffer *path, struct macro_list *out,
                     struct status *st);
void macro_list_free(struct macro_list *list);

/* Enters copies.  An id that is taken is skipped, with a message in the session;
 * a trace's macro that has to give way is said as well.  How many were entered. */
uint32_t macros_register(struct session *session, const struct macro_list *list,
                         enum command_scope scope, const char *origin);

#endif
