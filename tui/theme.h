/* What the colour roles look like, for each depth of colour a terminal has. */
#ifndef TUI_THEME_H
#define TUI_THEME_H

#include <stdbool.h>
#include <stdint.h>

#include "engine/base/str.h"
#include "tui/color.h"

struct theme_color {
    uint32_t rgb;     /* 0xRRGGBB */
    uint8_t index256; /* of the xterm palette */
    uint8_t index16;  /* 0-15; 0-7 with bold for 8 colours */
};

struct theme {
    const char *name;
    bool is_mono;
    bool is_light;
    struct theme_color colors[COLOR_COUNT]; /* DEFAULT: what SVG pages use */
};

/* "dark", "light", "mono", "color-blind"; NULL for another name. */
const struct theme *theme_find(struct str name);
extern const struct theme *const themes[];
extern const unsigned themes_count;

/* Text on a fill of that role: COLOR_INK_DARK or COLOR_INK_LIGHT. */
enum color theme_ink_on(const struct theme *theme, enum color fill);
/* The role for a slice name: digits do not count, so that "doFrame 1" and
 * "doFrame 2" look alike. */
enum color color_of_name(struct str name);

#endif
