#include "tui/overlay.h"

#include "engine/base/memory.h"

void overlay_push(struct app *app, struct overlay *overlay)
{
    overlay->below = app->overlay;
    app->overlay = overlay;
    app->needs_draw = true;
}

void overlay_remove(struct app *app, struct overlay *overlay)
{
    for (struct overlay **link = &app->overlay; *link; link = &(*link)->below) {
        if (*link != overlay) continue;
        *link = overlay->below;
        overlay->kind->dispose(overlay);
        app->needs_draw = true;
        return;
    }
}

void overlay_key(struct app *app, struct key key)
{
    struct overlay *top = app->overlay;
    bool escape = (key.code == KEY_NAME_ESCAPE && !key.modifiers) ||
                  (key.code == 'c' && key.modifiers == KEY_CTRL);
    app->needs_draw = true;
    if (escape) {
        if (top->kind->cancel) top->kind->cancel(app, top);
        overlay_remove(app, top);
    } else if (top->kind->key(app, top, key) == OVERLAY_DONE) {
        overlay_remove(app, top);
    }
}

static void draw_from(struct app *app, struct overlay *overlay)
{
    if (!overlay) return;
    draw_from(app, overlay->below);
    overlay->kind->draw(app, overlay);
}

void overlay_draw_all(struct app *app)
{
    draw_from(app, app->overlay);
}

void overlay_free_all(struct app *app)
{
    while (app->overlay)
        overlay_remove(app, app->overlay);
}

struct rect overlay_box(struct app *app, int width, int height, const char *title)
{
    struct canvas *canvas = app->canvas;
    if (width > canvas->width) width = canvas->width;
    if (height > canvas->height) height = canvas->height;
    struct rect box = {(canvas->width - width) / 2, (canvas->height - height) / 2, width, height};
    struct style line = STYLE(DIM, DEFAULT, 0);
    canvas_fill(canvas, box, ' ', STYLE_PLAIN);
    int right = box.x + box.w - 1, bottom = box.y + box.h - 1;
    for (int x = box.x; x <= right; x++) {
        canvas_put(canvas, x, box.y, canvas_glyph(canvas, 0x2500, '-'), line);
        canvas_put(canvas, x, bottom, canvas_glyph(canvas, 0x2500, '-'), line);
    }
    for (int y = box.y; y <= bottom; y++) {
        canvas_put(canvas, box.x, y, canvas_glyph(canvas, 0x2502, '|'), line);
        canvas_put(canvas, right, y, canvas_glyph(canvas, 0x2502, '|'), line);
    }
    canvas_put(canvas, box.x, box.y, canvas_glyph(canvas, 0x250C, '+'), line);
    canvas_put(canvas, right, box.y, canvas_glyph(canvas, 0x2510, '+'), line);
    canvas_put(canvas, box.x, bottom, canvas_glyph(canvas, 0x2514, '+'), line);
    canvas_put(canvas, right, bottom, canvas_glyph(canvas, 0x2518, '+'), line);
    if (title && *title && box.w > 6) {
        int used = canvas_text(canvas, box.x + 2, box.y, box.w - 5, str_of(title),
                               STYLE(DEFAULT, DEFAULT, CELL_BOLD));
        canvas_put(canvas, box.x + 1, box.y, ' ', line);
        canvas_put(canvas, box.x + 2 + used, box.y, ' ', line);
    }
    canvas->cursor_x = canvas->cursor_y = -1;
    struct rect inside = {box.x + 2, box.y + 1, box.w - 4, box.h - 2};
    if (inside.w < 0) inside.w = 0;
    if (inside.h < 0) inside.h = 0;
    return inside;
}
