/* The flamegraph on the screen: boxes at the columns of their values, the lines
 * about the frame at the cursor against SQL, zoom, filters, sides, comparing, and
 * files written from it and read again. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "engine/base/memory.h"
#include "engine/base/utf8.h"
#include "tests/screen/stage.h"

/* 100 samples: gamma 60, of which delta 20; alpha 40, of which beta 30. */
static const char FOLDED[] = "main;alpha;beta 30\n"
                             "main;alpha 10\n"
                             "main;gamma 40\n"
                             "main;gamma;delta 20\n";

/* A thread of 2 ms: alpha 1 ms, beta 0.25 ms of it; gamma 0.25 ms. */
static const char SLICES[] =
    "{\"traceEvents\":[\n"
    "{\"ph\":\"M\",\"pid\":7,\"tid\":7,\"name\":\"thread_name\",\"args\":{\"name\":\"worker\"}},\n"
    "{\"ph\":\"X\",\"pid\":7,\"tid\":7,\"ts\":1000,\"dur\":1000,\"name\":\"alpha\"},\n"
    "{\"ph\":\"X\",\"pid\":7,\"tid\":7,\"ts\":1250,\"dur\":250,\"name\":\"beta\"},\n"
    "{\"ph\":\"X\",\"pid\":7,\"tid\":7,\"ts\":2750,\"dur\":250,\"name\":\"gamma\"}\n]}\n";

static struct stage stage;
static char folded[STAGE_PATH], slices[STAGE_PATH];

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
    write_text("stacks.folded", FOLDED, folded);
    write_text("slices.json", SLICES, slices);
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
                          "--keys", keys ? keys : "g g", more,  NULL};
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

#define check(frame, good) check_at(frame, good, #good, __LINE__)
static void check_at(const struct frame *frame, bool good, const char *what, int line)
{
    if (good) return;
    fprintf(stderr, "not true: %s\n---- frame ----\n%s---------------\n", what, frame->text);
    _fail(__FILE__, line);
}

static struct str line_of(const struct frame *frame, int row)
{
    struct str rest = str_of(frame->text), line = {"", 0};
    for (int i = 0; i <= row; i++)
        if (!str_split_next(&rest, '\n', &line)) return (struct str){"", 0};
    return line;
}

/* First row from `from` on that holds the text; *column in cells.  -1. */
static int find(const struct frame *frame, const char *text, int from, int *column)
{
    size_t at;
    for (int row = from; row < frame->height; row++) {
        struct str line = line_of(frame, row);
        if (!str_find(line, str_of(text), &at)) continue;
        if (column) *column = (int)utf8_visible_width(str_slice(line, 0, at), false);
        return row;
    }
    return -1;
}

/* The same among the boxes alone, left of the table. */
static int find_box(const struct frame *frame, const char *text, int from, int *column)
{
    int width = frame->width >= 120 ? frame->width - 77 : frame->width, x, row = from;
    for (; row < frame->height && (row = find(frame, text, row, &x)) >= 0; row++)
        if (x < width) {
            if (column) *column = x;
            return row;
        }
    return -1;
}

static bool holds(const struct frame *frame, const char *text)
{
    return find(frame, text, 0, NULL) >= 0;
}

/* "fg/bg" of a cell of a frame in roles. */
static const char *role_at(const struct frame *roles, int row, int column, char out[64])
{
    struct str line = line_of(roles, row);
    char text[8192], found[64];
    int from, to, used;
    snprintf(text, sizeof text, "%.*s", (int)line.n, line.p);
    snprintf(out, 64, "default/default");
    for (const char *at = text; sscanf(at, "%d..%d %63s%n", &from, &to, found, &used) == 3;
         at += used)
        if (column >= from && column <= to) snprintf(out, 64, "%s", found);
    return out;
}

static char *ask(const char *trace, const char *sql)
{
    struct stage_output output;
    const char *argv[] = {PERFETTY, "query", trace, sql, "--format", "csv", NULL};
    assert_true(stage_run(&stage, argv, &output));
    if (output.exit_status) fprintf(stderr, "%s", buffer_text(&output.err));
    assert_int_equal(output.exit_status, 0);
    const char *line = strchr(buffer_text(&output.out), '\n') + 1;
    char *value = mem_copy_string(line, strcspn(line, "\r\n"));
    stage_output_free(&output);
    return value;
}

/* ---- where boxes stand ---- */

struct size {
    const char *text;
    int width; /* of the icicle */
};
/* At 200 columns the table takes 76 and a blank. */
static const struct size sizes[] = {{"80x24", 80}, {"200x60", 123}};

static void a_profile_opens_with_its_flamegraph(void **state)
{
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        struct frame frame = shoot(folded, sizes[i].text, NULL, NULL);
        int w = sizes[i].width, x;
        check(&frame, holds(&frame, "samples 100 top-down of the whole trace"));
        int row = find_box(&frame, "main", 3, &x);
        check(&frame, row > 3 && x == 1);
        /* The wider sibling first; a box begins with a hairline. */
        check(&frame, find_box(&frame, "gamma", row, &x) == row + 1 && x == 1);
        check(&frame,
              find_box(&frame, "alpha", row, &x) == row + 1 && abs(x - (w * 60 / 100 + 1)) < 2);
        check(&frame, find_box(&frame, "delta", row, &x) == row + 2 && x == 1);
        check(&frame,
              find_box(&frame, "beta", row, &x) == row + 2 && abs(x - (w * 60 / 100 + 1)) < 2);
        drop(&frame);
    }
}

/* delta is 20 of 100 samples wide, beta 30: their fills end there. */
static void boxes_are_as_wide_as_their_values(void **state)
{
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        struct frame text = shoot(folded, sizes[i].text, NULL, NULL);
        struct frame roles = shoot(folded, sizes[i].text, NULL, "--format=roles");
        int w = sizes[i].width, row = find(&text, "delta", 3, NULL);
        char fill[64], other[64];
        role_at(&roles, row, 2, fill);
        check(&roles, strstr(fill, "/slice-") != NULL);
        int last = w * 20 / 100 - 1;
        for (int x = 2; x <= last - 1; x++)
            check(&roles, strcmp(role_at(&roles, row, x, other), fill) == 0);
        check(&roles, strcmp(role_at(&roles, row, last + 2, other), "default/default") == 0);
        role_at(&roles, row, w * 60 / 100 + 2, fill);
        check(&roles, strstr(fill, "/slice-") != NULL);
        check(&roles, strcmp(role_at(&roles, row, w * 90 / 100 - 2, other), fill) == 0);
        check(&roles,
              strcmp(role_at(&roles, row, w * 90 / 100 + 2, other), "default/default") == 0);
        drop(&text);
        drop(&roles);
    }
}

static void a_table_of_functions_stands_beside(void **state)
{
    (void)state;
    struct frame frame = shoot(folded, "200x60", NULL, NULL);
    int head = find(&frame, "function", 3, NULL), x, y;
    check(&frame, head > 0);
    check(&frame, find(&frame, "60      40.0%  gamma", head, &x) == head + 1 && x > 124);
    check(&frame, find(&frame, "30      30.0%  beta", head, &y) == head + 2);
    check(&frame, find(&frame, "20      20.0%  delta", head, NULL) == head + 3);
    check(&frame, find(&frame, "40      10.0%  alpha", head, NULL) == head + 4);
    check(&frame, find(&frame, "100         0%  main", head, NULL) == head + 5);
    drop(&frame);
    frame = shoot(folded, "80x24", NULL, NULL);
    check(&frame, !holds(&frame, "function"));
    drop(&frame);
}

/* ---- the cursor ---- */

static void the_details_say_what_sql_says(void **state)
{
    (void)state;
    char *all = ask(folded, "select cast(sum(value) as int) from __intrinsic_aggregate_sample");
    assert_string_equal(all, "100");
    mem_free(all);
    static const struct {
        const char *keys, *name, *line;
    } steps[] = {
        {"g g", " all", "total 100 100%  self 0 0%"},
        {"j", " main", "total 100 100%  self 0 0%"},
        {"j j", " gamma", "total 60 60.0% (of its parent 60.0%)  self 40 40.0%"},
        {"down down right", " alpha", "total 40 40.0% (of its parent 40.0%)  self 10 10.0%"},
        {"j j l j", " beta", "total 30 30.0% (of its parent 75.0%)  self 30 30.0%"},
        /* The nearest of another parent; then up, and to the first sibling. */
        {"j j l j h", " delta", "total 20 20.0% (of its parent 33.3%)  self 20 20.0%"},
        {"j j l j k h", " gamma", "total 60 60.0%"},
        {"j j j j j j", " delta", "total 20 20.0%"},
        {"j j j k k", " main", "total 100 100%"},
    };
    for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++)
        for (size_t k = 0; k < 2; k++) {
            struct frame frame = shoot(folded, sizes[k].text, steps[i].keys, NULL);
            int row = find(&frame, steps[i].line, 3, NULL);
            check(&frame, row == frame.height - 2);
            check(&frame, find(&frame, steps[i].name, row - 1, NULL) == row - 1);
            check(&frame, find(&frame, "[collapsed_stack]", row - 1, NULL) == row - 1 ||
                              strcmp(steps[i].name, " all") == 0);
            drop(&frame);
        }
}

static void the_cursor_is_seen_in_every_theme(void **state)
{
    (void)state;
    struct frame text = shoot(folded, "80x24", "j j", NULL);
    struct frame roles = shoot(folded, "80x24", "j j", "--format=roles");
    char role[64];
    int row = find(&text, "gamma", 3, NULL);
    check(&roles, strstr(role_at(&roles, row, 5, role), "/selection") != NULL);
    check(&roles, strstr(role_at(&roles, row, 60, role), "/selection") == NULL);
    drop(&text);
    drop(&roles);
    struct frame mono = shoot(folded, "80x24", "j j", "--theme=mono");
    struct frame ansi = shoot(folded, "80x24", "j j", "--format=ansi");
    check(&mono, holds(&mono, "gamma"));
    check(&ansi, holds(&ansi, "gamma"));
    drop(&mono);
    drop(&ansi);
}

/* Without colours fills are in reverse, the cursor underlined and bold too. */
static void mono_tells_by_attributes(void **state)
{
    (void)state;
    struct stage_output output;
    const char *argv[] = {PERFETTY, "snapshot", folded,          "--size",       "80x24",
                          "--keys", "j j",      "--format=ansi", "--theme=mono", NULL};
    assert_true(stage_run(&stage, argv, &output));
    const char *text = buffer_text(&output.out);
    assert_null(strstr(text, "38;"));
    assert_null(strstr(text, "48;"));
    const char *gamma = strstr(text, "gamma"), *at = gamma;
    while (at > text && *at != '\033')
        at--;
    char style[32];
    snprintf(style, sizeof style, "%.*s", (int)(strcspn(at, "m")), at);
    assert_non_null(strstr(style, "1"));
    assert_non_null(strstr(style, "4"));
    assert_non_null(strstr(style, "7"));
    stage_output_free(&output);
}

static void ascii_has_nothing_else(void **state)
{
    (void)state;
    static const char *const keys[] = {NULL,    "j j Enter", "t",
                                       "j j p", "b c",       "F \"SS:beta\" Enter"};
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
        for (size_t k = 0; k < 2; k++) {
            struct frame frame = shoot(folded, sizes[k].text, keys[i], "--ascii");
            for (const char *c = frame.text; *c; c++)
                check(&frame, (unsigned char)*c < 0x80 && (*c >= 0x20 || *c == '\n'));
            check(&frame, holds(&frame, "main") || holds(&frame, "beta"));
            drop(&frame);
        }
}

/* ---- zoom ---- */

static void enter_zooms_and_esc_goes_back(void **state)
{
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        struct frame frame = shoot(folded, sizes[i].text, "j j l Enter", NULL);
        int x = -1, row = find_box(&frame, "alpha", 3, &x);
        check(&frame, x == 1); /* it fills the width */
        check(&frame, find_box(&frame, "main", 3, NULL) == row - 1);
        check(&frame, find_box(&frame, "gamma", 3, NULL) < 0);
        check(&frame, find_box(&frame, "beta", row, &x) == row + 1 && x == 1);
        check(&frame, holds(&frame, "total 40 40.0%")); /* of everything, still */
        drop(&frame);
        frame = shoot(folded, sizes[i].text, "j j l Enter Esc", NULL);
        check(&frame, find_box(&frame, "gamma", 3, &x) > 0 && x == 1);
        check(&frame, holds(&frame, "flamegraph"));
        drop(&frame);
        frame = shoot(folded, sizes[i].text, "j j l Enter Esc Esc", NULL);
        struct str hints = line_of(&frame, frame.height - 1);
        check(&frame, str_find(hints, STR("timeline"), &(size_t){0}));
        drop(&frame);
    }
}

/* ---- sides and filters ---- */

static void from_the_leaves(void **state)
{
    (void)state;
    struct frame frame = shoot(folded, "80x24", "t j", NULL);
    int x;
    check(&frame, holds(&frame, "samples 100 bottom-up of the whole trace"));
    int row = find(&frame, "beta", 3, &x);
    check(&frame, row > 3 && abs(x - 33) < 2); /* behind gamma's 40 */
    check(&frame, find(&frame, "gamma", 3, &x) == row && x == 1);
    check(&frame, find(&frame, "main", 3, NULL) == row + 1); /* who called gamma */
    check(&frame, holds(&frame, "total 40 40.0%  self 0 0%"));
    drop(&frame);
}

static void filters_are_shown_and_hold(void **state)
{
    (void)state;
    static const struct {
        const char *keys, *bar, *gone, *kept;
    } cases[] = {
        {"F \"beta\" Enter", "samples 30 top-down SS:beta", "gamma", "alpha"},
        {"F \"HS:/^BETA$/i\" Enter", "samples 70 top-down HS:/^BETA$/i", "beta ", "gamma"},
        {"F \"HF:alpha\" Enter", "samples 100 top-down HF:alpha", "\u258falpha", "beta"},
        {"F \"SFF:gamma\" Enter", "samples 60 top-down SFF:gamma", "main", "delta"},
        {"F \"P:alpha\" Enter", "samples 40 pivot P:alpha", "gamma", "main"},
        {"F \"HF:main SS:gamma\" Enter", "samples 60 top-down HF:main SS:gamma", "main ", "delta"},
        {"j j -", "samples 40 top-down HS:/^gamma$/", "delta", "beta"},
        {"j j + R", "samples 100 top-down of", "SS:", "beta"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct frame frame = shoot(folded, "80x24", cases[i].keys, NULL);
        check(&frame, holds(&frame, cases[i].bar));
        check(&frame, holds(&frame, cases[i].kept));
        int row = find(&frame, cases[i].bar, 0, NULL) + 1;
        int found = find(&frame, cases[i].gone, row, NULL);
        check(&frame, found < 0 || found >= frame.height - 1);
        drop(&frame);
    }
}

static void nothing_left_is_said(void **state)
{
    (void)state;
    struct frame frame = shoot(folded, "80x24", "F \"nobody\" Enter", NULL);
    check(&frame, holds(&frame, "No stack passes the filters"));
    drop(&frame);
    frame = shoot(folded, "80x24", "F \"/(/\" Enter", NULL);
    check(&frame, holds(&frame, "bad regular expression") && holds(&frame, "gamma"));
    drop(&frame);
}

static void callers_stand_over_a_pivot(void **state)
{
    (void)state;
    struct frame frame = shoot(folded, "80x24", "j j l p", NULL);
    int row = find(&frame, "samples 40 pivot", 0, NULL);
    check(&frame, find(&frame, "main", row, NULL) == row + 1);
    check(&frame, find(&frame, "\u258falpha", row + 1, NULL) == row + 2);
    check(&frame, find(&frame, "beta", row, NULL) == row + 3);
    drop(&frame);
    frame = shoot(folded, "80x24", "j j l p k", NULL); /* up into the callers */
    check(&frame, find(&frame, " main  [", frame.height - 3, NULL) > 0);
    drop(&frame);
}

static void highlights_stand_out(void **state)
{
    (void)state;
    struct frame text = shoot(folded, "80x24", "/ \"ta\" Enter n", NULL);
    struct frame roles = shoot(folded, "80x24", "/ \"ta\" Enter", "--format=roles");
    char role[64];
    int row = find(&text, "delta", 3, NULL);
    check(&text, holds(&text, "2 frames match ta: 50.0%"));
    check(&text, find(&text, " delta", text.height - 3, NULL) > 0); /* n went there */
    check(&roles, strstr(role_at(&roles, row, 3, role), "/match") != NULL);
    check(&roles, strstr(role_at(&roles, row, 60, role), "/match") != NULL);
    check(&roles, strstr(role_at(&roles, row - 1, 3, role), "/match") == NULL);
    drop(&text);
    drop(&roles);
}

/* ---- slices, and two times compared ---- */

static void slices_by_their_own_time(void **state)
{
    (void)state;
    struct frame frame = shoot(slices, "80x24", "g x a z j", NULL);
    check(&frame, holds(&frame, "Slice Duration 1.250 ms top-down of the whole trace"));
    char *self = ask(slices, "select sum(iif(name = 'alpha', dur, -dur)) from slice "
                             "where name in ('alpha', 'beta')");
    assert_string_equal(self, "750000");
    mem_free(self);
    check(&frame, holds(&frame, "total 1 ms 80.0%  self 750 us 60.0%"));
    drop(&frame);
    /* The second half of alpha: 0.5 ms, without beta. */
    frame = shoot(slices, "80x24",
                  "\":dev.perfetty.SelectArea 1500000 2000000\" Enter \":Flamegraph selection\" "
                  "Enter z j",
                  NULL);
    check(&frame, holds(&frame, "Slice Duration 500 us top-down of 500 us"));
    check(&frame, holds(&frame, "total 500 us 100%"));
    check(&frame, !holds(&frame, "beta"));
    drop(&frame);
    frame = shoot(slices, "80x24", "\"/beta\" Enter \":Flamegraph selection\" Enter z", NULL);
    check(&frame, holds(&frame, "of beta on worker 7"));
    drop(&frame);
}

/* The first millisecond is the base; the whole trace grew by gamma. */
static void two_times_are_compared(void **state)
{
    (void)state;
    static const char keys[] = "\":dev.perfetty.SelectArea 1000000 1500000\" Enter "
                               "\":FlamegraphSetBase selection\" Enter "
                               "\":Flamegraph trace\" Enter \":FlamegraphCompare\" Enter z j";
    for (size_t i = 0; i < 2; i++) {
        struct frame frame = shoot(slices, sizes[i].text, keys, NULL);
        struct frame roles = shoot(slices, sizes[i].text, keys, "--format=roles");
        int x = -1, row = find(&frame, "new gamma", 3, &x);
        char role[64];
        check(&frame, row > 0);
        check(&frame, find(&frame, "+100% alpha", 3, NULL) == row);
        check(&frame, find(&frame, "= beta", 3, NULL) == row + 1);
        check(&frame, holds(&frame, "before 500 us  grown 500 us"));
        check(&roles, strstr(role_at(&roles, row, x + 2, role), "/blocked") != NULL);
        check(&roles, strstr(role_at(&roles, row + 1, 3, role), "/summary") != NULL);
        if (i == 1) check(&frame, holds(&frame, "+500 us  alpha"));
        drop(&frame);
        drop(&roles);
    }
}

/* ---- help ---- */

static void help_knows_its_keys(void **state)
{
    (void)state;
    struct frame frame = shoot(folded, "80x24", "? \"turn\" ", NULL);
    drop(&frame);
    frame = shoot(folded, "80x24", "? \"Flamegraph: zoom\"", NULL);
    check(&frame, holds(&frame, "Enter"));
    check(&frame, holds(&frame, "flamegraph"));
    drop(&frame);
}

/* ---- files ---- */

static void write_by_keys(const char *name, char path[STAGE_PATH], const char *before)
{
    char keys[STAGE_PATH + 80];
    snprintf(keys, sizeof keys, "%s e \"%s\" Enter", before, stage_file(&stage, name, path));
    struct frame frame = shoot(folded, "80x24", keys, NULL);
    check(&frame, holds(&frame, "written to"));
    drop(&frame);
}

static void files_are_read_again(void **state)
{
    (void)state;
    char path[STAGE_PATH];
    static const char *const names[] = {"a.folded", "a.pb"};
    for (size_t i = 0; i < 2; i++) {
        write_by_keys(names[i], path, "F \"SS:gamma\" Enter");
        char *rows = ask(path, "select group_concat(f.name || ' ' || cast(s.value as int), ',') "
                               "from (select * from __intrinsic_aggregate_sample order by value) s "
                               "join stack_profile_callsite c on c.id = s.callsite_id "
                               "join stack_profile_frame f on f.id = c.frame_id");
        assert_string_equal(rows, "\"delta 20,gamma 40\"");
        mem_free(rows);
    }
    struct frame frame = shoot(path, "80x24", NULL, NULL);
    check(&frame, holds(&frame, "samples 60 top-down of the whole trace"));
    check(&frame, holds(&frame, "delta"));
    drop(&frame);
}

static void a_picture_and_a_text(void **state)
{
    (void)state;
    char path[STAGE_PATH], line[256];
    write_by_keys("a.svg", path, "t");
    FILE *f = fopen(path, "r");
    assert_non_null(f);
    assert_non_null(fgets(line, sizeof line, f));
    assert_non_null(strstr(line, "<?xml"));
    fclose(f);
    write_by_keys("a.txt", path, "g g");
    f = fopen(path, "r");
    bool seen = false;
    while (fgets(line, sizeof line, f))
        seen = seen || strstr(line, "         60           40   60.0%    gamma  [collapsed_stack]");
    fclose(f);
    assert_true(seen);
}

/* ---- on a terminal ---- */

static void a_terminal_of_any_size(void **state)
{
    (void)state;
    const char *args[] = {folded, NULL};
    struct pty *pty = stage_open(&stage, 200, 60, args);
    stage_expect(pty, "samples 100 top-down");
    pty_send(pty, "jj");
    stage_expect(pty, "total 60 60.0%");
    int row, column;
    bool visible;
    pty_settle(pty, 50);
    pty_cursor(pty, &row, &column, &visible); /* it sits on the focused box */
    stage_check(pty, column == 0 && row == pty_find_row(pty, "main", 0) + 1);
    pty_resize(pty, 40, 10);
    stage_expect(pty, "total 60");
    pty_resize(pty, 1, 1);
    pty_resize(pty, 80, 24);
    stage_expect(pty, "total 60 60.0%");
    pty_send(pty, "\r");
    stage_expect(pty, "gamma fills the width");
    stage_expect_gone(pty, "alpha");
    pty_send(pty, "F");
    stage_expect(pty, "Filter (SS:");
    pty_send(pty, "HS:delta\r");
    stage_expect(pty, "samples 80 top-down HS:delta");
    stage_expect(pty, "alpha");
    stage_quit(pty);
    pty_free(pty);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_profile_opens_with_its_flamegraph),
        cmocka_unit_test(boxes_are_as_wide_as_their_values),
        cmocka_unit_test(a_table_of_functions_stands_beside),
        cmocka_unit_test(the_details_say_what_sql_says),
        cmocka_unit_test(the_cursor_is_seen_in_every_theme),
        cmocka_unit_test(mono_tells_by_attributes),
        cmocka_unit_test(ascii_has_nothing_else),
        cmocka_unit_test(enter_zooms_and_esc_goes_back),
        cmocka_unit_test(from_the_leaves),
        cmocka_unit_test(filters_are_shown_and_hold),
        cmocka_unit_test(nothing_left_is_said),
        cmocka_unit_test(callers_stand_over_a_pivot),
        cmocka_unit_test(highlights_stand_out),
        cmocka_unit_test(slices_by_their_own_time),
        cmocka_unit_test(two_times_are_compared),
        cmocka_unit_test(help_knows_its_keys),
        cmocka_unit_test(files_are_read_again),
        cmocka_unit_test(a_picture_and_a_text),
        cmocka_unit_test(a_terminal_of_any_size),
    };
    return cmocka_run_group_tests(tests, begin, end);
}
