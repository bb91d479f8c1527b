/* JavaScript's regular expressions without flags (spec/sidecar.md "Regexes") on
 * engine/base/regex.
 *
 * A pass over the pattern's syntax (ECMA-262 with Annex B, as browsers have it)
 * translates what JavaScript means and refuses what it refuses; POSIX classes
 * are refused too, because nobody means what JavaScript reads there.
 *
 * JavaScript without flags sees 16-bit units.  Patterns and subjects with
 * characters beyond U+FFFF are rewritten so that each half is a character of
 * its own (U+10D800…U+10DFFF); a byte of a subject that is no UTF-8 becomes
 * U+10FFFF, which nothing matches.
 */
#ifndef COMMANDS_JS_REGEX_H
#define COMMANDS_JS_REGEX_H

#include "engine/base/buffer.h"
#include "engine/base/regex.h"

/* The time that one command may spend, over all the names it looks at.  It is
 * time of this thread's processor: what else the machine does takes nothing
 * from it, so that a macro does the same on every run. */
struct regex_budget {
    int64_t deadline_ns; /* of CLOCK_THREAD_CPUTIME_ID */
};

#define REGEX_BUDGET_MS 50

struct regex_budget regex_budget_start(int64_t milliseconds);
bool regex_budget_is_spent(const struct regex_budget *budget);

struct js_regex;

/* NULL and a message with the byte in the pattern when it is refused. */
struct js_regex *js_regex_compile(struct str pattern, struct status *st);
/* RegExp.prototype.test.  REGEX_GAVE_UP when the budget is spent, or the subject
 * is so long that backtracking in it takes too much memory. */
enum regex_result js_regex_test(struct js_regex *regex, struct str subject,
                                const struct regex_budget *budget);
void js_regex_free(struct js_regex *regex);

/* The translation alone: pcre2's syntax.  For tests. */
bool js_regex_translate(struct str pattern, struct buffer *out, struct status *st);

#endif
