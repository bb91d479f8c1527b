/* The sizes of a process' memory by kind, as the kernel's rss_stat tells them
 * (spec engine_2 2.3): from ftrace packets and from systrace text. */
#ifndef ENGINE_IMPORT_RSS_STAT_H
#define ENGINE_IMPORT_RSS_STAT_H

#include "engine/import/import.h"

/* False, and counted, for a kind that is unknown or a size below zero. */
bool rss_stat_is_good(const struct import_file *file, uint64_t member, int64_t size);
/* A good value; utid NULL_UINT32 (nobody is known to own the memory) is counted. */
void rss_stat_push(const struct import_file *file, int64_t ts, uint32_t utid, uint64_t member,
                   int64_t size);

#endif
