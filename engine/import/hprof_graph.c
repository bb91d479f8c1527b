#include "engine/import/hprof.h"

#include <stdio.h>
#include <stdlib.h>

#include "engine/base/memory.h"
#include "engine/base/strpool.h"

#define POLL_EVERY 65536

/* Bytes of memory that one row takes. */
enum { OBJECT_BYTES = 88, REFERENCE_BYTES = 20, INDEX_NAME_BYTES = 64 };

static bool is_stopped(const struct hprof *h, uint64_t n)
{
    return n % POLL_EVERY == 0 && cancel_is_requested(h->import->cancel);
}

bool hprof_spend(struct hprof *h, size_t bytes)
{
    if (h->budget < bytes) return false;
    h->budget -= bytes;
    return true;
}

/* ---- classes ---- */

struct str hprof_string(const struct hprof *h, uint64_t id)
{
    const uint64_t *at = map_get(&h->strings, id);
    if (!at) return STR_NONE;
    /* The entry begins with its id; its length is in the record before it. */
    uint64_t length = hprof_number(h->bytes, (size_t)*at - 4, 4);
    return str_slice(h->bytes, (size_t)*at + h->id_bytes, (size_t)(*at + length));
}

/* "[[Lj/l/S;" is j.l.S[][], "[I" int[]; slashes are dots. */
static string_id class_name(struct hprof *h, struct str raw)
{
    static const char *const primitives[][2] = {{"Z", "boolean"}, {"B", "byte"},  {"C", "char"},
                                                {"S", "short"},   {"I", "int"},   {"J", "long"},
                                                {"F", "float"},   {"D", "double"}};
    size_t n_arrays = 0;
    while (str_starts(raw, STR("["))) {
        raw = str_slice(raw, 1, raw.n);
        n_arrays++;
    }
    if (n_arrays && str_starts(raw, STR("L")) && str_ends(raw, STR(";")))
        raw = str_slice(raw, 1, raw.n - 1);
    for (size_t i = 0; n_arrays && i < sizeof primitives / sizeof *primitives; i++)
        if (str_is(raw, primitives[i][0])) raw = str_of(primitives[i][1]);
    buffer_clear(&h->text);
    buffer_append_str(&h->text, raw);
    for (size_t i = 0; i < h->text.length; i++)
        if (h->text.data[i] == '/') h->text.data[i] = '.';
    for (size_t i = 0; i < n_arrays && i < 256; i++)
        buffer_append_text(&h->text, "[]");
    return strpool_intern(h->import->strings, (struct str){buffer_text(&h->text), h->text.length});
}

uint32_t hprof_class_of(const struct hprof *h, uint64_t id)
{
    const uint64_t *index = map_get(&h->class_index, id);
    return index ? (uint32_t)*index : NULL_UINT32;
}

static void load_class(struct hprof *h, const struct hprof_entry *e)
{
    bool added;
    map_put_if_absent(&h->class_index, e->id, h->classes.count, &added);
    stats_add(h->file, STAT_hprof_class_counter, 1);
    if (!added) return;
    struct hprof_class class = {
        .id = e->id, .name = class_name(h, hprof_string(h, e->class)), .super = NULL_UINT32};
    map_put_if_absent(&h->class_by_name, class.name, h->classes.count, &added);
    vec_push(&h->classes, class);
}

static void dump_class(struct hprof *h, const struct hprof_entry *e)
{
    uint32_t index = hprof_class_of(h, e->id);
    if (index == NULL_UINT32) {
        damage_log(&h->damage, STAT_hprof_class_errors, e->at, "a class that was never loaded");
        return;
    }
    struct hprof_class *class = &h->classes.items[index];
    if (class->is_dumped) return;
    class->is_dumped = true;
    class->super_id = e->super;
    class->instance_bytes = e->n;
    class->first_field = (uint32_t)h->fields.count;
    class->n_fields = e->n_fields;
    for (size_t i = 0; i < e->n_fields; i++) {
        size_t at = i * (h->id_bytes + 1);
        struct str name = hprof_string(h, hprof_number(e->fields, at, h->id_bytes));
        struct str owner = strpool_get(h->import->strings, class->name);
        buffer_clear(&h->text);
        buffer_append_str(&h->text, owner);
        buffer_append_byte(&h->text, '.');
        buffer_append_str(&h->text, name);
        struct hprof_field field = {strpool_intern(h->import->strings, buffer_str(&h->text)),
                                    (uint8_t)e->fields.p[at + h->id_bytes]};
        vec_push(&h->fields, field);
    }
}

static void count_entry(struct hprof *h, enum hprof_kind kind)
{
    static const int stats[] = {
        [HPROF_STRING] = STAT_hprof_string_counter,
        [HPROF_LOAD_CLASS] = -1,
        [HPROF_HEAP] = -1,
        [HPROF_ROOT] = STAT_hprof_root_counter,
        [HPROF_CLASS] = -1,
        [HPROF_INSTANCE] = STAT_hprof_instance_counter,
        [HPROF_OBJECT_ARRAY] = STAT_hprof_object_array_counter,
        [HPROF_PRIMITIVE_ARRAY] = STAT_hprof_primitive_array_counter,
    };
    if (stats[kind] >= 0) stats_add(h->file, (enum stat)stats[kind], 1);
}

static void find_supers(struct hprof *h)
{
    for (size_t i = 0; i < h->classes.count; i++)
        if (h->classes.items[i].super_id)
            h->classes.items[i].super = hprof_class_of(h, h->classes.items[i].super_id);
}

/* Kinds of reference: java.lang.ref's own classes and what extends them. */
static string_id kind_of(const struct hprof *h, uint32_t class)
{
    static const char *const kinds[][2] = {
        {"java.lang.ref.WeakReference", "KIND_WEAK_REFERENCE"},
        {"java.lang.ref.SoftReference", "KIND_SOFT_REFERENCE"},
        {"java.lang.ref.PhantomReference", "KIND_PHANTOM_REFERENCE"},
        {"java.lang.ref.FinalizerReference", "KIND_FINALIZER_REFERENCE"}};
    struct strpool *strings = h->import->strings;
    string_id names[4];
    for (int i = 0; i < 4; i++)
        names[i] = strpool_find(strings, str_of(kinds[i][0]));
    for (unsigned n = 0; class != NULL_UINT32 && n < HPROF_MAX_SUPERS; n++) {
        for (int i = 0; i < 4; i++)
            if (names[i] && h->classes.items[class].name == names[i])
                return strpool_intern_text(strings, kinds[i][1]);
        class = h->classes.items[class].super;
    }
    return strpool_intern_text(strings, "[unknown class kind]");
}

static void enter_classes(struct hprof *h)
{
    struct strpool *strings = h->import->strings;
    struct heap_graph_class_table *table = &h->import->tables->heap_graph_class;
    uint32_t first = table_rows(&table->table);
    string_id plain = strpool_intern_text(strings, "[unknown class kind]");
    for (size_t i = 0; i < h->classes.count; i++)
        h->classes.items[i].row = first + (uint32_t)i;
    for (size_t i = 0; i < h->classes.count; i++) {
        struct hprof_class *class = &h->classes.items[i];
        struct heap_graph_class_row row = {
            .name = class->name, .classloader_id = some_uint32(0), .kind = kind_of(h, (uint32_t)i)};
        if (class->super != NULL_UINT32)
            row.superclass_id = some_uint32(h->classes.items[class->super].row);
        heap_graph_class_append(table, &row);
    }
    for (size_t i = 0; i < h->classes.count; i++) {
        struct hprof_class *class = &h->classes.items[i];
        struct heap_class_name name = {STR_NONE, true, 0};
        struct heap_graph_class_row row = {
            .name = heap_class_name_rebuild(strings, &name, strpool_get(strings, class->name)),
            .classloader_id = some_uint32(0),
            .kind = plain};
        class->own_row = class->is_dumped ? heap_graph_class_append(table, &row) : class->row;
    }
}

bool hprof_read_classes(struct hprof *h)
{
    struct hprof_walk walk = {.damage = &h->damage};
    struct hprof_entry e;
    int64_t timestamp;
    if (!hprof_walk_begin(&walk, h->bytes, &timestamp)) return true;
    for (uint64_t n = 1; hprof_next(&walk, &e); n++) {
        count_entry(h, e.kind);
        if (e.kind == HPROF_STRING) map_set(&h->strings, e.id, e.at);
        if (e.kind == HPROF_LOAD_CLASS) load_class(h, &e);
        if (e.kind == HPROF_CLASS) dump_class(h, &e);
        if (is_stopped(h, n)) return false;
    }
    find_supers(h);
    return true;
}

/* ---- objects ---- */

static int compare_objects(const void *a, const void *b)
{
    const struct hprof_object *x = a, *y = b;
    if (x->id != y->id) return x->id < y->id ? -1 : 1;
    return x->row < y->row ? -1 : x->row > y->row;
}

uint32_t hprof_object_row(const struct hprof *h, uint64_t id)
{
    size_t low = 0, high = h->objects.count;
    while (low < high) {
        size_t mid = low + (high - low) / 2;
        if (h->objects.items[mid].id < id)
            low = mid + 1;
        else
            high = mid;
    }
    return low < h->objects.count && h->objects.items[low].id == id ? h->objects.items[low].row
                                                                    : NULL_UINT32;
}

bool hprof_entry_of(const struct hprof *h, uint32_t row, struct hprof_entry *entry)
{
    if (row < h->first_row || row - h->first_row >= h->offsets.count) return false;
    struct hprof_walk walk = {.bytes = h->bytes,
                              .at = h->offsets.items[row - h->first_row],
                              .segment_end = h->bytes.n,
                              .id_bytes = h->id_bytes};
    return hprof_next(&walk, entry);
}

static uint32_t class_named(const struct hprof *h, const char *name)
{
    string_id id = strpool_find(h->import->strings, str_of(name));
    const uint64_t *index = id ? map_get(&h->class_by_name, id) : NULL;
    return index ? (uint32_t)*index : NULL_UINT32;
}

static int64_t static_bytes(const struct hprof *h, const struct hprof_entry *e)
{
    int64_t sum = 0;
    size_t at = 0;
    for (unsigned i = 0; i < e->n_statics; i++) {
        unsigned n = hprof_type_bytes(h->id_bytes, (uint8_t)e->data.p[at + h->id_bytes]);
        sum += n;
        at += h->id_bytes + 1 + n;
    }
    return sum;
}

static const char *type_name(uint8_t type)
{
    static const char *const names[] = {NULL,    NULL,     "object", NULL,    "boolean", "char",
                                        "float", "double", "byte",   "short", "int",     "long"};
    return type < sizeof names / sizeof *names ? names[type] : NULL;
}

/* The class of the entry's object as a row of classes, and its size. */
static bool describe(struct hprof *h, const struct hprof_entry *e, uint32_t java_class,
                     struct heap_graph_object_row *row)
{
    uint32_t class = NULL_UINT32;
    switch (e->kind) {
    case HPROF_CLASS:
        class = hprof_class_of(h, e->id);
        if (class == NULL_UINT32) return false;
        row->type_id = h->classes.items[class].own_row;
        row->self_size = static_bytes(h, e);
        if (java_class != NULL_UINT32)
            row->self_size += h->classes.items[java_class].instance_bytes;
        return true;
    case HPROF_PRIMITIVE_ARRAY:
        buffer_clear(&h->text);
        buffer_printf(&h->text, "%s[]", type_name(e->type));
        class = class_named(h, buffer_text(&h->text));
        /* Two numbers and the class in front of the elements. */
        row->self_size = (int64_t)(h->id_bytes + 8 + e->data.n);
        break;
    case HPROF_OBJECT_ARRAY:
        class = hprof_class_of(h, e->class);
        row->self_size = (int64_t)e->n * h->id_bytes;
        break;
    default: class = hprof_class_of(h, e->class); break;
    }
    if (class == NULL_UINT32) {
        damage_log(&h->damage,
                   e->kind == HPROF_PRIMITIVE_ARRAY ? STAT_hprof_primitive_array_parsing_errors
                                                    : STAT_hprof_class_errors,
                   e->at, "an object of a class that was never loaded");
        return false;
    }
    row->type_id = h->classes.items[class].row;
    if (e->kind != HPROF_PRIMITIVE_ARRAY) row->self_size += h->classes.items[class].instance_bytes;
    return true;
}

static bool has_object(enum hprof_kind kind)
{
    return kind == HPROF_CLASS || kind == HPROF_INSTANCE || kind == HPROF_OBJECT_ARRAY ||
           kind == HPROF_PRIMITIVE_ARRAY;
}

bool hprof_enter_objects(struct hprof *h)
{
    struct heap_graph_object_table *table = &h->import->tables->heap_graph_object;
    struct hprof_walk walk = {.damage = NULL};
    struct hprof_entry e;
    int64_t timestamp;
    string_id heap = STRING_NULL;
    enter_classes(h);
    uint32_t cleaner = class_named(h, "sun.misc.Cleaner"),
             java_class = class_named(h, "java.lang.Class");
    uint32_t cleaner_row = cleaner == NULL_UINT32 ? NULL_UINT32 : h->classes.items[cleaner].row;
    h->first_row = table_rows(&table->table);
    if (!hprof_walk_begin(&walk, h->bytes, &timestamp)) return true;
    for (uint64_t n = 1; hprof_next(&walk, &e); n++) {
        struct heap_graph_object_row row = {.upid = h->upid,
                                            .graph_sample_ts = h->timestamp,
                                            .heap_type = heap,
                                            .root_distance = -1};
        if (is_stopped(h, n)) return false;
        if (e.kind == HPROF_HEAP)
            heap = strpool_intern(h->import->strings, hprof_string(h, e.class));
        if (!has_object(e.kind) || !describe(h, &e, java_class, &row)) continue;
        if (!hprof_spend(h, OBJECT_BYTES)) {
            damage_log(&h->damage, STAT_perfetty_limit_reached, e.at,
                       "the objects from here on take more memory than is allowed");
            break;
        }
        struct hprof_object object = {e.id, heap_graph_object_append(table, &row)};
        vec_push(&h->objects, object);
        vec_push(&h->offsets, e.at);
        if (row.type_id == cleaner_row && e.kind == HPROF_INSTANCE)
            vec_push(&h->cleaners, object.row);
    }
    if (h->objects.count)
        qsort(h->objects.items, h->objects.count, sizeof *h->objects.items, compare_objects);
    return true;
}

/* ---- references ---- */

struct referring {
    struct hprof *h;
    uint32_t owner, set;
    uint32_t n_names; /* "[i]" below it were used */
    bool is_full;
};

/* False, told once, when there is no memory for more. */
static bool spend(struct referring *r, size_t bytes)
{
    struct hprof *h = r->h;
    if (r->is_full || hprof_spend(h, bytes)) return !r->is_full;
    damage_log(&h->damage, STAT_perfetty_limit_reached, h->offsets.items[r->owner - h->first_row],
               "the references from here on take more memory than is allowed");
    r->is_full = true;
    return false;
}

static void add_reference(struct referring *r, string_id name, uint64_t id)
{
    struct hprof *h = r->h;
    struct tables *tables = h->import->tables;
    if (id == 0 || !spend(r, REFERENCE_BYTES)) return;
    struct heap_graph_reference_row row = {
        .reference_set_id = r->set, .owner_id = r->owner, .field_name = name};
    uint32_t owned = hprof_object_row(h, id);
    if (owned != NULL_UINT32) {
        uint32_t type = column_get_row(&tables->heap_graph_object.type_id, owned);
        row.owned_id = some_uint32(owned);
        row.field_type_name = column_get_string(&tables->heap_graph_class.name, type);
    } else {
        row.field_type_name = strpool_intern_text(h->import->strings, "unknown");
    }
    heap_graph_reference_append(&tables->heap_graph_reference, &row);
}

static void refer_from_class(struct referring *r, const struct hprof_entry *e)
{
    struct hprof *h = r->h;
    uint32_t class = hprof_class_of(h, e->id);
    size_t at = 0;
    for (unsigned i = 0; i < e->n_statics; i++) {
        uint8_t type = (uint8_t)e->data.p[at + h->id_bytes];
        if (type == HPROF_OBJECT) {
            buffer_clear(&h->text);
            buffer_append_str(&h->text,
                              strpool_get(h->import->strings, h->classes.items[class].name));
            buffer_append_byte(&h->text, '.');
            buffer_append_str(&h->text, hprof_string(h, hprof_number(e->data, at, h->id_bytes)));
            add_reference(r, strpool_intern(h->import->strings, buffer_str(&h->text)),
                          hprof_number(e->data, at + h->id_bytes + 1, h->id_bytes));
        }
        at += h->id_bytes + 1 + hprof_type_bytes(h->id_bytes, type);
    }
}

/* Values of the class's own fields come first, then those of its superclasses. */
static void refer_from_instance(struct referring *r, const struct hprof_entry *e)
{
    struct hprof *h = r->h;
    uint32_t class = hprof_class_of(h, e->class);
    size_t at = 0;
    for (unsigned n = 0; class != NULL_UINT32 && n < HPROF_MAX_SUPERS; n++) {
        const struct hprof_class *c = &h->classes.items[class];
        for (uint32_t i = 0; i < c->n_fields; i++) {
            const struct hprof_field *field = &h->fields.items[c->first_field + i];
            unsigned bytes = hprof_type_bytes(h->id_bytes, field->type);
            if (bytes == 0 || e->data.n - at < bytes) {
                damage_log(&h->damage, STAT_hprof_reference_errors, e->at,
                           "an instance that is shorter than its class");
                return;
            }
            if (field->type == HPROF_OBJECT)
                add_reference(r, field->name, hprof_number(e->data, at, h->id_bytes));
            at += bytes;
        }
        class = c->super;
    }
}

static void refer_from_array(struct referring *r, const struct hprof_entry *e)
{
    struct hprof *h = r->h;
    char name[24];
    for (uint32_t i = 0; i < e->n && !r->is_full; i++) {
        uint64_t id = hprof_number(e->data, (size_t)i * h->id_bytes, h->id_bytes);
        if (id == 0) continue;
        if (i >= r->n_names) {
            if (!spend(r, INDEX_NAME_BYTES)) return;
            r->n_names = i + 1;
        }
        int n = snprintf(name, sizeof name, "[%u]", (unsigned)i);
        add_reference(r, strpool_intern(h->import->strings, (struct str){name, (size_t)n}), id);
    }
}

bool hprof_enter_references(struct hprof *h)
{
    struct tables *tables = h->import->tables;
    struct referring r = {.h = h};
    struct hprof_entry e;
    for (size_t i = 0; i < h->offsets.count && !r.is_full; i++) {
        r.owner = h->first_row + (uint32_t)i;
        r.set = table_rows(&tables->heap_graph_reference.table);
        if (is_stopped(h, i + 1)) return false;
        if (!hprof_entry_of(h, r.owner, &e)) continue;
        if (e.kind == HPROF_CLASS) refer_from_class(&r, &e);
        if (e.kind == HPROF_INSTANCE) refer_from_instance(&r, &e);
        if (e.kind == HPROF_OBJECT_ARRAY) refer_from_array(&r, &e);
        uint32_t rows = table_rows(&tables->heap_graph_reference.table);
        if (rows == r.set) continue;
        stats_add(h->file, STAT_hprof_reference_counter, rows - r.set);
        table_set_int64(&tables->heap_graph_object.table, heap_graph_object_COLUMN_reference_set_id,
                        r.owner, r.set);
    }
    return true;
}

/* ---- roots and what they reach ---- */

static const char *root_name(uint8_t tag)
{
    switch (tag) {
    case 0x01: return "JNI_GLOBAL";
    case 0x02: return "JNI_LOCAL";
    case 0x03: return "JAVA_FRAME";
    case 0x04: return "NATIVE_STACK";
    case 0x05: return "STICKY_CLASS";
    case 0x06: return "THREAD_BLOCK";
    case 0x07: return "MONITOR_USED";
    case 0x08: return "THREAD_OBJECT";
    case 0x89: return "INTERNED_STRING";
    case 0x8A: return "FINALIZING";
    case 0x8B: return "DEBUGGER";
    case 0x8D: return "VM_INTERNAL";
    case 0x8E: return "JNI_MONITOR";
    case 0xFF: return "UNKNOWN";
    default: return NULL;
    }
}

void hprof_enter_reach(struct hprof *h)
{
    struct hprof_walk walk = {.damage = NULL};
    struct hprof_entry e;
    int64_t timestamp;
    if (!hprof_walk_begin(&walk, h->bytes, &timestamp)) return;
    while (hprof_next(&walk, &e)) {
        if (e.kind != HPROF_ROOT || e.tag == 0x90) continue;
        uint32_t row = hprof_object_row(h, e.id);
        const char *name = root_name(e.tag);
        if (row == NULL_UINT32) continue;
        if (!name)
            vec_push(&h->roots, row);
        else if (heap_graph_set_root(h->import, row, strpool_intern_text(h->import->strings, name)))
            vec_push(&h->roots, row);
    }
    heap_graph_spread(h->import, &h->roots, true);
    heap_graph_add_native_sizes(h->import, &h->cleaners, &h->registry_sizes);
}
