/* GLOB and LIKE as SQLite means them, in time at most proportional to pattern
 * times text, whatever the pattern is (SQLite's own are exponential in the worst
 * case, and the pattern may come from a trace). */
#ifndef ENGINE_SQL_PATTERN_H
#define ENGINE_SQL_PATTERN_H

#include "engine/base/str.h"

/* '*' any run, '?' one character, [a-z] and [^a-z] sets; case matters. */
bool pattern_glob(struct str pattern, struct str text);

/* '%' any run, '_' one character; ASCII letters compare without case.  `escape`
 * is a character or 0. */
bool pattern_like(struct str pattern, struct str text, uint32_t escape);

#endif
