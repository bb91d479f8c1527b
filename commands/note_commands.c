/* Notes and marks. */
#include <inttypes.h>

#include "commands/core.h"
#include "commands/session.h"
#include "commands/utc_time.h"
#include "engine/base/memory.h"

static int64_t time_arg(const struct command_call *call, uint32_t i, int64_t fallback)
{
    int64_t ts = fallback;
    if (i < call->n_args) str_to_int64(str_of(call->args[i]), &ts);
    return ts;
}

static bool add_at(struct session *session, int64_t ts, const char *text)
{
    session_note_add(session, ts, text);
    session_say(session, MESSAGE_INFO, "note added at %" PRId64 " ns", ts);
    return true;
}

static bool add_at_timestamp(const struct command_call *call, struct status *st)
{
    (void)st;
    return add_at(call->session, time_arg(call, 0, 0), call->args[1]);
}

static bool add_at_utc(const struct command_call *call, struct status *st)
{
    int64_t wall, ts;
    return utc_parse(str_of(call->args[0]), &wall, st) &&
           session_time_of_utc(call->session, wall, &ts, st) &&
           add_at(call->session, ts, call->args[1]);
}

static bool add_at_cursor(const struct command_call *call, struct status *st)
{
    (void)st;
    struct session *session = call->session;
    uint32_t id = session_note_add(session, session->cursor, command_arg(call, 0, ""));
    session_select_note(session, id);
    session_say(session, MESSAGE_INFO, "note added at %" PRId64 " ns", session->cursor);
    return true;
}

static bool mark_timestamp(const struct command_call *call, struct status *st)
{
    (void)st;
    return add_at(call->session, time_arg(call, 0, 0), "");
}

/* The selected span; false when nothing that lasts is selected. */
static bool selected_span(const struct session *session, int64_t *start, int64_t *end,
                          struct status *st)
{
    const struct selection *s = &session->selection;
    if (s->kind != SELECTION_EVENT && s->kind != SELECTION_AREA)
        return status_fail(st, STATUS_INVALID, STATUS_NO_OFFSET,
                           "select an event or an area first");
    *start = s->start;
    *end = s->end;
    return true;
}

static bool note_span(const struct command_call *call, const char *text, bool temporary,
                      struct status *st)
{
    int64_t start = 0, end = 0;
    if (!selected_span(call->session, &start, &end, st)) return false;
    session_note_add_span(call->session, start, end, text, temporary);
    session_say(call->session, MESSAGE_INFO, "%snote over %" PRId64 " ns",
                temporary ? "temporary " : "", end - start);
    return true;
}

static bool add_span(const struct command_call *call, struct status *st)
{
    return note_span(call, command_arg(call, 0, ""), false, st);
}

static bool set_temporary_span(const struct command_call *call, struct status *st)
{
    return note_span(call, "", true, st);
}

static bool is_note_selected(const struct session *session, struct status *st)
{
    return session->selection.kind == SELECTION_NOTE ||
           status_fail(st, STATUS_INVALID, STATUS_NO_OFFSET, "no note is selected");
}

static bool remove_selected(const struct command_call *call, struct status *st)
{
    if (!is_note_selected(call->session, st)) return false;
    session_note_remove(call->session, call->session->selection.id);
    session_say(call->session, MESSAGE_INFO, "note removed");
    return true;
}

static bool set_note_text(const struct command_call *call, struct status *st)
{
    if (!is_note_selected(call->session, st) ||
        !session_note_set_text(call->session, call->session->selection.id, call->args[0]))
        return false;
    session_say(call->session, MESSAGE_INFO, "the note says: %s", call->args[0]);
    return true;
}

/* The note before or after the cursor, round the end. */
static bool step_note(const struct command_call *call, bool forward, struct status *st)
{
    struct session *session = call->session;
    const struct note *best = NULL, *first = NULL;
    for (size_t i = 0; i < session->notes.count; i++) {
        const struct note *note = &session->notes.items[i];
        bool ahead = forward ? note->start > session->cursor : note->start < session->cursor;
        bool before_best =
            best && (forward ? note->start < best->start : note->start > best->start);
        bool before_first =
            !first || (forward ? note->start < first->start : note->start > first->start);
        if (ahead && (!best || before_best)) best = note;
        if (before_first) first = note;
    }
    if (!best) best = first;
    if (!best) return status_fail(st, STATUS_INVALID, STATUS_NO_OFFSET, "there are no notes");
    session_jump_push(session);
    session_set_cursor(session, best->start);
    session_select_note(session, best->id);
    return true;
}

static bool next_note(const struct command_call *call, struct status *st)
{
    return step_note(call, true, st);
}

static bool previous_note(const struct command_call *call, struct status *st)
{
    return step_note(call, false, st);
}

static bool set_mark(const struct command_call *call, struct status *st)
{
    (void)st;
    struct session *session = call->session;
    struct mark *mark = &session->marks[mark_index(call->args[0])];
    mem_free(mark->uri);
    *mark = (struct mark){true, session->cursor,
                          session->focus ? mem_strdup(session->focus->uri) : NULL};
    session->last_mark = mark_index(call->args[0]);
    session_say(session, MESSAGE_INFO, "mark %s set", call->args[0]);
    return true;
}

static bool go_to_mark(const struct command_call *call, struct status *st)
{
    struct session *session = call->session;
    const struct mark *mark = &session->marks[mark_index(call->args[0])];
    if (!mark->set)
        return status_fail(st, STATUS_NOT_FOUND, STATUS_NO_OFFSET, "mark %s is not set",
                           call->args[0]);
    session_jump_push(session);
    session->last_mark = mark_index(call->args[0]);
    session_set_cursor(session, mark->ts);
    if (mark->uri) session_focus_track(session, mark->uri);
    session_changed(session);
    return true;
}

#define NO_ARG(symbol, command_id, words, function) \
    const struct command symbol = {.id = command_id, .name = words, .run = function}

const struct command command_add_note_at_timestamp = {
    .id = "dev.perfetto.AddNoteAtTimestamp",
    .name = "Add a note at a time",
    .args = {{"timestamp", COMMAND_ARG_TIME, false, NULL}, {"text", COMMAND_ARG_TEXT, false, NULL}},
    .run = add_at_timestamp,
};
const struct command command_add_note_at_utc_timestamp = {
    .id = "dev.perfetto.AddNoteAtUtcTimestamp",
    .name = "Add a note at a time of day in UTC",
    .args = {{"timestamp", COMMAND_ARG_TEXT, false, NULL}, {"text", COMMAND_ARG_TEXT, false, NULL}},
    .run = add_at_utc,
};
const struct command command_add_note = {
    .id = "dev.perfetty.AddNote",
    .name = "Add a note at the cursor",
    .args = {{"text", COMMAND_ARG_TEXT, true, NULL}},
    .run = add_at_cursor,
};
const struct command command_mark_timestamp = {
    .id = "dev.perfetto.MarkTimestamp",
    .name = "Mark a time",
    .args = {{"timestamp", COMMAND_ARG_TIME, false, NULL}},
    .run = mark_timestamp,
};
const struct command command_add_span_note = {
    .id = "dev.perfetto.AddSpanNote",
    .name = "Add a note over the selection",
    .args = {{"text", COMMAND_ARG_TEXT, true, NULL}},
    .run = add_span,
};
NO_ARG(command_set_temporary_span_note, "dev.perfetto.SetTemporarySpanNote",
       "Measure the selection with a temporary note", set_temporary_span);
NO_ARG(command_remove_selected_note, "dev.perfetto.RemoveSelectedNote", "Remove the selected note",
       remove_selected);
const struct command command_set_note_text = {
    .id = "dev.perfetty.SetNoteText",
    .name = "Change the selected note's text",
    .args = {{"text", COMMAND_ARG_TEXT, false, NULL}},
    .run = set_note_text,
};
NO_ARG(command_next_note, "dev.perfetty.NextNote", "Go to the next note", next_note);
NO_ARG(command_previous_note, "dev.perfetty.PreviousNote", "Go to the previous note",
       previous_note);
const struct command command_set_mark = {
    .id = "dev.perfetty.SetMark",
    .name = "Set a mark at the cursor",
    .args = {{"letter", COMMAND_ARG_LETTER, false, NULL}},
    .run = set_mark,
};
const struct command command_go_to_mark = {
    .id = "dev.perfetty.GoToMark",
    .name = "Go to a mark",
    .args = {{"letter", COMMAND_ARG_LETTER, false, NULL}},
    .run = go_to_mark,
};
