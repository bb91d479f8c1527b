/* Rows counted by the values of one column, with sums of the columns that measure. */
#ifndef COMMANDS_GRID_COUNTS_H
#define COMMANDS_GRID_COUNTS_H

#include "engine/engine.h"

/* Columns: the grouped one, count, and "sum NAME" for each column of numbers that is
 * no id, time or place; the most frequent value first.  Reorders `rows`. */
struct result *grid_count(const struct result *result, uint32_t *rows, uint32_t n, uint32_t column);

/* Of grid.c: a stable order of rows by one column, and the order itself. */
void grid_sort_by(const struct result *result, uint32_t column, bool descending, uint32_t *rows,
                  uint32_t n);
int grid_compare(const struct result *result, uint32_t a, uint32_t b, uint32_t column);

/* A column of numbers that can be added up. */
bool grid_column_measures(const struct result *result, uint32_t column);

#endif
