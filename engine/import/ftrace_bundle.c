/* Cuts FtraceEventBundles into events, converts their times and pushes them, in
 * the order of the file (spec engine_2 2.3). */
#include "engine/import/ftrace.h"

#include "engine/base/memory.h"
#include "engine/import/clock.h"
#include "engine/import/ftrace_generic.h"
#include "engine/import/sorter.h"
#include "engine/import/stats.h"

enum bundle_field {
    BUNDLE_CPU = 1,
    BUNDLE_EVENT = 2,
    BUNDLE_LOST = 3,
    BUNDLE_COMPACT = 4,
    BUNDLE_CLOCK = 5,
    BUNDLE_FTRACE_TIME = 6,
    BUNDLE_BOOT_TIME = 7,
    BUNDLE_LAST_READ = 9,
    BUNDLE_PREVIOUS_END = 10,
    BUNDLE_DESCRIPTOR = 11,
};

enum ftrace_clock {
    CLOCK_BOOT = 0,
    CLOCK_UNKNOWN = 1,
    CLOCK_GLOBAL = 2,
    CLOCK_LOCAL = 3,
    CLOCK_RAW = 4
};

/* The kernel's own clock, tied to boot time by the bundle's two times. */
#define SEQUENCE_CLOCK 64

struct bundle {
    uint32_t cpu, clock_kind;
    bool has_cpu, lost, has_snapshot, has_start, has_times;
    int64_t ftrace_time, boot_time, start;
    struct str compact;
};

static struct ftrace_cpu *new_cpu(struct ftrace *ftrace, uint32_t number)
{
    struct sorter *sorter = ftrace->import->sorter;
    /* Queues of lower CPUs come first, seen or not. */
    for (; ftrace->n_queues <= number; ftrace->n_queues++) {
        struct ftrace_cpu *cpu = mem_zero(1, sizeof *cpu);
        cpu->ftrace = ftrace;
        cpu->cpu = ftrace->n_queues;
        cpu->queue = sorter_add_queue(sorter);
        cpu->ucpu = NULL_UINT32;
        cpu->running_utid = NULL_UINT32;
        ftrace->cpus[ftrace->n_queues] = cpu;
    }
    struct ftrace_cpu *cpu = ftrace->cpus[number];
    cpu->sink_event = sorter_add_sink(sorter, ftrace_sink_event, cpu);
    cpu->sink_switch = sorter_add_sink(sorter, ftrace_sink_compact_switch, cpu);
    cpu->sink_waking = sorter_add_sink(sorter, ftrace_sink_compact_waking, cpu);
    cpu->has_sinks = true;
    return cpu;
}

struct ftrace_cpu *ftrace_cpu_get(struct ftrace *ftrace, uint32_t number)
{
    struct ftrace_cpu *cpu = ftrace->cpus[number];
    return cpu && cpu->has_sinks ? cpu : new_cpu(ftrace, number);
}

static void read_bundle(struct str bytes, struct bundle *bundle)
{
    struct wire w = wire_open(bytes);
    struct wire_field f;
    *bundle = (struct bundle){0};
    while (wire_next(&w, &f))
        switch (f.number) {
        case BUNDLE_CPU:
            bundle->cpu = f.value < FTRACE_MAX_CPUS ? (uint32_t)f.value : FTRACE_MAX_CPUS;
            bundle->has_cpu = true;
            break;
        case BUNDLE_LOST: bundle->lost = f.value != 0; break;
        case BUNDLE_EVENT: bundle->has_times = true; break;
        case BUNDLE_COMPACT:
            bundle->compact = f.bytes;
            bundle->has_times = true;
            break;
        case BUNDLE_CLOCK: bundle->clock_kind = (uint32_t)f.value; break;
        case BUNDLE_FTRACE_TIME:
            bundle->ftrace_time = (int64_t)f.value;
            bundle->has_snapshot = true;
            break;
        case BUNDLE_BOOT_TIME: bundle->boot_time = (int64_t)f.value; break;
        case BUNDLE_LAST_READ:
            if (!bundle->has_start) bundle->start = (int64_t)f.value;
            bundle->has_start = true;
            break;
        case BUNDLE_PREVIOUS_END:
            bundle->start = (int64_t)f.value;
            bundle->has_start = true;
            break;
        default: break;
        }
}

/* The clock that the bundle's times are in; 0 when they cannot be placed. */
static uint32_t bundle_clock(const struct packet *packet, const struct bundle *bundle)
{
    switch (bundle->clock_kind) {
    case CLOCK_BOOT: return CLOCK_ID_BOOTTIME;
    case CLOCK_RAW: return CLOCK_ID_MONOTONIC_RAW;
    case CLOCK_GLOBAL:
    case CLOCK_LOCAL: break;
    default: return 0;
    }
    if (!packet->sequence) return 0;
    if (bundle->has_snapshot) {
        struct clock_reading readings[] = {
            {SEQUENCE_CLOCK, sequence_id(packet->sequence), bundle->ftrace_time, 1, false},
            {CLOCK_ID_BOOTTIME, 0, bundle->boot_time, 1, false},
        };
        clock_add_snapshot(packet->file, readings, 2, 0);
    }
    return SEQUENCE_CLOCK;
}

/* The latest of the CPUs' first valid times is where all buffers are complete. */
static void note_start(struct ftrace *ftrace, const struct packet *packet, uint32_t clock,
                       const struct bundle *bundle)
{
    int64_t ts;
    if (!bundle->has_start || !packet_clock_to_trace_time(packet, clock, bundle->start, &ts) ||
        ts <= ftrace->latest_start)
        return;
    ftrace->latest_start = ts;
    metadata_set_int(ftrace->import, ftrace->file, "ftrace_latest_data_start_ns", ts);
}

/* Keeps what interned kernel symbols need; packets of one generation share it. */
static uint32_t hold_context(struct ftrace *ftrace, const struct packet *packet)
{
    if (ftrace->contexts.count) {
        const struct packet *last = vec_last(&ftrace->contexts);
        if (last->generation == packet->generation && last->sequence == packet->sequence)
            return (uint32_t)ftrace->contexts.count - 1;
    }
    struct packet context = *packet;
    context.bytes = STR_NONE;
    if (context.generation) context.generation = packet_hold(context.generation);
    vec_push(&ftrace->contexts, context);
    return (uint32_t)ftrace->contexts.count - 1;
}

static void push_event(struct ftrace_compact *compact, uint32_t context, struct str event)
{
    struct ftrace_cpu *cpu = compact->cpu;
    struct ftrace *ftrace = cpu->ftrace;
    struct wire_field f;
    int64_t ts;
    if (event.n > UINT32_MAX || !wire_find(event, 1, &f) || f.type != WIRE_VARINT) {
        stats_add(ftrace->file, STAT_ftrace_bundle_tokenizer_errors, 1);
        return;
    }
    if (!packet_clock_to_trace_time(compact->packet, compact->clock, (int64_t)f.value, &ts)) return;
    ftrace_compact_push_until(compact, ts);
    struct ftrace_payload *payload =
        sorter_push(ftrace->import->sorter, cpu->queue, cpu->sink_event, ts, sizeof *payload);
    *payload = (struct ftrace_payload){event.p, (uint32_t)event.n, context};
}

bool ftrace_tokenize_bundle(struct ftrace *ftrace, const struct packet *packet, struct str bytes)
{
    struct bundle bundle;
    read_bundle(bytes, &bundle);
    if (!bundle.has_cpu || bundle.cpu >= FTRACE_MAX_CPUS) {
        stats_add(ftrace->file, STAT_ftrace_bundle_tokenizer_errors, 1);
        return true;
    }
    uint32_t clock = bundle_clock(packet, &bundle);
    if (!clock) {
        stats_add(ftrace->file, STAT_ftrace_bundle_tokenizer_errors, 1);
        return true;
    }
    /* While the clock is not known the reader brings the packet again. */
    int64_t ts;
    if ((bundle.has_times || bundle.has_start) &&
        !packet_clock_to_trace_time(packet, clock, bundle.boot_time, &ts))
        return true;
    struct ftrace_cpu *cpu = ftrace_cpu_get(ftrace, bundle.cpu);
    if (bundle.lost) stats_add_indexed(ftrace->file, STAT_ftrace_cpu_has_data_loss, bundle.cpu, 1);
    if (!cpu->seen_bundle) note_start(ftrace, packet, clock, &bundle);
    cpu->seen_bundle = true;
    struct ftrace_compact compact;
    ftrace_compact_open(&compact, cpu, packet, clock, bundle.compact);
    uint32_t context = hold_context(ftrace, packet);
    struct wire w = wire_open(bytes);
    struct wire_field f;
    while (wire_next(&w, &f)) {
        if (f.number == BUNDLE_EVENT && f.type == WIRE_BYTES)
            push_event(&compact, context, f.bytes);
        else if (f.number == BUNDLE_DESCRIPTOR)
            ftrace_generic_describe(ftrace, f.bytes);
    }
    ftrace_compact_close(&compact);
    if (w.bad) stats_add(ftrace->file, STAT_ftrace_bundle_tokenizer_errors, 1);
    return true;
}
