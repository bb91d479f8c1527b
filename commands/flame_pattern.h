/* What a filter of a flamegraph looks for in frame names: a literal in any case, a
 * JavaScript regex between slashes, or one followed by i, in any case. */
#ifndef COMMANDS_FLAME_PATTERN_H
#define COMMANDS_FLAME_PATTERN_H

#include "engine/base/regex.h"

struct flame_pattern;

/* NULL and why when it is empty or a regex that does not compile. */
struct flame_pattern *flame_pattern_new(struct str text, struct status *st);
void flame_pattern_free(struct flame_pattern *pattern);
/* A regex that takes too many steps for a name finds nothing in it. */
bool flame_pattern_matches(struct flame_pattern *pattern, struct str name);

#endif
