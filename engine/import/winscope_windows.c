/* The tree of windows as the window manager has it (proto windowmanager,
 * windowmanagerservice): a row for each container, from displays to windows. */
#include "engine/import/winscope.h"

#include <inttypes.h>

#include "engine/base/strpool.h"
#include "engine/import/ftrace.h"
#include "engine/import/probe_track.h"

enum { ENTRY_SERVICE = 3, SERVICE_ROOT = 2, SERVICE_FOCUSED_DISPLAY = 9, ROOT_CONTAINER = 1 };
enum container_field { CONTAINER_VISIBLE = 3, CONTAINER_CHILDREN = 5, CONTAINER_IDENTIFIER = 6 };
enum child_kind {
    CHILD_CONTAINER = 2,
    CHILD_DISPLAY = 3,
    CHILD_AREA = 4,
    CHILD_TASK = 5,
    CHILD_ACTIVITY = 6,
    CHILD_TOKEN = 7,
    CHILD_WINDOW = 8,
    CHILD_FRAGMENT = 9,
};

#define DEEPEST 64

struct walk {
    struct winscope *w;
    uint32_t snapshot;
    uint32_t display, rect_depth; /* of the display that is walked */
};

/* A container as its kind tells it. */
struct container {
    struct str self, identifier; /* WindowContainerProto; who it is */
    struct str title;
    bool has_title, has_token, is_visible, has_rect;
    int32_t token;
    struct winscope_rect rect;
    struct winscope_trace_rect_row trace_rect;
    const char *type;
    string_id other_name;
};

static struct str part(struct str bytes, uint32_t field)
{
    struct wire_field f;
    wire_find(bytes, field, &f);
    return f.type == WIRE_BYTES ? f.bytes : STR_NONE;
}

static uint64_t number(struct str bytes, uint32_t field)
{
    struct wire_field f;
    wire_find(bytes, field, &f);
    return f.value;
}

static int32_t integer(struct str bytes, uint32_t field)
{
    return (int32_t)number(bytes, field);
}

static void take_token(struct container *c, struct str bytes, uint32_t field)
{
    struct wire_field f;
    c->has_token = wire_find(bytes, field, &f);
    c->token = (int32_t)f.value;
}

static void take_title(struct container *c, struct str bytes, uint32_t field)
{
    struct wire_field f;
    c->has_title = wire_find(bytes, field, &f) && f.type == WIRE_BYTES;
    c->title = f.bytes;
}

static void take_container(struct container *c, struct str self)
{
    c->self = self;
    c->identifier = part(self, CONTAINER_IDENTIFIER);
    c->is_visible = number(self, CONTAINER_VISIBLE) != 0;
    take_token(c, c->identifier, 1);
    take_title(c, c->identifier, 3);
}

static void take_display(struct walk *walk, struct container *c, struct str bytes)
{
    struct str info = part(bytes, 10);
    take_container(c, part(part(bytes, 21), 1));
    take_title(c, info, 5);
    walk->display = (uint32_t)number(bytes, 2);
    walk->rect_depth = 1;
    c->has_rect = true;
    c->rect = (struct winscope_rect){0, 0, integer(info, 1), integer(info, 2)};
    c->trace_rect = (struct winscope_trace_rect_row){.group_id = walk->display};
}

static void take_task(struct walk *walk, struct container *c, struct str bytes)
{
    struct wire_field id;
    char name[16];
    take_container(c, part(part(bytes, 31), 1));
    if (!wire_find(bytes, 2, &id)) return;
    probe_format(name, sizeof name, "%" PRId32, (int32_t)id.value);
    c->other_name = winscope_word(walk->w, name);
}

static void take_activity(struct container *c, struct str bytes)
{
    struct str token = part(bytes, 2);
    take_container(c, part(token, 1));
    take_token(c, token, 2);
    take_title(c, bytes, 1);
    c->is_visible = number(bytes, 24) != 0;
}

static void take_window_token(struct container *c, struct str bytes, char name[16])
{
    take_container(c, part(bytes, 1));
    take_token(c, bytes, 2);
    probe_format(name, 16, "0x%02" PRIx32, (uint32_t)c->token);
    c->title = str_of(name);
    c->has_title = true;
}

static void take_window(struct walk *walk, struct container *c, struct str bytes)
{
    static const char *const prefixes[] = {"Starting ", "Waiting For Debugger: "};
    struct str frame = part(part(bytes, 41), 5);
    struct wire_field alpha;
    wire_find(part(bytes, 5), 12, &alpha);
    take_container(c, part(bytes, 1));
    c->is_visible = number(bytes, 38) != 0;
    c->has_rect = true;
    double left = integer(frame, 1), top = integer(frame, 2);
    c->rect = (struct winscope_rect){left, top, integer(frame, 3) - left, integer(frame, 4) - top};
    c->trace_rect =
        (struct winscope_trace_rect_row){.group_id = walk->display,
                                         .depth = walk->rect_depth++,
                                         .is_visible = c->is_visible,
                                         .opacity = some_double((double)wire_float(&alpha))};
    for (size_t i = 0; i < 2; i++)
        if (str_starts(c->title, str_of(prefixes[i])))
            c->other_name =
                winscope_text(walk->w, str_slice(c->title, str_of(prefixes[i]).n, c->title.n));
}

/* False when the child is of no kind that is known. */
static bool read_child(struct walk *walk, struct container *c, struct str bytes, char name[16])
{
    static const char *const types[] = {
        "",     "",         "WindowContainer", "DisplayContent", "DisplayArea",
        "Task", "Activity", "WindowToken",     "WindowState",    "TaskFragment"};
    for (uint32_t kind = CHILD_CONTAINER; kind <= CHILD_FRAGMENT; kind++) {
        struct wire_field f;
        if (!wire_find(bytes, kind, &f) || f.type != WIRE_BYTES) continue;
        c->type = types[kind];
        switch (kind) {
        case CHILD_CONTAINER: take_container(c, f.bytes); break;
        case CHILD_DISPLAY: take_display(walk, c, f.bytes); break;
        case CHILD_AREA:
            take_container(c, part(f.bytes, 1));
            take_title(c, f.bytes, 2);
            break;
        case CHILD_TASK: take_task(walk, c, f.bytes); break;
        case CHILD_ACTIVITY: take_activity(c, f.bytes); break;
        case CHILD_TOKEN: take_window_token(c, f.bytes, name); break;
        case CHILD_WINDOW: take_window(walk, c, f.bytes); break;
        default: take_container(c, part(f.bytes, 1)); break;
        }
        return true;
    }
    return false;
}

/* Containers inside have rows, and args, of their own. */
static bool skip_children(void *context, const struct proto_field *field,
                          const struct wire_field *value)
{
    (void)context;
    (void)value;
    return str_is(field->name, "children") || str_is(field->name, "root_window_container");
}

static struct opt_uint32 put_args(struct winscope *w, const char *message, struct str bytes)
{
    w->writer.take = skip_children;
    struct opt_uint32 args =
        winscope_args(w, message, bytes, STAT_winscope_windowmanager_parse_errors);
    w->writer.take = NULL;
    return args;
}

static void put_container(struct walk *walk, const struct container *c, struct str bytes,
                          const struct container *parent, uint32_t index)
{
    static const struct winscope_matrix matrix = {1, 0, 0, 1, 0, 0}; /* as the reference has it */
    struct winscope *w = walk->w;
    struct opt_uint32 args =
        put_args(w, parent ? "WindowContainerChildProto" : "RootWindowContainerProto", bytes);
    struct windowmanager_windowcontainer_row row = {
        .snapshot_id = walk->snapshot,
        .arg_set_id = args.has ? args.value : NULL_UINT32,
        .title = winscope_text(w, c->title),
        .token = c->token,
        .is_visible = some_uint32(c->is_visible),
        .container_type = winscope_word(w, c->type),
        .name_override = c->other_name,
    };
    if (parent) {
        row.parent_token = some_int32(parent->token);
        row.child_index = some_uint32(index);
    }
    if (c->has_rect)
        row.window_rect_id = some_uint32(winscope_put_rect(w, &c->rect, &matrix, c->trace_rect));
    windowmanager_windowcontainer_append(&w->file->import->tables->windowmanager_windowcontainer,
                                         &row);
}

/* What is in a container; the depth is capped. */
static void walk_children(struct walk *walk, const struct container *parent, unsigned depth)
{
    struct wire wire = wire_open(parent->self);
    struct wire_field f;
    uint32_t index = 0;
    while (wire_next(&wire, &f)) {
        if (f.number != CONTAINER_CHILDREN || f.type != WIRE_BYTES) continue;
        struct container c = {0};
        char name[16];
        if (depth >= DEEPEST || !read_child(walk, &c, f.bytes, name) || !c.has_token ||
            !c.has_title) {
            stats_add(walk->w->file, STAT_winscope_windowmanager_parse_errors, 1);
        } else {
            put_container(walk, &c, f.bytes, parent, index);
            walk_children(walk, &c, depth + 1);
        }
        index++;
    }
}

void winscope_windows(struct winscope *w, int64_t ts, struct str bytes)
{
    struct str service = part(bytes, ENTRY_SERVICE), root = part(service, SERVICE_ROOT);
    struct windowmanager_row row = {
        .ts = ts,
        .arg_set_id = put_args(w, "WindowManagerTraceEntry", bytes),
        .base64_proto_id = winscope_proto(w, bytes),
        .focused_display_id = (uint32_t)number(service, SERVICE_FOCUSED_DISPLAY),
    };
    struct walk walk = {
        .w = w, .snapshot = windowmanager_append(&w->file->import->tables->windowmanager, &row)};
    struct container c = {.type = "RootWindowContainer"};
    take_container(&c, part(root, ROOT_CONTAINER));
    if (!c.has_token || !c.has_title) {
        stats_add(w->file, STAT_winscope_windowmanager_parse_errors, 1);
        return;
    }
    put_container(&walk, &c, root, NULL, 0);
    walk_children(&walk, &c, 1);
}
