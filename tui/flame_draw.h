/* The flamegraph in the drawer: a line that says what is shown, the icicle, a table
 * of functions beside or below it where there is room, and two lines about the
 * frame at the cursor. */
#ifndef TUI_FLAME_DRAW_H
#define TUI_FLAME_DRAW_H

#include "commands/flame_view.h"
#include "tui/app.h"

void flame_draw(struct app *app, struct rect area);
/* Puts the cursor on the frame at a cell of the drawer; false when none is there. */
bool flame_click(struct app *app, int x, int y);
/* Writes what is shown to `out` in the format that the path's end names. */
bool flame_export_shown(struct session *session, const char *path, struct buffer *out,
                        struct status *st);

/* ---- flame_icicle.c ---- */

/* Rows of the icicle from its top: callers of a pivot, then the rest. */
int flame_rows(const struct flame_tree *tree);
int flame_row_of(const struct flame_tree *tree, const struct flame_node *node);
/* The first row drawn is `top`. */
void flame_draw_icicle(struct app *app, const struct flame_view *view, struct rect area, int top);
/* The node at a cell of the icicle; FLAME_NONE. */
uint32_t flame_node_at(const struct flame_view *view, struct rect area, int top, int x, int y);

#endif
