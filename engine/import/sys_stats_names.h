/* Names of system counters; NULL for a number that nobody knows. */
#ifndef ENGINE_IMPORT_SYS_STATS_NAMES_H
#define ENGINE_IMPORT_SYS_STATS_NAMES_H

#include <stdint.h>

const char *sys_stats_meminfo_name(uint64_t key);
const char *sys_stats_vmstat_name(uint64_t key);

#endif
