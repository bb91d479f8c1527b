/* stack_sample packets: samples of any profiler, which says what it counts
 * (spec engine_2 2.6; the messages: stack_sample.proto of Perfetto).
 *
 * What a sample says of its thread, processor, stack and counters stands in the
 * sample, is interned, or is a default of the sequence, in that order. */
#include "engine/import/packet.h"

#include "engine/base/hash.h"
#include "engine/base/memory.h"
#include "engine/base/strpool.h"
#include "engine/base/vec.h"
#include "engine/import/ftrace.h"
#include "engine/import/probe_track.h"
#include "engine/import/process.h"
#include "engine/import/profile_stacks.h"
#include "engine/import/stack.h"

enum { PACKET_STACK_SAMPLE = 135, DEFAULTS_STACK_SAMPLE = 100 };
enum interned {
    INTERNED_TASK = 48,
    INTERNED_EXECUTION = 49,
    INTERNED_COUNTER = 50,
    INTERNED_ASYNC = 51,
};
enum sample_field {
    SAMPLE_TASK = 1,
    SAMPLE_TASK_IID = 2,
    SAMPLE_EXECUTION = 3,
    SAMPLE_EXECUTION_IID = 4,
    SAMPLE_STACK = 5,
    SAMPLE_STACK_IID = 6,
    SAMPLE_ERROR = 7,
    SAMPLE_ERROR_IID = 8,
    SAMPLE_PRIMARY = 9,
    SAMPLE_PRIMARY_IID = 10,
    SAMPLE_WEIGHT = 11,
    SAMPLE_FOLLOWER = 12,
    SAMPLE_FOLLOWER_IID = 13,
    SAMPLE_FOLLOWER_WEIGHT = 14,
};
enum { INTERNED_FUNCTION_NAME = 5 };
enum { SCOPE_CPU = 2 };

#define MAX_FRAMES        65536
#define MAX_FOLLOWERS     64
#define MAX_ASYNC_PARENTS 64
#define NO_TRACK          NULL_UINT32

struct stack_samples {
    struct map sessions; /* sequence to row */
    struct map async;    /* hash(generation, id) to row */
};

/* The sample in hand. */
struct sampled {
    struct stack_samples *samples;
    const struct packet *packet;
    struct import *import;
    struct str bytes, defaults;
    struct ftrace_fields f;
    int64_t ts;
    string_id source;
    uint32_t session, cpu;
    bool has_cpu;
};

static struct str text_of(struct str bytes, uint32_t number)
{
    struct wire_field f;
    return wire_find(bytes, number, &f) && f.bytes.p ? f.bytes : (struct str){"", 0};
}

/* The message in the sample, else the interned one. */
static bool find_message(const struct sampled *s, uint32_t own, uint32_t iid,
                         enum interned interned, struct str *message)
{
    if (field_has(&s->f, own)) {
        *message = field_str(&s->f, own);
        return true;
    }
    return field_has(&s->f, iid) && s->packet->generation &&
           packet_interned(s->packet, interned, field_uint(&s->f, iid), message);
}

static uint32_t session_of(struct sampled *s)
{
    uint32_t sequence = s->packet->sequence ? sequence_id(s->packet->sequence) : 0;
    bool added;
    uint64_t *row = map_put_if_absent(&s->samples->sessions, sequence, 0, &added);
    if (added) {
        struct profiler_session_row session = {.source = s->source};
        *row = profiler_session_append(&s->import->tables->profiler_session, &session);
    }
    return (uint32_t)*row;
}

/* ---- what was running ---- */

/* Fibers and the like, each inside its parent. */
static uint32_t enter_async(struct sampled *s, uint64_t iid)
{
    struct profiler_async_context_table *table = &s->import->tables->profiler_async_context;
    uint64_t chain[MAX_ASYNC_PARENTS];
    struct str entries[MAX_ASYNC_PARENTS];
    size_t n = 0;
    uint32_t row = NULL_UINT32;
    while (iid && n < MAX_ASYNC_PARENTS && s->packet->generation) {
        uint64_t key = hash_mix((uint64_t)(uintptr_t)s->packet->generation, iid);
        const uint64_t *known = map_get(&s->samples->async, key);
        struct wire_field parent;
        if (known) {
            row = (uint32_t)*known;
            break;
        }
        for (size_t i = 0; i < n; i++)
            if (chain[i] == key) iid = 0; /* its own ancestor */
        if (!iid || !packet_interned(s->packet, INTERNED_ASYNC, iid, &entries[n])) break;
        chain[n] = key;
        iid = wire_find(entries[n++], 4, &parent) ? parent.value : 0;
    }
    while (n-- > 0) {
        struct str name = text_of(entries[n], 2), kind = text_of(entries[n], 3);
        struct profiler_async_context_row context = {.parent_id = opt_row(row)};
        if (name.n) context.name = strpool_intern(s->import->strings, name);
        if (kind.n) context.kind = strpool_intern(s->import->strings, kind);
        row = profiler_async_context_append(table, &context);
        map_set(&s->samples->async, chain[n], row);
    }
    return row;
}

static void read_task(struct sampled *s, struct stack_sample *sample)
{
    enum { PID = 2, TID = 3, ASYNC = 4 };
    const struct import_file *file = s->packet->file;
    struct str message;
    struct ftrace_fields f;
    if (!find_message(s, SAMPLE_TASK, SAMPLE_TASK_IID, INTERNED_TASK, &message)) return;
    ftrace_read_fields(&f, message);
    int64_t pid = (int32_t)field_uint(&f, PID), tid = (int32_t)field_uint(&f, TID);
    if (field_has(&f, PID)) sample->upid = process_intern(file, pid);
    if (field_has(&f, TID))
        sample->utid =
            field_has(&f, PID) ? thread_intern_in(file, tid, pid) : thread_intern(file, tid);
    if (field_has(&f, ASYNC))
        sample->async_context = opt_row(enter_async(s, field_uint(&f, ASYNC)));
}

static void read_execution(struct sampled *s, struct stack_sample *sample)
{
    static const char *const modes[] = {NULL,         "user",       "kernel",
                                        "hypervisor", "guest_user", "guest_kernel"};
    struct str message;
    struct ftrace_fields f;
    if (!find_message(s, SAMPLE_EXECUTION, SAMPLE_EXECUTION_IID, INTERNED_EXECUTION, &message))
        return;
    ftrace_read_fields(&f, message);
    uint64_t mode = field_uint(&f, 3);
    if (field_has(&f, 2) && field_uint(&f, 2) < FTRACE_MAX_CPUS) {
        s->cpu = (uint32_t)field_uint(&f, 2);
        s->has_cpu = true;
        sample->ucpu = cpu_intern(s->packet->file, s->cpu);
    }
    if (mode > 0 && mode < sizeof modes / sizeof *modes)
        sample->cpu_mode = strpool_intern_text(s->import->strings, modes[mode]);
}

static uint32_t read_stack(struct sampled *s, uint32_t upid)
{
    struct import *import = s->import;
    if (field_has(&s->f, SAMPLE_STACK_IID))
        return profile_callsite(s->packet, NULL, upid, field_uint(&s->f, SAMPLE_STACK_IID));
    if (!field_has(&s->f, SAMPLE_STACK)) return NULL_UINT32;
    struct stack_mapping dummy = {.build_id = strpool_intern_text(import->strings, ""),
                                  .name =
                                      strpool_intern_text(import->strings, "stack_sample_inline")};
    uint32_t mapping = stack_mapping_intern(import->stacks, &dummy), callsite = NULL_UINT32, n = 0;
    struct wire w = wire_open(field_str(&s->f, SAMPLE_STACK));
    struct wire_field frame, line;
    while (wire_next(&w, &frame) && n < MAX_FRAMES) {
        if (frame.number != 1 || frame.type != WIRE_BYTES) continue;
        struct str file = text_of(frame.bytes, 2);
        if (!wire_find(frame.bytes, 3, &line)) line.value = 0;
        uint32_t row = stack_frame_intern_source(
            import->stacks, strpool_intern(import->strings, text_of(frame.bytes, 1)), mapping,
            file.n ? strpool_intern(import->strings, file) : STRING_NULL, (uint32_t)line.value);
        callsite = stack_callsite_intern(import->stacks, callsite, row, 0);
        n++;
    }
    return callsite;
}

/* ---- counters ---- */

static string_id unit_of(struct strpool *strings, const struct ftrace_fields *f)
{
    static const char *const units[] = {
        NULL,          "ns",           "cycles",           "instructions",  "bytes",
        "page-faults", "cache-misses", "cache-references", "branch-misses", "count"};
    uint64_t unit = field_uint(f, 3);
    if (unit > 0)
        return strpool_intern_text(strings, unit < sizeof units / sizeof *units ? units[unit] : "");
    return field_str(f, 4).n ? strpool_intern(strings, field_str(f, 4)) : STRING_NULL;
}

static void note_timebase(struct sampled *s, string_id unit)
{
    struct profiler_session_table *sessions = &s->import->tables->profiler_session;
    if (unit != STRING_NULL &&
        column_get_string(&sessions->timebase_unit, s->session) == STRING_NULL)
        table_set_string(&sessions->table, profiler_session_COLUMN_timebase_unit, s->session, unit);
}

/* NO_TRACK for a counter of a processor in a sample that does not say which. */
static uint32_t counter_track(struct sampled *s, struct str descriptor, bool is_timebase)
{
    enum { NAME = 2, MULTIPLIER = 5, DESCRIPTION = 6, SCOPE = 7 };
    struct strpool *strings = s->import->strings;
    struct ftrace_fields f;
    ftrace_read_fields(&f, descriptor);
    bool of_cpu = field_uint(&f, SCOPE) == SCOPE_CPU;
    string_id name = strpool_intern(strings, field_str(&f, NAME)), unit = unit_of(strings, &f);
    if (is_timebase) note_timebase(s, unit);
    if (of_cpu && !s->has_cpu) return NO_TRACK;
    struct track_key key = probe_key(
        s->packet->file, of_cpu ? "stack_sample_cpu_counter" : "stack_sample_session_counter",
        TRACK_COUNTER);
    if (of_cpu) probe_dimension_int(&key, "cpu", s->cpu);
    probe_dimension_int(&key, "session_id", s->session);
    key.dimensions[key.n_dimensions++] = dimension_string("source", s->source);
    key.dimensions[key.n_dimensions++] = dimension_string("counter_name", name);
    struct arg_list args = {0};
    arg_list_put_bool(&args, strpool_intern_text(strings, "is_timebase"), is_timebase);
    if (field_has(&f, MULTIPLIER))
        arg_list_put_int(&args, strpool_intern_text(strings, "unit_multiplier"),
                         field_int(&f, MULTIPLIER));
    if (field_str(&f, DESCRIPTION).n)
        arg_list_put_string(&args, strpool_intern_text(strings, "description"),
                            strpool_intern(strings, field_str(&f, DESCRIPTION)));
    struct track_info info = {.name = name, .unit = unit, .source_args = &args};
    uint32_t track = track_intern(s->import->tracks, &key, &info);
    vec_free(&args);
    return track;
}

static void push_weight(struct sampled *s, uint32_t track, uint64_t weight, uint32_t *set)
{
    struct tables *tables = s->import->tables;
    if (track == NO_TRACK) return;
    if (*set == NULL_UINT32) *set = table_rows(&tables->profiler_counter_set.table);
    struct profiler_counter_set_row row = {
        .counter_set_id = *set,
        .counter_id = counter_push(s->packet->file, s->ts, track, (double)weight, NULL)};
    profiler_counter_set_append(&tables->profiler_counter_set, &row);
}

/* Calls for each number of a repeated field, packed or not. */
static size_t read_numbers(struct str bytes, uint32_t number, uint64_t *out, size_t most)
{
    struct wire w = wire_open(bytes);
    struct wire_field f;
    size_t n = 0;
    while (wire_next(&w, &f)) {
        if (f.number != number) continue;
        struct wire packed = wire_open(f.type == WIRE_BYTES ? f.bytes : STR_NONE);
        bool single = f.type != WIRE_BYTES;
        uint64_t value = f.value;
        for (; n < most && (single || wire_varint(&packed, &value)); single = false)
            out[n++] = value;
    }
    return n;
}

/* Tracks of the followers: of the sample, or interned, or of the defaults. */
static size_t follower_tracks(struct sampled *s, uint32_t tracks[MAX_FOLLOWERS])
{
    uint64_t iids[MAX_FOLLOWERS];
    struct str entry;
    size_t n = 0;
    for (int from_defaults = 0; from_defaults < 2 && n == 0; from_defaults++) {
        struct wire w = wire_open(from_defaults ? s->defaults : s->bytes);
        struct wire_field f;
        while (n < MAX_FOLLOWERS && wire_next(&w, &f))
            if (f.number == (from_defaults ? 3 : SAMPLE_FOLLOWER) && f.type == WIRE_BYTES)
                tracks[n++] = counter_track(s, f.bytes, false);
        if (n || from_defaults) break;
        size_t n_iids = read_numbers(s->bytes, SAMPLE_FOLLOWER_IID, iids, MAX_FOLLOWERS);
        for (; n < n_iids; n++)
            tracks[n] = s->packet->generation &&
                                packet_interned(s->packet, INTERNED_COUNTER, iids[n], &entry)
                            ? counter_track(s, entry, false)
                            : NO_TRACK;
    }
    return n;
}

/* The set of the sample's counters; NULL_UINT32 when it has none. */
static uint32_t push_counters(struct sampled *s)
{
    struct str descriptor;
    struct wire_field f;
    uint32_t set = NULL_UINT32, track = NO_TRACK, followers[MAX_FOLLOWERS];
    uint64_t weights[MAX_FOLLOWERS];
    if (find_message(s, SAMPLE_PRIMARY, SAMPLE_PRIMARY_IID, INTERNED_COUNTER, &descriptor))
        track = counter_track(s, descriptor, true);
    else if (!field_has(&s->f, SAMPLE_PRIMARY_IID) && wire_find(s->defaults, 2, &f))
        track = counter_track(s, f.bytes, true);
    if (field_has(&s->f, SAMPLE_WEIGHT))
        push_weight(s, track, field_uint(&s->f, SAMPLE_WEIGHT), &set);
    size_t n = follower_tracks(s, followers);
    size_t n_weights = read_numbers(s->bytes, SAMPLE_FOLLOWER_WEIGHT, weights, n);
    for (size_t i = 0; i < n_weights; i++)
        push_weight(s, followers[i], weights[i], &set);
    return set;
}

/* ---- packets ---- */

static void parse(void *state, int64_t ts, const struct packet *packet, struct str field)
{
    struct sampled s = {.samples = state,
                        .packet = packet,
                        .import = packet->file->import,
                        .bytes = field,
                        .ts = ts};
    struct strpool *strings = s.import->strings;
    ftrace_read_fields(&s.f, field);
    s.defaults = packet->generation ? packet_default(packet, DEFAULTS_STACK_SAMPLE) : STR_NONE;
    struct str source = text_of(s.defaults, 1);
    s.source = strpool_intern(strings, source);
    s.session = session_of(&s);
    struct stack_sample sample = {.ts = ts,
                                  .source = strpool_text(strings, s.source),
                                  .utid = NULL_UINT32,
                                  .upid = NULL_UINT32,
                                  .ucpu = NULL_UINT32,
                                  .session = s.session};
    read_task(&s, &sample);
    read_execution(&s, &sample);
    sample.callsite = read_stack(&s, sample.upid);
    if (field_has(&s.f, SAMPLE_ERROR))
        sample.unwind_error = strpool_intern(strings, field_str(&s.f, SAMPLE_ERROR));
    else if (field_has(&s.f, SAMPLE_ERROR_IID) && packet->generation)
        sample.unwind_error = packet_interned_string(packet, INTERNED_FUNCTION_NAME,
                                                     field_uint(&s.f, SAMPLE_ERROR_IID));
    sample.counter_set = push_counters(&s);
    stack_sample_push(s.import->stacks, &sample);
}

static void *create(struct packet_reader *reader)
{
    (void)reader;
    return mem_zero(1, sizeof(struct stack_samples));
}

static void finish(void *state)
{
    struct stack_samples *samples = state;
    map_free(&samples->sessions);
    map_free(&samples->async);
    mem_free(samples);
}

static const struct packet_module modules[] = {{PACKET_STACK_SAMPLE, NULL, parse}};

const struct packet_source stack_samples_source = {
    .name = "stack_samples",
    .create = create,
    .finish = finish,
    .modules = modules,
    .n_modules = 1,
};
