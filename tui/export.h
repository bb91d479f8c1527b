/* Writes what the shown tab holds to a file: a table as CSV (RFC 4180), TSV or
 * JSON by the name's ending, anything else as the lines on the screen. */
#ifndef TUI_EXPORT_H
#define TUI_EXPORT_H

#include "tui/app.h"

void export_shown(struct app *app, const char *path);
/* The same table as text: "csv", "tsv" or "json".  False when it is longer than 2 GiB. */
bool export_append_result(const struct result *result, const char *format, struct buffer *out);

#endif
