/* A small machine: eight CPUs, threads that follow written programs, a scheduler
 * that decides who runs.  It writes the scheduling events itself; everything else
 * that happens is told to the observer, at the CPU and time where it happens.
 * So a trace made of it is consistent: slices lie where their thread ran, every
 * wakeup has a waker, nobody runs in two places.
 *
 * Times are ns of BOOTTIME.  Threads are named by their index.  Real-time
 * priorities are below 100, as the kernel numbers them; 120 is nice 0.
 */
#ifndef TESTS_GEN_SIM_H
#define TESTS_GEN_SIM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/base/arena.h"
#include "tests/gen/ftrace.h"
#include "tests/gen/random.h"

enum { SIM_ANYBODY = -1, SIM_TIMER = -2, SIM_MOST_THREADS = 64 };
enum { SIM_CPUS = 8, SIM_ANY_CPU = 0xff, SIM_LITTLE = 0x0f, SIM_BIG = 0xf0 };

enum sim_op_kind {
    SIM_RUN,   /* value ns of CPU time */
    SIM_SLEEP, /* value ns, then a timer wakes it */
    SIM_UNTIL, /* sleeps until time `value` */
    SIM_BLOCK, /* value ns in the kernel, uninterruptible; text names the function */
    SIM_WAIT,  /* until thread `value` (-1: any) wakes it; one that came before counts */
    SIM_WAKE,  /* wakes thread `value` */
    SIM_FORK,  /* thread `value` comes to life; code 1: as a process */
    SIM_EVENT, /* told to the observer */
    SIM_EXIT,
};

struct sim_op {
    enum sim_op_kind kind;
    int code;
    int64_t value;
    const char *text; /* borrowed from the simulation's arena, or constant */
};

enum sim_state { SIM_UNBORN, SIM_READY, SIM_RUNNING, SIM_SLEEPING, SIM_BLOCKED, SIM_DEAD };

struct sim_thread {
    int32_t tid, pid;
    const char *comm;
    int32_t prio;
    unsigned allowed; /* bit mask of CPUs */
    struct sim_program VEC_OF(struct sim_op) program;
    /* maintained by the simulation */
    size_t next_op;
    enum sim_state state;
    int64_t left_ns;      /* of the current run */
    int64_t wake_ns;      /* when a timer ends the sleep, or -1 */
    int64_t ready_ns;     /* since when it is ready */
    int wait_for;         /* thread, SIM_ANYBODY, or SIM_TIMER */
    uint64_t pending;     /* bit mask of threads whose wakeup came too early */
    unsigned cpu;         /* it runs on, or ran on last */
    const char *block_at; /* kernel function while blocked */
};

struct sim_cpu {
    int running;          /* thread or -1 */
    int reserved;         /* thread that a wakeup put here, or -1 */
    int64_t start_ns;     /* of the run */
    int64_t run_until_ns; /* when the current operation is done */
    int64_t slice_end_ns;
    int64_t reserved_ns; /* when the reserved thread starts */
    int64_t busy_ns;     /* since the observer last cleared it */
};

struct sim;

struct sim_observer {
    void *context;
    void (*event)(void *context, struct sim *sim, struct sim_thread *thread,
                  const struct sim_op *op);
    /* A stretch of running has ended; samples are taken from it. */
    void (*ran)(void *context, struct sim *sim, struct sim_thread *thread, int64_t from_ns,
                int64_t to_ns);
    void (*period)(void *context, struct sim *sim); /* every period_ns */
    int64_t period_ns;
};

struct sim {
    struct arena arena; /* texts and programs' strings */
    struct gen_random random;
    int64_t now_ns, next_period_ns;
    struct sim_threads VEC_OF(struct sim_thread) threads;
    struct sim_cpu cpus[SIM_CPUS];
    struct gen_ftrace ftrace[SIM_CPUS];
    struct sim_observer observer;
};

void sim_start(struct sim *sim, uint64_t seed, int64_t start_ns);
void sim_free(struct sim *sim);
/* Returns the thread's index.  A thread that is not `alive` waits for SIM_FORK. */
int sim_add_thread(struct sim *sim, int32_t tid, int32_t pid, const char *comm, int32_t prio,
                   unsigned allowed, bool alive);
void sim_op(struct sim *sim, int thread, enum sim_op_kind kind, int64_t value);
void sim_event(struct sim *sim, int thread, int code, int64_t value, const char *text);
void sim_block(struct sim *sim, int thread, int64_t ns, const char *function);
void sim_run_until(struct sim *sim, int64_t end_ns);
/* The time of the next thing to be written; never the same twice. */
int64_t sim_tick(struct sim *sim);

#endif
