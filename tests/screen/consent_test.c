/* The question about startup commands at 80x24: all that one consents to can be
 * reached, and what is remembered for one content is shown, asked again and forgotten. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "engine/base/memory.h"
#include "tests/screen/stage.h"

#define QUESTION "This trace wants to run"
#define BUTTONS  "r Run now  s Skip  a Always this  n Never this  A Always all  N Never all"
#define TRACE    "[{\"name\":\"a\",\"ph\":\"X\",\"ts\":1,\"dur\":2,\"pid\":1,\"tid\":1}]"
#define PG_DN    "\033[6~"
#define NOTE     "dev.perfetto.AddNoteAtTimestamp"

struct set {
    struct stage stage;
    char trace[STAGE_PATH], sidecar[STAGE_PATH];
};

static int setup(void **state)
{
    struct set *set = mem_zero(1, sizeof *set);
    struct buffer bytes = BUFFER_INIT;
    stage_begin(&set->stage);
    buffer_append_text(&bytes, TRACE);
    stage_write(stage_file(&set->stage, "a.json", set->trace), &bytes);
    stage_file(&set->stage, "side.json", set->sidecar);
    buffer_free(&bytes);
    *state = set;
    return 0;
}

static int teardown(void **state)
{
    struct set *set = *state;
    stage_end(&set->stage);
    mem_free(set);
    return 0;
}

/* A sidecar with these lists. */
static void write_sidecar(struct set *set, const char *macros, const char *startup)
{
    struct buffer text = BUFFER_INIT;
    buffer_printf(&text,
                  "{\"perfetto_metadata\": {\"version\": 1, \"extensions\": {\"type\": \"inline\", "
                  "\"namespace\": \"com.ex\", \"macros\": [%s], \"startup_commands\": [%s]}}}",
                  macros, startup);
    stage_write(set->sidecar, &text);
    buffer_free(&text);
}

static struct pty *open_trace(struct set *set, int columns, int rows, const char *option,
                              const char *value)
{
    const char *args[] = {set->trace, "--with", set->sidecar, option, value, NULL};
    return stage_open(&set->stage, columns, rows, args);
}

/* What `perfetty extensions …` prints; owned by the caller. */
static char *say(struct set *set, int status, const char *a, const char *b, const char *c)
{
    const char *argv[] = {PERFETTY, "extensions", a, b, c, NULL};
    struct stage_output output;
    assert_true(stage_run(&set->stage, argv, &output));
    if (output.exit_status != status)
        fail_msg("%d: %s%s", output.exit_status, buffer_text(&output.out),
                 buffer_text(&output.err));
    char *out = mem_strdup(buffer_text(&output.out));
    stage_output_free(&output);
    return out;
}

/* ---- everything can be reached ---- */

/* Macros 0 to 8, each the step of the one before; a ring; thirty notes with long texts;
 * commands that are not allowed at depths 0, 1 and 9. */
static void write_much(struct set *set)
{
    struct buffer macros = BUFFER_INIT, startup = BUFFER_INIT;
    for (int i = 0; i < 9; i++) {
        buffer_printf(&macros,
                      "{\"type\":\"inline\",\"id\":\"com.ex.Deep%d\",\"name\":\"D\",\"run\":["
                      "{\"id\":\"" NOTE "\",\"args\":[\"1\",\"begin_%d %0200d end_%d\"]},",
                      i, i, 0, i);
        if (i < 8)
            buffer_printf(&macros, "{\"id\":\"com.ex.Deep%d\",\"args\":[]}]},", i + 1);
        else
            buffer_append_text(&macros, "{\"id\":\"dev.perfetty.Quit\",\"args\":[]},"
                                        "{\"id\":\"com.ex.Deep0\",\"args\":[]}]},");
    }
    buffer_append_text(&macros, "{\"type\":\"inline\",\"id\":\"com.ex.Twice\",\"name\":\"T\","
                                "\"run\":[{\"id\":\"com.ex.Deep0\",\"args\":[]},{\"id\":"
                                "\"dev.perfetto.OpenTrace\",\"args\":[\"/etc/hosts\"]}]}");
    for (int i = 0; i < 30; i++)
        buffer_printf(&startup,
                      "{\"type\":\"inline\",\"id\":\"" NOTE
                      "\",\"args\":[\"1\",\"first_%d\\n%0300d last_%d\"]},",
                      i, 0, i);
    buffer_append_text(&startup,
                       "{\"type\":\"inline\",\"id\":\"com.ex.Deep0\",\"args\":[]},"
                       "{\"type\":\"inline\",\"id\":\"com.ex.Twice\",\"args\":[]},"
                       "{\"type\":\"inline\",\"id\":\"no.such.Thing\",\"args\":[\"z_argument\"]}");
    write_sidecar(set, buffer_text(&macros), buffer_text(&startup));
    buffer_free(&macros);
    buffer_free(&startup);
}

static void check_all_seen(const char *seen)
{
    static const char *const texts[] = {
        "They come from the file (namespace com.ex), not from you.",
        "31 com.ex.Deep0   macro, 2 steps",
        "32 com.ex.Twice   macro, 2 steps",
        "com.ex.Deep8   macro, 3 steps",
        "com.ex.Deep0   macro, 2 steps, shown above",
        "dev.perfetty.Quit   not allowed, will be blocked",
        "dev.perfetto.OpenTrace   not allowed, will be blocked",
        "/etc/hosts",
        "33 no.such.Thing   not known, will be blocked",
        "z_argument",
        "is kept for exactly what is listed here (content ",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (!strstr(seen, texts[i])) fail_msg("not shown: %s\n%s", texts[i], seen);
    for (int i = 0; i < 30; i++) {
        char first[20], last[20];
        snprintf(first, sizeof first, "first_%d ", i);
        snprintf(last, sizeof last, "last_%d ", i);
        if (!strstr(seen, first) || !strstr(seen, last)) fail_msg("note %d is cut", i);
    }
    for (int i = 0; i < 9; i++) {
        char begin[20], end[20];
        snprintf(begin, sizeof begin, "begin_%d", i);
        snprintf(end, sizeof end, "end_%d", i);
        if (!strstr(seen, begin) || !strstr(seen, end)) fail_msg("step of Deep%d is cut", i);
    }
}

static void all_of_it_can_be_reached(void **state)
{
    static const int sizes[][2] = {{80, 24}, {200, 60}};
    struct set *set = *state;
    write_much(set);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        struct buffer seen = BUFFER_INIT;
        struct pty *pty = open_trace(set, sizes[i][0], sizes[i][1], NULL, NULL);
        stage_expect(pty, QUESTION " 33 startup commands");
        stage_expect(pty, BUTTONS);
        stage_expect(pty, "more below");
        for (int page = 0; page < 60 && pty_find_row(pty, "more below", 0) >= 0; page++) {
            buffer_append_text(&seen, pty_screen(pty));
            pty_send(pty, PG_DN);
            pty_settle(pty, 60);
        }
        buffer_append_text(&seen, pty_screen(pty));
        stage_check(pty, pty_find_row(pty, BUTTONS, 0) >= 0);
        check_all_seen(buffer_text(&seen));
        pty_send(pty, "s");
        stage_expect_gone(pty, QUESTION);
        stage_expect(pty, "33 startup commands of the trace skipped");
        stage_quit(pty);
        pty_free(pty);
        buffer_free(&seen);
    }
}

/* Without blanks and line ends, where texts were wrapped. */
static void flatten(struct buffer *text)
{
    size_t n = 0;
    for (size_t i = 0; i < text->length; i++)
        if (text->data[i] != ' ' && text->data[i] != '\n') text->data[n++] = text->data[i];
    text->length = n;
    buffer_append_byte(text, '\0');
}

/* What the screen shows page by page, until it does not change. */
static void read_pages(struct pty *pty, const char *key, struct buffer *seen)
{
    char *before = mem_strdup("");
    for (int page = 0; page < 100; page++) {
        pty_settle(pty, 60);
        bool same = strcmp(before, pty_screen(pty)) == 0;
        mem_free(before);
        before = mem_strdup(pty_screen(pty));
        if (same && page > 1) break;
        buffer_append_text(seen, before);
        pty_send(pty, key);
    }
    mem_free(before);
}

/* Sixty commands that do not run: each stands in the report with its whole reason. */
static void all_of_the_report_can_be_read(void **state)
{
    struct set *set = *state;
    struct buffer startup = BUFFER_INIT, seen = BUFFER_INIT;
    for (int i = 0; i < 30; i++)
        buffer_printf(&startup,
                      "{\"type\":\"inline\",\"id\":\"no.such.Thing%d_\",\"args\":[]},"
                      "{\"type\":\"inline\",\"id\":\"dev.perfetto.RunQuery\",\"args\":"
                      "[\"SELECT nowhere_%d_%0120d_last_%d_end\"]},",
                      i, i, 0, i);
    buffer_append_text(&startup, "{\"type\":\"inline\",\"id\":\"dev.perfetto.RunQuery\",\"args\":"
                                 "[\"SELECT 1\"]}");
    write_sidecar(set, "", buffer_text(&startup));
    struct pty *pty = open_trace(set, 80, 24, "--trace-commands", "always");
    stage_expect(pty, "Startup report");
    stage_expect(pty, "1 startup command ran, 60 did not");
    pty_send(pty, "zz\t");
    read_pages(pty, "J", &seen);
    flatten(&seen);
    for (int i = 0; i < 30; i++) {
        char id[40], first[40], last[40];
        snprintf(id, sizeof id, "no.such.Thing%d_", i);
        snprintf(first, sizeof first, "nowhere_%d_0", i);
        snprintf(last, sizeof last, "_last_%d_end", i);
        const char *texts[] = {id, first, last};
        for (int k = 0; k < 3; k++)
            if (!strstr(buffer_text(&seen), texts[k]))
                fail_msg("not shown: %s\n%s", texts[k], buffer_text(&seen));
    }
    stage_quit(pty);
    pty_free(pty);
    buffer_free(&startup);
    buffer_free(&seen);
}

/* A step that reaches out with a long text: the whole of it is there before one says yes. */
static void all_of_a_reaching_step_can_be_read(void **state)
{
    struct set *set = *state;
    struct buffer macros = BUFFER_INIT, seen = BUFFER_INIT;
    buffer_append_text(&macros, "{\"type\":\"inline\",\"id\":\"com.ex.Out\",\"name\":\"Reach out\","
                                "\"run\":[{\"id\":\"dev.perfetty.Copy\",\"args\":[\"");
    for (int i = 0; i < 60; i++)
        buffer_printf(&macros, "part_%d_%070d ", i, 0);
    buffer_append_text(&macros, "\"]}]}");
    write_sidecar(set, buffer_text(&macros), "");
    struct pty *pty = open_trace(set, 80, 24, NULL, NULL);
    stage_expect(pty, "Thread 1");
    pty_send(pty, ":com.ex.Out\r");
    stage_expect(pty, "A macro wants to reach out of perfetty");
    stage_expect(pty, "Reach out (com.ex.Out), from the trace, com.ex, wants to:");
    stage_expect(pty, "r Run this step  s Stop the macro");
    read_pages(pty, PG_DN, &seen);
    assert_non_null(strstr(buffer_text(&seen), "dev.perfetty.Copy"));
    for (int i = 0; i < 60; i++) {
        char part[20];
        snprintf(part, sizeof part, "part_%d_", i);
        if (!strstr(buffer_text(&seen), part)) fail_msg("not shown: %s", part);
    }
    stage_check(pty, pty_find_row(pty, "r Run this step  s Stop the macro", 0) >= 0);
    pty_send(pty, "s");
    stage_expect(pty, "dev.perfetty.Copy reaches out of the viewer");
    pty_send(pty, "\033"); /* the prompt, which keeps the line */
    stage_expect_gone(pty, ":com.ex.Out");
    stage_quit(pty);
    pty_free(pty);
    buffer_free(&macros);
    buffer_free(&seen);
}

static void every_answer_is_there_in_a_small_window(void **state)
{
    static const char *const labels[] = {"Run now",    "Skip",       "Always this",
                                         "Never this", "Always all", "Never all"};
    struct set *set = *state;
    write_much(set);
    struct pty *pty = open_trace(set, 40, 12, NULL, NULL);
    for (size_t i = 0; i < sizeof labels / sizeof *labels; i++)
        stage_expect(pty, labels[i]);
    stage_check(pty, pty_find_row(pty, "1 " NOTE, 0) >= 0);
    pty_send(pty, "s");
    stage_expect_gone(pty, "Run now");
    stage_quit(pty);
    pty_free(pty);
}

/* The server first, then the startup commands: what the server would have brought is
 * missing, and the question says so.  Nothing runs before both were answered. */
static void the_server_is_asked_about_first(void **state)
{
    struct set *set = *state;
    struct buffer text = BUFFER_INIT;
    buffer_append_text(
        &text, "{\"perfetto_metadata\": {\"version\": 1, \"extensions\": {\"type\": \"server\", "
               "\"server\": {\"type\": \"https\", \"url\": \"https://e.example\", "
               "\"enabled_modules\": [\"a\"]}, \"startup_commands\": [{\"type\":\"inline\","
               "\"id\":\"com.far.M\",\"args\":[]},{\"type\":\"inline\",\"id\":"
               "\"dev.perfetto.PinTracksByRegex\",\"args\":[\"Thread\"]}]}}}");
    stage_write(set->sidecar, &text);
    struct pty *pty = open_trace(set, 80, 24, NULL, NULL);
    stage_expect(pty, "Add an extension server");
    stage_check(pty, pty_find_row(pty, QUESTION, 0) < 0);
    pty_send(pty, "\033");
    stage_expect(pty, QUESTION " 2 startup commands");
    stage_expect(pty, "They come from the file (server https://e.example), not from you.");
    stage_expect(pty, "The trace also names an extension server: only one of your settings");
    stage_expect(pty, "1 com.far.M   not known, will be blocked");
    stage_check(pty, pty_find_row(pty, "\u25b4", 0) < 0);
    pty_send(pty, "r");
    stage_expect(pty, "1 startup command ran, 1 did not");
    stage_expect(pty, "\u25b4");
    stage_expect(pty, "com.far.M is not allowed as a startup command");
    stage_quit(pty);
    pty_free(pty);
    buffer_free(&text);
}

/* ---- what is remembered ---- */

#define ONE_NOTE(text) \
    "{\"type\":\"inline\",\"id\":\"com.ex.Note\",\"name\":\"N\",\"run\":[" \
    "{\"id\":\"" NOTE "\",\"args\":[\"1\",\"" text "\"]}]}"
#define RUN_NOTE "{\"type\":\"inline\",\"id\":\"com.ex.Note\",\"args\":[]}"

static void leave(struct pty *pty)
{
    stage_quit(pty);
    pty_free(pty);
}

/* Opens the trace, which asks, and gives the answer. */
static void answer(struct set *set, const char *option, const char *value, const char *seen,
                   const char *key, const char *said)
{
    struct pty *pty = open_trace(set, 80, 24, option, value);
    stage_expect(pty, QUESTION);
    stage_expect(pty, seen);
    pty_send(pty, key);
    stage_expect_gone(pty, QUESTION);
    if (said) stage_expect(pty, said);
    leave(pty);
}

/* Opens the trace, which does not ask. */
static void start(struct set *set, const char *option, const char *value, const char *said)
{
    struct pty *pty = open_trace(set, 80, 24, option, value);
    stage_expect(pty, "Thread 1");
    if (said) stage_expect(pty, said);
    pty_settle(pty, 150);
    stage_check(pty, pty_find_row(pty, QUESTION, 0) < 0);
    leave(pty);
}

static void always_this(void **state)
{
    struct set *set = *state;
    write_sidecar(set, ONE_NOTE("one"), RUN_NOTE);
    answer(set, NULL, NULL, "is kept for exactly", "a", NULL);
    struct pty *pty = open_trace(set, 80, 24, NULL, NULL);
    stage_expect(pty, "1 startup command of the trace run, as remembered since 20");
    stage_check(pty, pty_find_row(pty, QUESTION, 0) < 0);
    pty_send(pty, "Ez");
    stage_expect(pty, "traceStartupCommands is ask");
    stage_expect(pty, "remembered: run since 20");
    leave(pty);
    /* For one run; what is remembered stays. */
    start(set, "--trace-commands", "never", "none ran (--trace-commands is never)");
    answer(set, "--trace-commands", "ask", "Remembered for them since 20", "s",
           "1 startup command of the trace skipped");
    start(set, NULL, NULL, "as remembered since");
    /* Another step of the macro that it starts: it is another content. */
    write_sidecar(set, ONE_NOTE("two"), RUN_NOTE);
    answer(set, NULL, NULL, "two", "s", NULL);
    write_sidecar(set, ONE_NOTE("one"), RUN_NOTE);
    start(set, NULL, NULL, "as remembered since");
}

static void never_this_and_forgetting(void **state)
{
    struct set *set = *state;
    write_sidecar(set, ONE_NOTE("one"), RUN_NOTE);
    answer(set, NULL, NULL, "is kept for exactly", "n", "skipped, and from now on");
    char *list = say(set, 0, "trust", NULL, NULL);
    assert_non_null(strstr(list, "  skip  1 command  namespace com.ex  a.json  since 20"));
    struct pty *pty = open_trace(set, 80, 24, NULL, NULL);
    stage_expect(pty, "1 startup command of the trace skipped, as remembered since 20");
    pty_send(pty, ":ShowStartupDecisions\r");
    stage_expect(pty, "Remembered decisions on startup commands of traces (1)");
    stage_expect(pty, "  skip  1 command  namespace com.ex  a.json");
    pty_send(pty, ":ForgetStartupDecision\r");
    stage_expect(pty, "1 decision forgotten: the next such trace asks");
    leave(pty);
    answer(set, NULL, NULL, "is kept for exactly", "n", NULL);
    /* By the id that the list shows. */
    char id[13];
    snprintf(id, sizeof id, "%.12s", list);
    mem_free(list);
    mem_free(say(set, 1, "trust", "--revoke", "00000000"));
    mem_free(say(set, 0, "trust", "--revoke", id));
    list = say(set, 0, "trust", NULL, NULL);
    assert_string_equal(list, "no decision is remembered\n");
    mem_free(list);
    list = say(set, 0, "trust", "--json", NULL);
    assert_string_equal(list, "[]\n");
    mem_free(list);
    mem_free(say(set, 2, "trust", "x.zip", NULL));
    mem_free(say(set, 2, "check", "--json", "x.zip"));
    answer(set, NULL, NULL, "is kept for exactly", "s", NULL);
}

/* Without a screen: nobody is asked, but what a person decided for this content holds. */
static void without_a_screen(void **state)
{
    struct set *set = *state;
    static const struct {
        const char *option, *said;
        int status;
    } table[] = {
        {"ask", "none ran, because nobody is here to ask (--trace-commands is ask)", 0},
        {"never", "none ran (--trace-commands is never)", 0},
        {"always", NULL, 0},
        {"Always", "--trace-commands is ask, always or never, not 'Always'", 2},
        {"", "--trace-commands is ask, always or never, not ''", 2},
    };
    static const char *const verbs[] = {"run", "snapshot"};
    write_sidecar(set, ONE_NOTE("one"), RUN_NOTE);
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        for (size_t k = 0; k < 2; k++) {
            const char *argv[] = {PERFETTY,     verbs[k],           set->trace,      "--with",
                                  set->sidecar, "--trace-commands", table[i].option, NULL};
            struct stage_output output;
            assert_true(stage_run(&set->stage, argv, &output));
            const char *err = buffer_text(&output.err), *out = buffer_text(&output.out);
            bool good =
                output.exit_status == table[i].status &&
                (!table[i].said || strstr(err, table[i].said) || (k == 1 && table[i].status == 0));
            if (!good)
                fail_msg("%s %s: %d\n%s%s", verbs[k], table[i].option, output.exit_status, out,
                         err);
            stage_output_free(&output);
        }
    answer(set, NULL, NULL, "is kept for exactly", "a", NULL);
    const char *argv[] = {PERFETTY,     "run",        set->trace, "--with",
                          set->sidecar, "--commands", "[]",       NULL};
    struct stage_output output;
    assert_true(stage_run(&set->stage, argv, &output));
    assert_int_equal(output.exit_status, 0);
    assert_non_null(strstr(buffer_text(&output.err), "trace run, as remembered since"));
    stage_output_free(&output);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
    const struct CMUnitTest tests[] = {
        TEST(all_of_it_can_be_reached),
        TEST(all_of_the_report_can_be_read),
        TEST(all_of_a_reaching_step_can_be_read),
        TEST(the_server_is_asked_about_first),
        TEST(every_answer_is_there_in_a_small_window),
        TEST(always_this),
        TEST(never_this_and_forgetting),
        TEST(without_a_screen),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
