/* Nothing of a trace reaches the terminal as it is: every place where its text can
 * be shown, with every control, bidi and invalid byte, and the bytes on the pty
 * taken apart.  What the places show instead is seen too, so that a test cannot
 * pass because it showed nothing. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <cmocka.h>

#include "engine/base/utf8.h"
#include "tests/gen/hostile.h"
#include "tests/screen/stage.h"
#include "tests/screen/stream.h"

#define QUIET_MS 20
#define STOP     "\003" /* Ctrl-C closes what is open; Esc before a key could be Alt */
/* Title, colour, right-to-left, and a byte that is no UTF-8. */
#define EVIL \
    "ev\033]0;PWNED\007\033[31m\xc2\x9b" \
    "7m\xe2\x80\xae\xff\x9b" \
    "2J"
#define EVIL_JSON "ev\\u001b]0;PWNED\\u0007\\u001b[31m\\u009b7m\\u202e"

struct scene {
    struct stage stage;
    char trace[STAGE_PATH], evil_trace[STAGE_PATH], sidecar[STAGE_PATH];
};

static void begin(struct scene *scene)
{
    struct buffer bytes = BUFFER_INIT;
    stage_begin(&scene->stage);
    gen_write_hostile_trace(&bytes);
    stage_write(stage_file(&scene->stage, "hostile.pftrace", scene->trace), &bytes);
    stage_write(stage_file(&scene->stage, EVIL ".pftrace", scene->evil_trace), &bytes);
    buffer_clear(&bytes);
    gen_write_hostile_sidecar(&bytes);
    stage_write(stage_file(&scene->stage, "sidecar.zip", scene->sidecar), &bytes);
    buffer_free(&bytes);
}

/* ---- what may be on the wire ---- */

static bool has_unsafe(struct str text)
{
    for (size_t at = 0; at < text.n;) {
        uint32_t c;
        at += utf8_decode(str_slice(text, at, text.n), &c);
        if (utf8_is_unsafe(c)) return true;
    }
    return false;
}

static bool holds(const char *raw, size_t length, struct str text)
{
    for (size_t i = 0; i + text.n <= length; i++)
        if (memcmp(raw + i, text.p, text.n) == 0) return true;
    return false;
}

static void check_wire(struct pty *pty, enum stream_kind kind)
{
    size_t length;
    struct buffer why = BUFFER_INIT, text = BUFFER_INIT;
    const char *raw = pty_raw(pty, &length);
    if (!stream_is_clean(raw, length, kind, &why)) {
        fprintf(stderr, "%s", buffer_text(&why));
        stage_check(pty, !"the wire is clean");
    }
    for (size_t i = 0; i < gen_hostile_count(); i++) {
        buffer_clear(&text);
        gen_hostile_text(i, &text);
        if (text.length < 3 || !has_unsafe(buffer_str(&text))) continue;
        if (holds(raw, length, buffer_str(&text))) {
            fprintf(stderr, "text %zu went out as it is\n", i);
            stage_check(pty, !"no text went out as it is");
        }
    }
    stage_check(pty, !holds(raw, length, STR("\033]0;PWNED")));
    stage_check(pty, !holds(raw, length, STR("\033[31mred")));
    stage_check(pty, !holds(raw, length, STR("\033[2J\033[Hend")));
    buffer_free(&why);
    buffer_free(&text);
}

/* Shown, in its visible form. */
static void check_seen(struct pty *pty, const char *text)
{
    size_t length;
    const char *raw = pty_raw(pty, &length);
    if (!holds(raw, length, str_of(text))) fprintf(stderr, "never shown: %s\n", text);
    stage_check(pty, holds(raw, length, str_of(text)));
}

static void play(struct pty *pty, const char *keys)
{
    pty_send(pty, keys);
    pty_settle(pty, QUIET_MS);
}

static void repeat(struct pty *pty, const char *keys, int times)
{
    for (int i = 0; i < times; i++)
        play(pty, keys);
}

static void finish(struct scene *scene, struct pty *pty)
{
    pty_send(pty, "q");
    stage_check(pty, pty_wait_exit(pty, STAGE_WAIT_MS) == 0);
    check_wire(pty, STREAM_CURSES);
    pty_free(pty);
    stage_end(&scene->stage);
}

static struct pty *open_trace(struct scene *scene, const char *path, const char *startup)
{
    const char *args[] = {path, startup ? "--startup-commands" : NULL, startup, NULL};
    struct pty *pty = stage_open(&scene->stage, 120, 40, args);
    stage_expect(pty, "? help");
    return pty;
}

/* ---- the viewer ---- */

static void test_track_names(void **state)
{
    (void)state;
    struct scene scene;
    begin(&scene);
    struct pty *pty = open_trace(&scene, scene.evil_trace, NULL); /* the title too */
    play(pty, ":dev.perfetto.ExpandAllGroups\r");
    play(pty, "gg");
    repeat(pty, "J", 40);
    check_seen(pty, "c27[\xe2\x90\x9b]"); /* ESC as a picture of it */
    check_seen(pty, "d27[\xef\xbf\xbd]"); /* C1 as U+FFFD */
    check_seen(pty, "ev\xe2\x90\x9b]0;PWNED");
    finish(&scene, pty);
}

static void test_selected_slices_and_their_arguments(void **state)
{
    (void)state;
    struct scene scene;
    begin(&scene);
    struct pty *pty = open_trace(&scene, scene.trace, NULL);
    play(pty, "/c0[\r"); /* the first hit is a slice, process or log */
    play(pty, "n");
    repeat(pty, "z", 2);
    play(pty, "/[\r");
    repeat(pty, "n", 60);
    repeat(pty, ".", 60);
    play(pty, "/d27[\r");
    play(pty, "/c27[\r");
    repeat(pty, "n", 4);
    play(pty, "\t");
    repeat(pty, "J", 4);
    check_seen(pty, "c27[\xe2\x90\x9b]");
    finish(&scene, pty);
}

static void test_search_results_and_pickers(void **state)
{
    (void)state;
    struct scene scene;
    begin(&scene);
    struct pty *pty = open_trace(&scene, scene.trace, NULL);
    play(pty, "/[\r");
    play(pty, "gszz\t");
    repeat(pty, "J", 20);
    play(pty, "\t");
    play(pty, "gf");
    repeat(pty, "\033[6~", 24); /* page down */
    play(pty, "[");
    repeat(pty, "\033[6~", 6);
    play(pty, STOP);
    play(pty, "T");
    repeat(pty, "\033[6~", 6);
    play(pty, STOP);
    check_seen(pty, "c27[\xe2\x90\x9b]");
    finish(&scene, pty);
}

static void test_query_tabs_logs_and_errors(void **state)
{
    (void)state;
    struct scene scene;
    begin(&scene);
    struct pty *pty = open_trace(&scene, scene.trace, NULL);
    play(pty, "zz;select name, category, length(name) as bytes from slice order by id\r");
    stage_expect(pty, "bytes");
    play(pty, "\t");
    repeat(pty, "J", 20);
    play(pty, ";select tag, msg, prio from android_logs\r");
    stage_expect(pty, "prio");
    repeat(pty, "J", 20);
    play(pty, ";select distinct key, display_value, 1 as one from args where key like 'debug.%'\r");
    stage_expect(pty, "one");
    repeat(pty, "J", 20);
    /* A name in the text of an error. */
    play(pty, ";select * from \"ev\xe2\x80\xae\xc2\x9b\"\r");
    stage_expect(pty, "no such table");
    play(pty, "gl");
    repeat(pty, "J", 3);
    check_seen(pty, "c27[\xe2\x90\x9b]");
    finish(&scene, pty);
}

static void test_text_that_is_typed(void **state)
{
    (void)state;
    struct scene scene;
    begin(&scene);
    struct pty *pty = open_trace(&scene, scene.trace, NULL);
    static const char *const prompts[] = {":", ";", "/", "T", "\020", "?"};
    for (size_t i = 0; i < sizeof prompts / sizeof *prompts; i++) {
        play(pty, prompts[i]);
        play(pty, "x\xe2\x80\xaey\xc2\x9bz\xef\xbb\xbf");
        play(pty, "\r");
        play(pty, STOP);
    }
    play(pty, ":dev.perfetto.AddNoteAtTimestamp 1000 x\xe2\x80\xaey\r");
    play(pty, ":dev.perfetto.PinTracksByRegex (\xe2\x80\xae\r");
    play(pty, STOP "gl");
    finish(&scene, pty);
}

static void test_startup_commands_with_such_text(void **state)
{
    (void)state;
    struct scene scene;
    begin(&scene);
    static const char commands[] =
        "[{\"id\":\"dev.perfetto.RunQueryAndShowTab\",\"args\":[\"select 1 as '" EVIL_JSON
        "'\",\"" EVIL_JSON "\"]},"
        "{\"id\":\"dev.perfetto.RunQueryAndShowTab\",\"args\":[\"selec " EVIL_JSON "\",\"x\"]},"
        "{\"id\":\"dev.perfetto.CreateWorkspace\",\"args\":[\"" EVIL_JSON "\"]},"
        "{\"id\":\"dev.perfetto.SwitchWorkspace\",\"args\":[\"" EVIL_JSON "\"]},"
        "{\"id\":\"dev.perfetto.AddNoteAtTimestamp\",\"args\":[\"5000\",\"" EVIL_JSON "\"]},"
        "{\"id\":\"dev.perfetto.PinTracksByRegex\",\"args\":[\"(" EVIL_JSON "\"]},"
        "{\"id\":\"" EVIL_JSON "\",\"args\":[]}]";
    struct pty *pty = open_trace(&scene, scene.trace, commands);
    stage_expect(pty, "Startup report");
    for (int tab = 0; tab < 5; tab++) {
        play(pty, "gt");
        play(pty, "z");
    }
    check_seen(pty, "PWNED");
    finish(&scene, pty);
}

static void test_consent_and_macros_with_such_text(void **state)
{
    (void)state;
    struct scene scene;
    begin(&scene);
    const char *args[] = {scene.sidecar, NULL};
    struct pty *pty = stage_open(&scene.stage, 120, 40, args);
    stage_expect(pty, "This trace wants to run");
    repeat(pty, "\033[6~", 16);
    check_seen(pty, "\xe2\x90\x9b");
    play(pty, "r");
    stage_expect_gone(pty, "This trace wants to run");
    stage_expect(pty, "Startup report");
    play(pty, "zz\t");
    repeat(pty, "J", 16);
    play(pty, "x");
    stage_expect(pty, "Macros");
    play(pty, STOP);
    play(pty, "\020macro"); /* Ctrl-P */
    play(pty, STOP);
    play(pty, "gl");
    repeat(pty, "J", 16);
    check_seen(pty, "]0;owned");
    finish(&scene, pty);
}

/* ---- programs that print ---- */

static void print_to_pty(struct scene *scene, const char *const *args, const char *term,
                         enum stream_kind kind, const char *seen)
{
    struct pty_options options = {.columns = 100, .rows = 40, .term = term};
    struct pty *pty = stage_open_with(&scene->stage, &options, args);
    stage_check(pty, pty_wait_exit(pty, STAGE_WAIT_MS) != -1);
    check_wire(pty, kind);
    check_seen(pty, seen);
    pty_free(pty);
}

static void test_printing_commands(void **state)
{
    (void)state;
    struct scene scene;
    begin(&scene);
    static const char names[] = "select name from slice";
    const char *const runs[][6] = {
        {"query", scene.trace, names, "--format", "table", NULL},
        {"query", scene.trace, names, NULL},
        {"query", scene.trace, names, "--format", "csv", NULL},
        {"query", scene.trace, names, "--format", "json", NULL},
        {"query", scene.evil_trace, "select 1 as one", NULL},
        {"query", scene.trace, "select * from \"" EVIL "\"", NULL},
        {"query", scene.evil_trace, "select name from", NULL},
        {"info", scene.evil_trace, NULL},
        {"info", scene.sidecar, NULL},
        {"extensions", "dump", scene.sidecar, NULL},
        {"extensions", "check", scene.sidecar, NULL},
        {"query", EVIL, "select 1", NULL},
        {EVIL, NULL},
        {"info", "--" EVIL, NULL},
        {"snapshot", scene.evil_trace, "--size", "100x40", NULL},
        {"snapshot", scene.evil_trace, "--keys", EVIL, NULL},
    };
    static const char *const seen[] = {"c27[\xe2\x90\x9b]",
                                       "c27[\xe2\x90\x9b]",
                                       "c27[\xe2\x90\x9b]",
                                       "c27[",
                                       "one",
                                       "PWNED",
                                       "PWNED",
                                       "PWNED",
                                       "evil\xe2\x90\x9b[31m",
                                       "com.ex",
                                       "good",
                                       "PWNED",
                                       "PWNED",
                                       "PWNED",
                                       "PWNED",
                                       ""};
    for (size_t i = 0; i < sizeof runs / sizeof *runs; i++) {
        print_message("%s %s\n", runs[i][0] == runs[12][0] ? "view" : runs[i][0],
                      runs[i][1] && runs[i][2] && !has_unsafe(str_of(runs[i][2])) ? runs[i][2]
                                                                                  : "");
        enum stream_kind kind = i == 12 ? STREAM_CURSES : STREAM_LINES;
        print_to_pty(&scene, runs[i], NULL, kind, seen[i]);
    }
    stage_end(&scene.stage);
}

/* A terminal that nobody knows gets the built-in description, and its name is told. */
static void test_a_terminal_with_such_a_name(void **state)
{
    (void)state;
    struct scene scene;
    begin(&scene);
    const char *view[] = {scene.trace, NULL};
    struct pty_options options = {.columns = 100, .rows = 40, .term = EVIL};
    struct pty *pty = stage_open_with(&scene.stage, &options, view);
    stage_expect(pty, "? help");
    play(pty, ":ShowLog\r");
    check_seen(pty, "PWNED");
    finish(&scene, pty);
}

static void page_to_end(struct pty *pty)
{
    for (int page = 0; page < 200 && pty_find_row(pty, "Query executed", 20) < 0; page++)
        play(pty, "\r");
    play(pty, "\r\r");
}

static void test_shell(void **state)
{
    (void)state;
    struct scene scene;
    begin(&scene);
    const char *args[] = {"shell", scene.evil_trace, NULL};
    struct pty_options options = {.columns = 100, .rows = 40};
    struct pty *pty = stage_open_with(&scene.stage, &options, args);
    stage_expect(pty, ">");
    play(pty, ".width 30\r");
    play(pty, "select name, category from slice order by id desc;\r");
    page_to_end(pty);
    check_seen(pty, "c27[\xe2\x90\x9b]");
    play(pty, "select 'tag' as \"is a tag\", tag, msg from android_logs;\r");
    page_to_end(pty);
    /* In an error, as typed, and again from the history. */
    play(pty, "select * from \"ev\xe2\x80\xae\xc2\x9b\";\r");
    stage_expect(pty, "no such table");
    play(pty, "\033[A");
    play(pty, "\003");
    play(pty, ".quit\r");
    stage_check(pty, pty_wait_exit(pty, STAGE_WAIT_MS) == 0);
    check_wire(pty, STREAM_CURSES);
    pty_free(pty);
    stage_end(&scene.stage);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_track_names),
        cmocka_unit_test(test_selected_slices_and_their_arguments),
        cmocka_unit_test(test_search_results_and_pickers),
        cmocka_unit_test(test_query_tabs_logs_and_errors),
        cmocka_unit_test(test_text_that_is_typed),
        cmocka_unit_test(test_startup_commands_with_such_text),
        cmocka_unit_test(test_consent_and_macros_with_such_text),
        cmocka_unit_test(test_printing_commands),
        cmocka_unit_test(test_a_terminal_with_such_a_name),
        cmocka_unit_test(test_shell),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
