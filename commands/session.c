#include "commands/session.h"

#include <stdarg.h>
#include <string.h>

#include "commands/area.h"
#include "commands/compare.h"
#include "commands/debug_row.h"
#include "commands/flame_view.h"
#include "commands/heap_page.h"
#include "commands/page.h"
#include "commands/query.h"
#include "commands/registry.h"
#include "engine/base/checked.h"
#include "engine/base/memory.h"

#define MAX_MESSAGES 500
/* Times beyond this are drawn at the edge, so that no difference of two overflows. */
#define TIME_LIMIT (INT64_C(1) << 61)

struct session *session_new(const struct session_hooks *hooks)
{
    struct session *session = mem_zero(1, sizeof *session);
    if (hooks) session->hooks = *hooks;
    session->registry = registry_new();
    session->cells = 80;
    session->rows_visible = 20;
    session->minimap = true;
    session->drawer = DRAWER_SMALL;
    session->tab_next_id = 1;
    session->note_next_id = 1;
    session->last_mark = -1;
    session->window_end = session->end = 1;
    session->workspace = session_workspace_add(session, "Default Workspace");
    session_tab_of_kind(session, TAB_SELECTION, "Current Selection");
    session->tab_shown = session->tabs.items[0]->id;
    session->changes = 1;
    return session;
}

static void dispose_jump(struct session_jump *jump)
{
    selection_dispose(&jump->selection);
    mem_free(jump->focus_uri);
}

void session_free(struct session *session)
{
    if (!session) return;
    for (size_t i = 0; i < session->tabs.count; i++)
        tab_free(session->tabs.items[i]);
    vec_free(&session->tabs);
    flame_view_free(session->flame);
    search_dispose(&session->search);
    for (size_t i = 0; i < session->workspaces.count; i++)
        workspace_free(session->workspaces.items[i]);
    vec_free(&session->workspaces);
    debug_row_free(session->debug_row);
    for (size_t i = 0; i < session->debug_tracks.count; i++)
        debug_track_free(session->debug_tracks.items[i]);
    vec_free(&session->debug_tracks);
    selection_dispose(&session->selection);
    for (size_t i = 0; i < session->jumps.count; i++)
        dispose_jump(&session->jumps.items[i]);
    vec_free(&session->jumps);
    for (size_t i = 0; i < session->notes.count; i++)
        mem_free(session->notes.items[i].text);
    vec_free(&session->notes);
    for (size_t i = 0; i < MARK_COUNT; i++)
        mem_free(session->marks[i].uri);
    query_log_free(&session->query_log);
    heap_view_free(session->heap);
    report_dispose(&session->startup_report);
    for (size_t i = 0; i < session->messages.count; i++)
        mem_free(session->messages.items[i].text);
    vec_free(&session->messages);
    for (size_t i = 0; i < session->requests.count; i++)
        mem_free(session->requests.items[i].text);
    vec_free(&session->requests);
    for (uint32_t i = 0; i < session->n_traces; i++)
        mem_free(session->traces[i].title);
    registry_free(session->registry);
    mem_free(session->row_cache.rows);
    mem_free(session);
}

/* ---- traces ---- */

static int64_t limited(int64_t t)
{
    return t < -TIME_LIMIT ? -TIME_LIMIT : t > TIME_LIMIT ? TIME_LIMIT : t;
}

static void update_bounds(struct session *session)
{
    for (uint32_t i = 0; i < session->n_traces; i++) {
        const struct session_trace *trace = &session->traces[i];
        int64_t start = limited(saturating_add_int64(trace->start, trace->offset_ns));
        int64_t end = limited(saturating_add_int64(trace->end, trace->offset_ns));
        if (i == 0 || start < session->start) session->start = start;
        if (i == 0 || end > session->end) session->end = end;
    }
    if (session->end <= session->start) session->end = session->start + 1;
}

static void build_default(struct session *session)
{
    struct track_tree *tree = &session->workspaces.items[0]->tree;
    for (uint32_t i = 0; i < session->n_traces; i++) {
        struct track_node *below = &tree->root;
        if (session->n_traces > 1) {
            struct buffer uri = BUFFER_INIT, name = BUFFER_INIT;
            buffer_printf(&uri, "t%u", i);
            buffer_printf(&name, "%c %s", session_trace_letter((uint8_t)i),
                          session->traces[i].title);
            below = track_tree_add(tree, &tree->root, TRACK_KIND_GROUP, buffer_text(&name),
                                   buffer_text(&uri));
            below->trace = (uint8_t)i;
            buffer_free(&uri);
            buffer_free(&name);
        }
        track_tree_build(tree, below, (uint8_t)i, session->traces[i].tables);
    }
}

void session_add_tables(struct session *session, struct tables *tables, int64_t start, int64_t end,
                        const char *title)
{
    if (session->n_traces >= SESSION_MAX_TRACES) return;
    struct session_trace *trace = &session->traces[session->n_traces++];
    *trace = (struct session_trace){
        .tables = tables, .title = mem_strdup(title), .start = start, .end = end};
    /* Starts are put one above the other. */
    if (session->n_traces > 1 &&
        !checked_sub_int64(session->traces[0].start, start, &trace->offset_ns))
        trace->offset_ns = 0;
    session_rebuild(session);
    if (session->n_traces > 1) return; /* what is there stays */
    session->cursor = session->start;
    session_set_window(session, session->start, session->end);
    session_focus_row(session, 0);
}

int64_t session_zero(const struct session *session)
{
    if (!session->n_traces) return session->start;
    return limited(session->traces[0].start);
}

void session_add_trace(struct session *session, struct engine *engine, struct worker *worker,
                       const char *title)
{
    if (session->n_traces >= SESSION_MAX_TRACES) return;
    struct session_trace *trace = &session->traces[session->n_traces];
    session_add_tables(session, engine_tables(engine), engine_start(engine), engine_end(engine),
                       title);
    trace->engine = engine;
    trace->worker = worker;
}

/* Pinned rows show what the new tree says about the same track. */
static void renew_pins(struct workspace *workspace, const struct track_tree *tree)
{
    struct track_tree old = workspace->pinned;
    track_tree_init(&workspace->pinned);
    for (size_t i = 0; i < old.root.children.count; i++) {
        struct track_node *pin = old.root.children.items[i];
        const struct track_node *now = pin->debug ? NULL : track_tree_find(tree, pin->uri);
        struct track_node *copy =
            track_tree_copy(&workspace->pinned, &workspace->pinned.root, now ? now : pin, false);
        copy->collapsed = pin->collapsed;
        copy->flat = pin->flat;
    }
    track_tree_dispose(&old);
}

void session_rebuild(struct session *session)
{
    struct workspace *workspace = session->workspaces.items[0];
    for (uint32_t i = 0; i < session->n_traces; i++) {
        struct session_trace *trace = &session->traces[i];
        if (!trace->engine) continue;
        trace->start = engine_start(trace->engine);
        trace->end = engine_end(trace->engine);
    }
    update_bounds(session);
    char *focus = session->focus ? mem_strdup(session->focus->uri) : NULL;
    bool pinned = session->focus_pinned;
    struct track_tree old = workspace->tree;
    track_tree_init(&workspace->tree);
    build_default(session);
    for (size_t i = 0; i < old.all.count; i++) {
        struct track_node *node = track_tree_find(&workspace->tree, old.all.items[i]->uri);
        if (!node) continue;
        node->collapsed = old.all.items[i]->collapsed;
        node->flat = old.all.items[i]->flat;
    }
    track_tree_dispose(&old);
    renew_pins(workspace, &workspace->tree);
    session_changed(session);
    if (session->workspace == workspace) {
        session->focus = NULL;
        const struct track_tree *in = pinned ? &workspace->pinned : &workspace->tree;
        session->focus = track_tree_find(in, focus);
        session->focus_pinned = pinned && session->focus;
        session_fix_focus(session);
    }
    mem_free(focus);
}

struct tables *session_tables(const struct session *session, uint8_t trace)
{
    return trace < session->n_traces ? session->traces[trace].tables : NULL;
}

/* ---- running work ---- */

void session_poll(struct session *session)
{
    for (size_t i = 0; i < session->tabs.count; i++)
        tab_poll(session, session->tabs.items[i]);
    search_poll(session);
    flame_view_poll(session);
    debug_row_poll(session);
    session_follow_area_tab(session);
    session_follow_page(session);
}

bool session_is_busy(const struct session *session)
{
    if (session->waiting_job || session->loads_second || session->search.running ||
        flame_view_is_running(session) || session_debug_row_is_running(session))
        return true;
    for (size_t i = 0; i < session->tabs.count; i++)
        if (session->tabs.items[i]->job) return true;
    return false;
}

void session_interrupt(struct session *session)
{
    session->interrupted = true;
    for (size_t i = 0; i < session->tabs.count; i++)
        if (session->tabs.items[i]->job) query_job_cancel(session->tabs.items[i]->job);
    if (session->waiting) query_job_cancel(session->waiting);
    if (session->waiting_job) job_cancel(session->waiting_job);
    search_cancel(&session->search);
    flame_view_cancel(session);
}

/* ---- telling the screen ---- */

void session_changed(struct session *session)
{
    session->changes++;
    session->row_cache.valid = false;
}

void session_moved(struct session *session)
{
    session->changes++;
}

void session_say(struct session *session, enum message_kind kind, const char *format, ...)
{
    struct buffer text = BUFFER_INIT;
    va_list args;
    va_start(args, format);
    buffer_vprintf(&text, format, args);
    va_end(args);
    if (session->messages.count == MAX_MESSAGES) {
        mem_free(session->messages.items[0].text);
        memmove(&session->messages.items[0], &session->messages.items[1],
                (MAX_MESSAGES - 1) * sizeof session->messages.items[0]);
        session->messages.count--;
    }
    vec_push(&session->messages,
             (struct session_message){kind, mem_strdup(buffer_text(&text)), clock_now_ns()});
    buffer_free(&text);
    session->messages_total++;
    session_changed(session);
}

void session_ask(struct session *session, enum request_kind kind, const char *text)
{
    vec_push(&session->requests, (struct session_request){kind, text ? mem_strdup(text) : NULL});
    session_changed(session);
}

bool session_take_request(struct session *session, struct session_request *out)
{
    if (session->requests.count == 0) return false;
    *out = session->requests.items[0];
    session->requests.count--;
    memmove(&session->requests.items[0], &session->requests.items[1],
            session->requests.count * sizeof session->requests.items[0]);
    return true;
}
