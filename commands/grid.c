#include "commands/grid.h"

#include <string.h>
#include <strings.h>

#include "commands/grid_counts.h"
#include "commands/grid_filter.h"
#include "engine/base/memory.h"

#define MAX_SORTS 4u

/* ---- the shape ---- */

void grid_shape_clear(struct grid_shape *shape)
{
    for (size_t i = 0; i < shape->sorts.count; i++)
        mem_free(shape->sorts.items[i].column);
    for (size_t i = 0; i < shape->filters.count; i++) {
        mem_free(shape->filters.items[i].column);
        mem_free(shape->filters.items[i].text);
    }
    for (size_t i = 0; i < shape->hidden.count; i++)
        mem_free(shape->hidden.items[i]);
    vec_free(&shape->sorts);
    vec_free(&shape->filters);
    vec_free(&shape->hidden);
    mem_free(shape->group);
    shape->group = NULL;
}

void grid_shape_sort(struct grid_shape *shape, const char *column, bool descending)
{
    struct grid_sort sort = {mem_strdup(column), descending};
    for (size_t i = 0; i < shape->sorts.count; i++) {
        bool same = strcasecmp(shape->sorts.items[i].column, column) == 0;
        if (!same && i + 1 < MAX_SORTS) continue;
        mem_free(shape->sorts.items[i].column);
        memmove(&shape->sorts.items[i], &shape->sorts.items[i + 1],
                (shape->sorts.count - i - 1) * sizeof shape->sorts.items[0]);
        shape->sorts.count--;
        break;
    }
    vec_push(&shape->sorts, sort);
    memmove(&shape->sorts.items[1], &shape->sorts.items[0],
            (shape->sorts.count - 1) * sizeof shape->sorts.items[0]);
    shape->sorts.items[0] = sort;
}

bool grid_shape_filter(struct grid_shape *shape, const char *column, const char *text,
                       struct status *st)
{
    struct grid_matcher *matcher = grid_matcher_new(str_of(text), st);
    if (!matcher) return false;
    grid_matcher_free(matcher);
    struct grid_filter filter = {column ? mem_strdup(column) : NULL, mem_strdup(text)};
    vec_push(&shape->filters, filter);
    return true;
}

void grid_shape_hide(struct grid_shape *shape, const char *column)
{
    vec_push(&shape->hidden, mem_strdup(column));
}

void grid_shape_group(struct grid_shape *shape, const char *column)
{
    mem_free(shape->group);
    shape->group = column ? mem_strdup(column) : NULL;
}

void grid_shape_write(const struct grid_shape *shape, struct buffer *out)
{
    for (size_t i = 0; i < shape->filters.count; i++) {
        const struct grid_filter *filter = &shape->filters.items[i];
        if (i > 0) buffer_append_text(out, ", ");
        if (filter->column) buffer_printf(out, "%s ", filter->column);
        bool is_sign = strchr("!=<>/", filter->text[0]) != NULL;
        buffer_printf(out, is_sign ? "%s" : "~ %s", filter->text);
    }
    const char *between = shape->filters.count ? "; " : "";
    if (shape->group) buffer_printf(out, "%sby %s", between, shape->group);
    if (shape->group) between = "; ";
    if (shape->hidden.count)
        buffer_printf(out, "%s%zu column%s hidden", between, shape->hidden.count,
                      shape->hidden.count == 1 ? "" : "s");
}

/* ---- cells ---- */

int64_t result_column(const struct result *result, const char *name)
{
    for (uint32_t i = 0; i < result->n_columns; i++)
        if (strcasecmp(result->names[i], name) == 0) return i;
    return -1;
}

void grid_cell_write(const struct result_cell *cell, struct buffer *out)
{
    switch (cell->type) {
    case CELL_NULL: buffer_append_text(out, "NULL"); break;
    case CELL_INT: buffer_printf(out, "%lld", (long long)cell->integer); break;
    case CELL_REAL: buffer_printf(out, "%g", cell->real); break;
    case CELL_TEXT:
    case CELL_BLOB: buffer_append_str(out, cell->text); break;
    }
}

/* ---- filters ---- */

struct bound_filter {
    struct grid_matcher *matcher;
    int64_t column; /* -1: any */
};

static void keep_matching(struct grid *grid, const struct result *result,
                          const struct grid_shape *shape)
{
    VEC(struct bound_filter) filters = {0};
    for (size_t i = 0; i < shape->filters.count; i++) {
        const struct grid_filter *filter = &shape->filters.items[i];
        struct status st = STATUS_INIT;
        struct bound_filter bound = {NULL, -1};
        if (filter->column) bound.column = result_column(result, filter->column);
        if (filter->column && bound.column < 0) continue;
        bound.matcher = grid_matcher_new(str_of(filter->text), &st);
        status_clear(&st);
        if (bound.matcher) vec_push(&filters, bound);
    }
    for (uint64_t row = 0; row < result->n_rows && row < UINT32_MAX; row++) {
        bool good = true;
        for (size_t i = 0; i < filters.count && good; i++) {
            const struct bound_filter *f = &filters.items[i];
            good =
                f->column < 0
                    ? grid_matcher_test(f->matcher, result_at(result, row, 0), result->n_columns)
                    : grid_matcher_test(f->matcher, result_at(result, row, (uint32_t)f->column), 1);
        }
        if (good) grid->rows[grid->n_rows++] = (uint32_t)row;
    }
    for (size_t i = 0; i < filters.count; i++)
        grid_matcher_free(filters.items[i].matcher);
    vec_free(&filters);
}

/* ---- the order ---- */

struct order {
    const struct result *result;
    uint32_t columns[MAX_SORTS];
    bool descending[MAX_SORTS];
    uint32_t n;
};

/* As SQLite orders: NULL, numbers, text, blobs. */
static int compare_cells(const struct result_cell *a, const struct result_cell *b)
{
    static const int ranks[] = {
        [CELL_NULL] = 0, [CELL_INT] = 1, [CELL_REAL] = 1, [CELL_TEXT] = 2, [CELL_BLOB] = 3};
    if (ranks[a->type] != ranks[b->type]) return ranks[a->type] < ranks[b->type] ? -1 : 1;
    if (a->type == CELL_NULL) return 0;
    if (ranks[a->type] > 1) return str_compare(a->text, b->text);
    if (a->type == CELL_INT && b->type == CELL_INT)
        return a->integer < b->integer ? -1 : a->integer > b->integer;
    double x = a->type == CELL_INT ? (double)a->integer : a->real;
    double y = b->type == CELL_INT ? (double)b->integer : b->real;
    return x < y ? -1 : x > y;
}

static int compare_rows(const struct order *order, uint32_t a, uint32_t b)
{
    for (uint32_t i = 0; i < order->n; i++) {
        int c = compare_cells(result_at(order->result, a, order->columns[i]),
                              result_at(order->result, b, order->columns[i]));
        if (c) return order->descending[i] ? -c : c;
    }
    return 0;
}

/* Merges [from, middle) and [middle, to) of `in`; equals stay as they were. */
static void merge(const struct order *order, const uint32_t *in, uint32_t *out, size_t from,
                  size_t middle, size_t to)
{
    for (size_t a = from, b = middle, i = from; i < to; i++) {
        bool left = a < middle && (b >= to || compare_rows(order, in[a], in[b]) <= 0);
        out[i] = left ? in[a++] : in[b++];
    }
}

static void sort_rows(const struct order *order, uint32_t *rows, size_t n)
{
    if (!order->n || n < 2) return;
    uint32_t *other = mem_alloc(n * sizeof *other), *in = rows, *out = other;
    for (size_t width = 1; width < n; width *= 2) {
        for (size_t from = 0; from < n; from += 2 * width) {
            size_t middle = from + width < n ? from + width : n;
            size_t to = from + 2 * width < n ? from + 2 * width : n;
            merge(order, in, out, from, middle, to);
        }
        uint32_t *swap = in;
        in = out;
        out = swap;
    }
    if (in != rows) memcpy(rows, in, n * sizeof *rows);
    mem_free(other);
}

void grid_sort_by(const struct result *result, uint32_t column, bool descending, uint32_t *rows,
                  uint32_t n)
{
    struct order order = {result, {column}, {descending}, 1};
    sort_rows(&order, rows, n);
}

int grid_compare(const struct result *result, uint32_t a, uint32_t b, uint32_t column)
{
    return compare_cells(result_at(result, a, column), result_at(result, b, column));
}

static void sort_as_shaped(struct grid *grid, const struct grid_shape *shape)
{
    struct order order = {.result = grid->result};
    for (size_t i = 0; i < shape->sorts.count && order.n < MAX_SORTS; i++) {
        int64_t column = result_column(grid->result, shape->sorts.items[i].column);
        if (column < 0) continue;
        order.columns[order.n] = (uint32_t)column;
        order.descending[order.n++] = shape->sorts.items[i].descending;
    }
    sort_rows(&order, grid->rows, grid->n_rows);
}

/* ---- the grid ---- */

static bool is_hidden(const struct grid_shape *shape, const char *column)
{
    for (size_t i = 0; i < shape->hidden.count; i++)
        if (strcasecmp(shape->hidden.items[i], column) == 0) return true;
    return false;
}

static void choose_columns(struct grid *grid, const struct grid_shape *shape)
{
    uint32_t n = grid->result->n_columns;
    grid->columns = mem_zero(n ? n : 1, sizeof *grid->columns);
    for (uint32_t i = 0; i < n; i++)
        if (!is_hidden(shape, grid->result->names[i])) grid->columns[grid->n_columns++] = i;
    if (!grid->n_columns && n) grid->n_columns = 1; /* never nothing at all */
}

struct grid *grid_new(const struct result *result, const struct grid_shape *shape)
{
    struct grid *grid = mem_zero(1, sizeof *grid);
    grid->result = result;
    grid->rows = mem_alloc((result->n_rows ? result->n_rows : 1) * sizeof *grid->rows);
    keep_matching(grid, result, shape);
    grid->n_matching = grid->n_rows;
    int64_t group = shape->group ? result_column(result, shape->group) : -1;
    if (group >= 0) {
        grid->counts = grid_count(result, grid->rows, grid->n_rows, (uint32_t)group);
        grid->result = grid->counts;
        grid->n_rows = (uint32_t)grid->counts->n_rows;
        for (uint32_t i = 0; i < grid->n_rows; i++)
            grid->rows[i] = i;
    }
    sort_as_shaped(grid, shape);
    choose_columns(grid, shape);
    return grid;
}

void grid_free(struct grid *grid)
{
    if (!grid) return;
    result_free(grid->counts);
    mem_free(grid->rows);
    mem_free(grid->columns);
    mem_free(grid);
}

const struct result_cell *grid_at(const struct grid *grid, uint32_t row, uint32_t column)
{
    return result_at(grid->result, grid->rows[row], grid->columns[column]);
}

const char *grid_column_name(const struct grid *grid, uint32_t column)
{
    return grid->result->names[grid->columns[column]];
}
