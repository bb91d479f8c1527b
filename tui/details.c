#include "tui/details.h"

#include <string.h>

#include "engine/base/memory.h"
#include "tui/details_lines.h"

static void event_details(struct details *d, struct session *s)
{
    struct event event;
    if (!event_of_selection(s, &event)) return;
    const struct tables *t = session_tables(s, event.trace);
    switch (event.table) {
    case EVENT_SLICE: details_of_slice(d, s, t, &event); break;
    case EVENT_SCHED: details_of_sched(d, s, t, &event); break;
    case EVENT_THREAD_STATE: details_of_state(d, s, t, &event); break;
    case EVENT_COUNTER: details_of_counter(d, s, t, &event); break;
    case EVENT_SAMPLE: details_of_sample(d, s, t, &event); break;
    case EVENT_FTRACE:
        details_of_plain(d, s, &event);
        details_add_args(d, t, &d->left, column_get_row(&t->ftrace_event.arg_set_id, event.id));
        break;
    default: details_of_plain(d, s, &event);
    }
}

static void area_details(struct details *d, struct session *s)
{
    details_add_heading(d, &d->left, STR("Area"));
    details_add_time(d, s, &d->left, "from", s->selection.start);
    details_add_time(d, s, &d->left, "to", s->selection.end);
    details_add_duration(d, &d->left, "length", s->selection.end - s->selection.start);
    if (s->selection.tracks.count)
        details_add_number(d, &d->left, "tracks", (double)s->selection.tracks.count, "");
    else
        details_add(d, &d->left, "tracks", STR("all"));
}

static void track_details(struct details *d, struct session *s)
{
    const struct track_node *node =
        s->workspace ? track_tree_find(&s->workspace->tree, s->selection.uri) : NULL;
    if (!node) return;
    details_add_heading(d, &d->left, str_of(node->name));
    struct buffer path = BUFFER_INIT;
    track_node_path(node, &path);
    details_add(d, &d->left, "path", buffer_str(&path));
    buffer_free(&path);
    if (node->events) details_add_number(d, &d->left, "events", (double)node->events, "");
}

void details_update(struct details *d, struct session *s)
{
    const struct selection *sel = &s->selection;
    const char *uri = sel->uri ? sel->uri : "";
    if (d->valid && d->kind == sel->kind && d->table == sel->table && d->id == sel->id &&
        d->trace == sel->trace && d->start == sel->start && d->end == sel->end &&
        d->time_format == s->time_format && strcmp(d->uri, uri) == 0)
        return;
    details_dispose(d);
    d->kind = sel->kind;
    d->table = sel->table;
    d->id = sel->id;
    d->trace = sel->trace;
    d->start = sel->start;
    d->end = sel->end;
    d->time_format = s->time_format;
    d->uri = mem_strdup(uri);
    d->valid = true;
    switch (sel->kind) {
    case SELECTION_EVENT: event_details(d, s); break;
    case SELECTION_AREA: area_details(d, s); break;
    case SELECTION_TRACK: track_details(d, s); break;
    case SELECTION_NOTE: {
        const struct note *note = session_note_find(s, sel->id);
        if (!note) break;
        details_add_heading(d, &d->left, note->text[0] ? str_of(note->text) : STR("Note"));
        details_add_time(d, s, &d->left, "at", note->start);
        if (note->is_span) details_add_duration(d, &d->left, "length", note->end - note->start);
        break;
    }
    case SELECTION_NONE: break;
    }
}

void details_dispose(struct details *d)
{
    arena_free(&d->arena);
    vec_free(&d->left);
    vec_free(&d->right);
    mem_free(d->uri);
    *d = (struct details){.arena = ARENA_INIT};
}

const struct detail_line *details_line(const struct details *d, uint64_t row)
{
    if (row < d->left.count) return &d->left.items[row];
    row -= d->left.count;
    return row < d->right.count ? &d->right.items[row] : NULL;
}
