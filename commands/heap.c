#include "commands/heap.h"

#include <string.h>

#include "commands/flame_profile.h"
#include "engine/base/map.h"
#include "engine/base/memory.h"

struct building {
    struct heap *heap;
    struct cancel *cancel;
    uint32_t *at; /* by row: index of the object, HEAP_NONE: not of the dump */
    VEC(uint32_t) starts, targets, references, roots;
    struct map class_of; /* row of a class → index */
};

/* ---- names ---- */

struct str heap_class_name(const struct heap *heap, uint32_t class)
{
    const struct heap_graph_class_table *c = &heap->tables->heap_graph_class;
    uint32_t row = heap->classes.items[class].row;
    if (row >= table_rows(&c->table)) return STR("[unknown]");
    struct str name =
        strpool_get(heap->tables->strings, column_get_string(&c->deobfuscated_name, row));
    if (!name.n) name = strpool_get(heap->tables->strings, column_get_string(&c->name, row));
    return name.n ? name : STR("[unknown]");
}

struct str heap_field_name(const struct heap *heap, uint32_t reference)
{
    const struct heap_graph_reference_table *r = &heap->tables->heap_graph_reference;
    if (reference >= table_rows(&r->table)) return STR("");
    struct str name = strpool_get(heap->tables->strings,
                                  column_get_string(&r->deobfuscated_field_name, reference));
    if (!name.n)
        name = strpool_get(heap->tables->strings, column_get_string(&r->field_name, reference));
    return name.p ? name : STR("");
}

/* ---- the graph ---- */

static bool stopped(const struct building *b, size_t i)
{
    return (i & 0xFFF) == 0 && cancel_is_requested(b->cancel);
}

static uint32_t class_index(struct building *b, uint32_t row)
{
    uint64_t *found = map_get(&b->class_of, row);
    if (found) return (uint32_t)*found;
    uint32_t index = (uint32_t)b->heap->classes.count;
    vec_push(&b->heap->classes, (struct heap_class){.row = row});
    map_set(&b->class_of, row, index);
    return index;
}

static bool is_of(const struct heap_graph_object_table *o, uint32_t row, struct heap_dump dump)
{
    return column_get_row(&o->upid, row) == dump.upid &&
           column_get_int64(&o->graph_sample_ts, row) == dump.ts;
}

void heap_list_dumps(const struct tables *tables, struct heap_dumps *out)
{
    const struct heap_graph_object_table *o = &tables->heap_graph_object;
    for (uint32_t i = 0; i < table_rows(&o->table); i++) {
        size_t k = out->count; /* the newest first: objects of a dump stand together */
        while (k > 0 && !is_of(o, i, out->items[k - 1]))
            k--;
        if (k > 0) continue;
        struct heap_dump dump = {column_get_row(&o->upid, i),
                                 column_get_int64(&o->graph_sample_ts, i)};
        vec_push(out, dump);
    }
}

static bool read_objects(struct building *b)
{
    struct heap *heap = b->heap;
    const struct heap_graph_object_table *o = &heap->tables->heap_graph_object;
    uint32_t n = table_rows(&o->table);
    b->at = mem_alloc(((size_t)n + 1) * sizeof *b->at);
    for (uint32_t i = 0; i < n; i++) {
        if (stopped(b, i)) return false;
        b->at[i] = HEAP_NONE;
        if (!is_of(o, i, heap->dump)) continue;
        if (!column_get_int64(&o->reachable, i)) {
            heap->n_unreachable++;
            continue;
        }
        b->at[i] = (uint32_t)heap->objects.count;
        struct heap_object object = {.row = i,
                                     .class = class_index(b, column_get_row(&o->type_id, i)),
                                     .keeper = HEAP_NONE,
                                     .from = HEAP_NONE,
                                     .reference = HEAP_NONE,
                                     .n_kept = 1,
                                     .kept = column_get_int64(&o->self_size, i),
                                     .kept_native = column_get_int64(&o->native_size, i)};
        struct heap_class *class = &heap->classes.items[object.class];
        class->n++;
        class->size += object.kept;
        class->native += object.kept_native;
        heap->size += object.kept;
        if (column_get_string(&o->root_type, i) != STRING_NULL) vec_push(&b->roots, b->at[i]);
        vec_push(&heap->objects, object);
    }
    return true;
}

static bool read_references(struct building *b)
{
    const struct heap_graph_object_table *o = &b->heap->tables->heap_graph_object;
    const struct heap_graph_reference_table *r = &b->heap->tables->heap_graph_reference;
    uint32_t rows = table_rows(&r->table), n = table_rows(&o->table);
    for (size_t i = 0; i < b->heap->objects.count; i++) {
        if (stopped(b, i)) return false;
        vec_push(&b->starts, (uint32_t)b->targets.count);
        uint32_t set = column_get_row(&o->reference_set_id, b->heap->objects.items[i].row);
        for (uint32_t k = set; k < rows && column_get_row(&r->reference_set_id, k) == set; k++) {
            uint32_t owned = column_get_row(&r->owned_id, k);
            if (owned >= n || b->at[owned] == HEAP_NONE) continue;
            vec_push(&b->targets, b->at[owned]);
            vec_push(&b->references, k);
        }
    }
    vec_push(&b->starts, (uint32_t)b->targets.count);
    return true;
}

/* By distance from the roots: the first way found is a shortest. */
static bool find_ways(struct building *b)
{
    struct heap_object *objects = b->heap->objects.items;
    bool *seen = mem_zero(b->heap->objects.count + 1, sizeof *seen), done = true;
    VEC(uint32_t) queue = {0};
    for (size_t i = 0; i < b->roots.count; i++) {
        seen[b->roots.items[i]] = true;
        vec_push(&queue, b->roots.items[i]);
    }
    for (size_t i = 0; i < queue.count && done; i++) {
        uint32_t from = queue.items[i];
        for (uint32_t e = b->starts.items[from]; e < b->starts.items[from + 1]; e++) {
            uint32_t to = b->targets.items[e];
            if (seen[to]) continue;
            seen[to] = true;
            objects[to].from = from;
            objects[to].reference = b->references.items[e];
            vec_push(&queue, to);
        }
        done = !stopped(b, i);
    }
    vec_free(&queue);
    mem_free(seen);
    return done;
}

/* ---- what keeps what ---- */

struct child_lists {
    uint32_t *first, *next; /* by index; `first` of the last one: those that roots keep */
};

static struct child_lists list_children(const struct heap *heap)
{
    uint32_t n = (uint32_t)heap->objects.count;
    struct child_lists lists = {mem_alloc(((size_t)n + 1) * sizeof *lists.first),
                                mem_alloc(((size_t)n + 1) * sizeof *lists.next)};
    memset(lists.first, 0xFF, ((size_t)n + 1) * sizeof *lists.first);
    for (uint32_t i = n; i-- > 0;) {
        uint32_t keeper = heap->objects.items[i].keeper;
        uint32_t above = keeper == HEAP_NONE ? n : keeper;
        lists.next[i] = lists.first[above];
        lists.first[above] = i;
    }
    return lists;
}

/* Down and up the tree of keepers: sums on the way up; a class counts what hangs on
 * its highest objects only. */
static void add_up(struct heap *heap)
{
    uint32_t n = (uint32_t)heap->objects.count;
    struct heap_object *objects = heap->objects.items;
    struct child_lists lists = list_children(heap);
    uint32_t *above = mem_zero(heap->classes.count + 1, sizeof *above);
    VEC(uint32_t) path = {0};
    for (uint32_t top = lists.first[n]; top != HEAP_NONE; top = lists.next[top]) {
        vec_push(&path, top);
        above[objects[top].class]++;
        while (path.count) {
            uint32_t at = *vec_last(&path), child = lists.first[at];
            if (child != HEAP_NONE) {
                lists.first[at] = lists.next[child];
                vec_push(&path, child);
                above[objects[child].class]++;
                continue;
            }
            struct heap_object *object = &objects[at];
            if (--above[object->class] == 0)
                heap->classes.items[object->class].kept += object->kept;
            path.count--;
            if (!path.count) break;
            struct heap_object *keeper = &objects[*vec_last(&path)];
            keeper->kept += object->kept;
            keeper->kept_native += object->kept_native;
            keeper->n_kept += object->n_kept;
        }
    }
    vec_free(&path);
    mem_free(above);
    mem_free(lists.first);
    mem_free(lists.next);
}

static bool find_keepers(struct building *b)
{
    uint32_t n = (uint32_t)b->heap->objects.count;
    uint32_t *keepers = flame_dominators(n, b->starts.items, b->targets.items, b->roots.items,
                                         (uint32_t)b->roots.count, b->cancel);
    bool done = !cancel_is_requested(b->cancel);
    for (uint32_t i = 0; i < n && done; i++)
        b->heap->objects.items[i].keeper = keepers[i] < n ? keepers[i] : HEAP_NONE;
    mem_free(keepers);
    if (done) add_up(b->heap);
    return done;
}

struct heap *heap_new(const struct tables *tables, struct heap_dump dump, struct cancel *cancel)
{
    struct building b = {.heap = mem_zero(1, sizeof *b.heap), .cancel = cancel};
    b.heap->tables = tables;
    b.heap->dump = dump;
    bool done = read_objects(&b) && read_references(&b) && find_ways(&b) && find_keepers(&b);
    mem_free(b.at);
    vec_free(&b.starts);
    vec_free(&b.targets);
    vec_free(&b.references);
    vec_free(&b.roots);
    map_free(&b.class_of);
    if (done) return b.heap;
    heap_free(b.heap);
    return NULL;
}

void heap_free(struct heap *heap)
{
    if (!heap) return;
    vec_free(&heap->objects);
    vec_free(&heap->classes);
    mem_free(heap);
}
