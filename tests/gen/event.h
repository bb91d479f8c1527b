/* Track events: tracks, slices, instants, counters, states, flows and their
 * arguments, on one packet sequence with its interned strings.
 *
 *     struct gen_seq app;
 *     gen_seq_start(&app, &trace, 100);
 *     gen_seq_track(&app, ts, &(struct gen_track){.uuid = 7, .pid = 10, .tid = 11});
 *     gen_event_open(&app, ts, GEN_EVENT_BEGIN, 7);
 *     gen_event_name(&app, "measure");
 *     gen_event_int(&app, "views", 3);
 *     gen_event_close(&app);
 *     gen_slice_end(&app, ts + 5, 7);
 *     gen_seq_free(&app);
 *
 * Names, categories and annotation names are interned unless a function's name
 * ends in _plain.  The first packet clears the incremental state.
 */
#ifndef TESTS_GEN_EVENT_H
#define TESTS_GEN_EVENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/base/buffer.h"
#include "engine/base/map.h"

enum gen_event_type {
    GEN_EVENT_NONE = 0, /* writes no type */
    GEN_EVENT_BEGIN = 1,
    GEN_EVENT_END = 2,
    GEN_EVENT_INSTANT = 3,
    GEN_EVENT_COUNTER = 4,
    GEN_EVENT_STATE = 5,
};

enum gen_interned {
    GEN_INTERNED_CATEGORY = 1,
    GEN_INTERNED_NAME = 2,
    GEN_INTERNED_ANNOTATION_NAME = 3,
    GEN_INTERNED_SOURCE_LOCATION = 4,
    GEN_INTERNED_FUNCTION = 5,
    GEN_INTERNED_FRAME = 6,
    GEN_INTERNED_CALLSTACK = 7,
    GEN_INTERNED_BUILD_ID = 16,
    GEN_INTERNED_MAPPING_PATH = 17,
    GEN_INTERNED_MAPPING = 19,
    GEN_INTERNED_LOG_BODY = 20,
    GEN_INTERNED_KERNEL_SYMBOL = 26,
    GEN_INTERNED_ANNOTATION_STRING = 29,
    GEN_INTERNED_FIELDS = 64,
};

struct gen_seq {
    struct buffer *trace; /* borrowed */
    uint32_t id;
    bool is_cleared;        /* the packet that clears the state was written */
    struct buffer event;    /* of the open event */
    struct buffer interned; /* that the open event needs */
    int64_t ts_ns;          /* of the open event, -1 for none */
    uint32_t clock_id;      /* written into every event packet unless 0 */
    struct strmap iids;     /* "<field>:<string>" to iid */
    uint64_t next_iid[GEN_INTERNED_FIELDS];
};

void gen_seq_start(struct gen_seq *seq, struct buffer *trace, uint32_t id);
/* Forgets what was interned; the next packet clears the reader's state too. */
void gen_seq_clear_state(struct gen_seq *seq);
void gen_seq_free(struct gen_seq *seq);
/* The iid of a string; written with the event that is open. */
uint64_t gen_seq_intern(struct gen_seq *seq, enum gen_interned field, const char *text);
/* The same for an entry with a body of its own (fields 2 and up); key names it. */
uint64_t gen_seq_intern_body(struct gen_seq *seq, enum gen_interned field, const char *key,
                             const struct buffer *body);
/* Opens a packet on the sequence with the right flags; for other kinds of data
 * that use interned strings.  Write the data, then gen_seq_packet_close. */
size_t gen_seq_packet_open(struct gen_seq *seq, int64_t ts_ns);
void gen_seq_packet_close(struct gen_seq *seq, size_t mark);

enum gen_merge { GEN_MERGE_UNSPECIFIED, GEN_MERGE_BY_NAME, GEN_MERGE_NONE, GEN_MERGE_BY_KEY };
enum gen_ordering {
    GEN_ORDER_UNKNOWN,
    GEN_ORDER_LEXICOGRAPHIC,
    GEN_ORDER_CHRONOLOGICAL,
    GEN_ORDER_EXPLICIT
};
enum gen_unit { GEN_UNIT_NONE, GEN_UNIT_NS, GEN_UNIT_COUNT, GEN_UNIT_BYTES };

/* What is zero or NULL is not written. */
struct gen_track {
    uint64_t uuid, parent;
    const char *name, *static_name, *atrace_name, *description;
    int32_t pid;
    int64_t tid; /* with pid: a thread; pid alone: a process */
    const char *thread_name, *process_name;
    const char *process_label;
    int64_t process_start_ns;
    bool is_counter, is_incremental, is_state;
    enum gen_unit unit;
    const char *unit_name, *axis_key;
    int64_t unit_multiplier;
    unsigned builtin_counter; /* 1 thread time, 2 instructions */
    enum gen_ordering child_ordering;
    int32_t order_rank;
    enum gen_merge merge;
    const char *merge_key;
    uint64_t merge_key_int;
    bool no_system_merge;                       /* not one with the thread's own track */
    unsigned thread_ordering, process_ordering; /* 1: explicit */
};

void gen_track_body(struct buffer *out, const struct gen_track *track);
void gen_seq_track(struct gen_seq *seq, int64_t ts_ns, const struct gen_track *track);
/* Defaults of the sequence: a track, extra counters, a clock (0: none). */
void gen_seq_defaults(struct gen_seq *seq, uint64_t track_uuid, const uint64_t *extra_counters,
                      size_t extra_count, uint32_t clock_id);

/* One event is open at a time.  track_uuid 0 writes none. */
void gen_event_open(struct gen_seq *seq, int64_t ts_ns, enum gen_event_type type,
                    uint64_t track_uuid);
void gen_event_close(struct gen_seq *seq);
/* The open event's fields, for what has no function here (extensions, legacy). */
struct buffer *gen_event_body(struct gen_seq *seq);

void gen_event_name(struct gen_seq *seq, const char *name);
void gen_event_name_plain(struct gen_seq *seq, const char *name);
void gen_event_category(struct gen_seq *seq, const char *category);
void gen_event_category_plain(struct gen_seq *seq, const char *category);
void gen_event_flow(struct gen_seq *seq, uint64_t id);
void gen_event_last_flow(struct gen_seq *seq, uint64_t id);
void gen_event_counter(struct gen_seq *seq, int64_t value);
void gen_event_counter_double(struct gen_seq *seq, double value);
void gen_event_extra_counter(struct gen_seq *seq, uint64_t uuid, int64_t value);
void gen_event_extra_counter_double(struct gen_seq *seq, uint64_t uuid, double value);
void gen_event_source(struct gen_seq *seq, const char *file, const char *function, uint32_t line);
void gen_event_log(struct gen_seq *seq, const char *body, unsigned priority);

/* Debug annotations. */
void gen_event_bool(struct gen_seq *seq, const char *key, bool value);
void gen_event_uint(struct gen_seq *seq, const char *key, uint64_t value);
void gen_event_int(struct gen_seq *seq, const char *key, int64_t value);
void gen_event_double(struct gen_seq *seq, const char *key, double value);
void gen_event_text(struct gen_seq *seq, const char *key, const char *value);
void gen_event_text_interned(struct gen_seq *seq, const char *key, const char *value);
void gen_event_pointer(struct gen_seq *seq, const char *key, uint64_t value);
void gen_event_json(struct gen_seq *seq, const char *key, const char *json);
/* An annotation of any shape: write its value fields into gen_event_body. */
size_t gen_event_annotation_open(struct gen_seq *seq, const char *key);
void gen_event_annotation_close(struct gen_seq *seq, size_t mark);

/* The common ones in one call. */
void gen_slice_begin(struct gen_seq *seq, int64_t ts_ns, uint64_t track, const char *name);
void gen_slice_end(struct gen_seq *seq, int64_t ts_ns, uint64_t track);
void gen_instant(struct gen_seq *seq, int64_t ts_ns, uint64_t track, const char *name);
void gen_counter(struct gen_seq *seq, int64_t ts_ns, uint64_t track, int64_t value);
void gen_counter_double(struct gen_seq *seq, int64_t ts_ns, uint64_t track, double value);
void gen_state(struct gen_seq *seq, int64_t ts_ns, uint64_t track, const char *name);

#endif
