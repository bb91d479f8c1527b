/* Writes what the shown tab holds to a file: a table as CSV (RFC 4180), TSV or
 * JSON by the name's ending, anything else as the lines on the screen. */
#ifndef TUI_EXPORT_H
#define TUI_EXPORT_H

#include "tui/app.h"

void export_shown(struct app *app, const char *path);

#endif
