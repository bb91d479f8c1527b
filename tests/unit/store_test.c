/* Columns and tables: growth, NULLs, order, indexes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "engine/store/tables.h"

static void rows_survive_growth(void **state)
{
    (void)state;
    struct tables *tables = tables_new();
    for (uint32_t i = 0; i < 5000; i++) {
        struct slice_row row = {.ts = i * 10, .dur = -1, .track_id = i % 7, .depth = 1};
        if (i >= 3000) row.parent_id = some_uint32(i - 1);
        if (i == 4000) row.thread_ts = some_int64(INT64_MIN);
        assert_int_equal(slice_append(&tables->slice, &row), i);
    }
    struct slice_table *slice = &tables->slice;
    assert_int_equal(table_rows(&slice->table), 5000);
    assert_int_equal(column_int64(&slice->ts)[4999], 49990);
    assert_true(slice->ts.is_sorted);
    assert_true(column_is_null(&slice->parent_id, 2999));
    assert_int_equal(column_get_row(&slice->parent_id, 3000), 2999);
    assert_true(column_is_null(&slice->thread_ts, 3999));
    assert_false(column_is_null(&slice->thread_ts, 4000));
    assert_true(column_get_int64(&slice->thread_ts, 4000) == INT64_MIN);
    assert_true(column_is_null(&slice->thread_ts, 4001));
    assert_null(slice->thread_dur.data);
    assert_true(column_is_null(&slice->thread_dur, 17));
    assert_int_equal(table_lower_bound(&slice->table, slice_COLUMN_ts, 101), 11);

    table_set_int64(&slice->table, slice_COLUMN_thread_dur, 42, 7);
    assert_true(column_is_null(&slice->thread_dur, 41));
    assert_int_equal(column_get_int64(&slice->thread_dur, 42), 7);
    assert_true(column_is_null(&slice->thread_dur, 43));

    /* A value that is changed can end the order that appending kept. */
    assert_true(slice->depth.is_sorted);
    table_set_int64(&slice->table, slice_COLUMN_depth, 3, 2);
    assert_false(slice->depth.is_sorted);

    struct row_span span;
    assert_false(table_rows_equal(&slice->table, slice_COLUMN_track_id, 3, &span));
    tables_freeze(tables);
    assert_true(table_rows_equal(&slice->table, slice_COLUMN_track_id, 3, &span));
    assert_int_equal(span.count, 714);
    assert_int_equal(span.rows[1], 10);
    assert_true(table_rows_equal(&slice->table, slice_COLUMN_track_id, 99, &span));
    assert_int_equal(span.count, 0);
    assert_true(table_rows_equal(&slice->table, slice_COLUMN_ts, 49990, &span));
    assert_int_equal(span.count, 1);
    tables_free(tables);
}

static void runtime_table(void **state)
{
    (void)state;
    struct strpool *strings = strpool_new();
    const struct column_schema columns[] = {
        {"_auto_id", COLUMN_ID, COLUMN_HIDDEN, ""},
        {"n", COLUMN_INT64, COLUMN_NULLABLE, ""},
        {"s", COLUMN_STRING, COLUMN_NULLABLE, ""},
        {"d", COLUMN_DOUBLE, COLUMN_NULLABLE, ""},
    };
    struct table_schema schema = {"t", "", columns, 4};
    struct table *t = table_new(&schema, strings);
    for (int i = 0; i < 600; i++) {
        table_begin_row(t);
        if (i % 2) table_put_int64(t, 1, i);
        if (i == 599) table_put_double(t, 3, 2.5);
        table_put_string(t, 2, strpool_intern_text(strings, i % 3 ? "a" : "b"));
        assert_int_equal(table_end_row(t), i);
    }
    assert_true(column_is_null(&t->columns[1], 0));
    assert_int_equal(column_get_int64(&t->columns[1], 599), 599);
    assert_true(column_is_null(&t->columns[1], 598));
    assert_true(column_is_null(&t->columns[3], 598));
    assert_true(column_get_double(&t->columns[3], 599) == 2.5);
    assert_int_equal(table_find_column(t, "S"), 2);
    table_freeze(t);
    struct row_span span;
    assert_true(table_rows_equal(t, 2, strpool_find(strings, STR("b")), &span));
    assert_int_equal(span.count, 200);
    table_free(t);
    strpool_free(strings);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_survive_growth),
        cmocka_unit_test(runtime_table),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
