/* heap_graph packets: the objects of a Java heap and what they refer to, written by
 * perfetto_hprof (spec engine_2 2.6; the messages: heap_graph.proto of ART).
 *
 * A graph is a series of packets of one sequence.  Its classes, fields and locations
 * are named by ids that may come after their use, so that names, sizes and
 * what is reachable are entered when the last packet of the series was read.  A
 * series that the trace cuts off is entered as far as it goes. */
#include "engine/import/heap_graph_parts.h"

#include "engine/base/memory.h"
#include "engine/base/strpool.h"
#include "engine/import/packet.h"
#include "engine/import/process.h"
#include "engine/import/stats.h"
#include "engine/proto/wire.h"

enum { PACKET_HEAP_GRAPH = 56 };
enum graph_field {
    GRAPH_PID = 1,
    GRAPH_OBJECT = 2,
    GRAPH_FIELD_NAME = 4,
    GRAPH_CONTINUED = 5,
    GRAPH_INDEX = 6,
    GRAPH_ROOT = 7,
    GRAPH_LOCATION = 8,
    GRAPH_TYPE = 9,
    GRAPH_HEAP_SIZE = 10,
};

struct heap_graphs {
    VEC(struct graph *) open;
    struct map by_sequence; /* to number in open */
};

static void graph_free(struct graph *graph)
{
    map_free(&graph->objects);
    map_free(&graph->types);
    map_free(&graph->fields);
    map_free(&graph->locations);
    map_free(&graph->type_of);
    map_free(&graph->registry_sizes);
    vec_free(&graph->type_list);
    vec_free(&graph->field_ids);
    vec_free(&graph->field_list);
    vec_free(&graph->roots);
    vec_free(&graph->references);
    vec_free(&graph->own);
    vec_free(&graph->unsized);
    vec_free(&graph->unnamed);
    mem_free(graph);
}

static struct graph *graph_of(struct heap_graphs *graphs, const struct packet *packet)
{
    uint32_t sequence = packet->sequence ? sequence_id(packet->sequence) : 0;
    const uint64_t *known = map_get(&graphs->by_sequence, sequence);
    if (known) return graphs->open.items[*known];
    struct graph *graph = mem_zero(1, sizeof *graph);
    graph->sequence = sequence;
    graph->file = packet_reader_file(packet->reader);
    graph->slot = graphs->open.count;
    map_set(&graphs->by_sequence, sequence, graph->slot);
    vec_push(&graphs->open, graph);
    return graph;
}

/* The numbers of a repeated field: packed, or one. */
struct numbers {
    struct wire packed;
    bool has_single;
    uint64_t single;
};

static struct numbers numbers_of(const struct wire_field *f)
{
    bool is_packed = f->type == WIRE_BYTES;
    return (struct numbers){wire_open(is_packed ? f->bytes : STR_NONE), !is_packed, f->value};
}

static bool numbers_next(struct numbers *numbers, uint64_t *out)
{
    if (!numbers->has_single) return wire_varint(&numbers->packed, out);
    numbers->has_single = false;
    *out = numbers->single;
    return true;
}

/* ---- objects ---- */

/* One graph is of one process at one time. */
static bool set_sample(struct graph *graph, uint32_t upid, int64_t ts)
{
    if ((graph->upid != 0 && graph->upid != upid) || (graph->ts != 0 && graph->ts != ts)) {
        stats_add_global(graph->file->import, STAT_heap_graph_non_finalized_graph, 1);
        return false;
    }
    graph->upid = upid;
    graph->ts = ts;
    return true;
}

struct object {
    uint64_t id, type, field_base;
    int64_t self_size, registry_size;
    uint32_t heap;
    bool has_registry_size, is_cut;
    struct str fields, referred, internal;
    size_t n_fields, n_referred;
};

static size_t count_numbers(struct str packed, bool *is_cut)
{
    struct wire w = wire_open(packed);
    uint64_t value;
    size_t n = 0;
    while (wire_varint(&w, &value))
        n++;
    if (w.at < w.end) *is_cut = true;
    return n;
}

static void read_object(struct graph *graph, struct str bytes, struct object *object)
{
    *object = (struct object){.heap = graph->last_heap};
    struct wire w = wire_open(bytes);
    struct wire_field f;
    while (wire_next(&w, &f))
        switch (f.number) {
        case 1: object->id = f.value; break;
        case 2: object->type = f.value; break;
        case 3: object->self_size = (int64_t)f.value; break;
        case 4: object->fields = f.bytes; break;
        case 5: object->referred = f.bytes; break;
        case 6: object->field_base = f.value; break;
        case 7: object->id = graph->last_object + f.value; break;
        case 8:
            object->registry_size = (int64_t)f.value;
            object->has_registry_size = true;
            break;
        case 9: object->heap = (uint32_t)f.value; break;
        case 10: object->internal = f.bytes; break;
        default: break;
        }
    object->is_cut = w.bad;
    object->n_fields = count_numbers(object->fields, &object->is_cut);
    object->n_referred = count_numbers(object->referred, &object->is_cut);
    count_numbers(object->internal, &object->is_cut);
}

static void add_reference(struct graph *graph, uint32_t set, uint32_t owner, uint64_t owned,
                          string_id name)
{
    struct import *import = graph->file->import;
    string_id empty = strpool_intern_text(import->strings, "");
    struct heap_graph_reference_row row = {.reference_set_id = set,
                                           .owner_id = owner,
                                           .field_name = name ? name : empty,
                                           .field_type_name = empty};
    if (owned) row.owned_id = some_uint32(heap_graph_object_row(graph, owned));
    heap_graph_reference_append(&import->tables->heap_graph_reference, &row);
}

static void add_references(struct graph *graph, const struct object *object, uint32_t owner)
{
    struct import *import = graph->file->import;
    struct tables *tables = import->tables;
    uint32_t set = table_rows(&tables->heap_graph_reference.table);
    struct wire fields = wire_open(object->fields), referred = wire_open(object->referred),
                internal = wire_open(object->internal);
    uint64_t owned, field;
    while (wire_varint(&referred, &owned)) {
        if (object->n_fields && wire_varint(&fields, &field)) {
            struct named_reference named = {table_rows(&tables->heap_graph_reference.table),
                                            field ? field + object->field_base : 0};
            vec_push(&graph->references, named);
        }
        add_reference(graph, set, owner, owned, STRING_NULL);
    }
    string_id name = object->internal.n
                         ? strpool_intern_text(import->strings, "runtimeInternalObjects")
                         : STRING_NULL;
    while (wire_varint(&internal, &owned))
        add_reference(graph, set, owner, owned, name);
    if (table_rows(&tables->heap_graph_reference.table) > set)
        table_set_int64(&tables->heap_graph_object.table, heap_graph_object_COLUMN_reference_set_id,
                        owner, set);
    if (object->n_referred && !object->n_fields) vec_push(&graph->unnamed, owner);
}

static void set_heap(struct graph *graph, uint64_t id, uint32_t row, uint32_t heap)
{
    static const char *const names[] = {NULL, "HEAP_TYPE_APP", "HEAP_TYPE_ZYGOTE",
                                        "HEAP_TYPE_BOOT_IMAGE"};
    enum { ZYGOTE = 2, BOOT_IMAGE = 3, ROOT_VM_INTERNAL = 13 };
    struct import *import = graph->file->import;
    if (heap == 0 || heap > BOOT_IMAGE) return;
    table_set_string(&import->tables->heap_graph_object.table, heap_graph_object_COLUMN_heap_type,
                     row, strpool_intern_text(import->strings, names[heap]));
    /* The collector never frees these. */
    if (heap == ZYGOTE || heap == BOOT_IMAGE)
        vec_push(&graph->roots, (struct heap_root){id, ROOT_VM_INTERNAL});
}

/* False when nothing after the object can be trusted. */
static bool add_object(struct graph *graph, uint32_t upid, int64_t ts, struct str bytes)
{
    struct object object;
    read_object(graph, bytes, &object);
    if (object.is_cut) {
        stats_add_indexed(graph->file, STAT_heap_graph_malformed_packet, upid, 1);
        return false;
    }
    if (object.n_fields && object.n_fields != object.n_referred) {
        stats_add_indexed(graph->file, STAT_heap_graph_malformed_packet, upid, 1);
        return true;
    }
    if (!set_sample(graph, upid, ts)) return true;
    graph->last_object = object.id;
    graph->last_heap = object.heap;
    struct table *objects = &graph->file->import->tables->heap_graph_object.table;
    uint32_t row = heap_graph_object_row(graph, object.id);
    table_set_int64(objects, heap_graph_object_COLUMN_self_size, row, object.self_size);
    table_set_int64(objects, heap_graph_object_COLUMN_type_id, row,
                    heap_graph_class_row(graph, object.type));
    set_heap(graph, object.id, row, object.heap);
    if (object.self_size == 0) vec_push(&graph->unsized, row);
    add_references(graph, &object, row);
    if (object.has_registry_size)
        map_set(&graph->registry_sizes, row, (uint64_t)object.registry_size);
    vec_push(&graph->own, row);
    return true;
}

/* ---- names and roots ---- */

static void add_type(struct graph *graph, struct str bytes)
{
    struct strpool *strings = graph->file->import->strings;
    struct heap_type type = {.name = strpool_intern_text(strings, ""),
                             .first_field = (uint32_t)graph->field_ids.count};
    struct wire w = wire_open(bytes);
    struct wire_field f;
    struct numbers numbers;
    uint64_t field;
    while (wire_next(&w, &f))
        switch (f.number) {
        case 1: type.id = f.value; break;
        case 2: type.location = f.value; break;
        case 3:
            if (f.type == WIRE_BYTES) type.name = strpool_intern(strings, f.bytes);
            break;
        case 4: type.object_size = (int64_t)f.value; break;
        case 5: type.superclass = f.value; break;
        case 6:
            numbers = numbers_of(&f);
            while (numbers_next(&numbers, &field))
                vec_push(&graph->field_ids, field);
            break;
        case 7: type.kind = (uint32_t)f.value; break;
        case 8: type.classloader = f.value; break;
        default: break;
        }
    type.n_fields = (uint32_t)graph->field_ids.count - type.first_field;
    /* A class written twice is the one that came last. */
    bool added;
    uint64_t *known = map_put_if_absent(&graph->type_of, type.id, graph->type_list.count, &added);
    if (added)
        vec_push(&graph->type_list, type);
    else
        graph->type_list.items[*known] = type;
}

/* "int a.B.count": the type, when it is told, and the name. */
static void add_field(struct graph *graph, struct str bytes)
{
    struct strpool *strings = graph->file->import->strings;
    struct wire_field id, text;
    size_t space;
    bool added;
    if (!wire_find(bytes, 1, &id)) id.value = 0;
    if (!wire_find(bytes, 2, &text) || !text.bytes.p) text.bytes = (struct str){"", 0};
    struct str name = text.bytes, type = {"", 0};
    if (str_find_byte(name, ' ', &space)) {
        type = str_slice(name, 0, space);
        name = str_slice(name, space + 1, name.n);
    }
    map_put_if_absent(&graph->fields, id.value, graph->field_list.count, &added);
    if (!added) return;
    struct heap_field field = {strpool_intern(strings, name), strpool_intern(strings, type)};
    vec_push(&graph->field_list, field);
}

static void add_location(struct graph *graph, struct str bytes)
{
    struct wire_field id, text;
    bool added;
    if (!wire_find(bytes, 1, &id)) id.value = 0;
    if (wire_find(bytes, 2, &text) && text.bytes.p)
        map_put_if_absent(&graph->locations, id.value,
                          strpool_intern(graph->file->import->strings, text.bytes), &added);
}

static void add_root(struct graph *graph, uint32_t upid, int64_t ts, struct str bytes)
{
    struct wire_field type, f;
    uint64_t object;
    if (!wire_find(bytes, 2, &type)) type.value = 0;
    if (!set_sample(graph, upid, ts)) return;
    struct wire w = wire_open(bytes);
    while (wire_next(&w, &f)) {
        if (f.number != 1) continue;
        struct numbers numbers = numbers_of(&f);
        while (numbers_next(&numbers, &object))
            vec_push(&graph->roots, (struct heap_root){object, (uint32_t)type.value});
    }
}

/* ---- packets ---- */

static void check_index(struct graph *graph, uint64_t index)
{
    if (graph->has_index ? index != graph->last_index + 1 : index != 0) {
        heap_graph_count(graph, STAT_heap_graph_missing_packet);
        graph->is_truncated = true;
    }
    graph->has_index = true;
    graph->last_index = index;
}

static void parse(void *state, int64_t ts, const struct packet *packet, struct str field)
{
    struct heap_graphs *graphs = state;
    struct graph *graph = graph_of(graphs, packet);
    struct wire_field f;
    bool is_sound = true, is_continued = false;
    if (!wire_find(field, GRAPH_PID, &f)) f.value = 0;
    uint32_t upid = process_intern(packet->file, (int32_t)f.value);
    check_index(graph, wire_find(field, GRAPH_INDEX, &f) ? f.value : 0);
    struct wire w = wire_open(field);
    while (wire_next(&w, &f))
        switch (f.number) {
        case GRAPH_OBJECT: is_sound = is_sound && add_object(graph, upid, ts, f.bytes); break;
        case GRAPH_FIELD_NAME: add_field(graph, f.bytes); break;
        case GRAPH_CONTINUED: is_continued = f.value != 0; break;
        case GRAPH_ROOT: add_root(graph, upid, ts, f.bytes); break;
        case GRAPH_LOCATION: add_location(graph, f.bytes); break;
        case GRAPH_TYPE: add_type(graph, f.bytes); break;
        case GRAPH_HEAP_SIZE:
            graph->heap_size = (int64_t)f.value;
            graph->has_heap_size = true;
            break;
        default: break;
        }
    if (is_continued) return;
    heap_graph_finish(graph);
    struct graph *last = vec_pop(&graphs->open);
    map_remove(&graphs->by_sequence, graph->sequence);
    if (last != graph) {
        last->slot = graph->slot;
        graphs->open.items[last->slot] = last;
        map_set(&graphs->by_sequence, last->sequence, last->slot);
    }
    graph_free(graph);
}

static void *create(struct packet_reader *reader)
{
    (void)reader;
    return mem_zero(1, sizeof(struct heap_graphs));
}

static void finish(void *state)
{
    struct heap_graphs *graphs = state;
    if (graphs->open.count)
        stats_add_global(graphs->open.items[0]->file->import, STAT_heap_graph_non_finalized_graph,
                         1);
    for (size_t i = 0; i < graphs->open.count; i++) {
        graphs->open.items[i]->is_truncated = true;
        heap_graph_finish(graphs->open.items[i]);
        graph_free(graphs->open.items[i]);
    }
    vec_free(&graphs->open);
    map_free(&graphs->by_sequence);
    mem_free(graphs);
}

static const struct packet_module modules[] = {{PACKET_HEAP_GRAPH, NULL, parse}};

const struct packet_source heap_graph_source = {
    .name = "heap_graph",
    .create = create,
    .finish = finish,
    .modules = modules,
    .n_modules = 1,
};
