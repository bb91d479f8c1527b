/* A track, and what has a track's own way of being told: heap dumps and states. */
#include "tui/details_lines.h"
#include "tui/time_text.h"

static void add_process(struct details *d, const struct tables *t, uint32_t upid)
{
    if (upid >= table_rows(&t->process.table)) return;
    struct buffer text = BUFFER_INIT;
    track_process_name(t, upid, &text);
    details_add(d, &d->left, "process", buffer_str(&text));
    buffer_free(&text);
}

static void add_flamegraph(struct details *d, const char *words)
{
    struct detail_line *line = details_add(d, &d->left, "flamegraph", str_of(words));
    line->command = "dev.perfetty.Flamegraph";
    line->args[0] = "selection";
}

static void add_span(struct details *d, struct session *s, const struct event *event)
{
    details_add_time(d, s, &d->left, event->dur > 0 ? "start" : "at", event->ts);
    if (event->unfinished)
        details_add(d, &d->left, "duration", STR("did not end"));
    else if (event->dur > 0)
        details_add_duration(d, &d->left, "duration", event->dur);
}

void details_of_heap(struct details *d, struct session *s, const struct tables *t,
                     const struct event *event)
{
    details_add_heading(d, &d->left, STR("Heap profile"));
    add_process(d, t, column_get_row(&t->heap_profile.upid, event->id));
    if (event->name.n) details_add(d, &d->left, "heap", event->name);
    add_span(d, s, event);
    details_add_number(d, &d->left, "id", event->id, "");
    add_flamegraph(d, "allocations up to it");
    details_add_neighbours(d, s, event, STR("Dumps"));
}

void details_of_heap_graph(struct details *d, struct session *s, const struct tables *t,
                           const struct event *event)
{
    uint32_t id = event->id;
    const struct heap_graph_table *graph = &t->heap_graph;
    details_add_heading(d, &d->left, STR("Java heap"));
    add_process(d, t, column_get_row(&graph->upid, id));
    add_span(d, s, event);
    struct str reason = strpool_get(t->strings, column_get_string(&graph->dump_reason, id));
    if (reason.n) details_add(d, &d->left, "reason", reason);
    if (!column_is_null(&graph->heap_size, id))
        details_add_number(d, &d->left, "size", (double)column_get_int64(&graph->heap_size, id),
                           "B");
    if (column_get_int64(&graph->truncated, id))
        details_add(d, &d->left, "truncated", STR("objects are missing"));
    details_add_number(d, &d->left, "id", id, "");
    add_flamegraph(d, "objects by their way from a root");
    details_add_neighbours(d, s, event, STR("Dumps"));
}

void details_of_state_track(struct details *d, struct session *s, const struct tables *t,
                            const struct event *event)
{
    details_add_heading(d, &d->left, event->name);
    if (event->node) details_add(d, &d->left, "track", str_of(event->node->name));
    add_span(d, s, event);
    struct str category = strpool_get(t->strings, column_get_string(&t->state.category, event->id));
    if (category.n) details_add(d, &d->left, "category", category);
    details_add_number(d, &d->left, "id", event->id, "");
    details_add_args(d, t, &d->left, column_get_row(&t->state.arg_set_id, event->id), NULL);
    details_add_neighbours(d, s, event, STR("Related"));
}

/* ---- tracks ---- */

static void add_end(struct details *d, struct session *s, const struct track_node *node,
                    const char *label, bool first)
{
    struct event event;
    if (!event_step(s, node, first ? INT64_MIN / 4 : INT64_MAX / 4, -1, first, &event)) return;
    struct buffer text = BUFFER_INIT;
    time_write(s, event.ts, &text);
    if (event.name.n) {
        buffer_append_text(&text, "  ");
        buffer_append_str(&text, str_slice(event.name, 0, 256));
    }
    details_add_link(d, &d->left, label, buffer_str(&text), event.table, event.id);
    buffer_free(&text);
}

void details_of_track(struct details *d, struct session *s)
{
    const struct track_node *node =
        s->workspace ? track_tree_find(&s->workspace->tree, s->selection.uri) : NULL;
    if (!node) return;
    const struct tables *t = session_tables(s, node->trace);
    details_add_heading(d, &d->left, str_of(node->name));
    struct buffer path = BUFFER_INIT;
    track_node_path(node, &path);
    details_add(d, &d->left, "path", buffer_str(&path));
    buffer_free(&path);
    if (node->utid < table_rows(&t->thread.table))
        details_add_thread(d, t, &d->left, "thread", node->utid);
    else
        add_process(d, t, node->upid);
    if (node->unit && node->unit[0]) details_add(d, &d->left, "unit", str_of(node->unit));
    if (node->events) details_add_number(d, &d->left, "events", (double)node->events, "");
    if (node->children.count)
        details_add_number(d, &d->left, "tracks below", (double)node->children.count, "");
    if (node->debug) return;
    add_end(d, s, node, "first event", true);
    add_end(d, s, node, "last event", false);
}
