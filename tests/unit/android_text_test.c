/* Android's texts: lines of the log, the dumpstate text, battery history. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "engine/import/android_bugreport.h"
#include "engine/import/android_dumpstate.h"
#include "engine/import/android_log.h"
#include "tests/unit/import_fixture.h"

/* ---- lines of the log ---- */

static const char *line_of(const char *text, struct buffer *out)
{
    struct android_log_line l;
    enum android_log_form form = android_log_detect(str_of(text));
    buffer_clear(out);
    if (form == LOG_UNKNOWN) return "unknown";
    if (!android_log_read(str_of(text), form, 1970, &l)) return "bad";
    buffer_printf(out, "%lld/%lld/%lld/%u/%.*s/%.*s", (long long)l.time, (long long)l.pid,
                  (long long)l.tid, l.priority, STR_ARG(l.tag), STR_ARG(l.message));
    return buffer_text(out);
}

static void lines_of_the_log_are_read(void **state)
{
    static const char *const cases[][2] = {
        {"01-01 00:00:01.5  1  2 I Tag: message", "1500000000/1/2/4/Tag/message"},
        {"01-01 00:00:01.000000001234 10 20 V a : b: c", "1000000001/10/20/2/a/b: c"},
        {"2000-03-01 00:00:00.0  1  2 E A::B  : x", "951868800000000000/1/2/6/A::B/x"},
        {"1969-12-31 23:59:59.25  1  2 Q no tag", "-750000000/1/2/0//no tag"},
        {"01-01 00:00:01.5  root  1  2 W         : x", "1500000000/1/2/5//x"},
        {"01-01 00:00:01.5  1000  1  2 F t: x", "1500000000/1/2/7/t/x"},
        {"13-01 00:00:01.5  1  2 I Tag: message", "bad"},
        {"01-32 00:00:01.5  1  2 I Tag: message", "bad"},
        {"01-01 24:00:01.5  1  2 I Tag: message", "bad"},
        {"01-01 00:60:01.5  1  2 I Tag: message", "bad"},
        {"01-01 00:00:01.x  1  2 I Tag: message", "bad"},
        {"01-01 00:00:01.5  x  2 I Tag: message", "bad"},
        {"01-01 00:00:01.5  1  x I Tag: message", "bad"},
        {"9999-01-01 00:00:01.5  1  2 I Tag: message", "bad"},
        {"01-01 00:00:01.5  1  2 I ", "bad"},
        {"I/Tag( 123): message", "unknown"},
        {"", "unknown"},
    };
    (void)state;
    struct buffer out = BUFFER_INIT;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_string_equal(line_of(cases[i][0], &out), cases[i][1]);
    buffer_free(&out);
}

/* ---- files ---- */

static void run(struct fixture *f, const char *text)
{
    struct status st = STATUS_INIT;
    assert_true(f->file.importer->sniff(str_of(text)));
    assert_true(import_tokenize(&f->file, str_of(text), &st));
    fixture_finish(f);
}

/* "ts:tag:msg …" */
static const char *logs_of(const struct fixture *f, struct buffer *out)
{
    const struct logs_table *t = &f->tables->logs;
    buffer_clear(out);
    for (uint32_t i = 0; i < table_rows(&t->table); i++)
        buffer_printf(out, "%s%lld:%s:%s", i ? " " : "",
                      (long long)column_get_int64(&t->ts, i) / 1000000, fixture_text(f, &t->tag, i),
                      fixture_text(f, &t->msg, i));
    return buffer_text(out);
}

static void a_logcat_file_is_read(void **state)
{
    (void)state;
    struct buffer out = BUFFER_INIT;
    struct fixture f = fixture_new(&importer_android_logcat);
    run(&f, "--------- beginning of main\r\n"
            "01-01 00:00:02.000  1  2 I Tag: second\r\n"
            "01-01 00:00:01.000  1  2 I Tag: first\r\n"
            "short\n"
            "01-01 00:00:xx.000  1  2 I Tag: damaged\n"
            "01-01 00:00:03.000  1  2 I Tag: cut");
    assert_string_equal(logs_of(&f, &out), "1000:Tag:first 2000:Tag:second");
    assert_int_equal(stats_get(f.import, STAT_android_log_num_failed), 1);
    assert_int_equal(stats_get(f.import, STAT_perfetty_input_truncated), 1);
    fixture_free(&f);
    buffer_free(&out);
}

static void utf16_is_read(void **state)
{
    static const char TEXT[] = "--------- beginning of main\r\n"
                               "01-01 00:00:01.000  1  2 I Tag: first\r\n"
                               "01-01 00:00:02.000  1  2 I Tag: cut";
    (void)state;
    struct buffer bytes = BUFFER_INIT, out = BUFFER_INIT;
    struct status st = STATUS_INIT;
    struct fixture f = fixture_new(&importer_android_logcat);
    buffer_append(&bytes, "\xFF\xFE", 2);
    for (size_t i = 0; i < sizeof TEXT - 1; i++)
        buffer_append(&bytes, (char[]){TEXT[i], 0}, 2);
    assert_true(importer_android_logcat.sniff(buffer_str(&bytes)));
    assert_true(import_tokenize(&f.file, buffer_str(&bytes), &st));
    fixture_finish(&f);
    assert_string_equal(logs_of(&f, &out), "1000:Tag:first");
    assert_int_equal(stats_get(f.import, STAT_perfetty_input_truncated), 1);
    fixture_free(&f);
    buffer_free(&bytes);
    buffer_free(&out);
}

static void other_texts_are_no_logcat(void **state)
{
    (void)state;
    assert_false(importer_android_logcat.sniff(STR("")));
    assert_false(importer_android_logcat.sniff(STR("--------- beginning of main\n")));
    assert_false(importer_android_logcat.sniff(STR("hello\n01-01 00:00:02.000  1  2 I T: x\n")));
}

#define HEAD \
    "========================================================\n" \
    "== dumpstate: 2021-08-24 23:35:40\n" \
    "========================================================\n"

static void sections_and_services_are_told(void **state)
{
    (void)state;
    struct fixture f = fixture_new(&importer_android_dumpstate);
    run(&f, HEAD "------ BLOCK STAT (/sys/block/dm-0) ------\n"
                 "a\n"
                 "------ DUMPSYS CRITICAL (/system/bin/dumpsys) ------\n"
                 "-------------------------------------------------------\n"
                 "DUMP OF SERVICE CRITICAL SurfaceFlinger:\n"
                 "b\n"
                 "--------- 0.1s was the duration of dumpsys SurfaceFlinger\n"
                 "------ 0.3s was the duration of 'DUMPSYS CRITICAL' ------\n"
                 "c\n");
    const struct android_dumpstate_table *t = &f.tables->android_dumpstate;
    assert_int_equal(table_rows(&t->table), 7);
    assert_string_equal(fixture_text(&f, &t->section, 3), "BLOCK STAT");
    assert_string_equal(fixture_text(&f, &t->section, 5), "DUMPSYS CRITICAL (/system/bin/dumpsys)");
    assert_string_equal(fixture_text(&f, &t->service, 5), "SurfaceFlinger");
    assert_string_equal(fixture_text(&f, &t->line, 5), "b");
    assert_string_equal(fixture_text(&f, &t->section, 6), "-");
    fixture_free(&f);
}

static void the_log_waits_for_its_zone(void **state)
{
    static const char text[] = HEAD "------ SYSTEM LOG (logcat) ------\n"
                                    "01-01 02:00:01.000  root  1  2 I Tag: early\n"
                                    "nothing that is like a line of the log\n"
                                    "------ DUMPSYS (/system/bin/dumpsys) ------\n"
                                    "DUMP OF SERVICE alarm:\n"
                                    "  nowRTC=x\n"
                                    "  nowRTC=1609459200000=2021-01-01 02:00:00.000 nowELAPSED=5\n"
                                    "------ EVENT LOG (logcat) ------\n"
                                    "01-01 02:00:02.000  root  1  2 I Tag: late\n";
    (void)state;
    struct buffer out = BUFFER_INIT;
    struct fixture f = fixture_new(&importer_android_dumpstate);
    run(&f, text);
    assert_string_equal(logs_of(&f, &out), "1609459201000:Tag:early 1609459202000:Tag:late");
    assert_int_equal(stats_get(f.import, STAT_android_log_num_failed), 1);
    fixture_free(&f);
    buffer_free(&out);
}

static void a_bug_report_drops_what_came_already(void **state)
{
    (void)state;
    int year = 0;
    struct buffer out = BUFFER_INIT;
    assert_true(android_bugreport_is_text(STR("bugreport-x-2022-06-24-16-24-37.txt"), &year));
    assert_int_equal(year, 2022);
    assert_false(android_bugreport_is_text(STR("bugreport-x.txt"), &year));
    assert_false(android_bugreport_is_text(STR("bugreport-x-2022-06-24-16-24-37.zip"), &year));
    assert_true(android_bugreport_is_log(STR("FS/data/misc/logd/logcat.001")));
    assert_false(android_bugreport_is_log(STR("FS/data/misc/logd/logcat.id")));

    struct android_bugreport *report = android_bugreport_new(2022);
    struct android_log_line line;
    assert_true(
        android_log_read(STR("01-01 00:00:01.000  1  2 I Tag: one"), LOG_PLAIN, 2022, &line));
    android_bugreport_add(report, &line);
    android_bugreport_set_zone(report, 1000000000);
    struct fixture f = fixture_new(&importer_android_logcat);
    f.file.bugreport = report;
    run(&f, "01-01 00:00:01.000123  1  2 I Tag: one\n"
            "01-01 00:00:01.000123  1  2 I Tag: one\n"
            "01-01 00:00:01.000123  1  2 I Tag: two\n");
    assert_string_equal(logs_of(&f, &out), "1640995200000:Tag:one 1640995200000:Tag:two");
    fixture_free(&f);
    android_bugreport_free(report);
    buffer_free(&out);
}

static void battery_history_is_read(void **state)
{
    static const char text[] =
        "9,0,i,vers,36,214,A,B\n"
        "9,hsp,0,10216,\"com.android, chrome\"\n"
        "9,hsp,x,1,\"bad\"\n"
        "9,h,0:RESET:TIME:1000\n"
        "9,h,5:START\n"
        "9,h,1,+w=0,+S,-S,+w,Pcn=lte,Pss=4,Pcn=nonsense,Bl=97,Bcc=2,Bs=d,Bp=w,"
        "Bp=z,Etp=0,+Etp=7,Exx=0,nothing,Bx=1\n"
        "9,h,2,-w=0\n"
        "9,h,y\n"
        "8,h,1\n"
        "9,uid,1\n";
    (void)state;
    struct buffer out = BUFFER_INIT;
    struct fixture f = fixture_new(&importer_android_dumpstate);
    run(&f, text);
    fixture_slices(&f, &out);
    assert_string_equal(buffer_text(&out), "com.android, chrome:1001000000:2000000:0 "
                                           "top=10216:\"com.android, chrome\":1001000000:0:0 "
                                           "+top=-1:\"\":1001000000:0:1");
    const struct counter_table *c = &f.tables->counter;
    buffer_clear(&out);
    for (uint32_t i = 0; i < table_rows(&c->table); i++)
        buffer_printf(&out, "%s=%g ",
                      fixture_text(&f, &f.tables->track.name, column_get_row(&c->track_id, i)),
                      column_get_double(&c->value, i));
    assert_string_equal(buffer_text(&out),
                        "battery_stats.screen=1 ScreenState=2 battery_stats.screen=0 ScreenState=1 "
                        "battery_stats.data_conn=13 battery_stats.phone_signal_strength=4 "
                        "batt.capacity_pct=97 batt.charge_uah=2000 BatteryStatus=3 PlugType=4 "
                        "PlugType=0 ");
    assert_int_equal(stats_get(f.import, STAT_perfetty_input_corrupt), 3);
    fixture_free(&f);
    buffer_free(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_of_the_log_are_read),
        cmocka_unit_test(a_logcat_file_is_read),
        cmocka_unit_test(utf16_is_read),
        cmocka_unit_test(other_texts_are_no_logcat),
        cmocka_unit_test(sections_and_services_are_told),
        cmocka_unit_test(the_log_waits_for_its_zone),
        cmocka_unit_test(a_bug_report_drops_what_came_already),
        cmocka_unit_test(battery_history_is_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
