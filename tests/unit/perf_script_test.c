/* `perf script` text: the grammar of its lines, rows, damage. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "engine/import/perf_script_line.h"
#include "tests/gen/perf_script.h"
#include "tests/unit/trace_fixture.h"

static void sample_lines_are_told_from_others(void **state)
{
    static const struct {
        const char *line;
        bool is_sample;
        const char *comm;
        int64_t ts, pid; /* pid -1: none */
        uint32_t tid;
    } cases[] = {
        {"a 1 2.000001: cycles:", true, "a", 2000001000, -1, 1},
        {"my app  12/34 [003] 5.5:  6.250000: x", true, "my app 12/34 [003] 5.5:", 0, -1, 0},
        {"my app\t12/34 [003]   6.250000: x", true, "my app", 6250000000, 12, 34},
        {"a 1 2.000000001: cycles:", true, "a", 2000000001, -1, 1},
        {"a:b 1 [001] 145.698287: c", true, "a:b", 145698286999, -1, 1},
        {"a 1 2.00001: cycles:", false, "", 0, 0, 0},
        {"1 2.000001: cycles:", false, "", 0, 0, 0},
        {"a one 2.000001: cycles:", false, "", 0, 0, 0},
        {"a 1 x2.000001: cycles:", false, "", 0, 0, 0},
        {"a 1/ 2.000001: cycles:", false, "", 0, 0, 0},
        {"a 1 .000001:", false, "", 0, 0, 0},
        {"bash-1 [000] 2.000001: sched_switch:", false, "", 0, 0, 0},
        {"", false, "", 0, 0, 0},
    };
    (void)state;
    struct buffer comm = BUFFER_INIT;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct perf_script_sample sample;
        bool got = perf_script_read_sample(str_of(cases[i].line), &sample, &comm);
        if (i == 1) { /* what stands before the last time is no task */
            assert_false(got);
            continue;
        }
        if (got != cases[i].is_sample) fail_msg("%s", cases[i].line);
        if (!got) continue;
        assert_string_equal(buffer_text(&comm), cases[i].comm);
        assert_int_equal(sample.ts, cases[i].ts);
        assert_int_equal(sample.tid, cases[i].tid);
        assert_int_equal(sample.has_pid, cases[i].pid >= 0);
        if (sample.has_pid) assert_int_equal(sample.pid, cases[i].pid);
    }
    buffer_free(&comm);
}

static void frames_have_symbol_and_mapping(void **state)
{
    struct perf_script_frame frame;
    (void)state;
    assert_null(
        perf_script_read_frame(STR("\t 40 f(int (*)(char))+0x2f (/lib/x (deleted))"), &frame));
    assert_true(str_is(frame.symbol, "f(int (*)(char))"));
    assert_true(str_is(frame.mapping, "/lib/x (deleted)"));
    assert_null(perf_script_read_frame(STR("40 f (a)b)"), &frame));
    assert_true(str_is(frame.mapping, "a)b"));
    assert_null(perf_script_read_frame(STR(" 40 operator+(A)+0x1 (/lib/x)"), &frame));
    assert_true(str_is(frame.symbol, "operator+(A)"));
    assert_true(str_is(frame.mapping, "/lib/x"));
    assert_non_null(perf_script_read_frame(STR(" 40 f"), &frame));
    assert_non_null(perf_script_read_frame(STR("40(x)"), &frame));
    assert_non_null(perf_script_read_frame(STR(""), &frame));
    assert_true(perf_script_read_inline_frame(STR(" 1 a:b:c: 5f std::f+0x1 (m)"), &frame));
    assert_true(str_is(frame.symbol, "std::f"));
    assert_false(perf_script_read_inline_frame(STR(" 1 cycles: "), &frame));
    assert_false(perf_script_read_inline_frame(STR(" 1 sched:x: comm=5 (m)"), &frame));
}

static void samples_become_rows(void **state)
{
    struct buffer bytes = BUFFER_INIT;
    (void)state;
    gen_write_perf_script(&bytes);
    struct engine *engine = trace_load(&bytes);
    trace_expect(engine,
                 "select s.ts, th.tid, p.pid, th.name, f.name, m.name, c.depth "
                 "from cpu_profile_stack_sample s join thread th using (utid) "
                 "left join process p using (upid) join stack_profile_callsite c "
                 "on c.id = s.callsite_id join stack_profile_frame f on f.id = c.frame_id "
                 "join stack_profile_mapping m on m.id = f.mapping order by s.ts",
                 "12000250000 4100 4100 shop server Cart::add(Item const&) /usr/bin/shop 3|"
                 "12000500000 4107 4100 worker [unknown] [kernel.kallsyms] 2|"
                 "12000750000 0 - swapper native_safe_halt [kernel.kallsyms] 1|"
                 "12000900000 4107 4100 worker sourced /bin/w 1|"
                 "12001000000 4107 4100 worker f /bin/w 1|"
                 "12001000123 4107 4100 worker g /bin/w 1");
    trace_expect(engine, "select name from process where pid = 4100", "shop server");
    trace_expect(engine, "select str_value from metadata where name = 'trace_type'", "perf_text");
    trace_expect(engine, "select count(1) from stack_profile_frame where name = 'main'", "1");
    engine_free(engine);
    buffer_free(&bytes);
}

static void damage_is_told_and_passed_by(void **state)
{
    struct buffer bytes = BUFFER_INIT;
    (void)state;
    gen_write_perf_script_broken(&bytes);
    struct engine *engine = trace_load(&bytes);
    trace_expect(engine, "select ts from stack_sample", "7000001000");
    trace_expect(engine,
                 "select name, value from stats where value > 0 and name in "
                 "('perf_text_importer_sample_no_frames', 'perfetty_input_corrupt', "
                 "'perfetty_input_truncated') order by name",
                 "perf_text_importer_sample_no_frames 1|perfetty_input_corrupt 7|"
                 "perfetty_input_truncated 1");
    trace_expect(engine,
                 "select byte_offset, extract_arg(arg_set_id, 'error') from _trace_import_logs "
                 "where severity = 'data_loss'",
                 "433 the last sample does not end");
    engine_free(engine);
    buffer_free(&bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sample_lines_are_told_from_others),
        cmocka_unit_test(frames_have_symbol_and_mapping),
        cmocka_unit_test(samples_become_rows),
        cmocka_unit_test(damage_is_told_and_passed_by),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
