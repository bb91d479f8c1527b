#include "tui/sink.h"

#include "engine/base/utf8.h"

static const struct cell *cell_at(const struct canvas *canvas, int x, int y)
{
    return &canvas->cells[y * canvas->width + x];
}

static void append_character(struct buffer *out, uint32_t c)
{
    char bytes[4];
    buffer_append(out, bytes, utf8_encode(c, bytes));
}

static void append_cell(struct buffer *out, const struct cell *cell)
{
    if (cell->width == 0) return;
    append_character(out, cell->character);
    if (cell->mark) append_character(out, cell->mark);
}

void sink_write_text(const struct canvas *canvas, struct buffer *out)
{
    for (int y = 0; y < canvas->height; y++) {
        int end = canvas->width;
        while (end > 0 && cell_at(canvas, end - 1, y)->character == ' ')
            end--;
        for (int x = 0; x < end; x++)
            append_cell(out, cell_at(canvas, x, y));
        buffer_append_byte(out, '\n');
    }
}

static bool same_style(const struct cell *a, const struct cell *b)
{
    return a->fg == b->fg && a->bg == b->bg && a->attributes == b->attributes;
}

static void append_sgr(struct buffer *out, const struct theme *theme, const struct cell *cell)
{
    buffer_append_text(out, "\033[0");
    if (cell->attributes & CELL_BOLD) buffer_append_text(out, ";1");
    if (cell->attributes & CELL_DIM) buffer_append_text(out, ";2");
    if (cell->attributes & CELL_UNDERLINE) buffer_append_text(out, ";4");
    bool reverse = cell->attributes & CELL_REVERSE;
    if (theme->is_mono) reverse ^= cell->bg != COLOR_DEFAULT;
    if (reverse) buffer_append_text(out, ";7");
    for (int layer = 0; layer < 2 && !theme->is_mono; layer++) {
        unsigned role = layer ? cell->bg : cell->fg;
        if (role == COLOR_DEFAULT) continue;
        uint32_t rgb = theme->colors[role].rgb;
        buffer_printf(out, ";%d;2;%u;%u;%u", layer ? 48 : 38, rgb >> 16, rgb >> 8 & 0xFF,
                      rgb & 0xFF);
    }
    buffer_append_byte(out, 'm');
}

void sink_write_ansi(const struct canvas *canvas, const struct theme *theme, struct buffer *out)
{
    for (int y = 0; y < canvas->height; y++) {
        for (int x = 0; x < canvas->width; x++) {
            const struct cell *cell = cell_at(canvas, x, y);
            if (x == 0 || !same_style(cell, cell_at(canvas, x - 1, y)))
                append_sgr(out, theme, cell);
            append_cell(out, cell);
        }
        buffer_append_text(out, "\033[0m\n");
    }
}

static const char *const role_names[] = {
#define COLOR(name, text) text,
    COLOR_ROLES(COLOR)
#undef COLOR
};

void sink_write_roles(const struct canvas *canvas, struct buffer *out)
{
    for (int y = 0; y < canvas->height; y++) {
        bool any = false;
        for (int x = 0, from = 0; x < canvas->width; x++) {
            const struct cell *cell = cell_at(canvas, x, y);
            bool last = x + 1 == canvas->width;
            if (!last && same_style(cell, cell_at(canvas, x + 1, y))) continue;
            if (cell->fg || cell->bg || cell->attributes) {
                buffer_printf(out, "%s%d..%d %s/%s", any ? "  " : "", from, x, role_names[cell->fg],
                              role_names[cell->bg]);
                if (cell->attributes) buffer_printf(out, "+%u", cell->attributes);
                any = true;
            }
            from = x + 1;
        }
        buffer_append_byte(out, '\n');
    }
}

#define CELL_W 8.4
#define CELL_H 18.0

static uint32_t svg_rgb(const struct theme *theme, unsigned role, bool is_background)
{
    if (role == COLOR_DEFAULT && is_background) return theme->is_light ? 0xffffff : 0x121212;
    if (theme->is_mono) return is_background ? 0xd0d0d0 : 0xd0d0d0;
    return theme->colors[role].rgb;
}

static void svg_colors(const struct theme *theme, const struct cell *cell, uint32_t *fg,
                       uint32_t *bg)
{
    *fg = svg_rgb(theme, cell->fg, false);
    *bg = svg_rgb(theme, cell->bg, true);
    if (theme->is_mono && cell->bg != COLOR_DEFAULT) *fg = 0x121212;
    if (cell->attributes & CELL_REVERSE) {
        uint32_t swap = *fg;
        *fg = *bg;
        *bg = swap;
    }
}

static void svg_escape(struct buffer *out, uint32_t c)
{
    if (c == '<')
        buffer_append_text(out, "&lt;");
    else if (c == '&')
        buffer_append_text(out, "&amp;");
    else
        append_character(out, c);
}

/* Block elements are drawn as rectangles, so that they meet without seams in any
 * font: left eighths, lower eighths, the right half. */
static bool svg_block(struct buffer *out, uint32_t c, double x, double y, uint32_t rgb)
{
    double left = 0, top = 0, w = CELL_W, h = CELL_H;
    if (c >= 0x2589 && c <= 0x258F)
        w = CELL_W * (double)(0x2590 - c) / 8;
    else if (c >= 0x2581 && c <= 0x2587) {
        h = CELL_H * (double)(c - 0x2580) / 8;
        top = CELL_H - h;
    } else if (c == 0x2590) {
        left = CELL_W / 2;
        w = CELL_W / 2;
    } else if (c != 0x2588) {
        return false;
    }
    buffer_printf(out,
                  "<rect x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\" fill=\"#%06x\"/>\n",
                  x + left, y + top, w, h, rgb);
    return true;
}

static void svg_row(const struct canvas *canvas, const struct theme *theme, int y,
                    struct buffer *out)
{
    for (int x = 0; x < canvas->width;) {
        const struct cell *first = cell_at(canvas, x, y);
        int end = x + 1;
        while (end < canvas->width && same_style(first, cell_at(canvas, end, y)))
            end++;
        uint32_t fg, bg;
        svg_colors(theme, first, &fg, &bg);
        if (bg != svg_rgb(theme, COLOR_DEFAULT, true))
            buffer_printf(out,
                          "<rect x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\" "
                          "fill=\"#%06x\"/>\n",
                          x * CELL_W, y * CELL_H, (end - x) * CELL_W + 0.2, CELL_H + 0.2, bg);
        for (; x < end; x++) {
            const struct cell *cell = cell_at(canvas, x, y);
            if (cell->width == 0 || cell->character == ' ') continue;
            if (svg_block(out, cell->character, x * CELL_W, y * CELL_H, fg)) continue;
            buffer_printf(out, "<text x=\"%.2f\" y=\"%.2f\" fill=\"#%06x\"%s%s%s>", x * CELL_W,
                          y * CELL_H + 13.5, fg,
                          cell->attributes & CELL_BOLD ? " font-weight=\"bold\"" : "",
                          cell->attributes & CELL_UNDERLINE ? " text-decoration=\"underline\"" : "",
                          cell->attributes & CELL_DIM ? " opacity=\"0.7\"" : "");
            svg_escape(out, cell->character);
            if (cell->mark) svg_escape(out, cell->mark);
            buffer_append_text(out, "</text>\n");
        }
    }
}

void sink_write_svg(const struct canvas *canvas, const struct theme *theme, struct buffer *out)
{
    double w = canvas->width * CELL_W, h = canvas->height * CELL_H;
    buffer_printf(out,
                  "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" height=\"%.0f\" "
                  "viewBox=\"0 0 %.2f %.2f\" font-family=\"DejaVu Sans Mono, monospace\" "
                  "font-size=\"14\">\n<rect width=\"100%%\" height=\"100%%\" fill=\"#%06x\"/>\n",
                  w, h, w, h, svg_rgb(theme, COLOR_DEFAULT, true));
    for (int y = 0; y < canvas->height; y++)
        svg_row(canvas, theme, y, out);
    buffer_append_text(out, "</svg>\n");
}
