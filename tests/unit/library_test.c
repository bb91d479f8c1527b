/* What is read from the standard library's SQL. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "engine/library.h"

static const char SQL[] =
    "INCLUDE PERFETTO MODULE other;\n"
    "\n"
    "-- What waits,\n"
    "-- and how long.\n"
    "CREATE PERFETTO TABLE waiting AS\n"
    "SELECT 1 AS a; -- no doc of the next\n"
    "CREATE VIEW _own AS SELECT 2;\n"
    "-- Lost: a blank line stands between.\n"
    "\n"
    "CREATE OR REPLACE PERFETTO FUNCTION twice(\n"
    "  x LONG,\n"
    "  y LONG)\n"
    "RETURNS LONG AS SELECT $x * 2;\n"
    "CREATE PERFETTO FUNCTION rows_of(n LONG)\n"
    "RETURNS TABLE(id LONG) AS SELECT $n AS id;\n"
    "CREATE PERFETTO MACRO of(t Expr) RETURNS TableOrSubquery AS (SELECT 1);\n"
    "CREATE PERFETTO FUNCTION broken(\n";

static void names_arguments_and_comments_are_read(void **state)
{
    (void)state;
    static const struct {
        enum library_kind kind;
        const char *name, *arguments, *doc;
    } wanted[] = {
        {LIBRARY_MODULE, "a.b", "", ""},
        {LIBRARY_TABLE, "waiting", "", "What waits, and how long."},
        {LIBRARY_FUNCTION, "twice", "(x LONG, y LONG) RETURNS LONG", ""},
        {LIBRARY_TABLE_FUNCTION, "rows_of", "(n LONG) RETURNS TABLE(id LONG)", ""},
        {LIBRARY_MACRO, "of", "(t Expr) RETURNS TableOrSubquery", ""},
        {LIBRARY_FUNCTION, "broken", "", ""},
    };
    struct arena arena = ARENA_INIT;
    struct library_list list = {0};
    library_read_module(STR("a.b"), STR(SQL), &arena, &list);
    assert_int_equal(list.count, sizeof wanted / sizeof wanted[0]);
    for (size_t i = 0; i < list.count; i++) {
        assert_int_equal(list.items[i].kind, wanted[i].kind);
        assert_string_equal(list.items[i].name, wanted[i].name);
        assert_string_equal(list.items[i].arguments, wanted[i].arguments);
        assert_string_equal(list.items[i].doc, wanted[i].doc);
        assert_string_equal(list.items[i].module, "a.b");
        assert_false(list.items[i].is_loaded);
    }
    vec_free(&list);
    arena_free(&arena);
}

static void the_library_has_what_it_is_known_for(void **state)
{
    (void)state;
    struct arena arena = ARENA_INIT;
    struct library_list list = {0};
    library_read(&arena, &list);
    bool table = false, loaded = false;
    for (size_t i = 0; i < list.count; i++) {
        const struct library_entry *e = &list.items[i];
        assert_true(e->name[0] && e->name[0] != '_');
        table |= e->kind == LIBRARY_TABLE &&
                 strcmp(e->name, "sched_latency_for_running_interval") == 0 &&
                 strcmp(e->module, "sched.latency") == 0 && e->doc[0];
        loaded |= e->kind == LIBRARY_VIEW && strcmp(e->name, "android_logs") == 0 && e->is_loaded;
    }
    assert_true(table);
    assert_true(loaded);
    vec_free(&list);
    arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_arguments_and_comments_are_read),
        cmocka_unit_test(the_library_has_what_it_is_known_for),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
