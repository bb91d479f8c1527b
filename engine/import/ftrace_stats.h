/* FtraceStats packets: what the kernel's buffers held and lost (spec engine_2 2.3). */
#ifndef ENGINE_IMPORT_FTRACE_STATS_H
#define ENGINE_IMPORT_FTRACE_STATS_H

#include "engine/import/import.h"

void ftrace_stats_parse(const struct import_file *file, struct str bytes);

#endif
