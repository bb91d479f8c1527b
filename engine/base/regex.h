/* pcre2 behind a small door, with limits: a pattern from a trace must end.
 *
 * The dialect is pcre2's; JavaScript's is made from it by commands/js_regex.
 * Subjects are bytes; with REGEX_UTF an invalid UTF-8 subject matches nothing.
 */
#ifndef ENGINE_BASE_REGEX_H
#define ENGINE_BASE_REGEX_H

#include <stdbool.h>

#include "engine/base/status.h"
#include "engine/base/str.h"

enum regex_flags {
    REGEX_IGNORE_CASE = 1,
    REGEX_UTF = 2,
    REGEX_DOLLAR_END_ONLY = 4,
    REGEX_DOT_ALL = 8,
    REGEX_LITERAL = 16,
    REGEX_MATCH_UNSET_BACKREF = 32, /* an unset group's back reference matches "" */
    REGEX_POLLED = 64,              /* regex_set_poll works; slower on hard patterns */
};

enum regex_result { REGEX_NO_MATCH, REGEX_MATCH, REGEX_GAVE_UP };

#define REGEX_MAX_GROUPS 32

struct regex_match {
    struct str groups[REGEX_MAX_GROUPS]; /* 0 is the whole match; absent ones STR_NONE */
    unsigned count;
    size_t start, end; /* of the whole match, bytes in the subject */
};

struct regex;

/* NULL and a message with the offset in the pattern when it does not compile. */
struct regex *regex_compile(struct str pattern, unsigned flags, struct status *st);
/* Number of capture groups. */
unsigned regex_group_count(const struct regex *regex);
/* Steps of backtracking allowed in one regex_find; default 1,000,000. */
void regex_set_step_limit(struct regex *regex, unsigned steps);
/* `poll` is asked before each element that a search tries; false ends it with
 * REGEX_GAVE_UP.  For patterns compiled with REGEX_POLLED. */
void regex_set_poll(struct regex *regex, bool (*poll)(void *), void *argument);
/* Finds the first match at or after byte `from`.  `match` may be NULL. */
enum regex_result regex_find(struct regex *regex, struct str subject, size_t from,
                             struct regex_match *match);
void regex_free(struct regex *regex);

#endif
