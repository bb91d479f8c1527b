/* Packages and INCLUDE: names that clash, rings, failures, who gives way. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "engine/sql/database.h"

static struct sql_database *open_database(struct tables **tables)
{
    *tables = tables_new();
    tables_freeze(*tables);
    struct status st = STATUS_INIT;
    struct sql_database *db = sql_database_new(*tables, &st);
    assert_string_equal(status_message(&st), "");
    assert_true(sql_database_after_load(db, &st));
    return db;
}

static bool add(struct sql_database *db, const char *package, const char *key, const char *sql,
                enum sql_origin origin, bool override, struct status *st)
{
    struct sql_module module = {key, sql};
    status_clear(st);
    return sql_database_register_package(db, package, &module, 1, origin, override, st);
}

static void clashes(void **state)
{
    (void)state;
    struct tables *tables;
    struct sql_database *db = open_database(&tables);
    struct status st = STATUS_INIT;
    assert_true(add(db, "com.ex", "com.ex.a", "select 1 where 0", SQL_ORIGIN_USER, false, &st));
    assert_false(add(db, "com.ex", "com.ex.b", "", SQL_ORIGIN_USER, false, &st));
    assert_non_null(strstr(status_message(&st), "Package 'com.ex' is already registered. Choose a "
                                                "different name.\nIf you want to replace"));
    assert_false(add(db, "com", "com.b", "", SQL_ORIGIN_USER, false, &st));
    assert_string_equal(status_message(&st),
                        "Package 'com' clashes with existing package 'com.ex'. Package names "
                        "cannot be prefixes of each other.");
    assert_false(add(db, "android.foo", "android.foo.b", "", SQL_ORIGIN_USER, false, &st));
    assert_string_equal(status_message(&st),
                        "Package 'android.foo' clashes with existing package 'android'. Package "
                        "names cannot be prefixes of each other.");
    assert_false(add(db, "foo", "bar.b", "", SQL_ORIGIN_USER, false, &st));
    assert_string_equal(status_message(&st),
                        "Module name 'bar.b' must start with package name 'foo.' as prefix.");
    assert_false(add(db, "foo", "foo", "", SQL_ORIGIN_USER, false, &st));
    assert_true(add(db, "com.ex", "com.ex.b", "create perfetto table b as select 5 as x",
                    SQL_ORIGIN_USER, true, &st));
    assert_false(
        sql_database_run(db, STR("include perfetto module com.ex.a"), SQL_ORIGIN_USER, &st));
    assert_string_equal(status_message(&st), "INCLUDE: unknown module 'com.ex.a'");
    status_clear(&st);
    assert_true(sql_database_run(db,
                                 STR("include perfetto module com.ex.b; include perfetto module "
                                     "com.ex.*; select x from b"),
                                 SQL_ORIGIN_USER, &st));
    assert_false(add(db, "com.ex", "com.ex.b", "", SQL_ORIGIN_USER, true, &st));
    assert_non_null(strstr(status_message(&st), "Cannot register package"));
    status_clear(&st);
    sql_database_free(db);
    tables_free(tables);
}

struct failure {
    const char *sql, *message;
};

static void includes(void **state)
{
    (void)state;
    struct tables *tables;
    struct sql_database *db = open_database(&tables);
    struct status st = STATUS_INIT;
    const struct sql_module modules[] = {
        {"p.ring_a", "include perfetto module p.ring_b"},
        {"p.ring_b", "include perfetto module p.ring_a"},
        {"p.rows", "select 1"},
        {"p.bad", "create perfetto table x as select\n nope"},
        {"p.sub.one", "create perfetto view one as select 1 as a"},
        {"p.sub.two", "include perfetto module p.sub.one; create perfetto view two as select a + 1 "
                      "as a from one"},
    };
    assert_true(sql_database_register_package(db, "p", modules, 6, SQL_ORIGIN_USER, false, &st));
    static const struct failure failures[] = {
        {"include perfetto module nowhere.x", "INCLUDE: Package 'nowhere.x' not found"},
        {"include perfetto module nowhere.*", "INCLUDE: Package 'nowhere.*' not found"},
        {"include perfetto module p.rows", "INCLUDE: Included module returning values."},
        {"include perfetto module p.ring_a", "INCLUDE: cycle detected"},
        {"include perfetto module p.bad", "Traceback (most recent call last):\n  File \"Module "
                                          "include \"p.bad\"\" line 2 col 2\n     nope\n     ^\n"
                                          "no such column: nope"},
        {"include perfetto module p.bad", "INCLUDE: module 'p.bad' poisoned by earlier failure: "},
        {"include perfetto module android.nowhere", "INCLUDE: unknown module 'android.nowhere'"},
        {"include perfetto module common.x", "INCLUDE: module 'common.x' is gone"},
    };
    for (size_t i = 0; i < sizeof failures / sizeof *failures; i++) {
        assert_false(sql_database_run(db, str_of(failures[i].sql), SQL_ORIGIN_USER, &st));
        if (!strstr(status_message(&st), failures[i].message))
            assert_string_equal(status_message(&st), failures[i].message);
        status_clear(&st);
    }
    assert_true(sql_database_run(db, STR("include perfetto module p.sub.*; select a from two"),
                                 SQL_ORIGIN_USER, &st));
    assert_string_equal(status_message(&st), "");
    sql_database_free(db);
    tables_free(tables);
}

static void the_traces_package_gives_way(void **state)
{
    (void)state;
    struct tables *tables;
    struct sql_database *db = open_database(&tables);
    struct status st = STATUS_INIT;
    assert_true(add(db, "org.t", "org.t.a", "", SQL_ORIGIN_TRACE, false, &st));
    assert_null(sql_database_withdrawn_package(db));
    assert_true(add(db, "org", "org.x", "", SQL_ORIGIN_SERVER, false, &st));
    assert_string_equal(sql_database_withdrawn_package(db), "org.t");
    assert_false(add(db, "org.t", "org.t.a", "", SQL_ORIGIN_TRACE, false, &st));
    assert_false(add(db, "org", "org.a", "", SQL_ORIGIN_TRACE, true, &st));
    assert_false(add(db, "slices", "slices.a", "", SQL_ORIGIN_TRACE, true, &st));
    status_clear(&st);
    sql_database_free(db);
    tables_free(tables);
}

/* "done", or what went wrong. */
static const char *answer(struct sql_database *db, const char *sql)
{
    static char text[300];
    struct status st = STATUS_INIT;
    if (sql_database_run(db, str_of(sql), SQL_ORIGIN_USER, &st))
        snprintf(text, sizeof text, "done");
    else
        snprintf(text, sizeof text, "%s", status_message(&st));
    status_clear(&st);
    return text;
}

#define MAKE(name, value) "create perfetto table " name " as select " value " as x"
/* A server's package goes, comes back, changes; what ran of it ran once. */
static void a_servers_package_goes_and_comes_back(void **state)
{
    (void)state;
    struct tables *tables;
    struct sql_database *db = open_database(&tables);
    struct status st = STATUS_INIT;
    const struct sql_module first[] = {{"s.used", MAKE("used", "1")},
                                       {"s.unused", MAKE("unused", "1")},
                                       {"s.bad", "nonsense"},
                                       {"s.gone", MAKE("gone", "1")}};
    const struct sql_module second[] = {{"s.used", MAKE("used", "2")},
                                        {"s.unused", MAKE("unused", "2")},
                                        {"s.bad", MAKE("bad", "2")},
                                        {"s.fresh", MAKE("fresh", "2")}};
    assert_false(sql_database_unregister_package(db, "s", SQL_ORIGIN_SERVER));
    assert_true(sql_database_register_package(db, "s", first, 4, SQL_ORIGIN_SERVER, true, &st));
    assert_false(sql_database_unregister_package(db, "s", SQL_ORIGIN_USER));
    assert_false(sql_database_unregister_package(db, "slices", SQL_ORIGIN_SERVER));
    assert_string_equal(answer(db, "include perfetto module s.used"), "done");
    assert_string_equal(answer(db, "include perfetto module s.gone"), "done");
    assert_non_null(strstr(answer(db, "include perfetto module s.bad"), "syntax error"));
    /* Gone: nothing of it can be included, what was made is there. */
    assert_true(sql_database_unregister_package(db, "s", SQL_ORIGIN_SERVER));
    assert_false(sql_database_unregister_package(db, "s", SQL_ORIGIN_SERVER));
    assert_string_equal(answer(db, "include perfetto module s.used"),
                        "INCLUDE: Package 's.used' not found");
    assert_string_equal(answer(db, "include perfetto module s.*"),
                        "INCLUDE: Package 's.*' not found");
    assert_string_equal(answer(db, "select x from used"), "done");
    /* The name is free meanwhile. */
    assert_true(add(db, "s.sub", "s.sub.a", "", SQL_ORIGIN_USER, false, &st));
    assert_false(sql_database_register_package(db, "s", first, 4, SQL_ORIGIN_SERVER, true, &st));
    status_clear(&st);
    assert_true(sql_database_unregister_package(db, "s.sub", SQL_ORIGIN_USER));
    /* Back as it was: what ran does not run again, what failed still does. */
    assert_true(sql_database_register_package(db, "s", first, 4, SQL_ORIGIN_SERVER, true, &st));
    assert_null(sql_database_kept_module(db, 0));
    assert_string_equal(answer(db, "include perfetto module s.used"), "done");
    assert_non_null(strstr(answer(db, "include perfetto module s.bad"), "poisoned by earlier"));
    /* With other texts, without going first: only what ran stays as it was. */
    assert_true(sql_database_register_package(db, "s", second, 4, SQL_ORIGIN_SERVER, true, &st));
    assert_string_equal(sql_database_kept_module(db, 0), "s.used");
    assert_null(sql_database_kept_module(db, 1));
    assert_string_equal(answer(db, "include perfetto module s.*"), "done");
    assert_string_equal(answer(db, "include perfetto module s.gone"),
                        "INCLUDE: unknown module 's.gone'");
    static const char *const values[][2] = {
        {"used", "1"}, {"unused", "2"}, {"bad", "2"}, {"fresh", "2"}, {"gone", "1"}};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        char sql[200];
        snprintf(sql, sizeof sql,
                 "create perfetto table check_%s as select case x when %s then 0 else "
                 "json_extract('wrong', '$') end as y from %s",
                 values[i][0], values[i][1], values[i][0]);
        assert_string_equal(answer(db, sql), "done");
    }
    /* Another's of that name does not take over what ran. */
    assert_true(sql_database_unregister_package(db, "s", SQL_ORIGIN_SERVER));
    assert_true(add(db, "s", "s.fresh", MAKE("fresh", "3"), SQL_ORIGIN_USER, false, &st));
    assert_non_null(strstr(answer(db, "include perfetto module s.fresh"), "already exists"));
    sql_database_free(db);
    tables_free(tables);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(clashes),
        cmocka_unit_test(includes),
        cmocka_unit_test(the_traces_package_gives_way),
        cmocka_unit_test(a_servers_package_goes_and_comes_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
