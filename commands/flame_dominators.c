/* Closest dominators of a graph, by iteration over the nodes in reverse postorder
 * (Cooper, Harvey and Kennedy, "A Simple, Fast Dominance Algorithm"). */
#include <string.h>

#include "commands/flame_profile.h"
#include "engine/base/memory.h"

/* Node 0 of `order` is what stands above the roots; node i of the graph is in it by
 * its place in reverse postorder, from 1. */
struct dominators {
    uint32_t n;
    const uint32_t *starts, *targets;
    uint32_t *place;                   /* by node: its place, 0 while it was not reached */
    uint32_t *node;                    /* by place */
    uint32_t *closest;                 /* by place: a place, FLAME_NONE: not known yet */
    uint32_t *sources, *source_starts; /* edges the other way, by place */
    uint32_t reached;
};

struct step {
    uint32_t node, edge;
};

/* Gives places so that the last one to be left comes first. */
static bool number(struct dominators *d, const uint32_t *roots, uint32_t n_roots,
                   struct cancel *cancel)
{
    VEC(struct step) path = {0};
    VEC(uint32_t) left = {0};
    uint32_t visited = 0;
    for (uint32_t i = n_roots; i-- > 0;) { /* the first root gets the first places */
        if (roots[i] >= d->n || d->place[roots[i]]) continue;
        d->place[roots[i]] = 1;
        vec_push(&path, (struct step){roots[i], d->starts[roots[i]]});
        while (path.count && !((++visited & 0xFFFF) == 0 && cancel_is_requested(cancel))) {
            struct step *top = &path.items[path.count - 1];
            if (top->edge == d->starts[top->node + 1]) {
                vec_push(&left, top->node);
                path.count--;
                continue;
            }
            uint32_t target = d->targets[top->edge++];
            if (target >= d->n || d->place[target]) continue;
            d->place[target] = 1;
            vec_push(&path, (struct step){target, d->starts[target]});
        }
        if (path.count) break;
    }
    bool done = path.count == 0;
    d->reached = (uint32_t)left.count;
    for (uint32_t i = 0; i < d->reached && done; i++) {
        uint32_t at = d->reached - i;
        d->place[left.items[i]] = at;
        d->node[at] = left.items[i];
    }
    vec_free(&path);
    vec_free(&left);
    return done;
}

static void turn_edges(struct dominators *d, const uint32_t *roots, uint32_t n_roots)
{
    uint32_t *starts = mem_zero((size_t)d->reached + 2, sizeof *starts), edges = n_roots;
    for (uint32_t p = 1; p <= d->reached; p++) {
        uint32_t node = d->node[p];
        edges += d->starts[node + 1] - d->starts[node];
    }
    d->sources = mem_alloc(((size_t)edges + 1) * sizeof *d->sources);
    /* Counted, summed, then filled from the back. */
    for (uint32_t i = 0; i < n_roots; i++)
        if (roots[i] < d->n) starts[d->place[roots[i]]]++;
    for (uint32_t p = 1; p <= d->reached; p++)
        for (uint32_t e = d->starts[d->node[p]]; e < d->starts[d->node[p] + 1]; e++)
            if (d->targets[e] < d->n) starts[d->place[d->targets[e]]]++;
    for (uint32_t p = 1; p <= d->reached + 1; p++)
        starts[p] += starts[p - 1];
    for (uint32_t i = 0; i < n_roots; i++)
        if (roots[i] < d->n) d->sources[--starts[d->place[roots[i]]]] = 0;
    for (uint32_t p = 1; p <= d->reached; p++)
        for (uint32_t e = d->starts[d->node[p]]; e < d->starts[d->node[p] + 1]; e++)
            if (d->targets[e] < d->n) d->sources[--starts[d->place[d->targets[e]]]] = p;
    d->source_starts = starts;
}

static uint32_t common(const struct dominators *d, uint32_t a, uint32_t b)
{
    while (a != b) {
        while (a > b)
            a = d->closest[a];
        while (b > a)
            b = d->closest[b];
    }
    return a;
}

static bool iterate(struct dominators *d, struct cancel *cancel)
{
    bool changed = true;
    d->closest[0] = 0;
    for (uint32_t p = 1; p <= d->reached; p++)
        d->closest[p] = FLAME_NONE;
    while (changed) {
        changed = false;
        for (uint32_t p = 1; p <= d->reached; p++) {
            if ((p & 0xFFF) == 0 && cancel_is_requested(cancel)) return false;
            uint32_t best = FLAME_NONE;
            for (uint32_t e = d->source_starts[p]; e < d->source_starts[p + 1]; e++) {
                uint32_t source = d->sources[e];
                if (d->closest[source] == FLAME_NONE) continue;
                best = best == FLAME_NONE ? source : common(d, best, source);
            }
            if (best == d->closest[p]) continue;
            d->closest[p] = best;
            changed = true;
        }
    }
    return true;
}

uint32_t *flame_dominators(uint32_t n, const uint32_t *starts, const uint32_t *targets,
                           const uint32_t *roots, uint32_t n_roots, struct cancel *cancel)
{
    struct dominators d = {.n = n, .starts = starts, .targets = targets};
    uint32_t *out = mem_alloc(((size_t)n + 1) * sizeof *out);
    memset(out, 0xFF, ((size_t)n + 1) * sizeof *out);
    d.place = mem_zero((size_t)n + 1, sizeof *d.place);
    d.node = mem_zero((size_t)n + 2, sizeof *d.node);
    d.closest = mem_zero((size_t)n + 2, sizeof *d.closest);
    if (number(&d, roots, n_roots, cancel)) {
        turn_edges(&d, roots, n_roots);
        if (iterate(&d, cancel))
            for (uint32_t p = 1; p <= d.reached; p++)
                out[d.node[p]] = d.closest[p] ? d.node[d.closest[p]] : n;
    }
    mem_free(d.place);
    mem_free(d.node);
    mem_free(d.closest);
    mem_free(d.sources);
    mem_free(d.source_starts);
    return out;
}
