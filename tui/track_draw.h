/* Draws one row of the timeline's time axis: runs of colour with names, bars of
 * values, marks of instants.  O(cells). */
#ifndef TUI_TRACK_DRAW_H
#define TUI_TRACK_DRAW_H

#include "tui/app.h"

/* `area` is the row's part of the time axis; its height is app_row_lines.
 * `line_from` lines at its top are scrolled away. */
void track_draw(struct app *app, const struct track_node *node, struct rect area,
                uint32_t line_from);

/* The value of a counter at a time, for the name column; false when it has none. */
bool track_value_at(struct app *app, const struct track_node *node, int64_t ts, double *value);

/* Busy share of each cell of `area`, one line: the overview and group rows. */
void track_draw_load(struct app *app, const struct load_curve *load, struct rect area,
                     int64_t start, int64_t end, enum color color);

#endif
