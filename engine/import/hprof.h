/* Heap dumps of Java and ART, "JAVA PROFILE" (spec engine_2c 5; the format: "HPROF Agent
 * Binary Format" in the JDK's sources, with Android's records of art/runtime/hprof).
 *
 * hprof_walk   the entries of the file, one after the other, as often as wanted
 * hprof_graph  classes, objects, roots and references as rows
 * hprof_values what objects hold that is no reference
 *
 * Numbers are big-endian.  Passes go over the file again instead of keeping its
 * entries: what is kept for an object are 24 bytes and its row.
 */
#ifndef ENGINE_IMPORT_HPROF_H
#define ENGINE_IMPORT_HPROF_H

#include "engine/base/buffer.h"
#include "engine/base/map.h"
#include "engine/base/vec.h"
#include "engine/import/damage.h"
#include "engine/import/heap_graph.h"

/* ---- entries ---- */

enum hprof_kind {
    HPROF_STRING,
    HPROF_LOAD_CLASS,
    HPROF_HEAP, /* `class` is the string id of the heap that follows */
    HPROF_ROOT, /* `tag` says of which kind */
    HPROF_CLASS,
    HPROF_INSTANCE,
    HPROF_OBJECT_ARRAY,
    HPROF_PRIMITIVE_ARRAY,
};

enum hprof_type {
    HPROF_OBJECT = 2,
    HPROF_BOOLEAN = 4,
    HPROF_CHAR,
    HPROF_FLOAT,
    HPROF_DOUBLE,
    HPROF_BYTE,
    HPROF_SHORT,
    HPROF_INT,
    HPROF_LONG,
};

struct hprof_entry {
    enum hprof_kind kind;
    uint8_t tag;  /* of roots */
    uint8_t type; /* of the elements of a primitive array */
    size_t at;
    uint64_t id, class, super;
    uint32_t n;        /* elements; instance size of a class */
    struct str data;   /* bytes of a string, an instance, an array; statics of a class */
    struct str fields; /* of a class: from its list of fields on */
    uint16_t n_statics, n_fields;
};

struct hprof_walk {
    struct str bytes;
    size_t at, segment_end; /* 0: not inside a heap dump */
    unsigned id_bytes;
    struct damage *damage; /* NULL: nothing is counted or told */
    bool is_cut;
};

/* 0 for a type that there is none of. */
unsigned hprof_type_bytes(unsigned id_bytes, uint8_t type);
uint64_t hprof_number(struct str bytes, size_t at, unsigned n); /* the bytes must be there */
/* After the header; false at the end, or at damage that nothing can be read past. */
bool hprof_walk_begin(struct hprof_walk *walk, struct str bytes, int64_t *timestamp);
bool hprof_next(struct hprof_walk *walk, struct hprof_entry *entry);

/* ---- the graph ---- */

struct hprof_field {
    string_id name; /* with the class that declares it */
    uint8_t type;
};

struct hprof_class {
    uint64_t id, super_id;
    string_id name;
    uint32_t super;        /* number in classes; NULL_UINT32 none */
    uint32_t row, own_row; /* in heap_graph_class: of instances, of the class object */
    uint32_t instance_bytes;
    uint32_t first_field, n_fields; /* in fields: its own */
    bool is_dumped;
};

struct hprof_object {
    uint64_t id;
    uint32_t row;
};

struct hprof {
    struct import_file *file;
    struct import *import;
    struct str bytes;
    struct damage damage;
    int64_t timestamp;
    unsigned id_bytes;
    uint32_t upid;
    struct map strings; /* id to offset of the entry */
    struct map class_index;
    struct map class_by_name; /* string id to number in classes */
    VEC(struct hprof_class) classes;
    VEC(struct hprof_field) fields;
    VEC(struct hprof_object) objects; /* in order of id */
    VEC(size_t) offsets;              /* of the entry of an object, by row - first_row */
    uint32_t first_row;
    struct map registry_sizes; /* rows of NativeAllocationRegistry */
    struct heap_rows cleaners, roots;
    size_t budget; /* bytes of rows that may still be made */
    struct buffer text;
};

#define HPROF_MAX_SUPERS 256

/* Text of a string id; absent when there is none. */
struct str hprof_string(const struct hprof *h, uint64_t id);
/* NULL_UINT32 when there is no such object or class. */
uint32_t hprof_object_row(const struct hprof *h, uint64_t id);
uint32_t hprof_class_of(const struct hprof *h, uint64_t id);
/* The entry of an object that has a row. */
bool hprof_entry_of(const struct hprof *h, uint32_t row, struct hprof_entry *entry);
/* Takes so many bytes of the budget; false when they are not there. */
bool hprof_spend(struct hprof *h, size_t bytes);

/* Each returns false after a request to cancel. */
bool hprof_read_classes(struct hprof *h);
bool hprof_enter_objects(struct hprof *h);
bool hprof_enter_references(struct hprof *h);
bool hprof_enter_values(struct hprof *h);
void hprof_enter_reach(struct hprof *h);

#endif
