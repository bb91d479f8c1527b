/* Perfetto packets: what the proto reader hands to the modules of data sources.
 *
 * A module is registered for one field number of TracePacket's data oneof.  Its
 * tokenize runs in file order with the packet's time already converted (`ts`);
 * it pushes events of its own and returns true, or returns false, and then the
 * packet goes to the sorter whole and comes back to `parse` in order of time.
 * Either may be NULL.  A packet with a field that no module takes is counted in
 * stat perfetty_unread_packets[field].
 *
 * Interned data and defaults belong to a generation of the packet's sequence
 * (spec engine_1 1.7); a packet holds a reference to the one that was current
 * when it was tokenised.
 */
#ifndef ENGINE_IMPORT_PACKET_H
#define ENGINE_IMPORT_PACKET_H

#include "engine/import/import.h"

struct packet_reader; /* one per file and machine */
struct sequence;      /* one trusted_packet_sequence_id; lives as long as the reader */
struct generation;    /* its interned data and defaults at some time */

struct packet {
    struct str bytes;               /* the whole TracePacket */
    int64_t ts;                     /* trace time */
    bool has_ts;                    /* false: ts was guessed from the latest one */
    const struct import_file *file; /* with the packet's machine */
    struct packet_reader *reader;
    struct sequence *sequence;     /* NULL without a sequence id */
    struct generation *generation; /* NULL without a sequence id */
};

struct packet_module {
    uint32_t field;
    bool (*tokenize)(void *state, const struct packet *packet, struct str field);
    void (*parse)(void *state, int64_t ts, const struct packet *packet, struct str field);
};

/* A group of modules with one state: a data source's importer. */
struct packet_source {
    const char *name;
    void *(*create)(struct packet_reader *reader);
    void (*finish)(void *state); /* at end of input, in time order done; frees state */
    const struct packet_module *modules;
    uint32_t n_modules;
};

/* The list of sources, in packet_sources.c. */
extern const struct packet_source *const packet_sources[];
extern const unsigned packet_sources_count;

/* The file that the reader's own packets (machine 0 of the file) belong to. */
const struct import_file *packet_reader_file(const struct packet_reader *reader);

/* Interned entries: the whole entry message and its field `2` as text.  `field`
 * is the number inside InternedData.  Misses are counted
 * (interned_data_tokenizer_errors). */
bool packet_interned(const struct packet *packet, uint32_t field, uint64_t iid, struct str *entry);
string_id packet_interned_string(const struct packet *packet, uint32_t field, uint64_t iid);
/* TracePacketDefaults' submessage `field`; absent: STR_NONE. */
struct str packet_default(const struct packet *packet, uint32_t field);

/* Numbers and times that belong to a sequence and survive its generations. */
uint32_t sequence_id(const struct sequence *sequence);
/* Slots for the sources' own data per sequence (a few words each): zeroed when the
 * sequence is first seen, never cleared by the reader. */
enum sequence_slot { SEQUENCE_TRACK_EVENT, SEQUENCE_FTRACE, SEQUENCE_PROFILE, SEQUENCE_SLOTS };
void **sequence_slot(struct sequence *sequence, enum sequence_slot slot);
/* True when the packet started a new generation (incremental state cleared). */
bool packet_clears_state(const struct packet *packet);

/* For tokenisers that push their own events: keeps the generation alive until the
 * event is parsed.  Balanced by packet_release. */
struct generation *packet_hold(struct generation *generation);
void packet_release(struct generation *generation);

/* A clock of the packet's sequence or machine to trace time; see clock.h. */
bool packet_clock_to_trace_time(const struct packet *packet, uint32_t clock_id, int64_t value,
                                int64_t *ts);

/* The generic queue of the reader, for sorter_push; ftrace adds its own per cpu. */
uint32_t packet_reader_queue(const struct packet_reader *reader);

#endif
