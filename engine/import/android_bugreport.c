#include "engine/import/android_bugreport.h"

#include "engine/base/hash.h"
#include "engine/base/map.h"
#include "engine/base/memory.h"
#include "engine/import/android_log.h"

#define NS_PER_MS 1000000

struct android_bugreport {
    int year;
    int64_t zone;
    struct map lines; /* hash of a line -> how many */
};

bool android_bugreport_is_text(struct str name, int *year)
{
    static const char END[] = "2022-12-31-23-59-00.txt";
    uint64_t value;
    size_t n = sizeof END - 1;
    if (!str_starts(name, STR("bugreport-")) || !str_ends(name, STR(".txt")) || name.n < n)
        return false;
    if (!str_to_uint64(str_slice(name, name.n - n, name.n - n + 4), &value)) return false;
    *year = (int)value;
    return true;
}

bool android_bugreport_is_log(struct str name)
{
    return str_starts(name, STR("FS/data/misc/logd/logcat")) && !str_ends(name, STR("logcat.id"));
}

struct android_bugreport *android_bugreport_new(int year)
{
    struct android_bugreport *report = mem_zero(1, sizeof *report);
    report->year = year;
    return report;
}

void android_bugreport_free(struct android_bugreport *report)
{
    if (!report) return;
    map_free(&report->lines);
    mem_free(report);
}

int android_bugreport_year(const struct android_bugreport *report, int otherwise)
{
    return report ? report->year : otherwise;
}

int64_t android_bugreport_zone(const struct android_bugreport *report)
{
    return report ? report->zone : 0;
}

void android_bugreport_set_zone(struct android_bugreport *report, int64_t ns)
{
    if (report) report->zone = ns;
}

/* The kept logs have more decimals. */
static uint64_t hash_of(const struct android_log_line *line)
{
    uint64_t hash = hash_mix(0, (uint64_t)(line->time / NS_PER_MS));
    hash = hash_mix(hash, (uint64_t)line->pid << 32 | (uint64_t)line->tid);
    hash = hash_mix(hash, line->priority);
    hash = hash_mix(hash, hash_bytes(line->tag.n ? line->tag.p : "", line->tag.n));
    return hash_mix(hash, hash_bytes(line->message.n ? line->message.p : "", line->message.n));
}

void android_bugreport_add(struct android_bugreport *report, const struct android_log_line *line)
{
    bool added;
    if (!report) return;
    uint64_t *count = map_put_if_absent(&report->lines, hash_of(line), 1, &added);
    if (!added) ++*count;
}

bool android_bugreport_take(struct android_bugreport *report, const struct android_log_line *line)
{
    uint64_t *count = map_get(&report->lines, hash_of(line));
    if (!count || *count == 0) return false;
    --*count;
    return true;
}
