/* strace: lines, and the slices they become. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "engine/import/args.h"
#include "engine/import/strace.h"
#include "tests/unit/import_fixture.h"

static const char *line_of(const char *text, struct buffer *out)
{
    static const char KINDS[] = "cur2";
    struct strace_line l;
    buffer_clear(out);
    switch (strace_line_read(str_of(text), &l)) {
    case STRACE_OTHER: return "other";
    case STRACE_TIME_OF_DAY: return "day";
    case STRACE_CALL: break;
    }
    buffer_printf(out, "%lld/%lld/%c/%.*s/%.*s/%.*s", l.has_pid ? (long long)l.pid : -1,
                  (long long)l.time, KINDS[l.kind], STR_ARG(l.name), STR_ARG(l.args),
                  STR_ARG(l.result));
    return buffer_text(out);
}

static void lines_are_read(void **state)
{
    static const char *const cases[][2] = {
        {"1000 1700000052.321000 read(3, \"a)b\", 4)   = 3",
         "1000/1700000052321000000/c/read/3, \"a)b\", 4/3"},
        {"[pid   12] 1700000052.5 close(3) = -1 EBADF (Bad file)",
         "12/1700000052000005000/c/close/3/-1 EBADF (Bad file)"},
        {"1700000052 getpid() = 7", "-1/1700000052000000000/c/getpid//7"},
        {"1 1700000052.1 futex(0x1, WAIT,  <unfinished ...>",
         "1/1700000052000001000/u/futex/0x1, WAIT/"},
        {"1 1700000052.1 <... futex resumed>) = 0", "1/1700000052000001000/r/futex//0"},
        {"1 1700000052.1 <... read resumed> = 3", "1/1700000052000001000/r/read//3"},
        {"1 1700000052.1 <... poll resumed> x <unfinished ...>", "1/1700000052000001000/2/poll/x/"},
        {"1 12:34:56.789 read(1) = 2", "day"},
        {"1 1700000052.1 --- SIGCHLD ---", "other"},
        {"--- SIGCHLD {} ---", "other"},
        {"+++ exited with 0 +++", "other"},
        {"1 1700000052.1 <... poll", "other"},
        {"1 1700000052.1 read(1)", "other"},
        {"1 1700000052.1 read", "other"},
        {"1 1700000052.1234567 read(1) = 2", "other"},
        {"1 99999999999999999999 read(1) = 2", "other"},
        {"1 9999999999999 read(1) = 2", "other"},
        {"[pid x] 1700000052.1 read(1) = 2", "other"},
        {"", "other"},
    };
    (void)state;
    struct buffer out = BUFFER_INIT;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_string_equal(line_of(cases[i][0], &out), cases[i][1]);
    buffer_free(&out);
}

static void calls_become_slices(void **state)
{
    static const char text[] = "7 1700000000.000001 read(3) = 1\n"
                               "7 1700000000.000002 futex(1, <unfinished ...>\n"
                               "8 1700000000.000003 read(4) = -1\n"
                               "7 1700000000.000004 <... futex resumed> 2 <unfinished ...>\n"
                               "7 1700000000.000006 <... futex resumed>) = 0\n"
                               "1700000000.000007 read(4) = 1\n"
                               "7 10:11:12 read(4) = 1\n"
                               "+++ exited with 0 +++\n"
                               "7 1700000000.0000";
    (void)state;
    struct buffer out = BUFFER_INIT;
    struct status st = STATUS_INIT;
    struct arg_list args = {NULL, 0, 0};
    struct fixture f = fixture_new(&importer_strace);
    assert_true(importer_strace.sniff(STR(text)));
    assert_false(importer_strace.sniff(STR("no strace\n")));
    assert_true(import_tokenize(&f.file, STR(text), &st));
    fixture_finish(&f);
    fixture_slices(&f, &out);
    assert_string_equal(buffer_text(&out),
                        "read:1700000000000001000:0:0 futex:1700000000000002000:2000:0 "
                        "read:1700000000000003000:0:0 futex:1700000000000004000:2000:0");
    args_read(f.tables, column_get_row(&f.tables->slice.arg_set_id, 3), &args);
    assert_int_equal(args.count, 2);
    assert_int_equal(stats_get(f.import, STAT_strace_missing_pid), 1);
    assert_int_equal(stats_get(f.import, STAT_strace_unsupported_timestamp_format), 1);
    assert_int_equal(stats_get(f.import, STAT_strace_parse_failure), 1);
    assert_int_equal(stats_get(f.import, STAT_perfetty_input_truncated), 1);
    vec_free(&args);
    fixture_free(&f);
    buffer_free(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_are_read),
        cmocka_unit_test(calls_become_slices),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
