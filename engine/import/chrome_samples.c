/* streaming_profile_packet packets: stacks of Chrome's sampling profiler, a few to a
 * packet (spec engine_2 2.6).
 *
 * Times add up along the sequence, from the reference of its ThreadDescriptor, which
 * also says whose stacks they are.  So they are known while tokenising, and no later. */
#include "engine/import/packet.h"

#include "engine/base/strpool.h"
#include "engine/import/clock.h"
#include "engine/import/process.h"
#include "engine/import/profile_stacks.h"
#include "engine/import/sorter.h"
#include "engine/import/stack.h"
#include "engine/import/stats.h"
#include "engine/import/track_event.h"

enum { PACKET_STREAMING_PROFILE = 54 };
enum { CALLSTACK = 1, DELTA_US = 2, PRIORITY = 3 };

struct chrome_samples {
    uint32_t sink;
};

/* In the sorter: one stack. */
struct chrome_sample {
    struct packet packet; /* its generation is held */
    uint64_t callstack;
    int64_t pid, tid;
    int32_t priority;
    bool has_thread;
};

static void parse_sample(void *owner, int64_t ts, const void *payload)
{
    const struct chrome_sample *pending = payload;
    const struct import_file *file = pending->packet.file;
    struct import *import = file->import;
    (void)owner;
    struct stack_sample sample = {.ts = ts,
                                  .source = "chrome",
                                  .utid = NULL_UINT32,
                                  .upid = NULL_UINT32,
                                  .ucpu = NULL_UINT32,
                                  .session = NULL_UINT32,
                                  .counter_set = NULL_UINT32};
    if (pending->has_thread) {
        sample.utid = thread_intern_in(file, pending->tid, pending->pid);
        sample.upid = thread_process(file, sample.utid);
    }
    sample.callsite = profile_callsite(&pending->packet, NULL, sample.upid, pending->callstack);
    if (sample.callsite != NULL_UINT32) {
        uint32_t row = stack_sample_push(import->stacks, &sample);
        if (pending->priority) {
            struct chrome_stack_sample_extras_row extras = {.profiler_sample_id = row,
                                                            .process_priority = pending->priority};
            chrome_stack_sample_extras_append(&import->tables->chrome_stack_sample_extras, &extras);
        }
    }
    packet_release(pending->packet.generation);
}

struct number_list VEC_OF(uint64_t);

static void read_numbers(struct str bytes, uint32_t number, struct number_list *out)
{
    struct wire w = wire_open(bytes);
    struct wire_field f;
    while (wire_next(&w, &f)) {
        if (f.number != number) continue;
        struct wire packed = wire_open(f.type == WIRE_BYTES ? f.bytes : STR_NONE);
        bool single = f.type != WIRE_BYTES;
        uint64_t value = f.value;
        for (; single || wire_varint(&packed, &value); single = false)
            vec_push(out, value);
    }
}

static bool tokenize(void *state, const struct packet *packet, struct str field)
{
    struct chrome_samples *samples = state;
    struct import *import = packet->file->import;
    struct track_event_sequence *sequence =
        packet->sequence ? *sequence_slot(packet->sequence, SEQUENCE_TRACK_EVENT) : NULL;
    bool has_time = sequence && sequence->times_valid;
    struct chrome_sample sample = {.packet = *packet};
    struct number_list stacks = {0}, deltas = {0};
    struct wire_field priority;
    int64_t base;
    if (!packet->generation) return true;
    /* While the clock is not known, the packet comes again later. */
    if (has_time &&
        !packet_clock_to_trace_time(packet, CLOCK_ID_MONOTONIC, sequence->time_ns, &base))
        return true;
    read_numbers(field, CALLSTACK, &stacks);
    read_numbers(field, DELTA_US, &deltas);
    if (wire_find(field, PRIORITY, &priority)) sample.priority = (int32_t)priority.value;
    if (sequence && sequence->thread && sequence->thread->is_known) {
        sample.has_thread = true;
        sample.pid = sequence->thread->pid;
        sample.tid = sequence->thread->tid;
    }
    if (deltas.count < stacks.count) stats_add(packet->file, STAT_stackprofile_parser_error, 1);
    int64_t time = has_time ? sequence->time_ns : packet->ts;
    for (size_t i = 0; i < deltas.count; i++) {
        int64_t ts;
        time = (int64_t)((uint64_t)time + deltas.items[i] * 1000);
        if (i >= stacks.count) continue;
        if (!has_time || !packet_clock_to_trace_time(packet, CLOCK_ID_MONOTONIC, time, &ts))
            ts = time;
        sample.callstack = stacks.items[i];
        packet_hold(sample.packet.generation);
        struct chrome_sample *pending =
            sorter_push(import->sorter, packet_reader_queue(packet->reader), samples->sink, ts,
                        sizeof *pending);
        *pending = sample;
    }
    if (has_time) sequence->time_ns = time;
    vec_free(&stacks);
    vec_free(&deltas);
    return true;
}

static void *create(struct packet_reader *reader)
{
    struct chrome_samples *samples = mem_zero(1, sizeof *samples);
    samples->sink =
        sorter_add_sink(packet_reader_file(reader)->import->sorter, parse_sample, samples);
    return samples;
}

static void finish(void *state)
{
    mem_free(state);
}

static const struct packet_module modules[] = {{PACKET_STREAMING_PROFILE, tokenize, NULL}};

const struct packet_source chrome_samples_source = {
    .name = "chrome_samples",
    .create = create,
    .finish = finish,
    .modules = modules,
    .n_modules = 1,
};
