/* State shared by the packets about the machine: system_info.c and sys_stats.c. */
#ifndef ENGINE_IMPORT_SYS_STATS_H
#define ENGINE_IMPORT_SYS_STATS_H

#include "engine/base/vec.h"
#include "engine/import/packet.h"

struct disk_sample {
    string_id name;
    uint64_t values[10]; /* by field of DiskStat */
};

struct system_probes {
    int64_t page_bytes;
    VEC(struct disk_sample) disks; /* the last sample of each */
};

void sys_stats_parse(void *probes, int64_t ts, const struct packet *packet, struct str field);

#endif
