/* What a person made of a trace is there when it is opened again, under another name
 * as well; --clean opens without it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <cmocka.h>

#include "tests/screen/stage.h"

#define LEFT "as you left it on "

static void copy_example(const char *to)
{
    FILE *file = fopen(EXAMPLE, "rb");
    struct buffer bytes = BUFFER_INIT;
    char piece[65536];
    size_t n;
    assert_non_null(file);
    while ((n = fread(piece, 1, sizeof piece, file)) > 0)
        buffer_append(&bytes, piece, n);
    fclose(file);
    stage_write(to, &bytes);
    buffer_free(&bytes);
}

static struct pty *open_trace(struct stage *stage, const char *path, const char *option)
{
    const char *const args[] = {path, "--extensions", "ignore", option, NULL};
    struct pty *pty = stage_open(stage, 100, 30, args);
    stage_expect(pty, "CPU");
    stage_expect_gone(pty, "Ctrl-C stops");
    return pty;
}

static void close_trace(struct pty *pty)
{
    stage_quit(pty);
    pty_free(pty);
}

/* A pin, a note, a tab with its order, another time format. */
static void work(struct pty *pty)
{
    pty_send(pty, ":PinTracksByRegex \"^CPU 1 Scheduling$\"\r");
    stage_expect(pty, "1 track pinned");
    pty_send(pty, ":AddNote \"look here\"\r");
    stage_expect(pty, "note added");
    pty_send(pty, ":SetTimestampFormat seconds\r");
    pty_send(pty, ";SELECT 'first' AS word UNION ALL SELECT 'zebra'\r");
    stage_expect(pty, "zebra");
    pty_send(pty, ":SortTable word descending\r");
    pty_settle(pty, 300);
    stage_check(pty, pty_find_row(pty, "zebra", 0) < pty_find_row(pty, "first", 0));
}

static void check_restored(struct pty *pty)
{
    stage_expect(pty, LEFT);
    stage_expect(pty, "1 pin, 1 note, 1 tab");
    stage_expect(pty, "zebra");
    stage_check(pty, pty_find_row(pty, "CPU 1 Scheduling", 0) == 3);
    stage_check(pty, pty_find_row(pty, "zebra", 0) < pty_find_row(pty, "first", 0));
    stage_check(pty, pty_find_row(pty, "2 Query", 0) > 0);
    pty_send(pty, ":ShowNotes\r");
    stage_expect(pty, "look here");
    pty_send(pty, ":ShowTab 2\r"); /* as it was */
    stage_expect(pty, "zebra");
}

static void test_the_same_content_is_as_it_was_left(void **state)
{
    (void)state;
    struct stage stage;
    char other[STAGE_PATH];
    stage_begin(&stage);
    copy_example(stage_file(&stage, "renamed.zip", other));
    struct pty *pty = open_trace(&stage, EXAMPLE, NULL);
    stage_check(pty, pty_find_row(pty, LEFT, 0) < 0);
    work(pty);
    close_trace(pty);

    pty = open_trace(&stage, EXAMPLE, NULL);
    check_restored(pty);
    close_trace(pty);
    pty = open_trace(&stage, other, NULL);
    check_restored(pty);
    close_trace(pty);

    pty = open_trace(&stage, EXAMPLE, "--clean");
    pty_settle(pty, 300);
    stage_check(pty, pty_find_row(pty, LEFT, 0) < 0);
    stage_check(pty, pty_find_row(pty, "zebra", 0) < 0);
    pty_send(pty, ":ShowNotes\r");
    pty_settle(pty, 300);
    stage_check(pty, pty_find_row(pty, "look here", 0) < 0);
    close_trace(pty);

    pty = open_trace(&stage, EXAMPLE, NULL); /* --clean left it alone */
    check_restored(pty);
    pty_send(pty, ":ForgetSession\r");
    stage_expect(pty, "is gone");
    close_trace(pty);
    pty = open_trace(&stage, EXAMPLE, NULL);
    pty_settle(pty, 300);
    stage_check(pty, pty_find_row(pty, LEFT, 0) < 0);
    close_trace(pty);
    stage_end(&stage);
}

static void test_the_message_tells_how_to_undo_it(void **state)
{
    (void)state;
    struct stage stage;
    stage_begin(&stage);
    struct pty *pty = open_trace(&stage, EXAMPLE, NULL);
    work(pty);
    close_trace(pty);
    pty = open_trace(&stage, EXAMPLE, NULL);
    stage_expect(pty, "RestoreDefaults");
    pty_send(pty, ":RestoreDefaults\r");
    stage_expect_gone(pty, "zebra");
    stage_check(pty, pty_find_row(pty, "CPU 1 Scheduling", 0) != 3);
    close_trace(pty);
    stage_end(&stage);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_same_content_is_as_it_was_left),
        cmocka_unit_test(test_the_message_tells_how_to_undo_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
