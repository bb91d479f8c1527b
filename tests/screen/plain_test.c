/* --plain: the viewer in lines of text, over a pipe. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "tests/screen/stage.h"

/* Runs the program on `input`; its lines in `out`. */
static int run_plain(struct stage *stage, const char *input, struct stage_output *output)
{
    char path[STAGE_PATH], line[4 * STAGE_PATH];
    struct buffer bytes = BUFFER_INIT;
    buffer_append_text(&bytes, input);
    stage_write(stage_file(stage, "input", path), &bytes);
    buffer_free(&bytes);
    snprintf(line, sizeof line, "'%s' --plain '%s' --trace-commands never <'%s'", PERFETTY, EXAMPLE,
             path);
    const char *argv[] = {"/bin/sh", "-c", line, NULL};
    assert_true(stage_run(stage, argv, output));
    return output->exit_status;
}

/* Nothing that moves a cursor, colours, or draws. */
static bool is_plain(const char *text)
{
    for (const unsigned char *c = (const unsigned char *)text; *c; c++) {
        if (*c < 0x20 && *c != '\n') return false;
        /* U+2500 to U+25FF: lines, blocks, shapes. */
        if (c[0] == 0xE2 && c[1] >= 0x94 && c[1] <= 0x97) return false;
    }
    return true;
}

static void expect_lines(const char *text, const char *const *lines, size_t n)
{
    const char *at = text;
    for (size_t i = 0; i < n; i++) {
        const char *found = strstr(at, lines[i]);
        if (!found) fail_msg("no \"%s\" behind line %zu in:\n%s", lines[i], i, text);
        at = found + strlen(lines[i]);
    }
}
#define EXPECT_LINES(text, ...) \
    do { \
        static const char *const lines[] = {__VA_ARGS__}; \
        expect_lines(text, lines, sizeof lines / sizeof *lines); \
    } while (0)

static void test_movement_and_selection_are_said(void **state)
{
    (void)state;
    struct stage stage;
    struct stage_output output;
    stage_begin(&stage);
    assert_int_equal(run_plain(&stage, "j\nj j\nw\nwhere\nk\nPinTracksByRegex ^CPU$\n", &output),
                     0);
    const char *text = buffer_text(&output.out);
    assert_true(is_plain(text));
    EXPECT_LINES(text, "example.zip, 3.049 s; help says what can be asked\n",
                 "the trace carries 3 startup commands", "track 1 of ",
                 ": CPU Scheduling, open group\n", "cursor at ",
                 /* j, then two of it: each changes the track and nothing else */
                 "track 2 of ", ": CPU Scheduling > CPU 0 Scheduling\n", "track 4 of ",
                 ": CPU Scheduling > CPU 2 Scheduling\n",
                 /* where says all */
                 "track 4 of ", "cursor at ", "track 3 of ",
                 "0 tracks match /^CPU$/ (names are case-sensitive; try path)\n");
    assert_int_equal(output.err.length, 0);
    stage_output_free(&output);
    stage_end(&stage);
}

static void test_details_tables_and_search_are_said(void **state)
{
    (void)state;
    struct stage stage;
    struct stage_output output;
    stage_begin(&stage);
    assert_int_equal(run_plain(&stage,
                               ";SELECT 'zebra' AS word, 7 AS n UNION ALL SELECT 'ant', 8\n"
                               "SortTable n descending\n"
                               "tabs\n"
                               ";SELECT nothing\n"
                               "SelectEventByTableNameAndId slice 0\n"
                               "/doFrame\n"
                               "AddNoteAtTimestamp 5 \"a note\"\n"
                               "ShowNotes\n"
                               "no-such-command\n"
                               "quit\n"
                               "j\n",
                               &output),
                     0);
    const char *text = buffer_text(&output.out);
    assert_true(is_plain(text));
    EXPECT_LINES(text, "tab Query\n", "  2 rows, 2 columns\n", "  row 1: word zebra; n 7\n",
                 "  row 2: word ant; n 8\n",
                 /* the other way round */
                 "2 columns; by n descending\n", "  row 1: word ant; n 8\n",
                 "tab 1: Current Selection\n", "tab 2: Query, shown\n", "failed:\n",
                 "near 'nothing'", "selected:\n", "  duration: ", "selected:\n", "doFrame",
                 "note added at 5 ns\n", "tab Notes", "a note\n", "  1 in all\n",
                 "error: ", "no-such-command");
    assert_null(strstr(text, "\033"));
    stage_output_free(&output);
    stage_end(&stage);
}

static void test_what_needs_the_screen_says_so(void **state)
{
    (void)state;
    struct stage stage;
    struct stage_output output;
    stage_begin(&stage);
    assert_int_equal(run_plain(&stage, "Ctrl+p\nj\nq\nj\n", &output), 0);
    EXPECT_LINES(buffer_text(&output.out), "that asks on the screen", "track 2 of ");
    stage_output_free(&output);
    const char *argv[] = {PERFETTY, "--plain", "-", NULL};
    assert_true(stage_run(&stage, argv, &output));
    assert_int_equal(output.exit_status, 2);
    assert_non_null(strstr(buffer_text(&output.err), "--plain reads commands"));
    stage_output_free(&output);
    stage_end(&stage);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_movement_and_selection_are_said),
        cmocka_unit_test(test_details_tables_and_search_are_said),
        cmocka_unit_test(test_what_needs_the_screen_says_so),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
