#include "engine/sql/slice_tree.h"

#include "engine/base/checked.h"
#include "engine/sql/native_function.h"

/* A chain of parents longer than this is a ring in damaged data. */
#define MAX_DEPTH 100000u

void slice_tree_ancestors(const struct slice_table *t, uint32_t row, struct slice_rows *out)
{
    for (uint32_t steps = 0; steps < MAX_DEPTH; steps++) {
        row = column_get_row(&t->parent_id, row);
        if (row >= table_rows(&t->table)) return;
        vec_push(out, row);
    }
}

static bool has_ancestor(const struct slice_table *t, uint32_t row, uint32_t ancestor)
{
    for (uint32_t steps = 0; steps < MAX_DEPTH; steps++) {
        row = column_get_row(&t->parent_id, row);
        if (row == ancestor) return true;
        if (row >= table_rows(&t->table)) return false;
    }
    return false;
}

void slice_tree_descendants(const struct slice_table *t, uint32_t row, struct slice_rows *out)
{
    const int64_t *ts = column_int64(&t->ts);
    int64_t start = ts[row], dur = column_int64(&t->dur)[row];
    int64_t end = dur < 0 ? INT64_MAX : saturating_add_int64(start, dur);
    uint32_t depth = column_uint32(&t->depth)[row];
    uint32_t track = column_uint32(&t->track_id)[row];
    uint32_t *scratch;
    struct row_span span = native_rows_equal(&t->table, slice_COLUMN_track_id, track, &scratch);
    uint32_t low = 0, high = span.count; /* rows ascend in time: skip what came before */
    while (low < high && t->ts.is_sorted) {
        uint32_t mid = low + (high - low) / 2;
        if (ts[span.rows[mid]] < start)
            low = mid + 1;
        else
            high = mid;
    }
    for (uint32_t i = low; i < span.count; i++) {
        uint32_t other = span.rows[i];
        if (ts[other] > end && t->ts.is_sorted) break;
        if (ts[other] < start || ts[other] > end || column_uint32(&t->depth)[other] <= depth)
            continue;
        bool on_edge = ts[other] == start || ts[other] == end;
        if (!on_edge || has_ancestor(t, other, row)) vec_push(out, other);
    }
    mem_free(scratch);
}
