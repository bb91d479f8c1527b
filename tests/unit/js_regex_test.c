/* JavaScript's regexes: what node answers, and what is refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "commands/js_regex.h"
#include "engine/base/thread.h"

enum answer { NO, YES, BAD };

/* Made with node 20: new RegExp(pattern).test(subject); BAD: it throws. */
static const struct {
    const char *pattern;
    size_t pattern_length;
    const char *subject;
    size_t subject_length;
    enum answer answer;
} table[] = {
    /* clang-format off */
    {"Frame.*", 7, "Frame 1", 7, YES},
    {"Frame.*", 7, "frame 1", 7, NO},
    {"Frame.*", 7, "Expected Frame", 14, YES},
    {"Frame.*", 7, "a\012Frame", 7, YES},
    {".*CPU \\d+$", 10, "CPU 0 Scheduling", 16, NO},
    {".*CPU \\d+$", 10, "Ftrace Track for CPU 0", 22, YES},
    {".*CPU \\d+$", 10, "CPU 12", 6, YES},
    {"^main", 5, "main 4213", 9, YES},
    {"^main", 5, "xmain", 5, NO},
    {"^main", 5, "\012main", 5, NO},
    {"main$", 5, "main", 4, YES},
    {"main$", 5, "main\012", 5, NO},
    {"main$", 5, "xmain", 5, YES},
    {"", 0, "", 0, YES},
    {"", 0, "a", 1, YES},
    {"a|b", 3, "b", 1, YES},
    {"a|b", 3, "c", 1, NO},
    {"|", 1, "", 0, YES},
    {"(a|)b", 5, "b", 1, YES},
    {"[]", 2, "", 0, NO},
    {"[]", 2, "a", 1, NO},
    {"[]", 2, "]", 1, NO},
    {"[^]", 3, "", 0, NO},
    {"[^]", 3, "a", 1, YES},
    {"[^]", 3, "\012", 1, YES},
    {"[]a", 3, "a", 1, NO},
    {"[^]a", 4, "\012a", 2, YES},
    {"[^]a", 4, "a", 1, NO},
    {"a.c", 3, "abc", 3, YES},
    {"a.c", 3, "a\012c", 3, NO},
    {"a.c", 3, "a\015c", 3, NO},
    {"a.c", 3, "a\342\200\250c", 5, NO},
    {"a.c", 3, "a\302\205c", 4, YES},
    {"a.c", 3, "a\360\237\230\200c", 6, NO},
    {"^.$", 3, "\360\237\230\200", 4, NO},
    {"^.$", 3, "\303\251", 2, YES},
    {"^..$", 4, "\360\237\230\200", 4, YES},
    {"^[\360\237\230\200]$", 8, "\360\237\230\200", 4, NO},
    {"\360\237\230\200+", 5, "\360\237\230\200", 4, YES},
    {"\360\237\230\200+", 5, "\360\237\230\201", 4, NO},
    {"\\uD83D\\uDE00", 12, "\360\237\230\200", 4, YES},
    {"\\uD83D", 6, "\360\237\230\200", 4, YES},
    {"\\u{61}", 6, "a", 1, NO},
    {"\\u{61}", 6, "uuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuu", 61, YES},
    {"\\u{2}", 5, "uu", 2, YES},
    {"\\u{2}", 5, "\002", 1, NO},
    {"\\x41", 4, "A", 1, YES},
    {"\\x41", 4, "x41", 3, NO},
    {"\\x4", 3, "x4", 2, YES},
    {"\\x4", 3, "\004", 1, NO},
    {"\\u004", 5, "u004", 4, YES},
    {"\\s", 2, "\302\240", 2, YES},
    {"\\s", 2, "\357\273\277", 3, YES},
    {"\\s", 2, "\341\240\216", 3, NO},
    {"\\s", 2, "\342\200\203", 3, YES},
    {"\\s", 2, "a", 1, NO},
    {"\\s", 2, "\302\205", 2, NO},
    {"\\s", 2, "\013", 1, YES},
    {"\\S", 2, "\302\240", 2, NO},
    {"\\S", 2, "\341\240\216", 3, YES},
    {"\\S", 2, " ", 1, NO},
    {"^\\s+$", 5, " \011\343\200\200", 5, YES},
    {"\\d", 2, "\331\243", 2, NO},
    {"\\d", 2, "7", 1, YES},
    {"\\D", 2, "7", 1, NO},
    {"\\D", 2, "\331\243", 2, YES},
    {"\\w", 2, "\303\251", 2, NO},
    {"\\w", 2, "_", 1, YES},
    {"\\w", 2, "-", 1, NO},
    {"\\W", 2, "\303\251", 2, YES},
    {"\\W", 2, "_", 1, NO},
    {"\\bfoo\\b", 7, "a foo b", 7, YES},
    {"\\bfoo\\b", 7, "afoo", 4, NO},
    {"\\bfoo\\b", 7, "\303\251foo\303\251", 7, YES},
    {"\\Boo", 4, "foo", 3, YES},
    {"\\Boo", 4, "oo", 2, NO},
    {"[\\b]", 4, "\010", 1, YES},
    {"[\\b]", 4, "b", 1, NO},
    {"[\\B]", 4, "B", 1, YES},
    {"[\\B]", 4, "b", 1, NO},
    {"\\cA", 3, "\001", 1, YES},
    {"\\cA", 3, "cA", 2, NO},
    {"\\cA", 3, "\\cA", 3, NO},
    {"\\c", 2, "\\c", 2, YES},
    {"\\c", 2, "c", 1, NO},
    {"\\c1", 3, "\\c1", 3, YES},
    {"\\c1", 3, "\021", 1, NO},
    {"[\\c1]", 5, "\021", 1, YES},
    {"[\\c1]", 5, "1", 1, NO},
    {"[\\c1]", 5, "c", 1, NO},
    {"[\\c_]", 5, "\037", 1, YES},
    {"[\\c]", 4, "\\", 1, YES},
    {"[\\c]", 4, "c", 1, YES},
    {"\\0", 2, "\000", 1, YES},
    {"\\0", 2, "0", 1, NO},
    {"\\01", 3, "\001", 1, YES},
    {"\\1", 2, "\001", 1, YES},
    {"\\1", 2, "1", 1, NO},
    {"\\1", 2, "", 0, NO},
    {"(a)\\1", 5, "aa", 2, YES},
    {"(a)\\1", 5, "a", 1, NO},
    {"\\1(a)", 5, "a", 1, YES},
    {"(a\\1)", 5, "a", 1, YES},
    {"(a)|\\1b", 7, "b", 1, YES},
    {"\\2(a)", 5, "\002a", 2, YES},
    {"\\2(a)", 5, "a", 1, NO},
    {"\\8", 2, "8", 1, YES},
    {"\\8", 2, "\\8", 2, YES},
    {"\\18", 3, "\0018", 2, YES},
    {"\\377", 4, "\303\277", 2, YES},
    {"\\400", 4, " 0", 2, YES},
    {"\\400", 4, "\304\200", 2, NO},
    {"[\\1]", 4, "\001", 1, YES},
    {"[\\1]", 4, "1", 1, NO},
    {"[\\8]", 4, "8", 1, YES},
    {"[\\8]", 4, "\\", 1, NO},
    {"(\077<n>a)\\k<n>", 12, "aa", 2, YES},
    {"(\077<n>a)\\k<n>", 12, "a", 1, NO},
    {"\\k<n>(\077<n>a)", 12, "a", 1, YES},
    {"\\k", 2, "k", 1, YES},
    {"\\k<n>", 5, "k<n>", 4, YES},
    {"(\077<n>a)\\k", 9, "a", 1, BAD},
    {"(\077<n>a)[\\k]", 11, "ak", 2, BAD},
    {"(\077<n>a)(\077<n>b)", 14, "ab", 2, BAD},
    {"(\077<1>a)", 7, "a", 1, BAD},
    {"(\077<\303\251>a)", 8, "a", 1, YES},
    {"(\077<$>a)\\k<$>", 12, "aa", 2, YES},
    {"(\077<n>a)\\k<m>", 12, "aa", 2, BAD},
    {"\\p{L}", 5, "\303\251", 2, NO},
    {"\\p{L}", 5, "p{L}", 4, YES},
    {"\\a", 2, "a", 1, YES},
    {"\\a", 2, "\007", 1, NO},
    {"\\e", 2, "e", 1, YES},
    {"\\e", 2, "\033", 1, NO},
    {"\\z", 2, "z", 1, YES},
    {"\\z", 2, "", 0, NO},
    {"\\A", 2, "A", 1, YES},
    {"\\A", 2, "", 0, NO},
    {"\\Q.\\E", 5, "Q.E", 3, YES},
    {"\\Q.\\E", 5, ".", 1, NO},
    {"\\h", 2, "h", 1, YES},
    {"\\h", 2, " ", 1, NO},
    {"\\R", 2, "R", 1, YES},
    {"\\R", 2, "\012", 1, NO},
    {"\\G", 2, "G", 1, YES},
    {"\\K", 2, "K", 1, YES},
    {"\\X", 2, "X", 1, YES},
    {"\\N", 2, "N", 1, YES},
    {"\\N{2}", 5, "NN", 2, YES},
    {"\\o{101}", 7, "A", 1, NO},
    {"\\x{41}", 6, "A", 1, NO},
    {"\\x{41}", 6, "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx", 41, YES},
    {"\\-", 2, "-", 1, YES},
    {"\\_", 2, "_", 1, YES},
    {"\\\303\251", 3, "\303\251", 2, YES},
    {"\\/", 2, "/", 1, YES},
    {"a{2}", 4, "a", 1, NO},
    {"a{2}", 4, "aa", 2, YES},
    {"a{2}", 4, "a{2}", 4, NO},
    {"a{2,}", 5, "aaa", 3, YES},
    {"a{2,}", 5, "a", 1, NO},
    {"a{,2}", 5, "a{,2}", 5, YES},
    {"a{,2}", 5, "a", 1, NO},
    {"^a{,2}$", 7, "aa", 2, NO},
    {"^a{,2}$", 7, "a{,2}", 5, YES},
    {"a{", 2, "a{", 2, YES},
    {"a{1", 3, "a{1", 3, YES},
    {"a{1,", 4, "a{1,", 4, YES},
    {"a{x}", 4, "a{x}", 4, YES},
    {"{", 1, "{", 1, YES},
    {"}", 1, "}", 1, YES},
    {"]", 1, "]", 1, YES},
    {"a]", 2, "a]", 2, YES},
    {"{1}", 3, "{1}", 3, BAD},
    {"a{2,1}", 6, "aa", 2, BAD},
    {"x{0}y", 5, "y", 1, YES},
    {"a++", 3, "aa", 2, BAD},
    {"a*+", 3, "aa", 2, BAD},
    {"a\077+", 3, "a", 1, BAD},
    {"a{1}+", 5, "a", 1, BAD},
    {"a+\077", 3, "a", 1, YES},
    {"a+\077\077", 4, "a", 1, BAD},
    {"a**", 3, "a", 1, BAD},
    {"*a", 2, "a", 1, BAD},
    {"+", 1, "+", 1, BAD},
    {"\077", 1, "\077", 1, BAD},
    {"(*ACCEPT)", 9, "", 0, BAD},
    {"(\077i)a", 5, "A", 1, BAD},
    {"(\077i:a)", 6, "A", 1, BAD},
    {"(\077-i:a)", 7, "a", 1, BAD},
    {"(\077P<n>a)", 8, "a", 1, BAD},
    {"(\077P=n)", 6, "a", 1, BAD},
    {"(\077>a)", 5, "a", 1, BAD},
    {"(\077#c)a", 6, "a", 1, BAD},
    {"(\077|a)", 5, "a", 1, BAD},
    {"(\077'n'a)", 7, "a", 1, BAD},
    {"(\077R)", 4, "a", 1, BAD},
    {"(\0771)(a)", 7, "a", 1, BAD},
    {"(\077&n)", 5, "a", 1, BAD},
    {"(\077", 2, "a", 1, BAD},
    {"(\077<", 3, "a", 1, BAD},
    {"(\077<n", 4, "a", 1, BAD},
    {"(", 1, "(", 1, BAD},
    {")", 1, ")", 1, BAD},
    {"(a", 2, "a", 1, BAD},
    {"a)", 2, "a", 1, BAD},
    {"[", 1, "[", 1, BAD},
    {"[a", 2, "a", 1, BAD},
    {"[b-a]", 5, "a", 1, BAD},
    {"[a-\\d]", 6, "-", 1, YES},
    {"[a-\\d]", 6, "5", 1, YES},
    {"[a-\\d]", 6, "b", 1, NO},
    {"[\\d-z]", 6, "-", 1, YES},
    {"[\\d-z]", 6, "5", 1, YES},
    {"[\\d-z]", 6, "y", 1, NO},
    {"[\\d-z]", 6, "z", 1, YES},
    {"[\\d-\\w]", 7, "-", 1, YES},
    {"[a-]", 4, "-", 1, YES},
    {"[-a]", 4, "-", 1, YES},
    {"[a-c-e]", 7, "-", 1, YES},
    {"[a-c-e]", 7, "d", 1, NO},
    {"[a-c-e]", 7, "e", 1, YES},
    {"[[]", 3, "[", 1, YES},
    {"[[a]]", 5, "a]", 2, YES},
    {"[[a]]", 5, "[]", 2, YES},
    {"[[a]]", 5, "a", 1, NO},
    {"[a&&b]", 6, "&", 1, YES},
    {"[a&&b]", 6, "a", 1, YES},
    {"[a&&b]", 6, "b", 1, YES},
    {"[^a]", 4, "a", 1, NO},
    {"[^a]", 4, "b", 1, YES},
    {"[^a]", 4, "\012", 1, YES},
    {"[^a]", 4, "\360\237\230\200", 4, YES},
    {"[^\\d\\D]", 7, "a", 1, NO},
    {"[\\s\\S]", 6, "\012", 1, YES},
    {"[\\]]", 4, "]", 1, YES},
    {"[^\\]]", 5, "]", 1, NO},
    {"[\\^a]", 5, "^", 1, YES},
    {"[.*+\077]", 6, ".", 1, YES},
    {"[.*+\077]", 6, "a", 1, NO},
    {"[$]", 3, "$", 1, YES},
    {"[\303\240-\303\257]", 7, "\303\251", 2, YES},
    {"[\303\240-\303\257]", 7, "e", 1, NO},
    {"^*", 2, "", 0, BAD},
    {"$*", 2, "", 0, BAD},
    {"\\b*", 3, "a", 1, BAD},
    {"\\b+", 3, "a", 1, BAD},
    {"(\077=a)*b", 7, "b", 1, YES},
    {"(\077=a)+a", 7, "a", 1, YES},
    {"(\077=a)+a", 7, "b", 1, NO},
    {"(\077!a){2}b", 9, "b", 1, YES},
    {"(\077<=a)*b", 8, "b", 1, BAD},
    {"(\077<=a)b", 7, "ab", 2, YES},
    {"(\077<=a)b", 7, "cb", 2, NO},
    {"(\077<!a)b", 7, "ab", 2, NO},
    {"(\077<!a)b", 7, "cb", 2, YES},
    {"(\077<!a)b", 7, "b", 1, YES},
    {"(\077<=^|,)x", 9, "x", 1, YES},
    {"(\077<=^|,)x", 9, ",x", 2, YES},
    {"(\077<=^|,)x", 9, "ax", 2, NO},
    {"(\077=(a))\\1", 9, "a", 1, YES},
    {"(\077!(a))\\1b", 10, "b", 1, YES},
    {"(\077:)", 4, "", 0, YES},
    {"()", 2, "", 0, YES},
    {"(\077:a|ab)(\077:c|bcd)(\077:d*)", 23, "abcd", 4, YES},
    {"(z)((a+)\077(b+)\077(c))*", 19, "zaacbbbcac", 10, YES},
    {"^(\077:a\077)*\077$", 10, "a", 1, YES},
    {"^(\077:a\077)*\077$", 10, "", 0, YES},
    {"^(\077:a\077)*\077$", 10, "b", 1, NO},
    {"(\077:a*)*$", 8, "aab", 3, YES},
    {"^(a+)+$", 7, "aaaa", 4, YES},
    {"^(a+)+$", 7, "aaab", 4, NO},
    {"com\\.ex\\..*", 11, "com.ex.shop", 11, YES},
    {"com\\.ex\\..*", 11, "comxex", 6, NO},
    {"com\\.android\\.systemui \\d+ > RenderThread \\d+", 45, "com.android.systemui 1234 > RenderThread 1250", 45, YES},
    {"a b", 3, "a b", 3, YES},
    {"a#b", 3, "a#b", 3, YES},
    {"\\#", 2, "#", 1, YES},
    {"\\ ", 2, " ", 1, YES},
    {"\012", 1, "a\012b", 3, YES},
    {"^\\$", 3, "$", 1, YES},
    {"a\\", 2, "a", 1, BAD},
    {"\\", 1, "\\", 1, BAD},
    {"[\\", 2, "\\", 1, BAD},
    {"\\ca\\cz", 6, "\001\032", 2, YES},
    {"[\\w-]+", 6, "-a", 2, YES},
    {"[\\W_]", 5, "_", 1, YES},
    {"[\\W_]", 5, "a", 1, NO},
    {"[\\W_]", 5, "\303\251", 2, YES},
    {"\\u00e9", 6, "\303\251", 2, YES},
    {"[\\ud83d\\ude00]", 14, "\360\237\230\200", 4, YES},
    {"[^\\ud83d]", 9, "\360\237\230\200", 4, YES},
    {"^[^\\ud83d]$", 11, "\360\237\230\200", 4, NO},
    {"\\t\\n\\v\\f\\r", 10, "\011\012\013\014\015", 5, YES},
    {"a{0,99999999999}b", 17, "aab", 3, YES},
    {"(\077:(a)|b)\\1c", 12, "bc", 2, YES},
    {"(\077:(a)|b)\\1c", 12, "aac", 3, YES},
    {"(a)\077\\1b", 7, "b", 1, YES},
    {"(a)\077\\1b", 7, "aab", 3, YES},
    /* clang-format on */
};

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

static void answers_are_nodes(void **state)
{
    (void)state;
    unsigned wrong = 0;
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        enum answer got = ask((struct str){table[i].pattern, table[i].pattern_length},
                              (struct str){table[i].subject, table[i].subject_length});
        if (got == table[i].answer) continue;
        print_error("/%s/ on \"%s\": %d, node says %d\n", table[i].pattern, table[i].subject, got,
                    table[i].answer);
        wrong++;
    }
    assert_int_equal(wrong, 0);
}

/* What node accepts and we say no to, with a reason. */
static void refused(void **state)
{
    (void)state;
    static const char *const patterns[] = {
        "[[:alpha:]]",   /* POSIX: JavaScript reads it otherwise than anybody means it */
        "(?<=a*)b",      /* look-behind of variable length */
        "(?:(a)|b)*\\1", /* JavaScript forgets (a) in each round */
        "a{70000}",      "(?<=\\1(a))b", /* look-behind reads from right to left */
    };
    for (size_t i = 0; i < sizeof patterns / sizeof patterns[0]; i++)
        assert_int_equal(ask(str_of(patterns[i]), STR("a")), BAD);
    assert_int_equal(ask(STR("a\xff"), STR("a")), BAD);
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

static void a_budget_holds_a_whole_command(void **state)
{
    (void)state;
    struct status st = STATUS_INIT;
    struct js_regex *regex = js_regex_compile(STR("^(a+)+$"), &st);
    char subject[41];
    memset(subject, 'a', 39);
    subject[39] = 'b';
    struct regex_budget budget = regex_budget_start(50);
    int64_t begin = clock_now_ns();
    int tries = 0;
    while (js_regex_test(regex, (struct str){subject, 40}, &budget) != REGEX_GAVE_UP)
        assert_true(tries++ < 10);
    assert_true(clock_now_ns() - begin < INT64_C(3000000000));
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
        cmocka_unit_test(refused),
        cmocka_unit_test(invalid_bytes_match_nothing),
        cmocka_unit_test(a_budget_holds_a_whole_command),
        cmocka_unit_test(messages_name_the_byte),
        cmocka_unit_test(deep_nesting_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
