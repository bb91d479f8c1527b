/* Raw kernel events as bytes, in the order of their rows: what the rows of
 * ftrace_event and their args are made from when somebody reads those tables
 * (store/late_rows.h).
 *
 * A record is a byte with its kind and what need not be said, then varints: most
 * switches take 6 to 8 bytes, where a row and its args would take 40 and more.
 * Writer and reader keep the same state beside it: the last time and CPU, who runs
 * on each CPU, and what each thread was last said to be.
 */
#ifndef ENGINE_IMPORT_FTRACE_LOG_H
#define ENGINE_IMPORT_FTRACE_LOG_H

#include "engine/base/vec.h"
#include "engine/import/ftrace_schema.h"
#include "engine/store/late_rows.h"

enum ftrace_log_kind { FTRACE_LOG_ROW, FTRACE_LOG_SWITCH, FTRACE_LOG_WAKING, FTRACE_LOG_EVENT };

enum ftrace_log_bit {
    FTRACE_LOG_SAME_CPU = 4,    /* as the record before */
    FTRACE_LOG_OF_RUNNING = 8,  /* the thread that runs there, as it was last said to be */
    FTRACE_LOG_KNOWN = 16,      /* the other thread is as it was last said to be */
    FTRACE_LOG_NO_FLAGS = 32,   /* common_flags are 0 */
    FTRACE_LOG_HAS_THREAD = 64, /* the thread that wakes up has a utid */
};

struct ftrace_log_thread {
    int64_t tid;
    string_id comm;
    int32_t priority;
};

struct ftrace_log_state {
    int64_t ts;
    uint32_t ucpu;
    VEC(uint32_t) running;                 /* utid by ucpu; NULL_UINT32 at first */
    VEC(struct ftrace_log_thread) threads; /* by utid */
};

struct ftrace_log_chunk {
    uint8_t *bytes; /* mapped */
    size_t used, size;
};

#define FTRACE_LOG_EVENTS 1024 /* ids of events with a schema are below */

struct ftrace_log {
    struct late_rows late; /* first */
    VEC(struct ftrace_log_chunk) chunks;
    uint8_t *at, *end; /* of the last chunk */
    struct ftrace_log_state state;
    uint64_t seen[FTRACE_LOG_EVENTS / 64]; /* ids of events in it */
    struct ftrace_schemas schemas;
};

/* The log of these tables, made at the first call. */
struct ftrace_log *ftrace_log_of(struct tables *tables);

struct ftrace_log_switch {
    struct ftrace_log_thread prev, next;
    uint32_t prev_utid, next_utid;
    int64_t prev_state;
};
void ftrace_log_put_switch(struct ftrace_log *log, int64_t ts, uint32_t ucpu,
                           const struct ftrace_log_switch *s);

struct ftrace_log_waking {
    struct ftrace_log_thread thread;
    uint32_t utid;       /* of that thread; NULL_UINT32 when nobody asked */
    uint32_t waker_utid; /* that the row is of */
    int32_t target_cpu;
    uint32_t common_flags;
};
void ftrace_log_put_waking(struct ftrace_log *log, int64_t ts, uint32_t ucpu,
                           const struct ftrace_log_waking *w);

struct ftrace_log_event {
    uint32_t id; /* of an event with a schema */
    uint32_t utid, common_flags;
    struct str body; /* copied */
};
void ftrace_log_put_event(struct ftrace_log *log, int64_t ts, uint32_t ucpu,
                          const struct ftrace_log_event *e);

/* A row whose args are there already. */
void ftrace_log_put_row(struct ftrace_log *log, const struct ftrace_event_row *row);

/* ftrace_log_state.c: for both sides. */
void ftrace_log_state_free(struct ftrace_log_state *state);
uint32_t *ftrace_log_running(struct ftrace_log_state *state, uint32_t ucpu);
struct ftrace_log_thread *ftrace_log_thread(struct ftrace_log_state *state, uint32_t utid);

/* ftrace_log_rows.c: late_rows.make and may_hold. */
void ftrace_log_make_rows(struct late_rows *late);
bool ftrace_log_may_hold(const struct late_rows *late, const struct table *table, uint32_t column,
                         struct str text);
/* Lets go of the records and the state; the counts stay. */
void ftrace_log_clear(struct ftrace_log *log);

#endif
