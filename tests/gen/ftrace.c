#include "tests/gen/ftrace.h"

#include <assert.h>

#include "tests/gen/packet.h"
#include "tests/gen/wire.h"

enum ftrace_event_field {
    EVENT_PRINT = 3,
    EVENT_SCHED_SWITCH = 4,
    EVENT_CPU_FREQUENCY = 11,
    EVENT_CPU_IDLE = 13,
    EVENT_BLOCKED_REASON = 18,
    EVENT_SCHED_WAKING = 20,
    EVENT_SOFTIRQ_ENTRY = 24,
    EVENT_SOFTIRQ_EXIT = 25,
    EVENT_IRQ_ENTRY = 36,
    EVENT_IRQ_EXIT = 37,
    EVENT_BINDER_TRANSACTION = 50,
    EVENT_BINDER_RECEIVED = 51,
    EVENT_NEWTASK = 235,
    EVENT_RENAME = 236,
    EVENT_PROCESS_EXIT = 238,
    EVENT_PROCESS_FREE = 240,
    EVENT_RSS_STAT = 313,
    EVENT_OOM_SCORE = 326,
};

enum { DEFAULT_PRIO = 120, BINDER_ONE_WAY = 1 };

void gen_ftrace_start(struct gen_ftrace *f, uint32_t cpu)
{
    *f = (struct gen_ftrace){.cpu = cpu};
}

void gen_ftrace_free(struct gen_ftrace *f)
{
    struct gen_column *columns[] = {&f->switch_ts,   &f->switch_state, &f->switch_tid,
                                    &f->switch_prio, &f->switch_comm,  &f->waking_ts,
                                    &f->waking_tid,  &f->waking_cpu,   &f->waking_prio,
                                    &f->waking_comm, &f->waking_flags};
    for (size_t i = 0; i < sizeof columns / sizeof columns[0]; i++)
        vec_free(columns[i]);
    buffer_free(&f->events);
    buffer_free(&f->intern_table);
    strmap_free(&f->comms);
}

bool gen_ftrace_is_empty(const struct gen_ftrace *f)
{
    return f->events.length == 0 && f->switch_ts.count == 0 && f->waking_ts.count == 0;
}

static uint64_t comm_index(struct gen_ftrace *f, const char *comm)
{
    bool added = false;
    uint64_t index = *strmap_put_if_absent(&f->comms, str_of(comm), f->comms.count, &added);
    if (added) gen_text(&f->intern_table, 5, comm);
    return index;
}

/* The first time of a bundle is absolute, the others are deltas. */
static uint64_t time_delta(const struct gen_column *column, int64_t *last_ns, int64_t ts_ns)
{
    uint64_t delta = (uint64_t)(column->count ? ts_ns - *last_ns : ts_ns);
    *last_ns = ts_ns;
    return delta;
}

void gen_ftrace_switch(struct gen_ftrace *f, int64_t ts_ns, int64_t prev_state, int32_t next_tid,
                       const char *next_comm, int32_t next_prio)
{
    uint64_t delta = time_delta(&f->switch_ts, &f->last_switch_ns, ts_ns);
    vec_push(&f->switch_ts, delta);
    vec_push(&f->switch_state, (uint64_t)prev_state);
    vec_push(&f->switch_tid, (uint64_t)(int64_t)next_tid);
    vec_push(&f->switch_prio, (uint64_t)(int64_t)next_prio);
    vec_push(&f->switch_comm, comm_index(f, next_comm));
}

void gen_ftrace_waking(struct gen_ftrace *f, int64_t ts_ns, int32_t tid, const char *comm,
                       uint32_t target_cpu, int32_t prio, uint32_t common_flags)
{
    uint64_t delta = time_delta(&f->waking_ts, &f->last_waking_ns, ts_ns);
    vec_push(&f->waking_ts, delta);
    vec_push(&f->waking_tid, (uint64_t)(int64_t)tid);
    vec_push(&f->waking_cpu, target_cpu);
    vec_push(&f->waking_prio, (uint64_t)(int64_t)prio);
    vec_push(&f->waking_comm, comm_index(f, comm));
    vec_push(&f->waking_flags, common_flags);
}

static void put_compact(struct gen_ftrace *f, struct buffer *out)
{
    const struct {
        uint32_t field;
        struct gen_column *column;
    } columns[] = {{1, &f->switch_ts},    {2, &f->switch_state}, {3, &f->switch_tid},
                   {4, &f->switch_prio},  {6, &f->switch_comm},  {7, &f->waking_ts},
                   {8, &f->waking_tid},   {9, &f->waking_cpu},   {10, &f->waking_prio},
                   {11, &f->waking_comm}, {12, &f->waking_flags}};
    size_t compact = gen_open(out, 4);
    buffer_append(out, f->intern_table.data, f->intern_table.length);
    for (size_t i = 0; i < sizeof columns / sizeof columns[0]; i++) {
        struct gen_column *column = columns[i].column;
        if (column->count) gen_packed(out, columns[i].field, column->items, column->count);
        vec_clear(column);
    }
    gen_close(out, compact);
}

void gen_ftrace_flush(struct gen_ftrace *f, struct buffer *trace, uint32_t sequence)
{
    if (gen_ftrace_is_empty(f)) return;
    size_t packet = gen_packet_open(trace, -1, sequence);
    if (f->interned && f->interned->length) {
        gen_nested(trace, GEN_PACKET_INTERNED_DATA, f->interned);
        buffer_clear(f->interned);
    }
    size_t bundle = gen_open(trace, GEN_PACKET_FTRACE);
    gen_uint(trace, 1, f->cpu);
    if (f->lost_events) gen_uint(trace, 3, 1);
    buffer_append(trace, f->events.data, f->events.length);
    if (f->switch_ts.count || f->waking_ts.count) put_compact(f, trace);
    gen_close(trace, bundle);
    gen_packet_close(trace, packet);
    f->lost_events = false;
    buffer_clear(&f->events);
    buffer_clear(&f->intern_table);
    strmap_free(&f->comms);
}

struct buffer *gen_ftrace_open(struct gen_ftrace *f, int64_t ts_ns, int32_t tid, uint32_t field)
{
    f->open_event = gen_open(&f->events, 2);
    gen_uint(&f->events, 1, (uint64_t)ts_ns);
    gen_int(&f->events, 2, tid);
    f->open_body = gen_open(&f->events, field);
    return &f->events;
}

void gen_ftrace_close(struct gen_ftrace *f)
{
    assert(f->open_event);
    gen_close(&f->events, f->open_body);
    gen_close(&f->events, f->open_event);
    f->open_event = 0;
}

void gen_ftrace_sched_switch(struct gen_ftrace *f, int64_t ts_ns, int32_t prev_tid,
                             const char *prev_comm, int64_t prev_state, int32_t next_tid,
                             const char *next_comm, int32_t next_prio)
{
    struct buffer *b = gen_ftrace_open(f, ts_ns, prev_tid, EVENT_SCHED_SWITCH);
    gen_text(b, 1, prev_comm);
    gen_int(b, 2, prev_tid);
    gen_int(b, 3, DEFAULT_PRIO);
    gen_int(b, 4, prev_state);
    gen_text(b, 5, next_comm);
    gen_int(b, 6, next_tid);
    gen_int(b, 7, next_prio);
    gen_ftrace_close(f);
}

void gen_ftrace_sched_waking(struct gen_ftrace *f, int64_t ts_ns, int32_t waker_tid, int32_t tid,
                             const char *comm, uint32_t target_cpu)
{
    struct buffer *b = gen_ftrace_open(f, ts_ns, waker_tid, EVENT_SCHED_WAKING);
    gen_text(b, 1, comm);
    gen_int(b, 2, tid);
    gen_int(b, 3, DEFAULT_PRIO);
    gen_int(b, 4, 1);
    gen_int(b, 5, target_cpu);
    gen_ftrace_close(f);
}

void gen_ftrace_blocked_reason(struct gen_ftrace *f, int64_t ts_ns, int32_t waker_tid, int32_t tid,
                               uint64_t caller, bool io_wait)
{
    struct buffer *b = gen_ftrace_open(f, ts_ns, waker_tid, EVENT_BLOCKED_REASON);
    gen_int(b, 1, tid);
    if (caller) gen_uint(b, 2, caller);
    gen_uint(b, 3, io_wait);
    gen_ftrace_close(f);
}

void gen_ftrace_print(struct gen_ftrace *f, int64_t ts_ns, int32_t tid, const char *text)
{
    struct buffer *b = gen_ftrace_open(f, ts_ns, tid, EVENT_PRINT);
    gen_text(b, 2, text);
    gen_ftrace_close(f);
}

void gen_ftrace_cpu_frequency(struct gen_ftrace *f, int64_t ts_ns, uint32_t khz)
{
    struct buffer *b = gen_ftrace_open(f, ts_ns, 0, EVENT_CPU_FREQUENCY);
    gen_uint(b, 1, khz);
    gen_uint(b, 2, f->cpu);
    gen_ftrace_close(f);
}

void gen_ftrace_cpu_idle(struct gen_ftrace *f, int64_t ts_ns, uint32_t state)
{
    struct buffer *b = gen_ftrace_open(f, ts_ns, 0, EVENT_CPU_IDLE);
    gen_uint(b, 1, state);
    gen_uint(b, 2, f->cpu);
    gen_ftrace_close(f);
}

void gen_ftrace_newtask(struct gen_ftrace *f, int64_t ts_ns, int32_t parent_tid, int32_t tid,
                        const char *comm, uint64_t clone_flags)
{
    struct buffer *b = gen_ftrace_open(f, ts_ns, parent_tid, EVENT_NEWTASK);
    gen_int(b, 1, tid);
    gen_text(b, 2, comm);
    gen_uint(b, 3, clone_flags);
    gen_int(b, 4, 0);
    gen_ftrace_close(f);
}

void gen_ftrace_rename(struct gen_ftrace *f, int64_t ts_ns, int32_t tid, const char *old_comm,
                       const char *new_comm)
{
    struct buffer *b = gen_ftrace_open(f, ts_ns, tid, EVENT_RENAME);
    gen_int(b, 1, tid);
    gen_text(b, 2, old_comm);
    gen_text(b, 3, new_comm);
    gen_int(b, 4, 0);
    gen_ftrace_close(f);
}

void gen_ftrace_process_exit(struct gen_ftrace *f, int64_t ts_ns, int32_t tid, int32_t pid,
                             const char *comm)
{
    struct buffer *b = gen_ftrace_open(f, ts_ns, tid, EVENT_PROCESS_EXIT);
    gen_text(b, 1, comm);
    gen_int(b, 2, tid);
    gen_int(b, 3, pid);
    gen_int(b, 4, DEFAULT_PRIO);
    gen_ftrace_close(f);
}

void gen_ftrace_process_free(struct gen_ftrace *f, int64_t ts_ns, int32_t tid, const char *comm)
{
    struct buffer *b = gen_ftrace_open(f, ts_ns, 0, EVENT_PROCESS_FREE);
    gen_text(b, 1, comm);
    gen_int(b, 2, tid);
    gen_int(b, 3, DEFAULT_PRIO);
    gen_ftrace_close(f);
}

void gen_ftrace_rss_stat(struct gen_ftrace *f, int64_t ts_ns, int32_t tid, int32_t member,
                         int64_t bytes)
{
    struct buffer *b = gen_ftrace_open(f, ts_ns, tid, EVENT_RSS_STAT);
    gen_int(b, 1, member);
    gen_int(b, 2, bytes);
    gen_uint(b, 3, 1);
    gen_uint(b, 4, (uint64_t)tid * 7 + 1);
    gen_ftrace_close(f);
}

void gen_ftrace_oom_score(struct gen_ftrace *f, int64_t ts_ns, int32_t tid, const char *comm,
                          int32_t score)
{
    struct buffer *b = gen_ftrace_open(f, ts_ns, tid, EVENT_OOM_SCORE);
    gen_text(b, 1, comm);
    gen_int(b, 2, score);
    gen_int(b, 3, tid);
    gen_ftrace_close(f);
}

void gen_ftrace_irq(struct gen_ftrace *f, int64_t ts_ns, int64_t dur_ns, int32_t irq,
                    const char *name)
{
    struct buffer *b = gen_ftrace_open(f, ts_ns, 0, EVENT_IRQ_ENTRY);
    gen_int(b, 1, irq);
    gen_text(b, 2, name);
    gen_ftrace_close(f);
    b = gen_ftrace_open(f, ts_ns + dur_ns, 0, EVENT_IRQ_EXIT);
    gen_int(b, 1, irq);
    gen_int(b, 2, 1);
    gen_ftrace_close(f);
}

void gen_ftrace_softirq(struct gen_ftrace *f, int64_t ts_ns, int64_t dur_ns, uint32_t vec)
{
    struct buffer *b = gen_ftrace_open(f, ts_ns, 0, EVENT_SOFTIRQ_ENTRY);
    gen_uint(b, 1, vec);
    gen_ftrace_close(f);
    b = gen_ftrace_open(f, ts_ns + dur_ns, 0, EVENT_SOFTIRQ_EXIT);
    gen_uint(b, 1, vec);
    gen_ftrace_close(f);
}

void gen_ftrace_binder_transaction(struct gen_ftrace *f, int64_t ts_ns, int32_t tid,
                                   int32_t debug_id, int32_t to_pid, int32_t to_tid, bool is_reply,
                                   bool is_oneway)
{
    struct buffer *b = gen_ftrace_open(f, ts_ns, tid, EVENT_BINDER_TRANSACTION);
    gen_int(b, 1, debug_id);
    gen_int(b, 2, is_reply ? 0 : 1);
    gen_int(b, 3, to_pid);
    gen_int(b, 4, to_tid);
    gen_int(b, 5, is_reply);
    gen_uint(b, 6, 1);
    gen_uint(b, 7, is_oneway ? BINDER_ONE_WAY : 0);
    gen_ftrace_close(f);
}

void gen_ftrace_binder_received(struct gen_ftrace *f, int64_t ts_ns, int32_t tid, int32_t debug_id)
{
    struct buffer *b = gen_ftrace_open(f, ts_ns, tid, EVENT_BINDER_RECEIVED);
    gen_int(b, 1, debug_id);
    gen_ftrace_close(f);
}
