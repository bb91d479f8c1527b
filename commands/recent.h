/* Traces that were opened, the newest first; kept in the program's state.
 *
 * recent.json beside the program's settings is a list of absolute paths, at most
 * RECENT_MOST.  One that cannot be read is as if it were empty: it is a convenience.
 */
#ifndef COMMANDS_RECENT_H
#define COMMANDS_RECENT_H

#include "engine/base/vec.h"

#define RECENT_MOST 50

struct settings;

struct recent_list VEC_OF(char *);

void recent_read(const struct settings *settings, struct recent_list *out);
void recent_free(struct recent_list *list);
/* Puts the path first and writes the list; a path that is none of a file is left out. */
void recent_add(const struct settings *settings, const char *path);

#endif
