/* Joins of spans: overlaps, gaps, instants, partitions.  Windows and mipmaps. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "engine/base/buffer.h"
#include "engine/sql/database.h"

struct expectation {
    const char *sql, *rows;
};

static const char setup[] =
    "create perfetto table a as select 0 as ts, 10 as dur, 1 as cpu, 'x' as l union all "
    "select 20, 10, 1, 'y' union all select 5, 10, 2, 'z' union all select 0, 5, null, 'n';"
    "create perfetto table b as select 5 as ts, 20 as dur, 1 as cpu, 7 as f union all "
    "select 0, 7, 2, 8 union all select 7, 0, 2, 9 union all select 0, 3, 3, 4;"
    "create perfetto table flat as select 4 as ts, 3 as dur, 'q' as w;"
    "create perfetto table marks as select 6 as ts, 1 as m union all select 10, 2;";

static const struct expectation expectations[] = {
    {"create virtual table j using span_join(a partitioned cpu, b partitioned cpu); select * from "
     "j",
     "5,5,1,x,7 20,5,1,y,7 5,2,2,z,8 7,0,2,z,9"},
    {"select l from j where cpu = 2", "z z"},
    {"select f from j where cpu = 1 and ts > 10", "7"},
    {"create virtual table lj using span_left_join(a partitioned cpu, b partitioned cpu); select * "
     "from lj",
     "0,5,1,x,- 5,5,1,x,7 20,5,1,y,7 25,5,1,y,- 5,2,2,z,8 7,0,2,z,9 7,8,2,z,-"},
    {"create virtual table oj using span_outer_join(a partitioned cpu, b partitioned cpu); select "
     "* from oj where cpu != 2",
     "0,5,1,x,- 5,5,1,x,7 10,10,1,-,7 20,5,1,y,7 25,5,1,y,- 0,3,3,-,4"},
    {"create virtual table mixed using span_join(a partitioned cpu, flat); select * from mixed",
     "4,3,1,x,q 5,2,2,z,q"},
    {"create virtual table bad using span_outer_join(a partitioned cpu, flat)",
     "! vtable constructor failed: bad"},
    {"create virtual table points using span_join(flat, marks); select * from points", "6,0,q,1"},
    {"create virtual table bad using span_join(a)", "! SPAN_JOIN: expected exactly two arguments"},
    {"create virtual table bad using span_join(a, a)",
     "! SPAN_JOIN: column cpu present in both tables a and a"},
    {"create virtual table bad using span_join(marks partitioned zz, flat)",
     "! SPAN_JOIN: Missing partition column 'zz' in table 'marks'"},
    {"create virtual table bad using span_join(a partitioned ts, flat)",
     "! SPAN_JOIN: partition column cannot be any of {ts, dur}"},
    {"create view no_ts as select 1 as x; create virtual table bad using span_join(no_ts, flat)",
     "! SPAN_JOIN: Missing ts column in table no_ts"},
    {"select sum(dur) from j", "12"},
    {"create virtual table win using __intrinsic_window(5, 25, 10); select * from win",
     "5,10,0 15,10,1 25,10,2"},
    {"select ts, quantum, window_start, window_dur from win where rowid = 0", "5,10,5,25"},
    {"create virtual table win0 using __intrinsic_window(5, 25, 0); select * from win0", "5,25,0"},
    {"create virtual table bad using __intrinsic_window(5)",
     "! window: expected three integers: start, dur, quantum"},
    {"create virtual table sm using __intrinsic_slice_mipmap((select 0 as id, 0 as ts, 30 as dur, "
     "0 as depth union all select 1, 5, 2, 1 union all select 2, 8, 9, 1 union all select 3, 40, "
     "1, 0)); select * from sm(0, 100, 10)",
     "0,0,1,30,0 40,3,1,1,0 8,2,2,9,1"},
    {"select * from sm(10, 20, 10)", "0,0,1,30,0 8,2,1,9,1"},
    {"select * from sm(0, 10, 10) where depth = 1", "! no query solution"},
    {"create virtual table cm using __intrinsic_counter_mipmap((select 0 as ts, 5 as value union "
     "all select 3, 9 union all select 12, 1)); select * from cm(0, 20, 10)",
     "5.0,9.0,3,9.0 1.0,1.0,12,1.0"},
    {"select * from cm(5, 10, 5)", "9.0,9.0,3,9.0"},
};

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
        const char *last = status_message(&st);
        for (const char *p = last; *p; p++)
            if (*p == '\n') last = p + 1;
        buffer_printf(out, "%s! %s", out->length ? " " : "", last);
    }
    status_clear(&st);
    sql_cursor_free(c);
}

static void joins(void **state)
{
    (void)state;
    struct tables *tables = tables_new();
    tables_freeze(tables);
    struct status st = STATUS_INIT;
    struct sql_database *db = sql_database_new(tables, &st);
    assert_true(sql_database_after_load(db, &st));
    assert_true(sql_database_run(db, str_of(setup), SQL_ORIGIN_USER, &st));
    for (size_t i = 0; i < sizeof expectations / sizeof *expectations; i++) {
        struct buffer out = BUFFER_INIT;
        append_rows(&out, db, expectations[i].sql);
        if (!str_is(buffer_str(&out), expectations[i].rows)) {
            print_error("%s\n", expectations[i].sql);
            assert_string_equal(buffer_text(&out), expectations[i].rows);
        }
        buffer_free(&out);
    }
    sql_database_free(db);
    tables_free(tables);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(joins)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
