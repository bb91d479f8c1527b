/* What the files of the JSON importer share: the state of one JSON file.
 *
 *   json_import  framing: where events are, what to do where bytes are bad
 *   json_event   one event's fields
 *   json_parse   events in order of time, into the trackers
 *   json_args    an event's args, flattened
 *   json_ids     pids, tids and flow ids
 *   json_v8      samples of V8's profiler (phase P)
 *   json_system_trace  kernel events
 *   json_forms   one event a line
 */
#ifndef ENGINE_IMPORT_JSON_STATE_H
#define ENGINE_IMPORT_JSON_STATE_H

#include "engine/base/map.h"
#include "engine/import/args.h"
#include "engine/import/import.h"
#include "engine/import/json_event.h"
#include "engine/import/stats.h"

struct json_v8;
struct systrace;

/* In the sorter: where the event is, and what decides among equal times. */
struct json_pending {
    uint64_t offset;
    int64_t dur; /* of X; else 0 */
    bool is_end; /* E, unless its B has the same time */
};

/* An event whose clock could not be converted before the end of the input. */
struct json_deferred {
    int64_t ts;
    struct json_pending pending;
};

struct json_thread {
    int64_t pid, tid;
    bool has_pid, has_tid, out_of_range;
    string_id pid_name, tid_name; /* of text ids */
};

struct json_state {
    const struct import_file *file;
    struct import *import;
    struct str bytes;   /* as UTF-8 */
    struct buffer utf8; /* holds them when the file is UTF-16 */
    bool is_lines;      /* one event a line, without brackets around them */

    /* Tokenising. */
    uint32_t queue, event_sink;
    uint32_t sample_queue, sample_sink; /* V8's; their payload is of another kind */
    uint64_t n_events;                  /* objects met, counted from 1 for messages */
    uint64_t n_entered;                 /* pushed to the sorter */
    bool has_complete;
    uint64_t resync_bytes_left; /* looking for the next event has its limit */
    uint32_t n_logged;          /* rows in the import log */
    struct map open_begins;     /* hash(pid, tid) -> index in begins */
    VEC(struct json_begin_stack) begins;
    VEC(struct json_deferred) deferred;
    struct json_v8 *v8;
    struct systrace *systrace; /* of systemTraceEvents; NULL without any */
    VEC(char *) system_texts;  /* its text, decoded */

    /* Ids. */
    VEC(int64_t) places; /* by string: the number it stands for as a pid; 0: none yet */
    int64_t next_place;

    /* Parsing. */
    struct buffer text, text2, key, flat_key;
    struct arg_list args;
    uint64_t key_bytes_left;  /* see json_args.c */
    struct map thread_tracks; /* utid -> track */
    struct map async_names;   /* hash of an async id -> name of its first event */
    int64_t last_pid, last_tid;
    uint32_t last_utid;
    string_id no_name, running, sort_key_process, sort_key_thread, source_key, source_chrome,
        utid_key;
};

/* ts of B events that are open, in file order. */
struct json_begin_stack {
    int64_t *ts;
    uint32_t count, capacity;
};

/* The text of a scalar string, good until the next call with the same buffer. */
struct str json_text(const struct json_scalar *value, struct buffer *buffer);
/* STRING_NULL for "" and for what is no string. */
string_id json_intern(struct json_state *state, const struct json_scalar *value);

/* The number that a string stands for as a pid or tid. */
int64_t json_place(struct json_state *state, string_id id);
/* Gives the event's strings their numbers, in file order. */
void json_note_places(struct json_state *state, const struct json_event *event);
struct json_thread json_thread_of(struct json_state *state, const struct json_event *event);
/* A flow's id: text in base 16 or a number.  False when it is neither. */
bool json_flow_id(const struct json_scalar *value, uint64_t *id);
/* Hash of an id, text and numbers apart. */
uint64_t json_id_hash(const struct json_scalar *value);

/* Appends the flattened args.  False when a value in them is no JSON value; those
 * before it are there. */
bool json_args_flatten(struct json_state *state, struct str args, struct arg_list *out);
/* Calls `visit` for each top-level arg; compound values come with their first
 * token and no text.  False as above. */
typedef void (*json_arg_visitor)(void *context, struct str key, bool key_has_escapes,
                                 const struct json_scalar *value);
bool json_args_visit(struct str args, json_arg_visitor visit, void *context);

void json_parse_begin(struct json_state *state);
/* Sorter sink; payload is a struct json_pending. */
void json_parse_event(void *state, int64_t ts, const void *payload);

/* Phase P. */
void json_v8_tokenize(struct json_state *state, const struct json_event *event);
void json_v8_parse_sample(void *state, int64_t ts, const void *payload);
void json_v8_free(struct json_v8 *v8);

/* systemTraceEvents: the text of an ftrace. */
void json_system_trace(struct json_state *state, const struct json_scalar *text, size_t offset);
void json_system_trace_free(struct json_state *state);

/* A failure that costs one event: counted, and the first ones logged. */
void json_fail_event(struct json_state *state, enum stat stat, size_t offset, const char *error);
void json_fail_parse(struct json_state *state, int64_t ts, const struct json_event *event,
                     const char *error);

#endif
