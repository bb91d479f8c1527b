#include "engine/import/clock_graph.h"

#include "engine/base/checked.h"
#include "engine/base/hash.h"
#include "engine/base/map.h"
#include "engine/base/vec.h"

struct group {
    uint32_t *nodes; /* owned */
    size_t n_nodes;
    VEC(int64_t) values; /* n_nodes for each snapshot */
};

/* The latest answer of a node: valid for [low, high], while nothing was added. */
struct answer {
    uint32_t to;
    uint64_t version;
    int64_t low, high, offset;
};

struct hop {
    uint32_t group, from, to; /* columns of the group */
};

struct node {
    struct clock_key key;
    VEC(uint32_t) groups;
    bool leads_nowhere; /* it ran backwards */
    struct answer answer;
    /* The path to `path_to`, good while the topology is the same. */
    uint32_t path_to;
    uint64_t path_topology;
    unsigned n_hops;
    bool has_path;
    struct hop hops[CLOCK_MAX_HOPS];
};

struct clock_graph {
    VEC(struct node) nodes;
    VEC(struct group) groups;
    struct map node_of, group_of; /* hashes; equal ones go to the next slot */
    uint64_t topology;            /* grows with each new group or dead node */
    uint64_t version;             /* grows with each snapshot */
};

struct clock_graph *clock_graph_new(void)
{
    struct clock_graph *graph = mem_zero(1, sizeof *graph);
    graph->topology = graph->version = 1;
    return graph;
}

void clock_graph_free(struct clock_graph *graph)
{
    if (!graph) return;
    for (size_t i = 0; i < graph->nodes.count; i++)
        vec_free(&graph->nodes.items[i].groups);
    for (size_t i = 0; i < graph->groups.count; i++) {
        mem_free(graph->groups.items[i].nodes);
        vec_free(&graph->groups.items[i].values);
    }
    vec_free(&graph->nodes);
    vec_free(&graph->groups);
    map_free(&graph->node_of);
    map_free(&graph->group_of);
    mem_free(graph);
}

static uint64_t hash_key(const struct clock_key *key)
{
    return hash_mix(hash_mix(key->clock_id, (uint64_t)key->machine_id << 32 | key->file_tag),
                    key->sequence);
}

static bool same_key(const struct clock_key *a, const struct clock_key *b)
{
    return a->clock_id == b->clock_id && a->machine_id == b->machine_id &&
           a->file_tag == b->file_tag && a->sequence == b->sequence;
}

uint32_t clock_graph_find(const struct clock_graph *graph, const struct clock_key *key)
{
    for (uint64_t hash = hash_key(key);; hash++) {
        const uint64_t *at = map_get(&graph->node_of, hash);
        if (!at) return CLOCK_NO_NODE;
        if (same_key(&graph->nodes.items[*at].key, key)) return (uint32_t)*at;
    }
}

uint32_t clock_graph_intern(struct clock_graph *graph, const struct clock_key *key)
{
    for (uint64_t hash = hash_key(key);; hash++) {
        bool added;
        uint64_t *at = map_put_if_absent(&graph->node_of, hash, graph->nodes.count, &added);
        if (added) {
            vec_push(&graph->nodes, (struct node){.key = *key});
            return (uint32_t)graph->nodes.count - 1;
        }
        if (same_key(&graph->nodes.items[*at].key, key)) return (uint32_t)*at;
    }
}

const struct clock_key *clock_graph_key(const struct clock_graph *graph, uint32_t node)
{
    return &graph->nodes.items[node].key;
}

static bool same_nodes(const struct group *group, const uint32_t *nodes, size_t n)
{
    return group->n_nodes == n && memcmp(group->nodes, nodes, n * sizeof *nodes) == 0;
}

/* The group's number, or graph->groups.count; *slot is where it would be found. */
static size_t find_group(const struct clock_graph *graph, const uint32_t *nodes, size_t n,
                         uint64_t *slot)
{
    *slot = hash_bytes(nodes, n * sizeof *nodes);
    for (;; ++*slot) {
        const uint64_t *at = map_get(&graph->group_of, *slot);
        if (!at) return graph->groups.count;
        if (same_nodes(&graph->groups.items[*at], nodes, n)) return (size_t)*at;
    }
}

void clock_graph_add(struct clock_graph *graph, const uint32_t *nodes, const int64_t *values,
                     size_t n)
{
    uint64_t slot;
    size_t number = find_group(graph, nodes, n, &slot);
    if (number == graph->groups.count) {
        map_set(&graph->group_of, slot, number);
        struct group made = {.nodes = mem_alloc(n * sizeof *nodes), .n_nodes = n};
        memcpy(made.nodes, nodes, n * sizeof *nodes);
        vec_push(&graph->groups, made);
        for (size_t i = 0; i < n; i++)
            vec_push(&graph->nodes.items[nodes[i]].groups, (uint32_t)number);
        graph->topology++;
    }
    struct group *group = &graph->groups.items[number];
    for (size_t i = 0; i < n; i++) {
        struct node *node = &graph->nodes.items[nodes[i]];
        size_t before = group->values.count;
        if (before >= n && !node->leads_nowhere && values[i] < group->values.items[before - n]) {
            node->leads_nowhere = true;
            graph->topology++;
        }
        vec_push(&group->values, values[i]);
    }
    graph->version++;
}

bool clock_graph_last(const struct clock_graph *graph, const uint32_t *nodes, size_t n,
                      size_t which, int64_t *value)
{
    uint64_t slot;
    size_t number = find_group(graph, nodes, n, &slot);
    if (number == graph->groups.count) return false;
    const struct group *group = &graph->groups.items[number];
    *value = group->values.items[group->values.count - n + which];
    return true;
}

bool clock_graph_is_tied(const struct clock_graph *graph, uint32_t node)
{
    return node != CLOCK_NO_NODE && graph->nodes.items[node].groups.count > 0;
}

/* ---- paths: breadth first, the shortest wins, then the older group ---- */

struct step {
    uint32_t node, previous; /* previous: number of a step */
    struct hop hop;
    unsigned depth;
};

struct search {
    VEC(struct step) steps;
    struct map seen;
};

static void take_path(struct node *node, const struct search *search, uint32_t last)
{
    node->n_hops = search->steps.items[last].depth;
    for (unsigned i = node->n_hops; i-- > 0;) {
        node->hops[i] = search->steps.items[last].hop;
        last = search->steps.items[last].previous;
    }
}

static bool expand(const struct clock_graph *graph, struct search *search, uint32_t at, uint32_t to)
{
    struct step step = search->steps.items[at];
    const struct node *node = &graph->nodes.items[step.node];
    if (node->leads_nowhere || step.depth == CLOCK_MAX_HOPS) return false;
    for (size_t i = 0; i < node->groups.count; i++) {
        uint32_t number = node->groups.items[i];
        const struct group *group = &graph->groups.items[number];
        uint32_t from = 0;
        while (group->nodes[from] != step.node)
            from++;
        for (uint32_t k = 0; k < group->n_nodes; k++) {
            bool added;
            map_put_if_absent(&search->seen, group->nodes[k], 0, &added);
            if (!added) continue;
            vec_push(&search->steps,
                     (struct step){group->nodes[k], at, {number, from, k}, step.depth + 1});
            if (group->nodes[k] == to) return true;
        }
    }
    return false;
}

static bool find_path(struct clock_graph *graph, uint32_t from, uint32_t to)
{
    struct node *node = &graph->nodes.items[from];
    if (node->path_topology == graph->topology && node->path_to == to) return node->has_path;
    struct search search = {0};
    vec_push(&search.steps, (struct step){.node = from});
    map_set(&search.seen, from, 0);
    node->has_path = false;
    for (uint32_t at = 0; at < search.steps.count && !node->has_path; at++)
        if (expand(graph, &search, at, to)) {
            node->has_path = true;
            take_path(node, &search, (uint32_t)search.steps.count - 1);
        }
    node->path_topology = graph->topology;
    node->path_to = to;
    vec_free(&search.steps);
    map_free(&search.seen);
    return node->has_path;
}

/* ---- conversion ---- */

/* The row to use for `value` in a column that ascends. */
static size_t find_row(const struct group *group, uint32_t column, int64_t value)
{
    size_t low = 0, high = group->values.count / group->n_nodes;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (group->values.items[middle * group->n_nodes + column] <= value)
            low = middle + 1;
        else
            high = middle;
    }
    return low ? low - 1 : 0;
}

/* One hop; narrows [*low, *high], in units of the first clock of the path. */
static void make_hop(const struct group *group, const struct hop *hop, int64_t *value,
                     int64_t *offset, int64_t *low, int64_t *high)
{
    size_t n = group->n_nodes, rows = group->values.count / n;
    const int64_t *values = group->values.items;
    size_t row = find_row(group, hop->from, *value);
    if (row > 0) {
        int64_t from = wrapping_sub_int64(values[row * n + hop->from], *offset);
        if (from > *low) *low = from;
    }
    if (row + 1 < rows) {
        int64_t to = wrapping_sub_int64(values[(row + 1) * n + hop->from], *offset) - 1;
        if (to < *high) *high = to;
    }
    int64_t step = wrapping_sub_int64(values[row * n + hop->to], values[row * n + hop->from]);
    *value = wrapping_add_int64(*value, step);
    *offset = wrapping_add_int64(*offset, step);
}

bool clock_graph_convert(struct clock_graph *graph, uint32_t from, int64_t value, uint32_t to,
                         int64_t *out)
{
    struct node *node = &graph->nodes.items[from];
    if (from == to) {
        *out = value;
        return true;
    }
    struct answer *answer = &node->answer;
    if (answer->version == graph->version && answer->to == to && value >= answer->low &&
        value <= answer->high) {
        *out = wrapping_add_int64(value, answer->offset);
        return true;
    }
    if (!find_path(graph, from, to)) return false;
    int64_t offset = 0, low = INT64_MIN, high = INT64_MAX, at = value;
    for (unsigned i = 0; i < node->n_hops; i++)
        make_hop(&graph->groups.items[node->hops[i].group], &node->hops[i], &at, &offset, &low,
                 &high);
    *answer = (struct answer){to, graph->version, low, high, offset};
    *out = at;
    return true;
}
