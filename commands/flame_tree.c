#include "commands/flame_tree.h"

#include "commands/flame_pattern.h"
#include "engine/base/memory.h"

/* From the leaves: frames of a stack, and nodes, that are kept. */
#define MAX_CALLERS 1024u
#define MAX_NODES   (8u << 20)

void flame_look_copy(struct flame_look *out, const struct flame_look *in)
{
    *out = (struct flame_look){.direction = in->direction, .compares = in->compares};
    for (size_t i = 0; i < in->filters.count; i++)
        vec_push(&out->filters, (struct flame_filter){in->filters.items[i].kind,
                                                      mem_strdup(in->filters.items[i].text)});
    out->pivot = in->pivot ? mem_strdup(in->pivot) : NULL;
    out->highlight = in->highlight ? mem_strdup(in->highlight) : NULL;
}

void flame_look_dispose(struct flame_look *look)
{
    for (size_t i = 0; i < look->filters.count; i++)
        mem_free(look->filters.items[i].text);
    vec_free(&look->filters);
    mem_free(look->pivot);
    mem_free(look->highlight);
    *look = (struct flame_look){0};
}

void flame_tree_free(struct flame_tree *tree)
{
    if (!tree) return;
    vec_free(&tree->nodes);
    vec_free(&tree->functions);
    mem_free(tree);
}

/* ---- patterns over frames ---- */

#define BIT_PIVOT     (1u << 30)
#define BIT_HIGHLIGHT (1u << 31)

/* Which patterns find each frame: a bit for each filter. */
struct marks {
    uint32_t *of_frame; /* owned */
    uint32_t shown;     /* bits of FLAME_SHOW_STACK … */
    uint32_t hidden, from, merged;
};

static bool mark_frames(const struct flame_profile *profile, const char *text, uint32_t bit,
                        uint32_t *of_frame, struct cancel *cancel, struct status *st)
{
    struct flame_pattern *pattern = flame_pattern_new(str_of(text), st);
    if (!pattern) return false;
    bool done = true;
    for (size_t i = 0; i < profile->frames.count && done; i++) {
        if (flame_pattern_matches(pattern, profile->frames.items[i].name)) of_frame[i] |= bit;
        done = (i & 0xFFF) != 0 || !cancel_is_requested(cancel);
    }
    flame_pattern_free(pattern);
    return done || status_fail(st, STATUS_INTERRUPTED, STATUS_NO_OFFSET, "interrupted");
}

static bool read_marks(const struct flame_profile *profile, const struct flame_look *look,
                       struct marks *m, struct cancel *cancel, struct status *st)
{
    m->of_frame = mem_zero(profile->frames.count + 1, sizeof *m->of_frame);
    for (size_t i = 0; i < look->filters.count && i < FLAME_MAX_FILTERS; i++) {
        const struct flame_filter *filter = &look->filters.items[i];
        uint32_t bit = 1u << i;
        switch (filter->kind) {
        case FLAME_SHOW_STACK: m->shown |= bit; break;
        case FLAME_HIDE_STACK: m->hidden |= bit; break;
        case FLAME_FROM_FRAME: m->from |= bit; break;
        case FLAME_HIDE_FRAME: m->merged |= bit; break;
        }
        if (!mark_frames(profile, filter->text, bit, m->of_frame, cancel, st)) return false;
    }
    if (look->direction == FLAME_PIVOT &&
        !mark_frames(profile, look->pivot ? look->pivot : "", BIT_PIVOT, m->of_frame, cancel, st))
        return false;
    return !look->highlight ||
           mark_frames(profile, look->highlight, BIT_HIGHLIGHT, m->of_frame, cancel, st);
}

/* ---- building ---- */

static uint32_t push_child(struct flame_tree *tree, uint32_t parent, uint32_t frame)
{
    struct flame_node fresh = tree->nodes.items[parent]; /* the nodes may move */
    fresh.parent = parent;
    fresh.frame = frame;
    fresh.depth++;
    fresh.self[0] = fresh.self[1] = 0;
    vec_push(&tree->nodes, fresh);
    return (uint32_t)tree->nodes.count - 1;
}

static uint32_t child_of(struct flame_tree *tree, struct map *by_child, uint32_t parent,
                         uint32_t frame)
{
    bool added;
    uint32_t node = (uint32_t)*map_put_if_absent(by_child, (uint64_t)parent << 32 | frame,
                                                 tree->nodes.count, &added);
    return added ? push_child(tree, parent, frame) : node;
}

static struct flame_tree *new_tree(void)
{
    struct flame_tree *tree = mem_zero(1, sizeof *tree);
    tree->callers = FLAME_NONE;
    vec_push(&tree->nodes, (struct flame_node){.parent = FLAME_NONE,
                                               .first_child = FLAME_NONE,
                                               .next = FLAME_NONE,
                                               .frame = FLAME_NONE});
    return tree;
}

/* A stack of the profile while filters are applied. */
struct passage {
    uint32_t found; /* bits of every frame from the root to here */
    uint32_t node;  /* of the filtered tree; FLAME_NONE: cut away */
    bool holds;     /* it, or one below it, holds something that is shown */
};

static bool is_shown(const struct marks *m, const struct passage *p)
{
    return (p->found & m->shown) == m->shown && !(p->found & m->hidden) &&
           (!m->from || (p->found & m->from));
}

/* Which stacks hold something that the filters let through. */
static void find_shown(const struct flame_profile *profile, const struct marks *m,
                       struct passage *at)
{
    size_t n = profile->stacks.count;
    for (size_t i = 0; i < n; i++) {
        const struct flame_stack *s = &profile->stacks.items[i];
        at[i].node = FLAME_NONE;
        at[i].found = 0;
        if (i > 0) at[i].found = at[s->parent].found | m->of_frame[s->frame];
        at[i].holds = (s->self[0] > 0 || s->self[1] > 0) && is_shown(m, &at[i]);
    }
    for (size_t i = n; i-- > 1;)
        if (at[i].holds) at[profile->stacks.items[i].parent].holds = true;
}

/* Top-down, without what the filters take away. */
static struct flame_tree *filtered(const struct flame_profile *profile, const struct marks *m,
                                   struct cancel *cancel)
{
    size_t n = profile->stacks.count;
    struct flame_tree *tree = new_tree();
    struct map by_child = {0};
    struct passage *at = mem_zero(n + 1, sizeof *at);
    bool done = true, merges = m->merged || m->from; /* else stacks stay apart as they are */
    find_shown(profile, m, at);
    at[0].node = m->from ? FLAME_NONE : 0;
    for (size_t i = 0; i < n && done; i++) {
        const struct flame_stack *s = &profile->stacks.items[i];
        done = (i & 0xFFFF) != 0 || !cancel_is_requested(cancel);
        if (!at[i].holds) continue;
        if (i > 0) {
            uint32_t bits = m->of_frame[s->frame];
            at[i].node = at[s->parent].node;
            if (at[i].node == FLAME_NONE && (bits & m->from)) at[i].node = 0;
            if (at[i].node != FLAME_NONE && !(bits & m->merged))
                at[i].node = merges ? child_of(tree, &by_child, at[i].node, s->frame)
                                    : push_child(tree, at[i].node, s->frame);
        }
        if (at[i].node == FLAME_NONE || !is_shown(m, &at[i])) continue;
        for (int side = 0; side < 2; side++)
            tree->nodes.items[at[i].node].self[side] += s->self[side];
    }
    mem_free(at);
    map_free(&by_child);
    if (done) return tree;
    flame_tree_free(tree);
    return NULL;
}

static void add_weight(struct flame_node *node, const struct flame_node *from)
{
    node->self[0] += from->self[0];
    node->self[1] += from->self[1];
}

/* From `leaf` up to the frames below `top`, as a path below `root` of `out`. */
static void add_callers(const struct flame_tree *in, uint32_t leaf, const struct flame_node *weight,
                        struct flame_tree *out, struct map *by_child, uint32_t root)
{
    uint32_t to = root, steps = 0;
    for (uint32_t at = leaf; in->nodes.items[at].frame != FLAME_NONE;
         at = in->nodes.items[at].parent) {
        if (++steps > MAX_CALLERS || out->nodes.count >= MAX_NODES) {
            out->is_cut = true;
            break;
        }
        to = child_of(out, by_child, to, in->nodes.items[at].frame);
    }
    add_weight(&out->nodes.items[to], weight);
}

static bool holds_self(const struct flame_node *node)
{
    return node->self[0] > 0 || node->self[1] > 0;
}

static struct flame_tree *bottom_up(const struct flame_tree *in, struct cancel *cancel)
{
    struct flame_tree *tree = new_tree();
    struct map by_child = {0};
    bool done = true;
    for (uint32_t i = 0; i < in->nodes.count && done; i++) {
        if (holds_self(&in->nodes.items[i]))
            add_callers(in, i, &in->nodes.items[i], tree, &by_child, 0);
        done = (i & 0xFFF) != 0 || !cancel_is_requested(cancel);
    }
    map_free(&by_child);
    if (done) return tree;
    flame_tree_free(tree);
    return NULL;
}

/* Around the first frame of each stack that the pivot's pattern finds. */
static struct flame_tree *pivoted(const struct flame_tree *in, const struct marks *m,
                                  struct cancel *cancel)
{
    size_t n = in->nodes.count;
    struct flame_tree *tree = new_tree();
    struct map by_child = {0};
    uint32_t *node = mem_alloc((n + 1) * sizeof *node), *pivot = mem_alloc((n + 1) * sizeof *pivot);
    bool done = true;
    tree->callers = 1;
    vec_push(&tree->nodes, tree->nodes.items[0]);
    tree->nodes.items[1].is_caller = true;
    for (uint32_t i = 0; i < n && done; i++) {
        const struct flame_node *from = &in->nodes.items[i];
        done = (i & 0xFFF) != 0 || !cancel_is_requested(cancel);
        node[i] = i ? node[from->parent] : FLAME_NONE;
        pivot[i] = i ? pivot[from->parent] : FLAME_NONE;
        bool is_pivot = i && pivot[i] == FLAME_NONE && (m->of_frame[from->frame] & BIT_PIVOT);
        if (is_pivot) pivot[i] = i;
        if (pivot[i] == FLAME_NONE) continue;
        node[i] = child_of(tree, &by_child, is_pivot ? 0 : node[i], from->frame);
        if (!holds_self(from)) continue;
        add_weight(&tree->nodes.items[node[i]], from);
        add_callers(in, pivot[i], from, tree, &by_child, tree->callers);
    }
    mem_free(node);
    mem_free(pivot);
    map_free(&by_child);
    if (done) return tree;
    flame_tree_free(tree);
    return NULL;
}

static void highlight(struct flame_tree *tree, const struct marks *m)
{
    uint8_t *below = mem_zero(tree->nodes.count + 1, 1);
    for (size_t i = 1; i < tree->nodes.count; i++) {
        struct flame_node *node = &tree->nodes.items[i];
        if (node->frame == FLAME_NONE) continue;
        node->is_highlighted = (m->of_frame[node->frame] & BIT_HIGHLIGHT) != 0;
        tree->highlighted_nodes += node->is_highlighted;
        if (node->is_highlighted && !below[node->parent] && !node->is_caller)
            for (int side = 0; side < 2; side++)
                tree->highlighted[side] += node->total[side];
        below[i] = below[node->parent] || node->is_highlighted;
    }
    mem_free(below);
}

struct flame_tree *flame_tree_new(const struct flame_profile *profile,
                                  const struct flame_look *look, struct cancel *cancel,
                                  struct status *st)
{
    struct marks m = {0};
    struct flame_tree *down = NULL, *tree = NULL;
    if (!read_marks(profile, look, &m, cancel, st)) goto out;
    down = filtered(profile, &m, cancel);
    if (!down || !flame_tree_lay_out(down, profile, look->compares, cancel)) goto out;
    flame_tree_count_functions(down, profile);
    if (look->direction == FLAME_TOP_DOWN) {
        tree = down;
        down = NULL;
    } else {
        tree = look->direction == FLAME_PIVOT ? pivoted(down, &m, cancel) : bottom_up(down, cancel);
        if (!tree || !flame_tree_lay_out(tree, profile, look->compares, cancel)) {
            flame_tree_free(tree);
            tree = NULL;
            goto out;
        }
        for (size_t i = 0; i < down->functions.count; i++)
            vec_push(&tree->functions, down->functions.items[i]);
    }
    if (look->highlight) highlight(tree, &m);
out:
    if (!tree) status_fail(st, STATUS_INTERRUPTED, STATUS_NO_OFFSET, "interrupted");
    flame_tree_free(down);
    mem_free(m.of_frame);
    return tree;
}
