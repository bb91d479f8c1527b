#include "tui/timeline.h"

#include <string.h>

#include "commands/compare.h"
#include "engine/base/utf8.h"
#include "tui/arrows.h"
#include "tui/time_text.h"
#include "tui/counter_draw.h"
#include "tui/track_draw.h"

#define VALUE_CELLS 7 /* kept free for a counter's value in the column of names */

uint32_t app_row_lines(const struct track_node *node)
{
    bool deep = node->kind == TRACK_KIND_SLICES || node->kind == TRACK_KIND_DEBUG_SLICES;
    if (!deep || node->flat) return 1;
    return node->depths ? node->depths : 1;
}

int timeline_pinned_lines(struct session *session)
{
    uint32_t count;
    const struct session_row *rows = session_rows(session, &count);
    int lines = 0;
    for (uint32_t i = 0; i < count && rows[i].pinned; i++)
        lines += (int)app_row_lines(rows[i].node);
    return lines;
}

static bool is_focused(const struct session *s, const struct session_row *row)
{
    return s->focus == row->node && s->focus_pinned == row->pinned;
}

static bool in_area(const struct session *s, const struct track_node *node, int64_t *start,
                    int64_t *end)
{
    if (s->selection.kind != SELECTION_AREA) return false;
    *start = s->selection.start;
    *end = s->selection.end;
    return s->selection.tracks.count == 0 || selection_has_track(&s->selection, node->uri);
}

/* ---- the name column ---- */

static void draw_name(struct app *app, const struct session_row *row,
                      const struct session_row *above, struct rect area, bool first_line)
{
    struct session *s = app->session;
    struct canvas *canvas = app->canvas;
    const struct track_node *node = row->node;
    bool focused = is_focused(s, row);
    struct style style = STYLE_PLAIN;
    if (node->kind == TRACK_KIND_GROUP || node->kind == TRACK_KIND_PROCESS)
        style.attributes |= CELL_BOLD;
    if (focused) {
        canvas_background(canvas, area, COLOR_FOCUS);
        style.bg = COLOR_FOCUS;
        style.attributes |= CELL_BOLD;
        if (app->theme->is_mono) style.attributes |= CELL_REVERSE;
    }
    if (!first_line) return;
    if (s->selection.kind == SELECTION_TRACK && s->selection.uri &&
        strcmp(s->selection.uri, node->uri) == 0)
        style.fg = COLOR_SELECTION;
    int x = area.x + (row->pinned ? 0 : row->indent < 8 ? row->indent : 8);
    uint32_t marker = ' ';
    if (row->pinned)
        marker = canvas_glyph(canvas, 0x25B4, '^');
    else if (node->children.count)
        marker =
            node->collapsed ? canvas_glyph(canvas, 0x25B8, '+') : canvas_glyph(canvas, 0x25BE, '-');
    else if (node->flat && node->depths > 1)
        marker = canvas_glyph(canvas, 0x25B9, '+');
    struct style mark = style;
    if (!focused) mark.fg = row->pinned ? COLOR_ACCENT : COLOR_DIM;
    canvas_put(canvas, x, area.y, marker, mark);
    int room = area.x + area.w - x - 2;
    double value;
    if (counter_at(app, node, s->cursor, &value)) {
        struct buffer text = BUFFER_INIT;
        if (node->counter_mode == COUNTER_DELTA)
            buffer_append_text(&text, canvas->ascii ? "d " : "\u0394 ");
        number_write(value, node->unit, &text);
        if (node->counter_mode == COUNTER_RATE) buffer_append_text(&text, "/s");
        int cells = (int)utf8_visible_width(buffer_str(&text), canvas->ascii);
        if (cells + 6 <= room) {
            struct style dim = style;
            if (!focused) dim.fg = COLOR_DIM;
            /* The whole field has one colour, so that another value is one run of text. */
            int field = cells < VALUE_CELLS && VALUE_CELLS <= room ? VALUE_CELLS : cells;
            canvas_fill(canvas, (struct rect){x + 2 + room - field, area.y, field, 1}, ' ', dim);
            canvas_text_right(canvas, x + 2 + room - cells, area.y, cells, buffer_str(&text), dim);
            /* A name that is cut is cut alike whatever the value, or it would dance. */
            int name = (int)utf8_visible_width(str_of(node->name), canvas->ascii);
            if (cells < VALUE_CELLS && VALUE_CELLS + 6 <= room && name > room - cells - 1)
                cells = VALUE_CELLS;
            room -= cells + 1;
        }
        buffer_free(&text);
    }
    /* A thread's slices bear the name of the state row above them. */
    if (!focused && above && above->node->parent == node->parent &&
        strcmp(above->node->name, node->name) == 0)
        style.fg = COLOR_DIM;
    canvas_text_middle(canvas, x + 2, area.y, room, str_of(node->name), style);
}

/* ---- marks over the time axis ---- */

static bool is_blank(const struct cell *cell)
{
    return cell->character == ' ' && cell->bg == COLOR_DEFAULT;
}

static void draw_marks(struct app *app, const struct session_row *row, struct rect area,
                       uint32_t line_from)
{
    struct session *s = app->session;
    struct canvas *canvas = app->canvas;
    int64_t start, end;
    if (in_area(s, row->node, &start, &end)) {
        int from = app_x_of_time(app, start), to = app_x_of_time(app, end);
        for (int y = area.y; y < area.y + area.h; y++)
            for (int x = from; x <= to; x++) {
                if (x < area.x || x >= area.x + area.w) continue;
                struct cell *cell = canvas_at(canvas, x, y);
                if (is_blank(cell)) {
                    cell->bg = COLOR_FOCUS;
                    if (canvas->mono) cell->character = canvas_glyph(canvas, 0xB7, '.');
                } else {
                    cell->attributes |= CELL_UNDERLINE;
                }
            }
    }
    int x = app_x_of_time(app, s->cursor);
    if (x < area.x || x >= area.x + area.w) return;
    for (int line = 0; line < area.h; line++) {
        struct cell *cell = canvas_at(canvas, x, area.y + line);
        bool here = is_focused(s, row) && line_from + (uint32_t)line == s->focus_depth;
        if (here) {
            cell->fg = COLOR_INK_DARK;
            cell->bg = COLOR_ACCENT;
            if (app->theme->is_mono) cell->attributes ^= CELL_REVERSE;
            canvas->cursor_x = x;
            canvas->cursor_y = area.y + line;
        } else if (s->crosshair && is_blank(cell)) {
            cell->character = canvas_glyph(canvas, 0x2506, ':');
            cell->fg = COLOR_ACCENT;
        }
    }
}

/* The line that begins a trace: which one it is, how long, how far it was moved. */
static void draw_trace_title(struct app *app, const struct track_node *node, struct rect area)
{
    struct session *s = app->session;
    const struct session_trace *trace = &s->traces[node->trace];
    if (!session_is_comparing(s) || node->parent || node->kind != TRACK_KIND_GROUP) return;
    struct style style = STYLE(BAR_TEXT, BAR, CELL_BOLD);
    struct buffer text = BUFFER_INIT;
    buffer_printf(&text, " %c %s  ", session_trace_letter(node->trace), trace->title);
    duration_write(trace->end - trace->start, &text);
    buffer_append_text(&text, "  begins ");
    time_write_tick(s, trace->start + trace->offset_ns, 0, &text);
    canvas_fill(app->canvas, area, ' ', style);
    canvas_text_middle(app->canvas, area.x, area.y, area.w, buffer_str(&text), style);
    buffer_free(&text);
}

static void draw_row(struct app *app, const struct session_row *row,
                     const struct session_row *above, int y, uint32_t line_from, int lines)
{
    const struct layout *l = &app->layout;
    struct rect names = {0, y, l->names_w, lines};
    struct rect axis = {l->time_x, y, l->time_w, lines};
    draw_name(app, row, above, names, line_from == 0);
    canvas_fill(app->canvas, (struct rect){l->names_w, y, 1, lines},
                canvas_glyph(app->canvas, 0x2502, '|'), STYLE(GRID, DEFAULT, 0));
    struct rect old = canvas_clip(app->canvas, axis);
    track_draw(app, row->node, axis, line_from);
    draw_trace_title(app, row->node, axis);
    draw_marks(app, row, axis, line_from);
    canvas_unclip(app->canvas, old);
}

/* Draws rows [first, end) into `area`, from line `top` of them. */
static void draw_rows(struct app *app, const struct session_row *rows, uint32_t first, uint32_t end,
                      struct rect area, int64_t top)
{
    int64_t line = -top;
    for (uint32_t i = first; i < end && line < area.h; i++) {
        int lines = (int)app_row_lines(rows[i].node);
        if (line + lines > 0) {
            int64_t skip = line < 0 ? -line : 0;
            int64_t shown = lines - skip;
            if (line + skip + shown > area.h) shown = area.h - line - skip;
            draw_row(app, &rows[i], i > first ? &rows[i - 1] : NULL, area.y + (int)(line + skip),
                     (uint32_t)skip, (int)shown);
        }
        line += lines;
    }
}

/* Keeps line [from, from + 1) of `total` inside a window of `height` lines. */
static void scroll_to(int64_t *top, int64_t line, int64_t total, int height)
{
    if (line >= 0) {
        if (line < *top) *top = line;
        if (line >= *top + height) *top = line - height + 1;
    }
    if (*top > total - height) *top = total - height;
    if (*top < 0) *top = 0;
}

void timeline_draw(struct app *app)
{
    struct session *s = app->session;
    const struct layout *l = &app->layout;
    uint32_t count;
    const struct session_row *rows = session_rows(s, &count);
    uint32_t n_pinned = 0;
    while (n_pinned < count && rows[n_pinned].pinned)
        n_pinned++;
    int64_t lines[2] = {0, 0}, focus_line[2] = {-1, -1};
    for (uint32_t i = 0; i < count; i++) {
        int part = i < n_pinned ? 0 : 1;
        if (is_focused(s, &rows[i])) {
            uint32_t depth = s->focus_depth, height = app_row_lines(rows[i].node);
            focus_line[part] = lines[part] + (depth < height ? depth : height - 1);
        }
        lines[part] += app_row_lines(rows[i].node);
    }
    if (!app->focus_follows) focus_line[0] = focus_line[1] = -1;
    app->focus_follows = false;
    scroll_to(&app->pinned_top, focus_line[0], lines[0], l->pinned.h);
    scroll_to(&app->tree_top, focus_line[1], lines[1], l->tree.h);
    draw_rows(app, rows, 0, n_pinned, l->pinned, app->pinned_top);
    draw_rows(app, rows, n_pinned, count, l->tree, app->tree_top);
    arrows_draw(app);
    if (l->separator_y >= 0) {
        struct canvas *canvas = app->canvas;
        canvas_fill(canvas, (struct rect){0, l->separator_y, l->time_x + l->time_w, 1},
                    canvas_glyph(canvas, 0x2500, '-'), STYLE(GRID, DEFAULT, 0));
        canvas_put(canvas, l->names_w, l->separator_y, canvas_glyph(canvas, 0x253C, '+'),
                   STYLE(GRID, DEFAULT, 0));
    }
}

bool timeline_line_of(struct app *app, const char *uri, uint32_t depth, int *y)
{
    const struct layout *l = &app->layout;
    uint32_t count;
    const struct session_row *rows = session_rows(app->session, &count);
    int64_t line = l->pinned.y - app->pinned_top, found = INT64_MIN;
    bool in_tree = false;
    for (uint32_t i = 0; i < count; i++) {
        if (!rows[i].pinned && !in_tree) {
            in_tree = true;
            line = l->tree.y - app->tree_top;
        }
        uint32_t lines = app_row_lines(rows[i].node);
        if (strcmp(rows[i].node->uri, uri) == 0) {
            found = line + (depth < lines ? depth : lines - 1);
            /* A pinned row is meant when it has the focus, else the one of the tree. */
            if (in_tree || is_focused(app->session, &rows[i])) break;
        }
        line += lines;
    }
    if (found == INT64_MIN) return false;
    *y = found < INT32_MIN ? INT32_MIN : found > INT32_MAX ? INT32_MAX : (int)found;
    return true;
}

bool timeline_row_at(struct app *app, int y, int64_t *row, uint32_t *depth)
{
    const struct layout *l = &app->layout;
    uint32_t count;
    const struct session_row *rows = session_rows(app->session, &count);
    bool in_pinned = y >= l->pinned.y && y < l->pinned.y + l->pinned.h;
    bool in_tree = y >= l->tree.y && y < l->tree.y + l->tree.h;
    if (!in_pinned && !in_tree) return false;
    int64_t line = in_pinned ? y - l->pinned.y + app->pinned_top : y - l->tree.y + app->tree_top;
    for (uint32_t i = 0; i < count; i++) {
        if (rows[i].pinned != in_pinned) continue;
        int64_t lines = app_row_lines(rows[i].node);
        if (line < lines) {
            *row = i;
            *depth = (uint32_t)line;
            return true;
        }
        line -= lines;
    }
    return false;
}
