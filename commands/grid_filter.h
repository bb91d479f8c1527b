/* One filter of a grid, ready to be asked (grid.h says how it is written). */
#ifndef COMMANDS_GRID_FILTER_H
#define COMMANDS_GRID_FILTER_H

#include "engine/base/buffer.h"
#include "engine/engine.h"

struct grid_matcher;

/* NULL and why when the text is no filter. */
struct grid_matcher *grid_matcher_new(struct str text, struct status *st);
void grid_matcher_free(struct grid_matcher *matcher);
/* `n` cells, of which one has to be as wanted; with "!", none. */
bool grid_matcher_test(struct grid_matcher *matcher, const struct result_cell *cells, uint32_t n);
/* The same as a condition of SQL on an expression that is the cell. */
void grid_matcher_write_sql(const struct grid_matcher *matcher, const char *expression,
                            struct buffer *out);
/* 'text' with its quotes doubled. */
void sql_write_text(struct buffer *out, struct str text);

#endif
