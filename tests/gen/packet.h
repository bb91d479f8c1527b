/* Perfetto trace packets that are not track events or ftrace: clocks, processes,
 * logs, descriptors, compressed packets.  Field numbers: appendix A of the spec.
 *
 * Every function appends whole packets to `trace`, so a trace is any sequence of
 * calls.  Times are ns.  A packet of another kind is made by gen_packet_open, the
 * gen_* functions of wire.h, and gen_packet_close.
 */
#ifndef TESTS_GEN_PACKET_H
#define TESTS_GEN_PACKET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/base/buffer.h"

enum gen_packet_field {
    GEN_PACKET_FTRACE = 1,
    GEN_PACKET_PROCESS_TREE = 2,
    GEN_PACKET_TRUSTED_UID = 3,
    GEN_PACKET_CLOCK_SNAPSHOT = 6,
    GEN_PACKET_SYS_STATS = 7,
    GEN_PACKET_TIMESTAMP = 8,
    GEN_PACKET_PROCESS_STATS = 9,
    GEN_PACKET_SEQUENCE_ID = 10,
    GEN_PACKET_TRACK_EVENT = 11,
    GEN_PACKET_INTERNED_DATA = 12,
    GEN_PACKET_SEQUENCE_FLAGS = 13,
    GEN_PACKET_TRACE_CONFIG = 33,
    GEN_PACKET_TRACE_STATS = 35,
    GEN_PACKET_BATTERY = 38,
    GEN_PACKET_ANDROID_LOG = 39,
    GEN_PACKET_STATE_CLEARED = 41,
    GEN_PACKET_PREVIOUS_DROPPED = 42,
    GEN_PACKET_THREAD_DESCRIPTOR = 44,
    GEN_PACKET_SYSTEM_INFO = 45,
    GEN_PACKET_TRIGGER = 46,
    GEN_PACKET_PACKAGES_LIST = 47,
    GEN_PACKET_ZLIB_PACKETS = 50,
    GEN_PACKET_CLOCK_ID = 58,
    GEN_PACKET_DEFAULTS = 59,
    GEN_PACKET_TRACK_DESCRIPTOR = 60,
    GEN_PACKET_MODULE_SYMBOLS = 61,
    GEN_PACKET_PERF_SAMPLE = 66,
    GEN_PACKET_CPU_INFO = 67,
    GEN_PACKET_SERVICE_EVENT = 69,
    GEN_PACKET_EXTENSION_DESCRIPTOR = 72,
    GEN_PACKET_FRAME_TIMELINE = 76,
    GEN_PACKET_FIRST_ON_SEQUENCE = 87,
    GEN_PACKET_TRACE_UUID = 89,
    GEN_PACKET_MACHINE_ID = 98,
    GEN_PACKET_ZSTD_PACKETS = 133,
};

enum gen_clock_id {
    GEN_CLOCK_REALTIME = 1,
    GEN_CLOCK_MONOTONIC = 3,
    GEN_CLOCK_MONOTONIC_RAW = 5,
    GEN_CLOCK_BOOTTIME = 6,
};

/* ts_ns < 0 writes no timestamp, sequence 0 no sequence id. */
size_t gen_packet_open(struct buffer *trace, int64_t ts_ns, uint32_t sequence);
void gen_packet_close(struct buffer *trace, size_t mark);

struct gen_clock {
    uint32_t id;
    uint64_t value;
    bool is_incremental;
    uint64_t unit_ns; /* 0 writes nothing */
};

/* primary 0 writes no primary clock. */
void gen_packet_clocks(struct buffer *trace, uint32_t sequence, const struct gen_clock *clocks,
                       size_t count, uint32_t primary);

/* BOOTTIME, MONOTONIC and REALTIME of a device that slept GEN_SUSPENDED_NS. */
#define GEN_SUSPENDED_NS INT64_C(600000000000)
#define GEN_REALTIME_NS  INT64_C(1760000000000000000) /* REALTIME at BOOTTIME 0 */
void gen_packet_device_clocks(struct buffer *trace, int64_t boottime_ns);

struct gen_process {
    int32_t pid, ppid, uid;
    const char *name;                  /* argv[0]; may be NULL */
    const char *const *more_arguments; /* NULL-terminated, or NULL */
    bool is_kthread;
    int64_t start_ns; /* BOOTTIME; 0 writes nothing */
};

struct gen_thread {
    int32_t tid, pid;
    const char *name;
};

void gen_packet_process_tree(struct buffer *trace, int64_t ts_ns, uint32_t sequence,
                             const struct gen_process *processes, size_t process_count,
                             const struct gen_thread *threads, size_t thread_count);

struct gen_log {
    int64_t realtime_ns;
    int32_t pid, tid, uid;
    unsigned priority; /* 2 V … 7 F */
    const char *tag, *message;
};

void gen_packet_log(struct buffer *trace, int64_t ts_ns, const struct gen_log *log);

/* Kernel release decides the letters of scheduling states: "5.10.0" is a new one. */
void gen_packet_system_info(struct buffer *trace, const char *kernel_release);
/* Cores with their capacities (1024 is the largest). */
void gen_packet_cpu_info(struct buffer *trace, const uint32_t *capacities, size_t count);
void gen_packet_battery(struct buffer *trace, int64_t ts_ns, int64_t charge_uah, float percent,
                        int64_t current_ua, int64_t voltage_uv);
void gen_packet_trace_uuid(struct buffer *trace, uint64_t high, uint64_t low);
void gen_packet_trigger(struct buffer *trace, int64_t ts_ns, const char *name, const char *producer,
                        int32_t uid);

/* In-stream descriptors: a FileDescriptorSet made by descriptor.h. */
void gen_packet_extension_descriptor(struct buffer *trace, const struct buffer *descriptor_set);

enum gen_codec { GEN_CODEC_ZLIB, GEN_CODEC_ZSTD };
/* One packet that holds the (whole) packets of `packets`, compressed. */
void gen_packet_compressed(struct buffer *trace, enum gen_codec codec,
                           const struct buffer *packets);

#endif
