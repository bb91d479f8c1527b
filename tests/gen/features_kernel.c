#include "tests/gen/features.h"

#include "tests/gen/event.h"
#include "tests/gen/ftrace.h"
#include "tests/gen/packet.h"

#define START GEN_FEATURES_START

static void start(struct gen_ftrace *cpus, unsigned count, struct buffer *out)
{
    gen_packet_device_clocks(out, START);
    gen_packet_system_info(out, "5.10.100-generic");
    for (unsigned i = 0; i < count; i++)
        gen_ftrace_start(&cpus[i], i);
}

static void finish(struct gen_ftrace *cpus, unsigned count, struct buffer *out)
{
    for (unsigned i = 0; i < count; i++) {
        gen_ftrace_flush(&cpus[i], out, 1);
        gen_ftrace_free(&cpus[i]);
    }
}

/* Two CPUs.  CPU 0: idle, main runs [10,20], blocked in D until woken from CPU 1 at
 * 40, runs [50,60] and is preempted (R+) by worker; CPU 1: worker runs [30,45],
 * sleeps.  Times in us. */
void gen_write_sched_compact(struct buffer *out)
{
    struct gen_ftrace cpu[2];
    start(cpu, 2, out);
    gen_ftrace_switch(&cpu[0], START, GEN_TASK_RUNNABLE, 0, "swapper/0", 120);
    gen_ftrace_switch(&cpu[1], START, GEN_TASK_RUNNABLE, 0, "swapper/1", 120);
    gen_ftrace_waking(&cpu[0], START + 8000, 10, "main", 0, 120, GEN_FTRACE_HARDIRQ);
    gen_ftrace_switch(&cpu[0], START + 10000, GEN_TASK_RUNNABLE, 10, "main", 120);
    gen_ftrace_waking(&cpu[0], START + 15000, 11, "worker", 1, 98, 0);
    gen_ftrace_switch(&cpu[0], START + 20000, GEN_TASK_UNINTERRUPTIBLE, 0, "swapper/0", 120);
    gen_ftrace_switch(&cpu[1], START + 30000, GEN_TASK_RUNNABLE, 11, "worker", 98);
    gen_ftrace_waking(&cpu[1], START + 40000, 10, "main", 0, 120, 0);
    gen_ftrace_switch(&cpu[1], START + 45000, GEN_TASK_SLEEPING, 0, "swapper/1", 120);
    gen_ftrace_switch(&cpu[0], START + 50000, GEN_TASK_RUNNABLE, 10, "main", 120);
    gen_ftrace_switch(&cpu[0], START + 60000, GEN_TASK_PREEMPTED, 12, "rt \xe2\x9c\x93", 49);
    gen_ftrace_switch(&cpu[0], START + 61000, GEN_TASK_DEAD, 10, "main", 120);
    finish(cpu, 2, out);
}

/* The same kinds of things as full events, with a blocked reason, a mismatched
 * switch, a spurious wakeup and one state of every letter. */
void gen_write_sched_full(struct buffer *out)
{
    static const int64_t STATES[] = {GEN_TASK_SLEEPING, GEN_TASK_UNINTERRUPTIBLE, GEN_TASK_STOPPED,
                                     GEN_TASK_TRACED,   GEN_TASK_ZOMBIE,          GEN_TASK_PARKED,
                                     GEN_TASK_IDLE,     GEN_TASK_PREEMPTED,       0x4000};
    struct gen_ftrace cpu[1];
    start(cpu, 1, out);
    int64_t at = START;
    gen_ftrace_sched_switch(cpu, at, 0, "swapper/0", 0, 20, "t20", 120);
    for (int32_t i = 0; i < (int32_t)(sizeof STATES / sizeof STATES[0]); i++) {
        at += 1000;
        gen_ftrace_sched_switch(cpu, at, 20 + i, "t", STATES[i], 21 + i, "t", 120);
    }
    gen_ftrace_blocked_reason(cpu, at + 100, 29, 21, 0, true);
    gen_ftrace_sched_waking(cpu, at + 200, 29, 21, "t", 0);
    gen_ftrace_sched_waking(cpu, at + 300, 29, 21, "t", 0);
    gen_ftrace_sched_switch(cpu, at + 400, 77, "stranger", 1, 21, "t", 120);
    gen_ftrace_sched_switch(cpu, at + 500, 21, "t", 1, 0, "swapper/0", 120);
    finish(cpu, 1, out);
}

/* Every form of the print text, right and wrong. */
void gen_write_atrace(struct buffer *out)
{
    static const char *const LINES[] = {
        "B|10|outer\n",
        "B|10|\n",
        "E|10\n",
        "E|\n",
        "B|0|no process\n",
        "E\n",
        "C|10|level|5\n",
        "C|10|level|-7\n",
        "S|10|async|1\n",
        "S|10|async|2\n",
        "F|10|async|1\n",
        "F|10|async|2\n",
        "S|10|twice|3\n",
        "S|10|twice|3\n",
        "F|10|twice|3\n",
        "I|10|moment\n",
        "N|10|Track one|moment on a track\n",
        "G|10|Track one|on a track|7\n",
        "H|10|Track one|7\n",
        "G|10|Track one|again|8\n",
        "H|10|Track one|again|8\n",
        "B|10|pipes | in | names\n",
        "E|10\n",
        "trace_event_clock_sync: parent_ts=1.5\n",
        "not atrace at all\n",
        "C|10|no value\n",
        "B|ten|no number\n",
        "E|10\n",
    };
    struct gen_ftrace cpu[1];
    start(cpu, 1, out);
    for (size_t i = 0; i < sizeof LINES / sizeof LINES[0]; i++)
        gen_ftrace_print(cpu, START + 1000 * (int64_t)i, 11, LINES[i]);
    finish(cpu, 1, out);
}

/* Process 30 forks 40 with thread 41; 40 is renamed; 41 exits; 40 is freed and its
 * pid is used again. */
void gen_write_tasks(struct buffer *out)
{
    struct gen_ftrace cpu[1];
    start(cpu, 1, out);
    gen_ftrace_newtask(cpu, START, 30, 40, "parent", 0);
    gen_ftrace_rename(cpu, START + 1000, 40, "parent", "child");
    gen_ftrace_newtask(cpu, START + 2000, 40, 41, "child", GEN_CLONE_THREAD);
    gen_ftrace_rename(cpu, START + 3000, 41, "child", "helper");
    gen_ftrace_oom_score(cpu, START + 3500, 40, "child", 900);
    gen_ftrace_rss_stat(cpu, START + 3600, 40, 1, 4096 * 100);
    gen_ftrace_process_exit(cpu, START + 4000, 41, 40, "helper");
    gen_ftrace_process_free(cpu, START + 5000, 41, "helper");
    gen_ftrace_process_free(cpu, START + 6000, 40, "child");
    gen_ftrace_newtask(cpu, START + 7000, 30, 40, "second life", 0);
    finish(cpu, 1, out);
}

/* Frequencies, idle states, interrupts, binder calls, an event nobody knows, lost
 * events. */
void gen_write_kernel_misc(struct buffer *out)
{
    struct gen_ftrace cpu[2];
    start(cpu, 2, out);
    for (unsigned c = 0; c < 2; c++) {
        gen_ftrace_cpu_frequency(&cpu[c], START + 100, 600000);
        gen_ftrace_cpu_idle(&cpu[c], START + 200, 2);
        gen_ftrace_cpu_idle(&cpu[c], START + 5000, GEN_CPU_NOT_IDLE);
        gen_ftrace_cpu_frequency(&cpu[c], START + 6000, 1800000);
    }
    gen_ftrace_irq(&cpu[0], START + 7000, 400, 18, "timer");
    gen_ftrace_softirq(&cpu[0], START + 7500, 300, 1);
    gen_ftrace_binder_transaction(&cpu[0], START + 8000, 10, 501, 20, 21, false, false);
    gen_ftrace_binder_received(&cpu[1], START + 8500, 21, 501);
    gen_ftrace_binder_transaction(&cpu[1], START + 9000, 21, 502, 10, 10, true, false);
    gen_ftrace_binder_received(&cpu[0], START + 9500, 10, 502);
    gen_ftrace_open(&cpu[0], START + 9600, 10, 60000);
    gen_ftrace_close(&cpu[0]);
    cpu[1].lost_events = true;
    finish(cpu, 2, out);
}
