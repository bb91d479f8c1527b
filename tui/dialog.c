#include "tui/dialog.h"

#include <stdarg.h>
#include <string.h>

#include "engine/base/memory.h"
#include "engine/base/utf8.h"
#include "tui/overlay.h"

struct dialog_overlay {
    struct overlay overlay;
    struct dialog *dialog;
    char *answer; /* 0 until one is chosen; owned by dialog_ask */
    int top, total, height;
};

void dialog_add(struct dialog *dialog, int indent, struct style style, const char *format, ...)
{
    struct buffer text = BUFFER_INIT;
    va_list args;
    va_start(args, format);
    buffer_vprintf(&text, format, args);
    va_end(args);
    struct dialog_line line = {(uint8_t)indent, style, buffer_take(&text)};
    vec_push(&dialog->lines, line);
}

void dialog_dispose(struct dialog *dialog)
{
    for (size_t i = 0; i < dialog->lines.count; i++)
        mem_free(dialog->lines.items[i].text);
    vec_free(&dialog->lines);
    mem_free(dialog->title);
    dialog->title = NULL;
}

/* Draws the wrapped lines from `top` on (canvas area), or only counts them. */
static int lay_out(struct app *app, const struct dialog *dialog, struct rect area, int top,
                   bool draw)
{
    int y = 0;
    for (size_t i = 0; i < dialog->lines.count; i++) {
        const struct dialog_line *line = &dialog->lines.items[i];
        struct str rest = str_of(line->text);
        int width = area.w - line->indent;
        if (width < 8) width = 8;
        do {
            size_t n = canvas_wrap(rest, width, app->canvas->ascii);
            struct str piece = str_slice(rest, 0, n);
            if (piece.n && piece.p[piece.n - 1] == '\n') piece.n--;
            if (draw && y >= top && y < top + area.h)
                canvas_text(app->canvas, area.x + line->indent, area.y + y - top, width, piece,
                            line->style);
            rest = str_slice(rest, n, rest.n);
            y++;
        } while (rest.n);
    }
    return y;
}

/* How many lines the buttons take, drawn from area.y on or only counted. */
static int lay_out_buttons(struct app *app, const struct dialog *dialog, struct rect area,
                           bool draw)
{
    int x = 0, y = 0;
    for (const struct dialog_button *b = dialog->buttons; b->key; b++) {
        char key[2] = {b->key, 0};
        int width = 2 + (int)utf8_visible_width(str_of(b->label), app->canvas->ascii);
        if (x > 0 && x + width > area.w) {
            x = 0;
            y++;
        }
        if (draw) {
            canvas_text(app->canvas, area.x + x, area.y + y, area.w - x, str_of(key),
                        STYLE(ACCENT, DEFAULT, CELL_BOLD | CELL_UNDERLINE));
            canvas_text(app->canvas, area.x + x + 2, area.y + y, area.w - x - 2, str_of(b->label),
                        STYLE_PLAIN);
        }
        x += width + 2;
    }
    return y + 1;
}

static void draw(struct app *app, struct overlay *overlay)
{
    struct dialog_overlay *d = (struct dialog_overlay *)overlay;
    int width = app->canvas->width < 100 ? app->canvas->width - 2 : 98;
    struct rect probe = {0, 0, width - 4, 1};
    int buttons = lay_out_buttons(app, d->dialog, probe, false);
    d->total = lay_out(app, d->dialog, probe, 0, false);
    int height = d->total + buttons + 3;
    if (height > app->canvas->height - 1) height = app->canvas->height - 1;
    struct rect inside = overlay_box(app, width, height, d->dialog->title);
    struct rect text = {inside.x, inside.y, inside.w, inside.h - buttons - 1};
    if (text.h < 1) text.h = 1;
    d->height = text.h;
    if (d->top > d->total - text.h) d->top = d->total - text.h;
    if (d->top < 0) d->top = 0;
    lay_out(app, d->dialog, text, d->top, true);
    struct rect bottom = {inside.x, inside.y + inside.h - buttons, inside.w, buttons};
    if (bottom.y < inside.y) bottom.y = inside.y;
    lay_out_buttons(app, d->dialog, bottom, true);
    if (d->top + text.h < d->total)
        canvas_text_right(app->canvas, inside.x, bottom.y - 1, inside.w,
                          STR("more below: j k scroll"), STYLE(DIM, DEFAULT, 0));
}

static enum overlay_reply key(struct app *app, struct overlay *overlay, struct key pressed)
{
    (void)app;
    struct dialog_overlay *d = (struct dialog_overlay *)overlay;
    if (!pressed.modifiers)
        for (const struct dialog_button *b = d->dialog->buttons; b->key; b++)
            if (pressed.code == (uint32_t)(unsigned char)b->key) {
                *d->answer = b->key;
                return OVERLAY_DONE;
            }
    switch (pressed.code) {
    case 'j':
    case KEY_NAME_DOWN: d->top++; break;
    case 'k':
    case KEY_NAME_UP: d->top--; break;
    case ' ':
    case KEY_NAME_PAGE_DOWN: d->top += d->height; break;
    case KEY_NAME_PAGE_UP: d->top -= d->height; break;
    case 'g':
    case KEY_NAME_HOME: d->top = 0; break;
    case 'G':
    case KEY_NAME_END: d->top = d->total; break;
    default: break;
    }
    return OVERLAY_STAYS;
}

static void cancel(struct app *app, struct overlay *overlay)
{
    (void)app;
    struct dialog_overlay *d = (struct dialog_overlay *)overlay;
    *d->answer = d->dialog->escape;
}

static void dispose(struct overlay *overlay)
{
    mem_free(overlay);
}

static const struct overlay_kind dialog_kind = {"dialog", false, key, draw, cancel, dispose};

char dialog_ask(struct app *app, struct dialog *dialog)
{
    struct dialog_overlay *d = mem_zero(1, sizeof *d);
    char answer = 0;
    d->overlay.kind = &dialog_kind;
    d->dialog = dialog;
    d->answer = &answer;
    overlay_push(app, &d->overlay);
    bool waiting = app->waiting, asking = app->asking;
    app->waiting = false;
    app->n_early = 0; /* typed before the question was seen: no answer to it */
    app->asking = true;
    while (!answer) {
        if (app->hooks.next_event && app->hooks.next_event(app->hooks.context, app)) continue;
        if (!answer) {
            answer = dialog->escape;
            overlay_remove(app, &d->overlay);
        }
    }
    app->waiting = waiting;
    app->asking = asking;
    return answer;
}
