#include "engine/import/packet_reader.h"

#include "engine/base/checked.h"
#include "engine/import/clock.h"
#include "engine/import/stats.h"
#include "engine/proto/wire.h"

/* ClockSnapshot and RemoteClockSync (spec engine_1 1.8). */

struct reading_list VEC_OF(struct clock_reading);

static uint32_t read_clocks(struct str field, uint32_t sequence, struct reading_list *readings)
{
    struct wire w = wire_open(field);
    struct wire_field f, c;
    uint32_t primary = 0;
    while (wire_next(&w, &f)) {
        if (f.number == 2) primary = (uint32_t)f.value;
        if (f.number != 1 || !wire_is_bytes(&f)) continue;
        struct clock_reading reading = {.unit_ns = 1};
        struct wire clock = wire_open(f.bytes);
        while (wire_next(&clock, &c))
            switch (c.number) {
            case 1: reading.clock_id = (uint32_t)c.value; break;
            case 2: reading.value = (int64_t)c.value; break;
            case 3: reading.is_incremental = c.value != 0; break;
            case 4: reading.unit_ns = c.value ? (int64_t)c.value : 1; break;
            }
        if (reading.clock_id >= 64 && reading.clock_id < 128) reading.sequence = sequence;
        vec_push(readings, reading);
    }
    return primary;
}

void packet_take_clock_snapshot(const struct packet *packet, struct str field)
{
    struct reading_list readings = {0};
    struct proto_file *proto = packet->reader->proto;
    if (proto->file->has_pinned_clock) {
        status_fail(&proto->broken_rule, STATUS_INVALID, proto->offset,
                    "perfetto_manifest: clock overrides require the trace to use a single clock");
        return;
    }
    uint32_t sequence = packet->sequence ? sequence_id(packet->sequence) : 0;
    uint32_t primary = read_clocks(field, sequence, &readings);
    clock_add_snapshot(packet->file, readings.items, readings.count, primary);
    vec_free(&readings);
}

/* ---- ping and pong between the host and another machine ---- */

#define LONGEST_ROUND_NS INT64_C(30000000000)

struct round {
    struct reading_list client, host;
};

static bool find_value(const struct reading_list *readings, uint32_t clock_id, int64_t *value)
{
    for (size_t i = 0; i < readings->count; i++)
        if (readings->items[i].clock_id == clock_id) {
            *value = (int64_t)((uint64_t)readings->items[i].value *
                               (uint64_t)readings->items[i].unit_ns);
            return true;
        }
    return false;
}

/* Offsets client - host, summed as distances from the first one. */
struct remote_offset {
    int64_t first, sum, host_value;
    unsigned n;
};

static void add_offset(struct remote_offset *offset, int64_t value)
{
    if (offset->n++ == 0) offset->first = value;
    offset->sum = wrapping_add_int64(offset->sum, wrapping_sub_int64(value, offset->first));
}

/* A round is a ping (t1) and a pong (t2), each with both clocks. */
static void add_round(struct remote_offset *offset, uint32_t clock_id, const struct round *ping,
                      const struct round *pong)
{
    int64_t t1c, t1h, t2c, t2h, client_ns, host_ns;
    if (!find_value(&ping->client, clock_id, &t1c) || !find_value(&ping->host, clock_id, &t1h) ||
        !find_value(&pong->client, clock_id, &t2c) || !find_value(&pong->host, clock_id, &t2h))
        return;
    if (!checked_sub_int64(t2c, t1c, &client_ns) || !checked_sub_int64(t2h, t1h, &host_ns) ||
        client_ns < 0 || client_ns > LONGEST_ROUND_NS || host_ns < 0 || host_ns > LONGEST_ROUND_NS)
        return;
    if (offset->n == 0) offset->host_value = t1h;
    add_offset(offset, wrapping_sub_int64(wrapping_add_int64(t1c, client_ns / 2), t1h));
    add_offset(offset, wrapping_sub_int64(t2c, wrapping_add_int64(t1h, host_ns / 2)));
}

static void tie_clock(const struct packet *packet, const struct import_file *host,
                      uint32_t clock_id, const struct round *rounds, size_t n)
{
    struct remote_offset offset = {0};
    for (size_t i = 0; i + 1 < n; i += 2)
        add_round(&offset, clock_id, &rounds[i], &rounds[i + 1]);
    if (offset.n == 0) return;
    int64_t mean = wrapping_add_int64(offset.first, offset.sum / (int64_t)offset.n);
    clock_add_remote_offset(host, packet->file, clock_id, offset.host_value,
                            wrapping_add_int64(offset.host_value, mean));
}

void packet_take_remote_clock_sync(const struct packet *packet, struct str field)
{
    VEC(struct round) rounds = {0};
    struct wire w = wire_open(field);
    struct wire_field f, side;
    while (wire_next(&w, &f)) {
        if (f.number != 1 || !wire_is_bytes(&f)) continue;
        struct round round = {0};
        if (wire_find(f.bytes, 2, &side)) read_clocks(side.bytes, 0, &round.client);
        if (wire_find(f.bytes, 3, &side)) read_clocks(side.bytes, 0, &round.host);
        /* The client's clocks of one moment belong together. */
        clock_add_sync_readings(packet->file, round.client.items, round.client.count);
        vec_push(&rounds, round);
    }
    const struct packet_reader *host = packet_reader_of_machine(packet->reader->proto, 0);
    if (rounds.count > 0 && &host->file != packet->file)
        for (size_t i = 0; i < rounds.items[0].client.count; i++)
            tie_clock(packet, &host->file, rounds.items[0].client.items[i].clock_id, rounds.items,
                      rounds.count);
    for (size_t i = 0; i < rounds.count; i++) {
        vec_free(&rounds.items[i].client);
        vec_free(&rounds.items[i].host);
    }
    vec_free(&rounds);
}
