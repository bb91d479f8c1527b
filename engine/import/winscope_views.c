/* Trees of an application's views (proto viewcapture): each view with what is seen of
 * it, and where on its window.  Names are interned. */
#include "engine/import/winscope.h"

#include "engine/base/strpool.h"
#include "engine/import/ftrace.h"

enum { VIEWS = 3 };
enum view_field {
    VIEW_ID = 1,
    VIEW_PARENT = 2,
    VIEW_HASH = 3,
    VIEW_LEFT = 6,
    VIEW_TOP = 7,
    VIEW_WIDTH = 8,
    VIEW_HEIGHT = 9,
    VIEW_SCROLL_X = 10,
    VIEW_SCROLL_Y = 11,
    VIEW_TRANSLATION_X = 12,
    VIEW_TRANSLATION_Y = 13,
    VIEW_SCALE_X = 14,
    VIEW_SCALE_Y = 15,
    VIEW_ALPHA = 16,
    VIEW_VISIBILITY = 19,
};

/* Rects are drawn with this much between a view and what is in it. */
#define DEPTH_OF_A_LEVEL 4

/* Names by interned number: InternedData's field and the arg that takes its place. */
static const struct name {
    const char *iid, *key;
    uint32_t interned;
} names[] = {{"package_name_iid", "package_name", 38},
             {"window_name_iid", "window_name", 39},
             {"view_id_iid", "view_id", 40},
             {"class_name_iid", "class_name", 41}};
enum { N_NAMES = sizeof names / sizeof names[0] };

struct names_found {
    struct winscope *w;
    bool is_snapshot; /* its views are rows of their own */
    uint32_t proto;
    string_id text[N_NAMES];
};

/* Writes the name instead of its number; a number without a name stays. */
static bool take_name(void *context, const struct proto_field *field,
                      const struct wire_field *value)
{
    struct names_found *found = context;
    struct winscope *w = found->w;
    if (found->is_snapshot && field->number == VIEWS) return true;
    for (size_t i = 0; i < N_NAMES; i++) {
        if (!str_is(field->name, names[i].iid)) continue;
        string_id text = packet_interned_string(w->packet, names[i].interned, value->value);
        struct arg_mark mark = arg_writer_enter(&w->writer, str_of(names[i].key));
        if (text == STRING_NULL) {
            arg_writer_put_text(&w->writer, STR("STRING DE-INTERNING ERROR"));
            arg_writer_leave(&w->writer, mark);
            return false;
        }
        arg_writer_put_string(&w->writer, text);
        arg_writer_leave(&w->writer, mark);
        found->text[i] = text;
        const struct viewcapture_interned_data_row row = {
            found->proto, winscope_word(w, names[i].iid), (int32_t)value->value, text};
        viewcapture_interned_data_append(&w->file->import->tables->viewcapture_interned_data, &row);
        return true;
    }
    return false;
}

static struct opt_uint32 put_named_args(struct names_found *found, const char *message,
                                        struct str bytes)
{
    struct arg_writer *writer = &found->w->writer;
    writer->take = take_name;
    writer->take_context = found;
    struct opt_uint32 args =
        winscope_args(found->w, message, bytes, STAT_perfetty_packet_parts_invalid);
    writer->take = NULL;
    return args;
}

/* What a view hands to those in it. */
struct place {
    int64_t id;
    bool is_shown;
    uint32_t depth;
    double left, top, scale_x, scale_y;
};
struct places VEC_OF(struct place);

static double read_float(const struct ftrace_fields *f, uint32_t field, double absent)
{
    struct wire_field value = {.value = field_uint(f, field)};
    return field_has(f, field) ? (double)wire_float(&value) : absent;
}

static double read_int(const struct ftrace_fields *f, uint32_t field)
{
    return (double)(int32_t)field_int(f, field);
}

/* The view's rect inside its parent's place, and the place of its own children. */
static struct winscope_rect place_view(const struct ftrace_fields *f, const struct place *parent,
                                       struct place *own)
{
    double width = read_int(f, VIEW_WIDTH), height = read_int(f, VIEW_HEIGHT);
    own->scale_x = parent->scale_x * read_float(f, VIEW_SCALE_X, 1);
    own->scale_y = parent->scale_y * read_float(f, VIEW_SCALE_Y, 1);
    /* A view is scaled about its middle. */
    double x = read_int(f, VIEW_LEFT) + read_float(f, VIEW_TRANSLATION_X, 0);
    double y = read_int(f, VIEW_TOP) + read_float(f, VIEW_TRANSLATION_Y, 0);
    struct winscope_rect rect = {
        parent->left + x * parent->scale_x + width * (parent->scale_x - own->scale_x) / 2,
        parent->top + y * parent->scale_y + height * (parent->scale_y - own->scale_y) / 2,
        width * own->scale_x,
        height * own->scale_y,
    };
    own->left = rect.x - read_int(f, VIEW_SCROLL_X);
    own->top = rect.y - read_int(f, VIEW_SCROLL_Y);
    return rect;
}

static void put_view(struct winscope *w, uint32_t snapshot, struct map *place_of,
                     struct places *places, struct str bytes)
{
    static const struct place window = {-1, true, 0, 0, 0, 1, 1};
    static const struct winscope_matrix identity = {1, 0, 0, 0, 1, 0};
    struct ftrace_fields f;
    ftrace_read_fields(&f, bytes);
    uint32_t id = (uint32_t)field_uint(&f, VIEW_ID);
    const uint64_t *at = map_get(place_of, (uint32_t)field_uint(&f, VIEW_PARENT));
    const struct place *parent = at ? &places->items[*at] : &window;
    struct place own = {.id = id,
                        .is_shown = parent->is_shown && field_uint(&f, VIEW_VISIBILITY) == 0,
                        .depth = at ? parent->depth + DEPTH_OF_A_LEVEL : 0};
    struct winscope_rect rect = place_view(&f, parent, &own);
    bool is_visible = own.is_shown && read_int(&f, VIEW_WIDTH) > 0 && read_int(&f, VIEW_HEIGHT) > 0;
    uint32_t trace_rect = winscope_put_rect(
        w, &rect, &identity,
        (struct winscope_trace_rect_row){.depth = own.depth,
                                         .is_visible = is_visible,
                                         .opacity = some_double(read_float(&f, VIEW_ALPHA, 1))});
    struct names_found found = {.w = w, .proto = winscope_proto(w, bytes).value};
    struct opt_uint32 args = put_named_args(&found, "ViewCapture.View", bytes);
    const struct viewcapture_view_row row = {
        .snapshot_id = snapshot,
        .arg_set_id = args,
        .base64_proto_id = some_uint32(found.proto),
        .node_id = id,
        .hashcode = (uint32_t)field_uint(&f, VIEW_HASH),
        .is_visible = is_visible,
        .parent_id = (uint32_t)field_uint(&f, VIEW_PARENT),
        .view_id = found.text[2],
        .class_name = found.text[3],
        .trace_rect_id = trace_rect,
    };
    viewcapture_view_append(&w->file->import->tables->viewcapture_view, &row);
    map_set(place_of, id, places->count);
    vec_push(places, own);
}

void winscope_views(struct winscope *w, int64_t ts, struct str bytes)
{
    struct tables *tables = w->file->import->tables;
    struct names_found found = {
        .w = w, .is_snapshot = true, .proto = winscope_proto(w, bytes).value};
    struct opt_uint32 args = put_named_args(&found, "ViewCapture", bytes);
    const struct viewcapture_row row = {.ts = ts,
                                        .arg_set_id = args,
                                        .base64_proto_id = some_uint32(found.proto),
                                        .package_name = found.text[0],
                                        .window_name = found.text[1]};
    uint32_t snapshot = viewcapture_append(&tables->viewcapture, &row);
    /* A view comes after the one that it is in. */
    struct map place_of = {0};
    struct places places = {0};
    struct wire wire = wire_open(bytes);
    struct wire_field f;
    while (wire_next(&wire, &f))
        if (f.number == VIEWS && f.type == WIRE_BYTES)
            put_view(w, snapshot, &place_of, &places, f.bytes);
    map_free(&place_of);
    vec_free(&places);
}
