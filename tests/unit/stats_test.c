#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "engine/base/vec.h"
#include "engine/import/args.h"
#include "engine/import/stats.h"

struct fixture {
    struct import import;
    struct import_file files[2];
};

static int open_fixture(void **state)
{
    struct fixture *f = mem_zero(1, sizeof *f);
    f->import.tables = tables_new();
    f->import.strings = f->import.tables->strings;
    f->import.stats = stats_new(&f->import);
    f->import.metadata = metadata_new(&f->import);
    f->import.args = args_new(&f->import);
    for (uint32_t i = 0; i < 2; i++)
        f->files[i] = (struct import_file){.import = &f->import, .file_id = i, .machine_id = 0};
    *state = f;
    return 0;
}

static int close_fixture(void **state)
{
    struct fixture *f = *state;
    args_free(f->import.args);
    metadata_free(f->import.metadata);
    stats_free(f->import.stats);
    tables_free(f->import.tables);
    mem_free(f);
    return 0;
}

/* The value of the row of that name, index (-1: NULL) and file (-1: NULL). */
static int64_t value_of(struct fixture *f, const char *name, int64_t index, int64_t file,
                        int *n_rows)
{
    const struct stats_table *t = &f->import.tables->stats;
    string_id id = strpool_find(f->import.strings, str_of(name));
    int64_t value = -1;
    *n_rows = 0;
    for (uint32_t i = 0; i < table_rows(&t->table); i++) {
        if (column_get_string(&t->name, i) != id) continue;
        bool index_null = column_is_null(&t->idx, i);
        if (index_null != (index < 0) || (index >= 0 && column_get_int64(&t->idx, i) != index))
            continue;
        uint32_t trace = column_get_row(&t->trace_id, i);
        if (trace != (file < 0 ? NULL_UINT32 : (uint32_t)file)) continue;
        ++*n_rows;
        value = column_get_int64(&t->value, i);
    }
    return value;
}

static void rows_follow_scope_and_kind(void **state)
{
    struct fixture *f = *state;
    int n;
    stats_see_file(&f->files[0]);
    stats_add(&f->files[1], STAT_misplaced_end_event, 2);
    stats_add(&f->files[1], STAT_misplaced_end_event, 3);
    stats_add_global(&f->import, STAT_sorter_push_event_out_of_order, 7);
    stats_add_indexed(&f->files[0], STAT_perfetty_unread_packets, 1000, 1);
    stats_add_indexed(&f->files[0], STAT_perfetty_unread_packets, 1000, 1);
    stats_set_indexed(&f->files[1], STAT_perfetty_unread_packets, 1000, 9);
    assert_int_equal(stats_get(&f->import, STAT_perfetty_unread_packets), 11);
    stats_finish(&f->import);
    const struct {
        const char *name;
        int64_t index, file, value;
        int n;
    } cases[] = {
        {"misplaced_end_event", -1, 0, 0, 1},
        {"misplaced_end_event", -1, 1, 5, 1},
        {"misplaced_end_event", -1, -1, -1, 0},
        {"sorter_push_event_out_of_order", -1, -1, 7, 1},
        {"trace_sorter_negative_timestamp_dropped", -1, -1, 0, 1},
        {"perfetty_unread_packets", 1000, 0, 2, 1},
        {"perfetty_unread_packets", 1000, 1, 9, 1},
        {"perfetty_unread_packets", -1, 0, -1, 0},
        {"ftrace_cpu_has_data_loss", 0, 0, -1, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_int_equal(value_of(f, cases[i].name, cases[i].index, cases[i].file, &n),
                         cases[i].value);
        assert_int_equal(n, cases[i].n);
    }
}

static void the_import_log_counts(void **state)
{
    struct fixture *f = *state;
    struct arg_list args = {0};
    arg_list_put_int(&args, strpool_intern_text(f->import.strings, "field"), 3);
    import_log(&f->files[1], STAT_perfetty_input_corrupt, 77, NO_LOG_TS, &args);
    import_log(&f->files[1], STAT_misplaced_end_event, NO_BYTE_OFFSET, 5, NULL);
    const struct trace_import_logs_table *t = &f->import.tables->trace_import_logs;
    assert_int_equal(table_rows(&t->table), 2);
    assert_int_equal(column_get_int64(&t->byte_offset, 0), 77);
    assert_true(column_is_null(&t->ts, 0));
    assert_int_equal(column_get_row(&t->arg_set_id, 0), 0);
    assert_int_equal(column_get_int64(&t->ts, 1), 5);
    assert_true(column_is_null(&t->byte_offset, 1));
    assert_int_equal(column_get_row(&t->arg_set_id, 1), NULL_UINT32);
    assert_int_equal(stats_get(&f->import, STAT_perfetty_input_corrupt), 1);
    vec_free(&args);
}

static void metadata_has_scopes(void **state)
{
    struct fixture *f = *state;
    struct import *import = &f->import;
    metadata_set_int(import, &f->files[0], "tracing_started_ns", 1);
    metadata_set_int(import, &f->files[0], "tracing_started_ns", 2); /* overwrites */
    metadata_set_int(import, &f->files[1], "tracing_started_ns", 3);
    metadata_set_int(import, &f->files[1], "all_data_source_flushed_ns", 4);
    metadata_set_int(import, &f->files[1], "all_data_source_flushed_ns", 4); /* appends */
    metadata_set_string(import, &f->files[1], "system_name", STR("Linux"));
    metadata_set_string(import, &f->files[1], "trace_attribute.x", STR("y"));
    metadata_set_int(import, &f->files[1], "trace_time_clock_id", 6);
    metadata_set_string(import, NULL, "manifest_attribute.x", STR("z"));
    const struct {
        const char *name;
        int64_t value;
        uint32_t machine, trace;
        const char *type;
    } expected[] = {
        {"tracing_started_ns", 2, 0, 0, "single"},
        {"tracing_started_ns", 3, 0, 1, "single"},
        {"all_data_source_flushed_ns", 4, 0, 1, "multi"},
        {"all_data_source_flushed_ns", 4, 0, 1, "multi"},
        {"system_name", 0, 0, NULL_UINT32, "single"},
        {"trace_attribute.x", 0, NULL_UINT32, 1, "single"},
        {"trace_time_clock_id", 6, NULL_UINT32, NULL_UINT32, "single"},
        {"manifest_attribute.x", 0, NULL_UINT32, NULL_UINT32, "single"},
    };
    const struct metadata_table *t = &import->tables->metadata;
    assert_int_equal(table_rows(&t->table), sizeof expected / sizeof *expected);
    for (uint32_t i = 0; i < table_rows(&t->table); i++) {
        assert_string_equal(strpool_text(import->strings, column_get_string(&t->name, i)),
                            expected[i].name);
        assert_string_equal(strpool_text(import->strings, column_get_string(&t->key_type, i)),
                            expected[i].type);
        assert_int_equal(column_get_int64(&t->int_value, i), expected[i].value);
        assert_int_equal(column_get_row(&t->machine_id, i), expected[i].machine);
        assert_int_equal(column_get_row(&t->trace_id, i), expected[i].trace);
    }
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, open_fixture, close_fixture)
    const struct CMUnitTest tests[] = {
        TEST(rows_follow_scope_and_kind),
        TEST(the_import_log_counts),
        TEST(metadata_has_scopes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
