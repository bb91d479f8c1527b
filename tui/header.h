/* The lines above the rows: what is open, the whole trace, the ruler. */
#ifndef TUI_HEADER_H
#define TUI_HEADER_H

#include "tui/app.h"

void header_draw_title(struct app *app);
void header_draw_overview(struct app *app);
void header_draw_ruler(struct app *app);

#endif
