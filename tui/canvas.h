/* A grid of cells: what every view draws into and every sink reads.
 *
 * Coordinates are cells, (0, 0) top left, x to the right.  Drawing outside the
 * clip rectangle does nothing.  Text from a trace goes through canvas_text, which
 * shows unsafe characters as visible replacements; canvas_put takes characters
 * that the program chose itself.
 */
#ifndef TUI_CANVAS_H
#define TUI_CANVAS_H

#include <stdbool.h>
#include <stdint.h>

#include "engine/base/str.h"
#include "tui/color.h"

enum cell_attribute { CELL_BOLD = 1, CELL_UNDERLINE = 2, CELL_REVERSE = 4, CELL_DIM = 8 };

struct cell {
    uint32_t character; /* safe to send; 0 in the right half of a wide one */
    uint32_t mark;      /* one combining mark, or 0 */
    uint8_t fg, bg;     /* enum color */
    uint8_t attributes;
    uint8_t width; /* 1, 2, or 0 for the right half */
};

struct style {
    uint8_t fg, bg, attributes;
};

#define STYLE(fg_, bg_, attributes_) ((struct style){COLOR_##fg_, COLOR_##bg_, (attributes_)})
#define STYLE_PLAIN                  STYLE(DEFAULT, DEFAULT, 0)

struct rect {
    int x, y, w, h;
};

struct canvas {
    int width, height;
    struct cell *cells; /* owned; row-major */
    struct rect clip;
    bool ascii;             /* only ASCII may be drawn */
    bool mono;              /* fills must be told apart without colour */
    int cursor_x, cursor_y; /* where the terminal's cursor sits; -1 hides it */
};

struct canvas *canvas_new(int width, int height);
void canvas_free(struct canvas *canvas);
void canvas_resize(struct canvas *canvas, int width, int height);
/* Blank cells, the whole canvas as clip, cursor hidden. */
void canvas_clear(struct canvas *canvas);

/* Narrows the clip to `rect`; returns the old one for canvas_unclip. */
struct rect canvas_clip(struct canvas *canvas, struct rect rect);
void canvas_unclip(struct canvas *canvas, struct rect old);

struct cell *canvas_at(struct canvas *canvas, int x, int y); /* must be inside */
void canvas_put(struct canvas *canvas, int x, int y, uint32_t character, struct style style);
void canvas_fill(struct canvas *canvas, struct rect rect, uint32_t character, struct style style);
/* Changes only the style, or only the background, of what is there. */
void canvas_restyle(struct canvas *canvas, struct rect rect, struct style style);
void canvas_background(struct canvas *canvas, struct rect rect, enum color background);

/* Draws text at most `width` cells wide and returns the cells used.  Too long a
 * text is cut and ends in '…' ('~' in ASCII). */
int canvas_text(struct canvas *canvas, int x, int y, int width, struct str text,
                struct style style);
/* The same, eliding the middle: "com.exa…shop". */
int canvas_text_middle(struct canvas *canvas, int x, int y, int width, struct str text,
                       struct style style);
/* Right-aligned in `width` cells. */
int canvas_text_right(struct canvas *canvas, int x, int y, int width, struct str text,
                      struct style style);
/* Bytes of `text` that fill at most `width` cells, cut after a blank when one is
 * near, or after a newline. */
size_t canvas_wrap(struct str text, int width, bool ascii);
int canvas_printf(struct canvas *canvas, int x, int y, int width, struct style style,
                  const char *format, ...) __attribute__((format(printf, 6, 7)));

/* Picks the second character on an ASCII canvas. */
static inline uint32_t canvas_glyph(const struct canvas *canvas, uint32_t utf8, char ascii)
{
    return canvas->ascii ? (uint32_t)(unsigned char)ascii : utf8;
}

#endif
