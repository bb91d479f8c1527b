/* profile_packet: what the native heap profiler saw (spec engine_2 2.6).
 *
 * Samples tell totals since the start; rows tell what changed since the last dump
 * of the same process, heap and call site. */
#include "engine/import/packet.h"

#include "engine/base/hash.h"
#include "engine/base/memory.h"
#include "engine/base/strpool.h"
#include "engine/import/clock.h"
#include "engine/import/ftrace.h"
#include "engine/import/process.h"
#include "engine/import/profile_stacks.h"
#include "engine/import/stats.h"

#define PACKET_PROFILE 37

struct totals {
    uint64_t allocated, alloc_count, freed, free_count;
};

/* One profiler's stream: a packet sequence. */
struct heap_stream {
    struct profile_tables tables;
    VEC(struct str) dumps; /* until the last packet of the series */
    bool has_index;
    uint64_t last_index;
};

struct heap_profiles {
    VEC(struct heap_stream *) streams;
    struct map by_sequence; /* index in streams */
    struct map known;       /* (upid, heap, callsite) -> index in totals */
    VEC(struct totals) totals;
    struct map windows; /* (upid, end, heap) that have a row */
};

struct dump {
    const struct packet *packet;
    int64_t pid, ts;
    uint32_t upid;
    string_id heap;
    bool is_java, has_original_interval;
};

static struct heap_stream *stream_of(struct heap_profiles *profiles, const struct packet *packet)
{
    uint32_t sequence = packet->sequence ? sequence_id(packet->sequence) : 0;
    bool added;
    uint64_t *at =
        map_put_if_absent(&profiles->by_sequence, sequence, profiles->streams.count, &added);
    if (!added) return profiles->streams.items[*at];
    struct heap_stream *stream = mem_zero(1, sizeof *stream);
    vec_push(&profiles->streams, stream);
    return stream;
}

static struct totals *totals_of(struct heap_profiles *profiles, const struct dump *dump,
                                uint32_t callsite)
{
    uint64_t key = hash_mix(hash_mix(dump->upid, dump->heap), callsite);
    bool added;
    uint64_t *index = map_put_if_absent(&profiles->known, key, profiles->totals.count, &added);
    if (added) vec_push(&profiles->totals, (struct totals){0});
    return &profiles->totals.items[*index];
}

static void write_row(const struct dump *dump, uint32_t callsite, int64_t count, int64_t size)
{
    if (count == 0 && size == 0) return;
    struct heap_profile_allocation_row row = {
        .ts = dump->ts,
        .upid = dump->upid,
        .heap_name = dump->heap,
        .callsite_id = callsite,
        .count = count,
        .size = size,
    };
    heap_profile_allocation_append(&dump->packet->file->import->tables->heap_profile_allocation,
                                   &row);
}

static void parse_sample(struct heap_profiles *profiles, const struct dump *dump,
                         const struct profile_tables *tables, struct str bytes)
{
    struct ftrace_fields f;
    ftrace_read_fields(&f, bytes);
    uint32_t callsite = profile_callsite(dump->packet, tables, NULL_UINT32, field_uint(&f, 1));
    if (callsite == NULL_UINT32) return;
    struct totals now = {field_uint(&f, 2), field_uint(&f, 5), field_uint(&f, 3),
                         field_uint(&f, 6)};
    if (field_has(&f, 8)) { /* the most that was held at any time */
        now = (struct totals){.allocated = field_uint(&f, 8)};
        if (dump->has_original_interval) now.alloc_count = field_uint(&f, 9);
    }
    struct totals *last = totals_of(profiles, dump, callsite);
    struct totals change = {now.allocated - last->allocated, now.alloc_count - last->alloc_count,
                            now.freed - last->freed, now.free_count - last->free_count};
    if ((int64_t)change.allocated < 0 || (int64_t)change.alloc_count < 0 ||
        (int64_t)change.freed < 0 || (int64_t)change.free_count < 0) {
        stats_add_indexed(dump->packet->file, STAT_heapprofd_malformed_packet, dump->pid, 1);
        return;
    }
    write_row(dump, callsite, (int64_t)change.alloc_count, (int64_t)change.allocated);
    if (!dump->is_java)
        write_row(dump, callsite, -(int64_t)change.free_count, -(int64_t)change.freed);
    *last = now;
}

static void note_losses(const struct dump *dump, const struct ftrace_fields *f)
{
    static const struct {
        uint32_t field;
        enum stat stat;
    } losses[] = {{4, STAT_heapprofd_rejected_concurrent},
                  {7, STAT_heapprofd_buffer_overran},
                  {8, STAT_heapprofd_buffer_corrupted},
                  {10, STAT_heapprofd_hit_guardrail}};
    const struct import_file *file = dump->packet->file;
    for (size_t i = 0; i < sizeof losses / sizeof losses[0]; i++)
        if (field_uint(f, losses[i].field)) stats_add_indexed(file, losses[i].stat, dump->pid, 1);
    if (field_uint(f, 14))
        stats_set_indexed(file, STAT_heapprofd_client_error, dump->pid, field_int(f, 14));
}

static void write_window(struct heap_profiles *profiles, const struct dump *dump, int64_t start)
{
    uint64_t key = hash_mix(hash_mix(dump->upid, (uint64_t)dump->ts), dump->heap);
    bool added;
    map_put_if_absent(&profiles->windows, key, 0, &added);
    if (!added) return;
    struct heap_profile_row row = {
        .ts = start,
        .ts_end = dump->ts,
        .dur = dump->ts - start,
        .upid = dump->upid,
        .heap_name = dump->heap,
    };
    heap_profile_append(&dump->packet->file->import->tables->heap_profile, &row);
}

static void parse_dump(struct heap_profiles *profiles, const struct packet *packet,
                       const struct profile_tables *tables, int64_t packet_ts, struct str bytes)
{
    const struct import_file *file = packet->file;
    struct ftrace_fields f;
    ftrace_read_fields(&f, bytes);
    struct dump dump = {.packet = packet, .pid = (int32_t)field_int(&f, 1)};
    dump.upid = process_intern(file, dump.pid);
    dump.heap = strpool_intern(file->import->strings,
                               field_has(&f, 11) ? field_str(&f, 11) : STR("unknown"));
    dump.is_java = str_is(field_str(&f, 11), "com.android.art");
    dump.has_original_interval = field_has(&f, 13);
    note_losses(&dump, &f);
    if (!packet_clock_to_trace_time(packet, CLOCK_ID_MONOTONIC_COARSE, field_int(&f, 9), &dump.ts))
        return;
    stats_set_indexed(file, STAT_heapprofd_last_profile_timestamp, dump.pid, packet_ts);
    int64_t start;
    if (field_has(&f, 15) &&
        packet_clock_to_trace_time(packet, CLOCK_ID_MONOTONIC_COARSE, field_int(&f, 15), &start))
        write_window(profiles, &dump, start);
    else
        write_window(profiles, &dump, dump.ts);
    struct wire w = wire_open(bytes);
    struct wire_field part;
    while (wire_next(&w, &part))
        if (part.number == 2 && part.type == WIRE_BYTES)
            parse_sample(profiles, &dump, tables, part.bytes);
}

static void check_index(struct heap_stream *stream, const struct packet *packet, uint64_t index)
{
    if (stream->has_index && index != stream->last_index + 1)
        stats_add(packet->file, STAT_heapprofd_missing_packet, 1);
    stream->has_index = true;
    stream->last_index = index;
}

static void parse(void *state, int64_t ts, const struct packet *packet, struct str field)
{
    struct heap_profiles *profiles = state;
    struct heap_stream *stream = stream_of(profiles, packet);
    struct profile_tables *tables = &stream->tables;
    bool continued = false;
    struct wire w = wire_open(field);
    struct wire_field f;
    while (wire_next(&w, &f))
        switch (f.number) {
        case 1: profile_tables_add(tables, PROFILE_STRINGS, f.bytes); break;
        case 2: profile_tables_add(tables, PROFILE_FRAMES, f.bytes); break;
        case 3: profile_tables_add(tables, PROFILE_CALLSTACKS, f.bytes); break;
        case 4: profile_tables_add(tables, PROFILE_MAPPINGS, f.bytes); break;
        case 5: vec_push(&stream->dumps, f.bytes); break;
        case 6: continued = f.value != 0; break;
        case 7: check_index(stream, packet, f.value); break;
        default: break;
        }
    if (continued) return;
    profile_tables_enter_all(packet, tables);
    for (size_t i = 0; i < stream->dumps.count; i++)
        parse_dump(profiles, packet, tables, ts, stream->dumps.items[i]);
    vec_clear(&stream->dumps);
    profile_tables_clear(tables);
}

static void *create(struct packet_reader *reader)
{
    (void)reader;
    return mem_zero(1, sizeof(struct heap_profiles));
}

static void finish(void *state)
{
    struct heap_profiles *profiles = state;
    for (size_t i = 0; i < profiles->streams.count; i++) {
        profile_tables_free(&profiles->streams.items[i]->tables);
        vec_free(&profiles->streams.items[i]->dumps);
        mem_free(profiles->streams.items[i]);
    }
    vec_free(&profiles->streams);
    map_free(&profiles->by_sequence);
    vec_free(&profiles->totals);
    map_free(&profiles->known);
    map_free(&profiles->windows);
    mem_free(profiles);
}

static const struct packet_module modules[] = {{PACKET_PROFILE, NULL, parse}};

const struct packet_source heap_profile_source = {
    .name = "heap_profile",
    .create = create,
    .finish = finish,
    .modules = modules,
    .n_modules = 1,
};
