/* What Java heap graphs share, be they packets or a hprof file (spec engine_2 2.6,
 * engine_2c 5): the parts of a class's name, what can be reached from the roots,
 * and native memory that belongs to objects.
 *
 * Objects, classes and references are rows of the heap_graph_* tables.  The
 * references of an object are one run of rows with its reference_set_id.
 */
#ifndef ENGINE_IMPORT_HEAP_GRAPH_H
#define ENGINE_IMPORT_HEAP_GRAPH_H

#include "engine/base/map.h"
#include "engine/base/vec.h"
#include "engine/import/import.h"

/* "java.lang.Class<a.B[]>" is the class object of one array of a.B. */
struct heap_class_name {
    struct str plain;
    bool is_class_object;
    uint32_t n_arrays;
};
struct heap_class_name heap_class_name_split(struct str name);
/* The same class under another plain name. */
string_id heap_class_name_rebuild(struct strpool *strings, const struct heap_class_name *name,
                                  struct str plain);

struct heap_rows VEC_OF(uint32_t);

/* Enters root_type; of two, the stronger one stays (sticky class, JNI global, JNI
 * local, any other).  True when the object was no root before. */
bool heap_graph_set_root(struct import *import, uint32_t object, string_id root_type);
/* Sets reachable and root_distance of what the roots lead to.  What a weak,
 * finalizer or phantom reference refers to is not reached through it; through a
 * soft one only with `follow_soft`. */
void heap_graph_spread(struct import *import, const struct heap_rows *roots, bool follow_soft);

/* The object that a field refers to; NULL_UINT32 when none does. */
uint32_t heap_graph_follow(const struct tables *tables, uint32_t object, string_id field);
/* Adds the sizes of NativeAllocationRegistry objects (row to size) to what their
 * cleaners watch.  `cleaners` are the objects of class sun.misc.Cleaner. */
void heap_graph_add_native_sizes(struct import *import, const struct heap_rows *cleaners,
                                 const struct map *registry_sizes);

#endif
