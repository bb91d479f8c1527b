#include "commands/compare.h"

#include <ctype.h>
#include <string.h>

#include "commands/debug_row.h"
#include "commands/event.h"
#include "commands/flame_view.h"
#include "commands/heap_page.h"
#include "commands/query.h"
#include "engine/base/memory.h"

enum { SECOND = 1 };

bool session_is_comparing(const struct session *session)
{
    return session->n_traces > SECOND;
}

char session_trace_letter(uint8_t trace)
{
    return (char)('A' + trace);
}

/* Hits have session times and rows of a trace. */
static void search_again(struct session *session)
{
    if (!session->search.term) return;
    char *term = mem_strdup(session->search.term);
    session_search(session, term);
    mem_free(term);
}

void session_add_compared(struct session *session, struct engine *engine, struct worker *worker,
                          const char *title)
{
    session_add_trace(session, engine, worker, title);
    search_again(session);
}

/* ---- taking it out ---- */

static bool is_of_second(const struct session *session, const char *uri)
{
    const struct track_node *node = track_tree_find(&session->workspace->tree, uri);
    if (!node) node = track_tree_find(&session->workspace->pinned, uri);
    if (!node) node = track_tree_find(&session->workspaces.items[0]->tree, uri);
    return node && node->trace == SECOND;
}

static bool selects_second(const struct session *session)
{
    const struct selection *s = &session->selection;
    if (s->kind == SELECTION_EVENT && s->trace == SECOND) return true;
    for (size_t i = 0; i < s->tracks.count; i++)
        if (is_of_second(session, s->tracks.items[i])) return true;
    return s->uri && is_of_second(session, s->uri);
}

static void close_tabs(struct session *session)
{
    for (size_t i = session->tabs.count; i-- > 1;) {
        const struct tab *tab = session->tabs.items[i];
        bool compares = tab->tag && str_starts(str_of(tab->tag), STR("compare/"));
        if (compares || (tab->kind == TAB_QUERY && tab->trace == SECOND))
            session_tab_close(session, tab->id);
    }
}

static void close_flamegraph(struct session *session)
{
    const struct flame_view *view = session->flame;
    if (!view || (view->now.scope.trace != SECOND && view->base.scope.trace != SECOND)) return;
    flame_view_free(session->flame);
    session->flame = NULL;
    session_tab_close(session, session_tab_of_kind(session, TAB_FLAME, "Flamegraph")->id);
}

static void remove_tracks(struct session *session)
{
    for (size_t i = 0; i < session->debug_tracks.count; i++)
        if (session->debug_tracks.items[i]->trace == SECOND)
            session_remove_debug_track(session, session->debug_tracks.items[i]);
    for (size_t i = 0; i < session->workspaces.count; i++) {
        struct track_tree *trees[] = {&session->workspaces.items[i]->pinned,
                                      &session->workspaces.items[i]->tree};
        for (size_t k = 0; k < 2; k++) {
            const struct track_node *root = &trees[k]->root;
            struct track_node *node = track_tree_next(root, root), *next;
            for (; node; node = next) {
                /* A pin of the first trace's own row has nothing left to stand for. */
                bool gone = node->trace == SECOND || (k == 0 && strcmp(node->uri, "t0") == 0);
                next = gone ? track_tree_next_after(root, node) : track_tree_next(root, node);
                if (gone) track_tree_remove(trees[k], node);
            }
        }
    }
}

static void forget_jumps(struct session *session)
{
    for (size_t i = 0; i < session->jumps.count; i++) {
        selection_dispose(&session->jumps.items[i].selection);
        mem_free(session->jumps.items[i].focus_uri);
    }
    vec_clear(&session->jumps);
    session->jump_at = 0;
}

void session_remove_compared(struct session *session)
{
    if (!session_is_comparing(session)) return;
    if (selects_second(session)) session_select_none(session);
    session->area_open = false;
    search_cancel(&session->search);
    char *term = session->search.term ? mem_strdup(session->search.term) : NULL;
    search_dispose(&session->search);
    session_close_heap(session, SECOND);
    close_tabs(session);
    close_flamegraph(session);
    debug_row_free(session->debug_row);
    session->debug_row = NULL;
    bool lost = session->focus &&
                (session->focus->trace == SECOND || strcmp(session->focus->uri, "t0") == 0);
    if (lost) session->focus = NULL;
    remove_tracks(session);
    forget_jumps(session);
    mem_free(session->traces[SECOND].title);
    session->traces[SECOND] = (struct session_trace){0};
    session->n_traces = SECOND;
    session_changed(session);
    session_rebuild(session);
    if (lost) session->focus_pinned = false;
    if (!session->focus) session_focus_row(session, 0);
    session_set_window(session, session->window_start, session->window_end);
    session_set_cursor(session, session->cursor);
    if (term) session_search(session, term);
    mem_free(term);
}

/* ---- moving it ---- */

void session_set_offset(struct session *session, int64_t offset_ns)
{
    struct session_trace *trace = &session->traces[SECOND];
    const struct selection *s = &session->selection;
    struct event event;
    bool moves = s->kind == SELECTION_EVENT && s->trace == SECOND;
    trace->offset_ns = offset_ns;
    session_rebuild(session);
    if (moves && s->table != EVENT_DEBUG && event_get(session, SECOND, s->table, s->id, &event) &&
        event.node)
        session_select_found(session, &event);
    forget_jumps(session); /* their times were of the other place */
    search_again(session);
    session_changed(session);
}

/* ---- tracks of both ---- */

/* "main 4213" is "main" of a process that has another number in the other run. */
static struct str without_number(const char *name)
{
    struct str text = str_of(name);
    size_t n = text.n;
    while (n > 0 && isdigit((unsigned char)text.p[n - 1]))
        n--;
    if (n == text.n || n < 2 || text.p[n - 1] != ' ') return text;
    text.n = n - 1;
    return text;
}

static bool is_like(const struct track_node *a, const struct track_node *b, bool exactly)
{
    if (a->kind != b->kind) return false;
    bool numbered = a->kind != TRACK_KIND_CPU_SCHED && a->kind != TRACK_KIND_GROUP &&
                    a->kind != TRACK_KIND_FTRACE;
    if (exactly || !numbered) return strcmp(a->name, b->name) == 0;
    return str_equal(without_number(a->name), without_number(b->name));
}

/* Ancestors below the trace's own row. */
static bool has_like_ancestors(const struct track_node *a, const struct track_node *b, bool exactly)
{
    for (a = a->parent, b = b->parent; a && b && a->parent && b->parent;
         a = a->parent, b = b->parent)
        if (!is_like(a, b, exactly)) return false;
    return (!a || !a->parent) && (!b || !b->parent);
}

struct track_node *session_counterpart(struct session *session, const struct track_node *node)
{
    if (!session_is_comparing(session) || node->debug) return NULL;
    const struct track_tree *tree = &session->workspaces.items[0]->tree;
    const struct track_node *own = track_tree_find(tree, node->uri);
    if (!own) return NULL;
    const struct track_node *root = &tree->root;
    if (!own->parent)
        for (size_t i = 0; i < root->children.count; i++)
            if (root->children.items[i]->trace != own->trace) return root->children.items[i];
    for (int exactly = 1; exactly >= 0; exactly--)
        for (struct track_node *at = track_tree_next(root, root); at;
             at = track_tree_next(root, at))
            if (at->trace != own->trace && at->parent && is_like(own, at, exactly) &&
                has_like_ancestors(own, at, exactly))
                return at;
    return NULL;
}
