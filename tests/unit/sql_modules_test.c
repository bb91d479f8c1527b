/* Modules of the standard library, on a small trace filled by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "engine/base/buffer.h"
#include "engine/sql/database.h"
#include "engine/sql/stdlib.h"

static string_id text(struct tables *t, const char *s)
{
    return strpool_intern_text(t->strings, s);
}

static void add_state(struct tables *t, int64_t ts, int64_t dur, uint32_t utid, const char *state)
{
    struct thread_state_row row = {.ts = ts, .dur = dur, .utid = utid, .state = text(t, state)};
    if (state[0] == 'R' && state[1] == '\0') row.waker_utid = some_uint32(0);
    thread_state_append(&t->thread_state, &row);
}

static struct tables *make_tables(void)
{
    struct tables *t = tables_new();
    process_append(&t->process, &(struct process_row){.pid = 7, .name = text(t, "app")});
    for (uint32_t i = 0; i < 2; i++) {
        thread_append(&t->thread, &(struct thread_row){.tid = 10 + i,
                                                       .name = text(t, i ? "worker" : "main"),
                                                       .upid = some_uint32(0)});
        track_append(&t->track,
                     &(struct track_row){.event_type = text(t, "slice"), .utid = some_uint32(i)});
    }
    struct slice_row slice = {.ts = 100, .dur = 100, .name = text(t, "outer")};
    slice_append(&t->slice, &slice);
    slice = (struct slice_row){.ts = 110, .dur = 30, .name = text(t, "inner"), .depth = 1};
    slice.parent_id = some_uint32(0);
    slice_append(&t->slice, &slice);
    slice = (struct slice_row){.ts = 150, .dur = 20, .name = text(t, "other"), .track_id = 1};
    slice_append(&t->slice, &slice);
    add_state(t, 90, 10, 0, "R");
    add_state(t, 100, 50, 0, "Running");
    sched_slice_append(&t->sched_slice, &(struct sched_slice_row){.ts = 100, .dur = 50});
    add_state(t, 150, 10, 0, "R+");
    add_state(t, 155, 5, 1, "S");
    add_state(t, 160, -1, 0, "Running");
    return t;
}

struct expectation {
    const char *sql, *rows;
};

static const struct expectation expectations[] = {
    {"include perfetto module slices.with_context; select name, thread_name, process_name, tid "
     "from thread_slice",
     "outer,main,app,10 inner,main,app,10 other,worker,app,11"},
    {"include perfetto module slices.self_dur; select * from slice_self_dur", "0,70 1,30 2,20"},
    {"include perfetto module sched.runnable; select * from sched_previous_runnable_on_thread",
     "1,0,0"},
    {"include perfetto module sched.latency; select * from sched_latency_for_running_interval",
     "1,0,0,0,10"},
    {"include perfetto module sched.states; select sched_state_io_to_human_readable_string('D', 1)",
     "Uninterruptible Sleep (IO)"},
    {"include perfetto module slices.time_in_state; select name, state, dur from "
     "thread_slice_time_in_state order by 1, 2",
     "other,S,5"},
    {"include perfetto module time.conversion; select time_from_ms(3), time_to_s(2500000000)",
     "3000000,2"},
    {"create perfetto table ia as select 1 as id, 0 as ts, 10 as dur, 'p' as k union all select 2, "
     "5, 10, 'p' union all select 3, 0, 100, null;"
     "create perfetto table ib as select 7 as id, 8 as ts, 1 as dur, 'p' as k union all select 8, "
     "20, 0, null union all select 9, 9, 3, 'q';"
     "select * from _interval_intersect!((ia, ib), (k)) order by ts, id_0",
     "8,1,1,7,p 8,1,2,7,p 20,0,3,8,-"},
    {"select * from _interval_intersect!((ia, ib, ia), ()) where id_0 = 1 and id_2 = 2 order by ts",
     "8,1,1,7,2 9,1,1,9,2"},
    {"select count(1) from _interval_intersect!((ia, (select * from ib where 0)), ())", "0"},
    {"select * from _interval_intersect!(((select 1 as id, 5 as ts, -1 as dur)), ())",
     "! Interval intersect only works on intervals with non negative duration."},
    {"include perfetto module intervals.overlap; select * from intervals_overlap_count!(ia, ts, "
     "dur) order by ts",
     "0,2 5,3 10,2 15,1 100,0"},
    {"include perfetto module std.metasql.unparenthesize; select "
     "metasql_unparenthesize_exprlist!((1, 2))",
     "1,2"},
    {"include perfetto module counters.intervals; select id, dur, value, next_value, delta_value "
     "from counter_leading_intervals!((select 0 as id, 100 as ts, 1 as track_id, 5.0 as value "
     "union all select 1, 110, 1, 5.0 union all select 2, 115, 1, 5.0 union all select 3, 118, 1, "
     "5.0 union all select 4, 120, 1, 7.0))",
     "0,10,5.0,5.0,- 1,8,5.0,5.0,0.0 3,2,5.0,7.0,0.0 4,80,7.0,-,2.0"},
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

static struct sql_database *open_database(struct tables *tables)
{
    tables_freeze(tables);
    struct status st = STATUS_INIT;
    struct sql_database *db = sql_database_new(tables, &st);
    assert_string_equal(status_message(&st), "");
    assert_true(sql_database_after_load(db, &st));
    return db;
}

static void answers(void **state)
{
    (void)state;
    struct tables *tables = make_tables();
    struct sql_database *db = open_database(tables);
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

/* Every module runs, and every view that it makes can be read, on an empty trace. */
static void every_module_runs(void **state)
{
    (void)state;
    struct tables *tables = tables_new();
    struct sql_database *db = open_database(tables);
    struct buffer out = BUFFER_INIT;
    append_rows(&out, db, "include perfetto module *");
    assert_string_equal(buffer_text(&out), "");
    append_rows(&out, db, "select group_concat(name) from sqlite_master where type = 'view'");
    struct str names = buffer_str(&out), name;
    while (str_split_next(&names, ',', &name)) {
        struct buffer sql = BUFFER_INIT, rows = BUFFER_INIT;
        buffer_printf(&sql, "select * from \"%.*s\" limit 0", STR_ARG(name));
        append_rows(&rows, db, buffer_text(&sql));
        if (rows.length) print_error("%s\n", buffer_text(&sql));
        assert_string_equal(buffer_text(&rows), "");
        buffer_free(&sql);
        buffer_free(&rows);
    }
    buffer_free(&out);
    sql_database_free(db);
    tables_free(tables);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(answers),
                                       cmocka_unit_test(every_module_runs)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
