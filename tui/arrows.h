/* Arrows over the timeline for the selected event: the flows of a slice, who woke a
 * thread and whom a running one woke.
 *
 * They are drawn where nothing else is, so that they pass behind slices; only their
 * heads lie on the event that they lead to.  An end that is folded away is at the row
 * that hides it; one that is out of sight is at the edge. */
#ifndef TUI_ARROWS_H
#define TUI_ARROWS_H

#include "tui/app.h"

void arrows_draw(struct app *app);

#endif
