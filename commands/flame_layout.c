/* Totals, order and places of a flamegraph's nodes; its functions. */
#include <stdlib.h>

#include "commands/flame_tree.h"
#include "engine/base/memory.h"

/* ---- totals ---- */

static void sum_up(struct flame_tree *tree, bool compares)
{
    for (size_t i = 0; i < tree->nodes.count; i++)
        for (int side = 0; side < 2; side++)
            tree->nodes.items[i].total[side] = tree->nodes.items[i].self[side];
    for (size_t i = tree->nodes.count; i-- > 0;) {
        struct flame_node *node = &tree->nodes.items[i];
        node->width = node->total[0] + (compares ? node->total[1] : 0);
        if (node->parent == FLAME_NONE) continue;
        for (int side = 0; side < 2; side++)
            tree->nodes.items[node->parent].total[side] += node->total[side];
    }
}

/* ---- order ---- */

struct sibling {
    double width;
    struct str name;
    uint32_t node;
};

static int compare_siblings(const void *left, const void *right)
{
    const struct sibling *a = left, *b = right;
    if (a->width != b->width) return a->width > b->width ? -1 : 1;
    int by_name = str_compare(a->name, b->name);
    if (by_name) return by_name;
    return a->node < b->node ? -1 : a->node > b->node;
}

/* Links the children of each node and gives them their places. */
static bool link_children(struct flame_tree *tree, const struct flame_profile *profile,
                          struct cancel *cancel)
{
    size_t n = tree->nodes.count;
    uint32_t *starts = mem_zero(n + 2, sizeof *starts);
    struct sibling *siblings = mem_alloc((n + 1) * sizeof *siblings);
    for (size_t i = 0; i < n; i++)
        if (tree->nodes.items[i].parent != FLAME_NONE) starts[tree->nodes.items[i].parent + 1]++;
    for (size_t i = 0; i < n; i++)
        starts[i + 1] += starts[i];
    uint32_t *fill = mem_alloc((n + 1) * sizeof *fill);
    for (size_t i = 0; i < n; i++)
        fill[i] = starts[i];
    for (uint32_t i = 0; i < n; i++) {
        const struct flame_node *node = &tree->nodes.items[i];
        if (node->parent == FLAME_NONE) continue;
        siblings[fill[node->parent]++] =
            (struct sibling){node->width, profile->frames.items[node->frame].name, i};
    }
    bool done = true;
    for (uint32_t i = 0; i < n && done; i++) {
        uint32_t count = starts[i + 1] - starts[i];
        struct sibling *of = siblings + starts[i];
        if (count > 1) qsort(of, count, sizeof *of, compare_siblings);
        double x = tree->nodes.items[i].x;
        for (uint32_t k = 0; k < count; k++) {
            struct flame_node *node = &tree->nodes.items[of[k].node];
            node->x = x;
            x += node->width;
            node->next = k + 1 < count ? of[k + 1].node : FLAME_NONE;
        }
        tree->nodes.items[i].first_child = count ? of[0].node : FLAME_NONE;
        done = (i & 0xFFFF) != 0 || !cancel_is_requested(cancel);
    }
    mem_free(starts);
    mem_free(fill);
    mem_free(siblings);
    return done;
}

bool flame_tree_lay_out(struct flame_tree *tree, const struct flame_profile *profile, bool compares,
                        struct cancel *cancel)
{
    sum_up(tree, compares);
    for (size_t i = 0; i < tree->nodes.count; i++) {
        const struct flame_node *node = &tree->nodes.items[i];
        uint32_t *deepest = node->is_caller ? &tree->callers_depth : &tree->depth;
        if (node->depth > *deepest) *deepest = node->depth;
    }
    return link_children(tree, profile, cancel);
}

/* ---- functions ---- */

static int compare_functions(const void *left, const void *right)
{
    const struct flame_function *a = left, *b = right;
    double x = a->self[0] + a->self[1], y = b->self[0] + b->self[1];
    if (x != y) return x > y ? -1 : 1;
    x = a->total[0] + a->total[1];
    y = b->total[0] + b->total[1];
    if (x != y) return x > y ? -1 : 1;
    return a->frame < b->frame ? -1 : a->frame > b->frame;
}

/* The node after `node` in pre-order; *open loses the frames that are left. */
static uint32_t next_node(const struct flame_tree *tree, uint32_t node, uint32_t *open)
{
    const struct flame_node *at = &tree->nodes.items[node];
    if (at->first_child != FLAME_NONE) return at->first_child;
    for (;;) {
        if (at->frame != FLAME_NONE) open[at->frame]--;
        if (at->next != FLAME_NONE) return at->next;
        if (at->parent == FLAME_NONE) return FLAME_NONE;
        at = &tree->nodes.items[at->parent];
    }
}

void flame_tree_count_functions(struct flame_tree *tree, const struct flame_profile *profile)
{
    size_t n = profile->frames.count;
    uint32_t *open = mem_zero(n + 1, sizeof *open);
    struct flame_function *of = mem_zero(n + 1, sizeof *of);
    for (uint32_t i = 0; i != FLAME_NONE; i = next_node(tree, i, open)) {
        const struct flame_node *node = &tree->nodes.items[i];
        if (node->frame == FLAME_NONE) continue;
        bool outermost = open[node->frame]++ == 0;
        for (int side = 0; side < 2; side++) {
            of[node->frame].self[side] += node->self[side];
            if (outermost) of[node->frame].total[side] += node->total[side];
        }
    }
    for (uint32_t i = 0; i < n; i++) {
        if (of[i].total[0] <= 0 && of[i].total[1] <= 0) continue;
        of[i].frame = i;
        vec_push(&tree->functions, of[i]);
    }
    if (tree->functions.count > 1)
        qsort(tree->functions.items, tree->functions.count, sizeof *of, compare_functions);
    mem_free(open);
    mem_free(of);
}
