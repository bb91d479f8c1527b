/* What a stat means and, where it helps, what to do about it: the text of
 * stats.description. */
#ifndef ENGINE_IMPORT_STAT_TEXTS_H
#define ENGINE_IMPORT_STAT_TEXTS_H

#include "engine/import/stats.h"

/* "" for a stat that speaks for itself. */
const char *stat_text(enum stat stat);

#endif
