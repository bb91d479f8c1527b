/* Where layers are drawn and where they take input: rects with the depth that each has
 * on its layer stack, from the bottom up (proto surfaceflinger_layers). */
#include "engine/import/winscope_layers.h"

#include "engine/import/ftrace.h"

enum input_config { INPUT_NOT_TOUCHABLE = 1 << 3, INPUT_WALLPAPER = 1 << 6, INPUT_SPY = 1 << 14 };

#define MOST_DISPLAYS 64

/* ---- bounds that stand for "none" ---- */

static bool is_close(double a, double b)
{
    return a - b < 0.01 && b - a < 0.01;
}

static bool is_same(const struct winscope_rect *a, double x, double y)
{
    return is_close(a->x, -x) && is_close(a->y, -y) && is_close(a->w, 2 * x) &&
           is_close(a->h, 2 * y);
}

/* Ten times a display in each direction, or ten times the largest sides of all; turned
 * or not; or the platform's own. */
static bool is_unbounded(const struct layer_snapshot *s, const struct winscope_rect *rect)
{
    double width = 0, height = 0;
    if (is_same(rect, 50000, 50000)) return true;
    for (size_t i = 0; i < s->displays.count && i < MOST_DISPLAYS; i++) {
        const struct layer_display *d = &s->displays.items[i];
        if (is_same(rect, 10 * d->width, 10 * d->height)) return true;
        if (is_same(rect, 10 * d->height, 10 * d->width)) return true;
        if (d->width > width) width = d->width;
        if (d->height > height) height = d->height;
    }
    return s->displays.count &&
           (is_same(rect, 10 * width, 10 * height) || is_same(rect, 10 * height, 10 * width));
}

/* ---- matrices ---- */

static bool invert(const struct winscope_matrix *m, struct winscope_matrix *out)
{
    double area = m->dsdx * m->dsdy - m->dtdx * m->dtdy;
    if (area == 0) return false;
    *out = (struct winscope_matrix){m->dsdy / area,  -m->dtdx / area, 0,
                                    -m->dtdy / area, m->dsdx / area,  0};
    out->tx = -(out->dsdx * m->tx + out->dtdx * m->ty);
    out->ty = -(out->dtdy * m->tx + out->dsdy * m->ty);
    return true;
}

static struct winscope_rect transform(const struct winscope_matrix *m, struct winscope_rect rect)
{
    double x1 = m->dsdx * rect.x + m->dtdx * rect.y + m->tx;
    double y1 = m->dtdy * rect.x + m->dsdy * rect.y + m->ty;
    double right = rect.x + rect.w, bottom = rect.y + rect.h;
    double x2 = m->dsdx * right + m->dtdx * bottom + m->tx;
    double y2 = m->dtdy * right + m->dsdy * bottom + m->ty;
    return (struct winscope_rect){x1 < x2 ? x1 : x2, y1 < y2 ? y1 : y2, x1 < x2 ? x2 - x1 : x1 - x2,
                                  y1 < y2 ? y2 - y1 : y1 - y2};
}

static struct winscope_rect crop(struct winscope_rect rect, const struct winscope_rect *to)
{
    double left = rect.x > to->x ? rect.x : to->x, top = rect.y > to->y ? rect.y : to->y;
    double right = rect.x + rect.w, bottom = rect.y + rect.h;
    if (right > to->x + to->w) right = to->x + to->w;
    if (bottom > to->y + to->h) bottom = to->y + to->h;
    return (struct winscope_rect){left, top, right - left, bottom - top};
}

/* ---- rows ---- */

/* The next depth of a layer stack; 0 belongs to its display. */
static uint32_t next_depth(struct map *depths, uint32_t stack, bool has_display)
{
    bool is_new;
    return (uint32_t)(*map_put_if_absent(depths, stack, has_display ? 1 : 0, &is_new))++;
}

static const struct layer_display *display_of(const struct layer_snapshot *s, uint32_t stack)
{
    for (size_t i = 0; i < s->displays.count && i < MOST_DISPLAYS; i++)
        if (s->displays.items[i].stack == stack) return &s->displays.items[i];
    return NULL;
}

static void put_bounds(struct winscope *w, const struct layer_snapshot *s, struct layer *layer,
                       struct map *depths)
{
    if (!layer->has_screen_bounds) return;
    if (!layer->is_visible && is_unbounded(s, &layer->screen_bounds)) return;
    struct winscope_trace_rect_row row = {
        .group_id = layer->stack,
        .depth = next_depth(depths, layer->stack, display_of(s, layer->stack) != NULL),
        .is_visible = layer->is_visible,
        .opacity = {layer->has_alpha || layer->is_visible, layer->alpha},
    };
    layer->rect = some_uint32(winscope_put_rect(w, &layer->bounds, &layer->transform.matrix, row));
}

/* How an input window's rects come onto the display: through the display and back
 * through the layer. */
struct input_space {
    const struct layer_display *display;
    struct winscope_matrix back;
    bool is_cropped;
};

static struct winscope_rect place(const struct input_space *space, struct winscope_rect rect)
{
    if (space->display) rect = transform(&space->display->matrix, rect);
    return transform(&space->back, rect);
}

static void put_fill(struct winscope *w, uint32_t trace_rect, const struct winscope_rect *rect)
{
    struct tables *tables = w->file->import->tables;
    const struct winscope_rect_row place_row = {rect->x, rect->y, rect->w, rect->h};
    const struct winscope_fill_region_row row = {
        .trace_rect_id = trace_rect,
        .rect_id = winscope_rect_append(&tables->winscope_rect, &place_row)};
    winscope_fill_region_append(&tables->winscope_fill_region, &row);
}

/* The parts that take touches; an empty one when there are none. */
static void put_fill_region(struct winscope *w, const struct input_space *space,
                            const struct ftrace_fields *input, uint32_t trace_rect)
{
    static const struct winscope_rect nothing = {0};
    bool is_touchable = !(field_uint(input, 17) & INPUT_NOT_TOUCHABLE);
    unsigned n = 0;
    if (is_touchable && !field_has(input, 4)) return;
    struct wire wire = wire_open(is_touchable ? field_str(input, 4) : STR_NONE);
    struct wire_field f;
    while (wire_next(&wire, &f)) {
        if (f.number != 2 || f.type != WIRE_BYTES) continue;
        struct winscope_rect rect = place(space, winscope_read_rect(f.bytes, false));
        if (space->is_cropped) rect = crop(rect, &space->display->rect);
        put_fill(w, trace_rect, &rect);
        n++;
    }
    if (n == 0) put_fill(w, trace_rect, &nothing);
}

static void put_input(struct winscope *w, const struct layer_snapshot *s, struct layer *layer,
                      struct map *depths)
{
    struct ftrace_fields input;
    struct input_space space = {.display = display_of(s, layer->stack)};
    if (!layer->has_input) return;
    ftrace_read_fields(&input, layer->input);
    if (!invert(&layer->transform.matrix, &space.back)) space.back = WINSCOPE_IDENTITY;
    struct winscope_rect frame = {0};
    if (field_has(&input, 3))
        frame = place(&space, winscope_read_rect(field_str(&input, 3), false));
    uint64_t config = field_uint(&input, 17);
    space.is_cropped = space.display && (winscope_rect_is_empty(&frame) ||
                                         (config & INPUT_WALLPAPER) || is_unbounded(s, &frame));
    if (space.is_cropped) frame = crop(frame, &space.display->rect);
    struct winscope_trace_rect_row row = {
        .group_id = layer->stack,
        .depth = next_depth(depths, layer->stack, space.display != NULL),
        .is_spy = (config & INPUT_SPY) != 0,
        .is_visible = field_has(&input, 6) ? field_uint(&input, 6) != 0 : layer->is_visible,
    };
    layer->input_rect = some_uint32(winscope_put_rect(w, &frame, &layer->transform.matrix, row));
    put_fill_region(w, &space, &input, layer->input_rect.value);
}

void layer_put_rects(struct winscope *w, struct layer_snapshot *s)
{
    struct map bounds_depths = {0}, input_depths = {0};
    for (size_t i = s->top_down.count; i-- > 0;) {
        struct layer *layer = &s->layers.items[s->top_down.items[i]];
        put_bounds(w, s, layer, &bounds_depths);
        put_input(w, s, layer, &input_depths);
    }
    map_free(&bounds_depths);
    map_free(&input_depths);
}
