/* The rows of the timeline: names on the left, the time axis on the right. */
#ifndef TUI_TIMELINE_H
#define TUI_TIMELINE_H

#include "tui/app.h"

/* Lines that all pinned rows take. */
int timeline_pinned_lines(struct session *session);
/* Draws both parts into app->layout, scrolling so that the focus is seen. */
void timeline_draw(struct app *app);
/* The row (index in session_rows) and depth at a line of the screen; false when
 * there is none. */
bool timeline_row_at(struct app *app, int y, int64_t *row, uint32_t *depth);
/* The line of the screen where a track's depth is drawn; above or below its part of the
 * screen when it is scrolled away.  False when the track has no row. */
bool timeline_line_of(struct app *app, const char *uri, uint32_t depth, int *y);

#endif
