/* Where the parts of the screen are, for a size and a session. */
#ifndef TUI_LAYOUT_H
#define TUI_LAYOUT_H

#include "tui/app.h"

#define LAYOUT_MIN_WIDTH  20
#define LAYOUT_MIN_HEIGHT 6

/* False when the screen is too small for anything but saying so. */
bool layout_compute(struct layout *out, struct session *session, int width, int height);

#endif
