#include "tests/gen/sim.h"

#include <assert.h>
#include <string.h>

#define NONE       (-1)
#define TIMESLICE  INT64_C(6000000)
#define EVENT_COST INT64_C(900) /* ns of CPU that writing an event takes */

static const char *const SWAPPERS[SIM_CPUS] = {"swapper/0", "swapper/1", "swapper/2", "swapper/3",
                                               "swapper/4", "swapper/5", "swapper/6", "swapper/7"};

void sim_start(struct sim *sim, uint64_t seed, int64_t start_ns)
{
    memset(sim, 0, sizeof *sim);
    sim->random.state = seed;
    sim->now_ns = sim->next_period_ns = start_ns;
    for (unsigned i = 0; i < SIM_CPUS; i++) {
        gen_ftrace_start(&sim->ftrace[i], i);
        sim->cpus[i] = (struct sim_cpu){.running = NONE, .reserved = NONE};
    }
}

void sim_free(struct sim *sim)
{
    for (size_t i = 0; i < sim->threads.count; i++)
        vec_free(&sim->threads.items[i].program);
    vec_free(&sim->threads);
    for (unsigned i = 0; i < SIM_CPUS; i++)
        gen_ftrace_free(&sim->ftrace[i]);
    arena_free(&sim->arena);
}

int sim_add_thread(struct sim *sim, int32_t tid, int32_t pid, const char *comm, int32_t prio,
                   unsigned allowed, bool alive)
{
    assert(sim->threads.count < SIM_MOST_THREADS);
    struct sim_thread thread = {.tid = tid,
                                .pid = pid,
                                .comm = comm,
                                .prio = prio,
                                .allowed = allowed,
                                .state = alive ? SIM_SLEEPING : SIM_UNBORN,
                                .wake_ns = alive ? sim->now_ns : -1,
                                .wait_for = SIM_TIMER};
    while (!(allowed >> thread.cpu & 1))
        thread.cpu++;
    vec_push(&sim->threads, thread);
    return (int)sim->threads.count - 1;
}

static void push_op(struct sim *sim, int thread, struct sim_op op)
{
    vec_push(&sim->threads.items[thread].program, op);
}

void sim_op(struct sim *sim, int thread, enum sim_op_kind kind, int64_t value)
{
    push_op(sim, thread, (struct sim_op){.kind = kind, .value = value});
}

void sim_event(struct sim *sim, int thread, int code, int64_t value, const char *text)
{
    const char *copy = text ? arena_copy(&sim->arena, text, strlen(text)) : NULL;
    push_op(sim, thread,
            (struct sim_op){.kind = SIM_EVENT, .code = code, .value = value, .text = copy});
}

void sim_block(struct sim *sim, int thread, int64_t ns, const char *function)
{
    push_op(sim, thread, (struct sim_op){.kind = SIM_BLOCK, .value = ns, .text = function});
}

int64_t sim_tick(struct sim *sim)
{
    sim->now_ns += gen_random_between(&sim->random, 60, 380);
    return sim->now_ns;
}

/* Ends the stretch that ran on a CPU: to the observer and to the load figure. */
static void account_run(struct sim *sim, struct sim_cpu *cpu)
{
    if (cpu->running == NONE || sim->now_ns <= cpu->start_ns) return;
    struct sim_thread *thread = &sim->threads.items[cpu->running];
    if (sim->observer.ran)
        sim->observer.ran(sim->observer.context, sim, thread, cpu->start_ns, sim->now_ns);
    cpu->busy_ns += sim->now_ns - cpu->start_ns;
    cpu->start_ns = sim->now_ns;
}

/* Puts `next` (or idle) on the CPU in place of whoever is there. */
static void switch_to(struct sim *sim, unsigned c, int next, int64_t prev_state)
{
    struct sim_cpu *cpu = &sim->cpus[c];
    struct gen_ftrace *f = &sim->ftrace[c];
    account_run(sim, cpu);
    if (cpu->running == NONE && next == NONE) return;
    bool was_idle = cpu->running == NONE;
    if (was_idle) gen_ftrace_cpu_idle(f, sim_tick(sim), GEN_CPU_NOT_IDLE);
    int64_t ts = sim_tick(sim);
    cpu->running = next;
    cpu->start_ns = ts;
    if (next == NONE) {
        gen_ftrace_switch(f, ts, prev_state, 0, SWAPPERS[c], 120);
        gen_ftrace_cpu_idle(f, sim_tick(sim), (uint32_t)gen_random_between(&sim->random, 0, 2));
        return;
    }
    struct sim_thread *thread = &sim->threads.items[next];
    gen_ftrace_switch(f, ts, prev_state, thread->tid, thread->comm, thread->prio);
    thread->state = SIM_RUNNING;
    thread->cpu = c;
    cpu->run_until_ns = ts + thread->left_ns;
    cpu->slice_end_ns = ts + TIMESLICE;
}

static bool is_allowed(const struct sim_thread *thread, unsigned cpu)
{
    return thread->allowed >> cpu & 1;
}

/* Best priority first, then who waits longest. */
static int pick_ready(struct sim *sim, unsigned c)
{
    int best = NONE;
    for (size_t i = 0; i < sim->threads.count; i++) {
        const struct sim_thread *t = &sim->threads.items[i];
        if (t->state != SIM_READY || !is_allowed(t, c)) continue;
        bool is_reserved = false;
        for (unsigned k = 0; k < SIM_CPUS; k++)
            is_reserved = is_reserved || sim->cpus[k].reserved == (int)i;
        if (is_reserved) continue;
        const struct sim_thread *b = best == NONE ? NULL : &sim->threads.items[best];
        if (!b || t->prio < b->prio || (t->prio == b->prio && t->ready_ns < b->ready_ns))
            best = (int)i;
    }
    return best;
}

static bool is_idle(const struct sim_cpu *cpu)
{
    return cpu->running == NONE && cpu->reserved == NONE;
}

static void preempt(struct sim *sim, unsigned c, int by)
{
    struct sim_cpu *cpu = &sim->cpus[c];
    struct sim_thread *old = &sim->threads.items[cpu->running];
    old->left_ns = cpu->run_until_ns > sim->now_ns ? cpu->run_until_ns - sim->now_ns : 1;
    old->state = SIM_READY;
    old->ready_ns = sim->now_ns;
    switch_to(sim, c, by, GEN_TASK_PREEMPTED);
}

/* An idle CPU, the last one first; else none. */
static int find_idle_cpu(struct sim *sim, const struct sim_thread *thread)
{
    if (is_idle(&sim->cpus[thread->cpu])) return (int)thread->cpu;
    unsigned from = (unsigned)gen_random_between(&sim->random, 0, SIM_CPUS - 1);
    for (unsigned i = 0; i < SIM_CPUS; i++) {
        unsigned c = (from + i) % SIM_CPUS;
        if (is_allowed(thread, c) && is_idle(&sim->cpus[c])) return (int)c;
    }
    return NONE;
}

static int find_weaker_cpu(struct sim *sim, const struct sim_thread *thread)
{
    int weakest = NONE;
    for (unsigned c = 0; c < SIM_CPUS; c++) {
        const struct sim_cpu *cpu = &sim->cpus[c];
        if (!is_allowed(thread, c) || cpu->running == NONE || cpu->reserved != NONE) continue;
        int32_t prio = sim->threads.items[cpu->running].prio;
        if (prio <= thread->prio) continue;
        if (weakest == NONE || prio > sim->threads.items[sim->cpus[weakest].running].prio)
            weakest = (int)c;
    }
    return weakest;
}

/* waker is NONE for a timer, which interrupts the CPU that the thread goes to. */
static void wake(struct sim *sim, int index, int waker)
{
    struct sim_thread *thread = &sim->threads.items[index];
    int target = find_idle_cpu(sim, thread);
    int weaker = target == NONE ? find_weaker_cpu(sim, thread) : NONE;
    int home = target != NONE ? target : weaker != NONE ? weaker : (int)thread->cpu;
    int by = waker == NONE ? home : (int)sim->threads.items[waker].cpu;
    struct gen_ftrace *f = &sim->ftrace[by];
    if (thread->state == SIM_BLOCKED)
        sim->observer.event(
            sim->observer.context, sim, thread,
            &(struct sim_op){.kind = SIM_BLOCK, .code = by, .text = thread->block_at});
    int64_t ts = sim_tick(sim);
    gen_ftrace_waking(f, ts, thread->tid, thread->comm, (uint32_t)home, thread->prio,
                      waker == NONE ? GEN_FTRACE_HARDIRQ : 0);
    thread->state = SIM_READY;
    thread->ready_ns = ts;
    thread->wake_ns = -1;
    if (target != NONE) {
        sim->cpus[target].reserved = index;
        sim->cpus[target].reserved_ns = ts + gen_random_between(&sim->random, 9000, 70000);
    } else if (weaker != NONE && weaker != by) {
        preempt(sim, (unsigned)weaker, index);
    }
}

static void wake_by_thread(struct sim *sim, int index, int waker)
{
    struct sim_thread *thread = &sim->threads.items[index];
    bool waits = thread->state == SIM_SLEEPING &&
                 (thread->wait_for == SIM_ANYBODY || thread->wait_for == waker);
    if (waits)
        wake(sim, index, waker);
    else
        thread->pending |= UINT64_C(1) << waker;
}

static void fork_thread(struct sim *sim, unsigned c, struct sim_thread *parent,
                        const struct sim_op *op)
{
    struct sim_thread *child = &sim->threads.items[op->value];
    gen_ftrace_newtask(&sim->ftrace[c], sim_tick(sim), parent->tid, child->tid,
                       op->code ? parent->comm : child->comm, op->code ? 0 : GEN_CLONE_THREAD);
    if (op->code)
        gen_ftrace_rename(&sim->ftrace[c], sim_tick(sim), child->tid, parent->comm, child->comm);
    child->state = SIM_READY;
    child->ready_ns = sim->now_ns;
    sim->observer.event(sim->observer.context, sim, child, op);
}

/* The thread leaves its CPU to sleep until wake_ns (-1: until woken). */
static void sleep_until(struct sim *sim, unsigned c, struct sim_thread *thread, int64_t wake_ns,
                        const char *block_at)
{
    thread->state = block_at ? SIM_BLOCKED : SIM_SLEEPING;
    thread->block_at = block_at;
    thread->wake_ns = wake_ns;
    thread->wait_for = SIM_TIMER;
    thread->left_ns = 0;
    switch_to(sim, c, pick_ready(sim, c), block_at ? GEN_TASK_UNINTERRUPTIBLE : GEN_TASK_SLEEPING);
}

/* True when the thread had to leave the CPU for it. */
static bool wait_for_thread(struct sim *sim, unsigned c, struct sim_thread *thread, int whom)
{
    uint64_t wanted = whom == SIM_ANYBODY ? UINT64_MAX : UINT64_C(1) << whom;
    if (thread->pending & wanted) {
        thread->pending &= ~wanted;
        return false;
    }
    sleep_until(sim, c, thread, -1, NULL);
    thread->wait_for = whom;
    return true;
}

/* Carries out operations until one takes time.  False: the thread left the CPU. */
static bool advance(struct sim *sim, unsigned c)
{
    struct sim_cpu *cpu = &sim->cpus[c];
    struct sim_thread *thread = &sim->threads.items[cpu->running];
    if (thread->next_op >= thread->program.count) {
        sleep_until(sim, c, thread, -1, NULL);
        return false;
    }
    const struct sim_op *op = &thread->program.items[thread->next_op++];
    account_run(sim, cpu);
    cpu->run_until_ns = sim->now_ns + EVENT_COST;
    switch (op->kind) {
    case SIM_RUN: cpu->run_until_ns = sim->now_ns + op->value; return true;
    case SIM_SLEEP: sleep_until(sim, c, thread, sim->now_ns + op->value, NULL); return false;
    case SIM_UNTIL:
        if (op->value <= sim->now_ns) return true;
        sleep_until(sim, c, thread, op->value, NULL);
        return false;
    case SIM_BLOCK: sleep_until(sim, c, thread, sim->now_ns + op->value, op->text); return false;
    case SIM_WAIT: return !wait_for_thread(sim, c, thread, (int)op->value);
    case SIM_WAKE: wake_by_thread(sim, (int)op->value, cpu->running); return true;
    case SIM_FORK: fork_thread(sim, c, thread, op); return true;
    case SIM_EVENT: sim->observer.event(sim->observer.context, sim, thread, op); return true;
    case SIM_EXIT:
        thread->state = SIM_DEAD;
        gen_ftrace_process_exit(&sim->ftrace[c], sim_tick(sim), thread->tid, thread->pid,
                                thread->comm);
        switch_to(sim, c, pick_ready(sim, c), GEN_TASK_DEAD);
        return false;
    }
    return true;
}

static bool is_asleep(const struct sim_thread *thread)
{
    return thread->state == SIM_SLEEPING || thread->state == SIM_BLOCKED;
}

static int64_t next_time(const struct sim *sim, int64_t end_ns)
{
    int64_t next = end_ns;
    if (sim->next_period_ns < next) next = sim->next_period_ns;
    for (unsigned c = 0; c < SIM_CPUS; c++) {
        const struct sim_cpu *cpu = &sim->cpus[c];
        if (cpu->running != NONE && cpu->run_until_ns < next) next = cpu->run_until_ns;
        if (cpu->running != NONE && cpu->slice_end_ns < next) next = cpu->slice_end_ns;
        if (cpu->reserved != NONE && cpu->reserved_ns < next) next = cpu->reserved_ns;
    }
    for (size_t i = 0; i < sim->threads.count; i++) {
        const struct sim_thread *t = &sim->threads.items[i];
        if (is_asleep(t) && t->wake_ns >= 0 && t->wake_ns < next) next = t->wake_ns;
    }
    return next;
}

static void step_cpu(struct sim *sim, unsigned c)
{
    struct sim_cpu *cpu = &sim->cpus[c];
    if (cpu->reserved != NONE && cpu->reserved_ns <= sim->now_ns) {
        int next = cpu->reserved;
        cpu->reserved = NONE;
        if (cpu->running == NONE) switch_to(sim, c, next, GEN_TASK_RUNNABLE);
    }
    while (cpu->running != NONE && cpu->run_until_ns <= sim->now_ns && advance(sim, c))
        ;
    if (cpu->running != NONE && cpu->slice_end_ns <= sim->now_ns) {
        int next = pick_ready(sim, c);
        cpu->slice_end_ns = sim->now_ns + TIMESLICE;
        if (next != NONE) preempt(sim, c, next);
    }
    if (is_idle(cpu)) {
        int next = pick_ready(sim, c);
        if (next != NONE) switch_to(sim, c, next, GEN_TASK_RUNNABLE);
    }
}

void sim_run_until(struct sim *sim, int64_t end_ns)
{
    for (unsigned c = 0; c < SIM_CPUS; c++) /* the first switch only says who is there */
        gen_ftrace_switch(&sim->ftrace[c], sim_tick(sim), GEN_TASK_RUNNABLE, 0, SWAPPERS[c], 120);
    for (;;) {
        int64_t next = next_time(sim, end_ns);
        if (next > sim->now_ns) sim->now_ns = next;
        if (sim->now_ns >= end_ns) break;
        if (sim->next_period_ns <= sim->now_ns) {
            sim->observer.period(sim->observer.context, sim);
            sim->next_period_ns += sim->observer.period_ns;
        }
        for (size_t i = 0; i < sim->threads.count; i++) {
            struct sim_thread *t = &sim->threads.items[i];
            if (is_asleep(t) && t->wake_ns >= 0 && t->wake_ns <= sim->now_ns)
                wake(sim, (int)i, NONE);
        }
        for (unsigned c = 0; c < SIM_CPUS; c++)
            step_cpu(sim, c);
    }
    for (unsigned c = 0; c < SIM_CPUS; c++)
        account_run(sim, &sim->cpus[c]);
}
