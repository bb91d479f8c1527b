/* A table in the drawer: the rows of a tab's grid, the cursor on one cell, and where
 * Enter on a row leads. */
#ifndef TUI_TABLE_VIEW_H
#define TUI_TABLE_VIEW_H

#include "tui/app.h"

void table_view_draw(struct app *app, struct tab *tab, struct rect area);
/* Goes to the event or the time that the row at the cursor names; opens a counted value. */
void table_view_follow(struct app *app, struct tab *tab);

#endif
