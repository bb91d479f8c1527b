/* The inside of the Perfetto packet reader; the outside is packet.h.
 *
 * A proto_file is one file of packets.  It has a packet_reader for each machine
 * that its packets name; a packet_reader has the sequences of that machine, each
 * with its generations, and one state of every source in packet_sources.
 */
#ifndef ENGINE_IMPORT_PACKET_READER_H
#define ENGINE_IMPORT_PACKET_READER_H

#include "engine/base/map.h"
#include "engine/base/vec.h"
#include "engine/import/packet.h"

/* Bytes that one compressed packet may grow to, and all of a file together. */
#define PACKET_MAX_INFLATED      ((size_t)256 << 20)
#define PACKET_MAX_INFLATED_FILE ((size_t)8 << 30)

struct proto_file;

/* ---- sequences (packet_sequence.c) ---- */

struct sequence {
    uint32_t id;
    bool is_valid; /* incremental state was cleared, and nothing was lost since */
    struct generation *current;
    void *slots[SEQUENCE_SLOTS];
    uint64_t losses; /* packets that say that some before them are gone */
    uint64_t losses_by_reason[32];
    uint64_t skipped; /* packets that needed a state that was lost */
};

struct sequence_set {
    struct map by_id; /* id to number in items */
    VEC(struct sequence *) items;
    struct sequence *last;
    struct generation *generations; /* all that are alive */
};

struct sequence *sequence_intern(struct sequence_set *set, uint32_t id);
void sequence_set_free(struct sequence_set *set);
/* Starts a generation without interned data and defaults. */
void sequence_clear(struct sequence_set *set, struct sequence *sequence);
void sequence_set_defaults(struct sequence_set *set, struct sequence *sequence,
                           struct str defaults);
void sequence_add_interned(const struct import_file *file, struct sequence *sequence,
                           struct str interned_data);
/* TracePacketDefaults.timestamp_clock_id, 0 when absent. */
uint32_t generation_default_clock(const struct generation *generation);

/* ---- the fields of a packet that the reader looks at ---- */

struct packet_field {
    uint32_t number;
    struct str bytes;
};

#define PACKET_MAX_DATA 4

struct packet_head {
    bool has_timestamp, has_sequence_id;
    uint64_t timestamp;
    uint32_t clock_id, sequence_id, sequence_flags, machine_id;
    uint32_t loss; /* previous_packet_dropped */
    bool is_cleared, is_first_on_sequence;
    struct str defaults, interned, attributes;
    struct packet_field data[PACKET_MAX_DATA]; /* the data fields, as a rule one */
    uint32_t n_data;
};

enum packet_number {
    PACKET_CLOCK_SNAPSHOT = 6,
    PACKET_CHROME_EVENTS = 5,
    PACKET_SYNCHRONIZATION_MARKER = 36,
    PACKET_COMPRESSED = 50,
    PACKET_CHROME_METADATA = 51,
    PACKET_SERVICE_EVENT = 69,
    PACKET_EXTENSION_DESCRIPTOR = 72,
    PACKET_REMOTE_CLOCK_SYNC = 107,
    PACKET_TRACE_PROVENANCE = 124,
    PACKET_PROTOVMS = 125,
    PACKET_ZSTD_COMPRESSED = 133,
};

/* False when the bytes do not end on a field. */
bool packet_read_head(struct str bytes, struct packet_head *head);

/* ---- readers ---- */

struct deferred_packet {
    struct str bytes;
    struct sequence *sequence;
    struct generation *generation; /* held */
};

struct packet_reader {
    struct proto_file *proto;
    struct import_file file; /* with this reader's machine */
    uint32_t queue, sink;
    struct sequence_set sequences;
    void **states; /* by source */
    int64_t latest_ts;
    bool at_end;      /* every file was tokenised: no clock will become known */
    bool wants_defer; /* a clock was asked for that is not known yet */
    const struct packet *current;
    bool current_clears;
    VEC(struct deferred_packet) deferred;
};

/* Which module takes a field: by number, for those below PACKET_FIELDS. */
#define PACKET_FIELDS 2048
struct packet_route {
    uint16_t source, module; /* source: number + 1, 0 none */
};

struct proto_file {
    struct import_file *file;
    VEC(struct packet_reader *) readers;
    struct packet_reader *last_reader;
    uint32_t last_machine;
    struct map reader_of; /* embedded machine id to number in readers */
    bool has_host_packets;
    VEC(void *) inflated; /* owned blocks */
    size_t inflated_bytes;
    uint64_t n_packets;        /* that could be read */
    int64_t offset;            /* of the packet being read, for the import log */
    struct str bytes;          /* of the file */
    struct status broken_rule; /* a packet that the manifest rules out: ends the load */
    struct packet_route routes[PACKET_FIELDS];
};

void packet_routes_build(struct packet_route routes[PACKET_FIELDS]);
struct packet_reader *packet_reader_new(struct proto_file *proto, uint32_t machine_id);
/* The reader of the machine that packets call `embedded_id` (0: the file's own). */
struct packet_reader *packet_reader_of_machine(struct proto_file *proto, uint32_t embedded_id);
void packet_reader_free(struct packet_reader *reader);
/* One packet, in the order of the file. */
void packet_reader_take(struct packet_reader *reader, struct str bytes, struct packet_head *head);
/* At the end of the input: the packets that waited for a clock. */
void packet_reader_take_deferred(struct packet_reader *reader);

/* The packets that the reader deals with itself (packet_clocks.c). */
void packet_take_clock_snapshot(const struct packet *packet, struct str field);
void packet_take_remote_clock_sync(const struct packet *packet, struct str field);

/* Inflates a compressed packet (packet_inflate.c).  False and a reason when it is
 * damaged; what came out before the damage is in *out all the same. */
bool packet_inflate(struct proto_file *proto, struct str bytes, bool is_zstd, struct str *out,
                    const char **reason);

#endif
