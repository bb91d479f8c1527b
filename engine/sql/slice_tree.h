/* Ancestors and descendants of slices, as rows of the slice table. */
#ifndef ENGINE_SQL_SLICE_TREE_H
#define ENGINE_SQL_SLICE_TREE_H

#include "engine/base/vec.h"
#include "engine/store/tables.h"

struct slice_rows VEC_OF(uint32_t);

/* Nearest first, without `row`. */
void slice_tree_ancestors(const struct slice_table *t, uint32_t row, struct slice_rows *out);
/* In row order, without `row`. */
void slice_tree_descendants(const struct slice_table *t, uint32_t row, struct slice_rows *out);

#endif
