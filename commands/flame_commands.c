/* The flamegraph: opening it, sides and measures, moving in it, comparing. */
#include <string.h>

#include "commands/core.h"
#include "commands/flame_text.h"
#include "commands/flame_view.h"
#include "commands/session.h"
#include "engine/base/memory.h"

#define OF_CHOICES "selection|thread|process|trace|window|marks"

static enum flame_of of_name(const char *name)
{
    struct str rest = STR(OF_CHOICES), piece;
    for (int i = 0; str_split_next(&rest, '|', &piece); i++)
        if (str_is(piece, name)) return (enum flame_of)i;
    return FLAME_OF_SELECTION;
}

/* Without a word: what is selected; nothing: the track in focus, if any. */
static enum flame_of default_of(const struct session *session)
{
    if (session->selection.kind == SELECTION_NONE && !session->focus) return FLAME_OF_TRACE;
    return FLAME_OF_SELECTION;
}

static bool open_flame(const struct command_call *call, struct status *st)
{
    struct session *session = call->session;
    struct flame_subject subject = {0};
    struct flame_rows sources = {0};
    enum flame_of of = call->n_args ? of_name(call->args[0]) : default_of(session);
    bool good = flame_subject_of(session, of, &subject, &sources, st) &&
                flame_view_open(session, &subject, &sources, command_arg(call, 1, NULL), st);
    vec_free(&sources);
    if (!good) return false;
    const struct flame_view *view = session->flame;
    session_say(session, MESSAGE_INFO, "flamegraph: %s of %s",
                view->metrics.items[view->metric].name, view->now.title);
    return true;
}

/* The view that is open; NULL and why. */
static struct flame_view *opened(struct session *session, struct status *st)
{
    if (session->flame && session->flame->now.title) return session->flame;
    status_fail(st, STATUS_INVALID, STATUS_NO_OFFSET,
                "no flamegraph is open (dev.perfetty.Flamegraph opens one)");
    return NULL;
}

/* The same with its tree, and the cursor's node. */
static struct flame_view *drawn(struct session *session, struct status *st)
{
    struct flame_view *view = opened(session, st);
    if (!view || flame_view_node(view)) return view;
    status_fail(st, STATUS_INVALID, STATUS_NO_OFFSET,
                view->job ? "the flamegraph is being made" : "there is no flamegraph to move in");
    return NULL;
}

/* ---- sides and measures ---- */

static bool set_direction(const struct command_call *call, struct status *st)
{
    struct flame_view *view = opened(call->session, st);
    if (!view) return false;
    bool up = view->look.direction == FLAME_TOP_DOWN;
    if (call->n_args) up = strcmp(call->args[0], "bottom-up") == 0;
    view->look.direction = up ? FLAME_BOTTOM_UP : FLAME_TOP_DOWN;
    flame_view_lay_out(call->session);
    session_say(call->session, MESSAGE_INFO, "flamegraph %s",
                up ? "bottom-up: from the leaves to their callers"
                   : "top-down: from the roots to the leaves");
    return true;
}

static bool set_metric(const struct command_call *call, struct status *st)
{
    struct session *session = call->session;
    struct flame_view *view = opened(session, st);
    if (!view) return false;
    if (call->n_args) {
        if (!flame_view_set_metric(session, call->args[0], st)) return false;
    } else {
        view->metric = view->metric + 1 < view->metrics.count ? view->metric + 1 : 0;
        flame_view_gather(session);
    }
    session_say(session, MESSAGE_INFO, "flamegraph by %s (%u of %zu)",
                view->metrics.items[view->metric].name, view->metric + 1, view->metrics.count);
    return true;
}

/* ---- comparing ---- */

static bool set_base(const struct command_call *call, struct status *st)
{
    struct session *session = call->session;
    struct flame_view *view = session_flame(session);
    struct flame_subject subject = {0};
    if (call->n_args == 0 && view->now.title) {
        flame_scope_copy(&subject.scope, &view->now.scope);
        subject.title = mem_strdup(view->now.title);
    } else {
        enum flame_of of = call->n_args ? of_name(call->args[0]) : default_of(session);
        if (!flame_subject_of(session, of, &subject, NULL, st)) return false;
    }
    flame_subject_dispose(&view->base);
    view->base = subject;
    session_say(session, MESSAGE_INFO, "what flamegraphs are compared with: %s", view->base.title);
    if (view->look.compares && view->now.title) flame_view_gather(session);
    return true;
}

static bool compare(const struct command_call *call, struct status *st)
{
    struct session *session = call->session;
    struct flame_view *view = opened(session, st);
    if (!view) return false;
    if (!view->base.title)
        return status_fail(st, STATUS_INVALID, STATUS_NO_OFFSET,
                           "there is nothing to compare with: FlamegraphSetBase remembers what "
                           "is looked at");
    view->look.compares = !view->look.compares;
    flame_view_gather(session);
    if (view->look.compares)
        session_say(session, MESSAGE_INFO, "%s compared with %s", view->now.title,
                    view->base.title);
    else
        session_say(session, MESSAGE_INFO, "not compared any more");
    return true;
}

/* ---- moving ---- */

/* The root of a pivot is not drawn: nobody can stand on it. */
static bool is_drawn(const struct flame_view *view, uint32_t at)
{
    if (at == FLAME_NONE) return false;
    const struct flame_node *node = &view->tree->nodes.items[at];
    if (view->tree->callers == FLAME_NONE) return true;
    return node->depth > (node->is_caller ? 1u : 0u);
}

/* Below `parent` the child of the same frame; FLAME_NONE. */
static uint32_t same_child(const struct flame_tree *tree, uint32_t parent, uint32_t frame)
{
    uint32_t at = tree->nodes.items[parent].first_child;
    while (at != FLAME_NONE && tree->nodes.items[at].frame != frame)
        at = tree->nodes.items[at].next;
    return at;
}

static uint32_t toward_root(const struct flame_view *view, const struct flame_node *node)
{
    const struct flame_tree *tree = view->tree;
    uint32_t to = node->parent;
    /* From a pivot's callee the way up goes on in the callers, and back. */
    if (tree->callers == FLAME_NONE || node->depth > (node->is_caller ? 2u : 1u)) return to;
    if (node->is_caller) return same_child(tree, 0, tree->nodes.items[to].frame);
    to = same_child(tree, tree->callers, node->frame);
    return to == FLAME_NONE ? to : tree->nodes.items[to].first_child;
}

static uint32_t sibling_before(const struct flame_view *view, const struct flame_node *node)
{
    const struct flame_tree *tree = view->tree;
    if (node->parent == FLAME_NONE) return FLAME_NONE;
    uint32_t at = tree->nodes.items[node->parent].first_child, before = FLAME_NONE;
    for (; at != FLAME_NONE && at != view->cursor; at = tree->nodes.items[at].next)
        before = at;
    return before;
}

/* A sibling; without one, the nearest of the same depth under another parent. */
static uint32_t sideways(const struct flame_view *view, const struct flame_node *node, int step)
{
    const struct flame_tree *tree = view->tree;
    uint32_t to = step > 0 ? node->next : sibling_before(view, node);
    if (to != FLAME_NONE) return to;
    for (uint32_t i = 0; i < tree->nodes.count; i++) {
        const struct flame_node *other = &tree->nodes.items[i];
        if (other->depth != node->depth || other->is_caller != node->is_caller) continue;
        if (step > 0 ? other->x <= node->x || i == view->cursor : other->x >= node->x) continue;
        if (to == FLAME_NONE ||
            (step > 0 ? other->x < tree->nodes.items[to].x : other->x > tree->nodes.items[to].x))
            to = i;
    }
    return to;
}

static bool is_within(const struct flame_tree *tree, uint32_t node, uint32_t top)
{
    const struct flame_node *a = &tree->nodes.items[node], *b = &tree->nodes.items[top];
    if (a->depth < b->depth) return a->x <= b->x && b->x + b->width <= a->x + a->width;
    double slack = b->width * 1e-9;
    return a->x >= b->x - slack && a->x + a->width <= b->x + b->width + slack;
}

/* Goes on past what is zoomed in on by zooming out. */
static void move_to(struct session *session, uint32_t to)
{
    struct flame_view *view = session->flame;
    view->cursor = to;
    if (!is_within(view->tree, to, view->zoom)) {
        view->zoom = 0;
        view->zooms.count = 0;
    }
    session_changed(session);
}

static bool move(const struct command_call *call, struct status *st)
{
    struct flame_view *view = drawn(call->session, st);
    if (!view) return false;
    const struct flame_node *node = flame_view_node(view);
    uint32_t to = FLAME_NONE;
    switch (call->args[0][0]) {
    case 'd': to = node->is_caller ? toward_root(view, node) : node->first_child; break;
    case 'u': to = node->is_caller ? node->first_child : toward_root(view, node); break;
    case 'l': to = sideways(view, node, -1); break;
    case 'r': to = sideways(view, node, 1); break;
    case 't': to = view->zoom; break;
    }
    if (is_drawn(view, to)) move_to(call->session, to);
    return true;
}

/* From hit to hit: by row, then from left to right. */
static bool before(const struct flame_node *a, const struct flame_node *b)
{
    int64_t x = a->is_caller ? -(int64_t)a->depth : a->depth;
    int64_t y = b->is_caller ? -(int64_t)b->depth : b->depth;
    return x != y ? x < y : a->x < b->x;
}

static bool next_match(const struct command_call *call, struct status *st)
{
    struct flame_view *view = drawn(call->session, st);
    if (!view) return false;
    bool back = call->n_args && strcmp(call->args[0], "previous") == 0;
    const struct flame_tree *tree = view->tree;
    const struct flame_node *here = flame_view_node(view);
    uint32_t best = FLAME_NONE, first = FLAME_NONE; /* first: where it begins again */
    for (uint32_t i = 1; i < tree->nodes.count; i++) {
        const struct flame_node *node = &tree->nodes.items[i];
        if (!node->is_highlighted || !is_drawn(view, i)) continue;
        bool after = back ? before(node, here) : before(here, node);
        uint32_t *keep = after ? &best : &first;
        const struct flame_node *kept = *keep == FLAME_NONE ? NULL : &tree->nodes.items[*keep];
        if (!kept || (back ? before(kept, node) : before(node, kept))) *keep = i;
    }
    if (best == FLAME_NONE) best = first;
    if (best == FLAME_NONE)
        return status_fail(st, STATUS_NOT_FOUND, STATUS_NO_OFFSET,
                           "no frame is highlighted: FlamegraphHighlight looks for some");
    move_to(call->session, best);
    return true;
}

/* ---- zoom ---- */

static bool zoom(const struct command_call *call, struct status *st)
{
    struct session *session = call->session;
    struct flame_view *view = drawn(session, st);
    if (!view) return false;
    const char *how = command_arg(call, 0, "in");
    if (strcmp(how, "in") == 0) {
        if (view->zoom != view->cursor) flame_view_zoom(session, view->cursor);
    } else if (strcmp(how, "out") == 0 && view->zooms.count) {
        view->zoom = view->zooms.items[--view->zooms.count];
    } else {
        view->zoom = 0;
        view->zooms.count = 0;
    }
    struct str name = flame_node_name(view->profile, &view->tree->nodes.items[view->zoom]);
    session_say(session, MESSAGE_INFO, "%.*s fills the width", (int)(name.n > 200 ? 200 : name.n),
                name.p);
    return true;
}

/* Esc: one level back, at last out of the flamegraph. */
static bool back(const struct command_call *call, struct status *st)
{
    (void)st;
    struct session *session = call->session;
    struct flame_view *view = session->flame;
    if (view && view->zooms.count)
        view->zoom = view->zooms.items[--view->zooms.count];
    else
        session->pane = PANE_TIMELINE;
    session_changed(session);
    return true;
}

#define PLAIN(symbol, command_id, words, function) \
    const struct command symbol = {.id = command_id, .name = words, .run = function}

const struct command command_flamegraph = {
    .id = "dev.perfetty.Flamegraph",
    .name = "Flamegraph of the selection, a thread, a process, the trace …",
    .kind = COMMAND_QUERY,
    .args = {{"of", COMMAND_ARG_CHOICE, true, OF_CHOICES},
             {"metric", COMMAND_ARG_TEXT, true, NULL}},
    .run = open_flame,
};
const struct command command_flamegraph_direction = {
    .id = "dev.perfetty.FlamegraphDirection",
    .name = "Flamegraph: from the roots, or from the leaves",
    .args = {{"direction", COMMAND_ARG_CHOICE, true, "top-down|bottom-up"}},
    .run = set_direction,
};
const struct command command_flamegraph_metric = {
    .id = "dev.perfetty.FlamegraphMetric",
    .name = "Flamegraph: weigh by another measure",
    .kind = COMMAND_QUERY,
    .args = {{"metric", COMMAND_ARG_TEXT, true, NULL}},
    .run = set_metric,
};
const struct command command_flamegraph_set_base = {
    .id = "dev.perfetty.FlamegraphSetBase",
    .name = "Flamegraph: remember this to compare others with it",
    .args = {{"of", COMMAND_ARG_CHOICE, true, OF_CHOICES}},
    .run = set_base,
};
PLAIN(command_flamegraph_compare, "dev.perfetty.FlamegraphCompare",
      "Flamegraph: compare with what was remembered; again: not any more", compare);
const struct command command_flamegraph_move = {
    .id = "dev.perfetty.FlamegraphMove",
    .name = "Flamegraph: go to the parent, a child, a sibling",
    .args = {{"to", COMMAND_ARG_CHOICE, false, "up|down|left|right|top"}},
    .run = move,
};
const struct command command_flamegraph_next_match = {
    .id = "dev.perfetty.FlamegraphNextMatch",
    .name = "Flamegraph: go to the next highlighted frame",
    .args = {{"direction", COMMAND_ARG_CHOICE, true, "next|previous"}},
    .run = next_match,
};
const struct command command_flamegraph_zoom = {
    .id = "dev.perfetty.FlamegraphZoom",
    .name = "Flamegraph: zoom in on the frame, or out",
    .args = {{"how", COMMAND_ARG_CHOICE, true, "in|out|reset"}},
    .run = zoom,
};
PLAIN(command_flamegraph_back, "dev.perfetty.FlamegraphBack",
      "Flamegraph: one zoom back, then to the timeline", back);
