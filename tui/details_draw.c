/* Draws the lines: one column, or two where there is room. */
#include "tui/details.h"

/* A histogram; returns the cells that it took, a blank included. */
static int draw_levels(struct canvas *canvas, const struct detail_line *line, int x,
                       struct rect area, uint8_t bg, uint8_t attributes)
{
    static const char ascii[] = " .:-=+*##";
    if (!line->levels || x + line->n_levels > area.x + area.w) return 0;
    for (int i = 0; i < line->n_levels; i++) {
        uint8_t level = line->levels[i];
        bool here = i == line->here;
        struct style style = {here ? COLOR_SELECTION : COLOR_SUMMARY, bg, attributes};
        if (here) style.attributes |= CELL_UNDERLINE;
        canvas_put(canvas, x + i, area.y,
                   level ? canvas_glyph(canvas, 0x2580u + level, ascii[level]) : ' ', style);
    }
    return line->n_levels + 1;
}

static void draw_line(struct app *app, const struct detail_line *line, struct rect area,
                      int label_w, bool focused)
{
    struct canvas *canvas = app->canvas;
    uint8_t bg = focused ? COLOR_FOCUS : COLOR_DEFAULT;
    uint8_t attributes = focused && app->theme->is_mono ? CELL_REVERSE : 0;
    if (focused) canvas_fill(canvas, area, ' ', (struct style){COLOR_DEFAULT, bg, attributes});
    uint32_t marker =
        line->is_open ? canvas_glyph(canvas, 0x25BE, '-') : canvas_glyph(canvas, 0x25B8, '+');
    if (line->is_heading) {
        int shift = line->fold ? 2 : 0;
        if (shift)
            canvas_put(canvas, area.x, area.y, marker, (struct style){COLOR_DIM, bg, attributes});
        canvas_text_middle(canvas, area.x + shift, area.y, area.w - shift, line->value,
                           (struct style){COLOR_DEFAULT, bg, attributes | CELL_BOLD});
        return;
    }
    int x = area.x + 1 + line->indent;
    if (line->fold)
        canvas_put(canvas, x - 1, area.y, marker, (struct style){COLOR_DIM, bg, attributes});
    int label_room = label_w - line->indent;
    if (line->label.n)
        canvas_text(canvas, x, area.y, label_room, line->label,
                    (struct style){COLOR_DIM, bg, attributes});
    int value_x = area.x + 1 + (line->label.n ? label_w + 1 : line->indent);
    int room = area.x + area.w - value_x;
    value_x += draw_levels(canvas, line, value_x, area, bg, attributes);
    room = area.x + area.w - value_x;
    uint8_t fg =
        line->leads || (line->command && !line->is_quiet) ? COLOR_SELECTION : COLOR_DEFAULT;
    int used =
        canvas_text(canvas, value_x, area.y, room, line->value, (struct style){fg, bg, attributes});
    if (line->bar < 0 || room - used < 8) return;
    int cells = room - 12 < 20 ? room - 12 : 20;
    int eighths = (int)(line->bar * cells * 8 + 0.5);
    for (int i = 0; i < cells && eighths > 0; i++, eighths -= 8)
        canvas_put(canvas, value_x + 12 + i, area.y,
                   canvas_glyph(canvas, eighths >= 8 ? 0x2588 : 0x2590u - (uint32_t)eighths, '#'),
                   (struct style){COLOR_SUMMARY, bg, attributes});
}

static int label_width(const struct detail_lines *lines, int room)
{
    size_t most = 6;
    for (size_t i = 0; i < lines->count; i++) {
        size_t n = lines->items[i].label.n + lines->items[i].indent;
        if (n > most) most = n;
    }
    int limit = room / 2;
    return (int)most < limit ? (int)most : limit;
}

static bool is_two_columns(const struct details *d, struct rect area)
{
    return area.w >= 72 && d->right.count;
}

static int left_width(struct rect area)
{
    return area.w * 11 / 20;
}

int64_t details_row_at(const struct app *app, const struct details *d, int x, int y)
{
    struct rect area = app->layout.drawer;
    int64_t line = y - area.y + app->drawer_top;
    int64_t left = (int64_t)d->left.count, right = (int64_t)d->right.count;
    if (line < 0) return -1;
    if (!is_two_columns(d, area)) return line < left + right ? line : -1;
    if (x <= area.x + left_width(area)) return line < left ? line : -1;
    return line < right ? left + line : -1;
}

void details_draw(struct app *app, const struct details *d, struct rect area)
{
    struct session *s = app->session;
    if (!d->left.count && !d->right.count) {
        canvas_text(app->canvas, area.x + 1, area.y, area.w - 2,
                    STR("Nothing is selected: Enter selects what is under the cursor."),
                    STYLE(DIM, DEFAULT, 0));
        return;
    }
    const struct tab *tab = session_tab_shown(s);
    uint64_t row = s->pane == PANE_DETAILS && tab ? tab->row : UINT64_MAX;
    bool two = is_two_columns(d, area);
    struct rect left = area;
    if (two) left.w = left_width(area);
    int widths[2] = {label_width(&d->left, left.w), label_width(&d->right, area.w - left.w)};
    if (!two) widths[0] = widths[1] = widths[0] > widths[1] ? widths[0] : widths[1];
    if (row != UINT64_MAX) {
        int64_t at = (int64_t)row;
        if (two && at >= (int64_t)d->left.count) at -= (int64_t)d->left.count;
        if (at < app->drawer_top) app->drawer_top = at;
        if (at >= app->drawer_top + area.h) app->drawer_top = at - area.h + 1;
    }
    uint64_t index = 0;
    for (int side = 0; side < 2; side++) {
        const struct detail_lines *lines = side ? &d->right : &d->left;
        struct rect column = left;
        if (side && two)
            column = (struct rect){area.x + left.w + 1, area.y, area.w - left.w - 1, area.h};
        int64_t y = column.y - app->drawer_top;
        if (side && !two) y += (int64_t)d->left.count;
        for (size_t i = 0; i < lines->count; i++, y++, index++) {
            if (y < area.y || y >= area.y + area.h) continue;
            draw_line(app, &lines->items[i], (struct rect){column.x, (int)y, column.w, 1},
                      widths[side], index == row);
        }
    }
}
