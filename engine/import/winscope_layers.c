/* Snapshots of SurfaceFlinger's layers: a row each for the snapshot, its displays and
 * its layers (proto surfaceflinger_layers). */
#include "engine/import/winscope_layers.h"

#include <stdlib.h>

#include "engine/base/strpool.h"
#include "engine/import/ftrace.h"

enum { SNAPSHOT_LAYERS = 3, SNAPSHOT_EXCLUDES = 5, SNAPSHOT_DISPLAYS = 7 };
enum transform_bit {
    TRANSFORM_SCALE = 4,
    TRANSFORM_FLIP_H = 0x100,
    TRANSFORM_FLIP_V = 0x200,
    TRANSFORM_ROT_90 = 0x400,
    TRANSFORM_INVALID = 0x8000,
};

#define NO_STACK UINT32_MAX

static double read_real(const struct ftrace_fields *f, uint32_t field)
{
    struct wire_field value = {.value = field_uint(f, field)};
    return (double)wire_float(&value);
}

static double read_int(const struct ftrace_fields *f, uint32_t field)
{
    return (double)(int32_t)field_int(f, field);
}

/* ---- geometry ---- */

bool winscope_rect_is_empty(const struct winscope_rect *rect)
{
    return !(rect->w > 0 && rect->h > 0);
}

struct winscope_rect winscope_read_rect(struct str bytes, bool is_float)
{
    struct ftrace_fields f;
    double edge[5];
    ftrace_read_fields(&f, bytes);
    for (uint32_t i = 1; i <= 4; i++)
        edge[i] = is_float ? read_real(&f, i) : read_int(&f, i);
    return (struct winscope_rect){edge[1], edge[2], edge[3] - edge[1], edge[4] - edge[2]};
}

bool winscope_is_turned(int32_t type)
{
    return (type & TRANSFORM_ROT_90) != 0;
}

void winscope_read_transform(struct layer_transform *transform, struct str bytes)
{
    struct ftrace_fields f;
    struct winscope_matrix *m = &transform->matrix;
    ftrace_read_fields(&f, bytes);
    int32_t type = (int32_t)field_int(&f, 5), flips = TRANSFORM_FLIP_H | TRANSFORM_FLIP_V;
    double x = m->tx, y = m->ty;
    transform->has = true;
    transform->type = type;
    if (type & (TRANSFORM_INVALID | TRANSFORM_SCALE))
        /* The message calls the two in the middle by each other's name. */
        *m = (struct winscope_matrix){read_real(&f, 1), read_real(&f, 2), x,
                                      read_real(&f, 3), read_real(&f, 4), y};
    else if ((type & flips) == flips)
        *m = winscope_is_turned(type) ? (struct winscope_matrix){0, -1, x, 1, 0, y}
                                      : (struct winscope_matrix){-1, 0, x, 0, -1, y};
    else if (winscope_is_turned(type))
        *m = (struct winscope_matrix){0, 1, x, -1, 0, y};
}

/* ---- reading ---- */

static void read_color(struct layer *layer, struct str bytes)
{
    struct ftrace_fields f;
    ftrace_read_fields(&f, bytes);
    layer->has_color = true;
    layer->red = read_real(&f, 1);
    layer->green = read_real(&f, 2);
    layer->blue = read_real(&f, 3);
    layer->alpha = read_real(&f, 4);
    layer->has_alpha = field_has(&f, 4);
}

static void read_buffer(struct layer *layer, struct str bytes)
{
    struct ftrace_fields f;
    ftrace_read_fields(&f, bytes);
    layer->has_buffer = field_uint(&f, 1) || field_uint(&f, 2) || field_uint(&f, 3) ||
                        (int32_t)field_int(&f, 4) > 0;
}

static void read_region(struct layer *layer, struct str bytes)
{
    struct wire w = wire_open(bytes);
    struct wire_field f;
    layer->has_region = true;
    while (wire_next(&w, &f)) {
        if (f.number != 2 || f.type != WIRE_BYTES) continue;
        struct winscope_rect rect = winscope_read_rect(f.bytes, false);
        if (!winscope_rect_is_empty(&rect)) layer->has_solid_region = true;
    }
}

static void read_radii(struct layer *layer, struct str bytes)
{
    struct ftrace_fields f;
    ftrace_read_fields(&f, bytes);
    for (uint32_t i = 0; i < 4; i++)
        layer->radius[i] = some_double(read_real(&f, i + 1));
}

static void read_message(struct layer *layer, const struct wire_field *f)
{
    switch (f->number) {
    case 2: layer->name = f->bytes; break;
    case 7: read_region(layer, f->bytes); break;
    case 11: {
        struct ftrace_fields position;
        ftrace_read_fields(&position, f->bytes);
        layer->transform.matrix.tx = read_real(&position, 1);
        layer->transform.matrix.ty = read_real(&position, 2);
        break;
    }
    case 20: read_color(layer, f->bytes); break;
    case 27: read_buffer(layer, f->bytes); break;
    case 45:
        layer->bounds = winscope_read_rect(f->bytes, true);
        layer->has_bounds = true;
        break;
    case 46:
        layer->screen_bounds = winscope_read_rect(f->bytes, true);
        layer->has_screen_bounds = true;
        break;
    case 47:
        layer->input = f->bytes;
        layer->has_input = true;
        break;
    case 61: read_radii(layer, f->bytes); break;
    default: break;
    }
}

static void read_number(struct layer *layer, const struct wire_field *f)
{
    int32_t value = (int32_t)f->value;
    switch (f->number) {
    case 1:
        layer->id = value;
        layer->has_id = true;
        break;
    case 9:
        layer->stack = (uint32_t)f->value;
        layer->has_stack = true;
        break;
    case 10: layer->z = value; break;
    case 16: layer->is_opaque = f->value != 0; break;
    case 22: layer->flags = (uint32_t)f->value; break;
    case 25:
        layer->parent = value;
        layer->has_parent = true;
        break;
    case 26: layer->z_parent = value; break;
    case 35:
        layer->composition = (uint32_t)f->value;
        layer->has_composition = true;
        break;
    case 41: layer->radius_all = (double)wire_float(f); break;
    case 49: layer->shadow = (double)wire_float(f); break;
    case 52: layer->blur = value; break;
    default: break;
    }
}

static void read_layer(struct layer_snapshot *s, struct str bytes)
{
    struct layer layer = {.bytes = bytes, .transform.matrix = WINSCOPE_IDENTITY};
    struct wire w = wire_open(bytes);
    struct wire_field f;
    bool has_radius = false;
    while (wire_next(&w, &f)) {
        if (f.type == WIRE_BYTES)
            read_message(&layer, &f);
        else
            read_number(&layer, &f);
        has_radius |= f.number == 41;
    }
    /* After the position, which it keeps. */
    if (wire_find(bytes, 23, &f) && f.type == WIRE_BYTES)
        winscope_read_transform(&layer.transform, f.bytes);
    for (int i = 0; has_radius && i < 4; i++)
        if (!layer.radius[i].has) layer.radius[i] = some_double(layer.radius_all);
    layer.is_hidden = (layer.flags & LAYER_FLAG_HIDDEN) || layer.id == OFFSCREEN_ROOT;
    if (layer.has_id) map_set(&s->by_id, (uint32_t)layer.id, s->layers.count);
    vec_push(&s->layers, layer);
}

/* ---- displays ---- */

static void put_display(struct winscope *w, struct layer_snapshot *s, uint32_t snapshot,
                        struct str bytes)
{
    struct ftrace_fields f, size;
    struct layer_transform transform = {.matrix = WINSCOPE_IDENTITY};
    ftrace_read_fields(&f, bytes);
    ftrace_read_fields(&size, field_str(&f, 4));
    if (field_has(&f, 6)) winscope_read_transform(&transform, field_str(&f, 6));
    struct layer_display display = {.stack = (uint32_t)field_uint(&f, 3),
                                    .width = read_int(&size, 1),
                                    .height = read_int(&size, 2),
                                    .matrix = transform.matrix,
                                    .has_rect = field_has(&f, 5)};
    if (winscope_is_turned(transform.type)) {
        display.width = read_int(&size, 2);
        display.height = read_int(&size, 1);
    }
    display.rect = display.has_rect ? winscope_read_rect(field_str(&f, 5), false)
                                    : (struct winscope_rect){0, 0, display.width, display.height};
    const struct winscope_trace_rect_row rect = {.group_id = display.stack,
                                                 .depth = (uint32_t)s->displays.count};
    const struct surfaceflinger_display_row row = {
        .snapshot_id = snapshot,
        .is_on = display.stack != NO_STACK,
        .is_virtual = field_uint(&f, 7) != 0,
        .trace_rect_id = winscope_put_rect(w, &display.rect, &display.matrix, rect),
        .display_id = field_int(&f, 1),
        .display_name = field_has(&f, 2) ? winscope_text(w, field_str(&f, 2)) : STRING_NULL,
    };
    surfaceflinger_display_append(&w->file->import->tables->surfaceflinger_display, &row);
    vec_push(&s->displays, display);
}

/* ---- from the top down ---- */

/* Where a layer is drawn: what it is relative to, or what it is in; 0: nowhere. */
static int32_t drawn_in(const struct layer *layer)
{
    if (layer->z_parent > 0) return layer->z_parent;
    return layer->parent > 0 ? layer->parent : 0;
}

static bool is_root(const struct layer *layer)
{
    return (!layer->has_parent || layer->parent == -1) && layer->z_parent <= 0;
}

struct sort_key {
    int32_t group, z, id;
    uint32_t index;
};

/* By group, then the topmost first. */
static int compare_keys(const void *a, const void *b)
{
    const struct sort_key *x = a, *y = b;
    if (x->group != y->group) return x->group < y->group ? -1 : 1;
    if (x->z != y->z) return x->z > y->z ? -1 : 1;
    if (x->id != y->id) return x->id > y->id ? -1 : 1;
    return x->index < y->index ? -1 : x->index > y->index;
}

struct step {
    uint32_t index;
    bool is_entered; /* what is above it was done */
};

/* The layers of a group go on the stack, those above or those below `z`. */
static void push_group(const struct sort_key *keys, size_t n, size_t from,
                       const struct layer *parent, bool above, struct layer_snapshot *s,
                       struct step **steps, size_t *count, size_t *capacity)
{
    size_t end = from;
    while (end < n && keys[end].group == keys[from].group)
        end++;
    for (size_t i = end; i-- > from;) {
        struct layer *layer = &s->layers.items[keys[i].index];
        if (layer->is_placed || (parent && (layer->z >= parent->z) != above)) continue;
        layer->is_placed = true;
        if (*count == *capacity) *steps = vec_grow(*steps, capacity, *count + 1, sizeof **steps);
        (*steps)[(*count)++] = (struct step){keys[i].index, false};
    }
}

/* Group 0 are the roots; layers that no root leads to stay out. */
static void order_layers(struct layer_snapshot *s)
{
    VEC(struct sort_key) keys = {0};
    VEC(struct step) steps = {0};
    struct map group_at = {0};
    for (uint32_t i = 0; i < s->layers.count; i++) {
        const struct layer *layer = &s->layers.items[i];
        int32_t group = is_root(layer) ? 0 : drawn_in(layer);
        if (layer->has_id && (group != 0 || is_root(layer)))
            vec_push(&keys, (struct sort_key){group, layer->z, layer->id, i});
    }
    if (keys.count) qsort(keys.items, keys.count, sizeof keys.items[0], compare_keys);
    bool is_new;
    for (size_t i = 0; i < keys.count; i++)
        map_put_if_absent(&group_at, (uint32_t)keys.items[i].group, i, &is_new);
    if (keys.count && keys.items[0].group == 0)
        push_group(keys.items, keys.count, 0, NULL, true, s, &steps.items, &steps.count,
                   &steps.capacity);
    while (steps.count) {
        struct step step = vec_pop(&steps);
        const struct layer *layer = &s->layers.items[step.index];
        const uint64_t *at = map_get(&group_at, (uint32_t)layer->id);
        if (step.is_entered)
            vec_push(&s->top_down, step.index);
        else
            vec_push(&steps, (struct step){step.index, true});
        if (at && layer->id > 0)
            push_group(keys.items, keys.count, (size_t)*at, layer, !step.is_entered, s,
                       &steps.items, &steps.count, &steps.capacity);
        /* Others of the same number have nothing left to place. */
        if (at && step.is_entered) map_remove(&group_at, (uint32_t)layer->id);
    }
    vec_free(&keys);
    vec_free(&steps);
    map_free(&group_at);
}

/* ---- rows ---- */

static void put_layer(struct winscope *w, const struct layer_snapshot *s, uint32_t snapshot,
                      const struct layer *layer, struct opt_uint32 args)
{
    bool has_z_parent = layer->z_parent > 0;
    struct surfaceflinger_layer_row row = {
        .snapshot_id = snapshot,
        .arg_set_id = args,
        .base64_proto_id = winscope_proto(w, layer->bytes),
        .layer_id = {layer->has_id, layer->id},
        .layer_name = layer->name.p ? winscope_text(w, layer->name) : STRING_NULL,
        .is_visible = layer->is_visible,
        .parent = {layer->has_parent, layer->parent},
        .corner_radius_tl = layer->radius[0],
        .corner_radius_tr = layer->radius[1],
        .corner_radius_bl = layer->radius[2],
        .corner_radius_br = layer->radius[3],
        .hwc_composition_type = {layer->has_composition, layer->composition},
        .is_hidden_by_policy = layer->is_hidden,
        .z_order_relative_of = {has_z_parent, layer->z_parent},
        .is_missing_z_parent = has_z_parent && !map_get(&s->by_id, (uint32_t)layer->z_parent),
        .layer_rect_id = layer->rect,
        .input_rect_id = layer->input_rect,
    };
    surfaceflinger_layer_append(&w->file->import->tables->surfaceflinger_layer, &row);
}

static bool skip_layers(void *context, const struct proto_field *field,
                        const struct wire_field *value)
{
    (void)context;
    return field->number == SNAPSHOT_LAYERS && str_is(field->name, "layers") &&
           value->type == WIRE_BYTES;
}

static void put_layers(struct winscope *w, struct layer_snapshot *s, uint32_t snapshot)
{
    VEC(struct opt_uint32) args = {0};
    vec_reserve(&args, s->layers.count + 1);
    args.count = s->layers.count;
    for (size_t i = 0; i < args.count; i++)
        args.items[i] = (struct opt_uint32){0};
    for (size_t i = 0; i < s->top_down.count; i++) {
        struct layer *layer = &s->layers.items[s->top_down.items[i]];
        vec_clear(&w->args);
        winscope_put(w, "LayerProto", layer->bytes);
        layer_find_visible(w, s, layer);
        args.items[s->top_down.items[i]] = winscope_commit(w);
    }
    layer_put_rects(w, s);
    for (size_t i = 0; i < s->layers.count; i++) {
        const struct layer *layer = &s->layers.items[i];
        if (!layer->is_placed) {
            vec_clear(&w->args);
            winscope_put(w, "LayerProto", layer->bytes);
            args.items[i] = winscope_commit(w);
        }
        put_layer(w, s, snapshot, layer, args.items[i]);
    }
    vec_free(&args);
}

void winscope_layers(struct winscope *w, int64_t ts, struct str bytes)
{
    struct layer_snapshot s = {0};
    struct wire_field f, excludes, layers;
    s.excludes_composition = !wire_find(bytes, SNAPSHOT_EXCLUDES, &excludes) || excludes.value;
    w->writer.take = skip_layers;
    struct opt_uint32 args =
        winscope_args(w, "LayersSnapshotProto", bytes, STAT_winscope_sf_layers_parse_errors);
    w->writer.take = NULL;
    const struct surfaceflinger_layers_snapshot_row row = {
        .ts = ts,
        .arg_set_id = args,
        .base64_proto_id = winscope_proto(w, bytes),
        .sequence_id = w->packet->sequence ? sequence_id(w->packet->sequence) : 0,
    };
    uint32_t snapshot = surfaceflinger_layers_snapshot_append(
        &w->file->import->tables->surfaceflinger_layers_snapshot, &row);
    struct wire wire = wire_open(bytes);
    while (wire_next(&wire, &f))
        if (f.number == SNAPSHOT_DISPLAYS && f.type == WIRE_BYTES)
            put_display(w, &s, snapshot, f.bytes);
    wire_find(bytes, SNAPSHOT_LAYERS, &layers);
    wire = wire_open(layers.bytes);
    while (wire_next(&wire, &f))
        if (f.number == 1 && f.type == WIRE_BYTES) read_layer(&s, f.bytes);
    if (wire.bad) stats_add(w->file, STAT_winscope_sf_layers_parse_errors, 1);
    order_layers(&s);
    put_layers(w, &s, snapshot);
    vec_free(&s.layers);
    vec_free(&s.top_down);
    vec_free(&s.displays);
    vec_free(&s.opaque);
    vec_free(&s.translucent);
    map_free(&s.by_id);
}
