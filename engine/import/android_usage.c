/* How long things were held or ran, told as sums: wakelocks of the kernel and of
 * apps, CPU time of each user (spec engine_2 2.5; protos kernel_wakelock_data,
 * app_wakelock_data, cpu_per_uid_data).
 *
 * Kernel wakelocks and CPU times are deltas against the sequence's last packet;
 * what a packet does not mention has not grown, and gets its last value again. */
#include "engine/import/packet.h"

#include <stdlib.h>

#include "engine/base/hash.h"
#include "engine/base/map.h"
#include "engine/base/memory.h"
#include "engine/base/strpool.h"
#include "engine/import/ftrace.h"
#include "engine/import/probe_track.h"
#include "engine/import/sorter.h"
#include "engine/import/stats.h"

enum packet_field {
    PACKET_KERNEL_WAKELOCKS = 115,
    PACKET_APP_WAKELOCKS = 116,
    PACKET_CPU_PER_UID = 119,
};

enum { INTERNED_APP_WAKELOCK = 42 };

struct held_wakelock {
    string_id name;
    uint32_t track;
    uint64_t ms;
    uint64_t packet; /* the last one that told it */
};

/* CPU time of one user on one cluster. */
struct user_time {
    uint32_t uid, cluster, track;
    uint64_t ms;    /* of all sequences' users, the latest */
    uint64_t grown; /* since the trace began */
    uint64_t packet;
};

struct usage {
    const struct import_file *file;
    uint32_t sink;
    bool has_sink;
    uint64_t n_packets;
    struct map wakelock_of; /* hash of (sequence, id) -> wakelocks */
    struct map by_name;     /* hash of (sequence, name) -> wakelocks */
    VEC(struct held_wakelock) wakelocks;
    struct map clusters_of;  /* sequence -> number of clusters */
    struct map user_time_of; /* hash of (sequence, uid, cluster) -> user_times */
    VEC(struct user_time) user_times;
    VEC(uint64_t) totals; /* by cluster * 2 + (is an app) */
    struct arg_list args;
};

static uint64_t sequence_key(const struct packet *packet, uint64_t id)
{
    return hash_mix(packet->sequence ? sequence_id(packet->sequence) : 0, id);
}

/* ---- the kernel's wakelocks ---- */

static void describe_wakelock(struct usage *usage, const struct packet *packet, struct str bytes)
{
    static const char *const types[] = {"unknown", "kernel", "native"};
    const struct import_file *file = packet->file;
    struct ftrace_fields f;
    ftrace_read_fields(&f, bytes);
    uint64_t type = field_uint(&f, 3) < 3 ? field_uint(&f, 3) : 0;
    bool added;
    uint64_t *at = map_put_if_absent(&usage->wakelock_of, sequence_key(packet, field_uint(&f, 1)),
                                     usage->wakelocks.count, &added);
    if (!added) {
        stats_add(file, STAT_kernel_wakelock_reused_id, 1);
        return;
    }
    string_id name = strpool_intern(file->import->strings, field_str(&f, 2));
    /* Two ids of one name are one wakelock. */
    uint64_t *same = map_put_if_absent(&usage->by_name, sequence_key(packet, ~(uint64_t)name),
                                       usage->wakelocks.count, &added);
    if (!added) {
        *at = *same;
        return;
    }
    struct track_key key = probe_key(file, "android_kernel_wakelock", TRACK_COUNTER);
    key.dimensions[key.n_dimensions++] = dimension_string("wakelock_name", name);
    probe_dimension_text(file, &key, "wakelock_type", str_of(types[type]));
    struct track_info info = {.name = name,
                              .unit = strpool_intern_text(file->import->strings, "ms")};
    vec_push(&usage->wakelocks,
             (struct held_wakelock){name, track_intern(file->import->tracks, &key, &info), 0, 0});
}

/* Counts of ns, though the unit of the track says ms: the reference's numbers. */
static void count_wakelock(const struct packet *packet, int64_t ts,
                           const struct held_wakelock *wakelock)
{
    counter_push(packet->file, ts, wakelock->track, 1e6 * (double)wakelock->ms, NULL);
}

static struct wire packed_of(struct str message, uint32_t field)
{
    struct wire_field f;
    return wire_open(wire_find(message, field, &f) && f.type == WIRE_BYTES ? f.bytes : STR_NONE);
}

static void parse_wakelocks(void *state, int64_t ts, const struct packet *packet, struct str field)
{
    struct usage *usage = state;
    struct wire w = wire_open(field);
    struct wire_field f;
    uint64_t id, ms, number = ++usage->n_packets;
    while (wire_next(&w, &f))
        if (f.number == 1 && f.type == WIRE_BYTES) describe_wakelock(usage, packet, f.bytes);
    struct wire ids = packed_of(field, 2), times = packed_of(field, 3);
    while (wire_varint(&ids, &id) && wire_varint(&times, &ms)) {
        const uint64_t *at = map_get(&usage->wakelock_of, sequence_key(packet, id));
        if (!at) {
            stats_add(packet->file, STAT_kernel_wakelock_unknown_id, 1);
            continue;
        }
        struct held_wakelock *wakelock = &usage->wakelocks.items[*at];
        wakelock->ms += ms;
        wakelock->packet = number;
        count_wakelock(packet, ts, wakelock);
    }
    for (size_t i = 0; i < usage->wakelocks.count; i++) {
        const struct held_wakelock *wakelock = &usage->wakelocks.items[i];
        if (wakelock->packet && wakelock->packet != number) count_wakelock(packet, ts, wakelock);
    }
}

/* ---- the apps' wakelocks: begun and ended, many in a packet ---- */

struct app_wakelock {
    const char *bytes; /* AppWakelockInfo */
    uint32_t length;
    bool is_acquired;
};

static void put_app_args(struct usage *usage, const struct ftrace_fields *f)
{
    static const char *const keys[] = {"flags", "owner_pid", "owner_uid", "work_uid"};
    vec_clear(&usage->args);
    for (uint32_t i = 0; i < 4; i++)
        if (i == 0 || field_has(f, 3 + i))
            arg_list_put_int(&usage->args,
                             strpool_intern_text(usage->file->import->strings, keys[i]),
                             (int32_t)field_int(f, 3 + i));
}

/* What begins and what ends are known by all that is told of them. */
static int64_t cookie_of(const struct ftrace_fields *f)
{
    uint64_t hash = hash_bytes(field_str(f, 2).p, field_str(f, 2).n);
    for (uint32_t i = 3; i <= 6; i++)
        hash = hash_mix(hash, field_uint(f, i));
    return (int64_t)hash;
}

static void sink_app_wakelock(void *owner, int64_t ts, const void *payload)
{
    struct usage *usage = owner;
    const struct app_wakelock *event = payload;
    const struct import_file *file = usage->file;
    struct track_tracker *tracks = file->import->tracks;
    struct ftrace_fields f;
    ftrace_read_fields(&f, (struct str){event->bytes, event->length});
    struct track_key key = probe_key(file, "app_wakelock_events", TRACK_SLICE);
    struct track_info info = {
        .name = strpool_intern_text(file->import->strings, "app_wakelock_events")};
    uint32_t lanes = track_lanes_intern(tracks, &key, &info);
    if (!event->is_acquired) {
        slice_end(file, ts, track_lane_end(tracks, lanes, cookie_of(&f)), STRING_NULL, STRING_NULL,
                  NULL);
        return;
    }
    put_app_args(usage, &f);
    slice_begin(file, ts, track_lane_begin(tracks, lanes, cookie_of(&f)), STRING_NULL,
                strpool_intern(file->import->strings, field_str(&f, 2)), &usage->args);
}

static bool tokenize_app_wakelocks(void *state, const struct packet *packet, struct str field)
{
    struct usage *usage = state;
    struct sorter *sorter = packet->file->import->sorter;
    uint64_t id, encoded;
    if (!usage->has_sink) {
        usage->file = packet_reader_file(packet->reader);
        usage->sink = sorter_add_sink(sorter, sink_app_wakelock, usage);
        usage->has_sink = true;
    }
    struct wire ids = packed_of(field, 1), times = packed_of(field, 2);
    while (wire_varint(&ids, &id) && wire_varint(&times, &encoded)) {
        struct str info;
        if (!packet->generation || !packet_interned(packet, INTERNED_APP_WAKELOCK, id, &info) ||
            info.n > UINT32_MAX) {
            stats_add(packet->file, STAT_app_wakelock_unknown_id, 1);
            continue;
        }
        /* The time since the packet's, and in the lowest bit whether it was taken. */
        int64_t ts = (int64_t)((uint64_t)packet->ts + (encoded >> 1));
        struct app_wakelock *event = sorter_push(sorter, packet_reader_queue(packet->reader),
                                                 usage->sink, ts, sizeof *event);
        *event = (struct app_wakelock){info.p, (uint32_t)info.n, encoded & 1};
    }
    return true;
}

/* ---- CPU time of users ---- */

#define FIRST_APP_UID    10000
#define UIDS_OF_A_USER   100000
#define MAX_CPU_CLUSTERS 64

static struct user_time *user_time_of(struct usage *usage, const struct packet *packet,
                                      uint32_t uid, uint32_t cluster, bool *is_new)
{
    const struct import_file *file = packet->file;
    uint64_t hash = hash_mix(sequence_key(packet, uid), cluster);
    uint64_t *at = map_put_if_absent(&usage->user_time_of, hash, usage->user_times.count, is_new);
    if (!*is_new) return &usage->user_times.items[*at];
    struct track_key key = probe_key(file, "android_cpu_per_uid", TRACK_COUNTER);
    char name[64];
    probe_dimension_int(&key, "uid", uid);
    probe_dimension_int(&key, "cluster", cluster);
    probe_format(name, sizeof name, "CPU for UID %u CL%u", (unsigned)uid, (unsigned)cluster);
    struct user_time time = {
        .uid = uid, .cluster = cluster, .track = probe_track(file, &key, name, "ms")};
    vec_push(&usage->user_times, time);
    return vec_last(&usage->user_times);
}

static void count_totals(struct usage *usage, const struct packet *packet, int64_t ts)
{
    for (size_t i = 0; i < usage->totals.count; i++) {
        const char *type = i & 1 ? "Apps" : "System";
        struct track_key key = probe_key(packet->file, "android_cpu_per_uid_totals", TRACK_COUNTER);
        char name[64];
        probe_dimension_text(packet->file, &key, "type", str_of(type));
        probe_dimension_int(&key, "cluster", (int64_t)(i / 2));
        probe_format(name, sizeof name, "CPU for %s CL%u", type, (unsigned)(i / 2));
        probe_count(packet->file, ts, &key, name, "ms", (double)usage->totals.items[i]);
    }
}

static void add_time(struct usage *usage, const struct packet *packet, int64_t ts, uint32_t uid,
                     uint32_t cluster, uint64_t ms)
{
    bool is_new;
    struct user_time *time = user_time_of(usage, packet, uid, cluster, &is_new);
    time->packet = usage->n_packets;
    time->ms += ms;
    while (usage->totals.count < 2 * ((size_t)cluster + 1))
        vec_push(&usage->totals, 0);
    if (!is_new) {
        time->grown += ms;
        usage->totals.items[2 * cluster + (uid % UIDS_OF_A_USER >= FIRST_APP_UID)] += ms;
    }
    counter_push(packet->file, ts, time->track, (double)time->ms, NULL);
}

static void parse_cpu_times(void *state, int64_t ts, const struct packet *packet, struct str field)
{
    struct usage *usage = state;
    struct wire_field f;
    uint64_t uid, ms;
    uint64_t sequence = sequence_key(packet, 0);
    uint64_t number = ++usage->n_packets;
    if (wire_find(field, 1, &f) && f.value >= 1 && f.value <= MAX_CPU_CLUSTERS)
        map_set(&usage->clusters_of, sequence, f.value);
    const uint64_t *clusters = map_get(&usage->clusters_of, sequence);
    uint64_t n_clusters = clusters ? *clusters : 1;
    struct wire uids = packed_of(field, 2), times = packed_of(field, 3);
    while (wire_varint(&uids, &uid))
        for (uint32_t cluster = 0; cluster < n_clusters && wire_varint(&times, &ms); cluster++)
            add_time(usage, packet, ts, (uint32_t)uid, cluster, ms);
    count_totals(usage, packet, ts);
    for (size_t i = 0; i < usage->user_times.count; i++) {
        const struct user_time *time = &usage->user_times.items[i];
        if (time->packet != number)
            counter_push(packet->file, ts, time->track, (double)time->ms, NULL);
    }
}

static int compare_tracks(const void *a, const void *b)
{
    const struct user_time *x = a, *y = b;
    return x->track < y->track ? -1 : x->track > y->track;
}

static void write_cpu_tracks(struct usage *usage)
{
    if (usage->user_times.count == 0) return;
    struct tables *tables = usage->file->import->tables;
    qsort(usage->user_times.items, usage->user_times.count, sizeof *usage->user_times.items,
          compare_tracks);
    for (size_t i = 0; i < usage->user_times.count; i++) {
        const struct user_time *time = &usage->user_times.items[i];
        struct android_cpu_per_uid_track_row row = {.track_id = time->track,
                                                    .uid = time->uid,
                                                    .cluster = time->cluster,
                                                    .total_cpu_millis = (int64_t)time->grown};
        android_cpu_per_uid_track_append(&tables->android_cpu_per_uid_track, &row);
    }
}

static void *create(struct packet_reader *reader)
{
    struct usage *usage = mem_zero(1, sizeof *usage);
    usage->file = packet_reader_file(reader);
    return usage;
}

static void finish(void *state)
{
    struct usage *usage = state;
    write_cpu_tracks(usage);
    map_free(&usage->wakelock_of);
    map_free(&usage->by_name);
    vec_free(&usage->wakelocks);
    map_free(&usage->clusters_of);
    map_free(&usage->user_time_of);
    vec_free(&usage->user_times);
    vec_free(&usage->totals);
    vec_free(&usage->args);
    mem_free(usage);
}

static const struct packet_module modules[] = {
    {PACKET_KERNEL_WAKELOCKS, NULL, parse_wakelocks},
    {PACKET_APP_WAKELOCKS, tokenize_app_wakelocks, NULL},
    {PACKET_CPU_PER_UID, NULL, parse_cpu_times},
};

const struct packet_source android_usage_source = {
    .name = "android_usage",
    .create = create,
    .finish = finish,
    .modules = modules,
    .n_modules = sizeof modules / sizeof modules[0],
};
