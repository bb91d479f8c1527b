/* Packets about processes and the machine. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "tests/gen/packet.h"
#include "tests/gen/wire.h"
#include "tests/unit/trace_fixture.h"

struct tree_case {
    struct gen_process process;
    const char *expected; /* name, parent's pid, uid, cmdline */
};

static const char *const shell_arguments[] = {"-c", "ls /", NULL};

static const struct tree_case tree_cases[] = {
    {{.pid = 10, .ppid = 1, .uid = 1000, .name = "/bin/sh", .more_arguments = shell_arguments},
     "/bin/sh 1 1000 /bin/sh -c ls /"},
    /* All arguments in one string: the name ends at the first blank. */
    {{.pid = 10, .ppid = 1, .uid = 0, .name = "init second_stage"}, "init 1 0 init second_stage"},
    {{.pid = 10, .ppid = 2, .uid = 0, .name = "kworker/0:1-events"}, "kworker/0:1 2 0 kworker/0:1"},
    {{.pid = 10, .ppid = 2, .uid = 0, .name = "ksoftirqd/0", .is_kthread = true},
     "ksoftirqd/0 2 0 ksoftirqd/0"},
};

static void test_processes(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof tree_cases / sizeof tree_cases[0]; i++) {
        struct buffer bytes = BUFFER_INIT;
        gen_packet_process_tree(&bytes, 100, 1, &tree_cases[i].process, 1, NULL, 0);
        struct engine *engine = trace_load(&bytes);
        trace_expect(engine,
                     "select p.name, q.pid, p.uid, p.cmdline from process p left join process q "
                     "on q.upid = p.parent_upid where p.pid = 10",
                     tree_cases[i].expected);
        engine_free(engine);
        buffer_free(&bytes);
    }
}

static void test_threads_and_start(void **state)
{
    struct buffer bytes = BUFFER_INIT;
    struct gen_process process = {.pid = 10, .ppid = 1, .name = "app", .start_ns = 42};
    struct gen_thread threads[] = {{10, 10, "main"}, {11, 10, "worker"}};
    (void)state;
    gen_packet_process_tree(&bytes, 100, 1, &process, 1, threads, 2);
    struct engine *engine = trace_load(&bytes);
    trace_expect(engine,
                 "select t.tid, t.name, t.is_main_thread, p.start_ts from thread t join process p "
                 "using (upid) where p.pid = 10 order by t.tid",
                 "10 main 1 42|11 worker 0 42");
    engine_free(engine);
    buffer_free(&bytes);
}

static void test_process_stats(void **state)
{
    struct buffer bytes = BUFFER_INIT;
    (void)state;
    size_t packet = gen_packet_open(&bytes, 100, 1);
    size_t stats = gen_open(&bytes, GEN_PACKET_PROCESS_STATS);
    size_t process = gen_open(&bytes, 1);
    gen_int(&bytes, 1, 10);
    gen_uint(&bytes, 3, 7);  /* rss, kB */
    gen_int(&bytes, 10, -5); /* score */
    gen_uint(&bytes, 20, 2); /* smaps */
    gen_uint(&bytes, 99, 1); /* nobody knows it */
    gen_close(&bytes, process);
    gen_close(&bytes, stats);
    gen_packet_close(&bytes, packet);
    struct engine *engine = trace_load(&bytes);
    trace_expect(engine,
                 "select t.name, c.value, p.pid from counter c join process_counter_track t on "
                 "t.id = c.track_id join process p using (upid) order by t.name",
                 "mem.rss 7168 10|mem.smaps.pss.smem 2048 10|oom_score_adj -5 10");
    trace_expect(engine, "select value from stats where name = 'proc_stat_unknown_counters'", "1");
    engine_free(engine);
    buffer_free(&bytes);
}

static void test_machine(void **state)
{
    struct buffer bytes = BUFFER_INIT;
    const uint32_t capacities[] = {250, 250, 1024, 600};
    (void)state;
    gen_packet_system_info(&bytes, "6.1.0");
    gen_packet_cpu_info(&bytes, capacities, 4);
    struct engine *engine = trace_load(&bytes);
    trace_expect(engine, "select release from machine", "6.1.0");
    trace_expect(engine, "select str_value from metadata where name = 'system_release'", "6.1.0");
    trace_expect(engine, "select cpu, cluster_id, capacity from cpu order by cpu",
                 "0 0 250|1 0 250|2 2 1024|3 1 600");
    engine_free(engine);
    buffer_free(&bytes);
}

static void test_sys_stats(void **state)
{
    struct buffer bytes = BUFFER_INIT;
    (void)state;
    for (int sample = 0; sample < 2; sample++) {
        size_t packet = gen_packet_open(&bytes, 100 + sample, 1);
        size_t stats = gen_open(&bytes, GEN_PACKET_SYS_STATS);
        size_t part = gen_open(&bytes, 1);
        gen_uint(&bytes, 1, 2); /* MemFree */
        gen_uint(&bytes, 2, 3);
        gen_close(&bytes, part);
        part = gen_open(&bytes, 13);
        gen_text(&bytes, 1, "sda");
        gen_uint(&bytes, 2, (uint64_t)sample * 4096); /* sectors read */
        gen_uint(&bytes, 3, (uint64_t)sample * 500);  /* ms */
        gen_close(&bytes, part);
        gen_close(&bytes, stats);
        gen_packet_close(&bytes, packet);
    }
    struct engine *engine = trace_load(&bytes);
    trace_expect(engine,
                 "select c.ts, c.value from counter c join counter_track t on t.id = c.track_id "
                 "where t.name = 'MemFree' order by c.ts",
                 "100 3072|101 3072");
    /* The second sample of a disk tells what happened since the first. */
    trace_expect(engine,
                 "select t.name, c.value from counter c join counter_track t on t.id = c.track_id "
                 "where t.name like 'diskstat.[sda].read%' order by t.name",
                 "diskstat.[sda].read_amount 2|diskstat.[sda].read_throughput 4");
    engine_free(engine);
    buffer_free(&bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_processes),     cmocka_unit_test(test_threads_and_start),
        cmocka_unit_test(test_process_stats), cmocka_unit_test(test_machine),
        cmocka_unit_test(test_sys_stats),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
