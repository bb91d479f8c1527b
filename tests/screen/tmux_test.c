/* The story once more, in tmux: a terminal that is not our emulator. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include <cmocka.h>

#include "engine/base/thread.h"
#include "tests/screen/stage.h"

struct tmux {
    struct stage stage;
    char socket[STAGE_PATH];
    struct buffer screen;
};

static bool has_tmux(void)
{
    return access("/usr/bin/tmux", X_OK) == 0 || access("/usr/local/bin/tmux", X_OK) == 0 ||
           access("/bin/tmux", X_OK) == 0 || access("/opt/homebrew/bin/tmux", X_OK) == 0;
}

/* tmux with our own server and no configuration. */
static int tmux_run(struct tmux *tmux, const char *const *args, struct buffer *out)
{
    const char *argv[24] = {"tmux", "-S", tmux->socket, "-f", "/dev/null"};
    struct stage_output output;
    for (int i = 0; args[i]; i++)
        argv[5 + i] = args[i];
    assert_true(stage_run(&tmux->stage, argv, &output));
    if (out) {
        buffer_clear(out);
        buffer_append(out, output.out.data, output.out.length);
    }
    if (output.exit_status) fprintf(stderr, "tmux: %s", buffer_text(&output.err));
    int exit_status = output.exit_status;
    stage_output_free(&output);
    return exit_status;
}

static void keys(struct tmux *tmux, const char *text)
{
    const char *args[] = {"send-keys", "-t", "perfetty", text, NULL};
    assert_int_equal(tmux_run(tmux, args, NULL), 0);
}

static const char *capture(struct tmux *tmux)
{
    const char *args[] = {"capture-pane", "-p", "-t", "perfetty", NULL};
    assert_int_equal(tmux_run(tmux, args, &tmux->screen), 0);
    return buffer_text(&tmux->screen);
}

static void expect_at(struct tmux *tmux, const char *text, bool present, int line)
{
    int64_t until = clock_now_ns() + STAGE_WAIT_MS * INT64_C(1000000);
    while ((strstr(capture(tmux), text) != NULL) != present) {
        if (clock_now_ns() > until) {
            fprintf(stderr, "%s: \"%s\"\n---- screen ----\n%s", present ? "does not come" : "stays",
                    text, buffer_text(&tmux->screen));
            _fail(__FILE__, line);
        }
        nanosleep(&(struct timespec){0, 30000000}, NULL);
    }
}
#define expect(tmux, text)      expect_at(tmux, text, true, __LINE__)
#define expect_gone(tmux, text) expect_at(tmux, text, false, __LINE__)

static void begin(struct tmux *tmux)
{
    *tmux = (struct tmux){0};
    stage_begin(&tmux->stage);
    stage_file(&tmux->stage, "tmux", tmux->socket);
}

/* A shell that says how the program ended, so that the pane stays. */
static void start(struct tmux *tmux, const char *width, const char *height, const char *trace)
{
    char command[4 * STAGE_PATH];
    snprintf(command, sizeof command,
             "echo BEFORE; XDG_CONFIG_HOME=%s/config XDG_STATE_HOME=%s/state %s %s; echo ENDED $?; "
             "exec sleep 600",
             tmux->stage.folder, tmux->stage.folder, PERFETTY, trace);
    const char *args[] = {"new-session", "-d", "-s",   "perfetty", "-x",
                          width,         "-y", height, command,    NULL};
    assert_int_equal(tmux_run(tmux, args, NULL), 0);
}

static void end(struct tmux *tmux)
{
    const char *args[] = {"kill-server", NULL};
    tmux_run(tmux, args, NULL);
    buffer_free(&tmux->screen);
    stage_end(&tmux->stage);
}

/* Modes that the pane would keep if the program did not give them back. */
static void check_restored(struct tmux *tmux)
{
    struct buffer modes = BUFFER_INIT;
    const char *args[] = {"display-message",
                          "-p",
                          "-t",
                          "perfetty",
                          "#{alternate_on} #{mouse_any_flag} #{cursor_flag} #{keypad_cursor_flag}",
                          NULL};
    assert_int_equal(tmux_run(tmux, args, &modes), 0);
    assert_string_equal(buffer_text(&modes), "0 0 1 0\n");
    buffer_free(&modes);
    assert_non_null(strstr(capture(tmux), "BEFORE")); /* the main screen is as it was */
}

static void run_story(const char *width, const char *height)
{
    struct tmux tmux;
    struct gen_story story;
    char path[STAGE_PATH], text[2 * GEN_STORY_TEXT];
    uint64_t seed = stage_seed();
    print_message("seed %llu\n", (unsigned long long)seed);
    begin(&tmux);
    stage_write_story(&tmux.stage, seed, &story);
    start(&tmux, width, height, stage_file(&tmux.stage, "story.zip", path));
    expect(&tmux, "This trace wants to run 5 startup commands");
    snprintf(text, sizeof text, "namespace %s", story.namespace);
    expect(&tmux, text);
    assert_null(strstr(capture(&tmux), "\u25b4"));
    keys(&tmux, "r");
    expect_gone(&tmux, "This trace wants to run");
    expect(&tmux, "3 startup commands ran, 2 did not");
    int pinned = 0;
    for (const char *at = capture(&tmux); (at = strstr(at, "\u25b4")) != NULL; at++)
        pinned++;
    assert_int_equal(pinned, GEN_STORY_PINS + 1);
    keys(&tmux, "M-2");
    keys(&tmux, "zz");
    for (int i = 0; i < GEN_STORY_ROWS; i++) {
        snprintf(text, sizeof text, "%.*s", (int)strcspn(story.tab_rows[i], "|"),
                 story.tab_rows[i]);
        expect(&tmux, text);
    }
    keys(&tmux, "q");
    expect(&tmux, "ENDED 0");
    check_restored(&tmux);
    end(&tmux);
}

static void test_story_80x24(void **state)
{
    (void)state;
    if (!has_tmux()) {
        print_message("there is no tmux here: skipped\n");
        skip();
    }
    run_story("80", "24");
}

static void test_story_200x60(void **state)
{
    (void)state;
    if (!has_tmux()) skip();
    run_story("200", "60");
}

static void test_example_macro_and_query(void **state)
{
    (void)state;
    if (!has_tmux()) skip();
    struct tmux tmux;
    begin(&tmux);
    start(&tmux, "80", "24", EXAMPLE);
    expect(&tmux, "This trace wants to run");
    keys(&tmux, "Escape");
    expect(&tmux, "3 startup commands of the trace skipped");
    keys(&tmux, "x");
    expect(&tmux, "Macros");
    keys(&tmux, "a"); /* the trace's first */
    expect_gone(&tmux, "Macros");
    expect(&tmux, "\u25b4");
    keys(&tmux, "\\;"); /* as tmux wants it */
    expect(&tmux, "SQL>");
    keys(&tmux, "select 6 * 7 as answer");
    keys(&tmux, "Enter");
    expect(&tmux, "answer");
    expect(&tmux, "42");
    keys(&tmux, "q");
    expect(&tmux, "ENDED 0");
    check_restored(&tmux);
    end(&tmux);
}

/* The same archive again in a new session of the same person. */
static void reopen(struct tmux *tmux, const char *trace)
{
    const char *args[] = {"kill-session", "-t", "perfetty", NULL};
    keys(tmux, "q");
    expect(tmux, "ENDED 0");
    check_restored(tmux);
    const char *keep[] = {"new-session", "-d", "-s", "keep", "exec sleep 600", NULL};
    assert_int_equal(tmux_run(tmux, keep, NULL), 0);
    assert_int_equal(tmux_run(tmux, args, NULL), 0);
    start(tmux, "80", "24", trace);
}

static void remember(const char *answer, const char *first, const char *again)
{
    struct tmux tmux;
    struct gen_story story;
    char path[STAGE_PATH];
    begin(&tmux);
    stage_write_story(&tmux.stage, stage_seed(), &story);
    start(&tmux, "80", "24", stage_file(&tmux.stage, "story.zip", path));
    expect(&tmux, "This trace wants to run");
    keys(&tmux, answer);
    expect_gone(&tmux, "This trace wants to run");
    expect(&tmux, first);
    reopen(&tmux, path);
    expect(&tmux, again);
    assert_null(strstr(capture(&tmux), "This trace wants to run"));
    end(&tmux);
}

static void test_answers_are_remembered(void **state)
{
    (void)state;
    if (!has_tmux()) skip();
    remember("A", "3 startup commands ran, 2 did not", "3 startup commands ran, 2 did not");
    remember("N", "? help", "the trace carries 5 startup commands; none ran");
}

static void run_macro_named(struct tmux *tmux, const char *name)
{
    keys(tmux, "x");
    expect(tmux, "Macros");
    char text[GEN_STORY_TEXT];
    snprintf(text, sizeof text, "  %s ", name); /* behind its letter */
    const char *at = strstr(capture(tmux), text);
    assert_non_null(at);
    char letter[2] = {at[-1], 0};
    keys(tmux, letter);
    expect_gone(tmux, "Macros");
}

static void test_reach_asks_and_a_known_id_is_skipped(void **state)
{
    (void)state;
    if (!has_tmux()) skip();
    struct tmux tmux;
    struct gen_story story;
    struct buffer settings = BUFFER_INIT;
    char path[STAGE_PATH], text[STAGE_PATH];
    begin(&tmux);
    stage_write_story(&tmux.stage, stage_seed(), &story);
    buffer_printf(&settings,
                  "{\"macros\": [{\"id\": \"%s\", \"name\": \"Mine it is\", \"run\": [{\"id\": "
                  "\"dev.perfetto.PinTracksByRegex\", \"args\": [\"^%s$\"]}]}]}",
                  story.colliding_macro, story.unpinned);
    snprintf(text, sizeof text, "%s/config/perfetty", tmux.stage.folder);
    const char *make[] = {"mkdir", "-p", text, NULL};
    struct stage_output output;
    assert_true(stage_run(&tmux.stage, make, &output));
    stage_output_free(&output);
    stage_write(stage_file(&tmux.stage, "config/perfetty/settings.json", text), &settings);
    buffer_free(&settings);
    start(&tmux, "200", "60", stage_file(&tmux.stage, "story.zip", path));
    expect(&tmux, "This trace wants to run");
    keys(&tmux, "s");
    expect_gone(&tmux, "This trace wants to run");
    keys(&tmux, "g");
    keys(&tmux, "l"); /* the log has the warning */
    expect(&tmux, story.colliding_macro);
    run_macro_named(&tmux, "Share");
    expect(&tmux, "A macro wants to reach out of perfetty");
    expect(&tmux, story.reaching_macro);
    keys(&tmux, "s");
    expect_gone(&tmux, "A macro wants to reach out");
    run_macro_named(&tmux, "Mine it is");
    expect(&tmux, "\u25b4");
    keys(&tmux, "q");
    expect(&tmux, "ENDED 0");
    end(&tmux);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_story_80x24),
        cmocka_unit_test(test_story_200x60),
        cmocka_unit_test(test_example_macro_and_query),
        cmocka_unit_test(test_answers_are_remembered),
        cmocka_unit_test(test_reach_asks_and_a_known_id_is_skipped),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
