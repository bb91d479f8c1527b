#include "tui/details.h"

#include <string.h>

#include "commands/debug_row.h"
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
    case EVENT_FTRACE: details_of_ftrace(d, s, t, &event); break;
    case EVENT_LOG: details_of_log(d, s, t, &event); break;
    case EVENT_HEAP: details_of_heap(d, s, t, &event); break;
    case EVENT_HEAP_GRAPH: details_of_heap_graph(d, s, t, &event); break;
    case EVENT_STATE: details_of_state_track(d, s, t, &event); break;
    case EVENT_DEBUG: details_of_debug(d, s, t, &event); break;
    }
}

static void drop_lines(struct details *d)
{
    arena_free(&d->arena);
    vec_free(&d->left);
    vec_free(&d->right);
    mem_free(d->uri);
    d->uri = NULL;
    d->valid = false;
}

void details_update(struct details *d, struct session *s)
{
    const struct selection *sel = &s->selection;
    const char *uri = sel->uri ? sel->uri : "";
    if (d->valid && d->kind == sel->kind && d->table == sel->table && d->id == sel->id &&
        d->trace == sel->trace && d->start == sel->start && d->end == sel->end &&
        d->n_tracks == sel->tracks.count && d->focused_flow == s->focused_flow &&
        d->time_format == s->time_format && d->has_debug_row == session_debug_row_is_there(s) &&
        strcmp(d->uri, uri) == 0)
        return;
    drop_lines(d);
    d->kind = sel->kind;
    d->table = sel->table;
    d->id = sel->id;
    d->trace = sel->trace;
    d->start = sel->start;
    d->end = sel->end;
    d->n_tracks = sel->tracks.count;
    d->focused_flow = s->focused_flow;
    d->time_format = s->time_format;
    d->uri = mem_strdup(uri);
    d->valid = true;
    switch (sel->kind) {
    case SELECTION_EVENT: event_details(d, s); break;
    case SELECTION_AREA: details_of_area(d, s); break;
    case SELECTION_TRACK: details_of_track(d, s); break;
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
    d->has_debug_row = session_debug_row_is_there(s);
}

void details_dispose(struct details *d)
{
    drop_lines(d);
    for (size_t i = 0; i < d->turned.count; i++)
        mem_free(d->turned.items[i]);
    vec_free(&d->turned);
    *d = (struct details){.arena = ARENA_INIT};
}

const struct detail_line *details_line(const struct details *d, uint64_t row)
{
    if (row < d->left.count) return &d->left.items[row];
    row -= d->left.count;
    return row < d->right.count ? &d->right.items[row] : NULL;
}

/* ---- what a row does ---- */

static void turn(struct details *d, const char *name)
{
    for (size_t i = 0; i < d->turned.count; i++) {
        if (strcmp(d->turned.items[i], name) != 0) continue;
        mem_free(d->turned.items[i]);
        d->turned.items[i] = vec_pop(&d->turned);
        return;
    }
    vec_push(&d->turned, mem_strdup(name));
}

/* All groups open when one was not, else all folded.  Opening brings more groups. */
static void turn_all(struct details *d, struct session *s)
{
    enum { DEEPEST = 16 };
    const struct detail_line *line;
    bool open = false;
    for (uint64_t i = 0; (line = details_line(d, i)); i++)
        open |= line->fold && !line->is_open;
    for (int level = 0; level < DEEPEST; level++) {
        bool turned = false;
        for (uint64_t i = 0; (line = details_line(d, i)); i++) {
            if (!line->fold || line->is_open == open) continue;
            turn(d, line->fold);
            turned = true;
        }
        if (!turned) return;
        d->valid = false;
        details_update(d, s);
    }
}

void details_toggle_fold(struct app *app, struct details *d, uint64_t row, bool all)
{
    const struct detail_line *line = details_line(d, row);
    if (all) {
        turn_all(d, app->session);
    } else if (line && line->fold) {
        turn(d, line->fold);
        d->valid = false;
    } else {
        session_say(app->session, MESSAGE_INFO, "nothing to fold on this line");
    }
    session_changed(app->session);
}

void details_follow(struct app *app, struct details *d, uint64_t row)
{
    struct session *s = app->session;
    const struct detail_line *line = details_line(d, row);
    if (!line) return;
    if (line->command) {
        /* What it runs may make the lines anew. */
        char *args[2] = {NULL, NULL};
        uint32_t n = 0;
        for (; n < 2 && line->args[n]; n++)
            args[n] = mem_strdup(line->args[n]);
        app_run(app, line->command, (const char *const *)args, n);
        for (uint32_t i = 0; i < n; i++)
            mem_free(args[i]);
    } else if (line->leads) {
        struct status st = STATUS_INIT;
        session_jump_push(s);
        if (session_select_event(s, s->selection.trace, line->target_table, line->target_id, &st)) {
            session_show_selection(s);
            session_set_cursor(s, s->selection.start);
        } else {
            session_say(s, MESSAGE_ERROR, "%s", status_message(&st));
        }
        status_clear(&st);
    } else if (line->fold) {
        details_toggle_fold(app, d, row, false);
    }
}
