/* Keys that come faster than frames, bytes that are no keys, pastes: nothing is lost,
 * nothing runs that nobody typed, and Esc is never held back. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "engine/base/thread.h"
#include "tests/screen/stage.h"

static struct pty *open_example(struct stage *stage)
{
    const char *args[] = {EXAMPLE, "--trace-commands", "never", NULL};
    struct pty *pty = stage_open(stage, 100, 30, args);
    stage_expect(pty, "? help");
    return pty;
}

/* Several hundred at once; SQL counts them. */
static void test_a_long_paste_arrives_whole(void **state)
{
    (void)state;
    struct stage stage;
    stage_begin(&stage);
    struct pty *pty = open_example(&stage);
    for (int n = 60; n <= 660; n += 150) {
        struct buffer keys = BUFFER_INIT;
        char answer[32];
        buffer_append_text(&keys, ";select 'n' || length('");
        for (int i = 0; i < n; i++)
            buffer_append_byte(&keys, (char)('a' + i % 26));
        buffer_append_text(&keys, "') as counted\r");
        pty_send(pty, buffer_text(&keys));
        snprintf(answer, sizeof answer, "n%d", n);
        stage_expect(pty, answer);
        buffer_free(&keys);
    }
    stage_quit(pty);
    pty_free(pty);
    stage_end(&stage);
}

/* As many steps to the right as to the left end where they began. */
static void test_held_keys_all_count(void **state)
{
    (void)state;
    struct stage stage;
    stage_begin(&stage);
    struct pty *pty = open_example(&stage);
    pty_send(pty, "llllll");
    pty_settle(pty, 200);
    struct buffer before = BUFFER_INIT, keys = BUFFER_INIT;
    buffer_append_text(&before, pty_screen(pty));
    for (int i = 0; i < 480; i++) {
        bool right = i % 120 < 60;
        buffer_append_text(&keys, i % 2 ? right ? "\033OC" : "\033OD" : right ? "l" : "h");
    }
    pty_send(pty, buffer_text(&keys));
    pty_settle(pty, 400);
    stage_check(pty, strcmp(pty_screen(pty), buffer_text(&before)) == 0);
    stage_quit(pty);
    pty_free(pty);
    buffer_free(&before);
    buffer_free(&keys);
    stage_end(&stage);
}

/* What is typed while a command waits for its rows comes after it, in order. */
static void test_keys_wait_for_a_command(void **state)
{
    (void)state;
    struct stage stage;
    stage_begin(&stage);
    struct pty *pty = open_example(&stage);
    pty_send(pty, ":RunQuery \"with recursive c(x) as (select 1 union all select x + 1 from c "
                  "where x < 1000000) select max(x) from c\"\r"
                  ";select 40 + 2 as answer\r");
    stage_expect(pty, " 42");
    stage_quit(pty);
    pty_free(pty);
    stage_end(&stage);
}

/* A byte that is no character takes nothing with it. */
static void test_a_bad_byte_takes_no_key(void **state)
{
    (void)state;
    struct stage stage;
    stage_begin(&stage);
    struct pty *pty = open_example(&stage);
    pty_send(pty, ";select 'a\xff\xc3"
                  "b' || length('\xe2\x82xyz') as counted\r");
    stage_expect(pty, "ab3");
    stage_quit(pty);
    pty_free(pty);
    stage_end(&stage);
}

/* Terminals send either form, whatever mode they were asked for. */
static void test_arrows_of_both_modes(void **state)
{
    (void)state;
    struct stage stage;
    stage_begin(&stage);
    struct pty *pty = open_example(&stage);
    pty_send(pty, "llllll");
    pty_settle(pty, 200);
    struct buffer before = BUFFER_INIT;
    buffer_append_text(&before, pty_screen(pty));
    pty_send(pty, "\033[C\033[C\033OC");
    pty_settle(pty, 200);
    stage_check(pty, strcmp(pty_screen(pty), buffer_text(&before)) != 0);
    pty_send(pty, "\033OD\033[D\033[D");
    pty_settle(pty, 200);
    stage_check(pty, strcmp(pty_screen(pty), buffer_text(&before)) == 0);
    stage_quit(pty);
    pty_free(pty);
    buffer_free(&before);
    stage_end(&stage);
}

/* Pasted text is typed where text is typed; over the timeline it is no key. */
static void test_a_paste_runs_nothing(void **state)
{
    (void)state;
    struct stage stage;
    stage_begin(&stage);
    struct pty *pty = open_example(&stage);
    pty_send(pty, "\033[200~q\r:\033[201~");
    stage_expect(pty, "pasted text is taken where text is typed");
    pty_send(pty, ";\033[200~select 40 + 2\nas answer\033[201~");
    stage_expect(pty, "select 40 + 2 as answer");
    pty_send(pty, "\r");
    stage_expect(pty, " 42");
    stage_quit(pty);
    pty_free(pty);
    stage_end(&stage);
}

static void test_escape_is_instant(void **state)
{
    (void)state;
    struct stage stage;
    stage_begin(&stage);
    struct pty *pty = open_example(&stage);
    int64_t best = INT64_MAX;
    for (int i = 0; i < 5; i++) {
        pty_send(pty, "\020"); /* Ctrl-P */
        stage_expect(pty, "Commands");
        pty_settle(pty, 100);
        int64_t sent = clock_now_ns();
        pty_send(pty, "\033");
        stage_expect_gone(pty, "Commands");
        int64_t took = clock_now_ns() - sent;
        if (took < best) best = took;
    }
    assert_in_range(best / 1000000, 0, 150); /* curses' own default would be 1000 */
    stage_quit(pty);
    pty_free(pty);
    stage_end(&stage);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_long_paste_arrives_whole),
        cmocka_unit_test(test_held_keys_all_count),
        cmocka_unit_test(test_keys_wait_for_a_command),
        cmocka_unit_test(test_a_bad_byte_takes_no_key),
        cmocka_unit_test(test_arrows_of_both_modes),
        cmocka_unit_test(test_a_paste_runs_nothing),
        cmocka_unit_test(test_escape_is_instant),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
