/* What is seen of the layers of a snapshot, and why not (proto surfaceflinger_layers;
 * SurfaceFlinger draws from the bottom up: what is opaque hides what is below). */
#include "engine/import/winscope_layers.h"

#include "engine/import/probe_track.h"

enum { TRANSFORM_INVALID = 0x8000 };

/* Layers that a layer is held against, and parents that it is looked for in. */
#define MOST_ABOVE   1024
#define MOST_PARENTS 256

static struct winscope_rect crop(const struct winscope_rect *rect, const struct winscope_rect *to)
{
    double left = rect->x > to->x ? rect->x : to->x, top = rect->y > to->y ? rect->y : to->y;
    double right = rect->x + rect->w, bottom = rect->y + rect->h;
    if (right > to->x + to->w) right = to->x + to->w;
    if (bottom > to->y + to->h) bottom = to->y + to->h;
    return (struct winscope_rect){left, top, right - left, bottom - top};
}

/* On the display that the layer is on. */
static struct winscope_rect seen_rect(const struct layer_snapshot *s, const struct layer *layer,
                                      uint32_t stack, bool has_stack)
{
    const struct winscope_rect *display = NULL;
    for (size_t i = 0; has_stack && i < s->displays.count && i < MOST_ABOVE; i++)
        if (s->displays.items[i].has_rect && s->displays.items[i].stack == stack)
            display = &s->displays.items[i].rect;
    if (!display || winscope_rect_is_empty(display)) return layer->screen_bounds;
    return crop(&layer->screen_bounds, display);
}

static bool contains(const struct winscope_rect *a, const struct winscope_rect *b)
{
    return a->x <= b->x && a->y <= b->y && a->x + a->w >= b->x + b->w && a->y + a->h >= b->y + b->h;
}

static bool overlaps(const struct winscope_rect *a, const struct winscope_rect *b)
{
    return a->x < b->x + b->w && b->x < a->x + a->w && a->y < b->y + b->h && b->y < a->y + a->h;
}

static bool find_hidden_by_parent(const struct layer_snapshot *s, const struct layer *layer)
{
    for (unsigned step = 0; step < MOST_PARENTS; step++) {
        if (!layer->has_parent || layer->parent == -1) return false;
        const uint64_t *at = map_get(&s->by_id, (uint32_t)layer->parent);
        if (!at) return false;
        layer = &s->layers.items[*at];
        if (layer->is_hidden) return true;
    }
    return false;
}

static bool has_effects(const struct layer *layer)
{
    if (layer->shadow > 0) return true;
    return layer->has_color && layer->alpha > 0 && layer->red >= 0 && layer->green >= 0 &&
           layer->blue >= 0;
}

static bool has_bounds(const struct layer *layer)
{
    return layer->has_bounds && !winscope_rect_is_empty(&layer->bounds);
}

static bool is_visible_alone(const struct layer_snapshot *s, const struct layer *layer)
{
    if (layer->is_hidden || layer->is_hidden_by_parent) return false;
    if (!layer->has_color || layer->alpha <= 0) return false;
    if (!layer->has_buffer && !has_effects(layer)) return false;
    /* Where the region is not told the bounds stand for it. */
    return s->excludes_composition ? has_bounds(layer) : layer->has_solid_region;
}

/* ---- args ---- */

static void put_reason(struct winscope *w, unsigned *n, const char *reason)
{
    struct arg_mark mark = arg_writer_enter(&w->writer, STR("visibility_reason"));
    arg_writer_enter_index(&w->writer, (*n)++);
    arg_writer_put_text(&w->writer, str_of(reason));
    arg_writer_leave(&w->writer, mark);
}

static void put_other(struct winscope *w, const char *key, unsigned *n, int32_t id)
{
    struct arg_mark mark = arg_writer_enter(&w->writer, str_of(key));
    arg_writer_enter_index(&w->writer, (*n)++);
    arg_writer_put(&w->writer, ARG_INT, id);
    arg_writer_leave(&w->writer, mark);
}

static void put_reasons(struct winscope *w, const struct layer_snapshot *s,
                        const struct layer *layer, bool is_occluded)
{
    const struct winscope_matrix *m = &layer->transform.matrix;
    bool has_paint = layer->has_color && layer->red >= 0 && layer->green >= 0 && layer->blue >= 0;
    bool is_clear = !layer->has_color || (layer->alpha <= 0 && layer->alpha > -1);
    unsigned n = 0;
    char text[48];
    if (layer->is_hidden) put_reason(w, &n, "flag is hidden");
    if (layer->is_hidden_by_parent) {
        probe_format(text, sizeof text, "hidden by parent %d", (int)layer->parent);
        put_reason(w, &n, text);
    }
    if (!layer->has_buffer) put_reason(w, &n, "buffer is empty");
    if (is_clear) put_reason(w, &n, "alpha is 0");
    if (!has_bounds(layer)) put_reason(w, &n, "bounds is 0x0");
    if (!has_bounds(layer) && (is_clear || !has_paint)) put_reason(w, &n, "crop is 0x0");
    if (m->dsdx * m->dsdy - m->dtdx * m->dtdy == 0) put_reason(w, &n, "transform is invalid");
    if (!layer->has_buffer && !has_effects(layer) && layer->blur <= 0)
        put_reason(w, &n, "does not have color fill, shadow or blur");
    if (layer->has_region && !layer->has_solid_region)
        put_reason(w, &n, "visible region calculated by Composition Engine is empty");
    if (!layer->has_region && !s->excludes_composition) put_reason(w, &n, "null visible region");
    if (is_occluded) put_reason(w, &n, "occluded");
}

/* ---- what is above ---- */

static bool is_beside(const struct layer *a, const struct layer *b)
{
    return a->has_stack != b->has_stack || (a->has_stack && a->stack != b->stack);
}

/* Opaque layers hide it, or a part of it. */
static bool find_occluded(struct winscope *w, const struct layer_snapshot *s,
                          const struct layer *layer, const struct winscope_rect *seen)
{
    unsigned n_whole = 0, n_part = 0;
    for (size_t i = 0; i < s->opaque.count; i++) {
        const struct layer *above = &s->layers.items[s->opaque.items[i]];
        if (is_beside(above, layer)) continue;
        struct winscope_rect rect = seen_rect(s, above, layer->stack, layer->has_stack);
        bool is_whole = contains(&rect, seen) && above->radius_all <= layer->radius_all &&
                        !(above->transform.type & TRANSFORM_INVALID);
        if (is_whole)
            put_other(w, "occluded_by", &n_whole, above->id);
        else if (overlaps(&rect, seen))
            put_other(w, "partially_occluded_by", &n_part, above->id);
    }
    return n_whole > 0;
}

static void find_covered(struct winscope *w, const struct layer_snapshot *s,
                         const struct layer *layer, const struct winscope_rect *seen)
{
    unsigned n = 0;
    for (size_t i = 0; i < s->translucent.count; i++) {
        const struct layer *above = &s->layers.items[s->translucent.items[i]];
        if (is_beside(above, layer)) continue;
        struct winscope_rect rect = seen_rect(s, above, layer->stack, layer->has_stack);
        if (overlaps(&rect, seen)) put_other(w, "covered_by", &n, above->id);
    }
}

void layer_find_visible(struct winscope *w, struct layer_snapshot *s, struct layer *layer)
{
    bool is_occluded = false;
    layer->is_hidden_by_parent = find_hidden_by_parent(s, layer);
    layer->is_visible = is_visible_alone(s, layer);
    if (layer->is_visible) {
        struct winscope_rect seen = seen_rect(s, layer, layer->stack, layer->has_stack);
        if (layer->has_screen_bounds) {
            is_occluded = find_occluded(w, s, layer, &seen);
            find_covered(w, s, layer, &seen);
        }
        layer->is_visible = !is_occluded;
        bool is_opaque = layer->is_opaque && layer->alpha >= 1;
        uint32_t index = (uint32_t)(layer - s->layers.items);
        if (layer->has_screen_bounds && is_opaque && s->opaque.count < MOST_ABOVE)
            vec_push(&s->opaque, index);
        if (layer->has_screen_bounds && !is_opaque && s->translucent.count < MOST_ABOVE)
            vec_push(&s->translucent, index);
    }
    if (!layer->is_visible) put_reasons(w, s, layer, is_occluded);
}
