/* Track events of one packet reader: what the files track_event_*.c share
 * (spec engine_2 2.2).
 *
 *   track_event_source.c    packets: descriptors, threads, the list of modules
 *   track_event_tokenize.c  an event's time and counters, in file order
 *   track_event_tracks.c    descriptors by uuid, and the tracks made of them
 *   track_event_parse.c     an event in order of time
 *   track_event_legacy.c    phases of the legacy event
 *   track_event_args.c      args, and what else hangs on a slice
 *   track_event_translate.c names that stand for others
 *   track_event_android.c   processes that Android's framework starts and ends
 *   track_event_annotation.c, track_event_stack.c  debug annotations, call stacks
 */
#ifndef ENGINE_IMPORT_TRACK_EVENT_H
#define ENGINE_IMPORT_TRACK_EVENT_H

#include "engine/base/arena.h"
#include "engine/base/map.h"
#include "engine/import/arg_writer.h"
#include "engine/import/packet.h"
#include "engine/import/process.h"
#include "engine/import/slice.h"
#include "engine/import/stats.h"
#include "engine/import/track.h"
#include "engine/proto/wire.h"

#define TRACK_EVENT_MAX_EXTRA_COUNTERS 8
#define TRACK_EVENT_MAX_ANCESTORS      100

/* Fields of InternedData that events refer to. */
enum {
    INTERNED_CATEGORY = 1,
    INTERNED_NAME = 2,
    INTERNED_ANNOTATION_NAME = 3,
    INTERNED_SOURCE_LOCATION = 4,
    INTERNED_FUNCTION_NAME = 5,
    INTERNED_FRAME = 6,
    INTERNED_CALLSTACK = 7,
    INTERNED_BUILD_ID = 16,
    INTERNED_MAPPING_PATH = 17,
    INTERNED_SOURCE_PATH = 18,
    INTERNED_MAPPING = 19,
    INTERNED_LOG_BODY = 20,
    INTERNED_HISTOGRAM_NAME = 25,
    INTERNED_PROTO_TYPE_NAME = 27,
    INTERNED_ANNOTATION_STRING = 29,
    INTERNED_CORRELATION_ID = 43,
};

/* TrackEvent.type */
enum {
    TRACK_EVENT_UNSPECIFIED = 0,
    TRACK_EVENT_SLICE_BEGIN = 1,
    TRACK_EVENT_SLICE_END = 2,
    TRACK_EVENT_INSTANT = 3,
    TRACK_EVENT_COUNTER = 4,
    TRACK_EVENT_STATE = 5,
};

/* A thread as the sequence's ThreadDescriptor gave it: one between two clearings
 * of the state, also for the events before it. */
struct track_event_thread {
    bool is_known;
    int64_t pid, tid;
};

/* TrackEventDefaults, as read from `bytes`. */
struct track_event_defaults {
    struct str bytes;
    bool has_track_uuid;
    uint64_t track_uuid;
    unsigned n_extra, n_extra_double;
    uint64_t extra[TRACK_EVENT_MAX_EXTRA_COUNTERS + 1];
    uint64_t extra_double[TRACK_EVENT_MAX_EXTRA_COUNTERS + 1];
};

struct track_event_sequence {
    struct sequence *sequence;
    struct track_event_cache *cache; /* NULL until the sequence is busy */
    uint32_t parsed;                 /* events, counted that far */
    struct track_event_thread *thread;
    bool times_valid; /* a ThreadDescriptor with references was seen */
    bool is_first;    /* has_first_packet_on_sequence */
    int64_t time_ns, thread_time_ns, instructions;
    uint32_t clears; /* how often the state was cleared */
    struct track_event_defaults tokenizing, parsing;
};

enum track_scope { SCOPE_GLOBAL, SCOPE_PROCESS, SCOPE_THREAD };
enum track_merge { MERGE_BY_NAME, MERGE_NONE, MERGE_BY_KEY };
enum track_resolution { TRACK_UNRESOLVED, TRACK_RESOLVING, TRACK_RESOLVED, TRACK_FAILED };

/* A TrackDescriptor.  What a first descriptor says stays, but for the name. */
struct track_event_track {
    uint64_t uuid, parent_uuid;
    bool has_pid, has_tid, is_synthetic_tid;
    int64_t pid, tid;
    bool is_counter, is_state, no_system_merge;
    uint8_t merge; /* enum track_merge */
    uint8_t child_ordering, builtin_counter;
    bool has_rank, is_first_on_sequence;
    int32_t rank;
    uint64_t merge_key_int;
    string_id merge_key;
    string_id name, description, category, unit, axis_key;
    bool explicit_processes, explicit_threads; /* of uuid 0: ranks order them */
    /* Counters. */
    int64_t unit_multiplier;
    bool is_incremental;
    const struct track_event_sequence *counter_sequence;
    uint32_t counter_clears;
    double counter_latest;
    /* Once resolved. */
    uint8_t resolution, scope; /* enum track_resolution, track_scope */
    bool is_root;
    uint32_t utid, upid; /* NULL_UINT32 outside their scope */
    /* Once made: one row, or a set of lanes. */
    uint32_t row, lanes; /* NULL_UINT32: not made */
    uint32_t some_lane;  /* a row of the lanes; NULL_UINT32: none yet */
};

struct track_event_strings {
    string_id legacy_event_phase, passthrough_utid, legacy_trace_source_id;
    string_id thread_time, thread_instruction_count;
    string_id source, trace_id, is_root_in_scope, category, builtin_counter_type;
    string_id y_axis_share_key, first_on_sequence, child_ordering, sibling_order_rank;
    string_id description, descriptor, default_track;
};

/* What a name or a hash is to be read as; see track_event_translate.c. */
struct track_event_translations {
    struct map histograms, user_events, sites, marks; /* hash to string */
    struct map slice_names, track_names;              /* string to string */
    struct map studies;                               /* hash of a trigger to string */
};

struct track_events {
    struct import *import;
    struct packet_reader *reader;
    const struct import_file *file;
    uint32_t queue, sink;
    struct arena arena; /* descriptors, threads, sequences */
    struct map tracks;  /* uuid to struct track_event_track * */
    struct track_event_track *last_track;
    struct map uuid_of_utid, uuid_of_upid;
    struct track_event_strings strings;
    const struct proto_message *message; /* perfetto.protos.TrackEvent */
    struct arg_list args;
    struct arg_writer writer;
    struct track_event_translations translations;
    struct buffer text;
    struct map legacy_names;      /* of async ids: hash to the first event's name */
    struct map android_processes; /* upid to its row of android_track_event_process */
    struct map callstack_rows;    /* slice to its row of track_event_callstacks */
    VEC(string_id) debug_keys;    /* by the string id of a name: "debug.<name>", or NULL */
};

/* An event that waits in the sorter.  values[]: counter, thread time and
 * instructions as the flags say, then the extra counters (n_extra, of which the
 * first n_extra_int are of the integer lists), all but times doubles as bits. */
enum { EVENT_HAS_COUNTER = 1, EVENT_HAS_THREAD_TIME = 2, EVENT_HAS_INSTRUCTIONS = 4 };
struct track_event_payload {
    struct track_event_sequence *sequence;
    struct generation *generation; /* held */
    const struct track_event_thread *thread;
    const char *bytes;
    uint32_t length;
    uint8_t flags, n_extra_int, n_extra;
    int64_t values[];
};

/* The parts of an event that is being parsed. */
struct track_event {
    struct track_events *te;
    struct track_event_sequence *sequence;
    const struct track_event_thread *thread;
    const struct track_event_defaults *defaults;
    struct packet packet; /* for looking up interned data */
    int64_t ts;
    struct str bytes, legacy_bytes;
    uint64_t seen; /* bit n: field n < 64 is there */
    bool has_extension;
    struct str gpu_correlation; /* with what the GPU did; STR_NONE: none */
    bool has_type, has_legacy;
    uint32_t type;
    uint64_t track_uuid, name_iid;
    struct str name_text;
    unsigned n_categories;
    uint64_t category_iid; /* when there is one category, by iid */
    struct str category_text;
    double counter;
    bool has_thread_ts, has_instructions;
    int64_t thread_ts, instructions;
    const int64_t *extra; /* integers, then doubles */
    unsigned n_extra_int, n_extra;
    /* Found out. */
    string_id name, category;
    struct track_event_track *descriptor; /* NULL: a track of another kind */
    uint32_t track;
    uint32_t utid, upid, passthrough_utid; /* NULL_UINT32: none */
    /* The legacy event. */
    uint32_t phase; /* 0: none */
    uint64_t legacy_seen;
    uint64_t legacy_name_iid, unscoped_id, local_id, global_id, bind_id;
    int64_t duration_us, thread_duration_us, thread_instruction_delta;
    struct str id_scope;
    bool bind_to_enclosing, use_async_tts;
    uint32_t flow_direction, instant_scope;
    int64_t pid_override, tid_override;
    bool has_async_id;
    int64_t async_id;
};

static inline bool track_event_has(const struct track_event *e, unsigned field)
{
    return e->seen >> field & 1;
}
static inline bool track_event_legacy_has(const struct track_event *e, unsigned field)
{
    return e->legacy_seen >> field & 1;
}

/* track_event_source.c */
struct track_event_sequence *track_event_sequence_of(struct track_events *te,
                                                     const struct packet *packet);
const struct track_event_defaults *track_event_defaults_of(struct track_event_defaults *cached,
                                                           const struct packet *packet);
void track_event_set_thread(struct track_event_sequence *sequence, struct str thread_descriptor);

/* track_event_tokenize.c */
bool track_event_tokenize(void *state, const struct packet *packet, struct str field);
void track_event_parse(void *state, int64_t ts, const void *payload);

/* track_event_tracks.c */
void track_event_track_register(struct track_events *te, const struct packet *packet,
                                struct track_event_sequence *sequence, struct str descriptor);
/* NULL when nobody described the uuid. */
struct track_event_track *track_event_track_find(struct track_events *te, uint64_t uuid);
/* The same, described as a global track when nobody did. */
struct track_event_track *track_event_track_get(struct track_events *te, uint64_t uuid);
/* Finds process and thread; false (and counted) when the ancestors make no sense. */
bool track_event_track_resolve(struct track_events *te, struct track_event_track *track);
/* The row for an event (lane for lane sets).  event_name names a track that has no
 * name.  NULL_UINT32 when the track does not resolve. */
enum track_event_edge { EDGE_BEGIN, EDGE_END, EDGE_INSTANT };
uint32_t track_event_track_row(struct track_events *te, struct track_event_track *track,
                               enum track_event_edge edge, string_id event_name);
void track_event_track_set_name(struct track_events *te, struct track_event_track *track,
                                string_id name);

/* track_event_parse.c */
static inline string_id track_event_interned(struct track_event *e, uint32_t field, uint64_t iid)
{
    return packet_interned_string(&e->packet, field, iid);
}
/* Counts an event that cannot be used; always false. */
bool track_event_error(struct track_event *e);
/* Finds the row of the event's descriptor, or of its thread when it has none; keeps
 * a track that was found before. */
bool track_event_place(struct track_event *e, enum track_event_edge edge);
/* Slices on e->track. */
bool track_event_begin(struct track_event *e);
bool track_event_end(struct track_event *e);
bool track_event_instant(struct track_event *e);
void track_event_set_thread_times(struct track_event *e, uint32_t slice);

/* track_event_legacy.c */
bool track_event_legacy_read(struct track_event *e);
bool track_event_legacy_associate(struct track_event *e);
bool track_event_legacy_run(struct track_event *e);

/* track_event_args.c: fills te->args and returns them, NULL when there are none. */
struct arg_list *track_event_args(struct track_event *e);
/* All that the event itself says, into te->args; see above for what goes first. */
void track_event_put_args(struct track_event *e);
/* Flows and call stacks of a slice. */
void track_event_flows(struct track_event *e, uint32_t slice);
void track_event_callstack(struct track_event *e, uint32_t slice, bool is_end);
bool track_event_source_location(struct track_event *e, uint64_t iid, struct str *file,
                                 struct str *function, uint32_t *line);

/* track_event_translate.c */
void track_event_show_trigger(void *state, int64_t ts, const struct packet *packet,
                              struct str field);
bool track_event_read_translations(void *state, const struct packet *packet, struct str field);
void track_event_free_translations(struct track_event_translations *translations);
string_id track_event_translate(const struct map *names, string_id name);
/* Next to a hash that was put: the name that it stands for, when it is known. */
void track_event_put_hash_name(struct track_event *e, const struct proto_field *field,
                               uint64_t hash);

/* track_event_android.c: true when the extension is not to become args. */
bool track_event_take_android(struct track_event *e, const struct wire_field *f);

/* track_event_stack.c */
void track_event_put_callstack(struct track_event *e, uint32_t slice, bool is_end);

/* track_event_annotation.c: under the key that is entered; under "debug". */
void track_event_annotation(struct track_event *e, struct str bytes);
void track_event_debug_annotation(struct track_event *e, struct str bytes);

#endif
