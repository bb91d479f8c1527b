/* A counter's row: its value, its changes or its rate, as bars of eighths.
 *
 * Value: the most in a cell.  Delta: from each sample to the next, of the samples in
 * a cell the greatest in size.  Rate: how much the line through the samples rises over
 * the cell, a second.  Delta and rate are scaled by what the window shows.
 */
#ifndef TUI_COUNTER_DRAW_H
#define TUI_COUNTER_DRAW_H

#include "tui/app.h"

void counter_draw(struct app *app, const struct track_node *node, const struct track_data *data,
                  struct rect area);
/* What the row says at a time, for the column of names: value, change or rate as the
 * track is set; false when there is nothing. */
bool counter_at(struct app *app, const struct track_node *node, int64_t ts, double *value);

#endif
