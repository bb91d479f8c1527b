/* The inside of a heap graph that packets tell (heap_graph_packets.c): what is known
 * of it until its last packet, and how it is entered then. */
#ifndef ENGINE_IMPORT_HEAP_GRAPH_PARTS_H
#define ENGINE_IMPORT_HEAP_GRAPH_PARTS_H

#include "engine/import/heap_graph.h"
#include "engine/import/stats.h"

struct heap_type {
    uint64_t id, location, superclass, classloader;
    int64_t object_size;
    string_id name;
    uint32_t kind;
    uint32_t first_field, n_fields; /* in fields of the graph */
    uint32_t row;
};

struct heap_field {
    string_id name, type_name;
};

struct heap_root {
    uint64_t object;
    uint32_t type;
};

/* A reference whose field is named by an id. */
struct named_reference {
    uint32_t row;
    uint64_t field;
};

/* The graph that a sequence is in the middle of. */
struct graph {
    uint32_t sequence;
    size_t slot; /* in the list of those that are open */
    const struct import_file *file;
    uint32_t upid; /* 0: nothing was entered yet */
    int64_t ts;
    bool has_index, is_truncated;
    uint64_t last_index, last_object;
    uint32_t last_heap;
    struct map objects, types, fields, locations;
    VEC(struct heap_type) type_list;
    VEC(uint64_t) field_ids;
    VEC(struct heap_field) field_list;
    VEC(struct heap_root) roots;
    VEC(struct named_reference) references;
    struct heap_rows own;     /* rows of objects that the packets hold */
    struct heap_rows unsized; /* those whose size is their class's */
    struct heap_rows unnamed; /* those whose references are named by their class */
    struct map type_of;       /* id of class to number in type_list */
    struct map registry_sizes;
    int64_t heap_size;
    bool has_heap_size;
};

void heap_graph_count(const struct graph *graph, enum stat stat);
/* Rows of ids; entered, with nothing known of them, when they are new. */
uint32_t heap_graph_object_row(struct graph *graph, uint64_t id);
uint32_t heap_graph_class_row(struct graph *graph, uint64_t id);
/* Names, sizes, roots, what they reach, superclasses, native sizes. */
void heap_graph_finish(struct graph *graph);

#endif
