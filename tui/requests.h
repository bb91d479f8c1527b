/* What commands ask of the screen (session.h, enum request_kind). */
#ifndef TUI_REQUESTS_H
#define TUI_REQUESTS_H

#include "tui/app.h"

void requests_serve(struct app *app);

#endif
