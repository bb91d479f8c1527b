/* Fuzzy matching: what fits, and what comes first. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "commands/fuzzy.h"

static int32_t score(const char *pattern, const char *text)
{
    return fuzzy_score(str_of(pattern), str_of(text), NULL, 0);
}

static void what_fits(void **state)
{
    (void)state;
    static const struct {
        const char *pattern, *text;
        bool fits;
    } table[] = {
        {"", "anything", true},
        {"pin", "Pin tracks by regex", true},
        {"ptr", "Pin tracks by regex", true},
        {"regex pin", "Pin tracks by regex", true},
        {"pinx", "Pin tracks", false},
        {"tracks pin zoom", "Pin tracks by regex", false},
        {"a", "", false},
        {"longer than the text", "long", false},
        {"  ", "x", true},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
        assert_int_equal(score(table[i].pattern, table[i].text) != FUZZY_NO_MATCH, table[i].fits);
}

static void what_comes_first(void **state)
{
    (void)state;
    static const struct {
        const char *pattern, *better, *worse;
    } table[] = {
        {"main", "main 4213", "com.ex.domain 12"},
        {"rt", "RenderThread 12", "surfaceflinger start"},
        {"zoom", "Zoom in", "Show the zone of memory"},
        {"fold", "Fold all groups", "Unfold all groups"},
        {"search", "Search", "Search results, next and previous hits"},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
        assert_true(score(table[i].pattern, table[i].better) >
                    score(table[i].pattern, table[i].worse));
}

static void marks_are_the_bytes_that_fit(void **state)
{
    (void)state;
    bool marks[9];
    fuzzy_score(STR("rt"), STR("RenderThr"), marks, 9);
    for (size_t i = 0; i < 9; i++)
        assert_int_equal(marks[i], i == 0 || i == 6);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_fits),
        cmocka_unit_test(what_comes_first),
        cmocka_unit_test(marks_are_the_bytes_that_fit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
