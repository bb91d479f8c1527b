/* Ftrace text: columns of a line, forms of file, what each event becomes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "engine/import/json_import.h"
#include "engine/import/process.h"
#include "engine/import/sched.h"
#include "engine/import/systrace.h"
#include "engine/store/late_rows.h"
#include "tests/unit/import_fixture.h"

/* ---- lines ---- */

static const char *line_of(const char *text, struct buffer *out)
{
    struct systrace_line l;
    buffer_clear(out);
    if (!systrace_line_read(str_of(text), &l)) return "";
    buffer_printf(out, "%.*s/%lld/%lld/%u/%lld/%.*s/%.*s", STR_ARG(l.task), (long long)l.pid,
                  (long long)l.tgid, l.cpu, (long long)l.ts, STR_ARG(l.event), STR_ARG(l.args));
    return buffer_text(out);
}

static void lines_are_cut_into_columns(void **state)
{
    static const char *const cases[][2] = {
        {"  foo-12   (   11) [003] d.h2   1.5: print: B|11|x ",
         "foo/12/11/3/1500000000/print/B|11|x"},
        {"<idle>-0     [000]  0.002188: tracing_mark_write: E|77",
         "<idle>/0/-1/0/2188000/tracing_mark_write/E|77"},
        {"a-1 (-----) [001] .... 2.000000001: 0: E", "a/1/-1/1/2000000001/0/E"},
        {"kworker/u16:1-77    (   77) [004] ....316.196720: e: x",
         "kworker/u16:1/77/77/4/16196720000/e/x"},
        {"w-7     (    7) [001] d...311  20.000001: e: x", "w/7/7/1/20000001000/e/x"},
        {"task-1234-567    ( 567) [000] ....   100.000000: e: a b",
         "task-1234/567/567/0/100000000000/e/a b"},
        {"Binder:[x]-(1-44     (   44) [002] ...1  1.000003: e: ",
         "Binder:[x]-(1/44/44/2/1000003000/e/"},
        {"x-1 (99999999999) [0] 1.0: a:b:c: d", "x/1/-1/0/1000000000/a:b:c/d"},
        {"x-1 [0] 1.0: noargs:", "x/1/-1/0/1000000000/noargs/"},
        {"x-1 [0] 1.0 nocolon: a", ""},
        {"x-1 [0] 1.0: : a", ""},
        {"x-1 [0] 10: e: a", ""},
        {"x-1 [0 1.0: e: a", ""},
        {"x-1 [99999999999] 1.0: e: a", ""},
        {"x-99999999999 [0] 1.0: e: a", ""},
        {"x-1 [0] 99999999999999999999.0: e: a", ""},
        {"x-1", ""},
        {"-", ""},
        {"", ""},
    };
    (void)state;
    struct buffer out = BUFFER_INIT;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_string_equal(line_of(cases[i][0], &out), cases[i][1]);
    buffer_free(&out);
}

/* ---- files ---- */

static struct fixture load(const struct importer *importer, const char *text)
{
    struct fixture f = fixture_new(importer);
    struct status st = STATUS_INIT;
    assert_true(importer->sniff(str_of(text)));
    f.file.importer = importer;
    if (!import_tokenize(&f.file, str_of(text), &st)) fail_msg("%s", status_message(&st));
    fixture_finish(&f);
    return f;
}

static void slices_are(const char *text, const char *slices, int64_t failures)
{
    struct buffer out = BUFFER_INIT;
    struct fixture f = load(&importer_systrace, text);
    fixture_slices(&f, &out);
    assert_string_equal(buffer_text(&out), slices);
    assert_int_equal(stats_get(f.import, STAT_systrace_parse_failure), failures);
    fixture_free(&f);
    buffer_free(&out);
}

#define PAIR \
    "  demo-9 (    9) [000] ...1  5.000001: print: B|9|paint\n" \
    "  demo-9 (    9) [000] ...1  5.000021: print: E|9\n"
#define SECTION "<script class=\"trace-data\" type=\"application/text\">\n"

static void forms_of_file_are_read(void **state)
{
    static const char PAINT[] = "paint:5000001000:20000:0";
    (void)state;
    slices_are("# tracer: nop\n#\n" PAIR, PAINT, 0);
    slices_are("# tracer: nop\r\n#\r\n\r\n" PAIR "no event\r\n", PAINT, 1);
    slices_are(PAIR, PAINT, 0);
    slices_are("capturing trace... done\nTRACE:\n" PAIR, PAINT, 0);
    slices_are("cpus=8\n" PAIR, PAINT, 0);
    slices_are("cpus=eight\n" PAIR, PAINT, 1);
    slices_are("<!DOCTYPE html>\n" SECTION "CGROUP DUMP\n" PAIR "</script>\n" SECTION
               "# TASK-PID\n" PAIR "</script>\n" PAIR,
               PAINT, 0);
    slices_are("<HTML>\n" SECTION "#\n" PAIR, PAINT, 0);
    slices_are("<html>\n" PAIR SECTION "</script>\n" PAIR, "", 0);
}

static void a_cut_last_line_is_told(void **state)
{
    (void)state;
    struct fixture f = load(&importer_systrace, PAIR "  demo-9 (    9) [000] ...1  5.0000");
    assert_int_equal(stats_get(f.import, STAT_perfetty_input_truncated), 1);
    assert_int_equal(table_rows(&f.tables->trace_import_logs.table), 1);
    assert_int_equal(table_rows(&f.tables->slice.table), 1);
    fixture_free(&f);
}

static void tables_of_processes_give_names(void **state)
{
    (void)state;
    struct fixture f = load(&importer_systrace, "<html>\n" SECTION "PROCESS DUMP\n"
                                                "USER PID PPID VSZ RSS WCHAN PC S NAME\n"
                                                "root 7 1 10 10 wait 0 S init.rc cmd line\n"
                                                "root x 1 10 10 wait 0 S bad cmd\n"
                                                "root 8\n"
                                                "USER PID TID CMD\n"
                                                "root 7 70 a worker\n"
                                                "root 7 y b\n"
                                                "</script>\n");
    uint32_t upid = process_find(&f.file, 7), utid = thread_find(&f.file, 70);
    assert_string_equal(fixture_text(&f, &f.tables->process.name, upid), "init.rc");
    assert_int_equal(column_get_row(&f.tables->process.parent_upid, upid),
                     process_find(&f.file, 1));
    assert_string_equal(fixture_text(&f, &f.tables->thread.name, utid), "a worker");
    assert_int_equal(thread_process(&f.file, utid), upid);
    assert_int_equal(stats_get(f.import, STAT_systrace_parse_failure), 2);
    fixture_free(&f);
}

/* ---- events ---- */

static void switches_become_scheduling(void **state)
{
    (void)state;
    struct fixture f = load(
        &importer_systrace,
        " <idle>-0 (-----) [001] ....  1.000001: sched_waking: comm=HDMI polling ta pid=5 "
        "prio=120\n"
        " <idle>-0 (-----) [001] ....  1.000002: sched_switch: prev_comm=swapper/1 prev_pid=0 "
        "prev_prio=120 prev_state=R ==> next_comm=HDMI polling ta next_pid=5 next_prio=97\n"
        " <...>-5 (-----) [001] ....  1.000005: sched_switch: prev_comm=HDMI polling ta prev_pid=5 "
        "prev_prio=97 prev_state=D|K ==> next_comm=swapper/1 next_pid=0 next_prio=120\n"
        " <idle>-0 (-----) [001] ....  1.000006: sched_blocked_reason: pid=5 iowait=1 "
        "caller=f+0x1\n"
        " <idle>-0 (-----) [001] ....  1.000007: sched_switch: prev_comm=x prev_pid=0 "
        "prev_prio=120 prev_state=? ==> next_comm=y next_pid=0 next_prio=120\n"
        " <idle>-0 (-----) [001] ....  1.000008: sched_switch: prev_comm=x prev_pid=0\n");
    const struct tables *t = f.tables;
    assert_int_equal(table_rows(&t->sched_slice.table), 3);
    assert_int_equal(late_rows_count(t), 3);
    assert_int_equal(column_get_int64(&t->sched_slice.dur, 0), 3000);
    assert_string_equal(fixture_text(&f, &t->sched_slice.end_state, 0), "DK");
    uint32_t utid = thread_find(&f.file, 5);
    assert_string_equal(fixture_text(&f, &t->thread.name, utid), "HDMI polling ta");
    assert_int_equal(table_rows(&t->thread_state.table), 3);
    assert_string_equal(fixture_text(&f, &t->thread_state.state, 0), "R");
    assert_string_equal(fixture_text(&f, &t->thread_state.blocked_function, 2), "f+0x1");
    assert_int_equal(stats_get(f.import, STAT_task_state_invalid), 1);
    fixture_free(&f);
}

static void masks_are_those_of_old_kernels(void **state)
{
    (void)state;
    assert_int_equal(sched_mask_of_text(STR("S")), 1);
    assert_int_equal(sched_mask_of_text(STR("D|K")), 0x82);
    assert_int_equal(sched_mask_of_text(STR("R+")), 0x800);
    assert_int_equal(sched_mask_of_text(STR("")), 0);
}

/* "name=value …" of all counters. */
static void counters_of(const struct fixture *f, struct buffer *out)
{
    const struct counter_table *c = &f->tables->counter;
    buffer_clear(out);
    for (uint32_t i = 0; i < table_rows(&c->table); i++)
        buffer_printf(out, "%s%s=%g", i ? "; " : "",
                      fixture_text(f, &f->tables->track.name, column_get_row(&c->track_id, i)),
                      column_get_double(&c->value, i));
}

#define AT(n) " a-4 (4) [000] .... 1.00000" #n ": "

static void counters_are_read(void **state)
{
    (void)state;
    struct buffer out = BUFFER_INIT;
    struct
        fixture
            f = load(&importer_systrace,
                     AT(1) "cpu_frequency: state=1500 cpu_id=2\n" AT(2) "cpu_idle: "
                                                                        "state=4294967295 "
                                                                        "cpu_id=1\n" AT(3) "cpu_"
                                                                                           "frequen"
                                                                                           "cy_"
                                                                                           "limits:"
                                                                                           " min=1 "
                                                                                           "max=2 "
                                                                                           "cpu_id="
                                                                                           "0\n" AT(4) "cpu_frequency_limits: min_freq=3 max_freq=4 cpu_id=0\n" AT(5) "clock_set_rate: gpu state=7 cpu_id=0\n" AT(5) "clock_enable: gpu state=1 cpu_id=0\n" AT(6) "thermal_temperature: thermal_zone=skin id=1 temp=-5\n" AT(7) "cdev_update: type=fan target=3\n" AT(8) "rss_stat: size=4096 member=1 curr=1 mm_id=5\n" AT(
                                                                                               8) "rss_stat: size=4096 member=9\n" AT(8) "rss_stat: size=-1 member=1\n" AT(9) "cpu_frequency: state=x cpu_id=2\n" AT(9) "cpu_frequency: state=1 cpu_id=5000\n" AT(9) "clock_disable: gpu state=-1\n");
    counters_of(&f, &out);
    assert_string_equal(buffer_text(&out),
                        "cpufreq=1500; cpuidle=4.29497e+09; Cpu 0 Max Freq Limit=2; "
                        "Cpu 0 Min Freq Limit=1; Cpu 0 Max Freq Limit=4; Cpu 0 Min Freq Limit=3; "
                        "gpu Frequency=7; gpu State=1; skin Temperature=-5; fan Cooling Device=3; "
                        "mem.rss.anon=4096");
    assert_int_equal(stats_get(f.import, STAT_rss_stat_unknown_keys), 1);
    assert_int_equal(stats_get(f.import, STAT_rss_stat_negative_size), 1);
    fixture_free(&f);
    buffer_free(&out);
}

static void work_and_binder_become_slices(void **state)
{
    (void)state;
    slices_are(
        AT(1) "workqueue_execute_start: work struct 0x1: function do_it\n" AT(2) "workqueue_"
                                                                                 "execute_end: "
                                                                                 "work struct "
                                                                                 "0x1\n" AT(3) "wor"
                                                                                               "kqu"
                                                                                               "eue"
                                                                                               "_ex"
                                                                                               "ecu"
                                                                                               "te_"
                                                                                               "sta"
                                                                                               "rt:"
                                                                                               " no"
                                                                                               "thi"
                                                                                               "ng"
                                                                                               "\n" AT(4) "binder_lock: tag=x\n" AT(5) "binder_locked: tag=x\n" AT(6) "binder_unlock: tag=x\n" AT(
                                                                                                   7) "binder_transaction: transaction=1 dest_node=2 dest_proc=3 dest_thread=0 "
                                                                                                      "reply=0 flags=0x0 code=0x3\n" AT(7) "binder_transaction_alloc_buf: data_size=8 offsets_size=0\n" AT(
                                                                                                          8) "binder_return: cmd=0x7211 BR_FAILED_REPLY\n" AT(9) "binder_transaction: transaction=x dest_node=2\n",
        "do_it:1000001000:1000:0 binder lock waiting:1000004000:1000:0 "
        "binder lock held:1000005000:1000:0 binder transaction:1000007000:1000:0",
        0);
}

static void json_can_hold_the_text(void **state)
{
    (void)state;
    struct buffer out = BUFFER_INIT;
    struct fixture f =
        load(&importer_json, "{\"traceEvents\":[],\"systemTraceEvents\":\"# tracer: nop\\n"
                             " a-4 (4) [000] .... 1.5: print: B|4|x\\n"
                             " a-4 (4) [000] .... 1.6: print: E|4\\nbad\\ncut\"}");
    fixture_slices(&f, &out);
    assert_string_equal(buffer_text(&out), "x:1500000000:100000000:0");
    assert_int_equal(stats_get(f.import, STAT_systrace_parse_failure), 2);
    fixture_free(&f);
    buffer_free(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_are_cut_into_columns),
        cmocka_unit_test(forms_of_file_are_read),
        cmocka_unit_test(a_cut_last_line_is_told),
        cmocka_unit_test(tables_of_processes_give_names),
        cmocka_unit_test(switches_become_scheduling),
        cmocka_unit_test(masks_are_those_of_old_kernels),
        cmocka_unit_test(counters_are_read),
        cmocka_unit_test(work_and_binder_become_slices),
        cmocka_unit_test(json_can_hold_the_text),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
