/* The drawer: the line of tab names and what the shown tab holds. */
#ifndef TUI_TAB_VIEW_H
#define TUI_TAB_VIEW_H

#include "tui/app.h"
#include "tui/details.h"

void tab_view_draw(struct app *app, struct details *details);
/* Rows the shown tab has: what its cursor moves over. */
uint64_t tab_view_rows(struct app *app, const struct details *details);
/* A hit of the search by its place: its time, name and track. */
void tab_view_write_hit(struct session *session, uint64_t place, struct buffer *out);
/* Enter on the focused row: goes to what it names. */
void tab_view_follow(struct app *app, struct details *details);
/* A click at a cell of the drawer: puts the cursor on the row there.  False when there is
 * none, or when the tab has no rows of that kind. */
bool tab_view_click(struct app *app, const struct details *details, int x, int y);
/* The tab whose name is at column x of the tab line; NULL. */
const struct tab *tab_view_tab_at(const struct app *app, int x);

#endif
