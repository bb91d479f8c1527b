/* Kernel events of Perfetto traces (spec engine_2 2.3): what ftrace_*.c share.
 *
 * `struct ftrace` is the state of one file and machine.  ftrace_bundle.c and
 * ftrace_compact.c cut bundles into sorter payloads, one queue per CPU (queue
 * numbers ascend with the CPU, so that equal times come out in CPU order).  In
 * order of time each payload comes back to its sink, which writes it to the
 * log of raw events (ftrace_log.h) and calls the event's handler.
 *
 * Two rules keep early events out: before tracing_started_ns an event is dropped,
 * before ftrace_latest_data_start_ns it is written as a raw row only.
 */
#ifndef ENGINE_IMPORT_FTRACE_H
#define ENGINE_IMPORT_FTRACE_H

#include "engine/base/map.h"
#include "engine/import/args.h"
#include "engine/import/packet.h"
#include "engine/proto/wire.h"

#define FTRACE_MAX_CPUS 1024
/* Events that the kernel names in the trace itself begin here. */
#define FTRACE_GENERIC_BASE 65536

struct atrace;
struct binder;
struct ftrace;
struct ftrace_adreno;
struct ftrace_drm;
struct ftrace_log;
struct ftrace_syscalls;
struct ftrace_v4l2;
struct ftrace_generic;

struct ftrace_orphan {
    uint32_t upid, parent_utid;
};

struct ftrace_cpu {
    struct ftrace *ftrace;
    uint32_t cpu, queue;
    uint32_t sink_event, sink_switch, sink_waking;
    uint32_t ucpu; /* NULL_UINT32 until its first event is parsed */
    bool has_sinks, seen_bundle;
    /* Who runs, as the switches parsed so far say; utid NULL_UINT32 at first. */
    uint32_t running_utid;
    int32_t running_priority;
    int64_t running_tid;
};

struct ftrace {
    struct packet_reader *reader;
    const struct import_file *file;
    struct import *import;
    struct ftrace_cpu *cpus[FTRACE_MAX_CPUS];
    uint32_t n_queues;
    /* Packets whose sequence state events still need; index = context number. */
    VEC(struct packet) contexts;
    int64_t latest_start; /* over the CPUs' first bundles; INT64_MIN: none told */
    bool keep_before_start;
    bool limits_known;
    int64_t drop_before, parse_after; /* see the head comment */
    char *kernel_release;             /* owned; NULL: not known yet */
    bool release_known;
    struct map state_names; /* prev_state mask -> string_id */
    VEC(string_id) comms; /* of the bundle being cut */
    struct arg_list args; /* scratch */
    /* Processes whose parent was not known when they began. */
    VEC(struct ftrace_orphan) orphans;
    struct ftrace_log *log; /* of the tables */
    struct ftrace_generic *generic;
    struct atrace *atrace;
    struct binder *binder;
    struct ftrace_drm *drm;
    struct ftrace_v4l2 *v4l2;
    struct ftrace_syscalls *syscalls; /* NULL before the first */
    struct ftrace_adreno *adreno;
    struct map memory_owners;    /* mm_id -> utid */
    struct strmap network_bytes; /* by name of the counter */
    uint64_t dropped_ip_packets;
};

/* One event in order of time. */
struct ftrace_event {
    struct ftrace *ftrace;
    struct ftrace_cpu *cpu;
    const struct import_file *file;
    struct import *import;
    const struct packet *context; /* for interned data */
    int64_t ts;
    int64_t tid;   /* that the kernel says the event is of */
    uint32_t utid; /* NULL_UINT32 for an event without a tid */
    uint32_t id, common_flags;
    struct str body;
};

typedef void (*ftrace_handler)(const struct ftrace_event *event);

/* ftrace_handlers.c: NULL for events that are only raw rows. */
ftrace_handler ftrace_handler_of(uint32_t id);

/* ftrace_bundle.c */
bool ftrace_tokenize_bundle(struct ftrace *ftrace, const struct packet *packet, struct str bundle);
struct ftrace_cpu *ftrace_cpu_get(struct ftrace *ftrace, uint32_t cpu);

/* ftrace_compact.c: the columns of one bundle, read side by side. */
#define FTRACE_COMPACT_COLUMNS 13
struct ftrace_compact {
    struct ftrace_cpu *cpu;
    const struct packet *packet;
    uint32_t clock; /* as clock.h: of the times */
    bool bad;
    struct wire columns[FTRACE_COMPACT_COLUMNS]; /* by field */
    struct ftrace_compact_stream {
        uint64_t raw_ts;
        int64_t ts;
        bool has_next, is_known;
    } switches, wakings;
};
void ftrace_compact_open(struct ftrace_compact *compact, struct ftrace_cpu *cpu,
                         const struct packet *packet, uint32_t clock, struct str bytes);
/* Pushes what is not later than ts, so that the queue is filled in order of time. */
void ftrace_compact_push_until(struct ftrace_compact *compact, int64_t ts);
void ftrace_compact_close(struct ftrace_compact *compact);
void ftrace_sink_compact_switch(void *owner, int64_t ts, const void *payload);
void ftrace_sink_compact_waking(void *owner, int64_t ts, const void *payload);

/* ftrace_event.c */
struct ftrace_payload {
    const char *bytes;
    uint32_t length;
    uint32_t context;
};
/* The row of ftrace_event; its args are those in the scratch list. */
void ftrace_write_raw(const struct ftrace_event *event, string_id name);
void ftrace_sink_event(void *owner, int64_t ts, const void *payload);

enum ftrace_stage { FTRACE_DROP, FTRACE_RAW_ONLY, FTRACE_PARSE };
enum ftrace_stage ftrace_stage_of(struct ftrace *ftrace, int64_t ts);
/* Row of the cpu table. */
uint32_t ftrace_ucpu(struct ftrace_cpu *cpu);
/* Name of a kernel symbol by its interned id; STRING_NULL when unknown. */
string_id ftrace_symbol(const struct ftrace_event *event, uint64_t iid);

/* ftrace_switch.c */
struct ftrace_switch {
    int64_t prev_state;
    int64_t prev_tid, next_tid;
    uint32_t prev_utid, next_utid;
    int32_t prev_priority, next_priority;
    string_id prev_comm, next_comm;
};
void ftrace_push_switch(struct ftrace_cpu *cpu, int64_t ts, const struct ftrace_switch *s,
                        enum ftrace_stage stage);
/* At end of input. */
void ftrace_adopt_orphans(struct ftrace *ftrace);
/* The full form of the event. */
void ftrace_parse_switch(const struct ftrace_event *event, enum ftrace_stage stage);

/* Fields 1..31 of a message by number; later ones win, as protobuf says. */
struct ftrace_fields {
    uint32_t has;
    uint64_t value[32];
    struct str bytes[32];
};

static inline void ftrace_read_fields(struct ftrace_fields *fields, struct str body)
{
    fields->has = 0;
    struct wire w = wire_open(body);
    struct wire_field f;
    while (wire_next(&w, &f)) {
        if (f.number > 31) continue;
        fields->has |= UINT32_C(1) << f.number;
        fields->value[f.number] = f.value;
        fields->bytes[f.number] = f.bytes;
    }
}
static inline bool field_has(const struct ftrace_fields *f, uint32_t n)
{
    return f->has >> n & 1;
}
static inline uint64_t field_uint(const struct ftrace_fields *f, uint32_t n)
{
    return field_has(f, n) ? f->value[n] : 0;
}
static inline int64_t field_int(const struct ftrace_fields *f, uint32_t n)
{
    return (int64_t)field_uint(f, n);
}
static inline struct str field_str(const struct ftrace_fields *f, uint32_t n)
{
    return field_has(f, n) && f->bytes[n].p ? f->bytes[n] : (struct str){"", 0};
}

#endif
