/* How well a few typed letters fit a name: for palettes and track pickers.
 *
 * Every typed character must be there, in order, without regard to case (ASCII);
 * a blank stands between two words that may come in any order.  Starts of words
 * and runs count more, what is skipped less.
 */
#ifndef COMMANDS_FUZZY_H
#define COMMANDS_FUZZY_H

#include "engine/base/str.h"

#define FUZZY_NO_MATCH INT32_MIN

/* Higher is better; FUZZY_NO_MATCH.  An empty pattern fits everything with 0.
 * `marks` (may be NULL) gets, for each of the first `n_marks` bytes of `text`,
 * whether it was matched. */
int32_t fuzzy_score(struct str pattern, struct str text, bool *marks, size_t n_marks);

#endif
