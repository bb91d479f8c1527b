/* Other terminals, locales and sizes than the usual ones. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <cmocka.h>

#include "engine/extensions/base64.h"
#include "tests/screen/stage.h"
#include "tui/terminal_entry.h"

static const char *const arguments[] = {EXAMPLE, "--trace-commands", "never", NULL};

static bool is_ascii(const char *text)
{
    for (; *text; text++)
        if ((unsigned char)*text >= 0x80) return false;
    return true;
}

static bool raw_holds(struct pty *pty, const char *text)
{
    size_t length;
    const char *raw = pty_raw(pty, &length);
    return strstr(raw, text) != NULL; /* a screen without NUL */
}

struct look {
    const char *term;
    const char *locale;
    const char *extra;
    bool utf8, color, has_256;
};

static bool has_any_color(struct pty *pty, int columns, int rows)
{
    for (int y = 0; y < rows; y++)
        for (int x = 0; x < columns; x++) {
            struct pty_cell cell = pty_cell(pty, y, x);
            if (cell.has_fg || cell.has_bg) return true;
        }
    return false;
}

static void check_look(const struct look *look)
{
    struct stage stage;
    stage_begin(&stage);
    const char *extra[] = {look->extra, NULL};
    struct pty_options options = {
        .columns = 80, .rows = 24, .term = look->term, .locale = look->locale, .extra = extra};
    struct pty *pty = stage_open_with(&stage, &options, arguments);
    print_message("TERM=%s LC_ALL=%s %s\n", look->term, look->locale ? look->locale : "C.UTF-8",
                  look->extra ? look->extra : "");
    stage_expect(pty, "? help");
    pty_send(pty, "j\r");
    stage_expect(pty, "CPU 0");
    pty_settle(pty, 200);
    stage_check(pty, is_ascii(pty_screen(pty)) == !look->utf8);
    stage_check(pty, has_any_color(pty, 80, 24) == look->color);
    stage_check(pty, raw_holds(pty, "38;5;") == look->has_256);
    stage_quit(pty);
    pty_free(pty);
    stage_end(&stage);
}

static void test_terminals_and_locales(void **state)
{
    (void)state;
    static const struct look looks[] = {
        {"xterm-256color", NULL, NULL, true, true, true},
        {"xterm", NULL, NULL, true, true, false},
        {"screen-256color", NULL, NULL, true, true, true},
        {"linux", NULL, NULL, true, true, false},
        {"xterm-256color", NULL, "NO_COLOR=1", true, false, false},
        {"xterm-256color", "C", NULL, false, true, true},
        {"xterm-256color", "POSIX", "NO_COLOR=1", false, false, false},
    };
    for (size_t i = 0; i < sizeof looks / sizeof *looks; i++)
        check_look(&looks[i]);
}

/* An entry of 16 colours is in few systems: made here, from the one of 256. */
static void test_sixteen_colours(void **state)
{
    (void)state;
    static const char SOURCE[] = "xterm-16color|sixteen colours,\n"
                                 "\tcolors#16, pairs#256, use=xterm-256color,\n";
    struct stage stage;
    struct stage_output output;
    struct buffer text = BUFFER_INIT;
    char source[STAGE_PATH], folder[STAGE_PATH], extra[2 * STAGE_PATH];
    stage_begin(&stage);
    buffer_append_text(&text, SOURCE);
    stage_write(stage_file(&stage, "source", source), &text);
    const char *argv[] = {"tic", "-x", "-o", stage_file(&stage, "terminfo", folder), source, NULL};
    assert_true(stage_run(&stage, argv, &output));
    int made = output.exit_status;
    stage_output_free(&output);
    buffer_free(&text);
    if (made != 0) {
        print_message("there is no tic here: skipped\n");
        stage_end(&stage);
        skip();
    }
    snprintf(extra, sizeof extra, "TERMINFO=%s", folder);
    check_look(&(struct look){"xterm-16color", NULL, extra, true, true, false});
    stage_end(&stage);
}

/* vt100: no colours; its line-drawing set is not for bars. */
static void test_vt100(void **state)
{
    (void)state;
    check_look(&(struct look){"vt100", "C", NULL, false, false, false});
}

static void check_refusal(const char *term)
{
    struct stage stage;
    stage_begin(&stage);
    struct pty_options options = {.columns = 100, .rows = 24, .term = term};
    struct pty *pty = stage_open_with(&stage, &options, arguments);
    int status = pty_wait_exit(pty, STAGE_WAIT_MS);
    stage_check(pty, WIFEXITED(status));
    stage_check(pty, WEXITSTATUS(status) == 1 || WEXITSTATUS(status) == 2);
    stage_check(pty, pty_find_row(pty, term, 0) >= 0);
    stage_check(pty, pty_find_row(pty, "TERM=", 0) >= 0);
    stage_check(pty, !raw_holds(pty, "\033"));
    stage_check_restored(pty);
    pty_free(pty);
    stage_end(&stage);
}

static void test_dumb_terminals_are_refused(void **state)
{
    (void)state;
    check_refusal("dumb");
}

/* No database knows it, or there is none: a built-in description is used, and said. */
static void check_built_in(const char *term, const char *extra, bool has_256)
{
    struct stage stage;
    char said[80];
    stage_begin(&stage);
    const char *more[] = {extra, "TERMINFO_DIRS=/nowhere", NULL};
    struct pty_options options = {.columns = 100, .rows = 24, .term = term, .extra = more};
    if (!extra) options.extra = NULL;
    struct pty *pty = stage_open_with(&stage, &options, arguments);
    snprintf(said, sizeof said, "TERM=%s is not described here", term);
    stage_expect(pty, "CPU 0");
    stage_check(pty, pty_is_alternate(pty));
    pty_settle(pty, 200);
    pty_send(pty, ":ShowLog\r");
    stage_expect(pty, said);
    pty_send(pty, "j\033OBj");
    stage_expect(pty, "timeline");
    int row, column;
    bool visible;
    pty_settle(pty, 200);
    pty_cursor(pty, &row, &column, &visible);
    stage_check(pty, row == 6); /* of the ruler's next three */
    stage_check(pty, pty_find_row(pty, "\uFFFD", 0) < 0);
    stage_check(pty, pty_find_column(pty, 5, "CPU 1 Scheduling") == 3);
    stage_check(pty, pty_find_column(pty, 13, "CPU 0") == 3);
    int axis = pty_find_column(pty, 5, "\u2502");
    stage_check(pty, axis > 3 && pty_find_column(pty, 13, "\u2502") == axis);
    stage_check(pty, has_any_color(pty, 100, 24));
    stage_check(pty, raw_holds(pty, "38;5;") == has_256);
    stage_quit(pty);
    pty_free(pty);
    stage_end(&stage);
}

static void test_unknown_terminals_get_a_built_in_description(void **state)
{
    (void)state;
    check_built_in("xterm-foo", NULL, true);
    check_built_in("no-such-terminal", NULL, false);
    check_built_in("xterm-foo", "TERMINFO=/nowhere", true);
}

/* What is compiled in is what tic makes of its source. */
static void test_built_in_descriptions_are_those_of_the_source(void **state)
{
    (void)state;
    static const char *const terms[][2] = {{"xterm-foo", "perfetty-256color"},
                                           {"foo", "perfetty-8color"}};
    struct stage stage;
    struct stage_output output;
    char folder[STAGE_PATH], path[2 * STAGE_PATH];
    stage_begin(&stage);
    const char *argv[] = {"tic",
                          "-x",
                          "-o",
                          stage_file(&stage, "terminfo", folder),
                          SOURCE_DIR "/tui/terminal_entry.ti",
                          NULL};
    assert_true(stage_run(&stage, argv, &output));
    int made = output.exit_status;
    stage_output_free(&output);
    for (int i = 0; i < 2 && made == 0; i++) {
        struct terminal_entry entry = {0};
        unsetenv("COLORTERM");
        assert_true(terminal_entry_begin(&entry, terms[i][0]));
        assert_string_equal(entry.name, terms[i][1]);
        struct buffer expected = BUFFER_INIT;
        char bytes[4096];
        snprintf(path, sizeof path, "%s/p/%s", folder, entry.name);
        FILE *file = fopen(path, "rb");
        assert_non_null(file);
        size_t n = fread(bytes, 1, sizeof bytes, file);
        fclose(file);
        buffer_append_text(&expected, "b64:");
        base64_encode((struct str){bytes, n}, &expected);
        assert_string_equal(getenv("TERMINFO"), buffer_text(&expected));
        buffer_free(&expected);
        terminal_entry_end(&entry);
        assert_null(getenv("TERMINFO"));
    }
    stage_end(&stage);
    if (made != 0) {
        print_message("there is no tic here: skipped\n");
        skip();
    }
}

static void test_size_that_nobody_told(void **state)
{
    (void)state;
    struct stage stage;
    stage_begin(&stage);
    /* The emulator is 80x24; the pty says 0x0. */
    struct pty_options options = {.columns = 80, .rows = 24, .unsized = true};
    struct pty *pty = stage_open_with(&stage, &options, arguments);
    stage_expect(pty, "? help");
    pty_settle(pty, 200);
    pty_send(pty, "\033");
    stage_expect(pty, "timeline");
    stage_check(pty, pty_find_row(pty, "timeline", 0) == 23);
    stage_quit(pty);
    pty_free(pty);
    stage_end(&stage);
}

static void test_tiny_sizes(void **state)
{
    (void)state;
    static const struct {
        int columns, rows;
        const char *text;
    } sizes[] = {{20, 6, "? help"}, {10, 3, "too small"},  {1, 1, "\u2026"},
                 {1, 40, "\u2026"}, {300, 1, "too small"}, {19, 30, "too small"}};
    struct stage stage;
    stage_begin(&stage);
    struct pty *pty = stage_open(&stage, 80, 24, arguments);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        stage_expect(pty, "? help");
        pty_settle(pty, 100);
        pty_resize(pty, sizes[i].columns, sizes[i].rows);
        stage_expect(pty, sizes[i].text);
        pty_send(pty, "jlw\r?\003x\003\020\003");
        pty_settle(pty, 100);
        pty_resize(pty, 80, 24);
    }
    stage_expect(pty, "? help");
    stage_quit(pty);
    pty_free(pty);
    /* Begun as small as that. */
    pty = stage_open(&stage, 1, 1, arguments);
    stage_expect(pty, "\u2026");
    stage_quit(pty);
    pty_free(pty);
    stage_end(&stage);
}

static void test_resize_from_huge_to_one_cell_and_back(void **state)
{
    (void)state;
    struct stage stage;
    stage_begin(&stage);
    struct pty *pty = stage_open(&stage, 300, 100, arguments);
    static const int sizes[][2] = {{80, 24}, {1, 1}, {300, 100}, {10, 3}, {200, 60}, {300, 100}};
    stage_expect(pty, "? help");
    pty_send(pty, "\033"); /* takes the notice away */
    stage_expect(pty, "timeline");
    pty_settle(pty, 300);
    struct buffer first = BUFFER_INIT;
    buffer_append_text(&first, pty_screen(pty));
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        pty_resize(pty, sizes[i][0], sizes[i][1]);
        if (sizes[i][0] >= 80)
            stage_expect(pty, "timeline");
        else
            pty_settle(pty, 300);
    }
    pty_settle(pty, 300);
    stage_check(pty, strcmp(pty_screen(pty), buffer_text(&first)) == 0);
    stage_quit(pty);
    pty_free(pty);
    buffer_free(&first);
    stage_end(&stage);
}

/* A dialog follows the size too. */
static void test_resize_under_the_question(void **state)
{
    (void)state;
    struct stage stage;
    stage_begin(&stage);
    const char *args[] = {EXAMPLE, NULL};
    struct pty *pty = stage_open(&stage, 200, 60, args);
    stage_expect(pty, "This trace wants to run");
    static const int sizes[][2] = {{60, 12}, {1, 1}, {120, 40}, {80, 24}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        pty_resize(pty, sizes[i][0], sizes[i][1]);
        if (sizes[i][0] > 1) stage_expect(pty, "Run now");
        pty_settle(pty, 200);
    }
    stage_expect(pty, "This trace wants to run");
    pty_send(pty, "\033");
    stage_expect_gone(pty, "This trace wants to run");
    stage_quit(pty);
    pty_free(pty);
    stage_end(&stage);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_terminals_and_locales),
        cmocka_unit_test(test_sixteen_colours),
        cmocka_unit_test(test_vt100),
        cmocka_unit_test(test_dumb_terminals_are_refused),
        cmocka_unit_test(test_unknown_terminals_get_a_built_in_description),
        cmocka_unit_test(test_built_in_descriptions_are_those_of_the_source),
        cmocka_unit_test(test_size_that_nobody_told),
        cmocka_unit_test(test_tiny_sizes),
        cmocka_unit_test(test_resize_from_huge_to_one_cell_and_back),
        cmocka_unit_test(test_resize_under_the_question),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
