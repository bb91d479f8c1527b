/* What of the trace a flamegraph is made of: a selection, a thread, a window … */
#include <string.h>

#include "commands/event.h"
#include "commands/flame_view.h"
#include "commands/track_match.h"
#include "engine/base/memory.h"

struct choice {
    struct session *session;
    struct flame_scope scope;
    struct flame_rows *sources; /* may be NULL */
    struct buffer title;
};

static void prefer(struct choice *c, enum flame_source source)
{
    for (size_t i = 0; c->sources && i < c->sources->count; i++)
        if (c->sources->items[i] == (uint32_t)source) return;
    if (c->sources) vec_push(c->sources, (uint32_t)source);
}

static void prefer_by_kind(struct choice *c, enum track_kind kind)
{
    switch (kind) {
    case TRACK_KIND_SAMPLES: prefer(c, FLAME_SAMPLES); break;
    case TRACK_KIND_HEAP: prefer(c, FLAME_ALLOCATIONS); break;
    case TRACK_KIND_HEAP_GRAPH: prefer(c, FLAME_HEAP_GRAPH); break;
    case TRACK_KIND_SLICES: prefer(c, FLAME_SLICES); break;
    default: break;
    }
}

/* ---- tracks ---- */

static void add_node(struct choice *c, const struct track_node *node)
{
    prefer_by_kind(c, node->kind);
    if (node->kind == TRACK_KIND_SLICES && node->utid == NULL_UINT32)
        for (uint32_t i = 0; i < node->n_tracks; i++)
            vec_push(&c->scope.tracks, node->tracks[i]);
    else if (node->utid != NULL_UINT32)
        vec_push(&c->scope.utids, node->utid);
    else if (node->upid != NULL_UINT32)
        vec_push(&c->scope.upids, node->upid);
    if (node->kind == TRACK_KIND_SLICES)
        for (uint32_t i = 0; i < node->n_tracks; i++)
            vec_push(&c->scope.tracks, node->tracks[i]);
}

/* A heading stands for what is below it. */
static void add_below(struct choice *c, const struct track_node *top)
{
    add_node(c, top);
    if (top->upid != NULL_UINT32 || top->utid != NULL_UINT32) return;
    for (struct track_node *node = track_tree_next(top, top); node;
         node = track_tree_next(top, node))
        add_node(c, node);
}

static const struct track_node *node_of(const struct session *session, const char *uri)
{
    if (!uri) return NULL;
    const struct track_node *node = track_tree_find(&session->workspace->tree, uri);
    return node ? node : track_tree_find(&session->workspaces.items[0]->tree, uri);
}

static void write_time(struct choice *c, int64_t ns)
{
    const char *unit = "ns";
    double value = (double)ns;
    static const char *const units[] = {"us", "ms", "s"};
    for (int i = 0; i < 3 && value >= 1000; i++) {
        value /= 1000;
        unit = units[i];
    }
    buffer_printf(&c->title, "%.4g %s", value, unit);
}

/* ---- selections ---- */

static void set_time(struct choice *c, int64_t start, int64_t end)
{
    int64_t offset = c->session->traces[c->scope.trace].offset_ns;
    c->scope.start = start - offset;
    c->scope.end = end - offset;
}

static bool of_area(struct choice *c, const struct selection *s)
{
    const struct track_node *first = NULL;
    for (size_t i = 0; i < s->tracks.count; i++) {
        const struct track_node *node = node_of(c->session, s->tracks.items[i]);
        if (!node) continue;
        if (!first) c->scope.trace = node->trace;
        first = first ? first : node;
        if (node->trace == c->scope.trace) add_below(c, node);
    }
    set_time(c, s->start, s->end);
    c->scope.everything = s->tracks.count == 0;
    write_time(c, s->end - s->start);
    if (first) buffer_printf(&c->title, " of %s", first->name);
    if (s->tracks.count > 1) buffer_printf(&c->title, " and %zu more", s->tracks.count - 1);
    return true;
}

/* A slice is the time that it took on its thread; a heap's dump is what it tells. */
static bool of_event(struct choice *c, const struct selection *s, struct status *st)
{
    struct event event;
    if (!event_of_selection(c->session, &event) || !event.node)
        return status_fail(st, STATUS_INVALID, STATUS_NO_OFFSET, "the selected event is gone");
    c->scope.trace = event.trace;
    add_node(c, event.node);
    set_time(c, event.ts, event.ts + (event.dur > 0 ? event.dur : 1));
    if (s->table == EVENT_HEAP) {
        /* Its rows tell what changed since the dump before: all up to it is what is held. */
        const struct tables *t = session_tables(c->session, event.trace);
        c->scope.start = INT64_MIN;
        c->scope.end = column_get_int64(&t->heap_profile.ts_end, event.id);
        if (c->scope.end < INT64_MAX) c->scope.end++;
        prefer(c, FLAME_ALLOCATIONS);
    }
    if (s->table == EVENT_SLICE) prefer(c, FLAME_SLICES);
    if (event.name.n) {
        buffer_append_str(&c->title, str_slice(event.name, 0, 200));
        buffer_append_text(&c->title, " on ");
    }
    buffer_append_text(&c->title, event.node->name);
    return true;
}

static bool of_node(struct choice *c, const struct track_node *node, struct status *st)
{
    if (!node)
        return status_fail(st, STATUS_INVALID, STATUS_NO_OFFSET,
                           "nothing is selected, and no track has the focus");
    c->scope.trace = node->trace;
    add_below(c, node);
    if (!c->scope.utids.count && !c->scope.upids.count && !c->scope.tracks.count)
        c->scope.everything = true;
    buffer_append_text(&c->title, c->scope.everything ? "the whole trace" : node->name);
    return true;
}

static bool of_selection(struct choice *c, struct status *st)
{
    const struct selection *s = &c->session->selection;
    switch (s->kind) {
    case SELECTION_AREA: return of_area(c, s);
    case SELECTION_EVENT: return of_event(c, s, st);
    case SELECTION_TRACK: return of_node(c, node_of(c->session, s->uri), st);
    default: return of_node(c, c->session->focus, st);
    }
}

/* ---- threads and processes ---- */

/* The selected time narrows them too. */
static void narrow(struct choice *c)
{
    const struct selection *s = &c->session->selection;
    if (s->kind != SELECTION_AREA) return;
    set_time(c, s->start, s->end);
    buffer_append_text(&c->title, " in ");
    write_time(c, s->end - s->start);
}

static const struct track_node *chosen_node(const struct session *session)
{
    const struct selection *s = &session->selection;
    const struct track_node *node = NULL;
    if (s->kind == SELECTION_EVENT || s->kind == SELECTION_TRACK) node = node_of(session, s->uri);
    if (s->kind == SELECTION_AREA && s->tracks.count) node = node_of(session, s->tracks.items[0]);
    return node ? node : session->focus;
}

static bool of_task(struct choice *c, bool process, struct status *st)
{
    const struct track_node *node = chosen_node(c->session);
    uint32_t row = NULL_UINT32;
    for (; node && row == NULL_UINT32; node = node->parent) {
        row = process ? node->upid : node->utid;
        c->scope.trace = node->trace;
        const struct tables *t = session_tables(c->session, node->trace);
        if (process && row == NULL_UINT32 && node->utid < table_rows(&t->thread.table))
            row = column_get_row(&t->thread.upid, node->utid);
    }
    if (row == NULL_UINT32)
        return status_fail(st, STATUS_NOT_FOUND, STATUS_NO_OFFSET, "the track in focus is of no %s",
                           process ? "process" : "thread");
    const struct tables *t = session_tables(c->session, c->scope.trace);
    if (process)
        track_process_name(t, row, &c->title);
    else
        track_thread_name(t, row, &c->title);
    if (process)
        vec_push(&c->scope.upids, row);
    else
        vec_push(&c->scope.utids, row);
    narrow(c);
    return true;
}

/* ---- times ---- */

/* From the first mark to the last; one alone, to the cursor. */
static bool of_marks(struct choice *c, struct status *st)
{
    const struct session *session = c->session;
    int64_t first = 0, last = 0;
    unsigned n = 0;
    for (int i = 0; i < MARK_COUNT; i++) {
        if (!session->marks[i].set) continue;
        int64_t ts = session->marks[i].ts;
        first = n == 0 || ts < first ? ts : first;
        last = n == 0 || ts > last ? ts : last;
        n++;
    }
    if (!n)
        return status_fail(st, STATUS_NOT_FOUND, STATUS_NO_OFFSET,
                           "no mark is set: m and a letter set one at the cursor");
    if (n == 1 && session->cursor < first) first = session->cursor;
    if (n == 1 && session->cursor > last) last = session->cursor;
    set_time(c, first, last);
    c->scope.everything = true;
    write_time(c, last - first);
    buffer_append_text(&c->title, n == 1 ? " from the mark to the cursor" : " between the marks");
    return true;
}

static bool of_window(struct choice *c)
{
    set_time(c, c->session->window_start, c->session->window_end);
    c->scope.everything = true;
    write_time(c, c->session->window_end - c->session->window_start);
    buffer_append_text(&c->title, " in the window");
    return true;
}

bool flame_subject_of(struct session *session, enum flame_of of, struct flame_subject *out,
                      struct flame_rows *sources, struct status *st)
{
    struct choice c = {.session = session, .sources = sources};
    if (!session->n_traces)
        return status_fail(st, STATUS_INVALID, STATUS_NO_OFFSET, "no trace is open");
    c.scope = (struct flame_scope){
        .trace = session_trace_in_focus(session), .start = INT64_MIN, .end = INT64_MAX};
    bool good = true;
    switch (of) {
    case FLAME_OF_SELECTION: good = of_selection(&c, st); break;
    case FLAME_OF_THREAD: good = of_task(&c, false, st); break;
    case FLAME_OF_PROCESS: good = of_task(&c, true, st); break;
    case FLAME_OF_WINDOW: good = of_window(&c); break;
    case FLAME_OF_MARKS: good = of_marks(&c, st); break;
    case FLAME_OF_TRACE:
        c.scope.everything = true;
        buffer_append_text(&c.title, "the whole trace");
        break;
    }
    c.scope.trace_end = session->traces[c.scope.trace].end;
    if (good && c.scope.utids.count && !c.scope.upids.count) { /* heaps are of processes */
        prefer(&c, FLAME_SAMPLES);
        prefer(&c, FLAME_SLICES);
    }
    if (good)
        *out = (struct flame_subject){c.scope, buffer_take(&c.title)};
    else
        flame_scope_dispose(&c.scope);
    buffer_free(&c.title);
    return good;
}
