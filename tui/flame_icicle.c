/* Boxes of a flamegraph in cells: a row for each depth, widths in eighths of a cell.
 *
 * Siblings stand from the widest on, so that the first one too narrow to be seen
 * ends them: what is left of their parent is shaded.  A frame costs O(cells),
 * whatever the tree's size; of a zoomed tree only the path to the zoomed node, and
 * what is below it, is walked.
 */
#include <math.h>

#include "commands/flame_text.h"
#include "engine/base/memory.h"
#include "tui/flame_draw.h"

int flame_rows(const struct flame_tree *tree)
{
    if (tree->callers == FLAME_NONE) return (int)tree->depth + 1;
    return (int)(tree->callers_depth > 1 ? tree->callers_depth - 1 : 0) + (int)tree->depth;
}

int flame_row_of(const struct flame_tree *tree, const struct flame_node *node)
{
    if (tree->callers == FLAME_NONE) return (int)node->depth;
    int above = tree->callers_depth > 1 ? (int)tree->callers_depth - 1 : 0;
    return node->is_caller ? above - (int)node->depth + 1 : above + (int)node->depth - 1;
}

/* The root of a pivot and the pivot's copy among its callers have no row. */
static bool has_row(const struct flame_tree *tree, const struct flame_node *node)
{
    return tree->callers == FLAME_NONE || node->depth > (node->is_caller ? 1u : 0u);
}

struct icicle {
    struct app *app;
    const struct flame_view *view;
    struct rect area;
    int top;
    double from, scale; /* eighths = (x - from) * scale */
    uint8_t *cover;     /* by cell of the area: eighths of what is drawn there */
};

/* Eighths of a cell from the area's left edge, clipped to it. */
static int eighths_of(const struct icicle *ic, double x)
{
    double at = floor((x - ic->from) * ic->scale + 0.5), most = ic->area.w * 8.0;
    return at < 0 ? 0 : at > most ? (int)most : (int)at;
}

/* ---- how a node looks ---- */

static enum color change_color(const struct icicle *ic, const struct flame_node *node)
{
    const struct flame_node *root = &ic->view->tree->nodes.items[0];
    double grown = node->total[0] - node->total[1];
    double much = (root->total[0] + root->total[1]) / 1000;
    return grown > much ? COLOR_BLOCKED : grown < -much ? COLOR_GOOD : COLOR_SUMMARY;
}

static enum color fill_of(const struct icicle *ic, uint32_t at, bool is_above)
{
    const struct flame_node *node = &ic->view->tree->nodes.items[at];
    if (at == ic->view->cursor) return COLOR_SELECTION;
    if (ic->view->drawn.highlight) return node->is_highlighted ? COLOR_MATCH : COLOR_SLEEPING;
    if (is_above || node->frame == FLAME_NONE) return COLOR_SLEEPING;
    if (ic->view->drawn.compares) return change_color(ic, node);
    return color_of_name(flame_node_name(ic->view->profile, node));
}

/* "+12% name": where two sides are compared, what became of it. */
static void write_label(const struct icicle *ic, const struct flame_node *node, struct buffer *out)
{
    if (ic->view->drawn.compares) {
        if (node->total[1] <= 0) {
            buffer_append_text(out, "new ");
        } else if (node->total[0] <= 0) {
            buffer_append_text(out, "gone ");
        } else {
            double percent = (node->total[0] / node->total[1] - 1) * 100;
            if (percent > -0.5 && percent < 0.5)
                buffer_append_text(out, "= ");
            else
                buffer_printf(out, "%+.0f%% ", percent);
        }
    }
    buffer_append_str(out, flame_node_name(ic->view->profile, node));
}

/* ---- cells ---- */

static uint32_t eighth_left(int eighths)
{
    return eighths >= 8 ? 0x2588 : 0x2590u - (uint32_t)eighths;
}

/* Cell i from `from` to `to` eighths of it; what covers more of it stays. */
static void put_cell(struct icicle *ic, int i, int y, int from, int to, struct style style)
{
    struct canvas *canvas = ic->app->canvas;
    int x = ic->area.x + i;
    if (to - from <= ic->cover[i]) return;
    ic->cover[i] = (uint8_t)(to - from);
    struct style edge = {style.bg, COLOR_DEFAULT, 0};
    if (from == 0 && to < 8) {
        canvas_put(canvas, x, y, canvas_glyph(canvas, eighth_left(to), to > 4 ? '#' : '|'), edge);
    } else if (to < 8) {
        canvas_put(canvas, x, y, canvas_glyph(canvas, 0x2590, '|'), edge);
    } else if (canvas->ascii) {
        canvas_put(canvas, x, y, '[', style);
    } else { /* it begins here: what is left of it is drawn in reverse, a hairline at least */
        edge.attributes = CELL_REVERSE;
        canvas_put(canvas, x, y, eighth_left(from ? from : 1), edge);
    }
}

static void draw_node(struct icicle *ic, uint32_t at, int e0, int e1, bool is_above)
{
    const struct flame_node *node = &ic->view->tree->nodes.items[at];
    struct canvas *canvas = ic->app->canvas;
    int row = flame_row_of(ic->view->tree, node) - ic->top, y = ic->area.y + row;
    if (row < 0 || row >= ic->area.h) return;
    enum color color = fill_of(ic, at, is_above);
    struct style style = {(uint8_t)theme_ink_on(ic->app->theme, color), (uint8_t)color, 0};
    if (color == COLOR_SLEEPING && !is_above) style.attributes = CELL_DIM;
    if (at == ic->view->cursor) {
        style = (struct style){COLOR_INK_DARK, COLOR_SELECTION, CELL_BOLD};
        if (canvas->mono) style.attributes |= CELL_UNDERLINE;
    }
    int first = e0 / 8, last = (e1 - 1) / 8;
    put_cell(ic, first, y, e0 % 8, last > first ? 8 : (e1 - 1) % 8 + 1, style);
    for (int i = first + 1; i <= last; i++) {
        int to = i < last ? 8 : (e1 - 1) % 8 + 1;
        if (to < 8) {
            put_cell(ic, i, y, 0, to, style);
            continue;
        }
        ic->cover[i] = 8;
        canvas_put(canvas, ic->area.x + i, y, ' ', style);
    }
    int whole = e1 / 8 - first - 1;
    if (at == ic->view->cursor) {
        canvas->cursor_x = ic->area.x + first;
        canvas->cursor_y = y;
    }
    if (whole < 2) return;
    struct buffer label = BUFFER_INIT;
    write_label(ic, node, &label);
    canvas_text_middle(canvas, ic->area.x + first + 1, y, whole, buffer_str(&label), style);
    buffer_free(&label);
}

/* Many that are too narrow, side by side. */
static void shade(struct icicle *ic, uint32_t at, int e0, int e1)
{
    const struct flame_node *node = &ic->view->tree->nodes.items[at];
    int row = flame_row_of(ic->view->tree, node) - ic->top;
    if (row < 0 || row >= ic->area.h) return;
    for (int i = (e0 + 7) / 8; i < (e1 + 7) / 8 && i < ic->area.w; i++) {
        if (ic->cover[i]) continue;
        canvas_put(ic->app->canvas, ic->area.x + i, ic->area.y + row,
                   canvas_glyph(ic->app->canvas, 0x2591, ':'), STYLE(DIM, DEFAULT, 0));
    }
}

/* ---- walking ---- */

/* The children of `parent`, a row; what they cover is in ic->cover. */
static void draw_children(struct icicle *ic, uint32_t parent)
{
    const struct flame_tree *tree = ic->view->tree;
    for (uint32_t at = tree->nodes.items[parent].first_child; at != FLAME_NONE;
         at = tree->nodes.items[at].next) {
        const struct flame_node *node = &tree->nodes.items[at];
        if (!has_row(tree, node)) continue;
        int e0 = eighths_of(ic, node->x), e1 = eighths_of(ic, node->x + node->width);
        if (node->width * ic->scale < 0.5) { /* so are all that follow */
            const struct flame_node *up = &tree->nodes.items[parent];
            shade(ic, at, e0,
                  eighths_of(ic, up->x + up->total[0] +
                                     (ic->view->drawn.compares ? up->total[1] : 0) - up->self[0] -
                                     (ic->view->drawn.compares ? up->self[1] : 0)));
            return;
        }
        if (e1 > e0) draw_node(ic, at, e0, e1, false);
    }
}

/* Rows below `top`, one after the other, so that each has its own cover. */
static void draw_below(struct icicle *ic, uint32_t top)
{
    const struct flame_tree *tree = ic->view->tree;
    struct flame_rows row = {0}, next = {0};
    vec_push(&row, top);
    for (int rows = 0; row.count && rows < flame_rows(tree) + 2; rows++) {
        for (int i = 0; i < ic->area.w; i++)
            ic->cover[i] = 0;
        next.count = 0;
        for (size_t i = 0; i < row.count; i++) {
            draw_children(ic, row.items[i]);
            uint32_t at = tree->nodes.items[row.items[i]].first_child;
            for (; at != FLAME_NONE && tree->nodes.items[at].width * ic->scale >= 0.5;
                 at = tree->nodes.items[at].next)
                vec_push(&next, at);
        }
        struct flame_rows swap = row;
        row = next;
        next = swap;
        /* Nothing further down (or up) is on the screen. */
        if (!row.count) break;
        const struct flame_node *node = &tree->nodes.items[row.items[0]];
        int at = flame_row_of(tree, node) - ic->top;
        if (node->is_caller ? at < 0 : at >= ic->area.h) break;
    }
    vec_free(&row);
    vec_free(&next);
}

static void set_view(struct icicle *ic)
{
    const struct flame_node *zoom = &ic->view->tree->nodes.items[ic->view->zoom];
    ic->from = zoom->x;
    ic->scale = zoom->width > 0 ? ic->area.w * 8.0 / zoom->width : 0;
}

void flame_draw_icicle(struct app *app, const struct flame_view *view, struct rect area, int top)
{
    struct icicle ic = {.app = app, .view = view, .area = area, .top = top};
    const struct flame_tree *tree = view->tree;
    if (area.w < 1 || area.h < 1) return;
    ic.cover = mem_zero((size_t)area.w + 1, 1);
    set_view(&ic);
    bool whole = view->zoom == 0;
    for (uint32_t at = view->zoom; at != FLAME_NONE && ic.scale > 0;
         at = tree->nodes.items[at].parent) {
        for (int i = 0; i < area.w; i++)
            ic.cover[i] = 0;
        if (has_row(tree, &tree->nodes.items[at]))
            draw_node(&ic, at, 0, area.w * 8, at != view->zoom);
    }
    if (ic.scale > 0) draw_below(&ic, view->zoom);
    if (ic.scale > 0 && whole && tree->callers != FLAME_NONE) draw_below(&ic, tree->callers);
    mem_free(ic.cover);
}

uint32_t flame_node_at(const struct flame_view *view, struct rect area, int top, int x, int y)
{
    struct icicle ic = {.view = view, .area = area, .top = top};
    const struct flame_tree *tree = view->tree;
    set_view(&ic);
    if (ic.scale <= 0) return FLAME_NONE;
    double at = ic.from + ((x - area.x) * 8 + 4) / ic.scale;
    int row = top + y - area.y;
    for (uint32_t up = view->zoom; up != FLAME_NONE; up = tree->nodes.items[up].parent)
        if (has_row(tree, &tree->nodes.items[up]) &&
            flame_row_of(tree, &tree->nodes.items[up]) == row)
            return up;
    for (int side = 0; side < 2; side++) {
        uint32_t node = side ? tree->callers : view->zoom;
        if (node == FLAME_NONE || (side && view->zoom)) continue;
        while ((node = tree->nodes.items[node].first_child) != FLAME_NONE) {
            while (node != FLAME_NONE &&
                   tree->nodes.items[node].x + tree->nodes.items[node].width <= at)
                node = tree->nodes.items[node].next;
            if (node == FLAME_NONE) break;
            const struct flame_node *found = &tree->nodes.items[node];
            if (found->x > at) break;
            if (has_row(tree, found) && flame_row_of(tree, found) == row) return node;
        }
    }
    return FLAME_NONE;
}
