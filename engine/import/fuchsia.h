/* Fuchsia traces, "FXT" (spec engine_2c 6; the format:
 * https://fuchsia.dev/fuchsia-src/reference/tracing/trace-format).
 *
 * A file is records of 64-bit words.  Strings and threads are numbered per provider
 * and may be renumbered, so they are looked up while tokenising; what an event needs
 * is kept until it is parsed in order of time.
 */
#ifndef ENGINE_IMPORT_FUCHSIA_H
#define ENGINE_IMPORT_FUCHSIA_H

#include "engine/base/buffer.h"
#include "engine/base/map.h"
#include "engine/base/vec.h"
#include "engine/import/damage.h"
#include "engine/import/import.h"

enum fuchsia_event_kind {
    FUCHSIA_INSTANT,
    FUCHSIA_COUNTER,
    FUCHSIA_BEGIN,
    FUCHSIA_END,
    FUCHSIA_COMPLETE,
    FUCHSIA_ASYNC_BEGIN,
    FUCHSIA_ASYNC_INSTANT,
    FUCHSIA_ASYNC_END,
    FUCHSIA_FLOW_BEGIN,
    FUCHSIA_FLOW_STEP,
    FUCHSIA_FLOW_END,
    /* Ours, for what the kernel's scheduler tells. */
    FUCHSIA_SWITCH = 32,
    FUCHSIA_WAKEUP,
};

enum fuchsia_arg_type {
    FUCHSIA_ARG_NULL,
    FUCHSIA_ARG_INT32,
    FUCHSIA_ARG_UINT32,
    FUCHSIA_ARG_INT64,
    FUCHSIA_ARG_UINT64,
    FUCHSIA_ARG_DOUBLE,
    FUCHSIA_ARG_STRING,
    FUCHSIA_ARG_POINTER,
    FUCHSIA_ARG_KOID,
    FUCHSIA_ARG_BOOL,
    FUCHSIA_ARG_TYPES,
};

struct fuchsia_arg {
    string_id name;
    uint8_t type;
    union {
        uint64_t number;
        double real;
        string_id string;
    } value;
};

struct fuchsia_thread {
    uint32_t pid, tid;
};

struct fuchsia_provider {
    uint32_t id;
    uint64_t ticks_per_second;
    struct map strings; /* number to string id */
    struct map threads; /* number to index in the list */
    VEC(struct fuchsia_thread) thread_list;
};

/* A switch: `thread` leaves, `next` comes; is_idle of a side: it is no thread. */
struct fuchsia_switch {
    struct fuchsia_thread next;
    uint32_t cpu;
    uint8_t out_state;
    bool out_is_idle, in_is_idle;
    int32_t priority;
};

/* In the sorter. */
struct fuchsia_event {
    uint8_t kind;
    struct fuchsia_thread thread;
    string_id category, name;
    uint32_t first_arg, n_args; /* in args of the state */
    union {
        uint64_t id;                  /* of counters, async events, flows */
        int64_t end;                  /* of complete events */
        struct fuchsia_switch on_cpu; /* of switches; of wake-ups `next` is the waker */
    } more;
};

struct fuchsia_cpu_state;

struct fuchsia {
    struct import_file *file;
    struct import *import;
    struct damage damage;
    uint32_t queue, sink;
    VEC(struct fuchsia_provider *) providers;
    struct map provider_index;         /* id to number in providers */
    struct fuchsia_provider *provider; /* NULL: of a section of an unknown one */
    VEC(struct fuchsia_arg) args;
    struct buffer blob; /* a Perfetto trace, in parts */
    struct import_file nested;
    bool has_nested;
    struct map flow_pids; /* id of a flow to the pid that began it, or FLOW_OF_MANY */
    struct map open_states, open_slices; /* utid to row + 1; 0: none */
    struct buffer text;
};

/* fuchsia_event.c: sinks of the sorter. */
void fuchsia_parse_event(void *owner, int64_t ts, const void *payload);
/* fuchsia_sched.c */
void fuchsia_parse_switch(struct fuchsia *f, int64_t ts, const struct fuchsia_event *event);
void fuchsia_parse_wakeup(struct fuchsia *f, int64_t ts, const struct fuchsia_event *event);

#endif
