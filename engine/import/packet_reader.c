#include "engine/import/packet_reader.h"

#include "engine/base/checked.h"
#include "engine/import/args.h"
#include "engine/import/clock.h"
#include "engine/import/process.h"
#include "engine/import/sorter.h"
#include "engine/import/stats.h"
#include "engine/proto/descriptor_pool.h"
#include "engine/proto/wire.h"

#define NEEDS_INCREMENTAL_STATE 2

/* A packet in the sorter. */
struct queued_packet {
    const char *bytes;
    uint32_t n_bytes, field_at, n_field;
    uint16_t source, module;
    struct generation *generation; /* held */
    struct sequence *sequence;
    bool has_ts;
};

/* ---- modules by field ---- */

void packet_routes_build(struct packet_route routes[PACKET_FIELDS])
{
    for (unsigned s = packet_sources_count; s-- > 0;)
        for (unsigned m = 0; m < packet_sources[s]->n_modules; m++) {
            uint32_t field = packet_sources[s]->modules[m].field;
            if (field < PACKET_FIELDS)
                routes[field] = (struct packet_route){(uint16_t)(s + 1), (uint16_t)m};
        }
}

/* ---- parsing, in order of time ---- */

static void parse_queued(void *owner, int64_t ts, const void *payload)
{
    struct packet_reader *reader = owner;
    const struct queued_packet *q = payload;
    const struct packet packet = {
        .bytes = {q->bytes, q->n_bytes},
        .ts = ts,
        .has_ts = q->has_ts,
        .file = &reader->file,
        .reader = reader,
        .sequence = q->sequence,
        .generation = q->generation,
    };
    struct str field = {q->bytes + q->field_at, q->n_field};
    const struct packet_module *module = &packet_sources[q->source]->modules[q->module];
    module->parse(reader->states[q->source], ts, &packet, field);
    packet_release(q->generation);
}

static void push_packet(struct packet_reader *reader, const struct packet *packet, unsigned source,
                        unsigned module, struct str field)
{
    if (packet->ts < 0) { /* dropped by the sorter, which would not give the hold back */
        sorter_push(reader->file.import->sorter, reader->queue, reader->sink, packet->ts, 0);
        return;
    }
    struct queued_packet *q = sorter_push(reader->file.import->sorter, reader->queue, reader->sink,
                                          packet->ts, sizeof *q);
    *q = (struct queued_packet){
        .bytes = packet->bytes.p,
        .n_bytes = (uint32_t)packet->bytes.n,
        .field_at = (uint32_t)(field.p - packet->bytes.p),
        .n_field = (uint32_t)field.n,
        .source = (uint16_t)source,
        .module = (uint16_t)module,
        .generation = packet_hold(packet->generation),
        .sequence = packet->sequence,
        .has_ts = packet->has_ts,
    };
}

/* ---- readers ---- */

struct packet_reader *packet_reader_new(struct proto_file *proto, uint32_t machine_id)
{
    struct packet_reader *reader = mem_zero(1, sizeof *reader);
    struct import *import = proto->file->import;
    reader->proto = proto;
    reader->file = *proto->file;
    reader->file.machine_id = machine_id;
    reader->file.state = NULL;
    reader->queue = sorter_add_queue(import->sorter);
    reader->sink = sorter_add_sink(import->sorter, parse_queued, reader);
    process_map_idle(import, machine_id);
    stats_see_file(&reader->file);
    reader->states = mem_zero(packet_sources_count + 1, sizeof *reader->states);
    for (unsigned i = 0; i < packet_sources_count; i++)
        if (packet_sources[i]->create) reader->states[i] = packet_sources[i]->create(reader);
    return reader;
}

void packet_reader_free(struct packet_reader *reader)
{
    for (size_t i = 0; i < reader->deferred.count; i++)
        packet_release(reader->deferred.items[i].generation);
    for (unsigned i = 0; i < packet_sources_count; i++)
        if (packet_sources[i]->finish) packet_sources[i]->finish(reader->states[i]);
    vec_free(&reader->deferred);
    sequence_set_free(&reader->sequences);
    mem_free(reader->states);
    mem_free(reader);
}

const struct import_file *packet_reader_file(const struct packet_reader *reader)
{
    return &reader->file;
}

uint32_t packet_reader_queue(const struct packet_reader *reader)
{
    return reader->queue;
}

bool packet_clears_state(const struct packet *packet)
{
    if (packet->reader->current == packet) return packet->reader->current_clears;
    struct packet_head head;
    packet_read_head(packet->bytes, &head);
    return head.is_cleared;
}

bool packet_clock_to_trace_time(const struct packet *packet, uint32_t clock_id, int64_t value,
                                int64_t *ts)
{
    struct packet_reader *reader = packet->reader;
    uint32_t sequence = packet->sequence ? packet->sequence->id : 0;
    enum clock_result result =
        clock_to_trace_time(&reader->file, clock_id, sequence, value, reader->at_end, ts);
    if (result == CLOCK_LATER) reader->wants_defer = true;
    return result == CLOCK_OK;
}

/* ---- the steps of a packet (spec engine_1 1.7) ---- */

static void take_attributes(const struct import_file *file, struct str attributes)
{
    struct wire list = wire_open(attributes);
    struct wire_field attribute;
    while (wire_next(&list, &attribute)) {
        struct wire_field key, value;
        char name[256] = "trace_attribute.";
        const size_t prefix = sizeof "trace_attribute." - 1;
        if (attribute.number != 1 || !wire_find(attribute.bytes, 1, &key) || key.bytes.n == 0 ||
            key.bytes.n >= sizeof name - prefix)
            continue;
        memcpy(name + prefix, key.bytes.p, key.bytes.n);
        if (wire_find(attribute.bytes, 3, &value))
            metadata_set_string(file->import, file, name, value.bytes);
        else if (wire_find(attribute.bytes, 2, &value))
            metadata_set_int(file->import, file, name, (int64_t)value.value);
    }
}

static void take_loss(struct packet_reader *reader, struct sequence *sequence,
                      const struct packet_head *head, bool is_new)
{
    if (!head->loss) return;
    if (!sequence) {
        stats_add(&reader->file, STAT_previous_packet_dropped_missing_sequence_id, 1);
        return;
    }
    if (!head->is_cleared) sequence->is_valid = false;
    if (is_new) return; /* a ring buffer begins like that */
    sequence->losses++;
    for (int bit = 0; bit < 32; bit++)
        if (head->loss >> bit & 1) sequence->losses_by_reason[bit]++;
}

/* Incremental state, defaults and interned data. */
static void take_state(struct packet_reader *reader, struct sequence *sequence,
                       const struct packet_head *head)
{
    const struct import_file *file = &reader->file;
    if (!sequence) {
        if (head->is_cleared)
            stats_add(file, STAT_incremental_state_cleared_missing_sequence_id, 1);
        if (head->defaults.p) stats_add(file, STAT_trace_packet_defaults_missing_sequence_id, 1);
        if (head->interned.p) stats_add(file, STAT_interned_data_missing_sequence_id, 1);
        return;
    }
    if (head->is_cleared) sequence_clear(&reader->sequences, sequence);
    if (head->defaults.p) sequence_set_defaults(&reader->sequences, sequence, head->defaults);
    if (!head->interned.p) return;
    if (sequence->is_valid) sequence_add_interned(file, sequence, head->interned);
}

static void take_extension(const struct packet *packet, struct str field)
{
    struct descriptor_pool *pool = packet->file->import->descriptors;
    struct wire_field f;
    struct status st = STATUS_INIT;
    if (!pool) return;
    if (wire_find(field, 1, &f) && wire_is_bytes(&f)) {
        descriptor_pool_add(pool, f.bytes, &st);
    } else if (wire_find(field, 2, &f) && wire_is_bytes(&f)) {
        struct str inflated;
        const char *reason;
        if (!packet_inflate(packet->reader->proto, f.bytes, false, &inflated, &reason))
            status_fail(&st, STATUS_CORRUPT, STATUS_NO_OFFSET, "%s", reason);
        else
            descriptor_pool_add(pool, inflated, &st);
    }
    if (st.code != STATUS_OK) {
        struct strpool *strings = packet->file->import->strings;
        struct arg_list args = {0};
        arg_list_put_string(&args, strpool_intern_text(strings, "reason"),
                            strpool_intern_text(strings, status_message(&st)));
        import_log(packet->file, STAT_extra_parsing_descriptors_error,
                   packet->reader->proto->offset, NO_LOG_TS, &args);
        vec_free(&args);
    }
    status_clear(&st);
}

/* False when the packet has to wait for its clock, or is lost. */
static bool resolve_time(struct packet_reader *reader, struct packet *packet,
                         const struct packet_head *head)
{
    if (!head->has_timestamp) {
        int64_t latest = sorter_latest(reader->file.import->sorter);
        packet->ts = latest > reader->latest_ts ? latest : reader->latest_ts;
        return true;
    }
    uint32_t clock = head->clock_id ? head->clock_id : generation_default_clock(packet->generation);
    uint32_t number = head->n_data ? head->data[0].number : 0;
    if (number == PACKET_CHROME_METADATA) return true; /* its time says nothing */
    if (clock == 0 && number == PACKET_CHROME_EVENTS) clock = CLOCK_ID_MONOTONIC;
    if (clock == 0 && number == PACKET_SERVICE_EVENT) clock = CLOCK_ID_BOOTTIME;
    if (!packet_clock_to_trace_time(packet, clock, (int64_t)head->timestamp, &packet->ts))
        return false;
    packet->has_ts = true;
    if (packet->ts > reader->latest_ts) reader->latest_ts = packet->ts;
    return true;
}

/* Known, and nothing in them is for the tables. */
static bool is_without_meaning(uint32_t number)
{
    return number == PACKET_SYNCHRONIZATION_MARKER || number == PACKET_TRACE_PROVENANCE ||
           number == PACKET_PROTOVMS || number == PACKET_COMPRESSED ||
           number == PACKET_ZSTD_COMPRESSED;
}

static void dispatch(struct packet_reader *reader, const struct packet *packet,
                     const struct packet_field *data)
{
    struct packet_route route = {0};
    if (data->number < PACKET_FIELDS) route = reader->proto->routes[data->number];
    if (route.source == 0) {
        if (!is_without_meaning(data->number))
            stats_add_indexed(&reader->file, STAT_perfetty_unread_packets, data->number, 1);
        return;
    }
    unsigned source = route.source - 1u;
    const struct packet_module *module = &packet_sources[source]->modules[route.module];
    if (module->tokenize && module->tokenize(reader->states[source], packet, data->bytes)) return;
    if (reader->wants_defer || !module->parse) return;
    push_packet(reader, packet, source, route.module, data->bytes);
}

/* The part that may have to be done again when a clock becomes known. */
static void take_timed(struct packet_reader *reader, struct packet *packet,
                       const struct packet_head *head)
{
    reader->wants_defer = false;
    reader->current = packet;
    reader->current_clears = head->is_cleared;
    if (resolve_time(reader, packet, head))
        for (uint32_t i = 0; i < head->n_data && !reader->wants_defer; i++)
            dispatch(reader, packet, &head->data[i]);
    reader->current = NULL;
    if (reader->wants_defer)
        vec_push(&reader->deferred, (struct deferred_packet){packet->bytes, packet->sequence,
                                                             packet_hold(packet->generation)});
}

/* The data that no time is needed for; true when the packet ends with it. */
static bool take_untimed(const struct packet *packet, const struct packet_head *head)
{
    for (uint32_t i = 0; i < head->n_data; i++) {
        struct str field = head->data[i].bytes;
        switch (head->data[i].number) {
        case PACKET_CLOCK_SNAPSHOT: packet_take_clock_snapshot(packet, field); return true;
        case PACKET_REMOTE_CLOCK_SYNC: packet_take_remote_clock_sync(packet, field); return true;
        case PACKET_EXTENSION_DESCRIPTOR: take_extension(packet, field); return true;
        }
    }
    return false;
}

void packet_reader_take(struct packet_reader *reader, struct str bytes, struct packet_head *head)
{
    struct sequence *sequence = NULL;
    if (head->has_sequence_id) {
        size_t before = reader->sequences.items.count;
        sequence = sequence_intern(&reader->sequences, head->sequence_id);
        take_loss(reader, sequence, head, reader->sequences.items.count > before);
    } else {
        take_loss(reader, NULL, head, false);
    }
    if (head->attributes.p) take_attributes(&reader->file, head->attributes);
    take_state(reader, sequence, head);
    struct packet packet = {.bytes = bytes,
                            .file = &reader->file,
                            .reader = reader,
                            .sequence = sequence,
                            .generation = sequence ? sequence->current : NULL};
    if (take_untimed(&packet, head)) return;
    if (head->sequence_flags & NEEDS_INCREMENTAL_STATE && (!sequence || !sequence->is_valid)) {
        if (sequence) sequence->skipped++;
        stats_add(&reader->file, STAT_tokenizer_skipped_packets, 1);
        return;
    }
    if (head->n_data > 0) take_timed(reader, &packet, head);
}

void packet_reader_take_deferred(struct packet_reader *reader)
{
    reader->at_end = true;
    for (size_t i = 0; i < reader->deferred.count; i++) {
        struct deferred_packet *d = &reader->deferred.items[i];
        struct packet_head head;
        packet_read_head(d->bytes, &head);
        struct packet packet = {.bytes = d->bytes,
                                .file = &reader->file,
                                .reader = reader,
                                .sequence = d->sequence,
                                .generation = d->generation};
        take_timed(reader, &packet, &head);
        packet_release(d->generation);
    }
    vec_clear(&reader->deferred);
}
