/* What SQL may not do: reach outside, and, when it came with a trace, touch what
 * others made.  And the limits that hold every statement. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "engine/sql/database.h"

static struct sql_database *open_database(struct tables **tables)
{
    *tables = tables_new();
    for (uint32_t i = 0; i < 10; i++)
        slice_append(&(*tables)->slice, &(struct slice_row){.ts = i});
    tables_freeze(*tables);
    struct status st = STATUS_INIT;
    struct sql_database *db = sql_database_new(*tables, &st);
    assert_string_equal(status_message(&st), "");
    assert_true(sql_database_after_load(db, &st));
    return db;
}

static void expect(struct sql_database *db, enum sql_origin origin, const char *sql, bool allowed)
{
    struct status st = STATUS_INIT;
    bool ok = sql_database_run(db, str_of(sql), origin, &st);
    if (ok != allowed) print_error("%s\n%s\n", sql, status_message(&st));
    assert_int_equal(ok, allowed);
    status_clear(&st);
}

static const char *const denied_to_all[] = {
    "attach 'x.db' as x",
    "attach ':memory:' as x",
    "detach main",
    "vacuum",
    "vacuum into 'x.db'",
    "select load_extension('x')",
    "pragma journal_mode = wal",
    "pragma writable_schema = 1",
    "pragma temp_store_directory = '/tmp'",
    "pragma case_sensitive_like = 1",
    "pragma mmap_size = 100000000000",
    "pragma hard_heap_limit = 0",
    "delete from sqlite_master",
    "update sqlite_master set sql = ''",
    "select * from sqlite_dbpage",
    "create virtual table x using fts5(a)",
    "create virtual table x using perfetty_table",
    "create virtual table x using dbstat",
    "select writefile('x', 'y')",
    "select readfile('/etc/passwd')",
    "drop table __intrinsic_slice",
    "insert into __intrinsic_slice values (1)",
    "delete from slice",
};

static const char *const allowed_to_all[] = {
    "pragma table_info('slice')",
    "select * from pragma_table_info('slice')",
    "select * from sqlite_master",
    "create table mine_%s(a); insert into mine_%s values (1); drop table mine_%s",
    "select json_extract('{\"a\":1}', '$.a')",
    "select * from json_each('[1,2]')",
    "with recursive n(i) as (select 1 union all select i + 1 from n where i < 5) select * from n",
};

static void what_nobody_may(void **state)
{
    (void)state;
    struct tables *tables;
    struct sql_database *db = open_database(&tables);
    for (size_t i = 0; i < sizeof denied_to_all / sizeof *denied_to_all; i++) {
        expect(db, SQL_ORIGIN_USER, denied_to_all[i], false);
        expect(db, SQL_ORIGIN_TRACE, denied_to_all[i], false);
    }
    for (size_t i = 0; i < sizeof allowed_to_all / sizeof *allowed_to_all; i++) {
        expect(db, SQL_ORIGIN_USER, allowed_to_all[i], strchr(allowed_to_all[i], '%') == NULL);
        expect(db, SQL_ORIGIN_TRACE, allowed_to_all[i], strchr(allowed_to_all[i], '%') == NULL);
    }
    sql_database_free(db);
    tables_free(tables);
}

static const char *const denied_to_traces[] = {
    "drop view slice",
    "drop table slice",
    "drop view sched",
    "drop table thread_track",
    "create or replace perfetto view slice as select 1 as a",
    "create or replace perfetto table thread_track as select 1 as a",
    "create temp view slice as select 1 as a",
    "create temp table slice(a)",
    "drop table user_table",
    "delete from user_table",
    "insert into user_table values (2)",
    "update user_table set a = 2",
    "alter table user_table rename to x",
    "create index i on user_table(a)",
    "create trigger t after insert on user_table begin delete from user_table; end",
    "create temp view user_table as select 1 as a",
    "drop view user_view",
    "create or replace perfetto function user_function() returns LONG as select 2",
    "create or replace perfetto function slice_is_ancestor(a INT, b INT) returns INT as select 1",
    "create or replace perfetto macro user_macro() returns Expr as 2",
    "create or replace perfetto macro cast_int(value Expr) returns Expr as 2",
    "create or replace perfetto function user_rows() returns table(a LONG) as select 2 as a",
    "create perfetto index i on user_data(a)",
    "create view trap as select import('x'); select * from trap",
};

static const char *const allowed_to_traces[] = {
    "create perfetto table own as select 1 as a",
    "create or replace perfetto table own as select 2 as a",
    "create perfetto view own_view as select a from own; drop view own_view",
    "create perfetto function own() returns LONG as select 1",
    "create or replace perfetto function own() returns LONG as select 2",
    "drop table own",
    "select * from slice, user_table, user_view",
};

static void what_a_trace_may_not(void **state)
{
    (void)state;
    struct tables *tables;
    struct sql_database *db = open_database(&tables);
    expect(db, SQL_ORIGIN_USER,
           "create table user_table(a); insert into user_table values (1);"
           "create view user_view as select 1 as a;"
           "create perfetto table user_data as select 1 as a;"
           "create perfetto function user_function() returns LONG as select 1;"
           "create perfetto function user_rows() returns table(a LONG) as select 1 as a;"
           "create perfetto macro user_macro() returns Expr as 1",
           true);
    for (size_t i = 0; i < sizeof denied_to_traces / sizeof *denied_to_traces; i++) {
        expect(db, SQL_ORIGIN_TRACE, denied_to_traces[i], false);
        expect(db, SQL_ORIGIN_SERVER, denied_to_traces[i], false);
    }
    for (size_t i = 0; i < sizeof allowed_to_traces / sizeof *allowed_to_traces; i++)
        expect(db, SQL_ORIGIN_TRACE, allowed_to_traces[i], true);
    /* A module runs as its author, whoever includes it. */
    struct sql_module module = {"org.t.bad", "drop table slice"};
    struct status st = STATUS_INIT;
    assert_true(
        sql_database_register_package(db, "org.t", &module, 1, SQL_ORIGIN_TRACE, false, &st));
    expect(db, SQL_ORIGIN_USER, "include perfetto module org.t.bad", false);
    expect(db, SQL_ORIGIN_USER, "select * from slice; drop table slice", true);
    sql_database_free(db);
    tables_free(tables);
}

static void limits(void **state)
{
    (void)state;
    struct tables *tables;
    struct sql_database *db = open_database(&tables);
    struct status st = STATUS_INIT;
    sql_database_set_time_limit(db, 20);
    static const char endless[] = "with recursive n(i) as (select 1 union all select i + 1 from n) "
                                  "select count(1) from n";
    assert_false(sql_database_run(db, str_of(endless), SQL_ORIGIN_USER, &st));
    assert_int_equal(st.code, STATUS_LIMIT);
    assert_non_null(strstr(status_message(&st), "longer than the limit of 20 ms"));
    status_clear(&st);
    assert_true(sql_database_run(db, STR("select 1"), SQL_ORIGIN_USER, &st));
    sql_database_set_time_limit(db, 0);

    struct sql_cursor *c =
        sql_database_query(db,
                           STR("with recursive n(i) as (select 1 union all select i + 1 from "
                               "n) select i from n"),
                           SQL_ORIGIN_USER, &st);
    assert_true(sql_cursor_next_statement(c, &st));
    assert_true(sql_cursor_step(c, &st));
    sql_database_interrupt(db);
    while (sql_cursor_step(c, &st))
        ;
    assert_int_equal(st.code, STATUS_INTERRUPTED);
    status_clear(&st);
    sql_cursor_free(c);
    sql_database_free(db);
    tables_free(tables);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_nobody_may),
        cmocka_unit_test(what_a_trace_may_not),
        cmocka_unit_test(limits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
