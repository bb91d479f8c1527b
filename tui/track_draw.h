/* Draws one row of the timeline's time axis: runs of colour with names, bars of
 * values, marks of instants.  O(cells). */
#ifndef TUI_TRACK_DRAW_H
#define TUI_TRACK_DRAW_H

#include "tui/app.h"

/* `area` is the row's part of the time axis; its height is app_row_lines.
 * `line_from` lines at its top are scrolled away. */
void track_draw(struct app *app, const struct track_node *node, struct rect area,
                uint32_t line_from);

#endif
