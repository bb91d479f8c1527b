/* Where a cell of the time axis begins, and blocks that fill part of a cell. */
#ifndef TUI_CELLS_H
#define TUI_CELLS_H

#include <stdint.h>

/* The start of cell i of `cells` over [start, end), exact for any window; i == cells
 * is the end. */
static inline int64_t cell_edge(int64_t start, int64_t end, int cells, int i)
{
    int64_t span = end - start;
    return start + span / cells * i + span % cells * i / cells;
}

/* Block elements that fill eighths of a cell (1 to 8) from the left, from below. */
static inline uint32_t eighth_left(int eighths)
{
    return eighths >= 8 ? 0x2588 : 0x2590u - (uint32_t)eighths;
}

static inline uint32_t eighth_low(int eighths)
{
    return eighths >= 8 ? 0x2588 : 0x2580u + (uint32_t)eighths;
}

#endif
