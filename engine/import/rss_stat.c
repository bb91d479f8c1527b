#include "engine/import/rss_stat.h"

#include "engine/base/strpool.h"
#include "engine/import/probe_track.h"
#include "engine/import/stats.h"

static const char *const members[] = {"rss.file", "rss.anon", "swap", "rss.shmem", "unreclaimable"};

bool rss_stat_is_good(const struct import_file *file, uint64_t member, int64_t size)
{
    if (member >= sizeof members / sizeof members[0]) {
        stats_add(file, STAT_rss_stat_unknown_keys, 1);
        return false;
    }
    if (size < 0) {
        stats_add(file, STAT_rss_stat_negative_size, 1);
        return false;
    }
    return true;
}

void rss_stat_push(const struct import_file *file, int64_t ts, uint32_t utid, uint64_t member,
                   int64_t size)
{
    struct strpool *strings = file->import->strings;
    if (utid == NULL_UINT32) {
        stats_add(file, STAT_rss_stat_unknown_thread_for_mm_id, 1);
        return;
    }
    char name[32];
    probe_format(name, sizeof name, "mem.%s", members[member]);
    struct thread_counter counter = {
        .process_type = "process_memory",
        .thread_type = "process_memory_thread_fallback",
        .name = strpool_intern_text(strings, name),
        .n_dimensions = 1,
    };
    counter.dimensions[0] =
        dimension_string("process_memory_key", strpool_intern_text(strings, members[member]));
    counter_push_for_thread(file, ts, utid, &counter, (double)size, NULL);
}
