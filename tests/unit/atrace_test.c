#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "engine/import/atrace.h"

struct parse_case {
    struct str text;
    enum atrace_result result;
    char phase;
    int64_t tgid;
    const char *name, *track;
    double value;
    int64_t cookie;
};

#define TEXT(literal) \
    { \
        (literal), sizeof(literal) - 1 \
    }

static const struct parse_case parse_cases[] = {
    {TEXT("B|42|measure"), ATRACE_MARK, 'B', 42, "measure", NULL, 0, 0},
    {TEXT("B|42|a|b\n"), ATRACE_MARK, 'B', 42, "a|b", NULL, 0, 0},
    {TEXT("B|0|kernel\n\0\0"), ATRACE_MARK, 'B', 0, "kernel", NULL, 0, 0},
    {TEXT("B|42|"), ATRACE_MARK, 'B', 42, "[empty slice name]", NULL, 0, 0},
    {TEXT("B|x|name"), ATRACE_BAD, 0, 0, NULL, NULL, 0, 0},
    {TEXT("B|-1|name"), ATRACE_BAD, 0, 0, NULL, NULL, 0, 0},
    {TEXT("B|99999999999|name"), ATRACE_BAD, 0, 0, NULL, NULL, 0, 0},
    {TEXT("E|42"), ATRACE_MARK, 'E', 42, NULL, NULL, 0, 0},
    {TEXT("E|42\n"), ATRACE_MARK, 'E', 42, NULL, NULL, 0, 0},
    {TEXT("E|"), ATRACE_MARK, 'E', 0, NULL, NULL, 0, 0},
    {TEXT("E"), ATRACE_MARK, 'E', 0, NULL, NULL, 0, 0},
    {TEXT("B"), ATRACE_BAD, 0, 0, NULL, NULL, 0, 0},
    {TEXT(""), ATRACE_BAD, 0, 0, NULL, NULL, 0, 0},
    {TEXT("\n"), ATRACE_BAD, 0, 0, NULL, NULL, 0, 0},
    {TEXT("some text"), ATRACE_BAD, 0, 0, NULL, NULL, 0, 0},
    {TEXT("Begin|1|x"), ATRACE_BAD, 0, 0, NULL, NULL, 0, 0},
    {TEXT("C|7|frames|4"), ATRACE_MARK, 'C', 7, "frames", NULL, 4, 0},
    {TEXT("C|7|frames|-4.5\n"), ATRACE_MARK, 'C', 7, "frames", NULL, -4.5, 0},
    {TEXT("C|7|frames|4|gfx"), ATRACE_MARK, 'C', 7, "frames", NULL, 4, 0},
    {TEXT("C|7|frames|"), ATRACE_BAD, 0, 0, NULL, NULL, 0, 0},
    {TEXT("C|7|frames"), ATRACE_BAD, 0, 0, NULL, NULL, 0, 0},
    {TEXT("S|7|load|12"), ATRACE_MARK, 'S', 7, "load", NULL, 0, 12},
    {TEXT("F|7|load|-12\n"), ATRACE_MARK, 'F', 7, "load", NULL, 0, -12},
    {TEXT("S|7|load|"), ATRACE_BAD, 0, 0, NULL, NULL, 0, 0},
    {TEXT("I|7|tick"), ATRACE_MARK, 'I', 7, "tick", NULL, 0, 0},
    {TEXT("N|7|lane|tick"), ATRACE_MARK, 'N', 7, "tick", "lane", 0, 0},
    {TEXT("N|7|lane"), ATRACE_BAD, 0, 0, NULL, NULL, 0, 0},
    {TEXT("G|7|lane|work|3"), ATRACE_MARK, 'G', 7, "work", "lane", 0, 3},
    {TEXT("H|7|lane|3"), ATRACE_MARK, 'H', 7, NULL, "lane", 0, 3},
    {TEXT("H|7|lane|work|3"), ATRACE_MARK, 'H', 7, "work", "lane", 0, 3},
    {TEXT("trace_event_clock_sync: parent_ts=1.5"), ATRACE_IGNORED, 0, 0, NULL, NULL, 0, 0},
};

static void test_parse(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof parse_cases / sizeof parse_cases[0]; i++) {
        const struct parse_case *c = &parse_cases[i];
        struct atrace_mark mark;
        enum atrace_result result = atrace_parse(c->text, &mark);
        if (result != c->result) fail_msg("%s: result %d", c->text.p, (int)result);
        if (result != ATRACE_MARK) continue;
        assert_int_equal(mark.phase, c->phase);
        assert_int_equal(mark.tgid, c->tgid);
        if (c->name && !str_is(mark.name, c->name)) fail_msg("%s: name", c->text.p);
        if (c->track && !str_is(mark.track, c->track)) fail_msg("%s: track", c->text.p);
        assert_true(mark.value == c->value);
        assert_int_equal(mark.cookie, c->cookie);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_parse)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
