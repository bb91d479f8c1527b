#include "tests/gen/heap_formats.h"

#include "tests/gen/features.h"
#include "tests/gen/packet.h"
#include "tests/gen/wire.h"

enum {
    PACKET_STREAMING_PROFILE = 54,
    PACKET_HEAP_GRAPH = 56,
    PACKET_MODULE_SYMBOLS = 61,
    PACKET_DEOBFUSCATION = 64,
    PACKET_SMAPS = 68,
    PACKET_ART_METADATA = 131,
    PACKET_STACK_SAMPLE = 135,
};
enum { SEQUENCE = 5, PID = 100 };
#define T(n)      (GEN_FEATURES_START + (n))
#define IDS(...)  ((const uint64_t[]){__VA_ARGS__})
#define COUNT(a)  (sizeof(a) / sizeof *(a))
#define PACK(...) IDS(__VA_ARGS__), COUNT(IDS(__VA_ARGS__))

static void put_process(struct buffer *out)
{
    const struct gen_process app = {
        .pid = PID, .ppid = 1, .uid = 10001, .name = "com.example.shop"};
    gen_packet_process_tree(out, T(0), 1, &app, 1, NULL, 0);
    size_t packet = gen_packet_open(out, T(0), 1);
    size_t list = gen_open(out, GEN_PACKET_PACKAGES_LIST);
    size_t package = gen_open(out, 1);
    gen_text(out, 1, "com.example.shop");
    gen_uint(out, 2, 10001);
    gen_close(out, package);
    gen_close(out, list);
    gen_packet_close(out, packet);
}

/* ---- heap graphs ---- */

static size_t open_graph(struct buffer *out, size_t *graph, uint64_t index)
{
    size_t packet = gen_packet_open(out, T(10), SEQUENCE);
    *graph = gen_open(out, PACKET_HEAP_GRAPH);
    gen_uint(out, 1, PID);
    gen_uint(out, 6, index);
    return packet;
}

struct heap_object {
    uint64_t id, type, size;
    const uint64_t *fields;
    size_t n_fields;
    const uint64_t *refers;
    size_t n_refers;
};

static void put_object(struct buffer *out, const struct heap_object *o, bool as_delta)
{
    size_t object = gen_open(out, 2);
    gen_uint(out, as_delta ? 7 : 1, as_delta ? 1 : o->id);
    gen_uint(out, 2, o->type);
    if (o->size) gen_uint(out, 3, o->size);
    if (o->n_fields) gen_packed(out, 4, o->fields, o->n_fields);
    if (o->n_refers) gen_packed(out, 5, o->refers, o->n_refers);
    gen_close(out, object);
}

static void put_named(struct buffer *out, uint32_t field, uint64_t id, const char *text)
{
    size_t name = gen_open(out, field);
    gen_uint(out, 1, id);
    gen_text(out, 2, text);
    gen_close(out, name);
}

struct heap_type {
    uint64_t id, super, size, kind;
    const char *name;
    const uint64_t *fields;
    size_t n_fields;
};

static void put_type(struct buffer *out, const struct heap_type *t)
{
    size_t type = gen_open(out, 9);
    gen_uint(out, 1, t->id);
    if (t->id < 20) gen_uint(out, 2, 1);
    gen_text(out, 3, t->name);
    if (t->size) gen_uint(out, 4, t->size);
    if (t->super) gen_uint(out, 5, t->super);
    if (t->n_fields) gen_packed(out, 6, t->fields, t->n_fields);
    gen_uint(out, 7, t->kind);
    gen_close(out, type);
}

static void put_roots(struct buffer *out, uint64_t type, const uint64_t *ids, size_t n)
{
    size_t root = gen_open(out, 7);
    gen_packed(out, 1, ids, n);
    gen_uint(out, 2, type);
    gen_close(out, root);
}

static void put_shop_types(struct buffer *out)
{
    put_type(out, &(struct heap_type){1, 0, 32, 1, "com.example.Shop", NULL, 0});
    put_type(out, &(struct heap_type){2, 3, 48, 1, "a", PACK(5)});
    put_type(out, &(struct heap_type){3, 0, 16, 1, "b", PACK(4)});
    put_type(out, &(struct heap_type){4, 0, 24, 9, "java.lang.ref.WeakReference", PACK(6)});
    put_type(out, &(struct heap_type){5, 0, 8, 1, "com.example.Leaf", NULL, 0});
    put_type(out, &(struct heap_type){6, 0, 40, 11, "sun.misc.Cleaner", PACK(6, 7)});
    put_type(out, &(struct heap_type){
                      7, 0, 16, 1, "libcore.util.NativeAllocationRegistry$CleanerThunk", PACK(8)});
    put_type(out,
             &(struct heap_type){8, 0, 24, 1, "libcore.util.NativeAllocationRegistry", NULL, 0});
    put_type(out, &(struct heap_type){9, 0, 0, 4, "a[]", NULL, 0});
    put_type(out, &(struct heap_type){10, 0, 88, 5, "java.lang.Class<a>", NULL, 0});
    put_type(out, &(struct heap_type){11, 0, 88, 5, "java.lang.Class<b>", NULL, 0});
}

static void put_deobfuscation(struct buffer *out)
{
    size_t packet = gen_packet_open(out, -1, 0);
    size_t mapping = gen_open(out, PACKET_DEOBFUSCATION);
    gen_text(out, 1, "com.example.shop");
    gen_uint(out, 2, 7);
    size_t class = gen_open(out, 3);
    gen_text(out, 1, "a");
    gen_text(out, 2, "com.example.Cart");
    size_t member = gen_open(out, 3);
    gen_text(out, 1, "x");
    gen_text(out, 2, "items");
    gen_close(out, member);
    /* Two methods in one place: lines 1 to 3 are put() inlined into add(). */
    static const struct {
        const char *plain;
        uint64_t source;
    } methods[] = {{"put", 20}, {"add", 40}};
    for (int i = 0; i < 2; i++) {
        size_t method = gen_open(out, 4);
        gen_text(out, 1, "m");
        gen_text(out, 2, methods[i].plain);
        gen_uint(out, 3, 1);
        gen_uint(out, 4, 3);
        gen_uint(out, 5, methods[i].source);
        if (i == 0) gen_uint(out, 6, methods[i].source + 2);
        gen_close(out, method);
    }
    gen_close(out, class);
    gen_close(out, mapping);
    gen_packet_close(out, packet);
}

/* 12 objects.  Object 1, a root in two ways, leads to 2 and 3; 3 is a weak reference
 * to 5; 2 has the field of its class and that of what it extends; 9 cleans 512 bytes
 * of native memory for 2. */
void gen_write_heap_graph(struct buffer *out)
{
    size_t graph;
    put_process(out);
    size_t packet = open_graph(out, &graph, 0);
    put_object(out, &(struct heap_object){1, 1, 32, PACK(1, 2, 3), PACK(2, 3, 0)}, false);
    put_object(out, &(struct heap_object){2, 2, 0, NULL, 0, PACK(4, 5)}, true);
    put_object(out, &(struct heap_object){3, 4, 0, NULL, 0, PACK(6)}, true);
    put_object(out, &(struct heap_object){4, 5, 0, NULL, 0, NULL, 0}, true);
    put_object(out, &(struct heap_object){5, 9, 256, NULL, 0, PACK(2, 2)}, true);
    put_object(out, &(struct heap_object){6, 5, 9, NULL, 0, NULL, 0}, true);
    put_roots(out, 1, PACK(1));
    put_roots(out, 5, PACK(1));
    gen_uint(out, 5, 1);
    gen_close(out, graph);
    gen_packet_close(out, packet);

    packet = open_graph(out, &graph, 1);
    put_object(out, &(struct heap_object){9, 6, 0, NULL, 0, PACK(2, 10)}, false);
    put_object(out, &(struct heap_object){10, 7, 0, NULL, 0, PACK(11)}, false);
    size_t registry = gen_open(out, 2);
    gen_uint(out, 1, 11);
    gen_uint(out, 2, 8);
    gen_uint(out, 8, 513);
    gen_close(out, registry);
    put_object(out, &(struct heap_object){12, 10, 88, PACK(9), PACK(13)}, false);
    put_object(out, &(struct heap_object){13, 11, 88, NULL, 0, NULL, 0}, false);
    size_t cache = gen_open(out, 2);
    gen_uint(out, 1, 14);
    gen_uint(out, 2, 5);
    gen_uint(out, 9, 3); /* of the boot image: held for ever */
    gen_packed(out, 10, PACK(13));
    gen_close(out, cache);
    put_named(out, 4, 1, "com.example.Cart com.example.Shop.cart");
    put_named(out, 4, 2, "java.lang.ref.WeakReference com.example.Shop.last");
    put_named(out, 4, 3, "java.lang.Object com.example.Shop.none");
    put_named(out, 4, 4, "java.lang.Object b.y");
    put_named(out, 4, 5, "java.lang.Object a.x");
    put_named(out, 4, 6, "java.lang.Object java.lang.ref.Reference.referent");
    put_named(out, 4, 7, "java.lang.Runnable sun.misc.Cleaner.thunk");
    put_named(out, 4, 8,
              "libcore.util.NativeAllocationRegistry "
              "libcore.util.NativeAllocationRegistry$CleanerThunk.this$0");
    put_named(out, 4, 9, "java.lang.Class java.lang.Class.superClass");
    put_named(out, 8, 1, "/data/app/~~abc==/com.example.shop-def==/base.apk");
    put_shop_types(out);
    gen_uint(out, 10, 4096);
    gen_close(out, graph);
    gen_packet_close(out, packet);
    put_deobfuscation(out);
}

/* A first packet that is the third; more fields than references; a number that is
 * cut; a class that extends itself, one without a name, an unknown location; an
 * object of an unknown class; another process in the same series; no end. */
void gen_write_heap_graph_odd(struct buffer *out)
{
    size_t graph;
    put_process(out);
    size_t packet = open_graph(out, &graph, 2);
    put_object(out, &(struct heap_object){1, 1, 0, PACK(1, 2), PACK(2)}, false);
    put_object(out, &(struct heap_object){2, 1, 0, NULL, 0, PACK(1, 2, 3)}, false);
    put_object(out, &(struct heap_object){3, 99, 0, NULL, 0, PACK(1)}, false);
    put_roots(out, 99, PACK(2, 77));
    gen_uint(out, 5, 1);
    gen_close(out, graph);
    gen_packet_close(out, packet);
    packet = open_graph(out, &graph, 5);
    size_t object = gen_open(out, 2);
    gen_uint(out, 1, 4);
    gen_bytes(out, 5, "\xFF\xFF", 2);
    gen_close(out, object);
    put_object(out, &(struct heap_object){5, 1, 8, NULL, 0, NULL, 0}, false);
    put_type(out, &(struct heap_type){1, 1, 8, 99, "Loop", PACK(1)});
    put_type(out, &(struct heap_type){2, 0, 8, 1, NULL, NULL, 0});
    put_named(out, 4, 1, "noSpace");
    gen_uint(out, 5, 1);
    gen_close(out, graph);
    gen_packet_close(out, packet);
    packet = gen_packet_open(out, T(11), SEQUENCE);
    graph = gen_open(out, PACKET_HEAP_GRAPH);
    gen_uint(out, 1, PID + 1);
    gen_uint(out, 6, 6);
    put_object(out, &(struct heap_object){6, 1, 8, NULL, 0, NULL, 0}, false);
    put_roots(out, 1, PACK(6));
    gen_uint(out, 5, 1);
    gen_close(out, graph);
    gen_packet_close(out, packet);
}

/* ---- samples ---- */

static void put_counter(struct buffer *out, uint32_t field, uint64_t iid, const char *name,
                        uint64_t unit, uint64_t scope)
{
    size_t counter = gen_open(out, field);
    if (iid) gen_uint(out, 1, iid);
    gen_text(out, 2, name);
    if (unit) gen_uint(out, 3, unit);
    if (!unit) gen_text(out, 4, "widgets");
    gen_uint(out, 5, 2);
    gen_text(out, 6, "a counter");
    if (scope) gen_uint(out, 7, scope);
    gen_close(out, counter);
}

static size_t open_sample(struct buffer *out, int64_t ts, size_t *sample)
{
    size_t packet = gen_packet_open(out, ts, SEQUENCE);
    *sample = gen_open(out, PACKET_STACK_SAMPLE);
    return packet;
}

static void put_inline_stack(struct buffer *out, const char *const *names, size_t n)
{
    size_t stack = gen_open(out, 5);
    for (size_t i = 0; i < n; i++) {
        size_t frame = gen_open(out, 1);
        gen_text(out, 1, names[i]);
        gen_text(out, 2, "app.py");
        gen_uint(out, 3, 10 + i);
        gen_close(out, frame);
    }
    gen_close(out, stack);
}

static void put_sample_state(struct buffer *out)
{
    size_t packet = gen_packet_open(out, T(0), SEQUENCE);
    gen_uint(out, GEN_PACKET_STATE_CLEARED, 1);
    size_t defaults = gen_open(out, GEN_PACKET_DEFAULTS);
    size_t samples = gen_open(out, 100);
    gen_text(out, 1, "python.wall");
    put_counter(out, 2, 0, "wall-time", 1, 0);
    put_counter(out, 3, 0, "misses", 0, 2);
    gen_close(out, samples);
    gen_close(out, defaults);
    size_t interned = gen_open(out, GEN_PACKET_INTERNED_DATA);
    put_named(out, 5, 1, "native");
    put_named(out, 5, 2, "no stack: signal");
    size_t frame = gen_open(out, 6);
    gen_uint(out, 1, 1);
    gen_uint(out, 2, 1);
    gen_uint(out, 3, 1);
    gen_uint(out, 4, 256);
    gen_close(out, frame);
    size_t stack = gen_open(out, 7);
    gen_uint(out, 1, 1);
    gen_packed(out, 2, PACK(1));
    gen_close(out, stack);
    put_named(out, 16, 1, "id");
    put_named(out, 17, 1, "lib.so");
    size_t mapping = gen_open(out, 19);
    gen_uint(out, 1, 1);
    gen_uint(out, 2, 1);
    gen_packed(out, 7, PACK(1));
    gen_close(out, mapping);
    size_t task = gen_open(out, 48);
    gen_uint(out, 1, 1);
    gen_uint(out, 2, PID);
    gen_uint(out, 3, PID + 1);
    gen_uint(out, 4, 2);
    gen_close(out, task);
    size_t execution = gen_open(out, 49);
    gen_uint(out, 1, 1);
    gen_uint(out, 2, 3);
    gen_uint(out, 3, 2);
    gen_close(out, execution);
    put_counter(out, 50, 1, "cycles", 2, 1);
    for (uint64_t i = 1; i <= 3; i++) { /* 3 is its own parent */
        size_t context = gen_open(out, 51);
        gen_uint(out, 1, i);
        gen_text(out, 2, i == 1 ? "pool" : "worker");
        gen_text(out, 3, "fiber");
        if (i > 1) gen_uint(out, 4, i == 2 ? 1 : 3);
        gen_close(out, context);
    }
    gen_close(out, interned);
    gen_packet_close(out, packet);
}

/* Five samples: all inline; all interned, with counters of its own; in a fiber that
 * is its own parent; without anything; of stacks and counters that nobody told. */
void gen_write_stack_samples(struct buffer *out)
{
    static const char *const names[] = {"main", "work"};
    size_t sample;
    gen_packet_device_clocks(out, T(0));
    put_process(out);
    put_sample_state(out);
    size_t packet = open_sample(out, T(1), &sample);
    size_t task = gen_open(out, 1);
    gen_uint(out, 2, PID);
    gen_uint(out, 3, PID);
    gen_close(out, task);
    size_t execution = gen_open(out, 3);
    gen_uint(out, 2, 2);
    gen_uint(out, 3, 1);
    gen_close(out, execution);
    put_inline_stack(out, names, 2);
    gen_uint(out, 11, 1000);
    gen_packed(out, 14, PACK(7, 8));
    gen_close(out, sample);
    gen_packet_close(out, packet);

    packet = open_sample(out, T(2), &sample);
    gen_uint(out, 2, 1);
    gen_uint(out, 4, 1);
    gen_uint(out, 6, 1);
    gen_uint(out, 8, 2);
    gen_uint(out, 10, 1);
    gen_uint(out, 11, 55);
    gen_packed(out, 13, PACK(1, 9));
    gen_packed(out, 14, PACK(66, 77));
    gen_close(out, sample);
    gen_packet_close(out, packet);

    packet = open_sample(out, T(3), &sample);
    task = gen_open(out, 1);
    gen_uint(out, 4, 3);
    gen_close(out, task);
    put_inline_stack(out, names, 1);
    gen_text(out, 7, "too deep");
    gen_close(out, sample);
    gen_packet_close(out, packet);

    packet = open_sample(out, T(4), &sample);
    gen_close(out, sample);
    gen_packet_close(out, packet);

    packet = open_sample(out, T(5), &sample);
    gen_uint(out, 2, 9);
    gen_uint(out, 4, 9);
    gen_uint(out, 6, 9);
    gen_uint(out, 10, 9);
    gen_uint(out, 11, 1);
    gen_packed(out, 14, PACK(1, 2, 3, 4));
    gen_close(out, sample);
    gen_packet_close(out, packet);

    /* Chrome's own: two stacks, 5 and 7 us after the reference, and a time too many. */
    packet = gen_packet_open(out, T(6), SEQUENCE);
    size_t descriptor = gen_open(out, GEN_PACKET_THREAD_DESCRIPTOR);
    gen_uint(out, 1, PID);
    gen_uint(out, 2, PID + 2);
    gen_uint(out, 6, (uint64_t)T(0) / 1000);
    gen_close(out, descriptor);
    gen_packet_close(out, packet);
    packet = gen_packet_open(out, T(6), SEQUENCE);
    size_t profile = gen_open(out, PACKET_STREAMING_PROFILE);
    gen_packed(out, 1, PACK(1, 1, 9));
    gen_packed(out, 2, PACK(5, 2));
    gen_int(out, 3, -4);
    gen_close(out, profile);
    gen_packet_close(out, packet);
}

/* ---- the rest ---- */

/* A mapping a message, one of a deleted file; then lists, with a name too many. */
void gen_write_smaps(struct buffer *out)
{
    static const char *const paths[] = {"/system/lib64/libc.so", "/dev/ashmem/x (deleted)"};
    size_t packet = gen_packet_open(out, T(1), SEQUENCE);
    size_t smaps = gen_open(out, PACKET_SMAPS);
    gen_uint(out, 1, PID);
    for (uint32_t i = 0; i < 2; i++) {
        size_t entry = gen_open(out, 2);
        gen_text(out, 1, paths[i]);
        for (uint32_t field = 2; field <= 15; field++) {
            if (field == 5 || field == 8 || field == 9)
                gen_text(out, field, "text");
            else
                gen_uint(out, field, 100 * (i + 1) + field);
        }
        gen_close(out, entry);
    }
    gen_close(out, smaps);
    gen_packet_close(out, packet);
    packet = gen_packet_open(out, T(2), SEQUENCE);
    smaps = gen_open(out, PACKET_SMAPS);
    gen_uint(out, 1, PID);
    size_t lists = gen_open(out, 3);
    gen_text(out, 1, paths[0]);
    gen_text(out, 1, "[heap]");
    gen_packed(out, 2, PACK(1, 0, 5));
    for (uint32_t field = 3; field <= 15; field++)
        gen_packed(out, field, PACK(field * 10, field * 10 + 1));
    gen_close(out, lists);
    gen_close(out, smaps);
    gen_packet_close(out, packet);
}

/* A frame `a.m` of the app at line 2 of its symbols, one without a line, one of a
 * file of an unknown app. */
void gen_write_deobfuscation(struct buffer *out)
{
    put_process(out);
    size_t packet = gen_packet_open(out, T(1), SEQUENCE);
    gen_uint(out, GEN_PACKET_STATE_CLEARED, 1);
    size_t profile = gen_open(out, 37);
    put_named(out, 1, 1, "a.m");
    put_named(out, 1, 2, "data/app/com.example.shop-xyz/base.apk");
    put_named(out, 1, 3, "data/app/com.example.shop/base.apk");
    put_named(out, 1, 4, "id");
    for (uint64_t i = 1; i <= 3; i++) {
        size_t frame = gen_open(out, 2);
        gen_uint(out, 1, i);
        gen_uint(out, 2, 1);
        gen_uint(out, 3, i == 3 ? 2 : 1);
        gen_uint(out, 4, i * 4096);
        gen_close(out, frame);
        size_t stack = gen_open(out, 3);
        gen_uint(out, 1, i);
        gen_packed(out, 2, &i, 1);
        gen_close(out, stack);
    }
    for (uint64_t i = 1; i <= 2; i++) {
        size_t mapping = gen_open(out, 4);
        gen_uint(out, 1, i);
        gen_uint(out, 2, 4);
        gen_packed(out, 7, IDS(i + 1), 1);
        gen_close(out, mapping);
    }
    gen_close(out, profile);
    gen_packet_close(out, packet);
    packet = gen_packet_open(out, -1, 0);
    size_t symbols = gen_open(out, PACKET_MODULE_SYMBOLS);
    gen_text(out, 1, "/data/app/com.example.shop-xyz/base.apk");
    gen_text(out, 2, "id");
    static const uint64_t addresses[] = {4096, 99};
    for (int i = 0; i < 2; i++) {
        size_t address = gen_open(out, 3);
        gen_uint(out, 1, addresses[i]);
        size_t line = gen_open(out, 2);
        gen_text(out, 1, "a.m");
        gen_text(out, 2, "SourceFile");
        gen_uint(out, 3, 2);
        gen_close(out, line);
        gen_close(out, address);
    }
    gen_close(out, symbols);
    gen_packet_close(out, packet);
    put_deobfuscation(out);
}

/* A process that ran out of memory two calls deep. */
void gen_write_out_of_memory(struct buffer *out)
{
    static const char *const methods[] = {"void a.m(int, b)", "com.example.Main.main"};
    size_t packet = gen_packet_open(out, T(10), SEQUENCE);
    size_t art = gen_open(out, PACKET_ART_METADATA);
    gen_uint(out, 1, PID);
    gen_uint(out, 2, 10001);
    gen_text(out, 3, "com.example.shop");
    gen_text(out, 4, "com.example.shop");
    gen_uint(out, 5, 1000);
    gen_uint(out, 6, 200);
    gen_uint(out, 7, 300);
    size_t stack = gen_open(out, 8);
    for (int i = 0; i < 2; i++) {
        size_t frame = gen_open(out, 1);
        gen_text(out, 1, methods[i]);
        gen_text(out, 2, "Main.java");
        gen_uint(out, 3, 30 - (uint64_t)i);
        gen_close(out, frame);
    }
    gen_close(out, stack);
    gen_text(out, 9, "Failed to allocate");
    gen_close(out, art);
    gen_packet_close(out, packet);
    put_deobfuscation(out);
}

static void put_instant(struct buffer *out, int64_t ts, uint64_t mojo_iid)
{
    size_t packet = gen_packet_open(out, ts, SEQUENCE);
    size_t event = gen_open(out, GEN_PACKET_TRACK_EVENT);
    gen_uint(out, 9, 3);
    gen_text(out, 22, "demo");
    gen_text(out, 23, "event");
    if (mojo_iid) {
        size_t mojo = gen_open(out, 38);
        gen_uint(out, 4, mojo_iid);
        gen_close(out, mojo);
    } else {
        size_t dump = gen_open(out, 1022);
        size_t activity = gen_open(out, 1);
        gen_text(out, 1, "Main");
        for (int i = 0; i < 2; i++) {
            size_t view = gen_open(out, 2);
            gen_text(out, 5, i ? "z" : "a");
            gen_close(out, view);
        }
        gen_close(out, activity);
        gen_close(out, dump);
    }
    gen_close(out, event);
    gen_packet_close(out, packet);
}

/* Args that symbols and mappings name: a Mojo method, a function that is none, an
 * address without a symbol, one that nobody told; classes of two views, one of them
 * renamed. */
void gen_write_named_args(struct buffer *out)
{
    static const char *const functions[] = {"ns::Service::Open_Sym::IPCStableHash", "plain()"};
    size_t packet = gen_packet_open(out, T(0), SEQUENCE);
    gen_uint(out, GEN_PACKET_STATE_CLEARED, 1);
    size_t interned = gen_open(out, GEN_PACKET_INTERNED_DATA);
    put_named(out, 16, 1, "id");
    put_named(out, 17, 1, "lib.so");
    size_t mapping = gen_open(out, 19);
    gen_uint(out, 1, 1);
    gen_uint(out, 2, 1);
    gen_packed(out, 7, PACK(1));
    gen_close(out, mapping);
    for (uint64_t i = 1; i <= 3; i++) {
        size_t location = gen_open(out, 28);
        gen_uint(out, 1, i);
        gen_uint(out, 2, 1);
        gen_uint(out, 3, i * 16);
        gen_close(out, location);
    }
    gen_close(out, interned);
    gen_packet_close(out, packet);
    for (uint64_t i = 1; i <= 4; i++)
        put_instant(out, T((int64_t)i), i);
    put_instant(out, T(5), 0);
    packet = gen_packet_open(out, -1, 0);
    size_t symbols = gen_open(out, PACKET_MODULE_SYMBOLS);
    gen_text(out, 1, "/lib.so");
    gen_text(out, 2, "id");
    for (uint64_t i = 1; i <= 2; i++) {
        size_t address = gen_open(out, 3);
        gen_uint(out, 1, i * 16);
        size_t line = gen_open(out, 2);
        gen_text(out, 1, functions[i - 1]);
        gen_close(out, line);
        gen_close(out, address);
    }
    gen_close(out, symbols);
    gen_packet_close(out, packet);
    put_deobfuscation(out);
}
