/* Java objects as stacks of class names: by a shortest path from a root, or by what
 * keeps them alive.  Of each process the last dump in the scope is taken. */
#include <string.h>

#include "commands/flame_profile.h"
#include "engine/base/memory.h"

struct dump {
    const struct flame_input *in;
    const struct heap_graph_object_table *o;
    VEC(uint32_t) objects; /* rows of the dump that are reachable */
    uint32_t *at;          /* by row: index in `objects`, FLAME_NONE: not of the dump */
    VEC(uint32_t) starts, targets, roots; /* edges and roots, by index */
    uint32_t *stack_of;                   /* by index */
    struct map *frame_of;                 /* class → frame */
};

static uint32_t frame_of(struct dump *d, uint32_t object)
{
    const struct heap_graph_class_table *c = &d->in->tables->heap_graph_class;
    uint32_t class = column_get_row(&d->o->type_id, object);
    uint64_t *found = map_get(d->frame_of, class);
    if (found) return (uint32_t)*found;
    struct str name = STR_NONE;
    if (class < table_rows(&c->table)) {
        const struct strpool *strings = d->in->tables->strings;
        name = strpool_get(strings, column_get_string(&c->deobfuscated_name, class));
        if (!name.n) name = strpool_get(strings, column_get_string(&c->name, class));
    }
    uint32_t frame =
        flame_profile_frame(d->in->profile, name.n ? name : STR("[unknown]"), STR_NONE);
    map_set(d->frame_of, class, frame);
    return frame;
}

static void add_edges(struct dump *d, uint32_t object)
{
    const struct heap_graph_reference_table *r = &d->in->tables->heap_graph_reference;
    uint32_t set = column_get_row(&d->o->reference_set_id, object), rows = table_rows(&r->table);
    uint32_t n = table_rows(&d->o->table);
    for (uint32_t i = set; i < rows && column_get_row(&r->reference_set_id, i) == set; i++) {
        uint32_t owned = column_get_row(&r->owned_id, i);
        if (owned < n && d->at[owned] != FLAME_NONE) vec_push(&d->targets, d->at[owned]);
    }
}

static bool read_dump(struct dump *d, uint32_t upid, int64_t ts)
{
    uint32_t n = table_rows(&d->o->table);
    d->at = mem_alloc(((size_t)n + 1) * sizeof *d->at);
    for (uint32_t i = 0; i < n; i++) {
        if (flame_is_cancelled(d->in, i)) return false;
        d->at[i] = FLAME_NONE;
        if (column_get_row(&d->o->upid, i) != upid ||
            column_get_int64(&d->o->graph_sample_ts, i) != ts)
            continue;
        if (!column_get_int64(&d->o->reachable, i)) continue;
        d->at[i] = (uint32_t)d->objects.count;
        if (column_get_string(&d->o->root_type, i) != STRING_NULL) vec_push(&d->roots, d->at[i]);
        vec_push(&d->objects, i);
    }
    for (uint32_t i = 0; i < d->objects.count; i++) {
        if (flame_is_cancelled(d->in, i)) return false;
        vec_push(&d->starts, (uint32_t)d->targets.count);
        add_edges(d, d->objects.items[i]);
    }
    vec_push(&d->starts, (uint32_t)d->targets.count);
    return true;
}

static void place(struct dump *d, uint32_t index, uint32_t parent)
{
    struct flame_profile *profile = d->in->profile;
    uint32_t object = d->objects.items[index];
    bool by_size =
        d->in->metric->which == FLAME_OBJECT_SIZE || d->in->metric->which == FLAME_DOMINATED_SIZE;
    double weight = by_size ? (double)column_get_int64(&d->o->self_size, object) : 1;
    uint32_t stack = flame_profile_child(profile, parent, frame_of(d, object));
    d->stack_of[index] = stack;
    if (weight > 0) profile->stacks.items[stack].self[d->in->side] += weight;
    profile->rows[d->in->side]++;
}

/* In order of distance from the roots, so that the first path found is a shortest. */
static bool by_path(struct dump *d)
{
    VEC(uint32_t) queue = {0};
    bool done = true;
    for (size_t i = 0; i < d->roots.count; i++) {
        place(d, d->roots.items[i], 0);
        vec_push(&queue, d->roots.items[i]);
    }
    for (uint32_t i = 0; i < queue.count && done; i++) {
        uint32_t from = queue.items[i];
        for (uint32_t e = d->starts.items[from]; e < d->starts.items[from + 1]; e++) {
            uint32_t to = d->targets.items[e];
            if (d->stack_of[to] != FLAME_NONE) continue;
            place(d, to, d->stack_of[from]);
            vec_push(&queue, to);
        }
        done = !flame_is_cancelled(d->in, i);
    }
    vec_free(&queue);
    return done;
}

/* Each object below the one without which it would be garbage. */
static bool by_dominator(struct dump *d)
{
    uint32_t n = (uint32_t)d->objects.count;
    uint32_t *closest = flame_dominators(n, d->starts.items, d->targets.items, d->roots.items,
                                         (uint32_t)d->roots.count, d->in->cancel);
    VEC(uint32_t) chain = {0};
    bool done = !cancel_is_requested(d->in->cancel);
    for (uint32_t i = 0; i < n && done; i++) {
        chain.count = 0;
        for (uint32_t at = i; at < n && d->stack_of[at] == FLAME_NONE && closest[at] != FLAME_NONE;
             at = closest[at])
            vec_push(&chain, at);
        for (size_t k = chain.count; k-- > 0;) {
            uint32_t above = closest[chain.items[k]];
            place(d, chain.items[k], above < n ? d->stack_of[above] : 0);
        }
        done = !flame_is_cancelled(d->in, i);
    }
    vec_free(&chain);
    mem_free(closest);
    return done;
}

static bool add_dump(const struct flame_input *in, struct map *frames, uint32_t upid, int64_t ts)
{
    struct dump d = {.in = in, .o = &in->tables->heap_graph_object, .frame_of = frames};
    bool done = read_dump(&d, upid, ts);
    if (done) {
        size_t bytes = (d.objects.count + 1) * sizeof *d.stack_of;
        d.stack_of = mem_alloc(bytes);
        memset(d.stack_of, 0xFF, bytes);
        bool dominated = in->metric->which >= FLAME_DOMINATED_SIZE;
        done = dominated ? by_dominator(&d) : by_path(&d);
    }
    vec_free(&d.objects);
    vec_free(&d.starts);
    vec_free(&d.targets);
    vec_free(&d.roots);
    mem_free(d.at);
    mem_free(d.stack_of);
    return done;
}

static bool is_last(const struct flame_input *in, uint32_t row)
{
    const struct heap_graph_table *g = &in->tables->heap_graph;
    uint32_t rows = table_rows(&g->table), upid = column_get_row(&g->upid, row);
    int64_t ts = column_get_int64(&g->ts, row);
    for (uint32_t i = 0; i < rows; i++) {
        int64_t other = column_get_int64(&g->ts, i);
        if (column_get_row(&g->upid, i) == upid && other > ts && other < in->scope->end)
            return false;
        if (column_get_row(&g->upid, i) == upid && other == ts && i < row) return false;
    }
    return true;
}

bool flame_add_objects(const struct flame_input *in)
{
    const struct heap_graph_table *g = &in->tables->heap_graph;
    uint32_t rows = table_rows(&g->table);
    struct map frames = {0};
    bool done = true;
    for (uint32_t i = 0; i < rows && done; i++) {
        int64_t ts = column_get_int64(&g->ts, i);
        uint32_t upid = column_get_row(&g->upid, i);
        if (ts < in->scope->start || ts >= in->scope->end || !is_last(in, i)) continue;
        if (!in->sets.everything && !flame_sets_has(in->sets.processes, in->sets.n_processes, upid))
            continue;
        done = add_dump(in, &frames, upid, ts);
    }
    map_free(&frames);
    return done;
}
