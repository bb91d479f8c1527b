/* experimental_slice_layout: the rows of several tracks that are drawn together.
 * experimental_flat_slice: what is deepest at each moment.
 */
#include <stdlib.h>

#include "engine/base/checked.h"
#include "engine/sql/functions.h"
#include "engine/sql/native_function.h"

static const struct native_column layout_columns[] = {
    {"id", "INTEGER", slice_COLUMN_id},
    {"layout_depth", "INTEGER", NATIVE_CELL},
    {NULL, NULL, 0},
};

static const struct native_column flat_columns[] = {
    {"ts", "INTEGER", NATIVE_CELL},        {"dur", "INTEGER", NATIVE_CELL},
    {"track_id", "INTEGER", NATIVE_CELL},  {"category", "TEXT", NATIVE_CELL},
    {"name", "TEXT", NATIVE_CELL},         {"arg_set_id", "INTEGER", NATIVE_CELL},
    {"source_id", "INTEGER", NATIVE_CELL}, {NULL, NULL, 0},
};

/* A root slice with everything below it. */
struct group {
    int64_t start, end;
    uint32_t max_depth, layout_depth, root;
};

struct layout {
    const struct slice_table *slices;
    VEC(uint32_t) rows; /* of all tracks, in row order */
    VEC(struct group) groups;
    struct map group_of; /* row of a slice -> its group */
};

static int compare_rows(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* "3,5,8": rows of these tracks. */
static bool read_tracks(struct layout *l, struct str list, struct status *st)
{
    struct str piece;
    for (struct str rest = list; str_split_next(&rest, ',', &piece);) {
        int64_t track;
        if (!str_to_int64(str_trim(piece), &track))
            return status_fail(st, STATUS_INVALID, STATUS_NO_OFFSET,
                               "experimental_slice_layout: '%.*s' is no list of track ids",
                               STR_ARG(list));
        uint32_t *scratch;
        struct row_span span =
            native_rows_equal(&l->slices->table, slice_COLUMN_track_id, track, &scratch);
        for (uint32_t i = 0; i < span.count; i++)
            vec_push(&l->rows, span.rows[i]);
        mem_free(scratch);
    }
    if (l->rows.count) qsort(l->rows.items, l->rows.count, sizeof(uint32_t), compare_rows);
    return true;
}

static int64_t end_of(const struct slice_table *t, uint32_t row)
{
    int64_t dur = column_int64(&t->dur)[row];
    return dur < 0 ? INT64_MAX : saturating_add_int64(column_int64(&t->ts)[row], dur);
}

static void make_groups(struct layout *l)
{
    const struct slice_table *t = l->slices;
    for (size_t i = 0; i < l->rows.count; i++) {
        uint32_t row = l->rows.items[i], parent = column_get_row(&t->parent_id, row);
        const uint64_t *known = parent < row ? map_get(&l->group_of, parent) : NULL;
        uint64_t group = known ? *known : l->groups.count;
        if (!known) {
            struct group g = {
                .start = column_int64(&t->ts)[row], .end = end_of(t, row), .root = row};
            vec_push(&l->groups, g);
        }
        struct group *g = &l->groups.items[group];
        uint32_t depth = column_uint32(&t->depth)[row];
        if (depth > g->max_depth) g->max_depth = depth;
        if (end_of(t, row) > g->end) g->end = end_of(t, row);
        map_set(&l->group_of, row, group);
    }
}

/* Tallest first, then by time. */
static int compare_groups(const void *a, const void *b)
{
    const struct group *x = *(struct group *const *)a, *y = *(struct group *const *)b;
    if (x->max_depth != y->max_depth) return x->max_depth > y->max_depth ? -1 : 1;
    if (x->start != y->start) return x->start < y->start ? -1 : 1;
    return (x->root > y->root) - (x->root < y->root);
}

static bool overlap(const struct group *a, const struct group *b)
{
    return a->start < b->end && b->start < a->end;
}

/* The lowest depth at which the group meets none of those placed before. */
static void place(struct group **order, size_t n)
{
    for (size_t i = 1; i < n; i++) {
        uint32_t depth = 0;
        for (bool moved = true; moved;) {
            moved = false;
            for (size_t k = 0; k < i; k++) {
                const struct group *other = order[k];
                bool meets = depth <= other->layout_depth + other->max_depth &&
                             other->layout_depth <= depth + order[i]->max_depth;
                if (!meets || !overlap(order[i], other)) continue;
                depth = other->layout_depth + other->max_depth + 1;
                moved = true;
            }
        }
        order[i]->layout_depth = depth;
    }
}

static bool slice_layout(struct sql_database *db, sqlite3_value **arguments,
                         struct native_rows *out, struct status *st)
{
    struct layout l = {.slices = &db->tables->slice};
    out->table = &l.slices->table;
    bool ok = sqlite3_value_type(arguments[0]) == SQLITE_TEXT;
    if (!ok)
        status_fail(st, STATUS_INVALID, STATUS_NO_OFFSET,
                    "experimental_slice_layout: the argument must be a text of track ids");
    ok = ok && read_tracks(&l, function_text(arguments[0]), st);
    if (ok && l.rows.count) {
        make_groups(&l);
        struct group **order = mem_alloc(l.groups.count * sizeof *order);
        for (size_t i = 0; i < l.groups.count; i++)
            order[i] = &l.groups.items[i];
        qsort(order, l.groups.count, sizeof(struct group *), compare_groups);
        place(order, l.groups.count);
        mem_free(order);
    }
    for (size_t i = 0; ok && i < l.rows.count; i++) {
        uint32_t row = l.rows.items[i];
        const struct group *g = &l.groups.items[*map_get(&l.group_of, row)];
        uint32_t depth = column_uint32(&l.slices->depth)[row];
        vec_push(&out->rows, row);
        vec_push(&out->cells, native_int((int64_t)g->layout_depth + depth));
    }
    vec_free(&l.rows);
    vec_free(&l.groups);
    map_free(&l.group_of);
    return ok;
}

/* ---- flat slices ---- */

static void append_flat(const struct slice_table *t, struct native_rows *out, int64_t from,
                        int64_t to, int64_t track, uint32_t row)
{
    if (from >= to) return;
    bool has = row != NULL_UINT32;
    struct native_cell null = {.kind = NATIVE_NULL};
    bool has_args = has && !column_is_null(&t->arg_set_id, row);
    vec_push(&out->cells, native_int(from));
    vec_push(&out->cells, native_int(to - from));
    vec_push(&out->cells, native_int(track));
    vec_push(&out->cells, has ? native_string(column_get_string(&t->category, row)) : null);
    vec_push(&out->cells, has ? native_string(column_get_string(&t->name, row)) : null);
    vec_push(&out->cells, has_args ? native_int(column_get_int64(&t->arg_set_id, row)) : null);
    vec_push(&out->cells, has ? native_int(row) : null);
    out->n_rows++;
}

struct flat {
    const struct slice_table *slices;
    struct native_rows *out;
    int64_t start, end, track;
    int64_t done;       /* everything before is written */
    VEC(uint32_t) open; /* by depth */
};

static void flat_until(struct flat *f, int64_t to)
{
    if (to > f->end) to = f->end;
    if (to <= f->done) return;
    uint32_t row = f->open.count ? *vec_last(&f->open) : NULL_UINT32;
    append_flat(f->slices, f->out, f->done, to, f->track, row);
    f->done = to;
}

static void flat_close_until(struct flat *f, int64_t ts)
{
    while (f->open.count && end_of(f->slices, *vec_last(&f->open)) <= ts) {
        flat_until(f, end_of(f->slices, *vec_last(&f->open)));
        (void)vec_pop(&f->open);
    }
}

static void flat_track(struct flat *f, const struct row_span *span)
{
    f->done = f->start;
    vec_clear(&f->open);
    for (uint32_t i = 0; i < span->count; i++) {
        uint32_t row = span->rows[i];
        int64_t ts = column_int64(&f->slices->ts)[row];
        if (ts >= f->end) break;
        flat_close_until(f, ts);
        flat_until(f, ts);
        if (end_of(f->slices, row) > ts) vec_push(&f->open, row);
    }
    flat_close_until(f, f->end);
    flat_until(f, f->end);
}

static bool flat_slice(struct sql_database *db, sqlite3_value **arguments, struct native_rows *out,
                       struct status *st)
{
    const struct tables *t = db->tables;
    struct flat f = {.slices = &t->slice, .out = out};
    f.start = sqlite3_value_int64(arguments[0]);
    f.end = sqlite3_value_int64(arguments[1]);
    if (sqlite3_value_type(arguments[0]) != SQLITE_INTEGER ||
        sqlite3_value_type(arguments[1]) != SQLITE_INTEGER)
        return status_fail(st, STATUS_INVALID, STATUS_NO_OFFSET,
                           "experimental_flat_slice: start and end must be integers");
    for (uint32_t track = 0; track < table_rows(&t->track.table); track++) {
        uint32_t *scratch;
        struct row_span span =
            native_rows_equal(&t->slice.table, slice_COLUMN_track_id, track, &scratch);
        f.track = track;
        if (span.count) flat_track(&f, &span);
        mem_free(scratch);
    }
    vec_free(&f.open);
    return true;
}

const struct native_function layout_table_functions[] = {
    {"experimental_slice_layout", layout_columns, {"filter_track_ids", NULL}, slice_layout, 1000},
    {"experimental_flat_slice", flat_columns, {"start_bound", "end_bound", NULL}, flat_slice, 1000},
    {.name = NULL},
};
