/* perf_sample packets: what the kernel's profiler saw (spec engine_2 2.6). */
#include "engine/import/packet.h"

#include "engine/base/memory.h"
#include "engine/base/strpool.h"
#include "engine/import/ftrace.h"
#include "engine/import/probe_track.h"
#include "engine/import/process.h"
#include "engine/import/profile_stacks.h"
#include "engine/import/stack.h"
#include "engine/import/stats.h"

enum { PACKET_PERF_SAMPLE = 66, DEFAULTS_PERF_SAMPLE = 12 };
enum sample_field {
    SAMPLE_CPU = 1,
    SAMPLE_PID = 2,
    SAMPLE_TID = 3,
    SAMPLE_CALLSTACK = 4,
    SAMPLE_MODE = 5,
    SAMPLE_COUNT = 6,
    SAMPLE_FOLLOWERS = 7,
    SAMPLE_UNWIND_ERROR = 16,
    SAMPLE_LOST = 17,
    SAMPLE_SKIPPED = 18,
    SAMPLE_EVENT = 19,
};

#define MAX_FOLLOWERS 32

/* One producer's stream: a packet sequence. */
struct perf_stream {
    uint32_t session;
    string_id timebase;
    string_id followers[MAX_FOLLOWERS];
    uint32_t n_followers;
};

struct perf_samples {
    VEC(struct perf_stream) streams;
    struct map by_sequence; /* index in streams */
};

static const char *event_name(uint64_t counter)
{
    static const char *const names[] = {NULL,
                                        "cpu-clock",
                                        "page-faults",
                                        "task-clock",
                                        "context-switches",
                                        "cpu-migrations",
                                        "page-faults-min",
                                        "page-faults-maj",
                                        "alignment-faults",
                                        "emulation-faults",
                                        "cpu-cycles",
                                        "instructions",
                                        "cache-references",
                                        "cache-misses",
                                        "branch-instructions",
                                        "branch-misses",
                                        "bus-cycles",
                                        "stalled-cycles-frontend",
                                        "stalled-cycles-backend",
                                        "ref-cpu-cycles",
                                        "dummy"};
    return counter < sizeof names / sizeof names[0] ? names[counter] : NULL;
}

/* What is counted: named, or a tracepoint, or a counter by number. */
static string_id name_of(const struct packet *packet, struct str bytes, uint32_t name_field,
                         uint32_t counter_field, uint32_t tracepoint_field)
{
    struct strpool *strings = packet->file->import->strings;
    struct ftrace_fields f;
    struct wire_field name;
    ftrace_read_fields(&f, bytes);
    if (field_has(&f, name_field)) return strpool_intern(strings, field_str(&f, name_field));
    if (field_has(&f, tracepoint_field) && wire_find(field_str(&f, tracepoint_field), 1, &name))
        return strpool_intern(strings, name.bytes);
    const char *known = event_name(field_uint(&f, counter_field));
    return strpool_intern_text(strings, known ? known : "cpu-clock");
}

static struct perf_stream *stream_of(struct perf_samples *samples, const struct packet *packet)
{
    uint32_t sequence = packet->sequence ? sequence_id(packet->sequence) : 0;
    bool added;
    uint64_t *at =
        map_put_if_absent(&samples->by_sequence, sequence, samples->streams.count, &added);
    if (!added) return &samples->streams.items[*at];
    struct import *import = packet->file->import;
    struct perf_stream stream = {0};
    stream.timebase = strpool_intern_text(import->strings, "cpu-clock");
    struct str defaults =
        packet->generation ? packet_default(packet, DEFAULTS_PERF_SAMPLE) : STR_NONE;
    struct wire w = wire_open(defaults);
    struct wire_field f;
    while (wire_next(&w, &f)) {
        if (f.number == 1) stream.timebase = name_of(packet, f.bytes, 10, 4, 3);
        if (f.number == 4 && stream.n_followers < MAX_FOLLOWERS)
            stream.followers[stream.n_followers++] = name_of(packet, f.bytes, 4, 1, 2);
    }
    struct profiler_session_row row = {.source = strpool_intern_text(import->strings, "linux.perf"),
                                       .timebase_unit = stream.timebase};
    stream.session = profiler_session_append(&import->tables->profiler_session, &row);
    vec_push(&samples->streams, stream);
    return vec_last(&samples->streams);
}

static uint32_t counter_track(const struct packet *packet, const struct perf_stream *stream,
                              uint32_t cpu, string_id name, bool is_timebase)
{
    struct import *import = packet->file->import;
    struct track_key key = probe_key(packet->file, "perf_cpu_counter", TRACK_COUNTER);
    probe_dimension_int(&key, "cpu", cpu);
    probe_dimension_int(&key, "perf_session_id", stream->session);
    key.dimensions[key.n_dimensions++] = dimension_string("name", name);
    struct arg_list args = {0};
    arg_list_put_bool(&args, strpool_intern_text(import->strings, "is_timebase"), is_timebase);
    struct track_info info = {.name = name, .source_args = &args};
    uint32_t track = track_intern(import->tracks, &key, &info);
    vec_free(&args);
    return track;
}

struct counter_set {
    struct tables *tables;
    uint32_t id; /* NULL_UINT32 while it is empty */
};

static void add_counter(struct counter_set *set, uint32_t counter)
{
    if (set->id == NULL_UINT32) set->id = table_rows(&set->tables->profiler_counter_set.table);
    struct profiler_counter_set_row row = {.counter_set_id = set->id, .counter_id = counter};
    profiler_counter_set_append(&set->tables->profiler_counter_set, &row);
}

static uint32_t push_counters(const struct packet *packet, const struct perf_stream *stream,
                              int64_t ts, struct str bytes, const struct ftrace_fields *f)
{
    struct counter_set set = {packet->file->import->tables, NULL_UINT32};
    uint32_t cpu = (uint32_t)field_uint(f, SAMPLE_CPU), follower = 0;
    uint32_t track = counter_track(packet, stream, cpu, stream->timebase, true);
    if (field_has(f, SAMPLE_COUNT))
        add_counter(
            &set, counter_push(packet->file, ts, track, (double)field_uint(f, SAMPLE_COUNT), NULL));
    struct wire w = wire_open(bytes);
    struct wire_field part;
    while (wire_next(&w, &part)) {
        if (part.number != SAMPLE_FOLLOWERS) continue;
        struct wire packed = part.type == WIRE_BYTES ? wire_open(part.bytes) : wire_open(STR_NONE);
        bool single = part.type != WIRE_BYTES;
        uint64_t count = part.value;
        for (; single || wire_varint(&packed, &count); single = false) {
            if (follower == stream->n_followers) return set.id;
            track = counter_track(packet, stream, cpu, stream->followers[follower++], false);
            add_counter(&set, counter_push(packet->file, ts, track, (double)count, NULL));
        }
    }
    return set.id;
}

static string_id name_in(struct import *import, uint64_t value, const char *const names[], size_t n)
{
    return value < n && names[value] ? strpool_intern_text(import->strings, names[value])
                                     : STRING_NULL;
}

static void parse_sample(struct perf_samples *samples, int64_t ts, const struct packet *packet,
                         struct str bytes, const struct ftrace_fields *f)
{
    static const char *const modes[] = {NULL,         "kernel",       "user",
                                        "hypervisor", "guest_kernel", "guest_user"};
    static const char *const errors[] = {
        "unknown",     "none",        "memory_invalid",      "unwind_info",
        "unsupported", "invalid_map", "max_frames_exceeded", "repeated_frame",
        "invalid_elf", "system_call", "thread_timeout",      "thread_does_not_exist",
        "bad_arch",    "maps_parse",  "invalid_parameter",   "ptrace_call"};
    const struct import_file *file = packet->file;
    struct import *import = file->import;
    const struct perf_stream *stream = stream_of(samples, packet);
    struct stack_sample sample = {
        .ts = ts,
        .source = "linux.perf",
        .ucpu = cpu_intern(file, (uint32_t)field_uint(f, SAMPLE_CPU)),
        .cpu_mode =
            name_in(import, field_uint(f, SAMPLE_MODE), modes, sizeof modes / sizeof *modes),
        .callsite = NULL_UINT32,
        .session = stream->session,
    };
    sample.utid = thread_intern_in(file, (int32_t)field_int(f, SAMPLE_TID),
                                   (int32_t)field_int(f, SAMPLE_PID));
    sample.upid = thread_process(file, sample.utid);
    if (field_has(f, SAMPLE_UNWIND_ERROR))
        sample.unwind_error = name_in(import, field_uint(f, SAMPLE_UNWIND_ERROR), errors,
                                      sizeof errors / sizeof *errors);
    if (field_has(f, SAMPLE_CALLSTACK))
        sample.callsite =
            profile_callsite(packet, NULL, sample.upid, field_uint(f, SAMPLE_CALLSTACK));
    sample.counter_set = push_counters(packet, stream, ts, bytes, f);
    stack_sample_push(import->stacks, &sample);
}

static void parse(void *state, int64_t ts, const struct packet *packet, struct str field)
{
    struct ftrace_fields f;
    ftrace_read_fields(&f, field);
    const struct import_file *file = packet->file;
    uint32_t cpu = (uint32_t)field_uint(&f, SAMPLE_CPU);
    struct wire_field reason;
    if (cpu >= FTRACE_MAX_CPUS) return;
    if (field_has(&f, SAMPLE_LOST)) {
        stats_add_indexed(file, STAT_perf_cpu_lost_records, cpu, field_int(&f, SAMPLE_LOST));
        return;
    }
    if (field_has(&f, SAMPLE_EVENT)) {
        if (wire_find(field_str(&f, SAMPLE_EVENT), 1, &reason) && reason.value == 1)
            stats_set_indexed(file, STAT_perf_guardrail_stop_ts,
                              packet->sequence ? sequence_id(packet->sequence) : 0, ts);
        return;
    }
    if (field_has(&f, SAMPLE_SKIPPED)) {
        stats_add(file, STAT_perf_samples_skipped, 1);
        if (field_uint(&f, SAMPLE_SKIPPED) == 3) /* the queue to the unwinder was full */
            stats_add(file, STAT_perf_samples_skipped_dataloss, 1);
    }
    parse_sample(state, ts, packet, field, &f);
}

static void *create(struct packet_reader *reader)
{
    (void)reader;
    return mem_zero(1, sizeof(struct perf_samples));
}

static void finish(void *state)
{
    struct perf_samples *samples = state;
    vec_free(&samples->streams);
    map_free(&samples->by_sequence);
    mem_free(samples);
}

static const struct packet_module modules[] = {{PACKET_PERF_SAMPLE, NULL, parse}};

const struct packet_source perf_sample_source = {
    .name = "perf_sample",
    .create = create,
    .finish = finish,
    .modules = modules,
    .n_modules = 1,
};
