/* The story of consent on a pty, at two sizes: on the bundled example, and on an
 * archive made now, with names that nobody could have prepared for. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <cmocka.h>

#include "tests/screen/stage.h"

#define QUESTION "This trace wants to run"

static const int sizes[][2] = {{80, 24}, {200, 60}};

struct set {
    struct stage stage;
    struct gen_story story;
    char archive[STAGE_PATH];
    int columns, rows;
};

static void begin(struct set *set, int size)
{
    uint64_t seed = stage_seed();
    print_message("seed %llu\n", (unsigned long long)seed);
    stage_begin(&set->stage);
    stage_write_story(&set->stage, seed, &set->story);
    stage_file(&set->stage, "story.zip", set->archive);
    set->columns = sizes[size][0];
    set->rows = sizes[size][1];
}

static struct pty *open_archive(struct set *set, const char *archive)
{
    const char *args[] = {archive, NULL};
    return stage_open(&set->stage, set->columns, set->rows, args);
}

/* ---- what the screen says ---- */

/* A cell of a narrow column: the text, or its two ends around an ellipsis. */
static bool fits(const char *cell, const char *text)
{
    size_t head = 0, n = strlen(text);
    while (head < n && cell[head] == text[head])
        head++;
    if (head == n) return !cell[n] || cell[n] == ' ';
    if (head < 3 || strncmp(cell + head, "\u2026", 3) != 0) return false;
    for (size_t from = head; from + 3 <= n; from++) {
        size_t tail = n - from;
        const char *end = cell + head + 3;
        if (strncmp(end, text + from, tail) == 0 && (!end[tail] || strchr(" \xe2", end[tail])))
            return true;
    }
    return false;
}

static bool is_pinned(struct pty *pty, const char *name)
{
    static const char MARK[] = "\u25b4 ";
    for (int row = pty_find_row(pty, MARK, 0); row >= 0; row = pty_find_row(pty, MARK, row + 1)) {
        const char *line = pty_row(pty, row);
        if (strncmp(line, MARK, sizeof MARK - 1) == 0 && fits(line + sizeof MARK - 1, name))
            return true;
    }
    return false;
}

static int count_pinned(struct pty *pty)
{
    int count = 0;
    for (int row = 0; row < 60 && row >= 0; row++) {
        row = pty_find_row(pty, "\u25b4", row);
        if (row < 0) break;
        count++;
    }
    return count;
}

static void check_story_pins(struct set *set, struct pty *pty, bool ran)
{
    const struct gen_story *s = &set->story;
    for (int i = 0; i < GEN_STORY_PINS; i++)
        stage_check(pty, is_pinned(pty, s->pinned[i]) == ran);
    stage_check(pty, is_pinned(pty, s->smuggled[0]) == ran);
    stage_check(pty, !is_pinned(pty, s->smuggled[1]));
    stage_check(pty, !is_pinned(pty, s->unpinned));
    stage_check(pty, !is_pinned(pty, s->colliding_pin));
    stage_check(pty, count_pinned(pty) == (ran ? GEN_STORY_PINS + 1 : 0));
}

/* The words, '|' between them, in this order in one row. */
static bool row_holds(const char *line, const char *words)
{
    while (*words) {
        char word[2 * GEN_STORY_TEXT];
        size_t n = strcspn(words, "|");
        snprintf(word, sizeof word, "%.*s", (int)n, words);
        line = strstr(line, word);
        if (!line) return false;
        line += n;
        words += n + (words[n] == '|');
    }
    return true;
}

static bool screen_holds_row(struct pty *pty, const char *words)
{
    char first[GEN_STORY_TEXT];
    snprintf(first, sizeof first, "%.*s", (int)strcspn(words, "|"), words);
    for (int row = pty_find_row(pty, first, 0); row >= 0; row = pty_find_row(pty, first, row + 1)) {
        const char *line = pty_row(pty, row);
        if (row_holds(line, words)) return true;
    }
    return false;
}

/* With the drawer at its full height. */
static void check_tab_rows(struct set *set, struct pty *pty)
{
    for (int i = 0; i < GEN_STORY_ROWS; i++) {
        char name[GEN_STORY_TEXT];
        const char *row = set->story.tab_rows[i];
        snprintf(name, sizeof name, " %.*s ", (int)strcspn(row, "|"), row);
        stage_expect(pty, name);
    }
    pty_settle(pty, 200);
    for (int i = 0; i < GEN_STORY_ROWS; i++)
        stage_check(pty, screen_holds_row(pty, set->story.tab_rows[i]));
}

static bool state_says(struct set *set, const char *text)
{
    char path[STAGE_PATH], bytes[4096] = "";
    FILE *file = fopen(stage_file(&set->stage, "state/perfetty/settings.json", path), "r");
    if (!file) return false;
    bytes[fread(bytes, 1, sizeof bytes - 1, file)] = '\0';
    fclose(file);
    return strstr(bytes, "traceStartupCommands") && strstr(bytes, text);
}

static void write_person_settings(struct set *set, const char *json)
{
    char path[STAGE_PATH];
    struct buffer text = BUFFER_INIT;
    mkdir(stage_file(&set->stage, "config", path), 0700);
    mkdir(stage_file(&set->stage, "config/perfetty", path), 0700);
    buffer_append_text(&text, json);
    stage_write(stage_file(&set->stage, "config/perfetty/settings.json", path), &text);
    buffer_free(&text);
}

/* ---- answers ---- */

/* The question names everything in full; nothing has run while it is there. */
static void check_question(struct set *set, struct pty *pty)
{
    const struct gen_story *s = &set->story;
    char text[2 * GEN_STORY_TEXT];
    stage_expect(pty, QUESTION " 5 startup commands");
    snprintf(text, sizeof text, "namespace %s", s->namespace);
    stage_expect(pty, text);
    stage_check(pty, count_pinned(pty) == 0);
    snprintf(text, sizeof text, "2 %s", s->tab_title);
    stage_check(pty, pty_find_row(pty, text, 0) < 0);
    stage_expect(pty, "Run now");
    const char *listed[] = {
        s->focus_macro, s->smuggling_macro, "dev.perfetto.OpenTrace   not allowed, will be blocked",
        s->module,      s->tab_query,       s->tab_title,
        s->pinned[0]};
    for (size_t i = 0; i < sizeof listed / sizeof *listed; i++) {
        pty_send(pty, "g");
        pty_settle(pty, 60);
        for (int page = 0; page < 12 && pty_find_row(pty, listed[i], 0) < 0; page++) {
            pty_send(pty, "jj");
            pty_settle(pty, 60);
        }
        if (pty_find_row(pty, listed[i], 0) < 0) fprintf(stderr, "not listed: %s\n", listed[i]);
        stage_check(pty, pty_find_row(pty, listed[i], 0) >= 0);
    }
    stage_check(pty, count_pinned(pty) == 0);
}

/* Nothing of it is cut, whatever the width. */
static void check_report(struct set *set, struct pty *pty)
{
    const struct gen_story *s = &set->story;
    stage_expect(pty, "Startup report");
    stage_expect(pty, "3 startup commands ran, 2 did not");
    pty_send(pty, "zz"); /* small, half, full */
    pty_settle(pty, 100);
    int row = pty_find_row(pty, "3 startup commands ran", 0), blocked = 0;
    bool has_macro = false, has_reason = false, has_source = false;
    for (; row < set->rows - 1; row++) {
        const char *line = pty_row(pty, row);
        blocked += strstr(line, "blocked  ") != NULL && strstr(line, s->forbidden_command) != NULL;
        has_macro |= strstr(line, s->smuggling_macro) != NULL;
        has_reason |= strstr(line, "is not allowed") != NULL;
        has_source |= strstr(line, "from the trace") != NULL;
    }
    stage_check(pty, blocked == 2);
    stage_check(pty, has_macro);
    stage_check(pty, has_reason);
    stage_check(pty, has_source);
}

static void run_story(int size)
{
    struct set set;
    begin(&set, size);
    struct pty *pty = open_archive(&set, set.archive);
    check_question(&set, pty);
    pty_send(pty, "r");
    stage_expect_gone(pty, QUESTION);
    stage_expect(pty, "\u25b4");
    pty_settle(pty, 150);
    check_story_pins(&set, pty, true);
    check_report(&set, pty);
    pty_send(pty, "\0332"); /* Alt+2 */
    check_tab_rows(&set, pty);
    stage_quit(pty);
    pty_free(pty);
    assert_false(state_says(&set, ""));
    /* Run answers for once: the next start asks again. */
    pty = open_archive(&set, set.archive);
    stage_expect(pty, QUESTION);
    pty_send(pty, "s");
    stage_expect_gone(pty, QUESTION);
    stage_quit(pty);
    pty_free(pty);
    stage_end(&set.stage);
}

static void test_run_pins_tracks_and_opens_tab_80x24(void **state)
{
    (void)state;
    run_story(0);
}

static void test_run_pins_tracks_and_opens_tab_200x60(void **state)
{
    (void)state;
    run_story(1);
}

static void test_skip_and_escape_run_nothing(void **state)
{
    (void)state;
    static const char *const answers[] = {"s", "\033", "\003"};
    for (size_t i = 0; i < sizeof answers / sizeof *answers; i++) {
        struct set set;
        begin(&set, i % 2);
        struct pty *pty = open_archive(&set, set.archive);
        stage_expect(pty, QUESTION);
        pty_send(pty, answers[i]);
        stage_expect_gone(pty, QUESTION);
        stage_expect(pty, "5 startup commands of the trace skipped");
        check_story_pins(&set, pty, false);
        stage_check(pty, pty_find_row(pty, set.story.tab_title, 0) < 0);
        stage_check(pty, pty_find_row(pty, "Startup report", 0) < 0);
        stage_quit(pty);
        pty_free(pty);
        assert_false(state_says(&set, ""));
        stage_end(&set.stage);
    }
}

static void test_always_is_remembered(void **state)
{
    (void)state;
    struct set set;
    begin(&set, 0);
    struct pty *pty = open_archive(&set, set.archive);
    stage_expect(pty, QUESTION);
    pty_send(pty, "A");
    stage_expect_gone(pty, QUESTION);
    stage_expect(pty, "3 startup commands ran, 2 did not");
    check_story_pins(&set, pty, true);
    stage_quit(pty);
    pty_free(pty);
    assert_true(state_says(&set, "always"));
    pty = open_archive(&set, set.archive);
    stage_expect(pty, "3 startup commands ran, 2 did not");
    stage_check(pty, pty_find_row(pty, QUESTION, 0) < 0);
    check_story_pins(&set, pty, true);
    stage_quit(pty);
    pty_free(pty);
    stage_end(&set.stage);
}

static void test_never_is_remembered(void **state)
{
    (void)state;
    struct set set;
    begin(&set, 1);
    struct pty *pty = open_archive(&set, set.archive);
    stage_expect(pty, QUESTION);
    pty_send(pty, "N");
    stage_expect_gone(pty, QUESTION);
    check_story_pins(&set, pty, false);
    stage_quit(pty);
    pty_free(pty);
    assert_true(state_says(&set, "never"));
    pty = open_archive(&set, set.archive);
    stage_expect(pty, "the trace carries 5 startup commands; none ran");
    stage_check(pty, pty_find_row(pty, QUESTION, 0) < 0);
    check_story_pins(&set, pty, false);
    stage_quit(pty);
    pty_free(pty);
    stage_end(&set.stage);
}

/* ---- macros by key ---- */

/* The letter before a macro's name in the menu. */
static char letter_of(struct pty *pty, const char *name)
{
    int row = pty_find_row(pty, name, 0);
    if (row < 0) return 0;
    int column = pty_find_column(pty, row, name);
    return column >= 3 ? (char)pty_cell(pty, row, column - 3).character : 0;
}

static void run_macro(struct pty *pty, const char *name)
{
    pty_send(pty, "x");
    stage_expect(pty, "Macros");
    stage_expect(pty, name);
    pty_settle(pty, 100);
    char keys[2] = {letter_of(pty, name), 0};
    stage_check(pty, keys[0] != 0 && keys[0] != ' ');
    pty_send(pty, keys);
    stage_expect_gone(pty, "Macros");
}

static struct pty *open_skipped(struct set *set)
{
    struct pty *pty = open_archive(set, set->archive);
    stage_expect(pty, QUESTION);
    pty_send(pty, "s");
    stage_expect_gone(pty, QUESTION);
    stage_expect(pty, "? help");
    return pty;
}

static void test_macro_by_key_pins(void **state)
{
    (void)state;
    for (int size = 0; size < 2; size++) {
        struct set set;
        begin(&set, size);
        struct pty *pty = open_skipped(&set);
        run_macro(pty, "Focus");
        stage_expect(pty, "\u25b4");
        pty_settle(pty, 150);
        for (int i = 0; i < GEN_STORY_PINS; i++)
            stage_check(pty, is_pinned(pty, set.story.pinned[i]));
        stage_check(pty, count_pinned(pty) == GEN_STORY_PINS);
        stage_quit(pty);
        pty_free(pty);
        stage_end(&set.stage);
    }
}

static void test_reach_step_asks(void **state)
{
    (void)state;
    struct set set;
    begin(&set, 0);
    struct pty *pty = open_skipped(&set);
    size_t before = pty_bytes(pty), length;
    run_macro(pty, "Share");
    stage_expect(pty, "A macro wants to reach out of perfetty");
    stage_expect(pty, set.story.reaching_macro);
    stage_expect(pty, "dev.perfetto.CopyTimeWindow");
    const char *raw = pty_raw(pty, &length);
    stage_check(pty, !strstr(raw + before, "\033]52"));
    pty_send(pty, "s");
    stage_expect_gone(pty, "A macro wants to reach out");
    pty_settle(pty, 150);
    stage_check(pty, !strstr(pty_raw(pty, &length) + before, "\033]52"));
    run_macro(pty, "Share");
    stage_expect(pty, "A macro wants to reach out of perfetty");
    pty_send(pty, "r");
    stage_expect(pty, "copied");
    stage_check(pty, strstr(pty_raw(pty, &length) + before, "\033]52;c;"));
    stage_quit(pty);
    pty_free(pty);
    stage_end(&set.stage);
}

static void test_macro_of_known_id_is_skipped(void **state)
{
    (void)state;
    struct set set;
    begin(&set, 1);
    char json[1024];
    snprintf(json, sizeof json,
             "{\"macros\": [{\"id\": \"%s\", \"name\": \"Mine it is\", \"run\": [{\"id\": "
             "\"dev.perfetto.PinTracksByRegex\", \"args\": [\"^%s$\"]}]}]}",
             set.story.colliding_macro, set.story.unpinned);
    write_person_settings(&set, json);
    struct pty *pty = open_skipped(&set);
    pty_send(pty, "gl");
    stage_expect(pty, set.story.colliding_macro);
    run_macro(pty, "Mine it is");
    stage_expect(pty, "\u25b4");
    pty_settle(pty, 150);
    stage_check(pty, is_pinned(pty, set.story.unpinned));
    stage_check(pty, !is_pinned(pty, set.story.colliding_pin));
    stage_check(pty, count_pinned(pty) == 1);
    stage_quit(pty);
    pty_free(pty);
    stage_end(&set.stage);
}

/* ---- queries ---- */

static void test_query_tab_shows_rows(void **state)
{
    (void)state;
    for (int size = 0; size < 2; size++) {
        struct set set;
        begin(&set, size);
        struct pty *pty = open_skipped(&set);
        pty_send(pty, ";");
        stage_expect(pty, "SQL>");
        pty_send(pty, "select name, count(*) as n, sum(dur) as total from slice where name glob "
                      "'[a-e]_*' group by name order by name\r");
        stage_expect(pty, "Query 5");
        pty_send(pty, "zz");
        check_tab_rows(&set, pty);
        stage_quit(pty);
        pty_free(pty);
        stage_end(&set.stage);
    }
}

/* ---- the bundled example ---- */

static void run_example(int size)
{
    struct set set;
    begin(&set, size);
    struct pty *pty = open_archive(&set, EXAMPLE);
    stage_expect(pty, QUESTION);
    stage_expect(pty, "namespace com.example.bench");
    stage_check(pty, count_pinned(pty) == 0);
    pty_send(pty, "r");
    stage_expect_gone(pty, QUESTION);
    stage_expect(pty, "\u25b4");
    stage_expect(pty, "Frame metrics");
    stage_expect(pty, "startup first_draw");
    pty_settle(pty, 150);
    stage_check(pty, is_pinned(pty, "main 4213"));
    stage_check(pty, size == 0 || is_pinned(pty, "RenderThread 4231"));
    stage_check(pty, size == 0 || is_pinned(pty, "Frame time ms"));
    stage_quit(pty);
    pty_free(pty);
    stage_end(&set.stage);
}

static void test_example_80x24(void **state)
{
    (void)state;
    run_example(0);
}

static void test_example_200x60(void **state)
{
    (void)state;
    run_example(1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_run_pins_tracks_and_opens_tab_80x24),
        cmocka_unit_test(test_run_pins_tracks_and_opens_tab_200x60),
        cmocka_unit_test(test_skip_and_escape_run_nothing),
        cmocka_unit_test(test_always_is_remembered),
        cmocka_unit_test(test_never_is_remembered),
        cmocka_unit_test(test_macro_by_key_pins),
        cmocka_unit_test(test_reach_step_asks),
        cmocka_unit_test(test_macro_of_known_id_is_skipped),
        cmocka_unit_test(test_query_tab_shows_rows),
        cmocka_unit_test(test_example_80x24),
        cmocka_unit_test(test_example_200x60),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
