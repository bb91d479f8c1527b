/* Selecting events, tracks and areas. */
#include <string.h>

#include "commands/core.h"
#include "commands/event.h"
#include "commands/track_match.h"
#include "engine/base/memory.h"

/* ---- events ---- */

static bool is_selected(const struct session *session, const struct event *event)
{
    const struct selection *s = &session->selection;
    return s->kind == SELECTION_EVENT && s->table == event->table && s->trace == event->trace &&
           s->id == event->id && event->node && strcmp(s->uri, event->node->uri) == 0;
}

static void show_details(struct session *session, uint32_t tab)
{
    if (session->drawer == DRAWER_CLOSED) session->drawer = DRAWER_SMALL;
    session->tab_shown = tab;
    session->pane = PANE_DETAILS;
    session_changed(session);
}

static bool select_under_cursor(const struct command_call *call, struct status *st)
{
    struct session *session = call->session;
    if (session->pane == PANE_DETAILS) {
        session_ask(session, REQUEST_RUN_FOCUSED_DETAIL, NULL);
        return true;
    }
    if (session->area_open) { /* what was being selected is selected */
        session->area_open = false;
        show_details(session, session_tab_shown(session)->id);
        return true;
    }
    if (!session->focus)
        return status_fail(st, STATUS_INVALID, STATUS_NO_OFFSET, "no track has the focus");
    struct event event;
    int64_t cell = (session->window_end - session->window_start) / session->cells;
    bool found =
        event_near(session, session->focus, session->focus_depth, session->cursor, cell, &event);
    bool again = found ? is_selected(session, &event)
                       : session->selection.kind == SELECTION_TRACK &&
                             strcmp(session->selection.uri, session->focus->uri) == 0;
    if (again) {
        show_details(session, session->tabs.items[0]->id);
        return true;
    }
    if (found)
        session_select_found(session, &event);
    else
        session_select_track(session, session->focus->uri);
    return true;
}

bool session_select_neighbour(struct session *session, bool forward, struct status *st)
{
    struct event event, next;
    const struct track_node *node = session->focus;
    int64_t ts = session->cursor, id = -1;
    if (event_of_selection(session, &event) && event.node) {
        node = event.node;
        ts = event.ts;
        id = event.id;
    }
    if (!node) return status_fail(st, STATUS_INVALID, STATUS_NO_OFFSET, "no track has the focus");
    if (!event_step(session, node, ts, id, forward, &next))
        return status_fail(st, STATUS_NOT_FOUND, STATUS_NO_OFFSET, "no %s event on %s",
                           forward ? "later" : "earlier", node->name);
    session_select_found(session, &next);
    session->cursor = next.ts;
    session_show_selection(session);
    return true;
}

static bool next_event(const struct command_call *call, struct status *st)
{
    return session_select_neighbour(call->session, true, st);
}

static bool previous_event(const struct command_call *call, struct status *st)
{
    return session_select_neighbour(call->session, false, st);
}

static bool select_by_table(const struct command_call *call, struct status *st)
{
    static const struct {
        const char *name;
        enum event_table table;
    } names[] = {
        {"slice", EVENT_SLICE},
        {"sched_slice", EVENT_SCHED},
        {"sched", EVENT_SCHED},
        {"thread_state", EVENT_THREAD_STATE},
        {"counter", EVENT_COUNTER},
        {"state", EVENT_STATE},
        {"stack_sample", EVENT_SAMPLE},
        {"perf_sample", EVENT_SAMPLE},
        {"cpu_profile_stack_sample", EVENT_SAMPLE},
        {"heap_profile", EVENT_HEAP},
        {"heap_graph", EVENT_HEAP_GRAPH},
        {"ftrace_event", EVENT_FTRACE},
        {"android_logs", EVENT_LOG},
        {"heap_profile", EVENT_HEAP},
        {"heap_graph", EVENT_HEAP_GRAPH},
    };
    int64_t id = 0;
    str_to_int64(str_of(call->args[1]), &id);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (strcmp(names[i].name, call->args[0]) != 0) continue;
        if (id < 0 || id >= UINT32_MAX)
            return status_fail(st, STATUS_NOT_FOUND, STATUS_NO_OFFSET, "%s has no row %s",
                               call->args[0], call->args[1]);
        session_jump_push(call->session);
        if (!session_select_event(call->session, session_trace_in_focus(call->session),
                                  names[i].table, (uint32_t)id, st))
            return false;
        session_show_selection(call->session);
        return true;
    }
    return status_fail(st, STATUS_INVALID, STATUS_NO_OFFSET,
                       "rows of %.80s are not shown on the timeline", call->args[0]);
}

static bool deselect(const struct command_call *call, struct status *st)
{
    (void)st;
    struct session *session = call->session;
    if (session->pane == PANE_DETAILS) {
        session->pane = PANE_TIMELINE;
        session_changed(session);
    } else if (session->selection.kind != SELECTION_NONE || session->area_open) {
        session_select_none(session);
    } else if (session->search.term) {
        session_search(session, "");
    }
    return true;
}

/* ---- areas ---- */

void session_follow_area(struct session *session)
{
    if (!session->area_open) return;
    uint32_t count, first = session->area_anchor_row, last;
    const struct session_row *rows = session_rows(session, &count);
    int64_t focus = session_focus_index(session);
    VEC(const char *) uris = {0};
    last = focus < 0 ? first : (uint32_t)focus;
    if (last < first) {
        last = session->area_anchor_row;
        first = (uint32_t)focus;
    }
    for (uint32_t i = first; i <= last && i < count && !session->area_all_tracks; i++)
        vec_push(&uris, rows[i].node->uri);
    session_select_area(session, session->area_anchor, session->cursor, uris.items,
                        (uint32_t)uris.count);
    vec_free(&uris);
}

static bool toggle_area(struct session *session, bool all_tracks)
{
    if (session->area_open) {
        session->area_open = false;
        session_changed(session);
        return true;
    }
    int64_t row = session_focus_index(session);
    session->area_open = true;
    session->area_all_tracks = all_tracks || row < 0;
    session->area_anchor = session->cursor;
    session->area_anchor_row = row < 0 ? 0 : (uint32_t)row;
    session_follow_area(session);
    return true;
}

static bool area(const struct command_call *call, struct status *st)
{
    (void)st;
    return toggle_area(call->session, false);
}

static bool area_all_tracks(const struct command_call *call, struct status *st)
{
    (void)st;
    return toggle_area(call->session, true);
}

static bool select_area(const struct command_call *call, struct status *st)
{
    int64_t start = 0, end = 0;
    str_to_int64(str_of(call->args[0]), &start);
    str_to_int64(str_of(call->args[1]), &end);
    const char *pattern = command_arg(call, 2, NULL);
    VEC(const char *) uris = {0};
    if (pattern) {
        struct track_node_list found;
        if (!session_match_tracks(call->session, pattern, "name", &found, st)) return false;
        for (size_t i = 0; i < found.count; i++)
            vec_push(&uris, found.items[i]->uri);
        vec_free(&found);
        if (!uris.count) {
            session_say_no_match(call->session, pattern, "name");
            return true;
        }
    }
    session_select_area(call->session, start, end, uris.items, (uint32_t)uris.count);
    vec_free(&uris);
    return true;
}

/* From the first mark to the last; from one alone to the cursor.  On the tracks of the
 * area that is selected, if any. */
static bool area_of_marks(const struct command_call *call, struct status *st)
{
    struct session *session = call->session;
    int64_t first = session->cursor, last = session->cursor;
    unsigned n = 0;
    for (int i = 0; i < MARK_COUNT; i++) {
        if (!session->marks[i].set) continue;
        int64_t ts = session->marks[i].ts;
        if (n == 0 || ts < first) first = ts;
        if (n == 0 || ts > last) last = ts;
        n++;
    }
    if (!n)
        return status_fail(st, STATUS_NOT_FOUND, STATUS_NO_OFFSET,
                           "no mark is set: m and a letter set one at the cursor");
    if (n == 1 && session->cursor < first) first = session->cursor;
    if (n == 1 && session->cursor > last) last = session->cursor;
    struct selection before;
    selection_copy(&before, &session->selection);
    session_select_area(session, first, last, (const char *const *)before.tracks.items,
                        (uint32_t)before.tracks.count);
    selection_dispose(&before);
    session_say(session, MESSAGE_INFO, "area %s: %.4g ms",
                n == 1 ? "from the mark to the cursor" : "between the marks",
                (double)(last - first) / 1e6);
    return true;
}

static bool event_to_area(const struct command_call *call, struct status *st)
{
    struct session *session = call->session;
    const struct selection *s = &session->selection;
    if (s->kind != SELECTION_EVENT)
        return status_fail(st, STATUS_INVALID, STATUS_NO_OFFSET, "no event is selected");
    char *uri = mem_strdup(s->uri);
    const char *uris[] = {uri};
    session_select_area(session, s->start, s->end, uris, 1);
    mem_free(uri);
    return true;
}

/* First all of the time on the selected tracks, then all tracks. */
static bool select_all(const struct command_call *call, struct status *st)
{
    (void)st;
    struct session *session = call->session;
    const struct selection *s = &session->selection;
    bool whole = s->kind == SELECTION_AREA && s->start <= session->start && s->end >= session->end;
    VEC(char *) uris = {0};
    if (!whole) {
        for (size_t i = 0; s->kind == SELECTION_AREA && i < s->tracks.count; i++)
            vec_push(&uris, mem_strdup(s->tracks.items[i]));
        if (s->uri) vec_push(&uris, mem_strdup(s->uri));
    }
    session_select_area(session, session->start, session->end, (const char *const *)uris.items,
                        (uint32_t)uris.count);
    for (size_t i = 0; i < uris.count; i++)
        mem_free(uris.items[i]);
    vec_free(&uris);
    return true;
}

static bool select_all_of_kind(struct session *session, enum track_kind kind, struct status *st)
{
    const struct track_node *root = &session->workspace->tree.root;
    VEC(const char *) uris = {0};
    for (struct track_node *node = track_tree_next(root, root); node;
         node = track_tree_next(root, node))
        if (node->kind == kind) vec_push(&uris, node->uri);
    if (uris.count)
        session_select_area(session, session->start, session->end, uris.items,
                            (uint32_t)uris.count);
    else
        status_fail(st, STATUS_NOT_FOUND, STATUS_NO_OFFSET, "the trace has no such tracks");
    bool found = uris.count > 0;
    vec_free(&uris);
    return found;
}

static bool select_thread_states(const struct command_call *call, struct status *st)
{
    return select_all_of_kind(call->session, TRACK_KIND_THREAD_STATE, st);
}

static bool select_samples(const struct command_call *call, struct status *st)
{
    return select_all_of_kind(call->session, TRACK_KIND_SAMPLES, st);
}

/* ---- focus on the selection ---- */

static bool focus_selection(const struct command_call *call, struct status *st)
{
    struct session *session = call->session;
    const struct selection *s = &session->selection;
    if (s->kind == SELECTION_NONE)
        return status_fail(st, STATUS_INVALID, STATUS_NO_OFFSET, "nothing is selected");
    if (session->focused_start != session->focused_end &&
        session->window_start == session->focused_start &&
        session->window_end == session->focused_end && session_jump_go(session, -1)) {
        session->focused_start = session->focused_end = 0;
        return true;
    }
    session_jump_push(session);
    session_show_selection(session);
    for (size_t i = 0; i < s->tracks.count; i++) {
        struct track_node *node = track_tree_find(&session->workspace->tree, s->tracks.items[i]);
        if (node) track_node_reveal(node);
    }
    if (s->kind == SELECTION_TRACK) return true;
    int64_t length = s->end - s->start, window = session->window_end - session->window_start;
    /* The selection fills 80 %; an instant gets 0.2 % of what was seen. */
    int64_t around = length > 0 ? length / 8 + 1 : window / 1000 + 1;
    session_set_window(session, s->start - around, s->end + around);
    session->focused_start = session->window_start;
    session->focused_end = session->window_end;
    session_changed(session);
    return true;
}

#define PLAIN(symbol, command_id, words, function) \
    const struct command symbol = {.id = command_id, .name = words, .run = function}

PLAIN(command_select_under_cursor, "dev.perfetty.SelectUnderCursor",
      "Select what is under the cursor; again: its details", select_under_cursor);
PLAIN(command_select_next_track_event, "dev.perfetto.SelectNextTrackEvent",
      "Next event on the track", next_event);
PLAIN(command_select_previous_track_event, "dev.perfetto.SelectPreviousTrackEvent",
      "Previous event on the track", previous_event);
const struct command command_select_event = {
    .id = "dev.perfetto.SelectEventByTableNameAndId",
    .name = "Select an event by table and id",
    .args = {{"table", COMMAND_ARG_TEXT, false, NULL}, {"id", COMMAND_ARG_INT, false, NULL}},
    .run = select_by_table,
};
PLAIN(command_deselect, "dev.perfetto.Deselect", "One level back: details, selection, search",
      deselect);
PLAIN(command_toggle_area, "dev.perfetty.ToggleArea", "Start or end an area selection", area);
PLAIN(command_toggle_area_all_tracks, "dev.perfetty.ToggleAreaAllTracks",
      "Start or end an area selection over all tracks", area_all_tracks);
const struct command command_select_area = {
    .id = "dev.perfetty.SelectArea",
    .name = "Select a span of time",
    .args = {{"start", COMMAND_ARG_TIME, false, NULL},
             {"end", COMMAND_ARG_TIME, false, NULL},
             {"pattern", COMMAND_ARG_REGEX, true, NULL}},
    .run = select_area,
};
PLAIN(command_select_area_of_marks, "dev.perfetty.SelectAreaOfMarks",
      "Select the time between the marks", area_of_marks);
PLAIN(command_convert_selection_to_area, "dev.perfetto.ConvertSelectionToArea",
      "Make an area of the selected event", event_to_area);
PLAIN(command_select_all, "dev.perfetto.SelectAll", "Select all time; again: all tracks",
      select_all);
PLAIN(command_select_all_thread_states, "dev.perfetto.SelectAllThreadStateTracks",
      "Select all thread states", select_thread_states);
PLAIN(command_select_all_samples, "dev.perfetto.SelectAllPerfSamples", "Select all stack samples",
      select_samples);
PLAIN(command_focus_selection, "dev.perfetto.FocusSelection", "Fit the selection; again: back",
      focus_selection);
