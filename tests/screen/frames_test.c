/* Frames of a small trace whose every time is known: what is drawn where, in which
 * colour role, and that it agrees with what SQL says. */
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "engine/base/memory.h"
#include "engine/base/utf8.h"
#include "tests/screen/stage.h"
#include "tui/time_text.h"

/* Two milliseconds, from 1 ms to 3 ms. */
static const char KNOWN[] =
    "{\"traceEvents\":[\n"
    "{\"ph\":\"M\",\"pid\":7,\"tid\":7,\"name\":\"process_name\",\"args\":{\"name\":\"known\"}},\n"
    "{\"ph\":\"M\",\"pid\":7,\"tid\":7,\"name\":\"thread_name\",\"args\":{\"name\":\"worker\"}},\n"
    "{\"ph\":\"X\",\"pid\":7,\"tid\":7,\"ts\":1000,\"dur\":1000,\"name\":\"alpha\"},\n"
    "{\"ph\":\"X\",\"pid\":7,\"tid\":7,\"ts\":1250,\"dur\":250,\"name\":\"beta\",\"cat\":\"two\","
    "\"args\":{\"rows\":42,\"path\":\"a/b\"}},\n"
    "{\"ph\":\"X\",\"pid\":7,\"tid\":7,\"ts\":2500,\"dur\":250,\"name\":\"gamma\"},\n"
    "{\"ph\":\"X\",\"pid\":7,\"tid\":7,\"ts\":2990,\"dur\":10,\"name\":\"omega\"},\n"
    "{\"ph\":\"C\",\"pid\":7,\"ts\":1000,\"name\":\"load\",\"args\":{\"value\":1}},\n"
    "{\"ph\":\"C\",\"pid\":7,\"ts\":2000,\"name\":\"load\",\"args\":{\"value\":5}},\n"
    "{\"ph\":\"C\",\"pid\":7,\"ts\":2500,\"name\":\"load\",\"args\":{\"value\":3}}\n]}\n";
#define START_NS INT64_C(1000000)
#define SPAN_NS  INT64_C(2000000)

static struct stage stage;
static char known[STAGE_PATH];

static int begin(void **state)
{
    (void)state;
    struct buffer bytes = BUFFER_INIT;
    stage_begin(&stage);
    buffer_append_text(&bytes, KNOWN);
    stage_write(stage_file(&stage, "known.json", known), &bytes);
    buffer_free(&bytes);
    return 0;
}

static int end(void **state)
{
    (void)state;
    stage_end(&stage);
    return 0;
}

/* ---- frames ---- */

struct frame {
    char *text;
    int width, height;
};

static struct frame shoot(const char *trace, const char *size, const char *keys, const char *more)
{
    struct stage_output output;
    const char *argv[] = {PERFETTY, "snapshot",          trace, "--size", size,
                          "--keys", keys ? keys : "Esc", more,  NULL};
    struct frame frame = {NULL, 0, 0};
    assert_true(stage_run(&stage, argv, &output));
    if (output.exit_status) fprintf(stderr, "%s", buffer_text(&output.err));
    assert_int_equal(output.exit_status, 0);
    sscanf(size, "%dx%d", &frame.width, &frame.height);
    frame.text = buffer_take(&output.out);
    stage_output_free(&output);
    return frame;
}

static void drop(struct frame *frame)
{
    mem_free(frame->text);
}

static struct str line_of(const struct frame *frame, int row)
{
    struct str rest = str_of(frame->text), line = {NULL, 0};
    for (int i = 0; i <= row; i++)
        if (!str_split_next(&rest, '\n', &line)) return (struct str){"", 0};
    return line;
}

#define check(frame, good) check_at(frame, good, #good, __LINE__)
static void check_at(const struct frame *frame, bool good, const char *what, int line)
{
    if (good) return;
    fprintf(stderr, "not true: %s\n---- frame ----\n%s---------------\n", what, frame->text);
    _fail(__FILE__, line);
}

/* First row from `from` on that holds the text; *column in cells.  -1. */
static int find(const struct frame *frame, const char *text, int from, int *column)
{
    for (int row = from; row < frame->height; row++) {
        struct str line = line_of(frame, row);
        for (size_t i = 0; i + strlen(text) <= line.n; i++)
            if (memcmp(line.p + i, text, strlen(text)) == 0) {
                if (column) *column = (int)utf8_visible_width(str_slice(line, 0, i), false);
                return row;
            }
    }
    return -1;
}

static bool holds(const struct frame *frame, const char *text)
{
    return find(frame, text, 0, NULL) >= 0;
}

/* "fg/bg" of a cell of a frame in roles; "" where nothing is said. */
static const char *role_at(const struct frame *roles, int row, int column, char out[64])
{
    struct str line = line_of(roles, row);
    char text[4096];
    snprintf(text, sizeof text, "%.*s", (int)line.n, line.p);
    snprintf(out, 64, "default/default");
    int from, to, used;
    for (const char *at = text; sscanf(at, "%d..%d %63s%n", &from, &to, out, &used) == 3;
         at += used)
        if (column >= from && column <= to) return out;
    snprintf(out, 64, "default/default");
    return out;
}

/* The column of a time when the whole trace is shown. */
static int column_of(int64_t ns, int time_x, int time_w)
{
    return time_x + (int)((ns - START_NS) * time_w / SPAN_NS);
}

/* Where the time axis lies: right of the names' line, and as wide as alpha says. */
static int axis_x(const struct frame *frame)
{
    int x = -1;
    bool ascii = find(frame, "\u2502", 3, &x) < 0;
    if (ascii) find(frame, "|", 3, &x);
    return x + 1;
}

/* ---- the timeline ---- */

struct size {
    const char *text;
    int time_w;
};

static const struct size sizes[] = {{"80x24", 61}, {"200x60", 0}};

/* At 200 columns the details stand to the right of the axis. */
static int axis_w(const struct frame *frame, const struct size *size)
{
    int x;
    if (size->time_w) return size->time_w;
    find(frame, "1 Current Selection", 0, &x);
    return x - 2 - axis_x(frame);
}

static void test_slices_stand_at_their_times(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        struct frame text = shoot(known, sizes[i].text, NULL, NULL);
        struct frame roles = shoot(known, sizes[i].text, NULL, "--format=roles");
        int x = axis_x(&text), w = axis_w(&text, &sizes[i]), column;
        static const struct {
            const char *name;
            int64_t ts, dur;
            int depth;
        } slices[] = {{"alpha", 1000000, 1000000, 0},
                      {"beta", 1250000, 250000, 1},
                      {"gamma", 2500000, 250000, 0}};
        int top = find(&text, "alpha", 0, NULL);
        check(&text, top > 0);
        for (size_t k = 0; k < 3; k++) {
            int row = find(&text, slices[k].name, 3, &column);
            int first = column_of(slices[k].ts, x, w);
            int last = column_of(slices[k].ts + slices[k].dur - 1, x, w);
            check(&text, row == top + slices[k].depth);
            check(&text, column == first || column == first + 1);
            /* One fill between its edges, and not beyond them. */
            char fill[64], other[64];
            role_at(&roles, row, first + 1, fill);
            check(&roles, strstr(fill, "/slice-") != NULL);
            for (int c = first + 1; c < last; c++)
                check(&roles, strcmp(role_at(&roles, row, c, other), fill) == 0);
            check(&roles, !strstr(role_at(&roles, row, last + 1, other), "/slice-"));
            if (first > x) check(&roles, !strstr(role_at(&roles, row, first - 1, other), "slice-"));
        }
        /* Half of a cell is still seen. */
        char omega[64];
        check(&roles, strstr(role_at(&roles, top, x + w - 1, omega), "slice-") != NULL);
        drop(&text);
        drop(&roles);
    }
}

static void test_cursor_stands_at_its_time(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        static const int64_t times[] = {1000000, 1250000, 2000000, 2999999};
        for (size_t k = 0; k < 4; k++) {
            char keys[128];
            int column;
            snprintf(keys, sizeof keys,
                     "\":dev.perfetto.PanToTimestamp %" PRId64 "\" Enter =", times[k]);
            struct frame frame = shoot(known, sizes[i].text, keys, NULL);
            int x = axis_x(&frame), w = axis_w(&frame, &sizes[i]);
            int row = find(&frame, "\u25bc", 0, &column);
            check(&frame, row == 2);
            check(&frame, column == column_of(times[k], x, w));
            drop(&frame);
        }
    }
}

static void test_counter_value_at_the_cursor(void **state)
{
    (void)state;
    static const struct {
        int64_t ts;
        const char *name_cell;
    } values[] = {{1999999, " 1\u2502"}, {2000000, " 5\u2502"}, {2600000, " 3\u2502"}};
    for (size_t k = 0; k < 3; k++) {
        char keys[128];
        snprintf(keys, sizeof keys, "\":dev.perfetto.PanToTimestamp %" PRId64 "\" Enter",
                 values[k].ts);
        struct frame frame = shoot(known, "80x24", keys, NULL);
        int row = find(&frame, "load", 3, NULL);
        check(&frame, row > 0);
        check(&frame, find(&frame, values[k].name_cell, row, NULL) == row);
        drop(&frame);
    }
    /* Taller where it is more: 1, 5, 3 of 5. */
    struct frame frame = shoot(known, "80x24", NULL, NULL);
    int row = find(&frame, "load", 3, NULL), low, high, middle;
    check(&frame, find(&frame, "\u2582", row, &low) == row);
    check(&frame, find(&frame, "\u2588", row, &high) == row);
    check(&frame, find(&frame, "\u2585", row, &middle) == row);
    int x = axis_x(&frame);
    check(&frame,
          low == x && high == column_of(2000000, x, 61) && middle == column_of(2500000, x, 61) + 1);
    drop(&frame);
}

/* The counter is 1, 5, then 3 from 2.5 ms on: -2 in half a millisecond. */
static void test_counters_change_and_rate(void **state)
{
    (void)state;
    static const struct {
        const char *keys, *cell;
    } views[] = {{"", " 5\u2502"},
                 {"g u", "\u0394 -2\u2502"},
                 {"g u g u", " -4000/s\u2502"},
                 {"g u g u g u", " 5\u2502"}};
    for (size_t i = 0; i < sizeof views / sizeof *views; i++) {
        char keys[200];
        snprintf(keys, sizeof keys,
                 "\":dev.perfetty.FocusTrack 'load value'\" Enter "
                 "\":dev.perfetto.PanToTimestamp 2000000\" Enter = %s Esc",
                 views[i].keys);
        struct frame frame = shoot(known, "80x24", keys, NULL);
        int row = find(&frame, "   loa", 3, NULL);
        check(&frame, row > 0);
        check(&frame, find(&frame, views[i].cell, row, NULL) == row);
        drop(&frame);
    }
    /* 1 of 5 is two eighths, nothing between least and most, three on a logarithm. */
    static const struct {
        const char *scale, *lowest;
    } scales[] = {{"zero", "\u2582"}, {"min-max", "\u2581"}, {"log", "\u2583"}};
    for (size_t i = 0; i < sizeof scales / sizeof *scales; i++) {
        char keys[200];
        snprintf(keys, sizeof keys,
                 "\":dev.perfetty.FocusTrack 'load value'\" Enter "
                 "\":dev.perfetty.CounterScale %s\" Enter Esc",
                 scales[i].scale);
        struct frame frame = shoot(known, "80x24", keys, NULL);
        int row = find(&frame, "load value", 3, NULL), column;
        check(&frame, find(&frame, scales[i].lowest, row, &column) == row);
        check(&frame, find(&frame, "\u2588", row, NULL) == row);
        drop(&frame);
    }
}

static char *ask(const char *trace, const char *sql)
{
    struct stage_output output;
    const char *argv[] = {PERFETTY, "query", trace, sql, "--format", "csv", NULL};
    assert_true(stage_run(&stage, argv, &output));
    assert_int_equal(output.exit_status, 0);
    const char *line = strchr(buffer_text(&output.out), '\n') + 1;
    size_t n = strcspn(line, "\r\n");
    char *value = mem_copy_string(line, n);
    stage_output_free(&output);
    return value;
}

static void test_frames_are_coloured_by_jank(void **state)
{
    (void)state;
    static const char *const tags[][2] = {{"No Jank", "good"}, {"Self Jank", "error"}};
    for (size_t i = 0; i < 2; i++) {
        char sql[200], keys[300];
        snprintf(sql, sizeof sql,
                 "select ts || ' ' || (ts + dur) from actual_frame_timeline_slice "
                 "where jank_tag = '%s' order by dur desc limit 1",
                 tags[i][0]);
        char *span = ask(EXAMPLE, sql);
        snprintf(keys, sizeof keys,
                 "\":dev.perfetty.FocusTrack 'Actual Timeline'\" Enter "
                 "\":dev.perfetty.ZoomTo %s\" Enter",
                 span);
        struct frame text = shoot(EXAMPLE, "120x60", keys, NULL);
        struct frame roles = shoot(EXAMPLE, "120x60", keys, "--format=roles");
        int row = find(&text, "Actual Timeline", 3, NULL);
        char fill[64];
        check(&text, row > 0);
        /* On one of the track's lanes. */
        bool seen = false;
        for (int lane = 0; lane < 4; lane++)
            seen |= strstr(role_at(&roles, row + lane, 70, fill), tags[i][1]) != NULL;
        check(&roles, seen);
        mem_free(span);
        drop(&text);
        drop(&roles);
    }
}

static void test_ascii_frames_have_nothing_else(void **state)
{
    (void)state;
    static const char *const keys[] = {NULL, "\"/beta\" Enter", "?", "Ctrl+p", "v l l", "x"};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        for (size_t k = 0; k < 2; k++) {
            struct frame frame = shoot(known, sizes[k].text, keys[i], "--ascii");
            for (const char *c = frame.text; *c; c++)
                check(&frame, (unsigned char)*c < 0x80 && (*c >= 0x20 || *c == '\n'));
            check(&frame, holds(&frame, "known"));
            drop(&frame);
        }
}

/* Without colours what is told is told by attributes. */
static void test_mono_uses_no_colour(void **state)
{
    (void)state;
    static const char *const options[] = {"--no-color", "--theme=mono"};
    for (size_t i = 0; i < 2; i++) {
        struct stage_output output;
        const char *argv[] = {PERFETTY,          "snapshot",      known,      "--keys",
                              "\"/beta\" Enter", "--format=ansi", options[i], NULL};
        assert_true(stage_run(&stage, argv, &output));
        const char *text = buffer_text(&output.out);
        assert_null(strstr(text, "38;"));
        assert_null(strstr(text, "48;"));
        assert_non_null(strstr(text, "\033["));
        stage_output_free(&output);
    }
}

/* ---- the details, against SQL ---- */

static void test_details_say_what_sql_says(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        char keys[] = "\"/beta\" Enter z", text[64];
        struct frame frame = shoot(known, sizes[i].text, keys, NULL);
        char *dur = ask(known, "select dur from slice where name = 'beta'");
        char *id = ask(known, "select id from slice where name = 'beta'");
        struct buffer written = BUFFER_INIT;
        duration_write(strtoll(dur, NULL, 10), &written);
        check(&frame, holds(&frame, buffer_text(&written)));
        snprintf(text, sizeof text, "id       %s", id);
        check(&frame, holds(&frame, text));
        check(&frame, holds(&frame, "worker 7, known 7"));
        check(&frame, holds(&frame, "parent alpha"));
        check(&frame, holds(&frame, "rows"));
        check(&frame, holds(&frame, "42"));
        check(&frame, holds(&frame, "a/b"));
        buffer_free(&written);
        mem_free(dur);
        mem_free(id);
        drop(&frame);
    }
}

/* The same on the bundled example, for the longest slice of a name. */
static void test_details_of_the_example(void **state)
{
    (void)state;
    char *row = ask(EXAMPLE, "select id || ' ' || dur from slice where name = 'ShopFrame' "
                             "order by dur desc limit 1");
    char keys[160];
    long long id = 0, dur = 0;
    assert_int_equal(sscanf(row[0] == '"' ? row + 1 : row, "%lld %lld", &id, &dur), 2);
    snprintf(keys, sizeof keys, "\":dev.perfetto.SelectEventByTableNameAndId slice %lld\" Enter z",
             id);
    struct frame frame = shoot(EXAMPLE, "80x24", keys, NULL);
    struct buffer written = BUFFER_INIT;
    duration_write(dur, &written);
    check(&frame, holds(&frame, "ShopFrame"));
    check(&frame, holds(&frame, buffer_text(&written)));
    check(&frame, holds(&frame, "main 4213"));
    buffer_free(&written);
    mem_free(row);
    drop(&frame);
}

/* ---- overlays ---- */

static void test_search(void **state)
{
    (void)state;
    struct frame frame = shoot(known, "80x24", "\"/a\" Enter g s z", NULL);
    check(&frame, holds(&frame, "alpha"));
    check(&frame, holds(&frame, "gamma"));
    check(&frame, holds(&frame, "omega"));
    drop(&frame);
    frame = shoot(known, "80x24", "\"/alpha\"", NULL);
    check(&frame, holds(&frame, "1 hit"));
    drop(&frame);
    frame = shoot(known, "80x24", "\"/no such thing\" Enter", NULL);
    check(&frame, holds(&frame, "no such thing"));
    drop(&frame);
    /* n goes on by exactly one hit, N back. */
    char *first = ask(known, "select name from slice where name glob '*mma' or name glob '*ega'");
    assert_non_null(first);
    mem_free(first);
    frame = shoot(known, "80x24", "\"/a\" Enter n", NULL);
    struct frame back = shoot(known, "80x24", "\"/a\" Enter n n N", NULL);
    check(&frame, find(&frame, "duration", 0, NULL) >= 0);
    int row = find(&frame, "duration", 0, NULL);
    struct str one = line_of(&frame, row), two = line_of(&back, row);
    check(&back, one.n == two.n && memcmp(one.p, two.p, one.n) == 0);
    drop(&frame);
    drop(&back);
}

static void test_palette_and_help(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        struct frame frame = shoot(known, sizes[i].text, "Ctrl+p \"pin tracks by\"", NULL);
        check(&frame, holds(&frame, "Commands"));
        check(&frame, holds(&frame, "Pin tracks"));
        drop(&frame);
        frame = shoot(known, sizes[i].text, "? \"zoom\"", NULL);
        check(&frame, holds(&frame, "Zoom in"));
        check(&frame, holds(&frame, "Zoom out"));
        check(&frame, !holds(&frame, "Set a mark"));
        drop(&frame);
        frame = shoot(known, sizes[i].text, "F1", NULL);
        check(&frame, holds(&frame, "Keys"));
        drop(&frame);
    }
}

/* The caret points at what is wrong. */
static void test_prompt_errors_have_a_caret(void **state)
{
    (void)state;
    struct frame frame = shoot(known, "80x24", "\";select nme from slice\" Enter", NULL);
    check(&frame, holds(&frame, "no such column"));
    drop(&frame);
    frame = shoot(known, "80x24", "\":dev.perfetty.NoSuch 1\" Enter", NULL);
    check(&frame, holds(&frame, "NoSuch"));
    drop(&frame);
    frame = shoot(known, "80x24", "\":dev.perfetto.PinTracksByRegex (\" Enter", NULL);
    check(&frame, holds(&frame, "("));
    int column;
    int row = find(&frame, "^", 18, &column);
    check(&frame, row >= 0);
    drop(&frame);
}

static void test_query_tab(void **state)
{
    (void)state;
    struct frame frame = shoot(
        known, "80x24", "\";select name, id, 7 as seven from slice order by id\" Enter", NULL);
    int row = find(&frame, "seven", 0, NULL);
    check(&frame, row > 0);
    check(&frame, find(&frame, "alpha", row, NULL) == row + 1);
    check(&frame, find(&frame, "beta", row, NULL) == row + 2);
    check(&frame, find(&frame, "gamma", row, NULL) == row + 3);
    drop(&frame);
}

static void test_tiny_frames(void **state)
{
    (void)state;
    static const char *const tiny[] = {"20x6", "10x3", "1x1", "1x40", "200x1", "39x9"};
    for (size_t i = 0; i < sizeof tiny / sizeof *tiny; i++) {
        struct frame frame = shoot(known, tiny[i], "j l Enter ? Esc Ctrl+p Esc x Esc", NULL);
        int rows = 0;
        for (struct str rest = str_of(frame.text), line; str_split_next(&rest, '\n', &line);) {
            check(&frame, utf8_visible_width(line, false) <= (size_t)frame.width);
            rows++;
        }
        check(&frame, rows <= frame.height + 1);
        if (frame.width < 20 || frame.height < 4)
            check(&frame, holds(&frame, frame.width < 9 ? "" : "too small"));
        else
            check(&frame, holds(&frame, "known") || holds(&frame, "too small"));
        drop(&frame);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_slices_stand_at_their_times),
        cmocka_unit_test(test_cursor_stands_at_its_time),
        cmocka_unit_test(test_counter_value_at_the_cursor),
        cmocka_unit_test(test_counters_change_and_rate),
        cmocka_unit_test(test_frames_are_coloured_by_jank),
        cmocka_unit_test(test_ascii_frames_have_nothing_else),
        cmocka_unit_test(test_mono_uses_no_colour),
        cmocka_unit_test(test_details_say_what_sql_says),
        cmocka_unit_test(test_details_of_the_example),
        cmocka_unit_test(test_search),
        cmocka_unit_test(test_palette_and_help),
        cmocka_unit_test(test_prompt_errors_have_a_caret),
        cmocka_unit_test(test_query_tab),
        cmocka_unit_test(test_tiny_frames),
    };
    return cmocka_run_group_tests(tests, begin, end);
}
