#include "commands/grid_counts.h"

#include <string.h>
#include <strings.h>

#include "engine/base/arena.h"
#include "engine/base/checked.h"
#include "engine/base/memory.h"

/* Numbers that name or place something. */
static bool is_name_of_something(const char *name)
{
    static const char *const names[] = {"id",   "ts",       "utid",   "upid",  "tid",
                                        "pid",  "uid",      "cpu",    "depth", "priority",
                                        "idx",  "prio",     "ts_end", "ucpu",  "parent",
                                        "type", "category", "end",    "start", "line_number"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strcasecmp(name, names[i]) == 0) return true;
    return str_ends(str_of(name), STR("_id")) || str_ends(str_of(name), STR("_ts"));
}

bool grid_column_measures(const struct result *result, uint32_t column)
{
    if (is_name_of_something(result->names[column])) return false;
    bool any = false;
    for (uint64_t row = 0; row < result->n_rows; row++) {
        enum cell_type type = result_at(result, row, column)->type;
        if (type != CELL_INT && type != CELL_REAL && type != CELL_NULL) return false;
        any |= type != CELL_NULL;
    }
    return any;
}

/* An integer while it fits, else a number. */
static void add(struct result_cell *sum, const struct result_cell *cell)
{
    if (cell->type == CELL_NULL) return;
    int64_t both;
    if (sum->type == CELL_INT && cell->type == CELL_INT &&
        checked_add_int64(sum->integer, cell->integer, &both)) {
        sum->integer = both;
        return;
    }
    double value = cell->type == CELL_INT ? (double)cell->integer : cell->real;
    sum->real = (sum->type == CELL_INT ? (double)sum->integer : sum->real) + value;
    sum->type = CELL_REAL;
}

struct result *grid_count(const struct result *result, uint32_t *rows, uint32_t n, uint32_t column)
{
    struct result *counts = mem_zero(1, sizeof *counts);
    counts->arena = mem_zero(1, sizeof *counts->arena);
    uint32_t *sums = mem_alloc((result->n_columns + 1) * sizeof *sums), n_sums = 0;
    for (uint32_t i = 0; i < result->n_columns; i++)
        if (i != column && grid_column_measures(result, i)) sums[n_sums++] = i;
    counts->n_columns = 2 + n_sums;
    counts->names = arena_alloc(counts->arena, counts->n_columns * sizeof *counts->names);
    counts->names[0] = arena_printf(counts->arena, "%s", result->names[column]);
    counts->names[1] = arena_printf(counts->arena, "count");
    for (uint32_t i = 0; i < n_sums; i++)
        counts->names[2 + i] = arena_printf(counts->arena, "sum %s", result->names[sums[i]]);

    grid_sort_by(result, column, false, rows, n);
    uint32_t groups = 0;
    for (uint32_t i = 0; i < n; i++)
        groups += i == 0 || grid_compare(result, rows[i - 1], rows[i], column) != 0;
    struct result_cell *cells =
        mem_zero((size_t)(groups ? groups : 1) * counts->n_columns, sizeof *cells);
    struct result_cell *group = cells;
    for (uint32_t i = 0; i < n; i++) {
        if (i == 0 || grid_compare(result, rows[i - 1], rows[i], column) != 0) {
            group = &cells[(size_t)counts->n_rows++ * counts->n_columns];
            group[0] = *result_at(result, rows[i], column);
            if (group[0].type == CELL_TEXT || group[0].type == CELL_BLOB)
                group[0].text = arena_copy_str(counts->arena, group[0].text);
            for (uint32_t k = 1; k < counts->n_columns; k++)
                group[k].type = CELL_INT;
        }
        group[1].integer++;
        for (uint32_t k = 0; k < n_sums; k++)
            add(&group[2 + k], result_at(result, rows[i], sums[k]));
    }
    mem_free(sums);

    /* The most frequent first: the order that nobody asked for. */
    counts->cells = cells;
    uint32_t *order = mem_alloc((groups ? groups : 1) * sizeof *order);
    for (uint32_t i = 0; i < groups; i++)
        order[i] = i;
    grid_sort_by(counts, 1, true, order, groups);
    size_t bytes = counts->n_columns * sizeof *cells;
    counts->cells = mem_alloc((groups ? groups : 1) * bytes);
    for (uint32_t i = 0; i < groups; i++)
        memcpy(&counts->cells[(size_t)i * counts->n_columns],
               &cells[(size_t)order[i] * counts->n_columns], bytes);
    mem_free(cells);
    mem_free(order);
    return counts;
}
