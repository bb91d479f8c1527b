/* Every way out gives the terminal back and tells the truth in its status: q,
 * signals, a lost terminal, suspend; and what cannot be a viewer says so. */
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>

#include "engine/base/thread.h"
#include "tests/screen/stage.h"

static struct pty *open_example(struct stage *stage)
{
    const char *args[] = {EXAMPLE, "--trace-commands", "never", NULL};
    struct pty *pty = stage_open(stage, 80, 24, args);
    stage_expect(pty, "? help");
    return pty;
}

static void test_modes_are_on_while_it_runs(void **state)
{
    (void)state;
    struct stage stage;
    stage_begin(&stage);
    struct pty *pty = open_example(&stage);
    stage_check(pty, pty_is_alternate(pty));
    stage_check(pty, pty_has_mouse(pty));
    stage_check(pty, !pty_is_cooked(pty));
    stage_quit(pty);
    pty_free(pty);
    const char *args[] = {EXAMPLE, "--trace-commands", "never", "--no-mouse", NULL};
    pty = stage_open(&stage, 80, 24, args);
    stage_expect(pty, "? help");
    stage_check(pty, !pty_has_mouse(pty));
    stage_quit(pty);
    pty_free(pty);
    stage_end(&stage);
}

static void test_signals_restore_and_are_raised_again(void **state)
{
    (void)state;
    static const int signals[] = {SIGTERM, SIGSEGV, SIGABRT, SIGINT, SIGHUP, SIGQUIT};
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) {
        struct stage stage;
        stage_begin(&stage);
        struct pty *pty = open_example(&stage);
        pty_signal(pty, signals[i]);
        int status = pty_wait_exit(pty, STAGE_WAIT_MS);
        stage_check(pty, status != -1);
        stage_check(pty, WIFSIGNALED(status));
        assert_int_equal(WTERMSIG(status), signals[i]);
        stage_check_restored(pty);
        pty_free(pty);
        stage_end(&stage);
    }
}

/* Also while the question of a trace is on the screen, and while it loads. */
static void test_signals_in_a_dialog(void **state)
{
    (void)state;
    struct stage stage;
    stage_begin(&stage);
    const char *args[] = {EXAMPLE, NULL};
    for (int early = 0; early < 2; early++) {
        struct pty *pty = stage_open(&stage, 80, 24, args);
        stage_expect(pty, early ? "Ctrl-C stops" : "This trace wants to run");
        pty_signal(pty, SIGTERM);
        int status = pty_wait_exit(pty, STAGE_WAIT_MS);
        stage_check(pty, WIFSIGNALED(status));
        assert_int_equal(WTERMSIG(status), SIGTERM);
        stage_check_restored(pty);
        pty_free(pty);
    }
    stage_end(&stage);
}

static void test_lost_terminal_ends_within_a_second(void **state)
{
    (void)state;
    for (int dialog = 0; dialog < 2; dialog++) {
        struct stage stage;
        stage_begin(&stage);
        const char *args[] = {EXAMPLE, dialog ? NULL : "--trace-commands=never", NULL};
        struct pty *pty = stage_open(&stage, 80, 24, args);
        stage_expect(pty, dialog ? "This trace wants to run" : "? help");
        pty_settle(pty, 200);
        int64_t closed = clock_now_ns();
        pty_hang_up(pty);
        int status = pty_wait_exit(pty, STAGE_WAIT_MS);
        int64_t took_ms = (clock_now_ns() - closed) / 1000000;
        assert_int_not_equal(status, -1);
        assert_in_range(took_ms, 0, 1000);
        pty_free(pty);
        stage_end(&stage);
    }
}

/* Under a shell with job control: without one the kernel would not stop it. */
static void test_suspend_and_continue(void **state)
{
    (void)state;
    struct stage stage;
    stage_begin(&stage);
    const char *argv[] = {"/bin/bash",
                          "-c",
                          "set -m; \"$@\"; echo STOPPED; read -r line; fg >/dev/null; "
                          "echo ENDED $?; read -r line; exit 0",
                          "bash",
                          PERFETTY,
                          EXAMPLE,
                          "--trace-commands=never",
                          NULL};
    struct pty_options options = {.columns = 80, .rows = 24, .home = stage.folder};
    struct pty *pty = pty_start(&options, argv);
    struct buffer before = BUFFER_INIT;
    stage_expect(pty, "? help");
    pty_send(pty, "j");
    pty_settle(pty, 200);
    buffer_append_text(&before, pty_screen(pty));
    pty_send(pty, "\032"); /* Ctrl-Z */
    stage_expect(pty, "STOPPED");
    stage_check_restored(pty);
    pty_send(pty, "\r");
    stage_expect(pty, "? help");
    pty_settle(pty, 200);
    stage_check(pty, pty_is_alternate(pty));
    stage_check(pty, pty_has_mouse(pty));
    stage_check(pty, !pty_is_cooked(pty));
    stage_check(pty, strcmp(pty_screen(pty), buffer_text(&before)) == 0);
    pty_send(pty, "q");
    stage_expect(pty, "ENDED 0");
    stage_check_restored(pty);
    pty_send(pty, "\r");
    assert_int_equal(pty_wait_exit(pty, STAGE_WAIT_MS), 0);
    pty_free(pty);
    buffer_free(&before);
    stage_end(&stage);
}

static void test_trace_from_standard_input(void **state)
{
    (void)state;
    struct stage stage;
    stage_begin(&stage);
    int fd = open(EXAMPLE, O_RDONLY | O_CLOEXEC);
    assert_true(fd > 0);
    struct pty_options options = {.columns = 80, .rows = 24, .stdin_fd = fd};
    const char *args[] = {"-", NULL};
    struct pty *pty = stage_open_with(&stage, &options, args);
    close(fd);
    stage_expect(pty, "This trace wants to run"); /* keys come from /dev/tty */
    pty_send(pty, "s");
    stage_expect_gone(pty, "This trace wants to run");
    stage_expect(pty, "standard input");
    stage_quit(pty);
    pty_free(pty);
    stage_end(&stage);
}

/* Standard input that is no terminal is no reason for a viewer without keys. */
static void test_keys_when_standard_input_is_elsewhere(void **state)
{
    (void)state;
    struct stage stage;
    stage_begin(&stage);
    int fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
    assert_true(fd > 0);
    struct pty_options options = {.columns = 80, .rows = 24, .stdin_fd = fd};
    const char *args[] = {EXAMPLE, "--trace-commands", "never", NULL};
    struct pty *pty = stage_open_with(&stage, &options, args);
    close(fd);
    stage_expect(pty, "? help");
    pty_send(pty, "?");
    stage_expect(pty, "Zoom in");
    pty_send(pty, "\033");
    stage_expect_gone(pty, "Zoom in");
    stage_quit(pty);
    pty_free(pty);
    stage_end(&stage);
}

static void test_without_a_terminal_it_refuses(void **state)
{
    (void)state;
    struct stage stage;
    struct stage_output output;
    stage_begin(&stage);
    const char *argv[] = {PERFETTY, EXAMPLE, NULL};
    assert_true(stage_run(&stage, argv, &output));
    assert_int_equal(output.exit_status, 2);
    assert_int_equal(output.out.length, 0);
    const char *text = buffer_text(&output.err);
    assert_non_null(strstr(text, "perfetty query"));
    assert_non_null(strstr(text, "perfetty info"));
    assert_null(strchr(text, '\033'));
    assert_ptr_equal(strchr(text, '\n'), text + output.err.length - 1); /* one line */
    stage_output_free(&output);
    stage_end(&stage);
}

static void test_failed_load_restores_and_says_why(void **state)
{
    (void)state;
    struct stage stage;
    stage_begin(&stage);
    char path[STAGE_PATH];
    const char *args[] = {stage_file(&stage, "missing.pftrace", path), NULL};
    struct pty *pty = stage_open(&stage, 120, 24, args);
    int status = pty_wait_exit(pty, STAGE_WAIT_MS);
    stage_check(pty, WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 1);
    stage_check_restored(pty);
    stage_check(pty, pty_find_row(pty, "missing.pftrace", 0) >= 0);
    pty_free(pty);
    stage_end(&stage);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_modes_are_on_while_it_runs),
        cmocka_unit_test(test_signals_restore_and_are_raised_again),
        cmocka_unit_test(test_signals_in_a_dialog),
        cmocka_unit_test(test_lost_terminal_ends_within_a_second),
        cmocka_unit_test(test_suspend_and_continue),
        cmocka_unit_test(test_trace_from_standard_input),
        cmocka_unit_test(test_keys_when_standard_input_is_elsewhere),
        cmocka_unit_test(test_without_a_terminal_it_refuses),
        cmocka_unit_test(test_failed_load_restores_and_says_why),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
