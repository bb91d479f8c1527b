/* Kernel events of one CPU, gathered into bundles.
 *
 *     struct gen_ftrace cpu0;
 *     gen_ftrace_start(&cpu0, 0);
 *     gen_ftrace_switch(&cpu0, ts, GEN_TASK_SLEEPING, 42, "main", 120);
 *     gen_ftrace_print(&cpu0, ts + 1000, 42, "B|42|measure\n");
 *     gen_ftrace_flush(&cpu0, &trace, 1);   one packet, then start again
 *     gen_ftrace_free(&cpu0);
 *
 * gen_ftrace_switch and _waking are the compact form; gen_ftrace_sched_* are full
 * events.  Times are ns of BOOTTIME and should not go back within a bundle.
 */
#ifndef TESTS_GEN_FTRACE_H
#define TESTS_GEN_FTRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/base/buffer.h"
#include "engine/base/map.h"
#include "engine/base/vec.h"

/* States as kernels from 4.14 on number them. */
enum gen_task_state {
    GEN_TASK_RUNNABLE = 0,
    GEN_TASK_SLEEPING = 1,
    GEN_TASK_UNINTERRUPTIBLE = 2,
    GEN_TASK_STOPPED = 4,
    GEN_TASK_TRACED = 8,
    GEN_TASK_DEAD = 16,
    GEN_TASK_ZOMBIE = 32,
    GEN_TASK_PARKED = 64,
    GEN_TASK_IDLE = 128,
    GEN_TASK_PREEMPTED = 256,
};

enum { GEN_FTRACE_HARDIRQ = 8, GEN_FTRACE_SOFTIRQ = 16 };
#define GEN_CPU_NOT_IDLE UINT32_C(4294967295)
#define GEN_CLONE_THREAD UINT64_C(0x10000)

struct gen_column VEC_OF(uint64_t);

struct gen_ftrace {
    uint32_t cpu;
    bool lost_events;
    struct buffer events; /* finished FtraceEvents */
    struct strmap comms;
    struct buffer intern_table;
    struct gen_column switch_ts, switch_state, switch_tid, switch_prio, switch_comm;
    struct gen_column waking_ts, waking_tid, waking_cpu, waking_prio, waking_comm, waking_flags;
    int64_t last_switch_ns, last_waking_ns;
    size_t open_event, open_body; /* marks while an event is open */
    /* NULL, or a sequence's interned data to be written with the bundle */
    struct buffer *interned;
};

void gen_ftrace_start(struct gen_ftrace *f, uint32_t cpu);
void gen_ftrace_free(struct gen_ftrace *f);
bool gen_ftrace_is_empty(const struct gen_ftrace *f);
/* Writes what was gathered as one packet; nothing when there is nothing. */
void gen_ftrace_flush(struct gen_ftrace *f, struct buffer *trace, uint32_t sequence);

/* prev_state is that of the thread that leaves the CPU. */
void gen_ftrace_switch(struct gen_ftrace *f, int64_t ts_ns, int64_t prev_state, int32_t next_tid,
                       const char *next_comm, int32_t next_prio);
void gen_ftrace_waking(struct gen_ftrace *f, int64_t ts_ns, int32_t tid, const char *comm,
                       uint32_t target_cpu, int32_t prio, uint32_t common_flags);

/* An event of any kind: the fields of event `field` go into the returned buffer. */
struct buffer *gen_ftrace_open(struct gen_ftrace *f, int64_t ts_ns, int32_t tid, uint32_t field);
void gen_ftrace_close(struct gen_ftrace *f);

void gen_ftrace_sched_switch(struct gen_ftrace *f, int64_t ts_ns, int32_t prev_tid,
                             const char *prev_comm, int64_t prev_state, int32_t next_tid,
                             const char *next_comm, int32_t next_prio);
void gen_ftrace_sched_waking(struct gen_ftrace *f, int64_t ts_ns, int32_t waker_tid, int32_t tid,
                             const char *comm, uint32_t target_cpu);
/* caller is the iid of a kernel symbol of the sequence, or 0. */
void gen_ftrace_blocked_reason(struct gen_ftrace *f, int64_t ts_ns, int32_t waker_tid, int32_t tid,
                               uint64_t caller, bool io_wait);
void gen_ftrace_print(struct gen_ftrace *f, int64_t ts_ns, int32_t tid, const char *text);
void gen_ftrace_cpu_frequency(struct gen_ftrace *f, int64_t ts_ns, uint32_t khz);
void gen_ftrace_cpu_idle(struct gen_ftrace *f, int64_t ts_ns, uint32_t state);
void gen_ftrace_newtask(struct gen_ftrace *f, int64_t ts_ns, int32_t parent_tid, int32_t tid,
                        const char *comm, uint64_t clone_flags);
void gen_ftrace_rename(struct gen_ftrace *f, int64_t ts_ns, int32_t tid, const char *old_comm,
                       const char *new_comm);
void gen_ftrace_process_exit(struct gen_ftrace *f, int64_t ts_ns, int32_t tid, int32_t pid,
                             const char *comm);
void gen_ftrace_process_free(struct gen_ftrace *f, int64_t ts_ns, int32_t tid, const char *comm);
void gen_ftrace_rss_stat(struct gen_ftrace *f, int64_t ts_ns, int32_t tid, int32_t member,
                         int64_t bytes);
void gen_ftrace_oom_score(struct gen_ftrace *f, int64_t ts_ns, int32_t tid, const char *comm,
                          int32_t score);
void gen_ftrace_irq(struct gen_ftrace *f, int64_t ts_ns, int64_t dur_ns, int32_t irq,
                    const char *name);
void gen_ftrace_softirq(struct gen_ftrace *f, int64_t ts_ns, int64_t dur_ns, uint32_t vec);
void gen_ftrace_binder_transaction(struct gen_ftrace *f, int64_t ts_ns, int32_t tid,
                                   int32_t debug_id, int32_t to_pid, int32_t to_tid, bool is_reply,
                                   bool is_oneway);
void gen_ftrace_binder_received(struct gen_ftrace *f, int64_t ts_ns, int32_t tid, int32_t debug_id);

#endif
