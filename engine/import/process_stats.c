/* process_stats packets: memory, scores and files of processes (spec engine_2 2.4). */
#include "engine/import/packet.h"

#include <stdio.h>

#include "engine/import/probe_track.h"
#include "engine/import/process.h"
#include "engine/import/stats.h"
#include "engine/proto/wire.h"

#define PACKET_PROCESS_STATS 9

enum kind { KIND_MEMORY, KIND_SMAPS, KIND_OOM, KIND_RUNTIME, KIND_CHROME, KIND_OTHER };

static const struct stat_field {
    enum kind kind;
    const char *key;
} fields[] = {
    [1] = {KIND_OTHER, NULL}, /* pid */
    [2] = {KIND_MEMORY, "virt"},
    [3] = {KIND_MEMORY, "rss"},
    [4] = {KIND_MEMORY, "rss.anon"},
    [5] = {KIND_MEMORY, "rss.file"},
    [6] = {KIND_MEMORY, "rss.shmem"},
    [7] = {KIND_MEMORY, "swap"},
    [8] = {KIND_MEMORY, "locked"},
    [9] = {KIND_MEMORY, "rss.watermark"},
    [10] = {KIND_OOM, "oom_score_adj"},
    [11] = {KIND_OTHER, NULL}, /* threads */
    [12] = {KIND_CHROME, "is_peak_rss_resettable"},
    [13] = {KIND_CHROME, "private_footprint_kb"},
    [14] = {KIND_CHROME, "peak_resident_set_kb"},
    [15] = {KIND_OTHER, NULL}, /* files */
    [16] = {KIND_SMAPS, "rss"},
    [17] = {KIND_SMAPS, "pss"},
    [18] = {KIND_SMAPS, "pss.anon"},
    [19] = {KIND_SMAPS, "pss.file"},
    [20] = {KIND_SMAPS, "pss.smem"},
    [21] = {KIND_RUNTIME, "user_ns"},
    [22] = {KIND_RUNTIME, "kernel_ns"},
    [23] = {KIND_SMAPS, "swap.pss"},
    [24] = {KIND_MEMORY, "dmabuf_rss"},
};

static void push_value(const struct import_file *file, int64_t ts, uint32_t upid,
                       const struct stat_field *field, uint64_t value)
{
    static const struct {
        const char *type, *dimension, *prefix;
        double scale;
    } kinds[] = {
        [KIND_MEMORY] = {"process_memory", "process_memory_key", "mem.", 1024},
        [KIND_SMAPS] = {"smaps", "smaps_key", "mem.smaps.", 1024},
        [KIND_OOM] = {"oom_score_adj", NULL, "", 1},
        [KIND_RUNTIME] = {"proc_stat_runtime", "proc_stat_runtime_key", "runtime.", 1},
        [KIND_CHROME] = {"chrome_process_stats", "key", "chrome.", 1},
    };
    struct track_key key = probe_key(file, kinds[field->kind].type, TRACK_COUNTER);
    probe_dimension_int(&key, "upid", upid);
    if (kinds[field->kind].dimension)
        probe_dimension_text(file, &key, kinds[field->kind].dimension, str_of(field->key));
    char name[64];
    probe_format(name, sizeof name, "%s%s", kinds[field->kind].prefix, field->key);
    probe_count(file, ts, &key, name, NULL, (double)(int64_t)value * kinds[field->kind].scale);
}

static void parse_thread(const struct import_file *file, struct str bytes, int64_t pid)
{
    struct wire_field f;
    if (wire_find(bytes, 1, &f)) thread_intern_in(file, (int32_t)f.value, pid);
}

static void parse_file(const struct import_file *file, int64_t ts, uint32_t upid, struct str bytes)
{
    struct wire w = wire_open(bytes);
    struct wire_field f;
    struct tables *tables = file->import->tables;
    struct filedescriptor_row row = {.ts = some_int64(ts), .upid = opt_row(upid)};
    row.ufd = table_rows(&tables->filedescriptor.table);
    while (wire_next(&w, &f)) {
        if (f.number == 1) row.fd = (int64_t)f.value;
        if (f.number == 2) row.path = strpool_intern(file->import->strings, f.bytes);
    }
    filedescriptor_append(&tables->filedescriptor, &row);
}

static void parse_process(const struct import_file *file, int64_t ts, struct str bytes)
{
    struct wire_field f;
    int64_t pid = wire_find(bytes, 1, &f) ? (int32_t)f.value : 0;
    uint32_t upid = process_intern(file, pid);
    struct wire w = wire_open(bytes);
    while (wire_next(&w, &f)) {
        if (f.number >= sizeof fields / sizeof fields[0])
            stats_add(file, STAT_proc_stat_unknown_counters, 1);
        else if (fields[f.number].key && f.type != WIRE_BYTES)
            push_value(file, ts, upid, &fields[f.number], f.value);
        else if (f.number == 11)
            parse_thread(file, f.bytes, pid);
        else if (f.number == 15)
            parse_file(file, ts, upid, f.bytes);
    }
}

static void parse(void *state, int64_t ts, const struct packet *packet, struct str field)
{
    (void)state;
    struct wire w = wire_open(field);
    struct wire_field f;
    while (wire_next(&w, &f))
        if (f.number == 1 && f.type == WIRE_BYTES) parse_process(packet->file, ts, f.bytes);
}

static const struct packet_module modules[] = {{PACKET_PROCESS_STATS, NULL, parse}};

const struct packet_source process_stats_source = {
    .name = "process_stats", .modules = modules, .n_modules = 1};
