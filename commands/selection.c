#include "commands/selection.h"

#include <string.h>

#include "commands/area.h"
#include "commands/event.h"
#include "engine/base/memory.h"

void selection_copy(struct selection *out, const struct selection *in)
{
    *out = *in;
    out->uri = in->uri ? mem_strdup(in->uri) : NULL;
    memset(&out->tracks, 0, sizeof out->tracks);
    for (size_t i = 0; i < in->tracks.count; i++)
        vec_push(&out->tracks, mem_strdup(in->tracks.items[i]));
}

void selection_dispose(struct selection *selection)
{
    mem_free(selection->uri);
    for (size_t i = 0; i < selection->tracks.count; i++)
        mem_free(selection->tracks.items[i]);
    vec_free(&selection->tracks);
    memset(selection, 0, sizeof *selection);
}

bool selection_has_track(const struct selection *selection, const char *uri)
{
    if (selection->tracks.count == 0) return true;
    for (size_t i = 0; i < selection->tracks.count; i++)
        if (strcmp(selection->tracks.items[i], uri) == 0) return true;
    return false;
}

/* Takes over what `now` owns; shows the selection's tab, unless it is an area and the
 * shown tab is of areas: that one follows. */
static void replace(struct session *session, struct selection now)
{
    selection_dispose(&session->selection);
    session->selection = now;
    session->focused_flow = 0;
    bool stays = now.kind == SELECTION_AREA && tab_is_of_area(session_tab_shown(session));
    if (now.kind != SELECTION_NONE && !stays) session->tab_shown = session->tabs.items[0]->id;
    session_changed(session);
    session_follow_area_tab(session);
}

void session_select_none(struct session *session)
{
    session->area_open = false;
    replace(session, (struct selection){0});
}

void session_select_found(struct session *session, const struct event *event)
{
    replace(session, (struct selection){.kind = SELECTION_EVENT,
                                        .table = event->table,
                                        .trace = event->trace,
                                        .id = event->id,
                                        .uri = mem_strdup(event->node ? event->node->uri : ""),
                                        .start = event->ts,
                                        .end = event->ts + event->dur,
                                        .depth = event->depth});
}

bool session_select_event(struct session *session, uint8_t trace, enum event_table table,
                          uint32_t id, struct status *st)
{
    struct event event;
    if (!event_get(session, trace, table, id, &event))
        return status_fail(st, STATUS_NOT_FOUND, STATUS_NO_OFFSET, "%s has no row %u",
                           event_table_name(table), id);
    if (!event.node)
        return status_fail(st, STATUS_NOT_FOUND, STATUS_NO_OFFSET, "no track shows row %u of %s",
                           id, event_table_name(table));
    session_select_found(session, &event);
    return true;
}

bool session_select_debug(struct session *session, const char *uri, uint32_t row, struct status *st)
{
    const struct track_node *node = track_tree_find(&session->workspace->pinned, uri);
    if (!node) node = track_tree_find(&session->workspace->tree, uri);
    struct event event;
    if (!node || !event_get_debug(session, node, row, &event))
        return status_fail(st, STATUS_NOT_FOUND, STATUS_NO_OFFSET, "no debug track has row %u",
                           row);
    session_select_found(session, &event);
    return true;
}

void session_select_track(struct session *session, const char *uri)
{
    replace(session, (struct selection){.kind = SELECTION_TRACK, .uri = mem_strdup(uri)});
}

void session_select_area(struct session *session, int64_t start, int64_t end,
                         const char *const *uris, uint32_t n_uris)
{
    struct selection area = {.kind = SELECTION_AREA,
                             .start = start < end ? start : end,
                             .end = start < end ? end : start};
    for (uint32_t i = 0; i < n_uris; i++)
        vec_push(&area.tracks, mem_strdup(uris[i]));
    replace(session, area);
}

void session_select_note(struct session *session, uint32_t note_id)
{
    const struct note *note = session_note_find(session, note_id);
    if (!note) return;
    replace(session,
            (struct selection){
                .kind = SELECTION_NOTE, .id = note_id, .start = note->start, .end = note->end});
}

void session_show_selection(struct session *session)
{
    const struct selection *s = &session->selection;
    if (s->kind == SELECTION_NONE) return;
    if (s->uri && s->uri[0]) {
        bool on_it = session->focus && strcmp(session->focus->uri, s->uri) == 0;
        if (!on_it) session_focus_track(session, s->uri);
        if (session->focus && session->focus->flat && s->depth > 0) session->focus->flat = false;
        session->focus_depth = s->depth;
    }
    if (s->kind == SELECTION_TRACK) return;
    int64_t length = session->window_end - session->window_start;
    bool seen = s->start < session->window_end && s->end >= session->window_start;
    if (!seen) session_set_window(session, s->start - length / 3, s->start - length / 3 + length);
    if (session->cursor < s->start || session->cursor > s->end) session->cursor = s->start;
    if (session->cursor < session->window_start && seen) session->cursor = session->window_start;
    session_changed(session);
}
