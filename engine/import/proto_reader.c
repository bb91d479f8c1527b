/* The importer of Perfetto traces: the framing of packets (spec engine_1 1.6).
 *
 * Damage does not end the load: a packet that does not decode is left out, and
 * behind bytes that are no packet the reader looks for the next place that is
 * one.  The losses are in the stats perfetty_input_corrupt and _truncated, with
 * their byte offsets in the import log.
 */
#include "engine/import/packet_reader.h"

#include <inttypes.h>

#include "engine/import/args.h"
#include "engine/import/process.h"
#include "engine/import/stats.h"
#include "engine/proto/wire.h"

#define PACKET_TAG            0x0A
#define POLL_EVERY_PACKETS    1024
#define PROGRESS_EVERY_BYTES  ((size_t)1 << 20)
#define RESYNC_PACKETS        3
#define RESYNC_LARGEST_PACKET ((size_t)16 << 20)
#define RESYNC_BUDGET_BYTES   ((size_t)256 << 20) /* of looking at candidates, for a file */

static void log_damage(struct proto_file *proto, enum stat stat, size_t offset, const char *why)
{
    struct strpool *strings = proto->file->import->strings;
    struct arg_list args = {0};
    arg_list_put_string(&args, strpool_intern_text(strings, "reason"),
                        strpool_intern_text(strings, why));
    import_log(proto->file, stat, (int64_t)offset, NO_LOG_TS, &args);
    vec_free(&args);
}

/* ---- machines ---- */

/* The machine that the manifest gives to the id; NULL_UINT32 when it says nothing. */
static uint32_t declared_machine(struct proto_file *proto, uint32_t embedded_id)
{
    const struct import_file *file = proto->file;
    struct status *broken = &proto->broken_rule;
    for (size_t i = 0; i < file->n_machines; i++)
        if (file->machines[i].embedded_id == embedded_id) return file->machines[i].machine_id;
    if (embedded_id == 0) return NULL_UINT32;
    if (file->n_machines)
        status_fail(broken, STATUS_INVALID, proto->offset,
                    "perfetto_manifest: machines: trace has a packet from undeclared machine id "
                    "%" PRIu32,
                    embedded_id);
    else if (file->has_machine_override || file->has_clock_override)
        status_fail(broken, STATUS_INVALID, proto->offset,
                    "perfetto_manifest: a `%s` override applies only to a single-machine file, but "
                    "the file contains packets from multiple machines",
                    file->has_clock_override ? "clocks" : "machine");
    return NULL_UINT32;
}

/* Does any packet of the file come from the host?  Asked once, when the first
 * packets are from another machine. */
static bool has_host_packet(struct str bytes)
{
    struct wire w = wire_open(bytes);
    struct wire_field f;
    while (wire_next(&w, &f)) {
        struct packet_head head;
        if (f.number != 1 || !wire_is_bytes(&f) || !packet_read_head(f.bytes, &head)) continue;
        if (head.machine_id == 0 &&
            !(head.n_data == 1 && head.data[0].number == PACKET_SYNCHRONIZATION_MARKER))
            return true;
    }
    return false;
}

static uint32_t find_machine(struct proto_file *proto, uint32_t embedded_id)
{
    struct import_file *file = proto->file;
    uint32_t declared = declared_machine(proto, embedded_id);
    if (declared != NULL_UINT32) return declared;
    if (embedded_id == 0) return file->machine_id;
    struct machine_table *t = &file->import->tables->machine;
    /* A trace of another machine alone is about that machine: it takes the row of
     * the host, unless another file has it. */
    if (file->machine_id == 0 && proto->readers.count == 0 && !file->n_machines &&
        !has_host_packet(proto->bytes)) {
        int64_t raw_id = column_get_int64(&t->raw_id, 0);
        if (raw_id == 0) table_set_int64(&t->table, machine_COLUMN_raw_id, 0, embedded_id);
        if (raw_id == 0 || raw_id == embedded_id) return 0;
    }
    return machine_intern(file->import, embedded_id);
}

struct packet_reader *packet_reader_of_machine(struct proto_file *proto, uint32_t embedded_id)
{
    if (proto->last_reader && proto->last_machine == embedded_id) return proto->last_reader;
    uint64_t *at = map_get(&proto->reader_of, embedded_id);
    if (!at) {
        uint32_t machine = find_machine(proto, embedded_id);
        size_t number = 0;
        while (number < proto->readers.count &&
               proto->readers.items[number]->file.machine_id != machine)
            number++;
        if (number == proto->readers.count)
            vec_push(&proto->readers, packet_reader_new(proto, machine));
        map_set(&proto->reader_of, embedded_id, number);
        at = map_get(&proto->reader_of, embedded_id);
    }
    proto->last_machine = embedded_id;
    return proto->last_reader = proto->readers.items[*at];
}

/* ---- packets ---- */

static void take_packet(struct proto_file *proto, struct str bytes, bool is_nested);

static void take_compressed(struct proto_file *proto, struct str bytes, bool is_zstd)
{
    struct str inflated;
    const char *reason;
    size_t offset = (size_t)proto->offset;
    if (!packet_inflate(proto, bytes, is_zstd, &inflated, &reason))
        log_damage(proto, STAT_perfetty_input_corrupt, offset, reason);
    struct wire w = wire_open(inflated);
    struct wire_field f;
    while (wire_next(&w, &f)) {
        if (f.number == 1 && wire_is_bytes(&f))
            take_packet(proto, f.bytes, true);
        else
            log_damage(proto, STAT_perfetty_input_corrupt, offset,
                       "a compressed packet holds something else than packets");
    }
    /* The end is cut when the unpacking was: said already. */
    if (w.bad && !reason)
        log_damage(proto, STAT_perfetty_input_corrupt, offset,
                   "a compressed packet does not end on a packet");
}

static void take_packet(struct proto_file *proto, struct str bytes, bool is_nested)
{
    struct packet_head head;
    if (bytes.n == 0) return;
    if (bytes.n > UINT32_MAX || !packet_read_head(bytes, &head)) {
        log_damage(proto, STAT_perfetty_input_corrupt, (size_t)proto->offset,
                   "a packet does not decode");
        return;
    }
    proto->n_packets++;
    for (uint32_t i = 0; i < head.n_data; i++) {
        uint32_t number = head.data[i].number;
        if (number != PACKET_COMPRESSED && number != PACKET_ZSTD_COMPRESSED) continue;
        if (is_nested)
            log_damage(proto, STAT_perfetty_input_corrupt, (size_t)proto->offset,
                       "a compressed packet inside a compressed packet");
        else
            take_compressed(proto, head.data[i].bytes, number == PACKET_ZSTD_COMPRESSED);
        return;
    }
    packet_reader_take(packet_reader_of_machine(proto, head.machine_id), bytes, &head);
}

/* ---- finding the next packet behind damage ---- */

/* Several packets in a row from `at`, each with a sequence id. */
static bool is_run_of_packets(struct str bytes, size_t at, size_t *budget)
{
    struct wire w = wire_open(str_slice(bytes, at, bytes.n));
    struct wire_field f, id;
    for (int i = 0; i < RESYNC_PACKETS && w.at < w.end; i++) {
        struct packet_head head;
        if (*w.at != PACKET_TAG || !wire_next(&w, &f) || f.bytes.n == 0 ||
            f.bytes.n > RESYNC_LARGEST_PACKET || !wire_find(f.bytes, 10, &id) ||
            id.type != WIRE_VARINT || id.value == 0)
            return false;
        *budget -= f.bytes.n < *budget ? f.bytes.n : *budget;
        if (!packet_read_head(f.bytes, &head)) return false;
    }
    return true;
}

static size_t find_packets(struct str bytes, size_t from, size_t *budget)
{
    for (size_t at = from; at<bytes.n && * budget> 0; at++) {
        const char *tag = memchr(bytes.p + at, PACKET_TAG, bytes.n - at);
        if (!tag) break;
        at = (size_t)(tag - bytes.p);
        *budget -= 1;
        if (is_run_of_packets(bytes, at, budget)) return at;
    }
    return bytes.n;
}

/* ---- the file ---- */

struct frame {
    size_t start, next;
    struct str packet; /* STR_NONE for another field */
};

/* The field at `at`; false when there is none. *cut: it goes past the end. */
static bool read_frame(struct str bytes, size_t at, struct frame *frame, bool *cut)
{
    struct wire w = wire_open(str_slice(bytes, at, bytes.n));
    struct wire_field f;
    const uint8_t *start = w.at;
    *cut = false;
    if (!wire_next(&w, &f)) {
        /* Cut: the tag and the length stand there, the bytes do not. */
        uint64_t tag, length;
        struct wire again = wire_open(str_slice(bytes, at, bytes.n));
        if (!wire_varint(&again, &tag))
            *cut = bytes.n - at < 10;
        else if ((tag & 7) == WIRE_BYTES && tag >> 3 != 0)
            *cut = !wire_varint(&again, &length) || length > (uint64_t)(again.end - again.at);
        else
            *cut = bytes.n - at < 10 && tag >> 3 != 0 && (tag & 7) <= WIRE_FIXED64;
        return false;
    }
    frame->start = at;
    frame->next = at + (size_t)(w.at - start);
    frame->packet = f.number == 1 && wire_is_bytes(&f) ? f.bytes : STR_NONE;
    return true;
}

/* What is told of damage at `at`; returns where to go on. */
static size_t step_over_damage(struct proto_file *proto, size_t at, bool cut, size_t *budget)
{
    size_t next = find_packets(proto->bytes, at + 1, budget);
    if (next == proto->bytes.n && cut)
        log_damage(proto, STAT_perfetty_input_truncated, at, "the last packet is cut off");
    else
        log_damage(proto, STAT_perfetty_input_corrupt, at, "bytes that are no packet");
    return next;
}

static void read_packets(struct proto_file *proto)
{
    struct import *import = proto->file->import;
    struct str bytes = proto->bytes;
    size_t at = 0, told = 0, budget = RESYNC_BUDGET_BYTES;
    unsigned since_poll = 0;
    while (at < bytes.n) {
        struct frame frame;
        bool cut;
        if (++since_poll >= POLL_EVERY_PACKETS) {
            since_poll = 0;
            if (cancel_is_requested(import->cancel)) break;
        }
        if (!read_frame(bytes, at, &frame, &cut)) {
            at = step_over_damage(proto, at, cut, &budget);
            continue;
        }
        proto->offset = (int64_t)frame.start;
        if (frame.packet.p) take_packet(proto, frame.packet, false);
        if (proto->broken_rule.code != STATUS_OK) break;
        at = frame.next;
        if (at - told >= PROGRESS_EVERY_BYTES) {
            import_progress(import, at - told);
            told = at;
        }
    }
    import_progress(import, at - told);
}

static void take_deferred(void *context)
{
    struct proto_file *proto = context;
    for (size_t i = 0; i < proto->readers.count; i++)
        packet_reader_take_deferred(proto->readers.items[i]);
}

static void free_proto(struct proto_file *proto)
{
    for (size_t i = 0; i < proto->readers.count; i++)
        packet_reader_free(proto->readers.items[i]);
    for (size_t i = 0; i < proto->inflated.count; i++)
        mem_free(proto->inflated.items[i]);
    vec_free(&proto->readers);
    vec_free(&proto->inflated);
    map_free(&proto->reader_of);
    status_clear(&proto->broken_rule);
    mem_free(proto);
}

static bool tokenize(struct import_file *file, struct str bytes, struct status *st)
{
    struct proto_file *proto = mem_zero(1, sizeof *proto);
    proto->file = file;
    proto->bytes = bytes;
    packet_routes_build(proto->routes);
    read_packets(proto);
    if (proto->broken_rule.code != STATUS_OK) {
        status_move(st, &proto->broken_rule);
        free_proto(proto);
        return false;
    }
    /* A trace that was stopped before its first packet has nothing in it. */
    bool is_empty = bytes.n == 1 || (bytes.n >= 2 && bytes.p[1] == 0);
    if (proto->n_packets == 0 && !is_empty && !cancel_is_requested(file->import->cancel)) {
        free_proto(proto);
        return status_fail(st, STATUS_CORRUPT, 0,
                           "it looks like a Perfetto trace, but no packet in it can be read");
    }
    file->state = proto;
    import_at_input_end(file->import, take_deferred, proto);
    return true;
}

static void finish(struct import_file *file)
{
    if (file->state) free_proto(file->state);
    file->state = NULL;
}

static bool sniff_proto(struct str bytes)
{
    return bytes.n > 0 && bytes.p[0] == PACKET_TAG;
}

/* The first packet, not empty, begins with module_symbols. */
static bool sniff_symbols(struct str bytes)
{
    struct wire w = wire_open(bytes);
    uint64_t tag, length;
    return wire_varint(&w, &tag) && tag == PACKET_TAG && wire_varint(&w, &length) && length > 0 &&
           w.end - w.at >= 2 && w.at[0] == 0xEA && w.at[1] == 0x03;
}

extern const struct importer importer_proto, importer_symbols;

const struct importer importer_proto = {
    .name = "proto",
    .detection_priority = 230,
    .archive_priority = 0,
    .clock = IMPORT_CLOCK_PACKETS,
    .sniff = sniff_proto,
    .tokenize = tokenize,
    .finish = finish,
};

const struct importer importer_symbols = {
    .name = "symbols",
    .detection_priority = 210,
    .archive_priority = 3,
    .clock = IMPORT_CLOCK_PACKETS,
    .sniff = sniff_symbols,
    .tokenize = tokenize,
    .finish = finish,
};
