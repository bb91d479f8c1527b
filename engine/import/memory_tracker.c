/* Snapshots of memory that Chrome's processes tell of (memory-infra; proto
 * memory_graph): trees of what is allocated, and who owns memory that several name.
 *
 * Packets of one time are one snapshot.  A node's size is what it says or what is in it
 * if that is more; what it has beyond its children is a child "<unspecified>".  Its
 * effective size counts shared memory once: an owner takes what it owns from the node
 * that it points to, owners of higher importance first. */
#include "engine/import/packet.h"

#include <stdlib.h>

#include "engine/base/buffer.h"
#include "engine/base/map.h"
#include "engine/base/memory.h"
#include "engine/base/strpool.h"
#include "engine/base/vec.h"
#include "engine/import/args.h"
#include "engine/import/probe_track.h"
#include "engine/import/process.h"
#include "engine/import/stats.h"
#include "engine/proto/wire.h"

enum { PACKET_MEMORY = 73 };
enum { DEEPEST = 64, LONGEST_PATH = 4096 };

#define NOBODY UINT32_MAX

/* Parents come before their children, so that a walk back goes from the leaves up. */
struct node {
    struct str name; /* its part of the path */
    uint32_t process, parent;
    bool is_weak, has_children;
    uint64_t size, children_size;
    double kept;      /* share of its memory that its owners leave to it */
    double effective; /* bytes */
    struct str bytes; /* MemoryNode; absent of those that only lead to others */
    uint32_t row;
};

struct edge {
    uint64_t source, target;
    uint32_t importance;
};

struct memory_tracker {
    const struct import_file *file;
    bool has_snapshot;
    int64_t ts;
    uint64_t level;
    VEC(int64_t) pids; /* of the snapshot; the last one is memory that is shared */
    VEC(struct node) nodes;
    VEC(struct edge) edges;
    struct strmap paths; /* process and path -> node */
    struct map by_id;
    struct arg_list args;
    struct buffer text;
};

/* ---- reading ---- */

static uint32_t node_at(struct memory_tracker *m, uint32_t process, struct str path, unsigned depth)
{
    size_t cut = path.n;
    bool is_new;
    while (cut > 0 && path.p[cut - 1] != '/')
        cut--;
    uint32_t parent = NOBODY;
    if (cut > 0 && depth < DEEPEST)
        parent = node_at(m, process, str_slice(path, 0, cut - 1), depth + 1);
    buffer_clear(&m->text);
    buffer_printf(&m->text, "%u/", (unsigned)process);
    buffer_append_str(&m->text, path);
    uint64_t *at = strmap_put_if_absent(&m->paths, buffer_str(&m->text), m->nodes.count, &is_new);
    if (is_new)
        vec_push(&m->nodes,
                 (struct node){.name = parent == NOBODY ? path : str_slice(path, cut, path.n),
                               .process = process,
                               .parent = parent,
                               .kept = 1});
    return (uint32_t)*at;
}

static void read_node(struct memory_tracker *m, uint32_t process, struct str bytes)
{
    const struct str shared = STR("global/");
    struct wire_field name, id, weak, size, f;
    if (!wire_find(bytes, 2, &name) || name.type != WIRE_BYTES || name.bytes.n == 0 ||
        name.bytes.n > LONGEST_PATH) {
        stats_add(m->file, STAT_memory_snapshot_parser_failure, 1);
        return;
    }
    struct str path = name.bytes;
    if (str_starts(path, shared)) {
        path = str_slice(path, shared.n, path.n);
        process = 0;
    }
    uint32_t at = node_at(m, process, path, 0);
    struct node *node = &m->nodes.items[at];
    bool is_first = !node->bytes.p;
    wire_find(bytes, 3, &weak);
    node->is_weak = weak.value && (is_first || node->is_weak);
    if (wire_find(bytes, 1, &id)) map_set(&m->by_id, id.value, at);
    if (!is_first) return; /* several processes may name what they share */
    node->bytes = bytes;
    if (wire_find(bytes, 5, &size)) node->size = size.value;
    struct wire w = wire_open(bytes);
    while (wire_next(&w, &f)) {
        struct wire_field key, value;
        if (f.number != 4 || f.type != WIRE_BYTES) continue;
        wire_find(f.bytes, 1, &key);
        if (str_is(key.bytes, "size") && wire_find(f.bytes, 3, &value)) node->size = value.value;
    }
}

static void read_edge(struct memory_tracker *m, struct str bytes)
{
    struct wire_field source, target, importance;
    wire_find(bytes, 1, &source);
    wire_find(bytes, 2, &target);
    wire_find(bytes, 3, &importance);
    vec_push(&m->edges, (struct edge){source.value, target.value, (uint32_t)importance.value});
}

static void read_process(struct memory_tracker *m, struct str bytes)
{
    struct wire w = wire_open(bytes);
    struct wire_field f, pid;
    wire_find(bytes, 1, &pid);
    uint32_t process = (uint32_t)m->pids.count;
    vec_push(&m->pids, (int64_t)(uint32_t)pid.value);
    while (wire_next(&w, &f)) {
        if (f.number == 2 && f.type == WIRE_BYTES) read_node(m, process, f.bytes);
        if (f.number == 3 && f.type == WIRE_BYTES) read_edge(m, f.bytes);
    }
    if (w.bad) stats_add(m->file, STAT_memory_snapshot_parser_failure, 1);
}

/* ---- sizes ---- */

static void add_up(struct memory_tracker *m)
{
    for (size_t i = m->nodes.count; i-- > 0;) {
        struct node *node = &m->nodes.items[i];
        if (node->is_weak) continue;
        if (node->children_size > node->size) node->size = node->children_size;
        if (node->parent == NOBODY) continue;
        struct node *parent = &m->nodes.items[node->parent];
        uint64_t sum = parent->children_size + node->size;
        parent->children_size = sum < node->size ? UINT64_MAX : sum;
        parent->has_children = true;
    }
    size_t count = m->nodes.count;
    for (size_t i = 0; i < count; i++) {
        const struct node *node = &m->nodes.items[i];
        if (node->is_weak || !node->has_children || node->size <= node->children_size) continue;
        struct node rest = {.name = STR("<unspecified>"),
                            .process = node->process,
                            .parent = (uint32_t)i,
                            .size = node->size - node->children_size,
                            .kept = 1};
        vec_push(&m->nodes, rest);
    }
}

static struct node *node_of(struct memory_tracker *m, uint64_t id)
{
    const uint64_t *at = map_get(&m->by_id, id);
    return at ? &m->nodes.items[*at] : NULL;
}

/* Weak nodes go, with what is in them and who owns them. */
static void mark_weak(struct memory_tracker *m)
{
    for (size_t i = 0; i < m->edges.count; i++) {
        struct node *source = node_of(m, m->edges.items[i].source);
        const struct node *target = node_of(m, m->edges.items[i].target);
        if (source && target && target->is_weak) source->is_weak = true;
    }
    for (size_t i = 0; i < m->nodes.count; i++) {
        struct node *node = &m->nodes.items[i];
        if (node->parent != NOBODY && m->nodes.items[node->parent].is_weak) node->is_weak = true;
    }
}

/* By what is owned, the most important owner first, of those the smallest. */
struct claim {
    struct node *target, *owner;
    uint32_t importance;
};

static int compare_claims(const void *a, const void *b)
{
    const struct claim *x = a, *y = b;
    if (x->target != y->target) return x->target < y->target ? -1 : 1;
    if (x->importance != y->importance) return x->importance > y->importance ? -1 : 1;
    if (x->owner->size != y->owner->size) return x->owner->size < y->owner->size ? -1 : 1;
    return x->owner < y->owner ? -1 : x->owner > y->owner;
}

/* Owners of one importance share what more important ones left: each part by those
 * that are as large. */
static void share(const struct claim *claims, size_t n)
{
    struct node *target = claims[0].target;
    double taken = 0;
    for (size_t from = 0, to; from < n; from = to) {
        double before = taken, part = 0;
        for (to = from; to < n && claims[to].importance == claims[from].importance;)
            to++;
        for (size_t i = from; i < to; i++) {
            struct node *owner = claims[i].owner;
            double size = (double)(owner->size < target->size ? owner->size : target->size);
            if (size > taken) {
                part += (size - taken) / (double)(to - i);
                taken = size;
            }
            /* What it has beyond the target is its own. */
            double own = (double)owner->size - size;
            double got = size > before ? part : 0;
            if (owner->size) owner->kept *= (got + own) / (double)owner->size;
        }
    }
    if (target->size) target->kept *= 1 - taken / (double)target->size;
}

static void share_owned(struct memory_tracker *m)
{
    VEC(struct claim) claims = {0};
    for (size_t i = 0; i < m->edges.count; i++) {
        struct node *source = node_of(m, m->edges.items[i].source);
        struct node *target = node_of(m, m->edges.items[i].target);
        if (source && target && source != target && !source->is_weak && !target->is_weak)
            vec_push(&claims, (struct claim){target, source, m->edges.items[i].importance});
    }
    if (claims.count) qsort(claims.items, claims.count, sizeof claims.items[0], compare_claims);
    for (size_t from = 0, to; from < claims.count; from = to) {
        for (to = from; to < claims.count && claims.items[to].target == claims.items[from].target;)
            to++;
        share(claims.items + from, to - from);
    }
    vec_free(&claims);
    for (size_t i = 0; i < m->nodes.count; i++) {
        struct node *node = &m->nodes.items[i];
        if (node->parent != NOBODY) node->kept *= m->nodes.items[node->parent].kept;
    }
    for (size_t i = m->nodes.count; i-- > 0;) {
        struct node *node = &m->nodes.items[i];
        if (node->is_weak) continue;
        if (!node->has_children) node->effective = (double)node->size * node->kept;
        if (node->parent != NOBODY) m->nodes.items[node->parent].effective += node->effective;
    }
}

/* ---- rows ---- */

static string_id text(const struct memory_tracker *m, struct str s)
{
    return strpool_intern(m->file->import->strings, s.p ? s : STR(""));
}

/* Entries other than the size: "name.value" and "name.unit". */
static void put_entry(struct memory_tracker *m, struct str bytes)
{
    struct wire_field name, units, value;
    wire_find(bytes, 1, &name);
    wire_find(bytes, 2, &units);
    if (str_is(name.bytes, "size")) return;
    buffer_clear(&m->text);
    buffer_append_str(&m->text, name.bytes.p ? name.bytes : STR(""));
    buffer_append_text(&m->text, ".value");
    string_id key = text(m, buffer_str(&m->text));
    if (wire_find(bytes, 3, &value)) {
        arg_list_put_int(&m->args, key, (int64_t)value.value);
        m->text.length -= 6;
        buffer_append_text(&m->text, ".unit");
        if (units.value == 1 || units.value == 2)
            arg_list_put_string(&m->args, text(m, buffer_str(&m->text)),
                                text(m, units.value == 1 ? STR("bytes") : STR("objects")));
    } else if (wire_find(bytes, 4, &value)) {
        arg_list_put_string(&m->args, key, text(m, value.bytes));
    } else {
        stats_add(m->file, STAT_memory_snapshot_parser_failure, 1);
    }
}

static void put_node(struct memory_tracker *m, struct node *node, uint32_t process_row)
{
    struct tables *tables = m->file->import->tables;
    const struct node *parent = node->parent == NOBODY ? NULL : &m->nodes.items[node->parent];
    struct wire w = wire_open(node->bytes);
    struct wire_field f;
    vec_clear(&m->args);
    while (wire_next(&w, &f))
        if (f.number == 4 && f.type == WIRE_BYTES) put_entry(m, f.bytes);
    string_id path = text(m, node->name);
    if (parent) {
        struct str above =
            strpool_get(m->file->import->strings,
                        column_get_string(&tables->memory_snapshot_node.path, parent->row));
        buffer_clear(&m->text);
        buffer_append_str(&m->text, above);
        buffer_append_byte(&m->text, '/');
        buffer_append_str(&m->text, node->name);
        path = text(m, buffer_str(&m->text));
    }
    struct memory_snapshot_node_row row = {
        .process_snapshot_id = process_row,
        .path = path,
        .size = node->size > INT64_MAX ? INT64_MAX : (int64_t)node->size,
        .effective_size = node->effective < 9e18 ? (int64_t)(node->effective + 0.5) : INT64_MAX,
    };
    if (parent) row.parent_node_id = some_uint32(parent->row);
    if (m->args.count) row.arg_set_id = opt_row(args_commit(m->file->import->args, &m->args));
    node->row = memory_snapshot_node_append(&tables->memory_snapshot_node, &row);
}

static void put_processes(struct memory_tracker *m, uint32_t snapshot)
{
    struct tables *tables = m->file->import->tables;
    VEC(uint32_t) rows = {0};
    vec_reserve(&rows, m->pids.count);
    for (size_t i = 1; i <= m->pids.count; i++) {
        size_t at = i % m->pids.count; /* shared memory, of nobody's process, is the last */
        const struct process_memory_snapshot_row row = {snapshot,
                                                        process_intern(m->file, m->pids.items[at])};
        rows.items[at] = process_memory_snapshot_append(&tables->process_memory_snapshot, &row);
    }
    for (size_t i = 0; i < m->nodes.count; i++)
        if (!m->nodes.items[i].is_weak)
            put_node(m, &m->nodes.items[i], rows.items[m->nodes.items[i].process]);
    vec_free(&rows);
}

static void put_snapshot(struct memory_tracker *m)
{
    static const char *const levels[] = {"detailed", "light", "background"};
    struct import *import = m->file->import;
    if (!m->has_snapshot) return;
    mark_weak(m);
    add_up(m);
    share_owned(m);
    struct arg_list source = {0};
    arg_list_put_string(&source, text(m, STR("source")), text(m, STR("chrome")));
    struct track_key key = probe_key(m->file, "legacy_chrome_global_instants", TRACK_SLICE);
    const struct track_info info = {.source_args = &source};
    const struct memory_snapshot_row row = {m->ts, track_intern(import->tracks, &key, &info),
                                            text(m, str_of(levels[m->level < 3 ? m->level : 0]))};
    vec_free(&source);
    put_processes(m, memory_snapshot_append(&import->tables->memory_snapshot, &row));
    for (size_t i = 0; i < m->edges.count; i++) {
        const struct edge *edge = &m->edges.items[i];
        const struct node *from = node_of(m, edge->source), *to = node_of(m, edge->target);
        if (!from || !to || from->is_weak || to->is_weak) continue;
        const struct memory_snapshot_edge_row arrow = {from->row, to->row, edge->importance};
        memory_snapshot_edge_append(&import->tables->memory_snapshot_edge, &arrow);
    }
    m->has_snapshot = false;
}

/* ---- packets ---- */

static void forget(struct memory_tracker *m)
{
    vec_clear(&m->pids);
    vec_clear(&m->nodes);
    vec_clear(&m->edges);
    strmap_free(&m->paths);
    map_clear(&m->by_id);
    vec_push(&m->pids, 0);
}

static void parse(void *state, int64_t ts, const struct packet *packet, struct str field)
{
    struct memory_tracker *m = state;
    struct wire w = wire_open(field);
    struct wire_field f, level;
    (void)packet;
    if (m->has_snapshot && ts != m->ts) put_snapshot(m);
    if (!m->has_snapshot) forget(m);
    wire_find(field, 2, &level);
    m->level = level.value;
    m->ts = ts;
    m->has_snapshot = true;
    while (wire_next(&w, &f))
        if (f.number == 3 && f.type == WIRE_BYTES) read_process(m, f.bytes);
    if (w.bad) stats_add(m->file, STAT_memory_snapshot_parser_failure, 1);
}

static void *create(struct packet_reader *reader)
{
    struct memory_tracker *m = mem_zero(1, sizeof *m);
    m->file = packet_reader_file(reader);
    m->text = (struct buffer)BUFFER_INIT;
    return m;
}

static void finish(void *state)
{
    struct memory_tracker *m = state;
    put_snapshot(m);
    vec_free(&m->pids);
    vec_free(&m->nodes);
    vec_free(&m->edges);
    vec_free(&m->args);
    strmap_free(&m->paths);
    map_free(&m->by_id);
    buffer_free(&m->text);
    mem_free(m);
}

static const struct packet_module modules[] = {{PACKET_MEMORY, NULL, parse}};

const struct packet_source memory_tracker_source = {
    .name = "memory_tracker",
    .create = create,
    .finish = finish,
    .modules = modules,
    .n_modules = 1,
};
