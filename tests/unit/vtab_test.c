/* The virtual table over columns: constraints, order, limits, numeric edges. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "engine/base/buffer.h"
#include "engine/sql/database.h"

static struct tables *make_tables(void)
{
    static const char *const names[] = {"draw", "measure", "layout", "binder transaction"};
    struct tables *t = tables_new();
    for (uint32_t i = 0; i < 8; i++) {
        struct slice_row row = {.ts = 100 + i * 10,
                                .dur = i == 7 ? -1 : (int64_t)(40 - i * 5),
                                .track_id = i % 2,
                                .depth = i % 3};
        if (i != 6) row.name = strpool_intern_text(t->strings, names[i % 4]);
        if (i > 2) row.parent_id = some_uint32(i - 3);
        slice_append(&t->slice, &row);
        struct counter_row counter = {.ts = 100 + i, .track_id = 9, .value = i * 0.5};
        counter_append(&t->counter, &counter);
    }
    return t;
}

static void append_rows(struct buffer *out, struct sql_database *db, const char *sql)
{
    struct status st = STATUS_INIT;
    struct sql_cursor *c = sql_database_query(db, str_of(sql), SQL_ORIGIN_USER, &st);
    while (c && sql_cursor_next_statement(c, &st))
        for (bool first = true; sql_cursor_step(c, &st); first = false) {
            if (!first || out->length) buffer_append_byte(out, ' ');
            for (uint32_t i = 0; i < sql_cursor_column_count(c); i++) {
                if (i) buffer_append_byte(out, ',');
                if (sql_cursor_type(c, i) == SQL_NULL)
                    buffer_append_text(out, "-");
                else
                    buffer_append_str(out, sql_cursor_text(c, i));
            }
        }
    if (st.code != STATUS_OK) buffer_append_text(out, status_message(&st));
    status_clear(&st);
    sql_cursor_free(c);
}

struct expectation {
    const char *sql, *rows;
};

static const struct expectation expectations[] = {
    {"select count(1) from slice", "8"},
    {"select id from slice where id = 3", "3"},
    {"select id from slice where id = 3.0", "3"},
    {"select id from slice where id = 3.5", ""},
    {"select id from slice where id = '3'", ""},
    {"select id from slice where id > 'a'", ""},
    {"select id from slice where id < 'a' limit 2", "0 1"},
    {"select id from slice where id != 2.5 limit 1", "0"},
    {"select id from slice where id < 2.5", "0 1 2"},
    {"select id from slice where id >= 5.5", "6 7"},
    {"select id from slice where id > 1e30", ""},
    {"select count(1) from slice where id > -1e30", "8"},
    {"select id from slice where id in (5, 1, 5, 99, 'x', null)", "1 5"},
    {"select id from slice where ts between 120 and 140", "2 3 4"},
    {"select id from slice where ts = 120", "2"},
    {"select id from slice where ts > 9223372036854775807", ""},
    {"select id from slice where dur < 0", "7"},
    {"select id from slice where name = 'draw'", "0 4"},
    {"select id from slice where name != 'draw'", "1 2 3 5 7"},
    {"select id from slice where name is not 'draw'", "1 2 3 5 6 7"},
    {"select id from slice where name is null", "6"},
    {"select id from slice where name is not null and id > 4", "5 7"},
    {"select id from slice where name in ('draw', 'layout', 'nowhere')", "0 2 4"},
    {"select id from slice where name glob '*transaction'", "3 7"},
    {"select id from slice where name glob '[a-d]*'", "0 3 4 7"},
    {"select id from slice where name like 'DRAW'", "0 4"},
    {"select id from slice where name like '%a%t%'", "2 3 7"},
    {"select id from slice where name < 'draw'", "3 7"},
    {"select id from slice where name > 5 and name < x'00' and id < 2", "0 1"},
    {"select id from slice where name = 5", ""},
    {"select id from slice where parent_id is null", "0 1 2"},
    {"select id from slice where parent_id = 2", "5"},
    {"select id from slice where parent_id != 2", "3 4 6 7"},
    {"select id from slice where parent_id is 4", "7"},
    {"select id from slice where dur = null", ""},
    {"select id from slice order by dur desc limit 3", "0 1 2"},
    {"select id from slice order by dur limit 2 offset 1", "6 5"},
    {"select id from slice order by name, id desc limit 4", "6 7 3 4"},
    {"select id from slice order by id desc limit 3", "7 6 5"},
    {"select id from slice order by track_id, ts desc", "6 4 2 0 7 5 3 1"},
    {"select id from slice limit 2 offset 5", "5 6"},
    {"select id from slice where track_id = 1 limit 2 offset 1", "3 5"},
    {"select id from slice limit 0", ""},
    {"select id from slice where id % 2 = 0 limit 2 offset 1", "2 4"},
    {"select name, count(1) from slice group by name",
     "-,1 binder transaction,2 draw,2 layout,1 measure,2"},
    {"select distinct track_id from slice", "0 1"},
    {"select max(ts), min(dur) from slice", "170,-1"},
    {"select c.id from slice p join slice c on c.parent_id = p.id where p.name = 'draw'", "3 7"},
    {"select p.id, c.id from slice p left join slice c on c.parent_id = p.id where p.id > 3",
     "4,7 5,- 6,- 7,-"},
    /* An ON keeps the rows of its left table whatever it says of them. */
    {"select p.id, c.id from slice p left join slice c on p.name glob 'd*' and c.id = 1",
     "0,1 1,- 2,- 3,- 4,1 5,- 6,- 7,-"},
    {"select p.id, c.id from slice p left join slice c on p.name != 'draw' and c.id = 1",
     "0,- 1,1 2,1 3,1 4,- 5,1 6,- 7,1"},
    {"select p.id, c.id from slice p left join slice c on p.parent_id is not null and c.id = 1",
     "0,- 1,- 2,- 3,1 4,1 5,1 6,1 7,1"},
    {"select p.id, c.id from slice p left join slice c on (c.id = 1 and p.name like 'd%') "
     "where p.name glob 'd*'",
     "0,1 4,1"},
    {"select id from slice where name glob 'd*'", "0 4"},
    {"select id from counter where value = 1.5", "3"},
    {"select id from counter where value = 2", "4"},
    {"select id from counter where value in (0.5, 3)", "1 6"},
    {"select id from counter where value > 2.9", "6 7"},
    {"select id from counter order by value desc limit 2", "7 6"},
    {"select id from counter where value > 'a'", ""},
    {"select rowid from __intrinsic_slice where rowid = 2", "2"},
    {"select name from slice where name = 'DRAW' collate nocase", "draw draw"},
    {"select start_ts, end_ts from trace_bounds", "100,170"},
};

static void check(struct sql_database *db)
{
    for (size_t i = 0; i < sizeof expectations / sizeof *expectations; i++) {
        struct buffer out = BUFFER_INIT;
        append_rows(&out, db, expectations[i].sql);
        if (!str_is(buffer_str(&out), expectations[i].rows)) {
            print_error("%s\n", expectations[i].sql);
            assert_string_equal(buffer_text(&out), expectations[i].rows);
        }
        buffer_free(&out);
    }
}

static void answers(void **state)
{
    (void)state;
    struct tables *tables = make_tables();
    struct status st = STATUS_INIT;
    struct sql_database *db = sql_database_new(tables, &st);
    assert_string_equal(status_message(&st), "");
    assert_non_null(db);
    sql_database_after_load(db, &st);
    assert_string_equal(status_message(&st), "");
    check(db); /* scans */
    tables_freeze(tables);
    check(db);
    check(db); /* indexes */
    sql_database_free(db);
    tables_free(tables);
}

/* What a view or a function joins counts in every statement that asks it. */
static void outer_joins_that_are_kept(void **state)
{
    (void)state;
    static const char *const ways[] = {
        "create view kept as select p.id as a, c.id as b from slice p left join slice c "
        "on p.name glob 'd*' and c.id = 1",
        "create perfetto view kept as select p.id as a, c.id as b from slice p left join slice c "
        "on p.name glob 'd*' and c.id = 1",
        "create perfetto function joined() returns table(a long, b long) as select p.id as a, "
        "c.id as b from slice p left join slice c on p.name glob 'd*' and c.id = 1;"
        "create perfetto view kept as select * from joined()",
        "create perfetto table kept as select p.id as a, c.id as b from slice p left join slice c "
        "on p.name glob 'd*' and c.id = 1",
    };
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        struct tables *tables = make_tables();
        struct status st = STATUS_INIT;
        struct buffer out = BUFFER_INIT;
        struct sql_database *db = sql_database_new(tables, &st);
        sql_database_after_load(db, &st);
        append_rows(&out, db, ways[i]);
        append_rows(&out, db, "select a, b from kept where a != 2 order by a");
        assert_string_equal(buffer_text(&out), "0,1 1,- 3,- 4,1 5,- 6,- 7,-");
        buffer_free(&out);
        sql_database_free(db);
        tables_free(tables);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(answers),
        cmocka_unit_test(outer_joins_that_are_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
