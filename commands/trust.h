/* What a person decided about the startup commands of a trace, for one content of
 * them and not for every trace (setting "traceStartupDecisions").
 *
 * A content is the list of commands with their arguments, and every macro that it
 * leads to with its steps: what the question shows, no more and no less.  Its id is
 * the SHA-256 of that as compact JSON:
 *
 *     {"commands":[{"id":…,"args":[…]}],"macros":[{"id":…,"run":[{"id":…,"args":[…]}]}]}
 *
 * with each macro once, in the order in which it is first met.  A command, an argument
 * or a macro that changes, and an id that becomes another's macro, give another id.
 */
#ifndef COMMANDS_TRUST_H
#define COMMANDS_TRUST_H

#include "commands/command.h"
#include "engine/base/sha256.h"
#include "engine/extensions/json.h"

struct registry;
struct session;
struct session_trace;
struct settings;

#define TRUST_MOST_DECISIONS 500 /* the oldest go */

struct trust_decision {
    char content[SHA256_HEX];
    bool runs;
    uint32_t commands;          /* how many; 0: not known */
    char *origin, *trace, *day; /* whose, in which trace, since when; NULL: not known */
};

struct trust_list VEC_OF(struct trust_decision);

/* Empty when the content is too long to be remembered. */
void trust_content_id(const struct registry *registry, const struct invocation_list *commands,
                      char out[SHA256_HEX]);

/* Of what an open trace brings, with the macros there are now; false when that is
 * nothing. */
bool trust_content_of_trace(const struct session *session, const struct session_trace *trace,
                            char out[SHA256_HEX]);

/* The setting's value; `path` is its place. */
bool trust_list_read(const json_t *value, struct buffer *path, struct trust_list *out,
                     struct status *st);
void trust_list_free(struct trust_list *list);
/* NULL when nothing was decided. */
const struct trust_decision *trust_find(const struct settings *settings, const char *content);

/* Keeps the decision in the place of an earlier one (`day` is today's).  False, as
 * well as below, when it cannot be written or when the person's own file has the list. */
bool trust_store(struct settings *settings, const struct trust_decision *decision,
                 struct status *st);
/* `name`: "all", or a content's id or what only it begins with (8 digits or more).
 * How many were forgotten; 0 on failure. */
size_t trust_forget(struct settings *settings, const char *name, struct status *st);

/* "3f9a12c4d5e6  run  3 commands  namespace com.ex  a.zip  since 2026-11-30": for people,
 * with a title that may hold any byte. */
void trust_append_line(const struct trust_decision *decision, struct buffer *out);

#endif
