#include "engine/import/ftrace_log.h"

#include <string.h>

#include "engine/base/memory.h"

#define FIRST_CHUNK ((size_t)64 << 10)
#define CHUNK       ((size_t)1 << 20)
#define MAX_RECORD  96u /* without the body of an event */

/* ---- the state of both sides ---- */

uint32_t *ftrace_log_running(struct ftrace_log_state *state, uint32_t ucpu)
{
    if (ucpu >= state->running.count) {
        vec_reserve(&state->running, (size_t)ucpu + 1);
        while (state->running.count <= ucpu)
            state->running.items[state->running.count++] = NULL_UINT32;
    }
    return &state->running.items[ucpu];
}

struct ftrace_log_thread *ftrace_log_thread(struct ftrace_log_state *state, uint32_t utid)
{
    if (utid >= state->threads.count) {
        vec_reserve(&state->threads, (size_t)utid + 1);
        while (state->threads.count <= utid)
            state->threads.items[state->threads.count++] = (struct ftrace_log_thread){.tid = -1};
    }
    return &state->threads.items[utid];
}

void ftrace_log_state_free(struct ftrace_log_state *state)
{
    vec_free(&state->running);
    vec_free(&state->threads);
}

/* ---- one log ---- */

void ftrace_log_clear(struct ftrace_log *log)
{
    for (size_t i = 0; i < log->chunks.count; i++)
        mem_unmap(log->chunks.items[i].bytes, log->chunks.items[i].size);
    vec_free(&log->chunks);
    log->at = log->end = NULL;
    ftrace_log_state_free(&log->state);
    log->state = (struct ftrace_log_state){0};
}

static void free_log(struct late_rows *late)
{
    struct ftrace_log *log = (struct ftrace_log *)late;
    ftrace_log_clear(log);
    ftrace_schemas_free(&log->schemas);
    mem_free(late->rows_of_cpu);
    mem_free(log);
}

struct ftrace_log *ftrace_log_of(struct tables *tables)
{
    if (tables->late) return (struct ftrace_log *)tables->late;
    struct ftrace_log *log = mem_zero(1, sizeof *log);
    log->late = (struct late_rows){
        .make = ftrace_log_make_rows, .dispose = free_log, .may_hold = ftrace_log_may_hold};
    late_rows_attach(tables, &log->late);
    return log;
}

/* Tells the last chunk how far it is filled. */
static void close_chunk(struct ftrace_log *log)
{
    if (!log->chunks.count) return;
    struct ftrace_log_chunk *last = &log->chunks.items[log->chunks.count - 1];
    last->used = (size_t)(log->at - last->bytes);
}

static void add_chunk(struct ftrace_log *log, size_t bytes)
{
    close_chunk(log);
    size_t size = log->chunks.count ? CHUNK : FIRST_CHUNK;
    while (size < bytes)
        size *= 2;
    struct ftrace_log_chunk chunk = {.bytes = mem_map(size), .size = size};
    mem_expect(chunk.bytes, 0, size);
    vec_push(&log->chunks, chunk);
    log->at = chunk.bytes;
    log->end = chunk.bytes + size;
}

static void grow_counts(struct late_rows *late, uint32_t ucpu)
{
    uint32_t n = late->n_cpus ? late->n_cpus : 8;
    while (n <= ucpu)
        n *= 2;
    rwlock_write(&late->tables->gate);
    late->rows_of_cpu = mem_resize(late->rows_of_cpu, n * sizeof *late->rows_of_cpu);
    memset(late->rows_of_cpu + late->n_cpus, 0, (n - late->n_cpus) * sizeof *late->rows_of_cpu);
    late->n_cpus = n;
    rwlock_unlock(&late->tables->gate);
}

static void count_row(struct late_rows *late, int64_t ts, uint32_t ucpu)
{
    if (ucpu >= late->n_cpus) grow_counts(late, ucpu);
    late->rows_of_cpu[ucpu]++;
    if (!late->n_rows || ts < late->first_ts) late->first_ts = ts;
    if (!late->n_rows || ts > late->last_ts) late->last_ts = ts;
    late->n_rows++;
}

/* ---- writing ---- */

static inline uint8_t *put(uint8_t *at, uint64_t value)
{
    while (value >= 0x80) {
        *at++ = (uint8_t)(value | 0x80);
        value >>= 7;
    }
    *at++ = (uint8_t)value;
    return at;
}

static inline uint8_t *put_signed(uint8_t *at, int64_t value)
{
    return put(at, (uint64_t)value << 1 ^ (uint64_t)(value >> 63));
}

static uint8_t *put_thread(uint8_t *at, const struct ftrace_log_thread *thread)
{
    at = put_signed(at, thread->tid);
    at = put(at, thread->comm);
    return put_signed(at, thread->priority);
}

static bool is_same(const struct ftrace_log_thread *a, const struct ftrace_log_thread *b)
{
    return a->tid == b->tid && a->comm == b->comm && a->priority == b->priority;
}

/* Room for a record; then its head, with CPU and time. */
static uint8_t *begin(struct ftrace_log *log, int64_t ts, uint32_t ucpu, unsigned head, size_t more)
{
    if ((size_t)(log->end - log->at) < MAX_RECORD + more) add_chunk(log, MAX_RECORD + more);
    count_row(&log->late, ts, ucpu);
    uint8_t *at = log->at;
    *at++ = (uint8_t)(head | (ucpu == log->state.ucpu ? FTRACE_LOG_SAME_CPU : 0));
    if (ucpu != log->state.ucpu) at = put(at, ucpu);
    /* Modulo 2^64, as the reader adds. */
    at = put_signed(at, (int64_t)((uint64_t)ts - (uint64_t)log->state.ts));
    log->state.ts = ts;
    log->state.ucpu = ucpu;
    return at;
}

static inline void end(struct ftrace_log *log, uint8_t *at)
{
    log->at = at;
}

void ftrace_log_put_switch(struct ftrace_log *log, int64_t ts, uint32_t ucpu,
                           const struct ftrace_log_switch *s)
{
    uint32_t *running = ftrace_log_running(&log->state, ucpu);
    unsigned head = FTRACE_LOG_SWITCH;
    if (*running == s->prev_utid && *running != NULL_UINT32 &&
        is_same(ftrace_log_thread(&log->state, *running), &s->prev))
        head |= FTRACE_LOG_OF_RUNNING;
    struct ftrace_log_thread *next = ftrace_log_thread(&log->state, s->next_utid);
    if (is_same(next, &s->next)) head |= FTRACE_LOG_KNOWN;
    *running = s->next_utid;
    *next = s->next;
    uint8_t *at = begin(log, ts, ucpu, head, 0);
    if (!(head & FTRACE_LOG_OF_RUNNING)) {
        at = put(at, s->prev_utid);
        at = put_thread(at, &s->prev);
    }
    at = put(at, s->next_utid);
    if (!(head & FTRACE_LOG_KNOWN)) at = put_thread(at, &s->next);
    end(log, put_signed(at, s->prev_state));
}

void ftrace_log_put_waking(struct ftrace_log *log, int64_t ts, uint32_t ucpu,
                           const struct ftrace_log_waking *w)
{
    unsigned head = FTRACE_LOG_WAKING;
    if (*ftrace_log_running(&log->state, ucpu) == w->waker_utid) head |= FTRACE_LOG_OF_RUNNING;
    if (!w->common_flags) head |= FTRACE_LOG_NO_FLAGS;
    if (w->utid != NULL_UINT32) {
        struct ftrace_log_thread *thread = ftrace_log_thread(&log->state, w->utid);
        head |= FTRACE_LOG_HAS_THREAD;
        if (is_same(thread, &w->thread)) head |= FTRACE_LOG_KNOWN;
        *thread = w->thread;
    }
    uint8_t *at = begin(log, ts, ucpu, head, 0);
    if (!(head & FTRACE_LOG_OF_RUNNING)) at = put(at, w->waker_utid);
    if (head & FTRACE_LOG_HAS_THREAD) at = put(at, w->utid);
    if (!(head & FTRACE_LOG_KNOWN)) at = put_thread(at, &w->thread);
    at = put_signed(at, w->target_cpu);
    if (w->common_flags) at = put(at, w->common_flags);
    end(log, at);
}

void ftrace_log_put_event(struct ftrace_log *log, int64_t ts, uint32_t ucpu,
                          const struct ftrace_log_event *e)
{
    unsigned head = FTRACE_LOG_EVENT;
    if (*ftrace_log_running(&log->state, ucpu) == e->utid) head |= FTRACE_LOG_OF_RUNNING;
    if (!e->common_flags) head |= FTRACE_LOG_NO_FLAGS;
    log->seen[e->id / 64] |= UINT64_C(1) << (e->id % 64);
    uint8_t *at = begin(log, ts, ucpu, head, e->body.n);
    at = put(at, e->id);
    if (!(head & FTRACE_LOG_OF_RUNNING)) at = put(at, e->utid);
    if (e->common_flags) at = put(at, e->common_flags);
    at = put(at, e->body.n);
    if (e->body.n) memcpy(at, e->body.p, e->body.n);
    end(log, at + e->body.n);
}

void ftrace_log_put_row(struct ftrace_log *log, const struct ftrace_event_row *row)
{
    uint8_t *at = begin(log, row->ts, row->ucpu, FTRACE_LOG_ROW, 0);
    memcpy(at, row, sizeof *row);
    end(log, at + sizeof *row);
}
