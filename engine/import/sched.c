#include "engine/import/sched.h"

#include "engine/base/checked.h"
#include "engine/base/vec.h"
#include "engine/import/process.h"
#include "engine/import/stats.h"

#define NONE NULL_UINT32

/* The kernel's flags of a wake-up that came from an interrupt. */
#define FLAG_HARD_IRQ 0x08u
#define FLAG_SOFT_IRQ 0x10u

struct cpu_state {
    uint32_t open_row; /* of sched_slice, or NONE */
    uint32_t utid;
    int64_t tid;
};

/* Rows of thread_state. */
struct thread_states {
    uint32_t last, last_blocked; /* NONE when there is none */
    bool last_is_running, last_is_blocked;
};

struct sched_tracker {
    struct import *import;
    VEC(struct cpu_state) cpus;        /* by ucpu */
    VEC(struct thread_states) threads; /* by utid */
    string_id running, runnable;
};

struct sched_tracker *sched_tracker_new(struct import *import)
{
    struct sched_tracker *t = mem_zero(1, sizeof *t);
    t->import = import;
    t->running = strpool_intern_text(import->strings, "Running");
    t->runnable = strpool_intern_text(import->strings, "R");
    return t;
}

void sched_tracker_free(struct sched_tracker *t)
{
    if (!t) return;
    vec_free(&t->cpus);
    vec_free(&t->threads);
    mem_free(t);
}

static struct cpu_state *state_of_cpu(struct sched_tracker *t, uint32_t ucpu)
{
    if (ucpu >= t->cpus.count) {
        vec_reserve(&t->cpus, (size_t)ucpu + 1);
        while (t->cpus.count <= ucpu)
            t->cpus.items[t->cpus.count++] = (struct cpu_state){NONE, NONE, -1};
    }
    return &t->cpus.items[ucpu];
}

static struct thread_states *states_of(struct sched_tracker *t, uint32_t utid)
{
    if (utid >= t->threads.count) {
        vec_reserve(&t->threads, (size_t)utid + 1);
        while (t->threads.count <= utid)
            t->threads.items[t->threads.count++] =
                (struct thread_states){.last = NONE, .last_blocked = NONE};
    }
    return &t->threads.items[utid];
}

/* The idle thread runs, but a state of it means nothing. */
static bool is_idle(const struct sched_tracker *t, uint32_t utid)
{
    return column_uint32(&t->import->tables->thread.is_idle)[utid] != 0;
}

static void close_state(struct sched_tracker *t, int64_t ts, uint32_t utid)
{
    const struct thread_states *states = states_of(t, utid);
    if (states->last == NONE) return;
    struct thread_state_table *table = &t->import->tables->thread_state;
    int64_t began = column_int64(&table->ts)[states->last];
    table_set_int64(&table->table, thread_state_COLUMN_dur, states->last,
                    wrapping_sub_int64(ts, began));
}

static void open_state(struct sched_tracker *t, int64_t ts, uint32_t utid, string_id state,
                       struct opt_uint32 ucpu, uint32_t waker, struct opt_uint32 flags)
{
    if (is_idle(t, utid)) return;
    struct thread_state_row row = {.ts = ts, .dur = -1, .utid = utid, .state = state, .ucpu = ucpu};
    if (waker != NONE) {
        const struct thread_states *of_waker = states_of(t, waker);
        row.waker_utid = some_uint32(waker);
        if (of_waker->last_is_running) row.waker_id = some_uint32(of_waker->last);
        if (flags.has)
            row.irq_context = some_uint32((flags.value & (FLAG_HARD_IRQ | FLAG_SOFT_IRQ)) != 0);
    }
    uint32_t id = thread_state_append(&t->import->tables->thread_state, &row);
    struct thread_states *states = states_of(t, utid);
    states->last = id;
    states->last_is_running = state == t->running;
    states->last_is_blocked = state != t->running && state != t->runnable;
    if (states->last_is_blocked) states->last_blocked = id;
}

void sched_push_switch(const struct import_file *file, int64_t ts, const struct sched_switch *s)
{
    struct sched_tracker *t = file->import->sched;
    struct sched_slice_table *table = &file->import->tables->sched_slice;
    uint32_t ucpu = cpu_intern(file, s->cpu);
    struct cpu_state *cpu = state_of_cpu(t, ucpu);

    uint32_t prev_utid = NONE;
    if (cpu->open_row != NONE) {
        if (cpu->tid == s->prev_tid) {
            int64_t began = column_int64(&table->ts)[cpu->open_row];
            table_set_int64(&table->table, sched_slice_COLUMN_dur, cpu->open_row,
                            wrapping_sub_int64(ts, began));
            table_set_string(&table->table, sched_slice_COLUMN_end_state, cpu->open_row,
                             s->prev_state);
            prev_utid = cpu->utid;
        } else {
            stats_add(file, STAT_mismatched_sched_switch_tids, 1);
        }
    }
    if (prev_utid == NONE) prev_utid = thread_intern(file, s->prev_tid);

    struct sched_slice_row row = {
        .ts = ts, .dur = -1, .utid = s->next_utid, .priority = s->next_priority, .ucpu = ucpu};
    cpu->open_row = sched_slice_append(table, &row);
    cpu->utid = s->next_utid;
    cpu->tid = s->next_tid;

    /* A thread that leaves the cpu without having been put on it: events were lost,
     * and how long its last state took is not known. */
    const struct thread_states *prev = states_of(t, prev_utid);
    if (prev->last_is_running) close_state(t, ts, prev_utid);
    open_state(t, ts, prev_utid, s->prev_state, (struct opt_uint32){0}, NONE,
               (struct opt_uint32){0});
    close_state(t, ts, s->next_utid);
    open_state(t, ts, s->next_utid, t->running, some_uint32(ucpu), NONE, (struct opt_uint32){0});
}

uint32_t sched_current(const struct import_file *file, uint32_t cpu)
{
    return state_of_cpu(file->import->sched, cpu_intern(file, cpu))->utid;
}

int64_t sched_current_tid(const struct import_file *file, uint32_t cpu)
{
    return state_of_cpu(file->import->sched, cpu_intern(file, cpu))->tid;
}

void sched_push_waking(const struct import_file *file, int64_t ts, uint32_t utid,
                       uint32_t waker_utid, struct opt_uint32 common_flags)
{
    struct sched_tracker *t = file->import->sched;
    const struct thread_states *states = states_of(t, utid);
    if (states->last != NONE && !states->last_is_blocked) {
        if (waker_utid == NONE) return;
        struct spurious_sched_wakeup_row row = {
            .ts = ts, .thread_state_id = states->last, .utid = utid, .waker_utid = waker_utid};
        if (common_flags.has)
            row.irq_context =
                some_uint32((common_flags.value & (FLAG_HARD_IRQ | FLAG_SOFT_IRQ)) != 0);
        spurious_sched_wakeup_append(&file->import->tables->spurious_sched_wakeup, &row);
        return;
    }
    close_state(t, ts, utid);
    open_state(t, ts, utid, t->runnable, (struct opt_uint32){0}, waker_utid, common_flags);
}

void sched_push_new_task(const struct import_file *file, int64_t ts, uint32_t utid,
                         uint32_t waker_utid)
{
    open_state(file->import->sched, ts, utid, file->import->sched->runnable, (struct opt_uint32){0},
               waker_utid, (struct opt_uint32){0});
}

void sched_push_blocked_reason(const struct import_file *file, uint32_t utid,
                               struct opt_uint32 io_wait, string_id function)
{
    struct sched_tracker *t = file->import->sched;
    uint32_t row = states_of(t, utid)->last_blocked;
    if (row == NONE) return;
    struct table *table = &file->import->tables->thread_state.table;
    if (io_wait.has) table_set_int64(table, thread_state_COLUMN_io_wait, row, io_wait.value);
    if (function != STRING_NULL)
        table_set_string(table, thread_state_COLUMN_blocked_function, row, function);
}

uint32_t thread_state_push(const struct import_file *file, int64_t ts, int64_t dur, uint32_t utid,
                           string_id state, struct opt_uint32 io_wait, string_id function)
{
    struct thread_state_row row = {.ts = ts,
                                   .dur = dur,
                                   .utid = utid,
                                   .state = state,
                                   .io_wait = io_wait,
                                   .blocked_function = function};
    return thread_state_append(&file->import->tables->thread_state, &row);
}

void sched_tracker_finish(struct sched_tracker *t)
{
    vec_free(&t->cpus);
    vec_free(&t->threads);
}
