/* JavaScript's regexes: what node answers, and what is refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <cmocka.h>

#include "commands/js_regex.h"
#include "engine/base/memory.h"

enum answer { NO, YES, BAD };

static enum answer ask(struct str pattern, struct str subject)
{
    struct status st = STATUS_INIT;
    struct js_regex *regex = js_regex_compile(pattern, &st);
    enum answer answer = BAD;
    if (regex) {
        struct regex_budget budget = regex_budget_start(1000);
        answer = js_regex_test(regex, subject, &budget) == REGEX_MATCH ? YES : NO;
    } else {
        assert_true(st.message[0]);
        assert_null(strchr(st.message, '\n'));
    }
    js_regex_free(regex);
    status_clear(&st);
    return answer;
}

/* ---- node's answers ---- */

static char *read_whole_file(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    if (!file) fail_msg("%s cannot be opened", path);
    assert_int_equal(fseek(file, 0, SEEK_END), 0);
    *size = (size_t)ftell(file);
    rewind(file);
    char *text = mem_alloc(*size + 1);
    assert_int_equal(fread(text, 1, *size, file), *size);
    (void)fclose(file);
    text[*size] = '\0';
    return text;
}

static int hex_digit(char c)
{
    const char *digits = "0123456789ABCDEF";
    const char *at = c ? strchr(digits, c) : NULL;
    assert_non_null(at);
    return (int)(at - digits);
}

/* %XX is a byte. */
static struct str decode(struct str field, struct buffer *out)
{
    buffer_clear(out);
    for (size_t i = 0; i < field.n; i++) {
        char c = field.p[i];
        if (c == '%') {
            assert_true(i + 2 < field.n);
            c = (char)(hex_digit(field.p[i + 1]) * 16 + hex_digit(field.p[i + 2]));
            i += 2;
        }
        buffer_append_byte(out, c);
    }
    return buffer_str(out);
}

static enum answer expected_answer(struct str word)
{
    if (str_is(word, "yes")) return YES;
    if (str_is(word, "no")) return NO;
    assert_true(str_is(word, "bad") || str_is(word, "refused"));
    return BAD;
}

/* One row; false, and a line that says so, when the answer is another. */
static bool row_agrees(struct str row)
{
    static const char *const words[] = {"no", "yes", "bad"};
    struct str rest = row, word, pattern, subject;
    assert_true(str_split_next(&rest, '\t', &word));
    assert_true(str_split_next(&rest, '\t', &pattern));
    if (!str_split_next(&rest, '\t', &subject)) subject = STR("");
    struct buffer pattern_bytes = BUFFER_INIT, subject_bytes = BUFFER_INIT;
    enum answer got = ask(decode(pattern, &pattern_bytes), decode(subject, &subject_bytes));
    buffer_free(&pattern_bytes);
    buffer_free(&subject_bytes);
    if (got == expected_answer(word)) return true;
    print_error("/%.*s/ on \"%.*s\" is %s, the table says %.*s\n", STR_ARG(pattern),
                STR_ARG(subject), words[got], STR_ARG(word));
    return false;
}

static void answers_are_nodes(void **state)
{
    (void)state;
    const char *other = getenv("JS_REGEX_TABLE");
    size_t size;
    char *text =
        read_whole_file(other ? other : SOURCE_DIR "/tests/unit/js_regex_table.tsv", &size);
    struct str rest = {text, size}, row;
    unsigned rows = 0, wrong = 0;
    while (str_split_next(&rest, '\n', &row)) {
        if (!row.n) continue;
        rows++;
        wrong += !row_agrees(row);
    }
    mem_free(text);
    assert_int_equal(wrong, 0);
    assert_true(rows >= 800);
}

static void a_pattern_is_utf8(void **state)
{
    (void)state;
    assert_int_equal(ask(STR("a\xff"), STR("a")), BAD);
    assert_int_equal(ask(STR("[\xc3]"), STR("a")), BAD);
    assert_int_equal(ask(STR("\xed\xa0\xbd"), STR("a")), BAD);
}

static void invalid_bytes_match_nothing(void **state)
{
    (void)state;
    struct str name = STR("main\xff");
    assert_int_equal(ask(STR("main"), name), YES);
    assert_int_equal(ask(STR("^main.$"), name), NO);
    assert_int_equal(ask(STR("^main[^]$"), name), NO);
    assert_int_equal(ask(STR("^main[^a]$"), name), NO);
    assert_int_equal(ask(STR("^main\\W$"), name), NO);
    assert_int_equal(ask(STR("main\\b"), name), YES);
}

/* ---- time ---- */

static int64_t processor_time_ns(void)
{
    struct timespec now;
    assert_int_equal(clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now), 0);
    return now.tv_sec * INT64_C(1000000000) + now.tv_nsec;
}

/* 5,000 names, as many as a large trace has tracks. */
static void spend_a_budget(const char *pattern, const char *name, size_t copies)
{
    struct buffer subject = BUFFER_INIT;
    for (size_t i = 0; i < copies; i++)
        buffer_append_text(&subject, name);
    buffer_append_byte(&subject, '!');
    struct status st = STATUS_INIT;
    struct js_regex *regex = js_regex_compile(str_of(pattern), &st);
    assert_non_null(regex);
    struct regex_budget budget = regex_budget_start(REGEX_BUDGET_MS);
    int64_t begin = processor_time_ns();
    enum regex_result result = REGEX_NO_MATCH;
    for (int i = 0; i < 5000 && result != REGEX_GAVE_UP; i++)
        result = js_regex_test(regex, buffer_str(&subject), &budget);
    int64_t spent_ms = (processor_time_ns() - begin) / 1000000;
    if (result != REGEX_GAVE_UP || spent_ms > REGEX_BUDGET_MS + 20)
        fail_msg("/%s/: result %d after %lld ms", pattern, (int)result, (long long)spent_ms);
    /* What comes later in the same command is refused as well. */
    while (js_regex_test(regex, STR("main"), &budget) != REGEX_GAVE_UP)
        assert_true((processor_time_ns() - begin) / 1000000 < REGEX_BUDGET_MS + 20);
    js_regex_free(regex);
    buffer_free(&subject);
}

static void a_budget_holds_a_whole_command(void **state)
{
    (void)state;
    spend_a_budget("^(a+)+$", "a", 40);
    spend_a_budget("(a|aa)+$", "a", 60);
    spend_a_budget("^(.*a){12}$", "ab", 30);
    spend_a_budget("(x+x+)+[yz]", "x", 40);
    /* Short steps and many places to begin at. */
    spend_a_budget("(.*)(.*)(.*)(.*)[xy]", "track ", 40);
    spend_a_budget("(?=(\\w+))\\1[:;]", "a", 3000);
    spend_a_budget("[^b]*[^c]*[^d]*[ef]", "a", 400);
    /* No name takes long; all of them together do. */
    spend_a_budget("\\w*\\w*\\w*[-+]", "a", 60);
    spend_a_budget("(?:\\ud83d\\ude00|.)*(?:.)*[-+]", "\xf0\x9f\x98\x80", 60);
}

/* A pattern that anybody may write is nowhere near it. */
static void five_thousand_names_are_quick(void **state)
{
    (void)state;
    struct status st = STATUS_INIT;
    struct js_regex *regex =
        js_regex_compile(STR("^com\\.(android|google)\\..* \\d+ > RenderThread \\d+$"), &st);
    struct regex_budget budget = regex_budget_start(REGEX_BUDGET_MS);
    for (int i = 0; i < 5000; i++)
        assert_int_equal(
            js_regex_test(regex,
                          STR("com.google.android.apps.nexuslauncher 1234 > RenderThread 99"),
                          &budget),
            REGEX_MATCH);
    js_regex_free(regex);
}

static void messages_name_the_byte(void **state)
{
    (void)state;
    struct status st = STATUS_INIT;
    assert_null(js_regex_compile(STR("ab(?P<x>y)"), &st));
    assert_int_equal(st.offset, 2);
    assert_string_equal(st.message, "bad regular expression at byte 2: JavaScript writes "
                                    "(?<name>…), not (?P<name>…)");
    status_clear(&st);
    assert_null(js_regex_compile(STR("x[z"), &st));
    assert_int_equal(st.offset, 1);
    status_clear(&st);
}

static void deep_nesting_is_refused(void **state)
{
    (void)state;
    char pattern[4001];
    memset(pattern, '(', 2000);
    memset(pattern + 2000, ')', 2000);
    assert_int_equal(ask((struct str){pattern, 4000}, STR("a")), BAD);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(answers_are_nodes),
        cmocka_unit_test(a_pattern_is_utf8),
        cmocka_unit_test(invalid_bytes_match_nothing),
        cmocka_unit_test(a_budget_holds_a_whole_command),
        cmocka_unit_test(five_thousand_names_are_quick),
        cmocka_unit_test(messages_name_the_byte),
        cmocka_unit_test(deep_nesting_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
