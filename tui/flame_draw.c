#include "tui/flame_draw.h"

#include "commands/flame_export.h"
#include "commands/flame_text.h"
#include "engine/base/utf8.h"
#include "tui/time_text.h"

#define BESIDE_WIDTH 120 /* cells from which the table stands beside the icicle */
#define BELOW_HEIGHT 26  /* lines from which it stands below it */

/* Where the parts are inside the drawer. */
struct parts {
    struct rect head, icicle, table, details; /* h 0: not there */
};

static struct parts part(struct rect area)
{
    struct parts p = {.head = {area.x, area.y, area.w, area.h > 1 ? 1 : 0}};
    int lines = area.h >= 8 ? 2 : area.h >= 3 ? 1 : 0;
    int y = area.y + p.head.h, h = area.h - p.head.h - lines;
    p.details = (struct rect){area.x, y + h, area.w, lines};
    p.icicle = (struct rect){area.x, y, area.w, h};
    if (area.w >= BESIDE_WIDTH && h >= 6) {
        int w = area.w * 2 / 5;
        if (w > 76) w = 76;
        p.icicle.w -= w + 1;
        p.table = (struct rect){area.x + area.w - w, y, w, h};
    } else if (area.h >= BELOW_HEIGHT) {
        int rows = h / 3;
        p.icicle.h -= rows + 1;
        p.table = (struct rect){area.x, y + h - rows, area.w, rows};
    }
    return p;
}

static const char *unit_of(const struct flame_view *view)
{
    return view->weighed.unit;
}

/* ---- the line at the top ---- */

static void write_state(const struct flame_view *view, struct buffer *out)
{
    if (view->job) {
        buffer_append_text(out, "working for ");
        duration_write(clock_now_ns() - view->started_ns, out);
        buffer_append_text(out, ", Ctrl-C stops it");
        return;
    }
    if (!view->tree) return;
    if (view->drawn.highlight) {
        const struct flame_node *root = &view->tree->nodes.items[0];
        buffer_printf(out, "%u frames match %s: ", view->tree->highlighted_nodes,
                      view->drawn.highlight);
        flame_write_percent(view->tree->highlighted[0], root->total[0], out);
    }
    if (view->tree->is_cut) buffer_append_text(out, "  (deep stacks are cut)");
}

static void draw_head(struct app *app, const struct flame_view *view, struct rect area)
{
    struct buffer text = BUFFER_INIT;
    const struct flame_metric *metric =
        view->tree ? &view->weighed : &view->metrics.items[view->metric];
    buffer_printf(&text, "%s", metric->name);
    if (view->tree) {
        buffer_append_byte(&text, ' ');
        flame_write_value(view->tree->nodes.items[0].total[0], metric->unit, &text);
    }
    int x = area.x + 1, room = area.w - 2;
    int used = canvas_text(app->canvas, x, area.y, room, buffer_str(&text),
                           STYLE(ACCENT, DEFAULT, CELL_BOLD));
    buffer_clear(&text);
    write_state(view, &text);
    int right = (int)utf8_visible_width(buffer_str(&text), app->canvas->ascii);
    if (right > room - used - 12) right = room - used > 24 ? room - used - 12 : 0;
    if (right)
        canvas_text_right(app->canvas, x + room - right, area.y, right, buffer_str(&text),
                          view->job ? STYLE(ACCENT, DEFAULT, 0) : STYLE(MATCH, DEFAULT, 0));
    buffer_clear(&text);
    buffer_printf(&text, "%s ", flame_direction_name(view->drawn.direction));
    flame_write_filters(&view->drawn, &text);
    buffer_printf(&text, "%sof %s", text.data[text.length - 1] == ' ' ? "" : "  ", view->now.title);
    if (view->drawn.compares && view->base.title)
        buffer_printf(&text, ", compared with %s", view->base.title);
    canvas_text(app->canvas, x + used + 1, area.y, room - used - 1 - (right ? right + 1 : 0),
                buffer_str(&text), STYLE_PLAIN);
    buffer_free(&text);
}

/* ---- the lines at the bottom ---- */

static void write_share(const struct flame_view *view, const struct flame_node *node,
                        struct buffer *out)
{
    const struct flame_tree *tree = view->tree;
    const struct flame_node *root = &tree->nodes.items[node->is_caller ? tree->callers : 0];
    buffer_append_text(out, "total ");
    flame_write_value(node->total[0], unit_of(view), out);
    buffer_append_byte(out, ' ');
    flame_write_percent(node->total[0], root->total[0], out);
    if (node->parent != FLAME_NONE && node->parent != 0) {
        buffer_append_text(out, " (of its parent ");
        flame_write_percent(node->total[0], tree->nodes.items[node->parent].total[0], out);
        buffer_append_byte(out, ')');
    }
    buffer_append_text(out, "  self ");
    flame_write_value(node->self[0], unit_of(view), out);
    buffer_append_byte(out, ' ');
    flame_write_percent(node->self[0], root->total[0], out);
    if (!view->drawn.compares) return;
    double grown = node->total[0] - node->total[1];
    buffer_append_text(out, "  before ");
    flame_write_value(node->total[1], unit_of(view), out);
    buffer_append_text(out, grown < 0 ? "  shrunk " : "  grown ");
    flame_write_value(grown < 0 ? -grown : grown, unit_of(view), out);
}

static void draw_details(struct app *app, const struct flame_view *view, struct rect area)
{
    const struct flame_node *node = flame_view_node(view);
    if (!node || !area.h) return;
    struct buffer text = BUFFER_INIT;
    struct str name = flame_node_name(view->profile, node);
    if (area.h == 1) {
        int half = area.w / 2;
        int used = canvas_text_middle(app->canvas, area.x + 1, area.y, half, name,
                                      STYLE(DEFAULT, DEFAULT, CELL_BOLD));
        write_share(view, node, &text);
        canvas_text(app->canvas, area.x + used + 3, area.y, area.w - used - 4, buffer_str(&text),
                    STYLE_PLAIN);
        buffer_free(&text);
        return;
    }
    int used = canvas_text_middle(app->canvas, area.x + 1, area.y, area.w - 2, name,
                                  STYLE(DEFAULT, DEFAULT, CELL_BOLD));
    if (node->frame != FLAME_NONE) {
        const struct flame_frame *frame = &view->profile->frames.items[node->frame];
        if (frame->mapping.n) buffer_append_str(&text, frame->mapping);
        if (frame->file.n) {
            buffer_append_text(&text, text.length ? "  " : "");
            buffer_append_str(&text, frame->file);
            if (frame->line) buffer_printf(&text, ":%u", frame->line);
        }
    }
    int room = area.w - used - 5;
    if (room > 6)
        canvas_text_middle(app->canvas, area.x + used + 3, area.y, room, buffer_str(&text),
                           STYLE(DIM, DEFAULT, 0));
    buffer_clear(&text);
    write_share(view, node, &text);
    canvas_text(app->canvas, area.x + 1, area.y + 1, area.w - 2, buffer_str(&text), STYLE_PLAIN);
    buffer_free(&text);
}

/* ---- the table ---- */

#define NUMBER_CELLS 10

static void draw_number(struct app *app, int x, int y, double value, const char *unit, bool sign,
                        struct style style)
{
    struct buffer text = BUFFER_INIT;
    if (sign && value > 0) buffer_append_byte(&text, '+');
    flame_write_value(value, unit, &text);
    canvas_text_right(app->canvas, x, y, NUMBER_CELLS, buffer_str(&text), style);
    buffer_free(&text);
}

static void draw_table(struct app *app, const struct flame_view *view, struct rect area)
{
    static const char *const plain[] = {"self", "total", "self %"};
    static const char *const compared[] = {"self", "total", "growth"};
    const struct flame_tree *tree = view->tree;
    const struct flame_node *at = flame_view_node(view);
    bool compares = view->drawn.compares;
    struct style head = STYLE(DIM, DEFAULT, CELL_UNDERLINE);
    if (area.h < 2 || !tree) return;
    for (int i = 0; i < 3; i++)
        canvas_text_right(app->canvas, area.x + i * (NUMBER_CELLS + 1), area.y, NUMBER_CELLS,
                          str_of((compares ? compared : plain)[i]), head);
    int x = area.x + 3 * (NUMBER_CELLS + 1) + 1;
    canvas_text(app->canvas, x, area.y, area.x + area.w - x, STR("function"), head);
    for (int i = 0; i + 1 < area.h && i < (int)tree->functions.count; i++) {
        const struct flame_function *f = &tree->functions.items[i];
        int y = area.y + 1 + i;
        struct style style = STYLE_PLAIN;
        if (at && at->frame == f->frame) style = STYLE(SELECTION, DEFAULT, CELL_BOLD);
        draw_number(app, area.x, y, f->self[0], unit_of(view), false, style);
        draw_number(app, area.x + NUMBER_CELLS + 1, y, f->total[0], unit_of(view), false, style);
        if (compares) {
            draw_number(app, area.x + 2 * (NUMBER_CELLS + 1), y, f->total[0] - f->total[1],
                        unit_of(view), true, style);
        } else {
            struct buffer text = BUFFER_INIT;
            flame_write_percent(f->self[0], tree->nodes.items[0].total[0], &text);
            canvas_text_right(app->canvas, area.x + 2 * (NUMBER_CELLS + 1), y, NUMBER_CELLS,
                              buffer_str(&text), style);
            buffer_free(&text);
        }
        canvas_text_middle(app->canvas, x, y, area.x + area.w - x,
                           view->profile->frames.items[f->frame].name, style);
    }
}

/* ---- all ---- */

static void draw_nothing(struct app *app, const struct flame_view *view, struct rect area)
{
    const char *why = view->error ? view->error
                      : view->job ? "gathering call stacks"
                      : view->drawn.filters.count || view->drawn.direction == FLAME_PIVOT
                          ? "No stack passes the filters: they can be taken away again."
                          : "Nothing of this kind is there: another measure, or more time?";
    canvas_text(app->canvas, area.x + 1, area.y, area.w - 2, str_of(why), STYLE(DIM, DEFAULT, 0));
}

/* Scrolls so that the cursor is seen, and no further than the last row. */
static void scroll(struct app *app, const struct flame_view *view, int height)
{
    int row = flame_row_of(view->tree, flame_view_node(view)), rows = flame_rows(view->tree);
    if (row < app->drawer_top) app->drawer_top = row;
    if (row >= app->drawer_top + height) app->drawer_top = row - height + 1;
    if (app->drawer_top > rows - height) app->drawer_top = rows - height;
    if (app->drawer_top < 0) app->drawer_top = 0;
}

void flame_draw(struct app *app, struct rect area)
{
    const struct flame_view *view = app->session->flame;
    if (!view || !view->now.title || view->metric >= view->metrics.count) {
        canvas_text(app->canvas, area.x + 1, area.y, area.w - 2,
                    STR("No flamegraph: F opens one of what is selected."), STYLE(DIM, DEFAULT, 0));
        return;
    }
    struct parts p = part(area);
    if (p.head.h) draw_head(app, view, p.head);
    if (!view->tree || view->tree->nodes.items[0].width <= 0) {
        draw_nothing(app, view, p.icicle);
        return;
    }
    scroll(app, view, p.icicle.h);
    struct rect old = canvas_clip(app->canvas, p.icicle);
    flame_draw_icicle(app, view, p.icicle, (int)app->drawer_top);
    canvas_unclip(app->canvas, old);
    if (p.table.h) draw_table(app, view, p.table);
    draw_details(app, view, p.details);
}

bool flame_click(struct app *app, int x, int y)
{
    struct flame_view *view = app->session->flame;
    if (!view || !view->tree) return false;
    struct rect area = part(app->layout.drawer).icicle;
    if (x < area.x || x >= area.x + area.w || y < area.y || y >= area.y + area.h) return false;
    uint32_t node = flame_node_at(view, area, (int)app->drawer_top, x, y);
    if (node == FLAME_NONE) return false;
    view->cursor = node;
    session_changed(app->session);
    return true;
}

bool flame_export_shown(struct session *session, const char *path, struct buffer *out,
                        struct status *st)
{
    const struct flame_view *view = session->flame;
    if (!view || !view->tree)
        return status_fail(st, STATUS_INVALID, STATUS_NO_OFFSET, "no flamegraph is there yet");
    struct flame_export what = {view->profile, &view->drawn, &view->weighed, view->now.title};
    return flame_export(&what, flame_format_of(path), out, NULL, st);
}
