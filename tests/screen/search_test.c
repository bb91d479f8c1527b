/* Search by its keys: live counts, walking the hits, the list, marks in the overview,
 * all against what SQL finds. */
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "engine/base/memory.h"
#include "tests/screen/frame.h"

#define check frame_check

static struct stage stage;

static int begin(void **state)
{
    (void)state;
    stage_begin(&stage);
    return 0;
}

static int end(void **state)
{
    (void)state;
    stage_end(&stage);
    return 0;
}

static int64_t ask_number(const char *sql)
{
    char *value = frame_ask(&stage, EXAMPLE, sql);
    int64_t number = strtoll(value[0] == '"' ? value + 1 : value, NULL, 10);
    mem_free(value);
    return number;
}

/* The prompt's count while the term stands there, not yet entered. */
static void expect_count(const char *term, const char *sql)
{
    char keys[160], text[64];
    int64_t n = ask_number(sql);
    snprintf(keys, sizeof keys, "/ \"%s\"", term);
    snprintf(text, sizeof text, " %" PRId64 " hit%s", n, n == 1 ? "" : "s");
    struct frame frame = frame_shoot(&stage, EXAMPLE, "80x24", keys, NULL);
    check(&frame, frame_holds(&frame, text));
    frame_free(&frame);
}

static void test_counts_are_those_of_sql(void **state)
{
    (void)state;
    /* Slices by name, in any case. */
    expect_count("shoprender", "select count() from slice where name like '%shoprender%'");
    /* Slices by an argument's value. */
    expect_count("PHASE_STARTUP",
                 "select count() from slice where arg_set_id in (select arg_set_id from args where "
                 "string_value like '%PHASE\\_STARTUP%' escape '\\')");
    /* Ftrace events by name. */
    expect_count("sched_waking", "select count() from ftrace_event where name = 'sched_waking'");
    /* Log lines. */
    expect_count("skipped", "select count() from android_logs where msg like '%skipped%'");
    /* A thread: each time that it ran, its tracks' names, and the switches to and from it. */
    expect_count("SyncAdapterThre",
                 "select (select count() from sched join thread using (utid) where name like "
                 "'SyncAdapterThre%') + 2 * (select count() from thread where name like "
                 "'SyncAdapterThre%') + (select count() from ftrace_event where arg_set_id in "
                 "(select arg_set_id from args where string_value like '%SyncAdapterThre%'))");
}

static void test_regexes(void **state)
{
    (void)state;
    expect_count("/^Shop(Frame|Render)$/",
                 "select count() from slice where name in ('ShopFrame', 'ShopRender')");
    expect_count("/^shop(frame|RENDER)$/i",
                 "select count() from slice where name in ('ShopFrame', 'ShopRender')");
    struct frame frame = frame_shoot(&stage, EXAMPLE, "80x24", "/ \"/Shop(/\"", NULL);
    check(&frame, frame_holds(&frame, "no regex yet"));
    frame_free(&frame);
    frame = frame_shoot(&stage, EXAMPLE, "80x24", "/ \"/Shop(/\" Enter", NULL);
    check(&frame, frame_holds(&frame, "/Shop(/: "));
    frame_free(&frame);
}

static void test_walking(void **state)
{
    (void)state;
    char text[64];
    static const char *const keys[] = {"/ \"ShopFrame\" Enter", "/ \"ShopFrame\" Enter n",
                                       "/ \"ShopFrame\" Enter n n N"};
    static const int place[] = {0, 1, 1};
    for (size_t i = 0; i < 3; i++) {
        char script[64], sql[160];
        snprintf(script, sizeof script, "%s z z", keys[i]);
        struct frame frame = frame_shoot(&stage, EXAMPLE, "80x24", script, NULL);
        snprintf(sql, sizeof sql,
                 "select id from slice where name = 'ShopFrame' order by ts limit 1 offset %d",
                 place[i]);
        snprintf(text, sizeof text, " %" PRId64, ask_number(sql));
        int row = frame_find(&frame, " id ", 0, NULL);
        check(&frame, row > 0 && frame_find(&frame, text, row, NULL) == row);
        frame_free(&frame);
    }
}

static void test_list_has_tracks_and_events(void **state)
{
    (void)state;
    struct frame frame =
        frame_shoot(&stage, EXAMPLE, "100x40", "/ \"Frame time\" Enter g s z z", NULL);
    check(&frame, frame_holds(&frame, "track  com.example.shop 4213 > Frame time ms"));
    frame_free(&frame);
    /* Enter on it goes there. */
    frame =
        frame_shoot(&stage, EXAMPLE, "100x40", "/ \"Frame time\" Enter g s Tab Enter z z", NULL);
    check(&frame, frame_holds(&frame, "com.example.shop 4213 > Frame time ms"));
    check(&frame, frame_holds(&frame, "path"));
    frame_free(&frame);
    frame = frame_shoot(&stage, EXAMPLE, "100x40", "/ \"sched_waking\" Enter g s z z", NULL);
    check(&frame, frame_holds(&frame, "sched_waking  ("));
    frame_free(&frame);
}

/* One hit marks one cell of the strip, where its time is. */
static void test_marks_in_the_overview(void **state)
{
    (void)state;
    char role[64];
    struct frame roles =
        frame_shoot(&stage, EXAMPLE, "100x40", "/ \"Skipped 1 frames\" Enter =", "--format=roles");
    int64_t wanted = ask_number("select cast((ts - trace_start()) * 100.0 / (trace_end() - "
                                "trace_start()) as int) from android_logs where msg like "
                                "'%Skipped 1 frames%'");
    int64_t n = ask_number("select count() from android_logs where msg like '%Skipped 1 frames%'");
    int marked = 0;
    bool there = false;
    for (int x = 1; x < 99; x++) {
        if (!strstr(frame_role(&roles, 1, x, role), "match")) continue;
        marked++;
        there |= x == wanted;
    }
    assert_true(n >= 1);
    check(&roles, marked >= 1 && marked <= n && there);
    frame_free(&roles);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_counts_are_those_of_sql),
        cmocka_unit_test(test_regexes),
        cmocka_unit_test(test_walking),
        cmocka_unit_test(test_list_has_tracks_and_events),
        cmocka_unit_test(test_marks_in_the_overview),
    };
    return cmocka_run_group_tests(tests, begin, end);
}
