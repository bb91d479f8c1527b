/* A Java heap dump, laid out for looking around in it: what keeps each object alive,
 * how much would go with it, and how it is reached.
 *
 * Objects are those of one dump that can be reached, by index.  HEAP_NONE stands for
 * "no object": above the roots, beyond the last.  `kept` is what would go with an
 * object: itself and all that it alone keeps alive (its part of the dominator tree).
 */
#ifndef COMMANDS_HEAP_H
#define COMMANDS_HEAP_H

#include "engine/base/thread.h"
#include "engine/base/vec.h"
#include "engine/store/tables.h"

#define HEAP_NONE UINT32_MAX

struct heap_object {
    uint32_t row;              /* of heap_graph_object */
    uint32_t class;            /* index into `classes` */
    uint32_t keeper;           /* without which it would be garbage; HEAP_NONE: nothing but roots */
    uint32_t from;             /* before it on a shortest way from a root; HEAP_NONE: it is one */
    uint32_t reference;        /* that leads there from `from`: row of heap_graph_reference */
    uint32_t n_kept;           /* objects, itself included */
    int64_t kept, kept_native; /* bytes */
};

struct heap_class {
    uint32_t row; /* of heap_graph_class */
    uint32_t n;
    int64_t size, native;
    int64_t kept; /* what would go with all of its objects; nothing counts twice */
};

/* Files of HPROF have no row in heap_graph: what tells a dump is in its objects. */
struct heap_dump {
    uint32_t upid;
    int64_t ts;
};
struct heap_dumps VEC_OF(struct heap_dump);

struct heap {
    const struct tables *tables; /* borrowed */
    struct heap_dump dump;
    VEC(struct heap_object) objects;
    VEC(struct heap_class) classes;
    uint32_t n_unreachable;
    int64_t size; /* of all objects */
};

/* NULL when it was told to stop.  Reads tables: inside table_read_begin/end. */
struct heap *heap_new(const struct tables *tables, struct heap_dump dump, struct cancel *cancel);
/* Those there are, in the order of their first object; in table_read_begin/end. */
void heap_list_dumps(const struct tables *tables, struct heap_dumps *out);
void heap_free(struct heap *heap);
struct str heap_class_name(const struct heap *heap, uint32_t class);
/* Name of the field of a reference; empty for HEAP_NONE. */
struct str heap_field_name(const struct heap *heap, uint32_t reference);

#endif
