#include "commands/track_tree.h"

#include <string.h>

void track_tree_init(struct track_tree *tree)
{
    memset(tree, 0, sizeof *tree);
    tree->root.kind = TRACK_KIND_GROUP;
    tree->root.headless = true;
    tree->root.name = "";
    tree->root.uri = "";
    tree->root.idle_track = NULL_UINT32;
    tree->root.utid = tree->root.upid = tree->root.ucpu = NULL_UINT32;
}

void track_tree_dispose(struct track_tree *tree)
{
    for (size_t i = 0; i < tree->all.count; i++) {
        vec_free(&tree->all.items[i]->children);
    }
    vec_free(&tree->all);
    vec_free(&tree->root.children);
    strmap_free(&tree->by_uri);
    map_free(&tree->by_track);
    arena_free(&tree->arena);
    track_tree_init(tree);
}

static const char *keep_text(struct track_tree *tree, const char *text)
{
    return text ? arena_copy(&tree->arena, text, strlen(text)) : NULL;
}

struct track_node *track_tree_add(struct track_tree *tree, struct track_node *parent,
                                  enum track_kind kind, const char *name, const char *uri)
{
    struct track_node *node = arena_zero(&tree->arena, sizeof *node);
    node->kind = kind;
    node->name = keep_text(tree, name ? name : "");
    node->uri = keep_text(tree, uri ? uri : "");
    node->parent = parent == &tree->root ? NULL : parent;
    node->idle_track = node->utid = node->upid = node->ucpu = NULL_UINT32;
    node->depths = 1;
    if (node->uri[0]) {
        bool added;
        uint64_t *index =
            strmap_put_if_absent(&tree->by_uri, str_of(node->uri), tree->all.count, &added);
        if (*index > tree->all.count) *index = tree->all.count; /* it was removed */
    }
    vec_push(&tree->all, node);
    vec_push(&parent->children, node);
    return node;
}

static const uint32_t *keep_numbers(struct track_tree *tree, const uint32_t *numbers, uint32_t n)
{
    if (n == 0 || !numbers) return NULL;
    uint32_t *copy = arena_alloc(&tree->arena, n * sizeof *copy);
    memcpy(copy, numbers, n * sizeof *copy);
    return copy;
}

/* Copies one node without its children; `all` has the copy last. */
static struct track_node *copy_node(struct track_tree *tree, struct track_node *parent,
                                    const struct track_node *node)
{
    struct track_node *copy = track_tree_add(tree, parent, node->kind, node->name, node->uri);
    struct track_node links = *copy;
    *copy = *node;
    copy->name = links.name;
    copy->uri = links.uri;
    copy->parent = links.parent;
    copy->children = links.children;
    copy->source = keep_text(tree, node->source);
    copy->unit = keep_text(tree, node->unit);
    copy->tracks = keep_numbers(tree, node->tracks, node->n_tracks);
    copy->lane_start = keep_numbers(tree, node->lane_start, node->n_tracks);
    return copy;
}

struct track_node *track_tree_copy(struct track_tree *tree, struct track_node *parent,
                                   const struct track_node *node, bool deep)
{
    struct track_node *copy = copy_node(tree, parent, node);
    if (!deep) return copy;
    /* Pre-order walk of the source, with the copy's place kept in step: depth of
     * a tree is a trace's to choose, so no recursion. */
    const struct track_node *from = node;
    struct track_node *into = copy;
    while (true) {
        const struct track_node *next = track_tree_next(node, from);
        if (!next) return copy;
        const struct track_node *at = from;
        while (at != next->parent) {
            at = at->parent;
            into = into->parent;
        }
        into = copy_node(tree, into, next);
        from = next;
    }
}

void track_tree_remove(struct track_tree *tree, struct track_node *node)
{
    struct track_node *parent = node->parent ? node->parent : &tree->root;
    struct track_node_list *list = &parent->children;
    for (size_t i = 0; i < list->count; i++) {
        if (list->items[i] != node) continue;
        memmove(&list->items[i], &list->items[i + 1],
                (list->count - i - 1) * sizeof(struct track_node *));
        list->count--;
        break;
    }
    for (struct track_node *gone = node; gone; gone = track_tree_next(node, gone)) {
        uint64_t *index = strmap_get(&tree->by_uri, str_of(gone->uri));
        if (index && *index < tree->all.count && tree->all.items[*index] == gone)
            *index = UINT64_MAX;
    }
}

struct track_node *track_tree_find(const struct track_tree *tree, const char *uri)
{
    if (!uri) return NULL;
    const uint64_t *index = strmap_get(&tree->by_uri, str_of(uri));
    return index && *index < tree->all.count ? tree->all.items[*index] : NULL;
}

struct track_node *track_tree_find_track(const struct track_tree *tree, uint8_t trace,
                                         uint32_t track)
{
    const uint64_t *index = map_get(&tree->by_track, (uint64_t)trace << 32 | track);
    return index ? tree->all.items[*index] : NULL;
}

/* Siblings are visited in order, so the place that was noted on the way in is
 * right unless the list changed since. */
static struct track_node *next_sibling(const struct track_node *parent,
                                       const struct track_node *node)
{
    const struct track_node_list *list = &parent->children;
    uint32_t at = node->place;
    if (at >= list->count || list->items[at] != node) {
        for (at = 0; at < list->count && list->items[at] != node; at++) {
        }
    }
    if (at + 1 >= list->count) return NULL;
    list->items[at + 1]->place = at + 1;
    return list->items[at + 1];
}

struct track_node *track_tree_next_after(const struct track_node *within,
                                         const struct track_node *node)
{
    while (node != within) {
        const struct track_node *parent = node->parent ? node->parent : within;
        struct track_node *next = next_sibling(parent, node);
        if (next) return next;
        node = parent;
    }
    return NULL;
}

struct track_node *track_tree_next(const struct track_node *within, const struct track_node *node)
{
    if (node->children.count) {
        node->children.items[0]->place = 0;
        return node->children.items[0];
    }
    return track_tree_next_after(within, node);
}

void track_node_reveal(struct track_node *node)
{
    for (struct track_node *at = node->parent; at; at = at->parent)
        at->collapsed = false;
}

void track_node_path(const struct track_node *node, struct buffer *out)
{
    VEC(const struct track_node *) chain = {0};
    for (const struct track_node *at = node; at; at = at->parent)
        if (!at->headless && at->name[0]) vec_push(&chain, at);
    for (size_t i = chain.count; i-- > 0;) {
        buffer_append_text(out, chain.items[i]->name);
        if (i) buffer_append_text(out, " > ");
    }
    vec_free(&chain);
}

bool track_node_is_below(const struct track_node *node, const struct track_node *ancestor)
{
    for (const struct track_node *at = node->parent; at; at = at->parent)
        if (at == ancestor) return true;
    return false;
}

uint32_t track_node_lane_start(const struct track_node *node, uint32_t track)
{
    for (uint32_t i = 0; i < node->n_tracks; i++)
        if (node->tracks[i] == track) return node->lane_start ? node->lane_start[i] : 0;
    return 0;
}
