#include "engine/import/heap_graph_parts.h"

#define MAX_SUPERCLASSES 256

void heap_graph_count(const struct graph *graph, enum stat stat)
{
    stats_add_indexed(graph->file, stat, graph->upid, 1);
}

uint32_t heap_graph_object_row(struct graph *graph, uint64_t id)
{
    bool added;
    uint64_t *row = map_put_if_absent(&graph->objects, id, 0, &added);
    if (added) {
        struct heap_graph_object_row object = {.upid = graph->upid,
                                               .graph_sample_ts = graph->ts,
                                               .self_size = -1,
                                               .root_distance = -1};
        *row = heap_graph_object_append(&graph->file->import->tables->heap_graph_object, &object);
    }
    return (uint32_t)*row;
}

uint32_t heap_graph_class_row(struct graph *graph, uint64_t id)
{
    bool added;
    uint64_t *row = map_put_if_absent(&graph->types, id, 0, &added);
    if (added) {
        struct heap_graph_class_row type = {
            .name = strpool_intern_text(graph->file->import->strings, ""),
            .kind = strpool_intern_text(graph->file->import->strings, "")};
        *row = heap_graph_class_append(&graph->file->import->tables->heap_graph_class, &type);
    }
    return (uint32_t)*row;
}

static string_id kind_name(struct import *import, uint32_t kind)
{
    static const char *const names[] = {"KIND_UNKNOWN",
                                        "KIND_NORMAL",
                                        "KIND_NOREFERENCES",
                                        "KIND_STRING",
                                        "KIND_ARRAY",
                                        "KIND_CLASS",
                                        "KIND_CLASSLOADER",
                                        "KIND_DEXCACHE",
                                        "KIND_SOFT_REFERENCE",
                                        "KIND_WEAK_REFERENCE",
                                        "KIND_FINALIZER_REFERENCE",
                                        "KIND_PHANTOM_REFERENCE"};
    return strpool_intern_text(import->strings,
                               kind < sizeof names / sizeof *names ? names[kind] : names[0]);
}

static string_id root_name(struct import *import, uint32_t type)
{
    static const char *const names[] = {
        "ROOT_UNKNOWN",           "ROOT_JNI_GLOBAL",      "ROOT_JNI_LOCAL",    "ROOT_JAVA_FRAME",
        "ROOT_NATIVE_STACK",      "ROOT_STICKY_CLASS",    "ROOT_THREAD_BLOCK", "ROOT_MONITOR_USED",
        "ROOT_THREAD_OBJECT",     "ROOT_INTERNED_STRING", "ROOT_FINALIZING",   "ROOT_DEBUGGER",
        "ROOT_REFERENCE_CLEANUP", "ROOT_VM_INTERNAL",     "ROOT_JNI_MONITOR"};
    return strpool_intern_text(import->strings,
                               type < sizeof names / sizeof *names ? names[type] : names[0]);
}

static void enter_type(struct graph *graph, struct heap_type *type)
{
    struct import *import = graph->file->import;
    struct table *classes = &import->tables->heap_graph_class.table;
    uint32_t row = type->row = heap_graph_class_row(graph, type->id);
    table_set_string(classes, heap_graph_class_COLUMN_name, row, type->name);
    table_set_string(classes, heap_graph_class_COLUMN_kind, row, kind_name(import, type->kind));
    if (type->location) {
        const uint64_t *location = map_get(&graph->locations, type->location);
        if (location)
            table_set_string(classes, heap_graph_class_COLUMN_location, row, (string_id)*location);
        else
            heap_graph_count(graph, STAT_heap_graph_invalid_string_id);
    }
    if (type->classloader)
        table_set_int64(classes, heap_graph_class_COLUMN_classloader_id, row,
                        heap_graph_object_row(graph, type->classloader));
}

static const struct heap_type *type_of_id(const struct graph *graph, uint64_t id)
{
    const uint64_t *index = map_get(&graph->type_of, id);
    return index ? &graph->type_list.items[*index] : NULL;
}

static void name_reference(struct graph *graph, uint32_t reference, uint64_t field_id)
{
    struct table *refs = &graph->file->import->tables->heap_graph_reference.table;
    const uint64_t *index = map_get(&graph->fields, field_id);
    if (!index) {
        heap_graph_count(graph, STAT_heap_graph_malformed_packet);
        return;
    }
    const struct heap_field *field = &graph->field_list.items[*index];
    table_set_string(refs, heap_graph_reference_COLUMN_field_name, reference, field->name);
    table_set_string(refs, heap_graph_reference_COLUMN_field_type_name, reference,
                     field->type_name);
}

/* The fields of a class, then those of its superclass, name the references in turn. */
static void name_references(struct graph *graph, uint32_t object, const struct heap_type *type)
{
    enum { NO_REFERENCES = 2, STRING_KIND = 3, ARRAY = 4 };
    const struct heap_graph_reference_table *refs =
        &graph->file->import->tables->heap_graph_reference;
    uint32_t set =
        column_get_row(&graph->file->import->tables->heap_graph_object.reference_set_id, object);
    uint32_t rows = table_rows(&refs->table), field = 0, n_supers = 0;
    if (set == NULL_UINT32 || type->kind == NO_REFERENCES || type->kind == STRING_KIND ||
        type->kind == ARRAY)
        return;
    string_id internal = strpool_find(graph->file->import->strings, STR("runtimeInternalObjects"));
    for (uint32_t i = set; i < rows && column_uint32(&refs->reference_set_id)[i] == set; i++) {
        if (internal && column_get_string(&refs->field_name, i) == internal) return;
        while (field >= type->n_fields) {
            field -= type->n_fields;
            type = type->superclass && n_supers++ < MAX_SUPERCLASSES
                       ? type_of_id(graph, type->superclass)
                       : NULL;
            if (!type) {
                heap_graph_count(graph, STAT_heap_graph_malformed_packet);
                return;
            }
        }
        name_reference(graph, i, graph->field_ids.items[type->first_field + field++]);
    }
}

/* Sizes and names of fields that objects have from their class. */
static void enter_what_classes_say(struct graph *graph)
{
    struct tables *tables = graph->file->import->tables;
    struct map by_row = {0};
    bool is_incomplete = false;
    for (size_t i = 0; i < graph->type_list.count; i++)
        map_set(&by_row, graph->type_list.items[i].row, i);
    for (int pass = 0; pass < 2; pass++) {
        const struct heap_rows *objects = pass ? &graph->unnamed : &graph->unsized;
        for (size_t i = 0; i < objects->count; i++) {
            uint32_t row = objects->items[i];
            const uint64_t *type =
                map_get(&by_row, column_get_row(&tables->heap_graph_object.type_id, row));
            if (!type)
                is_incomplete = true;
            else if (pass)
                name_references(graph, row, &graph->type_list.items[*type]);
            else
                table_set_int64(&tables->heap_graph_object.table,
                                heap_graph_object_COLUMN_self_size, row,
                                graph->type_list.items[*type].object_size);
        }
    }
    if (is_incomplete) heap_graph_count(graph, STAT_heap_graph_malformed_packet);
    map_free(&by_row);
}

static void enter_roots(struct graph *graph)
{
    struct import *import = graph->file->import;
    struct heap_rows rows = {0};
    for (size_t i = 0; i < graph->roots.count; i++) {
        const struct heap_root *root = &graph->roots.items[i];
        const uint64_t *row = map_get(&graph->objects, root->object);
        if (row && heap_graph_set_root(import, (uint32_t)*row, root_name(import, root->type)))
            vec_push(&rows, (uint32_t)*row);
    }
    heap_graph_spread(import, &rows, false);
    vec_free(&rows);
}

/* (name, location) of a class, as one number. */
static uint64_t class_key(string_id name, string_id location)
{
    return (uint64_t)name << 32 | location;
}

/* A class object's field superClass says what its class extends; newer recorders
 * also say it of the class. */
static void enter_superclasses(struct graph *graph)
{
    struct import *import = graph->file->import;
    struct tables *tables = import->tables;
    const struct heap_graph_class_table *classes = &tables->heap_graph_class;
    string_id field = strpool_find(import->strings, STR("java.lang.Class.superClass"));
    struct map by_name = {0};
    for (size_t i = 0; i < graph->type_list.count; i++) {
        uint32_t row = graph->type_list.items[i].row;
        map_set(&by_name,
                class_key(column_get_string(&classes->name, row),
                          column_get_string(&classes->location, row)),
                row);
    }
    for (size_t i = 0; field && i < graph->own.count; i++) {
        uint32_t super = heap_graph_follow(tables, graph->own.items[i], field);
        if (super == NULL_UINT32) continue;
        uint32_t rows[2] = {column_get_row(&tables->heap_graph_object.type_id, graph->own.items[i]),
                            column_get_row(&tables->heap_graph_object.type_id, super)};
        const uint64_t *found[2];
        for (int k = 0; k < 2; k++) {
            struct heap_class_name name = heap_class_name_split(
                strpool_get(import->strings, column_get_string(&classes->name, rows[k])));
            bool is_plain = name.is_class_object && name.n_arrays == 0;
            string_id id = is_plain ? strpool_find(import->strings, name.plain) : STRING_NULL;
            found[k] = id ? map_get(&by_name,
                                    class_key(id, column_get_string(&classes->location, rows[k])))
                          : NULL;
        }
        if (found[0] && found[1])
            table_set_int64(&tables->heap_graph_class.table, heap_graph_class_COLUMN_superclass_id,
                            (uint32_t)*found[0], (int64_t)*found[1]);
    }
    map_free(&by_name);
}

static void enter_native_sizes(struct graph *graph)
{
    struct import *import = graph->file->import;
    const struct tables *tables = import->tables;
    string_id name = strpool_find(import->strings, STR("sun.misc.Cleaner"));
    struct heap_rows cleaners = {0};
    for (size_t i = 0; name && graph->registry_sizes.count && i < graph->own.count; i++) {
        uint32_t type = column_get_row(&tables->heap_graph_object.type_id, graph->own.items[i]);
        if (column_get_string(&tables->heap_graph_class.name, type) == name)
            vec_push(&cleaners, graph->own.items[i]);
    }
    heap_graph_add_native_sizes(import, &cleaners, &graph->registry_sizes);
    vec_free(&cleaners);
}

/* The row of heap_graph: one may be there already, from the process's metadata. */
static void enter_graph(const struct graph *graph)
{
    struct heap_graph_table *table = &graph->file->import->tables->heap_graph;
    /* It stands near, where it stands at all. */
    uint32_t rows = table_rows(&table->table), row = rows > 256 ? rows - 256 : 0;
    while (row < rows && (column_get_row(&table->upid, row) != graph->upid ||
                          column_get_int64(&table->ts, row) != graph->ts))
        row++;
    if (row == rows) {
        struct heap_graph_row fresh = {.ts = graph->ts, .upid = graph->upid};
        heap_graph_append(table, &fresh);
    }
    if (graph->has_heap_size)
        table_set_int64(&table->table, heap_graph_COLUMN_heap_size, row, graph->heap_size);
    if (graph->is_truncated) table_set_int64(&table->table, heap_graph_COLUMN_truncated, row, 1);
}

void heap_graph_finish(struct graph *graph)
{
    for (size_t i = 0; i < graph->type_list.count; i++)
        enter_type(graph, &graph->type_list.items[i]);
    for (size_t i = 0; i < graph->references.count; i++) {
        const struct named_reference *named = &graph->references.items[i];
        if (map_get(&graph->fields, named->field)) name_reference(graph, named->row, named->field);
    }
    enter_what_classes_say(graph);
    enter_roots(graph);
    enter_superclasses(graph);
    enter_native_sizes(graph);
    if (graph->objects.count) enter_graph(graph);
}
