/* A macro recorded by typing, named and bound in the prompts, and run by its key in
 * another process: the screens are the same. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "tests/gen/example.h"
#include "tests/screen/stage.h"

/* Clean: what the first process left is not to come back by itself. */
static struct pty *open_example(struct stage *stage)
{
    const char *args[] = {EXAMPLE, "--trace-commands", "never", "--clean", NULL};
    struct pty *pty = stage_open(stage, 100, 32, args);
    stage_expect(pty, "? help");
    return pty;
}

/* All but the last line, which has the last message. */
static void keep_screen(struct pty *pty, struct buffer *out)
{
    pty_settle(pty, 300);
    buffer_clear(out);
    buffer_append_text(out, pty_screen(pty));
    while (out->length && out->data[out->length - 1] == '\n')
        out->length--;
    while (out->length && out->data[out->length - 1] != '\n')
        out->length--;
    buffer_append_text(out, "");
}

static void say_yes_to_all(struct pty *pty, const char *name, const char *key, const char *file)
{
    pty_send(pty, "gq");
    stage_expect(pty, "Name of the macro:");
    stage_expect_gone(pty, "recording, g q ends");
    pty_send(pty, name);
    pty_send(pty, "\r");
    stage_expect(pty, "Key for it, like F5 (Enter: none):");
    pty_send(pty, key);
    pty_send(pty, "\r");
    stage_expect(pty, "Sidecar to write (Enter: settings):");
    pty_send(pty, file);
    pty_send(pty, "\r");
}

static void test_a_recorded_macro_in_a_fresh_process(void **state)
{
    (void)state;
    struct stage stage;
    struct buffer recorded = BUFFER_INIT, replayed = BUFFER_INIT, untouched = BUFFER_INIT;
    stage_begin(&stage);
    struct pty *pty = open_example(&stage);
    pty_send(pty, "gq");
    stage_expect(pty, "recording, g q ends");
    /* Pins a CPU and, by name, a thread; looks closer; notes; asks; folds. */
    pty_send(pty, "jjp");
    stage_expect(pty, "pinned CPU 1 Scheduling");
    pty_send(pty, "T");
    stage_expect(pty, "Pin a track");
    pty_send(pty, "HeapTaskDaemon\r");
    stage_expect(pty, "pinned HeapTaskDaemon");
    pty_send(pty, "llllllwwwllt");
    pty_send(pty, ":AddDebugSliceTrack 'SELECT ts, dur, name FROM slice WHERE depth = 2' Deep\r");
    stage_expect(pty, "rows in 1 debug track");
    pty_send(pty, ";SELECT cpu, count(*) AS runs FROM sched GROUP BY cpu\r");
    stage_expect(pty, "runs");
    pty_send(pty, ":CreateWorkspace Other\r:CollapseTracksByRegex '^CPU F'\rG");
    pty_settle(pty, 300);
    say_yes_to_all(pty, "Closer look", "F5", "");
    stage_expect(pty, "my.CloserLook: ");
    stage_expect(pty, "saved to the settings, key F5");
    keep_screen(pty, &recorded);
    stage_quit(pty);
    pty_free(pty);

    pty = open_example(&stage);
    keep_screen(pty, &untouched);
    pty_send(pty, "\033[15~"); /* F5 */
    stage_expect(pty, "▴ HeapTaskDaemon");
    keep_screen(pty, &replayed);
    stage_check(pty, strcmp(buffer_text(&recorded), buffer_text(&untouched)) != 0);
    if (strcmp(buffer_text(&recorded), buffer_text(&replayed)) != 0)
        print_error("recorded\n%s\n", buffer_text(&recorded));
    stage_check(pty, strcmp(buffer_text(&recorded), buffer_text(&replayed)) == 0);
    /* The menu has it with its key and source. */
    pty_send(pty, "x");
    stage_expect(pty, "F5  settings");
    pty_send(pty, "\033");
    stage_expect_gone(pty, "Macros ");
    stage_quit(pty);
    pty_free(pty);
    buffer_free(&recorded);
    buffer_free(&replayed);
    buffer_free(&untouched);
    stage_end(&stage);
}

/* As a sidecar: the trace is opened with it, by whoever. */
static void test_a_recorded_sidecar(void **state)
{
    (void)state;
    struct stage stage;
    char path[STAGE_PATH];
    stage_begin(&stage);
    stage_file(&stage, "look.json", path);
    struct pty *pty = open_example(&stage);
    pty_send(pty, "gq:PinTracksByRegex ^surfaceflinger\r");
    stage_expect(pty, "3 tracks pinned");
    say_yes_to_all(pty, "Look", "", path);
    stage_expect(pty, "my.Look: 1 step, saved to ");
    stage_quit(pty);
    pty_free(pty);

    struct buffer bytes = BUFFER_INIT;
    char trace[STAGE_PATH];
    gen_example_trace(&bytes);
    stage_write(stage_file(&stage, "bare.perfetto-trace", trace), &bytes);
    buffer_free(&bytes);
    const char *argv[] = {PERFETTY, "run", trace, "--with", path, "--macro", "my.Look", NULL};
    struct stage_output output;
    assert_true(stage_run(&stage, argv, &output));
    if (output.exit_status != 0 || !strstr(buffer_text(&output.err), "3 tracks pinned"))
        fail_msg("%s%s", buffer_text(&output.out), buffer_text(&output.err));
    stage_output_free(&output);
    stage_end(&stage);
}

/* Two owners of one key: both are named, in the log too. */
static void test_a_key_with_two_owners(void **state)
{
    (void)state;
    struct stage stage;
    stage_begin(&stage);
    struct pty *pty = open_example(&stage);
    pty_send(pty, "gq:PinTracksByRegex ^surfaceflinger\r");
    stage_expect(pty, "3 tracks pinned");
    say_yes_to_all(pty, "First", "F5", "");
    stage_expect(pty, "my.First: 1 step");
    pty_send(pty, "gq:ZoomIn\r");
    say_yes_to_all(pty, "Second", "F5", "");
    stage_expect(pty, "key F5: macro my.First of the settings and macro my.Second of the settings");
    pty_send(pty, "gl");
    stage_expect(pty, "; the first stays");
    stage_quit(pty);
    pty_free(pty);
    stage_end(&stage);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_recorded_macro_in_a_fresh_process),
        cmocka_unit_test(test_a_recorded_sidecar),
        cmocka_unit_test(test_a_key_with_two_owners),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
