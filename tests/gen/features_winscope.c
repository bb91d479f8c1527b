#include "tests/gen/features.h"

#include "tests/gen/packet.h"
#include "tests/gen/wire.h"

#define START GEN_FEATURES_START

static void close_packet(struct buffer *out, size_t message, size_t packet)
{
    gen_close(out, message);
    gen_packet_close(out, packet);
}

/* ---- transactions ---- */

static void layer_change(struct buffer *out)
{
    size_t change = gen_open(out, 7);
    gen_uint(out, 1, 100);
    gen_uint(out, 2, UINT64_C(0x1000002001)); /* position, crop of the buffer; and 0x10 above */
    gen_float(out, 3, 1.5F);
    size_t data = gen_open(out, 22);
    gen_uint(out, 1, 77);
    gen_uint(out, 7, 1);
    gen_close(out, data);
    gen_close(out, change);
}

static void display(struct buffer *out, uint32_t field, uint64_t id, uint64_t what)
{
    size_t state = gen_open(out, field);
    gen_uint(out, 1, id);
    gen_uint(out, 2, what);
    gen_close(out, state);
}

static void transactions(struct buffer *out)
{
    static const uint64_t destroyed[] = {5, 6};
    size_t packet = gen_packet_open(out, START + 10, 3), entry = gen_open(out, 94);
    gen_int(out, 1, START + 10);
    gen_int(out, 2, 24776);
    size_t transaction = gen_open(out, 3);
    gen_uint(out, 1, 42);
    gen_uint(out, 2, 10238);
    gen_uint(out, 6, 900);
    layer_change(out);
    layer_change(out);
    display(out, 8, 1234, 22);
    gen_uint(out, 10, 55); /* apply token */
    size_t barrier = gen_open(out, 11);
    gen_text(out, 1, "token");
    gen_uint(out, 2, 1);
    gen_close(out, barrier);
    gen_close(out, transaction);
    transaction = gen_open(out, 3);
    gen_uint(out, 1, 43);
    gen_uint(out, 6, 901);
    gen_close(out, transaction);
    size_t added = gen_open(out, 4);
    gen_uint(out, 1, 4);
    gen_text(out, 2, "layer");
    gen_close(out, added);
    gen_packed(out, 5, destroyed, 2);
    display(out, 6, 5678, 8);
    gen_int(out, 7, 7);
    gen_uint(out, 8, 9);
    close_packet(out, entry, packet);
}

/* ---- transitions ---- */

static void transition(struct buffer *out, uint64_t id, const int64_t fields[17])
{
    size_t packet = gen_packet_open(out, START + 20, 3), message = gen_open(out, 96);
    gen_uint(out, 1, id);
    for (uint32_t i = 2; i < 17; i++)
        if (fields[i]) gen_int(out, i, fields[i]);
    for (uint64_t i = 0; fields[14] == 0 && fields[3] && i < 2; i++) {
        size_t target = gen_open(out, 14);
        gen_uint(out, 1, 1 + i);
        gen_uint(out, 2, 240 + i);
        gen_close(out, target);
    }
    close_packet(out, message, packet);
}

static void transitions(struct buffer *out)
{
    transition(out, 7, (int64_t[17]){[3] = START + 100, [4] = START + 150, [12] = 2, [13] = 1});
    transition(out, 8, (int64_t[17]){[7] = START + 400});
    transition(out, 7, (int64_t[17]){[9] = START + 350, [10] = 11, [16] = 4});
    transition(out, 9, (int64_t[17]){[5] = START + 500});
    size_t packet = gen_packet_open(out, START + 21, 3), mappings = gen_open(out, 97);
    size_t mapping = gen_open(out, 1);
    gen_uint(out, 1, 2);
    gen_text(out, 2, "RecentsTransitionHandler");
    gen_close(out, mapping);
    close_packet(out, mappings, packet);
}

/* ---- logs ---- */

static void log_format(struct buffer *out, uint64_t id, const char *text, uint64_t level,
                       uint64_t group)
{
    size_t data = gen_open(out, 1);
    gen_fixed64(out, 1, id);
    gen_text(out, 2, text);
    gen_uint(out, 3, level);
    gen_uint(out, 4, group);
    if (level == 4) gen_text(out, 5, "Task.java:12");
    gen_close(out, data);
}

static size_t log_open(struct buffer *out, int64_t ts, uint64_t id, size_t *packet)
{
    *packet = gen_packet_open(out, ts, 3);
    size_t message = gen_open(out, 104);
    gen_fixed64(out, 1, id);
    return message;
}

static void interned(struct buffer *out, size_t packet_data, uint32_t field, uint64_t iid,
                     const char *text)
{
    (void)packet_data;
    size_t entry = gen_open(out, field);
    gen_uint(out, 1, iid);
    gen_text(out, 2, text);
    gen_close(out, entry);
}

static void names(struct buffer *out)
{
    size_t packet = gen_packet_open(out, START + 5, 3);
    gen_uint(out, GEN_PACKET_SEQUENCE_FLAGS, 1);
    size_t data = gen_open(out, GEN_PACKET_INTERNED_DATA);
    interned(out, data, 36, 1, "MAIN");
    interned(out, data, 37, 1, "at Task.start");
    interned(out, data, 38, 1, "com.example");
    interned(out, data, 39, 2, "PhoneWindow");
    interned(out, data, 40, 3, "id/button");
    interned(out, data, 41, 4, "android.widget.Button");
    gen_close(out, data);
    gen_packet_close(out, packet);
}

static void logs(struct buffer *out)
{
    static const uint64_t integers[] = {10, 15}; /* zigzag: 5, -8 */
    size_t packet = gen_packet_open(out, -1, 3), message = gen_open(out, 105);
    log_format(out, 11, "%s: %d of %x, %f %e %g, %b 100%% %q", 4, 1);
    log_format(out, 12, "nothing", 1, 9);
    size_t group = gen_open(out, 2);
    gen_uint(out, 1, 1);
    gen_text(out, 2, "group");
    gen_text(out, 3, "WindowManager");
    gen_close(out, group);
    close_packet(out, message, packet);
    message = log_open(out, START + 30, 11, &packet);
    gen_uint(out, 2, 1);
    gen_packed(out, 3, integers, 2);
    gen_double(out, 4, 0.5);
    gen_double(out, 4, 2);
    gen_double(out, 4, 3.25);
    gen_uint(out, 5, 1);
    gen_uint(out, 6, 1);
    close_packet(out, message, packet);
    message = log_open(out, START + 31, 11, &packet); /* values are missing, and a name */
    gen_uint(out, 2, 99);
    close_packet(out, message, packet);
    message = log_open(out, START + 32, 12, &packet); /* of a group that nobody knows */
    close_packet(out, message, packet);
}

/* ---- input ---- */

static size_t extension_open(struct buffer *out, int64_t ts, uint32_t field, size_t marks[2])
{
    marks[0] = gen_packet_open(out, ts, 3);
    marks[1] = gen_open(out, 112);
    return gen_open(out, field);
}

static void extension_close(struct buffer *out, size_t message, const size_t marks[2])
{
    gen_close(out, message);
    close_packet(out, marks[1], marks[0]);
}

static void input(struct buffer *out)
{
    size_t marks[2], message = extension_open(out, START + 40, 5, marks);
    size_t motion = gen_open(out, 1);
    gen_fixed32(out, 1, 330184796);
    gen_int(out, 2, START + 39);
    gen_uint(out, 3, 4098);
    gen_uint(out, 4, 2);
    gen_sint(out, 6, -1);
    size_t pointer = gen_open(out, 9);
    size_t axis = gen_open(out, 1);
    gen_uint(out, 1, 0);
    gen_float(out, 2, 580.5F);
    gen_close(out, axis);
    gen_close(out, pointer);
    gen_close(out, motion);
    extension_close(out, message, marks);
    message = extension_open(out, START + 41, 5, marks);
    size_t key = gen_open(out, 4);
    gen_fixed32(out, 1, 759309047);
    gen_int(out, 2, START + 40);
    gen_uint(out, 5, 1);
    gen_uint(out, 8, 24);
    gen_close(out, key);
    extension_close(out, message, marks);
    message = extension_open(out, START + 42, 5, marks);
    size_t dispatch = gen_open(out, 5);
    gen_fixed32(out, 1, 330184796);
    gen_int(out, 2, 89110);
    gen_int(out, 3, 212);
    gen_close(out, dispatch);
    extension_close(out, message, marks);
    for (uint32_t method = 1; method <= 3; method++) {
        message = extension_open(out, START + 42 + method, method, marks);
        gen_fixed64(out, 1, 5);
        gen_text(out, 2, "where");
        extension_close(out, message, marks);
    }
    message = extension_open(out, START + 46, 8, marks); /* only differences */
    extension_close(out, message, marks);
}

/* ---- views ---- */

static size_t view_open(struct buffer *out, uint64_t id, int64_t parent, uint64_t class_iid)
{
    size_t view = gen_open(out, 3);
    gen_uint(out, 1, id);
    gen_int(out, 2, parent);
    gen_uint(out, 3, 1000 + id);
    gen_uint(out, 4, 3);
    gen_uint(out, 5, class_iid);
    gen_uint(out, 8, 3); /* 3 by 3 */
    gen_uint(out, 9, 3);
    return view;
}

static void views(struct buffer *out)
{
    size_t marks[2], message = extension_open(out, START + 50, 4, marks);
    gen_uint(out, 1, 1);
    gen_uint(out, 2, 2);
    size_t view = view_open(out, 0, -1, 4);
    gen_int(out, 10, 1); /* scrolled */
    gen_close(out, view);
    view = view_open(out, 1, 0, 4);
    gen_float(out, 14, 2);
    gen_float(out, 15, 4);
    gen_float(out, 16, 0.5F);
    gen_close(out, view);
    view = view_open(out, 2, 1, 99); /* a class without a name, in one that is gone */
    gen_float(out, 12, 4);
    gen_uint(out, 19, 8);
    gen_close(out, view);
    extension_close(out, message, marks);
}

/* ---- windows ---- */

static void identifier(struct buffer *out, uint64_t token, const char *title)
{
    size_t id = gen_open(out, 6);
    gen_uint(out, 1, token);
    gen_text(out, 3, title);
    gen_close(out, id);
}

static void window(struct buffer *out)
{
    size_t child = gen_open(out, 5), state = gen_open(out, 8);
    size_t container = gen_open(out, 1);
    identifier(out, 4, "Starting com.example");
    gen_close(out, container);
    size_t attributes = gen_open(out, 5);
    gen_float(out, 12, 0.5F);
    gen_close(out, attributes);
    gen_uint(out, 38, 1);
    size_t frames = gen_open(out, 41), frame = gen_open(out, 5);
    gen_uint(out, 1, 10);
    gen_uint(out, 2, 20);
    gen_uint(out, 3, 110);
    gen_uint(out, 4, 220);
    gen_close(out, frame);
    gen_close(out, frames);
    gen_close(out, state);
    gen_close(out, child);
}

static void task(struct buffer *out)
{
    size_t child = gen_open(out, 5), body = gen_open(out, 5);
    gen_uint(out, 2, 12);
    size_t fragment = gen_open(out, 31), container = gen_open(out, 1);
    gen_uint(out, 3, 1);
    size_t inner = gen_open(out, 5), activity = gen_open(out, 6);
    gen_text(out, 1, "com.example/.Main");
    size_t token = gen_open(out, 2), token_container = gen_open(out, 1);
    window(out);
    gen_close(out, token_container);
    gen_uint(out, 2, 30);
    gen_close(out, token);
    gen_uint(out, 24, 1);
    gen_close(out, activity);
    gen_close(out, inner);
    identifier(out, 3, "Task=12");
    gen_close(out, container);
    gen_close(out, fragment);
    gen_close(out, body);
    gen_close(out, child);
}

static void windows(struct buffer *out)
{
    size_t marks[2], message = extension_open(out, START + 60, 6, marks);
    gen_text(out, 2, "trace.enable");
    size_t service = gen_open(out, 3);
    gen_uint(out, 9, 0);
    size_t root = gen_open(out, 2), container = gen_open(out, 1);
    gen_uint(out, 3, 1);
    size_t child = gen_open(out, 5), content = gen_open(out, 3);
    size_t info = gen_open(out, 10);
    gen_uint(out, 1, 1080);
    gen_uint(out, 2, 2400);
    gen_text(out, 5, "Built-in Screen");
    gen_close(out, info);
    size_t area = gen_open(out, 21), area_container = gen_open(out, 1);
    task(out);
    size_t broken = gen_open(out, 5), token = gen_open(out, 7); /* a token without a number */
    gen_close(out, token);
    gen_close(out, broken);
    identifier(out, 2, NULL);
    gen_close(out, area_container);
    gen_close(out, area);
    gen_close(out, content);
    gen_close(out, child);
    identifier(out, 1, "WindowContainer");
    gen_close(out, container);
    gen_close(out, root);
    gen_close(out, service);
    extension_close(out, message, marks);
}

/* ---- layers ---- */

static void floats(struct buffer *out, uint32_t field, float a, float b, float c, float d)
{
    size_t message = gen_open(out, field);
    gen_float(out, 1, a);
    gen_float(out, 2, b);
    gen_float(out, 3, c);
    gen_float(out, 4, d);
    gen_close(out, message);
}

static void edges(struct buffer *out, uint32_t field, uint64_t right, uint64_t bottom)
{
    size_t rect = gen_open(out, field);
    gen_uint(out, 3, right);
    gen_uint(out, 4, bottom);
    gen_close(out, rect);
}

/* A layer of a colour that is as large as told. */
static size_t layer_open(struct buffer *out, uint64_t id, int64_t z, float size, float alpha)
{
    size_t layer = gen_open(out, 1);
    gen_uint(out, 1, id);
    gen_uint(out, 9, 0);
    gen_int(out, 10, z);
    floats(out, 20, 0, 0, 1, alpha);
    floats(out, 45, 0, 0, size, size);
    floats(out, 46, 0, 0, size, size);
    return layer;
}

static void some_layers(struct buffer *out)
{
    size_t layer = layer_open(out, 1, 0, 10800, 0); /* the root: nothing to see */
    gen_text(out, 2, "Display 0");
    gen_int(out, 25, -1);
    gen_close(out, layer);
    layer = layer_open(out, 2, 1, 100, 1); /* below the next, and smaller */
    gen_uint(out, 25, 1);
    gen_uint(out, 35, 2);
    gen_close(out, layer);
    layer = layer_open(out, 3, 2, 200, 1);
    gen_uint(out, 16, 1); /* opaque */
    gen_uint(out, 25, 1);
    gen_float(out, 41, 0);
    gen_close(out, layer);
    layer = layer_open(out, 4, 3, 50, 0.5F); /* above it; takes touches */
    gen_uint(out, 25, 1);
    size_t radii = gen_open(out, 61);
    gen_float(out, 1, 2);
    gen_close(out, radii);
    size_t input_info = gen_open(out, 47);
    edges(out, 3, 40, 30);
    size_t region = gen_open(out, 4);
    edges(out, 2, 20, 10);
    gen_close(out, region);
    gen_uint(out, 6, 1);
    gen_uint(out, 17, 1 << 14);
    gen_close(out, input_info);
    size_t position = gen_open(out, 11);
    gen_float(out, 1, 5);
    gen_float(out, 2, 6);
    gen_close(out, position);
    gen_close(out, layer);
    layer = layer_open(out, 5, -1, 300, 1); /* hidden, below its parent */
    gen_uint(out, 22, 1);
    gen_uint(out, 25, 1);
    gen_close(out, layer);
    layer = layer_open(out, 6, 0, 300, 1); /* inside the hidden one, relative to nobody */
    gen_uint(out, 25, 5);
    gen_uint(out, 26, 99);
    gen_close(out, layer);
    layer = layer_open(out, 7, 0, 300, 1); /* inside the hidden one */
    gen_uint(out, 25, 5);
    gen_close(out, layer);
    layer = gen_open(out, 1); /* without anything */
    gen_close(out, layer);
}

static void layers(struct buffer *out)
{
    size_t packet = gen_packet_open(out, START + 70, 3), snapshot = gen_open(out, 93);
    gen_fixed64(out, 1, (uint64_t)START + 70);
    gen_text(out, 2, "bufferLatched");
    size_t display_info = gen_open(out, 7);
    gen_uint(out, 1, 461);
    gen_text(out, 2, "Panel");
    size_t size = gen_open(out, 4);
    gen_uint(out, 1, 1080);
    gen_uint(out, 2, 2400);
    gen_close(out, size);
    edges(out, 5, 1080, 2400);
    gen_close(out, display_info);
    display_info = gen_open(out, 7); /* off, turned */
    gen_uint(out, 1, 462);
    gen_uint(out, 3, UINT32_MAX);
    size = gen_open(out, 4);
    gen_uint(out, 1, 600);
    gen_uint(out, 2, 800);
    gen_close(out, size);
    size_t turn = gen_open(out, 6);
    gen_uint(out, 5, 0x400);
    gen_close(out, turn);
    gen_uint(out, 7, 1);
    gen_close(out, display_info);
    size_t list = gen_open(out, 3);
    some_layers(out);
    gen_close(out, list);
    close_packet(out, snapshot, packet);
}

/* Layers, windows, views, transactions, transitions, logs and input of an Android phone, each
 * with what is wrong with it now and then. */
void gen_write_winscope(struct buffer *out)
{
    gen_packet_device_clocks(out, START);
    names(out);
    transactions(out);
    transitions(out);
    logs(out);
    input(out);
    views(out);
    windows(out);
    layers(out);
}
