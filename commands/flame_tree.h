/* A flamegraph, laid out: a profile under its filters, seen from one side.
 *
 * Node 0 is everything.  A parent stands before its children, siblings from the
 * widest on.  `width` is what a node is drawn with: its total or, where two sides
 * are compared, the sum of both totals, so that children never are wider than
 * their parent.  `x` is where it begins, in the same measure, the root at 0.
 *
 * Filters (spec ui §7): a stack is shown when each FLAME_SHOW_STACK finds one of
 * its frames and no FLAME_HIDE_STACK does; FLAME_HIDE_FRAME gives what a frame
 * holds to its caller; FLAME_FROM_FRAME cuts stacks above the first frame found,
 * and drops those without.
 */
#ifndef COMMANDS_FLAME_TREE_H
#define COMMANDS_FLAME_TREE_H

#include "commands/flame_profile.h"

enum flame_direction {
    FLAME_TOP_DOWN,  /* from the roots to the leaves */
    FLAME_BOTTOM_UP, /* from the leaves to their callers */
    FLAME_PIVOT,     /* from some frames down to callees, and up to callers */
};

enum flame_filter_kind { FLAME_SHOW_STACK, FLAME_HIDE_STACK, FLAME_FROM_FRAME, FLAME_HIDE_FRAME };

struct flame_filter {
    enum flame_filter_kind kind;
    char *text; /* a pattern (flame_pattern.h); owned */
};

#define FLAME_MAX_FILTERS 24

struct flame_look {
    enum flame_direction direction;
    VEC(struct flame_filter) filters; /* at most FLAME_MAX_FILTERS */
    char *pivot;                      /* a pattern, when FLAME_PIVOT; owned */
    char *highlight;                  /* a pattern; NULL: none; owned */
    bool compares;                    /* side 1 is drawn too */
};

void flame_look_copy(struct flame_look *out, const struct flame_look *in);
void flame_look_dispose(struct flame_look *look);

struct flame_node {
    uint32_t parent, first_child, next; /* FLAME_NONE: none */
    uint32_t frame;                     /* FLAME_NONE at the roots */
    uint32_t depth;                     /* 0 at the roots */
    bool is_caller;                     /* of the pivot: drawn upward */
    bool is_highlighted;
    double self[2], total[2];
    double x, width;
};

/* A function wherever it stands; recursion counts once in `total`. */
struct flame_function {
    uint32_t frame;
    double self[2], total[2];
};

struct flame_tree {
    VEC(struct flame_node) nodes;
    VEC(struct flame_function) functions; /* by self, the largest first */
    uint32_t callers; /* FLAME_PIVOT: the root of the callers, whose children are the pivot
                         again; else FLAME_NONE */
    uint32_t depth, callers_depth; /* the deepest node's, of each side */
    double highlighted[2];         /* weight of the stacks that hold a highlighted frame */
    uint32_t highlighted_nodes;
    bool is_cut; /* stacks seen from their leaves are deeper, or more, than is kept */
};

/* NULL when a pattern is wrong or it was cancelled.  Linear in the profile's nodes;
 * from the leaves, in the depths of those that hold something. */
struct flame_tree *flame_tree_new(const struct flame_profile *profile,
                                  const struct flame_look *look, struct cancel *cancel,
                                  struct status *st);
void flame_tree_free(struct flame_tree *tree);

/* For flame_tree.c: totals, order and places (false when it was cancelled); the
 * functions of a tree seen top-down. */
bool flame_tree_lay_out(struct flame_tree *tree, const struct flame_profile *profile, bool compares,
                        struct cancel *cancel);
void flame_tree_count_functions(struct flame_tree *tree, const struct flame_profile *profile);

#endif
