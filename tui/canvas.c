#include "tui/canvas.h"

#include <stdarg.h>

#include "engine/base/buffer.h"
#include "engine/base/memory.h"
#include "engine/base/utf8.h"

static const struct cell blank = {' ', 0, COLOR_DEFAULT, COLOR_DEFAULT, 0, 1};

struct canvas *canvas_new(int width, int height)
{
    struct canvas *canvas = mem_zero(1, sizeof *canvas);
    canvas_resize(canvas, width, height);
    return canvas;
}

void canvas_free(struct canvas *canvas)
{
    if (!canvas) return;
    mem_free(canvas->cells);
    mem_free(canvas);
}

void canvas_resize(struct canvas *canvas, int width, int height)
{
    if (width < 1) width = 1;
    if (height < 1) height = 1;
    if (width != canvas->width || height != canvas->height) {
        mem_free(canvas->cells);
        canvas->cells = mem_zero((size_t)width * (size_t)height, sizeof *canvas->cells);
        canvas->width = width;
        canvas->height = height;
    }
    canvas_clear(canvas);
}

void canvas_clear(struct canvas *canvas)
{
    for (int i = 0; i < canvas->width * canvas->height; i++)
        canvas->cells[i] = blank;
    canvas->clip = (struct rect){0, 0, canvas->width, canvas->height};
    canvas->cursor_x = canvas->cursor_y = -1;
}

static int largest(int a, int b)
{
    return a > b ? a : b;
}

static int smallest(int a, int b)
{
    return a < b ? a : b;
}

static struct rect intersect(struct rect a, struct rect b)
{
    int x = largest(a.x, b.x), y = largest(a.y, b.y);
    int right = smallest(a.x + a.w, b.x + b.w), bottom = smallest(a.y + a.h, b.y + b.h);
    return (struct rect){x, y, largest(right - x, 0), largest(bottom - y, 0)};
}

struct rect canvas_clip(struct canvas *canvas, struct rect rect)
{
    struct rect old = canvas->clip;
    canvas->clip = intersect(old, rect);
    return old;
}

void canvas_unclip(struct canvas *canvas, struct rect old)
{
    canvas->clip = old;
}

struct cell *canvas_at(struct canvas *canvas, int x, int y)
{
    return &canvas->cells[y * canvas->width + x];
}

static bool inside(const struct canvas *canvas, int x, int y)
{
    const struct rect *c = &canvas->clip;
    return x >= c->x && x < c->x + c->w && y >= c->y && y < c->y + c->h;
}

/* A wide character whose other half is overwritten becomes a blank. */
static void break_wide(struct canvas *canvas, int x, int y)
{
    struct cell *cell = canvas_at(canvas, x, y);
    if (cell->width == 2 && x + 1 < canvas->width) {
        struct cell *right = canvas_at(canvas, x + 1, y);
        right->character = ' ';
        right->width = 1;
    } else if (cell->width == 0 && x > 0) {
        struct cell *left = canvas_at(canvas, x - 1, y);
        left->character = ' ';
        left->mark = 0;
        left->width = 1;
    }
}

void canvas_put(struct canvas *canvas, int x, int y, uint32_t character, struct style style)
{
    if (!inside(canvas, x, y)) return;
    int width = utf8_width(character);
    if (width == 2 && !inside(canvas, x + 1, y)) {
        character = ' ';
        width = 1;
    }
    break_wide(canvas, x, y);
    if (width == 2) break_wide(canvas, x + 1, y);
    *canvas_at(canvas, x, y) =
        (struct cell){character, 0, style.fg, style.bg, style.attributes, (uint8_t)width};
    if (width == 2)
        *canvas_at(canvas, x + 1, y) = (struct cell){0, 0, style.fg, style.bg, style.attributes, 0};
}

void canvas_fill(struct canvas *canvas, struct rect rect, uint32_t character, struct style style)
{
    rect = intersect(rect, canvas->clip);
    for (int y = rect.y; y < rect.y + rect.h; y++)
        for (int x = rect.x; x < rect.x + rect.w; x++)
            canvas_put(canvas, x, y, character, style);
}

void canvas_restyle(struct canvas *canvas, struct rect rect, struct style style)
{
    rect = intersect(rect, canvas->clip);
    for (int y = rect.y; y < rect.y + rect.h; y++)
        for (int x = rect.x; x < rect.x + rect.w; x++) {
            struct cell *cell = canvas_at(canvas, x, y);
            cell->fg = style.fg;
            cell->bg = style.bg;
            cell->attributes = style.attributes;
        }
}

void canvas_background(struct canvas *canvas, struct rect rect, enum color background)
{
    rect = intersect(rect, canvas->clip);
    for (int y = rect.y; y < rect.y + rect.h; y++)
        for (int x = rect.x; x < rect.x + rect.w; x++)
            canvas_at(canvas, x, y)->bg = (uint8_t)background;
}

/* Draws as many whole characters as fit in `width` cells. */
static int draw_clipped(struct canvas *canvas, int x, int y, int width, struct str text,
                        struct style style)
{
    int used = 0;
    for (size_t i = 0; i < text.n;) {
        uint32_t c;
        i += utf8_decode(str_slice(text, i, text.n), &c);
        c = utf8_visible(c, canvas->ascii);
        int cells = utf8_width(c);
        if (cells == 0) {
            if (used > 0 && inside(canvas, x + used - 1, y)) {
                struct cell *cell = canvas_at(canvas, x + used - 1, y);
                if (cell->width && !cell->mark) cell->mark = c;
            }
            continue;
        }
        if (used + cells > width) break;
        canvas_put(canvas, x + used, y, c, style);
        used += cells;
    }
    return used;
}

/* Visible width, counted only as far as it matters. */
static bool fits(const struct canvas *canvas, struct str text, int width)
{
    int used = 0;
    for (size_t i = 0; i < text.n && used <= width;) {
        uint32_t c;
        i += utf8_decode(str_slice(text, i, text.n), &c);
        used += utf8_width(utf8_visible(c, canvas->ascii));
    }
    return used <= width;
}

int canvas_text(struct canvas *canvas, int x, int y, int width, struct str text, struct style style)
{
    if (width <= 0) return 0;
    if (fits(canvas, text, width)) return draw_clipped(canvas, x, y, width, text, style);
    int used = draw_clipped(canvas, x, y, width - 1, text, style);
    canvas_put(canvas, x + used, y, canvas_glyph(canvas, 0x2026, '~'), style);
    return used + 1;
}

/* The longest tail of `text` that fits in `width` cells. */
static struct str tail_of(const struct canvas *canvas, struct str text, int width)
{
    size_t start = text.n;
    while (start > 0) {
        size_t at = start - 1;
        while (at > 0 && start - at < 4 && ((unsigned char)text.p[at] & 0xC0) == 0x80)
            at--;
        uint32_t c;
        if (at + utf8_decode(str_slice(text, at, text.n), &c) != start) at = start - 1;
        if (!fits(canvas, str_slice(text, at, text.n), width)) break;
        start = at;
    }
    return str_slice(text, start, text.n);
}

int canvas_text_middle(struct canvas *canvas, int x, int y, int width, struct str text,
                       struct style style)
{
    if (width <= 0) return 0;
    if (width < 5 || fits(canvas, text, width))
        return canvas_text(canvas, x, y, width, text, style);
    int head = (width - 1 + 1) / 2;
    int used = draw_clipped(canvas, x, y, head, text, style);
    canvas_put(canvas, x + used++, y, canvas_glyph(canvas, 0x2026, '~'), style);
    struct str tail = tail_of(canvas, text, width - used);
    return used + draw_clipped(canvas, x + used, y, width - used, tail, style);
}

int canvas_text_right(struct canvas *canvas, int x, int y, int width, struct str text,
                      struct style style)
{
    int cells = (int)utf8_visible_width(text, canvas->ascii);
    if (cells >= width) return canvas_text(canvas, x, y, width, text, style);
    return canvas_text(canvas, x + width - cells, y, cells, text, style);
}

int canvas_printf(struct canvas *canvas, int x, int y, int width, struct style style,
                  const char *format, ...)
{
    struct buffer text = BUFFER_INIT;
    va_list args;
    va_start(args, format);
    buffer_vprintf(&text, format, args);
    va_end(args);
    int used = canvas_text(canvas, x, y, width, buffer_str(&text), style);
    buffer_free(&text);
    return used;
}

size_t canvas_wrap(struct str text, int width, bool ascii)
{
    size_t at = 0, after_blank = 0;
    int used = 0;
    while (at < text.n) {
        uint32_t c;
        size_t bytes = utf8_decode(str_slice(text, at, text.n), &c);
        if (c == '\n') return at + 1;
        int cells = utf8_width(utf8_visible(c, ascii));
        if (used + cells > width) break;
        used += cells;
        at += bytes;
        if (c == ' ') after_blank = at;
    }
    if (at >= text.n) return text.n;
    if (after_blank * 3 > at * 2) return after_blank;
    return at ? at : 1;
}
