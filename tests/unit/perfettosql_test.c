/* PerfettoSQL's own statements: what they do, and what they say when they fail. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "engine/base/buffer.h"
#include "engine/sql/database.h"

struct fixture {
    struct tables *tables;
    struct sql_database *db;
};

static struct fixture open_fixture(void)
{
    struct fixture f = {tables_new(), NULL};
    for (uint32_t i = 0; i < 4; i++) {
        struct slice_row row = {.ts = 100 + i * 10, .dur = 5, .track_id = i % 2};
        row.name = strpool_intern_text(f.tables->strings, i % 2 ? "odd" : "even");
        slice_append(&f.tables->slice, &row);
    }
    tables_freeze(f.tables);
    struct status st = STATUS_INIT;
    f.db = sql_database_new(f.tables, &st);
    assert_string_equal(status_message(&st), "");
    assert_true(sql_database_after_load(f.db, &st));
    return f;
}

static void close_fixture(struct fixture *f)
{
    sql_database_free(f->db);
    tables_free(f->tables);
}

static void append_rows(struct buffer *out, struct sql_database *db, const char *sql)
{
    struct status st = STATUS_INIT;
    struct sql_cursor *c = sql_database_query(db, str_of(sql), SQL_ORIGIN_USER, &st);
    while (c && sql_cursor_next_statement(c, &st))
        while (sql_cursor_step(c, &st)) {
            if (out->length) buffer_append_byte(out, ' ');
            for (uint32_t i = 0; i < sql_cursor_column_count(c); i++) {
                if (i) buffer_append_byte(out, ',');
                if (sql_cursor_type(c, i) == SQL_NULL)
                    buffer_append_text(out, "-");
                else
                    buffer_append_str(out, sql_cursor_text(c, i));
            }
        }
    if (st.code != STATUS_OK) {
        /* Without the traceback: its last line. */
        const char *message = status_message(&st), *last = message;
        if (strncmp(message, "Traceback", 9) == 0 || strncmp(message, "Fully", 5) == 0)
            for (const char *p = message; *p; p++)
                if (*p == '\n') last = p + 1;
        if (out->length) buffer_append_byte(out, ' ');
        buffer_printf(out, "! %s", last);
    }
    status_clear(&st);
    sql_cursor_free(c);
}

struct expectation {
    const char *sql, *rows;
};

/* In order, on one database. */
static const struct expectation expectations[] = {
    {"", "! No valid SQL to run"},
    {" -- nothing\n;;", "! No valid SQL to run"},
    {"select 1; select 2", "1 2"},
    {"selec 1", "! syntax error near 'selec'"},
    {"select foo", "! no such column: foo"},
    /* tables */
    {"create perfetto table t as select id, name, dur * 1.5 as d from slice; select * from t",
     "0,even,7.5 1,odd,7.5 2,even,7.5 3,odd,7.5"},
    {"create perfetto table t as select 1 as a", "! table t already exists"},
    {"create or replace perfetto table t as select 7 as a union all select null; select * from t",
     "7 -"},
    {"select _auto_id, a from t where a is null", "1,-"},
    {"create or replace perfetto table t as select a + 1 as a from t; select * from t", "8 -"},
    {"create perfetto table bad as select 1 as [a b]",
     "! CREATE PERFETTO TABLE: column name 'a b' has to contain only alphanumeric characters and "
     "underscores."},
    {"create perfetto table bad as select 1", "! CREATE PERFETTO TABLE: column name '1' has to "
                                              "start with a letter or underscore."},
    {"create perfetto table bad as select 1 as a, 2 as a",
     "! CREATE PERFETTO TABLE: multiple columns are named: a"},
    {"create perfetto table bad as select 1 as a union all select 'x'",
     "! CREATE PERFETTO TABLE(bad): column 'a' was inferred to be LONG, but later received a value "
     "of type STRING"},
    {"create perfetto table mixed as select 1 as a union all select 2.5; select * from mixed",
     "1.0 2.5"},
    {"create perfetto table bad as select 9007199254740993 as a union all select 2.5",
     "! CREATE PERFETTO TABLE(bad): Unable to represent 9007199254740993 in column 'a' at row 0 as "
     "a double."},
    {"create perfetto table bad as select 2.5 as a union all select 9007199254740993",
     "! CREATE PERFETTO TABLE(bad): Inserting a too-large integer (9007199254740993) in column 'a' "
     "at row 1. Column currently holds doubles."},
    {"create perfetto table s(a LONG, b STRING) as select 1 as a, 'x' as b; select * from s",
     "1,x"},
    {"create perfetto table bad(a LONG) as select 'x' as a",
     "! CREATE PERFETTO TABLE(bad): column 'a' declared as LONG in the schema, but STRING found"},
    {"create perfetto table bad(a LONG, c LONG) as select 1 as a",
     "! CREATE PERFETTO TABLE: the following columns are declared in the schema, but do not exist: "
     "c"},
    {"create perfetto table bad(a LONG) as select 1 as a, 2 as b",
     "! CREATE PERFETTO TABLE: the following columns are missing from the schema: b"},
    {"create perfetto table bad(a BOOLEAN) as select 1 as a", "! Unknown argument type: BOOLEAN"},
    {"create perfetto table big as select 5000000000 as a, -1 as b, 4000000000 as c; select * from "
     "big where a > 1 and b < 0 and c = 4000000000",
     "5000000000,-1,4000000000"},
    {"drop table big; select * from big", "! no such table: big"},
    {"insert into t values (1)", "! table t may not be modified"},
    /* views */
    {"create perfetto view v as select 1 as a; select * from v", "1"},
    {"create perfetto view v as select 2 as a", "! view v already exists"},
    {"create or replace perfetto view v(a LONG) as select 2 as a; select * from v", "2"},
    {"create perfetto table v as select 2 as a", "! view v already exists"},
    {"create perfetto view w(x LONG) as select 2 as a",
     "! CREATE PERFETTO VIEW: the following columns are declared in the schema, but do not exist: "
     "x; and the following columns exist, but are not declared: a"},
    /* functions */
    {"create perfetto function f(a LONG) returns LONG as select $a + 1; select f(1), f(null)",
     "2,-"},
    {"create perfetto function f(a LONG) returns LONG as select 1",
     "! CREATE PERFETTO FUNCTION[prototype=f(a LONG)]: function already exists"},
    {"create or replace perfetto function f(a LONG) returns LONG as select $a + 2; select f(1)",
     "3"},
    {"select f('x')",
     "! f[a=x]: argument 0 does not have expected type: expected LONG, actual STRING"},
    {"create perfetto function abs(a LONG) returns LONG as select 1",
     "! CREATE PERFETTO FUNCTION[prototype=abs(a LONG)]: cannot redefine built-in function with "
     "the same name and argument count"},
    {"create perfetto function none() returns LONG as select 1 where 0; select none()", "-"},
    {"create perfetto function many() returns LONG as select 1 union all select 2; select many()",
     "! many: multiple values were returned when executing function body. Executed SQL was select "
     "1 union all select 2"},
    {"create perfetto function fact(n LONG) returns LONG as select case when $n < 2 then 1 else "
     "$n * fact($n - 1) end; select fact(10)",
     "3628800"},
    {"create perfetto function forever(n LONG) returns LONG as select forever($n + 1); select "
     "forever(1)",
     "! forever: functions call one another more than 100 deep"},
    {"create perfetto function fib(n LONG) returns LONG as select case when $n < 2 then $n else "
     "fib($n - 1) + fib($n - 2) end; select experimental_memoize('fib'); select fib(80)",
     "- 23416728348467685"},
    {"create perfetto function g(n LONG) returns table(x LONG, y STRING) as select id as x, name "
     "as y from slice where id >= $n; select * from g(2)",
     "2,even 3,odd"},
    {"select x, in_n from g where in_n = 3", "3,3"},
    {"select * from g", "! no query solution"},
    {"select s.id, g.x from slice s join g(s.id) g where s.id > 1", "2,2 2,3 3,3"},
    {"create perfetto function h() returns table(x LONG) as select 1 as y",
     "! h: column y at index 0 does not match return value name x."},
    {"drop table g; select * from g(1)", "! no such table: g"},
    {"create perfetto function my_arg(a LONG, k STRING) returns ANY delegates to "
     "__intrinsic_extract_arg; select my_arg(null, 'x')",
     "-"},
    /* indexes */
    {"create perfetto index i on t(a); select * from t where a = 8", "8"},
    {"create perfetto index i on t(a)", "! CREATE PERFETTO INDEX: Index 'i' already exists"},
    {"create perfetto index j on t(b)", "! CREATE PERFETTO INDEX: Column 'b' not found in table "
                                        "'t'"},
    {"create perfetto index j on v(a)", "! CREATE PERFETTO INDEX: table 'v' does not exist"},
    {"create perfetto index j on __intrinsic_slice(ts)",
     "! CREATE PERFETTO INDEX: indexes on intrinsic table '__intrinsic_slice' must be declared at "
     "compile time, not via SQL"},
    {"drop perfetto index i on t; drop perfetto index i on t",
     "! DROP PERFETTO INDEX: Index 'i' not found"},
    /* macros */
    {"create perfetto macro m(x Expr) returns Expr as $x + 1; select m!(2), m!(m!(3))", "3,5"},
    {"create perfetto macro m(x Expr) returns Expr as 1",
     "! CREATE PERFETTO MACRO: Macro already exists"},
    {"select nope!(1)", "! unknown macro 'nope'"},
    {"select m!(1, 2)", "! syntax error near '!'"},
    {"create perfetto macro bad(x Foo) returns Expr as 1",
     "! Macro 'bad' argument 'x' is unknown type 'Foo'. Allowed types: ColumnNameList, "
     "_ProjectionFragment, _TableNameList, ColumnName, Expr, TableOrSubquery, UnparenExprList, "
     "ExprList"},
    {"create perfetto macro rows_of(t TableOrSubquery) returns TableOrSubquery as (select count(1) "
     "as n from $t); select n from rows_of!(slice)",
     "4"},
    {"create perfetto macro loop() returns Expr as loop!(); select loop!()",
     "! macro 'loop' calls itself, or macros nest too deeply"},
    {"select __intrinsic_stringify!(a b 'c')", "a b 'c'"},
    {"create perfetto macro dbl(x Expr) returns Expr as $x * 2; select "
     "__intrinsic_token_apply!(dbl, (1, 2, 3))",
     "2,4,6"},
    {"create perfetto macro pair(x Expr, y Expr) returns Expr as $x = $y; select 1 where 1 "
     "__intrinsic_token_apply_and_prefix!(pair, (1, 2), (1, 2))",
     "1"},
    {"select cast_int!('12') + 1", "13"},
    /* keywords stay names */
    {"select 1 as macro, 2 as function, 3 as include", "1,2,3"},
    {"create table plain(a); create trigger tr after insert on plain begin update plain set a = a "
     "+ 1; end; insert into plain values (1); select a from plain",
     "2"},
    {"explain query plan select * from nowhere", "! no such table: nowhere"},
};

static void statements(void **state)
{
    (void)state;
    struct fixture f = open_fixture();
    for (size_t i = 0; i < sizeof expectations / sizeof *expectations; i++) {
        struct buffer out = BUFFER_INIT;
        append_rows(&out, f.db, expectations[i].sql);
        if (!str_is(buffer_str(&out), expectations[i].rows)) {
            print_error("%s\n", expectations[i].sql);
            assert_string_equal(buffer_text(&out), expectations[i].rows);
        }
        buffer_free(&out);
    }
    close_fixture(&f);
}

static void tracebacks(void **state)
{
    (void)state;
    static const struct expectation messages[] = {
        {"select 1;\nSELECT foo",
         "Traceback (most recent call last):\n  File \"stdin\" line 2 col 8\n    SELECT foo\n"
         "           ^\nno such column: foo"},
        {"create perfetto table x as select bar",
         "Traceback (most recent call last):\n  File \"stdin\" line 1 col 35\n"
         "    create perfetto table x as select bar\n"
         "                                      ^\nno such column: bar"},
        {"create perfetto macro one(x Expr) returns Expr as $x + 1; select one!(foo)",
         "Fully expanded statement\n    select foo + 1\n           ^\n"
         "Traceback (most recent call last):\n  File \"stdin\" line 1 col 66\n"
         "    e perfetto macro one(x Expr) returns Expr as $x + 1; select one!(foo)\n"
         "                                                                ^\nno such column: foo"},
    };
    struct fixture f = open_fixture();
    for (size_t i = 0; i < sizeof messages / sizeof *messages; i++) {
        struct status st = STATUS_INIT;
        assert_false(sql_database_run(f.db, str_of(messages[i].sql), SQL_ORIGIN_USER, &st));
        assert_string_equal(status_message(&st), messages[i].rows);
        status_clear(&st);
    }
    close_fixture(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(statements), cmocka_unit_test(tracebacks)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
