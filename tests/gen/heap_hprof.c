#include "tests/gen/heap_formats.h"

#include <string.h>

enum type { OBJECT = 2, BOOLEAN = 4, CHAR, FLOAT, DOUBLE, BYTE, SHORT, INT, LONG };

/* Ids of classes are 0x100 and up, of strings 1 and up, of objects 0x1000 and up. */
enum class_id {
    JAVA_OBJECT = 0x100,
    JAVA_CLASS,
    JAVA_STRING,
    BYTES,
    CHARS,
    SHOPS,
    SHOP,
    REFERENCE,
    WEAK,
    CLEANER,
    THUNK,
    REGISTRY,
};

struct hprof_out {
    struct buffer *out;
    unsigned id_bytes;
};

static void number(struct buffer *out, uint64_t value, unsigned n)
{
    while (n-- > 0)
        buffer_append_byte(out, (char)(value >> (8 * n)));
}

static void id(struct hprof_out *h, uint64_t value)
{
    number(h->out, value, h->id_bytes);
}

static size_t open_record(struct hprof_out *h, uint8_t tag)
{
    buffer_append_byte(h->out, (char)tag);
    number(h->out, 0, 4);
    number(h->out, 0, 4);
    return h->out->length;
}

static void close_record(struct hprof_out *h, size_t mark)
{
    uint64_t n = h->out->length - mark;
    for (unsigned i = 0; i < 4; i++)
        h->out->data[mark - 4 + i] = (char)(n >> (24 - 8 * i));
}

static void put_string(struct hprof_out *h, uint64_t name, const char *text)
{
    size_t mark = open_record(h, 0x01);
    id(h, name);
    buffer_append_text(h->out, text);
    close_record(h, mark);
}

static void load_class(struct hprof_out *h, uint64_t class, uint64_t name)
{
    size_t mark = open_record(h, 0x02);
    number(h->out, class, 4);
    id(h, class);
    number(h->out, 0, 4);
    id(h, name);
    close_record(h, mark);
}

struct field {
    uint64_t name;
    uint8_t type;
};

static void put_class(struct hprof_out *h, uint64_t class, uint64_t super, uint32_t size,
                      const struct field *fields, uint16_t n, uint64_t static_object)
{
    buffer_append_byte(h->out, 0x20);
    id(h, class);
    number(h->out, 0, 4);
    id(h, super);
    for (int i = 0; i < 5; i++)
        id(h, 0);
    number(h->out, size, 4);
    number(h->out, 0, 2);
    number(h->out, static_object ? 2 : 0, 2);
    if (static_object) {
        id(h, 17);
        number(h->out, OBJECT, 1);
        id(h, static_object);
        id(h, 18);
        number(h->out, INT, 1);
        number(h->out, 5, 4);
    }
    number(h->out, n, 2);
    for (uint16_t i = 0; i < n; i++) {
        id(h, fields[i].name);
        number(h->out, fields[i].type, 1);
    }
}

/* What follows are its values, `bytes` of them. */
static void put_instance(struct hprof_out *h, uint64_t object, uint64_t class, uint32_t bytes)
{
    buffer_append_byte(h->out, 0x21);
    id(h, object);
    number(h->out, 0, 4);
    id(h, class);
    number(h->out, bytes, 4);
}

static void put_array(struct hprof_out *h, uint64_t object, enum type type, uint32_t n,
                      const char *bytes, size_t n_bytes)
{
    buffer_append_byte(h->out, 0x23);
    id(h, object);
    number(h->out, 0, 4);
    number(h->out, n, 4);
    number(h->out, type, 1);
    buffer_append(h->out, bytes, n_bytes);
}

static const char *const NAMES[] = {
    NULL,
    "java.lang.Object",
    "java.lang.Class",
    "java.lang.String",
    "[B",
    "[C",
    "[Lcom/example/Shop;",
    "com/example/Shop",
    "java.lang.ref.Reference",
    "java.lang.ref.WeakReference",
    "value",
    "coder",
    "name",
    "referent",
    "count",
    "open",
    "rates",
    "CACHE",
    "LIMIT",
    "app",
    "sun.misc.Cleaner",
    "libcore.util.NativeAllocationRegistry$CleanerThunk",
    "libcore.util.NativeAllocationRegistry",
    "thunk",
    "next",
    "this$0",
    "size",
};

static void put_head(struct hprof_out *h)
{
    static const uint8_t names_of[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 20, 21, 22};
    buffer_append(h->out, "JAVA PROFILE 1.0.3", 19);
    number(h->out, h->id_bytes, 4);
    number(h->out, 1700000000000, 8);
    for (uint64_t i = 1; i < sizeof NAMES / sizeof *NAMES; i++)
        put_string(h, i, NAMES[i]);
    for (uint64_t i = 0; i < sizeof names_of; i++)
        load_class(h, JAVA_OBJECT + i, names_of[i]);
    close_record(h, open_record(h, 0x04)); /* a stack frame: of no interest */
}

static void put_classes(struct hprof_out *h)
{
    static const struct field string_fields[] = {{10, OBJECT}, {11, BYTE}};
    static const struct field shop_fields[] = {
        {12, OBJECT}, {14, INT}, {15, BOOLEAN}, {16, DOUBLE}};
    static const struct field referent = {13, OBJECT};
    static const struct field cleaner_fields[] = {{23, OBJECT}, {24, OBJECT}};
    static const struct field outer = {25, OBJECT}, size = {26, LONG};
    unsigned w = h->id_bytes;
    put_class(h, JAVA_OBJECT, 0, 8, NULL, 0, 0);
    put_class(h, JAVA_CLASS, JAVA_OBJECT, 40, NULL, 0, 0);
    put_class(h, JAVA_STRING, JAVA_OBJECT, w + 1, string_fields, 2, 0);
    put_class(h, BYTES, JAVA_OBJECT, 0, NULL, 0, 0);
    put_class(h, CHARS, JAVA_OBJECT, 0, NULL, 0, 0);
    put_class(h, SHOPS, JAVA_OBJECT, 12, NULL, 0, 0);
    put_class(h, SHOP, JAVA_OBJECT, w + 13, shop_fields, 4, 0x1005);
    put_class(h, REFERENCE, JAVA_OBJECT, w, &referent, 1, 0);
    put_class(h, WEAK, REFERENCE, w, NULL, 0, 0);
    put_class(h, CLEANER, REFERENCE, 3 * w, cleaner_fields, 2, 0);
    put_class(h, THUNK, JAVA_OBJECT, w, &outer, 1, 0);
    put_class(h, REGISTRY, JAVA_OBJECT, 8, &size, 1, 0);
}

/* A shop named "Tea", one named in two-byte characters that only a weak reference
 * holds, an array of shops, and a cleaner for the first one's 512 native bytes. */
static void put_objects(struct hprof_out *h)
{
    unsigned w = h->id_bytes;
    buffer_append_byte(h->out, (char)0xFE);
    number(h->out, 1, 4);
    id(h, 19);
    put_instance(h, 0x1000, SHOP, w + 13);
    id(h, 0x1001);
    number(h->out, 3, 4);
    number(h->out, 1, 1);
    number(h->out, UINT64_C(0x3FF8000000000000), 8); /* 1.5 */
    put_instance(h, 0x1001, JAVA_STRING, w + 1);
    id(h, 0x1002);
    number(h->out, 0, 1);
    put_array(h, 0x1002, BYTE, 3, "Tea", 3);
    put_instance(h, 0x1003, SHOP, w + 13);
    id(h, 0x1006);
    number(h->out, UINT64_C(0xFFFFFFFF), 4);
    number(h->out, 0, 1);
    number(h->out, 0, 8);
    put_instance(h, 0x1004, WEAK, w);
    id(h, 0x1003);
    buffer_append_byte(h->out, 0x22);
    id(h, 0x1005);
    number(h->out, 0, 4);
    number(h->out, 3, 4);
    id(h, SHOPS);
    id(h, 0x1000);
    id(h, 0);
    id(h, 0x9999);
    put_instance(h, 0x1006, JAVA_STRING, w + 1);
    id(h, 0x1007);
    number(h->out, 1, 1);
    put_array(h, 0x1007, CHAR, 3, "\x00\xFC\xD8\x3D\xDE\x00", 6);
    put_instance(h, 0x1008, CLEANER, 3 * w);
    id(h, 0x1009);
    id(h, 0);
    id(h, 0x1000);
    put_instance(h, 0x1009, THUNK, w);
    id(h, 0x100A);
    put_instance(h, 0x100A, REGISTRY, 8);
    number(h->out, 513, 8);
}

static void put_roots(struct hprof_out *h)
{
    buffer_append_byte(h->out, 0x08);
    id(h, 0x1004);
    number(h->out, 0, 8);
    buffer_append_byte(h->out, (char)0x8D);
    id(h, SHOP);
    buffer_append_byte(h->out, 0x05);
    id(h, SHOP);
    buffer_append_byte(h->out, 0x01);
    id(h, 0x1008);
    id(h, 0);
    buffer_append_byte(h->out, 0x03);
    id(h, 0x7777); /* of no object */
    number(h->out, 0, 8);
}

static void put_dump(struct buffer *out, unsigned id_bytes)
{
    struct hprof_out h = {out, id_bytes};
    put_head(&h);
    size_t mark = open_record(&h, 0x1C);
    put_classes(&h);
    close_record(&h, mark);
    mark = open_record(&h, 0x1C);
    put_roots(&h);
    put_objects(&h);
    close_record(&h, mark);
    close_record(&h, open_record(&h, 0x2C));
}

/* Ids of four bytes, as Android writes them. */
void gen_write_hprof(struct buffer *out)
{
    put_dump(out, 4);
}

/* The same with ids of eight bytes. */
void gen_write_hprof_long(struct buffer *out)
{
    put_dump(out, 8);
}

/* Ends inside the last objects. */
void gen_write_hprof_cut(struct buffer *out)
{
    put_dump(out, 4);
    out->length -= 40;
}

/* A class that extends itself, one that was never loaded, objects of such and one too
 * short, a segment that ends early, a part of unknown kind with objects behind it. */
void gen_write_hprof_odd(struct buffer *out)
{
    static const struct field fields[] = {{12, OBJECT}, {14, 99}};
    struct hprof_out h = {out, 4};
    put_head(&h);
    size_t mark = open_record(&h, 0x0C);
    put_class(&h, JAVA_OBJECT, JAVA_OBJECT, 8, fields, 2, 0);
    put_class(&h, SHOP, SHOP, 8, fields, 1, 0);
    put_class(&h, 0x999, 0, 8, NULL, 0, 0);
    put_instance(&h, 0x1000, 0x999, 0);
    put_instance(&h, 0x1001, JAVA_OBJECT, 4);
    id(&h, 0x1002);
    put_instance(&h, 0x1002, SHOP, 2);
    number(h.out, 7, 2);
    put_instance(&h, 0x1001, SHOP, 4);
    id(&h, 0x1001);
    put_array(&h, 0x1003, INT, 1, "\0\0\0\1", 4);
    put_array(&h, 0x1004, BYTE, 2, "ab", 2);
    close_record(&h, mark);
    for (int i = 1; i <= 4 && out->data[mark - i]-- == 0; i++) /* it ends a byte early */
        continue;
    mark = open_record(&h, 0x1C);
    buffer_append_byte(out, (char)0xC3);
    put_instance(&h, 0x1005, SHOP, 4);
    id(&h, 0x1001);
    close_record(&h, mark);
    mark = open_record(&h, 0x1C);
    put_instance(&h, 0x1006, SHOP, 4);
    id(&h, 0x1001);
    close_record(&h, mark);
}
