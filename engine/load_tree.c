/* The tree of a load: which members there are, who reads them, in which order. */
#include <stdlib.h>

#include "engine/import/android_bugreport.h"
#include "engine/import/android_dumpstate.h"
#include "engine/import/android_log.h"
#include "engine/import/args.h"
#include "engine/import/stats.h"
#include "engine/load.h"

enum { PRIORITY_CONTAINER = 1, PRIORITY_DEFAULT = 2, PRIORITY_SIDECAR = -1 };

static struct load_node *add_node(struct load *load, struct load_node *parent,
                                  struct input_member *member)
{
    struct load_node *node = arena_zero(&load->arena, sizeof *node);
    node->member = member;
    node->parent = parent;
    node->row = NULL_UINT32;
    if (parent) {
        node->index = parent->children.count;
        vec_push(&parent->children, node);
    }
    return node;
}

const char *load_node_label(struct load *load, const struct load_node *node)
{
    if (!node->parent) return load->operand;
    struct str name = node->member->name;
    if (node->parent->member->kind == INPUT_OPERANDS && !node->parent->parent)
        return arena_printf(&load->arena, "%.*s", STR_ARG(name));
    const char *outer = load_node_label(load, node->parent);
    if (name.n == 0) return outer; /* what is inside a compressed file */
    return arena_printf(&load->arena, "%s: %.*s", outer, STR_ARG(name));
}

static int priority_of(const struct load_node *node)
{
    if (node->is_sidecar) return PRIORITY_SIDECAR;
    if (input_is_container(node->member)) return PRIORITY_CONTAINER;
    return node->importer ? node->importer->archive_priority : PRIORITY_DEFAULT;
}

static int compare_nodes(const void *a, const void *b)
{
    const struct load_node *x = *(struct load_node *const *)a, *y = *(struct load_node *const *)b;
    if (x->place != y->place) return x->place < y->place ? -1 : 1;
    int px = priority_of(x), py = priority_of(y);
    if (px != py) return px < py ? -1 : 1;
    int by_name = str_compare(x->member->name, y->member->name);
    if (by_name != 0) return by_name;
    return x->index < y->index ? -1 : x->index > y->index;
}

static void enter_rows(struct load *load, struct load_node *container)
{
    for (size_t i = 0; i < container->children.count; i++) {
        struct load_node *node = container->children.items[i];
        const struct input_member *member = node->member;
        if (member->is_hidden && !node->is_claimed) continue;
        struct trace_file_row row = {
            .parent_id = some_uint32(container->row),
            .name = strpool_intern(load->import->strings, member->name),
            .size = (int64_t)(member->parent->kind == INPUT_ZIP ? member->stored_bytes
                                                                : member->bytes.n),
            .trace_type = strpool_intern_text(load->import->strings, "unknown"),
            .is_container = input_is_container(member),
        };
        node->row = trace_file_append(&load->engine->tables->trace_file, &row);
    }
}

/* A trace may stand behind the sidecar in one stream; then they are two members. */
static bool is_sidecar(struct load *load, const struct load_node *node)
{
    struct input_member *member = node->member;
    if (input_is_container(member) || !sidecar_sniff(member->bytes)) return false;
    size_t end = sidecar_end(member->bytes);
    struct str rest = str_slice(member->bytes, end, member->bytes.n);
    if (rest.n == 0 || (!importer_sniff(rest) && input_sniff(rest) == INPUT_FILE)) return true;
    input_split(load->input, member, end);
    return false;
}

static bool build(struct load *load, struct load_node *node, struct status *st);

static bool find_bugreport(const struct load_node *zip, int *year)
{
    for (size_t i = 0; i < zip->children.count; i++)
        if (android_bugreport_is_text(zip->children.items[i]->member->name, year)) return true;
    return false;
}

static void read_as(struct load *load, struct load_node *node, enum load_place place,
                    const struct importer *importer)
{
    node->place = place;
    if (node->member->is_hidden) return;
    if (!input_read(load->input, node->member))
        node->is_left_out = true;
    else
        node->importer = importer;
}

/* Of an Android bug report only its text and the logs beside it are read: thousands of
 * members are the phone's files. */
static bool build_bugreport(struct load *load, struct load_node *zip)
{
    int year;
    bool has_text = false;
    if (zip->member->kind != INPUT_ZIP || !find_bugreport(zip, &year)) return false;
    zip->bugreport = android_bugreport_new(year);
    for (size_t i = 0; i < zip->children.count; i++) {
        struct load_node *node = zip->children.items[i];
        struct str name = node->member->name;
        if (!has_text && android_bugreport_is_text(name, &year)) {
            read_as(load, node, PLACE_REPORT, &importer_android_dumpstate);
            has_text = true;
        } else if (android_bugreport_is_log(name)) {
            read_as(load, node, PLACE_LOG, &importer_android_logcat);
        } else {
            node->place = PLACE_REST;
        }
    }
    return true;
}

static bool build_children(struct load *load, struct load_node *node, struct status *st)
{
    struct input_member *member = node->member;
    input_expand(load->input, member);
    for (size_t i = 0; i < member->children.count; i++)
        add_node(load, node, member->children.items[i]);
    if (build_bugreport(load, node)) return true;
    for (size_t i = 0; i < node->children.count; i++) {
        struct load_node *child = node->children.items[i];
        if (child->member->is_hidden) continue;
        if (!input_read(load->input, child->member)) child->is_left_out = true;
    }
    for (size_t i = 0; i < node->children.count; i++) {
        struct load_node *child = node->children.items[i];
        if (!child->member->is_hidden && is_sidecar(load, child) &&
            !load_take_sidecar(load, child, st))
            return false;
    }
    for (size_t i = 0; i < node->children.count; i++) {
        struct load_node *child = node->children.items[i];
        if (child->member->is_hidden || child->is_claimed || child->is_left_out ||
            child->is_sidecar)
            continue;
        if (!build(load, child, st)) return false;
    }
    return true;
}

static bool build(struct load *load, struct load_node *node, struct status *st)
{
    if (input_is_container(node->member)) return build_children(load, node, st);
    /* A lone byte in an archive is nobody's trace, whatever format begins like it. */
    size_t least = load_holds_members(node->parent) ? 2 : 1;
    if (node->member->bytes.n >= least) node->importer = importer_sniff(node->member->bytes);
    if (!node->importer) input_discard(load->input, node->member);
    const char *late = sidecar_find_behind(node->member->bytes);
    return !late || load->options->extensions == ENGINE_EXTENSIONS_IGNORE ||
           status_fail(st, STATUS_INVALID, STATUS_NO_OFFSET,
                       "%s: %s file must be the first trace file in the input",
                       load_node_label(load, node), late);
}

/* Puts children in order of processing and collects the leaves.  Rows are given
 * when a container is reached, as the reference does. */
static bool order(struct load *load, struct load_node *node, struct status *st)
{
    enter_rows(load, node);
    if (node->children.count > 1)
        qsort(node->children.items, node->children.count, sizeof(struct load_node *),
              compare_nodes);
    for (size_t i = 0; i < node->children.count; i++) {
        struct load_node *child = node->children.items[i];
        if (child->is_sidecar && load_sidecar_is_late(load, child, st)) return false;
        if (child->importer) vec_push(&load->leaves, child);
        if (!order(load, child, st)) return false;
    }
    return true;
}

static void enter_root_row(struct load *load, struct load_node *root)
{
    struct trace_file_row row = {
        .size = (int64_t)root->member->bytes.n,
        .trace_type = strpool_intern_text(load->import->strings, "unknown"),
        .is_container = input_is_container(root->member),
    };
    root->row = trace_file_append(&load->engine->tables->trace_file, &row);
    if (root->importer) vec_push(&load->leaves, root);
}

bool load_build_tree(struct load *load, struct status *st)
{
    load->root = add_node(load, NULL, input_root(load->input));
    if (!input_read(load->input, load->root->member))
        return status_fail(st, STATUS_IO, STATUS_NO_OFFSET, "%s: %s", load->operand,
                           load->root->member->loss_text ? load->root->member->loss_text : "empty");
    bool ok = is_sidecar(load, load->root) ? load_take_sidecar(load, load->root, st)
                                           : build(load, load->root, st);
    if (!ok) return false;
    enter_root_row(load, load->root);
    return order(load, load->root, st);
}

struct import_file *load_file_of(struct load *load, struct load_node *node)
{
    if (node->file) return node->file;
    node->file = arena_zero(&load->arena, sizeof *node->file);
    node->file->import = load->import;
    node->file->importer = node->importer;
    node->file->file_id = node->row != NULL_UINT32 ? node->row : 0;
    node->file->name = node->member->name;
    node->file->bugreport = node->parent ? node->parent->bugreport : NULL;
    return node->file;
}

void load_set_row(struct load *load, const struct load_node *node, const char *type)
{
    struct table *t = &load->engine->tables->trace_file.table;
    table_set_string(t, trace_file_COLUMN_trace_type, node->row,
                     strpool_intern_text(load->import->strings, type));
    table_set_int64(t, trace_file_COLUMN_size, node->row, (int64_t)node->member->bytes.n);
    table_set_int64(t, trace_file_COLUMN_processing_order, node->row, load->next_order++);
}

static void free_node(struct load_node *node)
{
    for (size_t i = 0; i < node->children.count; i++)
        free_node(node->children.items[i]);
    vec_free(&node->children);
    android_bugreport_free(node->bugreport);
    text_list_free(&node->losses);
}

void load_free_tree(struct load *load)
{
    if (load->root) free_node(load->root);
    vec_free(&load->leaves);
    vec_free(&load->sidecars);
    vec_free(&load->files);
}
