/* Layers of one snapshot of SurfaceFlinger, as its readers share them (proto
 * surfaceflinger_layers).  Rects are in pixels of the layer stack. */
#ifndef ENGINE_IMPORT_WINSCOPE_LAYERS_H
#define ENGINE_IMPORT_WINSCOPE_LAYERS_H

#include "engine/import/winscope.h"

#define LAYER_FLAG_HIDDEN 1
#define OFFSCREEN_ROOT    0x7ffffffd

struct layer_transform {
    bool has;
    int32_t type;
    struct winscope_matrix matrix; /* tx, ty are the position */
};

struct layer {
    struct str bytes;
    struct str name;
    bool has_id, has_parent, has_stack, has_color, has_alpha, has_bounds, has_screen_bounds;
    bool has_region, has_solid_region, has_buffer, has_input, is_opaque;
    int32_t id, parent, z_parent, z;
    uint32_t stack, flags, composition;
    struct opt_double radius[4]; /* of the corners: tl tr bl br */
    double red, green, blue, alpha, shadow, radius_all;
    int32_t blur;
    struct winscope_rect bounds, screen_bounds;
    struct layer_transform transform;
    struct str input; /* InputWindowInfoProto */
    bool has_composition;
    /* Found out: */
    bool is_placed, is_hidden, is_hidden_by_parent, is_visible;
    struct opt_uint32 rect, input_rect;
};

struct layer_display {
    uint32_t stack;
    struct winscope_rect rect; /* its layer stack's */
    bool has_rect;
    double width, height; /* as it is turned */
    struct winscope_matrix matrix;
};

struct layer_snapshot {
    VEC(struct layer) layers; /* as the message has them */
    VEC(uint32_t) top_down;   /* those that are reached, in order of depth */
    VEC(struct layer_display) displays;
    VEC(uint32_t) opaque, translucent; /* visible ones so far, from the top */
    struct map by_id;                  /* id -> index */
    bool excludes_composition;
};

bool winscope_rect_is_empty(const struct winscope_rect *rect);
struct winscope_rect winscope_read_rect(struct str bytes, bool is_float);
/* Turns and mirrors by the bits of the type, anything else as told. */
void winscope_read_transform(struct layer_transform *transform, struct str bytes);
bool winscope_is_turned(int32_t type);

/* winscope_visibility.c: what is seen of a layer, asked from the top down.  Why not
 * becomes args of the writer. */
void layer_find_visible(struct winscope *w, struct layer_snapshot *s, struct layer *layer);
/* winscope_layer_rects.c: rects of layers and of their input, from the bottom up. */
void layer_put_rects(struct winscope *w, struct layer_snapshot *s);

#endif
