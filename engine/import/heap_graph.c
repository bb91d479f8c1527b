#include "engine/import/heap_graph.h"

#include "engine/base/buffer.h"
#include "engine/base/memory.h"

/* ---- names ---- */

struct heap_class_name heap_class_name_split(struct str name)
{
    struct heap_class_name out = {name, false, 0};
    struct str start = STR("java.lang.Class<");
    if (str_starts(name, start) && str_ends(name, STR(">"))) {
        out.is_class_object = true;
        out.plain = str_slice(name, start.n, name.n - 1);
    }
    while (str_ends(out.plain, STR("[]"))) {
        out.plain = str_slice(out.plain, 0, out.plain.n - 2);
        out.n_arrays++;
    }
    return out;
}

string_id heap_class_name_rebuild(struct strpool *strings, const struct heap_class_name *name,
                                  struct str plain)
{
    struct buffer text = BUFFER_INIT;
    if (name->is_class_object) buffer_append_text(&text, "java.lang.Class<");
    buffer_append_str(&text, plain);
    for (uint32_t i = 0; i < name->n_arrays; i++)
        buffer_append_text(&text, "[]");
    if (name->is_class_object) buffer_append_byte(&text, '>');
    string_id id = strpool_intern(strings, (struct str){buffer_text(&text), text.length});
    buffer_free(&text);
    return id;
}

/* ---- roots ---- */

static int root_rank(struct str type)
{
    static const char *const strongest[] = {"STICKY_CLASS", "JNI_GLOBAL", "JNI_LOCAL"};
    if (str_starts(type, STR("ROOT_"))) type = str_slice(type, 5, type.n);
    for (int i = 0; i < 3; i++)
        if (str_is(type, strongest[i])) return i;
    return 3;
}

bool heap_graph_set_root(struct import *import, uint32_t object, string_id root_type)
{
    struct heap_graph_object_table *objects = &import->tables->heap_graph_object;
    string_id old = column_get_string(&objects->root_type, object);
    if (old == STRING_NULL || root_rank(strpool_get(import->strings, root_type)) <
                                  root_rank(strpool_get(import->strings, old)))
        table_set_string(&objects->table, heap_graph_object_COLUMN_root_type, object, root_type);
    return old == STRING_NULL;
}

/* ---- reach ---- */

struct reach {
    struct tables *tables;
    string_id referent;
    string_id loose[4]; /* kinds of class whose referent is not held */
    uint32_t n_loose;
    struct heap_rows now, next;
};

static bool is_loose(const struct reach *reach, uint32_t object)
{
    const struct tables *tables = reach->tables;
    uint32_t type = column_get_row(&tables->heap_graph_object.type_id, object);
    if (type >= table_rows(&tables->heap_graph_class.table)) return false;
    string_id kind = column_get_string(&tables->heap_graph_class.kind, type);
    for (uint32_t i = 0; i < reach->n_loose; i++)
        if (kind == reach->loose[i]) return true;
    return false;
}

static void visit(struct reach *reach, uint32_t object, int32_t distance)
{
    struct heap_graph_object_table *objects = &reach->tables->heap_graph_object;
    if (column_get_int64(&objects->root_distance, object) >= 0) return;
    table_set_int64(&objects->table, heap_graph_object_COLUMN_root_distance, object, distance);
    table_set_int64(&objects->table, heap_graph_object_COLUMN_reachable, object, 1);
    vec_push(&reach->next, object);
}

static void visit_references(struct reach *reach, uint32_t object, int32_t distance)
{
    const struct heap_graph_reference_table *refs = &reach->tables->heap_graph_reference;
    uint32_t set = column_get_row(&reach->tables->heap_graph_object.reference_set_id, object);
    if (set == NULL_UINT32) return;
    const uint32_t *sets = column_uint32(&refs->reference_set_id);
    uint32_t rows = table_rows(&refs->table);
    bool loose = is_loose(reach, object);
    for (uint32_t i = set; i < rows && sets[i] == set; i++) {
        uint32_t owned = column_get_row(&refs->owned_id, i);
        if (owned == NULL_UINT32) continue;
        if (loose && column_get_string(&refs->field_name, i) == reach->referent) continue;
        visit(reach, owned, distance);
    }
}

void heap_graph_spread(struct import *import, const struct heap_rows *roots, bool follow_soft)
{
    static const char *const kinds[] = {"KIND_WEAK_REFERENCE", "KIND_FINALIZER_REFERENCE",
                                        "KIND_PHANTOM_REFERENCE", "KIND_SOFT_REFERENCE"};
    struct reach reach = {.tables = import->tables};
    reach.referent = strpool_intern_text(import->strings, "java.lang.ref.Reference.referent");
    reach.n_loose = follow_soft ? 3 : 4;
    for (uint32_t i = 0; i < reach.n_loose; i++)
        reach.loose[i] = strpool_intern_text(import->strings, kinds[i]);
    for (size_t i = 0; i < roots->count; i++)
        visit(&reach, roots->items[i], 0);
    /* Ring by ring, so that the first way found is a shortest one. */
    for (int32_t distance = 1; reach.next.count && !cancel_is_requested(import->cancel);
         distance++) {
        struct heap_rows done = reach.now;
        reach.now = reach.next;
        reach.next = done;
        vec_clear(&reach.next);
        for (size_t i = 0; i < reach.now.count; i++)
            visit_references(&reach, reach.now.items[i], distance);
    }
    vec_free(&reach.now);
    vec_free(&reach.next);
}

/* ---- native memory ---- */

uint32_t heap_graph_follow(const struct tables *tables, uint32_t object, string_id field)
{
    const struct heap_graph_reference_table *refs = &tables->heap_graph_reference;
    uint32_t set = column_get_row(&tables->heap_graph_object.reference_set_id, object);
    if (set == NULL_UINT32) return NULL_UINT32;
    const uint32_t *sets = column_uint32(&refs->reference_set_id);
    uint32_t rows = table_rows(&refs->table);
    for (uint32_t i = set; i < rows && sets[i] == set; i++)
        if (column_get_string(&refs->field_name, i) == field)
            return column_get_row(&refs->owned_id, i);
    return NULL_UINT32;
}

/*   Cleaner --referent--> the object that has native memory
 *   Cleaner --thunk--> CleanerThunk --this$0--> NativeAllocationRegistry, with .size */
void heap_graph_add_native_sizes(struct import *import, const struct heap_rows *cleaners,
                                 const struct map *registry_sizes)
{
    struct tables *tables = import->tables;
    struct heap_graph_object_table *objects = &tables->heap_graph_object;
    string_id referent = strpool_intern_text(import->strings, "java.lang.ref.Reference.referent"),
              thunk = strpool_intern_text(import->strings, "sun.misc.Cleaner.thunk"),
              next = strpool_intern_text(import->strings, "sun.misc.Cleaner.next"),
              outer = strpool_intern_text(import->strings, "libcore.util.NativeAllocationRegistry$"
                                                           "CleanerThunk.this$0");
    for (size_t i = 0; i < cleaners->count; i++) {
        uint32_t cleaner = cleaners->items[i];
        uint32_t watched = heap_graph_follow(tables, cleaner, referent);
        uint32_t runs = heap_graph_follow(tables, cleaner, thunk);
        if (watched == NULL_UINT32 || runs == NULL_UINT32) continue;
        /* One that has run points at itself. */
        if (heap_graph_follow(tables, cleaner, next) == cleaner) continue;
        uint32_t registry = heap_graph_follow(tables, runs, outer);
        const uint64_t *size = registry == NULL_UINT32 ? NULL : map_get(registry_sizes, registry);
        if (!size) continue;
        /* The lowest bit says only where the memory came from. */
        int64_t sum = (int64_t)((uint64_t)column_get_int64(&objects->native_size, watched) +
                                (*size & ~UINT64_C(1)));
        table_set_int64(&objects->table, heap_graph_object_COLUMN_native_size, watched, sum);
    }
}
