/* How the rows of a result are shown: which ones, in which order, which columns, or
 * counted by the values of one column.
 *
 * The shape names columns, so that it holds for the next result of the same query;
 * a name that a result lacks does nothing.  The grid is the shape carried out on one
 * result, which it borrows.
 *
 * A filter is  [!] text      in any case, anywhere in the cell
 *              [!] /regex/   JavaScript's; /regex/i in any case
 *              [!] =text     the whole cell
 *              [!] <n <=n >n >=n   a number, which may have a unit: 16ms, 2us, 4k, 1M
 */
#ifndef COMMANDS_GRID_H
#define COMMANDS_GRID_H

#include "engine/base/buffer.h"
#include "engine/base/vec.h"
#include "engine/engine.h"

struct grid_sort {
    char *column;
    bool descending;
};
struct grid_filter {
    char *column; /* NULL: any */
    char *text;
};
struct grid_shape {
    VEC(struct grid_sort) sorts; /* the first decides, the next among equals */
    VEC(struct grid_filter) filters;
    VEC(char *) hidden;
    char *group; /* rows are counted by this column; NULL: not */
};

void grid_shape_clear(struct grid_shape *shape);
/* Makes `column` the first of the order; the others decide among equals. */
void grid_shape_sort(struct grid_shape *shape, const char *column, bool descending);
/* False and why when the text is no filter. */
bool grid_shape_filter(struct grid_shape *shape, const char *column, const char *text,
                       struct status *st);
void grid_shape_hide(struct grid_shape *shape, const char *column);
void grid_shape_group(struct grid_shape *shape, const char *column); /* NULL: no more */
/* "name ~ do, dur > 16ms; by name; 2 columns hidden"; nothing when nothing is set. */
void grid_shape_write(const struct grid_shape *shape, struct buffer *out);

struct grid {
    const struct result *result; /* whose rows are shown: the one given, or the counts */
    struct result *counts;       /* owned; NULL unless the shape groups */
    uint32_t *rows;              /* of `result`, in order; owned */
    uint32_t n_rows;
    uint64_t n_matching; /* rows of the given result that pass the filters */
    uint32_t *columns;   /* of `result` that are not hidden; owned; at least one if any */
    uint32_t n_columns;
};

struct grid *grid_new(const struct result *result, const struct grid_shape *shape);
void grid_free(struct grid *grid);
/* Cell at a shown row and a shown column. */
const struct result_cell *grid_at(const struct grid *grid, uint32_t row, uint32_t column);
const char *grid_column_name(const struct grid *grid, uint32_t column);
/* What a filter sees of a cell, and a copy is. */
void grid_cell_write(const struct result_cell *cell, struct buffer *out);

/* Column of a result by name, in any case; -1. */
int64_t result_column(const struct result *result, const char *name);

#endif
