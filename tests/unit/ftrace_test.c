/* Kernel events from bundles to rows. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "engine/store/late_rows.h"
#include "tests/gen/ftrace.h"
#include "tests/gen/packet.h"
#include "tests/gen/wire.h"
#include "tests/unit/trace_fixture.h"

struct trace {
    struct buffer bytes;
    struct gen_ftrace cpu[2];
    struct engine *engine;
};

static void start(struct trace *t)
{
    *t = (struct trace){.bytes = BUFFER_INIT};
    for (uint32_t i = 0; i < 2; i++)
        gen_ftrace_start(&t->cpu[i], i);
}

static void load(struct trace *t)
{
    for (int i = 0; i < 2; i++)
        if (!gen_ftrace_is_empty(&t->cpu[i])) gen_ftrace_flush(&t->cpu[i], &t->bytes, 1);
    t->engine = trace_load(&t->bytes);
}

static void finish(struct trace *t)
{
    engine_free(t->engine);
    for (int i = 0; i < 2; i++)
        gen_ftrace_free(&t->cpu[i]);
    buffer_free(&t->bytes);
}

#define SCHED \
    "select s.ts, s.dur, s.cpu, t.tid, s.end_state from sched s join thread t using (utid) " \
    "order by s.ts"
#define STATES \
    "select s.ts, s.dur, t.tid, s.state, w.tid from thread_state s join thread t using (utid) " \
    "left join thread w on w.utid = s.waker_utid order by s.ts, t.tid"
#define SLICES "select ts, dur, depth, name from slice order by ts, depth"
#define COUNTERS \
    "select c.ts, c.value, t.name from counter c join counter_track t on t.id = " \
    "c.track_id order by c.ts, t.name"

static void test_compact_switch(void **state)
{
    struct trace t;
    (void)state;
    start(&t);
    gen_packet_system_info(&t.bytes, "5.10.0");
    gen_ftrace_switch(&t.cpu[0], 100, GEN_TASK_RUNNABLE, 11, "one", 120);
    gen_ftrace_switch(&t.cpu[0], 200, GEN_TASK_SLEEPING, 12, "two", 100);
    gen_ftrace_switch(&t.cpu[0], 350, GEN_TASK_PREEMPTED, 11, "one", 120);
    load(&t);
    /* The first switch of the cpu says only who runs. */
    trace_expect(t.engine, SCHED, "200 150 0 12 R+|350 -1 0 11 -");
    trace_expect(t.engine, STATES,
                 "200 150 11 S -|200 150 12 Running -|350 -1 11 Running -|350 -1 12 R+ -");
    trace_expect(t.engine, "select value from stats where name = 'compact_sched_switch_skipped'",
                 "1");
    trace_expect(t.engine, "select tid, name from thread where tid > 0 order by tid",
                 "11 one|12 two");
    trace_expect(t.engine,
                 "select e.ts, e.name, t.tid, a.display_value from ftrace_event e join thread t "
                 "using (utid) join args a on a.arg_set_id = e.arg_set_id and a.key = 'next_comm'",
                 "200 sched_switch 11 two|350 sched_switch 12 one");
    finish(&t);
}

static void test_compact_waking(void **state)
{
    struct trace t;
    (void)state;
    start(&t);
    gen_packet_system_info(&t.bytes, "5.10.0");
    gen_ftrace_waking(&t.cpu[0], 50, 12, "two", 0, 120, 0); /* nobody is known to run yet */
    gen_ftrace_switch(&t.cpu[0], 100, GEN_TASK_RUNNABLE, 11, "one", 120);
    gen_ftrace_switch(&t.cpu[0], 200, GEN_TASK_SLEEPING, 12, "two", 120);
    gen_ftrace_waking(&t.cpu[0], 250, 11, "one", 0, 120, GEN_FTRACE_HARDIRQ);
    load(&t);
    trace_expect(t.engine, STATES, "200 50 11 S -|200 -1 12 Running -|250 -1 11 R 12");
    trace_expect(t.engine, "select irq_context from thread_state where state = 'R'", "1");
    trace_expect(t.engine, "select value from stats where name = 'compact_sched_waking_skipped'",
                 "1");
    finish(&t);
}

/* The streams of a bundle are pushed in order of time; of equal times the switch
 * comes first, then the waking, then the full event. */
static void test_order_in_bundle(void **state)
{
    struct trace t;
    (void)state;
    start(&t);
    gen_ftrace_print(&t.cpu[0], 300, 11, "B|11|work\n");
    gen_ftrace_print(&t.cpu[0], 400, 11, "E|11\n");
    gen_ftrace_switch(&t.cpu[0], 100, GEN_TASK_RUNNABLE, 11, "one", 120);
    gen_ftrace_switch(&t.cpu[0], 300, GEN_TASK_RUNNABLE, 12, "two", 120);
    gen_ftrace_waking(&t.cpu[0], 300, 11, "one", 0, 120, 0);
    gen_ftrace_switch(&t.cpu[0], 500, GEN_TASK_RUNNABLE, 11, "one", 120);
    load(&t);
    trace_expect(t.engine, "select ts, name from ftrace_event order by id",
                 "300 sched_switch|300 sched_waking|300 print|400 print|500 sched_switch");
    finish(&t);
}

static void test_full_switch(void **state)
{
    struct trace t;
    (void)state;
    start(&t);
    gen_packet_system_info(&t.bytes, "5.10.0");
    gen_ftrace_sched_switch(&t.cpu[0], 100, 0, "swapper", 0, 11, "one", 120);
    gen_ftrace_sched_switch(&t.cpu[0], 200, 11, "one", GEN_TASK_UNINTERRUPTIBLE, 12, "two", 120);
    gen_ftrace_sched_switch(&t.cpu[0], 300, 99, "lost", 0, 13, "three", 120);
    load(&t);
    trace_expect(t.engine, SCHED, "100 100 0 11 D|200 -1 0 12 -|300 -1 0 13 -");
    trace_expect(t.engine, "select value from stats where name = 'mismatched_sched_switch_tids'",
                 "1");
    finish(&t);
}

static void test_raw_args(void **state)
{
    struct trace t;
    (void)state;
    start(&t);
    gen_ftrace_cpu_idle(&t.cpu[1], 10, GEN_CPU_NOT_IDLE);
    gen_ftrace_cpu_idle(&t.cpu[1], 20, GEN_CPU_NOT_IDLE);
    gen_ftrace_open(&t.cpu[1], 30, 5, 999);
    gen_ftrace_close(&t.cpu[1]);
    load(&t);
    trace_expect(t.engine,
                 "select e.ts, e.cpu, a.key, a.value_type, a.display_value from ftrace_event e "
                 "join args a using (arg_set_id) order by e.ts, a.key",
                 "10 1 cpu_id uint 1|10 1 state uint 4294967295|"
                 "20 1 cpu_id uint 1|20 1 state uint 4294967295");
    trace_expect(t.engine, COUNTERS, "10 4.29497e+09 cpuidle|20 4.29497e+09 cpuidle");
    trace_expect(t.engine,
                 "select idx, value from stats where name = "
                 "'perfetty_unread_ftrace_events'",
                 "999 1");
    finish(&t);
}

/* Rows of raw events wait for the first reader, and what cannot be among them does
 * not wait. */
static void test_late_rows(void **state)
{
    struct trace t;
    (void)state;
    start(&t);
    gen_packet_system_info(&t.bytes, "5.10.0");
    gen_ftrace_print(&t.cpu[1], 40, 11, "B|11|work\n");
    gen_ftrace_switch(&t.cpu[0], 100, GEN_TASK_RUNNABLE, 11, "one", 120);
    gen_ftrace_switch(&t.cpu[0], 200, GEN_TASK_SLEEPING, 12, "two", -5);
    gen_ftrace_waking(&t.cpu[0], 250, 11, "one", 1, 120, GEN_FTRACE_HARDIRQ);
    gen_ftrace_waking(&t.cpu[0], 260, 11, "uno", 1, 120, 0);
    gen_ftrace_switch(&t.cpu[0], 300, GEN_TASK_PREEMPTED, 11, "uno", 120);
    load(&t);
    const struct tables *tables = engine_tables(t.engine);
    const struct table *rows = &tables->ftrace_event.table;
    trace_expect(t.engine, "select trace_start(), trace_end()", "40 300");
    trace_expect(t.engine, "select count(1) from args where key = 'debug.url'", "0");
    trace_expect(t.engine, "select count(1) from args where arg_set_id = 123456", "0");
    assert_false(table_is_complete(rows));
    assert_int_equal(late_rows_count(tables), 5);
    assert_int_equal(late_rows_of(tables)->rows_of_cpu[0], 4);
    trace_expect(t.engine, "select count(1) from args where flat_key = 'buf'", "1");
    assert_true(table_is_complete(rows) && rows->frozen && tables->args.table.frozen);
    assert_int_equal(late_rows_count(tables), 5);
    trace_expect(t.engine,
                 "select e.ts, e.name, t.tid, e.common_flags, group_concat(a.display_value, ',') "
                 "from ftrace_event e join thread t using (utid) join args a on a.arg_set_id = "
                 "e.arg_set_id and a.key not in ('success', 'ip', 'prev_state') group by e.id",
                 "40 print 11 0 B|11|work\n|200 sched_switch 11 0 one,11,120,two,12,-5|"
                 "250 sched_waking 12 8 one,11,120,1|260 sched_waking 12 0 uno,11,120,1|"
                 "300 sched_switch 12 0 two,12,-5,uno,11,120");
    finish(&t);
}

static void test_tasks(void **state)
{
    struct trace t;
    (void)state;
    start(&t);
    gen_ftrace_newtask(&t.cpu[0], 100, 1, 20, "child", 0);
    gen_ftrace_newtask(&t.cpu[0], 200, 20, 21, "thread", GEN_CLONE_THREAD);
    gen_ftrace_rename(&t.cpu[0], 300, 20, "child", "renamed");
    gen_ftrace_process_free(&t.cpu[0], 400, 21, "thread");
    load(&t);
    trace_expect(t.engine,
                 "select t.tid, t.name, t.start_ts, t.end_ts, p.pid from thread t left join "
                 "process p using (upid) where tid >= 20 order by tid",
                 "20 renamed 100 - 20|21 thread 200 400 20");
    trace_expect(t.engine, "select name from process where pid = 20", "renamed");
    finish(&t);
}

struct print_case {
    const char *texts[4]; /* at 100, 200, 300, 400 by thread 7 of process 5 */
    const char *slices, *counters;
};

static const struct print_case print_cases[] = {
    {{"B|5|a\n", "B|5|b", "E|5\n", "E\n"}, "100 300 0 a|200 100 1 b", ""},
    {{"B|5|", "E|5"}, "100 100 0 [empty slice name]", ""},
    {{"E|5\n", "I|5|tick\n"}, "200 0 0 tick", ""},
    {{"S|5|load|1", "S|5|load|2", "F|5|load|1", "F|5|load|2"}, "100 200 0 load|200 200 0 load", ""},
    {{"G|5|lane|x|1", "N|5|lane|now", "H|5|lane|1"}, "100 200 0 x|200 0 0 now", ""},
    {{"C|5|frames|3\n", "C|5|frames|-4"}, "", "100 3 frames|200 -4 frames"},
    {{"C|5|ScreenState|2"}, "", "100 2 ScreenState"},
    {{"C|5|kill_one_process|9", "C|5|kill_one_process|0"},
     "100 0 0 mem.lmk",
     "100 9 kill_one_process|200 0 kill_one_process"},
    {{"B|5|caf\xc3\xa9\xff\n"}, "100 -1 0 caf\xc3\xa9", ""},
};

static void test_prints(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof print_cases / sizeof print_cases[0]; i++) {
        struct trace t;
        start(&t);
        for (int k = 0; k < 4 && print_cases[i].texts[k]; k++)
            gen_ftrace_print(&t.cpu[0], 100 * (k + 1), 7, print_cases[i].texts[k]);
        load(&t);
        trace_expect(t.engine, SLICES, print_cases[i].slices);
        trace_expect(t.engine, COUNTERS, print_cases[i].counters);
        finish(&t);
    }
}

static void test_bad_text_is_counted(void **state)
{
    struct trace t;
    (void)state;
    start(&t);
    gen_ftrace_print(&t.cpu[0], 100, 7, "hello\n");
    gen_ftrace_print(&t.cpu[0], 200, 7, "trace_event_clock_sync: parent_ts=1.5\n");
    load(&t);
    trace_expect(t.engine, "select value from stats where name = 'systrace_parse_failure'", "1");
    finish(&t);
}

static void test_binder(void **state)
{
    struct trace t;
    (void)state;
    start(&t);
    gen_ftrace_binder_transaction(&t.cpu[0], 100, 7, 1, 20, 0, false, false);
    gen_ftrace_binder_received(&t.cpu[0], 150, 21, 1);
    gen_ftrace_binder_transaction(&t.cpu[0], 250, 21, 2, 5, 7, true, false);
    gen_ftrace_binder_received(&t.cpu[0], 300, 7, 2);
    load(&t);
    trace_expect(t.engine, SLICES, "100 200 0 binder transaction|150 100 0 binder reply");
    trace_expect(t.engine,
                 "select a.name, b.name from flow join slice a on a.id = slice_out join slice b "
                 "on b.id = slice_in",
                 "binder transaction binder reply");
    finish(&t);
}

static void test_memory(void **state)
{
    struct trace t;
    (void)state;
    start(&t);
    gen_ftrace_rss_stat(&t.cpu[0], 100, 7, 1, 4096);
    gen_ftrace_rss_stat(&t.cpu[0], 200, 7, 1, -1);
    gen_ftrace_oom_score(&t.cpu[0], 300, 7, "x", 900);
    gen_ftrace_print(&t.cpu[0], 400, 7, "B|5|x\n"); /* thread 7 is of process 5 */
    load(&t);
    trace_expect(t.engine,
                 "select c.ts, c.value, t.name, p.pid from counter c join process_counter_track t "
                 "on t.id = c.track_id join process p using (upid) order by 1",
                 "100 4096 mem.rss.anon 5|300 900 oom_score_adj 5");
    finish(&t);
}

static void test_irq(void **state)
{
    struct trace t;
    (void)state;
    start(&t);
    gen_ftrace_irq(&t.cpu[1], 100, 50, 3, "timer");
    gen_ftrace_softirq(&t.cpu[1], 200, 20, 3);
    load(&t);
    trace_expect(t.engine,
                 "select s.ts, s.dur, s.name, s.category, t.name from slice s join track t on t.id "
                 "= s.track_id order by s.ts",
                 "100 50 IRQ (timer) irq Irq Cpu 1|200 20 NET_RX irq SoftIrq Cpu 1");
    finish(&t);
}

/* A bundle may be cut anywhere: what is before the cut is there, nothing crashes. */
static void test_cut_bundles(void **state)
{
    struct buffer whole = BUFFER_INIT;
    struct gen_ftrace cpu;
    (void)state;
    gen_ftrace_start(&cpu, 0);
    gen_ftrace_switch(&cpu, 100, 0, 11, "one", 120);
    gen_ftrace_switch(&cpu, 200, 1, 12, "two", 120);
    gen_ftrace_waking(&cpu, 250, 11, "one", 0, 120, 8);
    gen_ftrace_print(&cpu, 300, 12, "B|12|x\n");
    gen_ftrace_flush(&cpu, &whole, 1);
    gen_ftrace_free(&cpu);
    /* The packet's bytes shortened, under a length that is right. */
    for (size_t n = 2; n + 2 < whole.length && n < 120; n++) {
        struct buffer cut = BUFFER_INIT;
        gen_packet_trace_uuid(&cut, 1, 2); /* something that can be read */
        gen_bytes(&cut, 1, whole.data + (whole.length < 130 ? 2 : 3), n);
        struct engine *engine = trace_load(&cut);
        engine_free(engine);
        buffer_free(&cut);
    }
    buffer_free(&whole);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_compact_switch),
        cmocka_unit_test(test_compact_waking),
        cmocka_unit_test(test_order_in_bundle),
        cmocka_unit_test(test_full_switch),
        cmocka_unit_test(test_raw_args),
        cmocka_unit_test(test_late_rows),
        cmocka_unit_test(test_tasks),
        cmocka_unit_test(test_prints),
        cmocka_unit_test(test_bad_text_is_counted),
        cmocka_unit_test(test_binder),
        cmocka_unit_test(test_memory),
        cmocka_unit_test(test_irq),
        cmocka_unit_test(test_cut_bundles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
