/* Two traces on one ruler: where their slices stand, what aligns them, what the tables
 * of differences say, against SQL of each. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "engine/base/memory.h"
#include "engine/base/utf8.h"
#include "tests/gen/catalogue.h"
#include "tests/screen/frame.h"

/* Two runs of one program: other numbers, other times; the third draw is missing. */
static const char FIRST[] =
    "{\"traceEvents\":[\n"
    "{\"ph\":\"M\",\"pid\":7,\"tid\":7,\"name\":\"process_name\",\"args\":{\"name\":\"shop\"}},\n"
    "{\"ph\":\"M\",\"pid\":7,\"tid\":7,\"name\":\"thread_name\",\"args\":{\"name\":\"worker\"}},\n"
    "{\"ph\":\"X\",\"pid\":7,\"tid\":7,\"ts\":1000,\"dur\":300,\"name\":\"draw\"},\n"
    "{\"ph\":\"X\",\"pid\":7,\"tid\":7,\"ts\":1400,\"dur\":50,\"name\":\"load\"},\n"
    "{\"ph\":\"X\",\"pid\":7,\"tid\":7,\"ts\":1500,\"dur\":500,\"name\":\"draw\"},\n"
    "{\"ph\":\"X\",\"pid\":7,\"tid\":7,\"ts\":2100,\"dur\":200,\"name\":\"idle\"},\n"
    "{\"ph\":\"X\",\"pid\":7,\"tid\":7,\"ts\":2500,\"dur\":500,\"name\":\"draw\"}\n]}\n";
static const char SECOND[] =
    "{\"traceEvents\":[\n"
    "{\"ph\":\"M\",\"pid\":90,\"tid\":91,\"name\":\"process_name\",\"args\":{\"name\":\"shop\"}},\n"
    "{\"ph\":\"M\",\"pid\":90,\"tid\":91,\"name\":\"thread_name\",\"args\":{\"name\":\"worker\"}},"
    "\n"
    "{\"ph\":\"X\",\"pid\":90,\"tid\":91,\"ts\":5000,\"dur\":100,\"name\":\"draw\"},\n"
    "{\"ph\":\"X\",\"pid\":90,\"tid\":91,\"ts\":5300,\"dur\":50,\"name\":\"load\"},\n"
    "{\"ph\":\"X\",\"pid\":90,\"tid\":91,\"ts\":5700,\"dur\":700,\"name\":\"draw\"},\n"
    "{\"ph\":\"X\",\"pid\":90,\"tid\":91,\"ts\":6500,\"dur\":200,\"name\":\"extra\"}\n]}\n";

static struct stage stage;
static char first[STAGE_PATH], second[STAGE_PATH], compare[STAGE_PATH + 16];

static void write_text(const char *name, const char *text, char path[STAGE_PATH])
{
    struct buffer bytes = BUFFER_INIT;
    buffer_append_text(&bytes, text);
    stage_write(stage_file(&stage, name, path), &bytes);
    buffer_free(&bytes);
}

static int begin(void **state)
{
    (void)state;
    stage_begin(&stage);
    write_text("first.json", FIRST, first);
    write_text("second.json", SECOND, second);
    snprintf(compare, sizeof compare, "--compare %s", second);
    return 0;
}

static int end(void **state)
{
    (void)state;
    stage_end(&stage);
    return 0;
}

static struct frame shoot(const struct look *look, const char *keys)
{
    char options[256];
    snprintf(options, sizeof options, "%s %s", compare, look->options);
    return frame_shoot(&stage, first, look->size, keys, options);
}

/* The number behind `text` on its line. */
static int row_of(const struct frame *frame, const char *text)
{
    int row = frame_find(frame, text, 3, NULL);
    if (row < 0) fprintf(stderr, "nothing says \"%s\"\n", text);
    frame_check(frame, row >= 0);
    return row;
}

static int column_in(const struct frame *frame, int row, const char *text)
{
    int x = -1;
    frame_check(frame, frame_find(frame, text, row, &x) == row);
    return x;
}

static int last_column_in(const struct frame *frame, int row, const char *text)
{
    struct str line = frame_line(frame, row);
    size_t at = line.n, n = strlen(text);
    while (at > 0 && !str_starts(str_slice(line, at, line.n), str_of(text)))
        at--;
    frame_check(frame, n && str_starts(str_slice(line, at, line.n), str_of(text)));
    return (int)utf8_visible_width(str_slice(line, 0, at), false);
}

/* ---- one above the other ---- */

static void both_stand_on_one_ruler(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_LOOKS; i++) {
        struct frame frame = shoot(&looks[i], NULL);
        frame_check(&frame, frame_find(&frame, "A first.json  B second.json", 0, NULL) == 0);
        int a = row_of(&frame, " A first.json  2.000 ms  begins +0.0000 ns");
        int b = row_of(&frame, " B second.json  1.700 ms  begins +0.0000 ns");
        frame_check(&frame, row_of(&frame, "shop 7") == a + 1);
        frame_check(&frame, row_of(&frame, "worker 7") == a + 2);
        frame_check(&frame, b == a + 3);
        frame_check(&frame, row_of(&frame, "shop 90") == b + 1);
        frame_check(&frame, row_of(&frame, "worker 91") == b + 2);
        /* The last draw of A and the last slice of B begin at 1.5 ms, idle at 1.1 ms. */
        int idle = column_in(&frame, a + 2, "idle"), extra = column_in(&frame, b + 2, "extra");
        frame_check(&frame, extra > idle);
        frame_check(&frame, last_column_in(&frame, a + 2, "draw") == extra);
        frame_free(&frame);
    }
}

static void a_slice_of_both_begins_in_one_column(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_LOOKS; i++) {
        /* The second draw of A: 0.5 ms after its start; that of B at 0.7 ms. */
        struct frame frame = shoot(&looks[i], "j . . g d s");
        frame_check(&frame, frame_holds(&frame, "draw number 2 of both begin in one column"));
        frame_check(&frame, frame_holds(&frame, "B second.json  1.700 ms  begins -200.0000 us"));
        frame_free(&frame);
        /* Near enough, only those two are seen. */
        frame = shoot(&looks[i], "j . . g d s f");
        int a = row_of(&frame, "worker 7 "), b = row_of(&frame, "worker 91 ");
        frame_check(&frame, column_in(&frame, a, "draw") == column_in(&frame, b, "draw"));
        frame_free(&frame);
        /* The same from B. */
        frame = shoot(&looks[i], "j j j j . . g d s f");
        a = row_of(&frame, "worker 7 ");
        b = row_of(&frame, "worker 91 ");
        frame_check(&frame, column_in(&frame, a, "draw") == column_in(&frame, b, "draw"));
        frame_free(&frame);
    }
}

static void a_slice_that_only_one_has_moves_nothing(void **state)
{
    (void)state;
    struct frame frame = shoot(&looks[0], "j . . . . g d s");
    frame_check(&frame,
                frame_holds(&frame, "B has 2 slices draw on worker 91, the one selected in A is "
                                    "number 3"));
    frame_check(&frame, frame_holds(&frame, "begins +0.0000 ns"));
    frame_free(&frame);
    frame = shoot(&looks[0], "g d r");
    frame_check(&frame, frame_holds(&frame, "A does not say what time of day it was"));
    frame_free(&frame);
}

static void times_move_to_the_cursor_and_back(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_LOOKS; i++) {
        /* The cursor at the second draw of A, which is selected there: B begins there. */
        struct frame frame = shoot(&looks[i], "j . . g d c");
        frame_check(&frame, frame_holds(&frame, "the start of B begins at the cursor"));
        frame_check(&frame, frame_holds(&frame, "B second.json  1.700 ms  begins +500.0000 us"));
        frame_free(&frame);
        frame = shoot(&looks[i], "j . . g d c g d a");
        frame_check(&frame, frame_holds(&frame, "both traces begin in one column"));
        frame_check(&frame, frame_holds(&frame, "B second.json  1.700 ms  begins +0.0000 ns"));
        frame_free(&frame);
    }
}

/* ---- details and SQL of both ---- */

static void details_and_queries_are_of_the_trace_in_focus(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_LOOKS; i++) {
        struct frame frame = shoot(&looks[i], "j j j j . .");
        frame_check(&frame, frame_holds(&frame, "worker 91, shop 90"));
        frame_check(&frame, frame_holds(&frame, "700.0 us"));
        frame_free(&frame);
        frame = shoot(&looks[i], "j g d d ;");
        frame_check(&frame, frame_holds(&frame, "SQL of B>"));
        frame_free(&frame);
        frame = shoot(&looks[i], "j g d d ; \"select count(*) as n, sum(dur) as dur from slice\" "
                                 "Enter");
        char *sum = frame_ask(&stage, second,
                              "select count(*) || '  ' || '1.050 ms' from slice "
                              "having sum(dur) = 1050000");
        frame_check(&frame, frame_holds(&frame, sum));
        mem_free(sum);
        frame_free(&frame);
        frame = shoot(&looks[i], "j g d d g d d ; \"select count(*) as n from slice\" Enter");
        frame_check(&frame, frame_holds(&frame, "A first.json"));
        int row = frame_find(&frame, "2 Query 1", 2, NULL) + 1;
        frame_check(&frame, row > 2);
        frame_check(&frame, frame_find(&frame, "5", row + 1, NULL) == row + 1);
        frame_free(&frame);
    }
}

static void both_tracks_are_pinned(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_LOOKS; i++) {
        struct frame frame = shoot(&looks[i], "j g d p");
        int a = row_of(&frame, "worker 7 "), b = row_of(&frame, "worker 91 ");
        frame_check(&frame, b == a + 1);
        frame_check(&frame, frame_find(&frame, " A first.json  2.000 ms", 3, NULL) > b);
        frame_free(&frame);
    }
}

/* ---- differences ---- */

/* count and sum of a name, as the table has them. */
static char *ask_of(const char *trace, const char *name, const char *where)
{
    char sql[256];
    snprintf(sql, sizeof sql,
             "select count(*) || ' of ' || coalesce(sum(dur), 0) from slice where name = '%s'%s",
             name, where);
    return frame_ask(&stage, trace, sql);
}

static void slices_are_compared_by_name(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_LOOKS; i++) {
        struct frame frame = shoot(&looks[i], "g d n");
        /* SQL's own numbers: 3 of 1.3 ms, 2 of 0.8 ms. */
        char *a = ask_of(first, "draw", ""), *b = ask_of(second, "draw", "");
        assert_string_equal(a, "3 of 1300000");
        assert_string_equal(b, "2 of 800000");
        mem_free(a);
        mem_free(b);
        int head = row_of(&frame, "count_a");
        static const char *const cells[] = {"3",        "2",         "1.300 ms",
                                            "800.0 us", "-500.0 us", "0.6154"};
        int from = 0;
        frame_check(&frame, frame_find(&frame, "draw", head + 1, NULL) == head + 1);
        for (size_t k = 0; k < sizeof cells / sizeof cells[0]; k++) {
            int x = column_in(&frame, head + 1, cells[k]);
            frame_check(&frame, x > from);
            from = x;
        }
        /* Equal changes go by name; what did not change comes last. */
        frame_check(&frame, frame_find(&frame, "extra", head + 2, NULL) == head + 2);
        frame_check(&frame, frame_find(&frame, "idle", head + 3, NULL) == head + 3);
        frame_check(&frame, frame_find(&frame, "-200.0 us", head + 3, NULL) == head + 3);
        frame_check(&frame, frame_find(&frame, "load", head + 4, NULL) == head + 4);
        frame_check(&frame, frame_holds(&frame, "3 of 4 differ"));
        frame_free(&frame);
    }
}

/* An area over the second draw of A, aligned: A has 0.5 ms of it, B as much of its own. */
static void an_area_bounds_the_comparison(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_LOOKS; i++) {
        struct frame frame = shoot(&looks[i], "j . . g d s r g d n");
        int head = row_of(&frame, "count_a");
        frame_check(&frame, frame_find(&frame, "draw", head + 1, NULL) == head + 1);
        frame_check(&frame, frame_holds(&frame, "in 0.5 ms of the area: 0 of 1 differ"));
        frame_check(&frame, frame_find(&frame, "500.0 us", head + 1, NULL) == head + 1);
        frame_free(&frame);
    }
}

/* CPU time of the example against itself: nothing differs; sums are SQL's. */
static void cpu_time_is_compared(void **state)
{
    (void)state;
    struct frame frame = frame_shoot(&stage, EXAMPLE, "200x60", "g d t", "--compare " EXAMPLE);
    char *top =
        frame_ask(&stage, EXAMPLE,
                  "select count(distinct process.name || '/' || thread.name) from sched "
                  "join thread using (utid) left join process using (upid) where not "
                  "thread.is_idle and process.name is not null and thread.name is not null");
    frame_check(&frame, atol(top) > 3);
    mem_free(top);
    frame_check(&frame, frame_holds(&frame, "Compare CPU time, B against A"));
    frame_check(&frame, frame_holds(&frame, ": 0 of "));
    frame_free(&frame);
}

/* ---- coming and going ---- */

static void it_opens_by_command_and_closes_again(void **state)
{
    (void)state;
    char keys[512];
    snprintf(keys, sizeof keys, "j . . . Enter : \"dev.perfetty.CompareWith %s\" Enter", second);
    struct frame frame = frame_shoot(&stage, first, "80x24", keys, NULL);
    /* What was selected still is, and the second trace is below. */
    frame_check(&frame, frame_holds(&frame, "worker 7, shop 7"));
    frame_check(&frame, frame_holds(&frame, " B second.json  1.700 ms"));
    frame_free(&frame);
    strcat(keys, " j j j Enter g d n g d x");
    frame = frame_shoot(&stage, first, "80x24", keys, NULL);
    frame_check(&frame, frame_holds(&frame, "closed B second.json"));
    frame_check(&frame, frame_find(&frame, "first.json", 0, NULL) == 0);
    frame_check(&frame, !frame_holds(&frame, "shop 90"));
    frame_check(&frame, !frame_holds(&frame, "Compare slices"));
    frame_check(&frame, frame_holds(&frame, "shop 7"));
    frame_free(&frame);
    /* And another time, with the file asked for. */
    snprintf(keys, sizeof keys, "g d w \"%s\" Enter g d x g d w \"%s\" Enter", second, second);
    frame = frame_shoot(&stage, first, "80x24", keys, NULL);
    frame_check(&frame, frame_holds(&frame, " B second.json  1.700 ms"));
    frame_free(&frame);
    frame = frame_shoot(&stage, first, "80x24", "g d w \"/nothing/here\" Enter", NULL);
    frame_check(&frame, frame_holds(&frame, "/nothing/here"));
    frame_check(&frame, frame_holds(&frame, "shop 7"));
    frame_free(&frame);
}

static void a_second_trace_that_cannot_be_read_ends_a_script(void **state)
{
    (void)state;
    struct stage_output output;
    const char *argv[] = {PERFETTY, "snapshot", first, "--compare", "/nothing/here", NULL};
    assert_true(stage_run(&stage, argv, &output));
    assert_int_equal(output.exit_status, 1);
    assert_non_null(strstr(buffer_text(&output.err), "/nothing/here"));
    stage_output_free(&output);
}

/* Whatever looks at the second trace when it goes: all of it goes along. */
static void nothing_of_it_is_left(void **state)
{
    (void)state;
    char text[STAGE_PATH], heap[STAGE_PATH], options[STAGE_PATH + 16];
    struct buffer bytes = BUFFER_INIT;
    size_t at;
    assert_true(gen_catalogue_find("heap_graph.perfetto-trace", &at));
    gen_catalogue_write(at, &bytes);
    stage_write(stage_file(&stage, "heap.pftrace", text), &bytes);
    buffer_free(&bytes);
    snprintf(heap, sizeof heap, "%s", text);
    snprintf(options, sizeof options, "--compare %s", heap);
    struct frame frame = frame_shoot(&stage, first, "80x24", "g d d g H", options);
    frame_check(&frame, frame_holds(&frame, "Heap classes"));
    frame_free(&frame);
    frame = frame_shoot(&stage, first, "80x24", "g d d g H g d x", options);
    frame_check(&frame, frame_holds(&frame, "closed B heap.pftrace"));
    frame_check(&frame, !frame_holds(&frame, "Heap classes"));
    frame_free(&frame);
    static const char *const looking[] = {
        "j j j j . . F Esc g d x",
        "j j j j V l l l g a n g d x",
        "j j j j p / \"draw\" Enter n n n g d x n n",
        "j j j j : \"AddDebugSliceTrack 'select ts, dur, name from slice' mine\" Enter g g . Enter "
        "g d x",
        "j j j j : \"CreateWorkspaceAndSwitch w\" Enter : \"CopyTracksToWorkspaceByRegex worker "
        "w\" "
        "Enter G g d x j k",
        "j j j j m a g g . . g d s Ctrl+o g d x ' a",
    };
    for (size_t i = 0; i < sizeof looking / sizeof *looking; i++) {
        frame = frame_shoot(&stage, first, "80x24", looking[i], compare);
        frame_check(&frame, frame_find(&frame, " first.json  2.000 ms", 0, NULL) == 0);
        frame_check(&frame, !frame_holds(&frame, "worker 91"));
        frame_check(&frame, !frame_holds(&frame, "second.json "));
        frame_free(&frame);
    }
}

/* On a terminal the first trace is there at once; the second comes by itself. */
static void it_comes_by_itself_on_a_terminal(void **state)
{
    (void)state;
    const char *args[] = {first, "--compare", second, NULL};
    struct pty *pty = stage_open(&stage, 100, 30, args);
    stage_expect(pty, "worker 7");
    stage_expect(pty, "B second.json");
    stage_expect(pty, "worker 91");
    pty_send(pty, "gdn");
    stage_expect(pty, "3 of 4 differ");
    pty_send(pty, "gdx");
    stage_expect(pty, "closed B second.json");
    stage_expect_gone(pty, "worker 91");
    stage_quit(pty);
    pty_free(pty);
}

/* `perfetty run` writes the table of differences. */
static void a_script_gets_the_differences(void **state)
{
    (void)state;
    char folder[STAGE_PATH], path[STAGE_PATH];
    struct buffer settings = BUFFER_INIT;
    buffer_append_text(&settings, "{\"macros\": [{\"id\": \"my.Compare\", \"name\": \"Compare\", "
                                  "\"run\": [{\"id\": \"dev.perfetty.CompareSlices\", \"args\": "
                                  "[\"process\"]}]}]}");
    struct stage_output output;
    const char *make[] = {"mkdir", "-p", stage_file(&stage, "config/perfetty", folder), NULL};
    assert_true(stage_run(&stage, make, &output));
    stage_output_free(&output);
    stage_write(stage_file(&stage, "config/perfetty/settings.json", path), &settings);
    buffer_free(&settings);
    const char *argv[] = {PERFETTY,  "run",        first, "--compare", second,
                          "--macro", "my.Compare", "-q",  NULL};
    assert_true(stage_run(&stage, argv, &output));
    assert_int_equal(output.exit_status, 0);
    assert_string_equal(buffer_text(&output.out),
                        "process,count_a,count_b,a_dur,b_dur,delta_dur,ratio\r\n"
                        "shop,5,4,1550000,1050000,-500000,0.6774\r\n");
    stage_output_free(&output);
    assert_int_equal(remove(path), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(both_stand_on_one_ruler),
        cmocka_unit_test(a_slice_of_both_begins_in_one_column),
        cmocka_unit_test(a_slice_that_only_one_has_moves_nothing),
        cmocka_unit_test(times_move_to_the_cursor_and_back),
        cmocka_unit_test(details_and_queries_are_of_the_trace_in_focus),
        cmocka_unit_test(both_tracks_are_pinned),
        cmocka_unit_test(slices_are_compared_by_name),
        cmocka_unit_test(an_area_bounds_the_comparison),
        cmocka_unit_test(cpu_time_is_compared),
        cmocka_unit_test(it_opens_by_command_and_closes_again),
        cmocka_unit_test(a_second_trace_that_cannot_be_read_ends_a_script),
        cmocka_unit_test(a_script_gets_the_differences),
        cmocka_unit_test(nothing_of_it_is_left),
        cmocka_unit_test(it_comes_by_itself_on_a_terminal),
    };
    return cmocka_run_group_tests(tests, begin, end);
}
