/* Sinks of a canvas that are no terminal: plain text, ANSI colour, SVG. */
#ifndef TUI_SINK_H
#define TUI_SINK_H

#include "engine/base/buffer.h"
#include "tui/canvas.h"
#include "tui/theme.h"

/* One line a row, trailing blanks cut. */
void sink_write_text(const struct canvas *canvas, struct buffer *out);
/* The same with 24-bit SGR sequences. */
void sink_write_ansi(const struct canvas *canvas, const struct theme *theme, struct buffer *out);
/* One letter a cell for its colours, for tests: "fg/bg" role pairs as runs, a line
 * a row: `x..x role/role[+attributes]`. */
void sink_write_roles(const struct canvas *canvas, struct buffer *out);
void sink_write_svg(const struct canvas *canvas, const struct theme *theme, struct buffer *out);

#endif
