/* ancestor_slice, descendant_slice, and the time of slices without their children. */
#include "engine/base/checked.h"
#include "engine/sql/native_function.h"
#include "engine/sql/slice_tree.h"

#define INTEGER "INTEGER"

static const struct native_column slice_columns[] = {
    {"id", INTEGER, slice_COLUMN_id},
    {"ts", INTEGER, slice_COLUMN_ts},
    {"dur", INTEGER, slice_COLUMN_dur},
    {"track_id", INTEGER, slice_COLUMN_track_id},
    {"category", "TEXT", slice_COLUMN_category},
    {"name", "TEXT", slice_COLUMN_name},
    {"depth", INTEGER, slice_COLUMN_depth},
    {"parent_id", INTEGER, slice_COLUMN_parent_id},
    {"arg_set_id", INTEGER, slice_COLUMN_arg_set_id},
    {"thread_ts", INTEGER, slice_COLUMN_thread_ts},
    {"thread_dur", INTEGER, slice_COLUMN_thread_dur},
    {"thread_instruction_count", INTEGER, slice_COLUMN_thread_instruction_count},
    {"thread_instruction_delta", INTEGER, slice_COLUMN_thread_instruction_delta},
    {NULL, NULL, 0},
};

static bool ancestors(struct sql_database *db, sqlite3_value **arguments, struct native_rows *out,
                      struct status *st)
{
    const struct slice_table *t = &db->tables->slice;
    uint32_t row;
    out->table = &t->table;
    if (!native_row_argument(&t->table, arguments[0], &row, st)) return st->code == STATUS_OK;
    struct slice_rows found = {0};
    slice_tree_ancestors(t, row, &found);
    while (found.count)
        vec_push(&out->rows, vec_pop(&found));
    vec_free(&found);
    return true;
}

static bool descendants(struct sql_database *db, sqlite3_value **arguments, struct native_rows *out,
                        struct status *st)
{
    const struct slice_table *t = &db->tables->slice;
    uint32_t row;
    out->table = &t->table;
    if (!native_row_argument(&t->table, arguments[0], &row, st)) return st->code == STATUS_OK;
    struct slice_rows found = {0};
    slice_tree_descendants(t, row, &found);
    for (size_t i = 0; i < found.count; i++)
        vec_push(&out->rows, found.items[i]);
    vec_free(&found);
    return true;
}

static const struct native_column self_columns[] = {
    {"id", INTEGER, slice_COLUMN_id},
    {"self_dur", INTEGER, NATIVE_CELL},
    {NULL, NULL, 0},
};

static bool self_durations(struct sql_database *db, sqlite3_value **arguments,
                           struct native_rows *out, struct status *st)
{
    (void)arguments;
    (void)st;
    const struct slice_table *t = &db->tables->slice;
    uint32_t rows = table_rows(&t->table);
    out->table = &t->table;
    vec_reserve(&out->rows, rows);
    vec_reserve(&out->cells, rows);
    for (uint32_t i = 0; i < rows; i++) {
        vec_push(&out->rows, i);
        vec_push(&out->cells, native_int(column_int64(&t->dur)[i]));
    }
    for (uint32_t i = 0; i < rows; i++) {
        uint32_t parent = column_get_row(&t->parent_id, i);
        if (parent >= rows) continue;
        int64_t *left = &out->cells.items[parent].integer;
        *left = wrapping_sub_int64(*left, column_int64(&t->dur)[i]);
    }
    return true;
}

const struct native_function slice_table_functions[] = {
    {"__intrinsic_slice_self_dur", self_columns, {NULL}, self_durations, 100000},
    {"ancestor_slice", slice_columns, {"in_id", NULL}, ancestors, 8},
    {"descendant_slice", slice_columns, {"in_id", NULL}, descendants, 50},
    {.name = NULL},
};
