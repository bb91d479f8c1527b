#include "commands/note.h"

#include <string.h>

#include "commands/session.h"
#include "engine/base/memory.h"

static uint32_t add(struct session *session, struct note note, const char *text)
{
    note.id = session->note_next_id++;
    note.colour = note.id - 1;
    note.text = mem_strdup(text ? text : "");
    vec_push(&session->notes, note);
    session_changed(session);
    return note.id;
}

uint32_t session_note_add(struct session *session, int64_t ts, const char *text)
{
    return add(session, (struct note){.start = ts, .end = ts}, text);
}

uint32_t session_note_add_span(struct session *session, int64_t start, int64_t end,
                               const char *text, bool temporary)
{
    if (end < start) {
        int64_t swap = start;
        start = end;
        end = swap;
    }
    for (size_t i = 0; temporary && i < session->notes.count; i++) {
        struct note *note = &session->notes.items[i];
        if (!note->is_temporary) continue;
        note->start = start;
        note->end = end;
        session_changed(session);
        return note->id;
    }
    return add(
        session,
        (struct note){.is_span = true, .is_temporary = temporary, .start = start, .end = end},
        text);
}

static struct note *find(const struct session *session, uint32_t id)
{
    for (size_t i = 0; i < session->notes.count; i++)
        if (session->notes.items[i].id == id) return &session->notes.items[i];
    return NULL;
}

const struct note *session_note_find(const struct session *session, uint32_t id)
{
    return find(session, id);
}

bool session_note_remove(struct session *session, uint32_t id)
{
    struct note *note = find(session, id);
    if (!note) return false;
    mem_free(note->text);
    size_t at = (size_t)(note - session->notes.items);
    memmove(note, note + 1, (session->notes.count - at - 1) * sizeof *note);
    session->notes.count--;
    if (session->selection.kind == SELECTION_NOTE && session->selection.id == id)
        session_select_none(session);
    session_changed(session);
    return true;
}

bool session_note_set_text(struct session *session, uint32_t id, const char *text)
{
    struct note *note = find(session, id);
    if (!note) return false;
    mem_free(note->text);
    note->text = mem_strdup(text);
    session_changed(session);
    return true;
}

int mark_index(const char *letter)
{
    if (!letter[0] || letter[1]) return -1;
    if (letter[0] >= 'a' && letter[0] <= 'z') return letter[0] - 'a';
    if (letter[0] >= 'A' && letter[0] <= 'Z') return 26 + letter[0] - 'A';
    return -1;
}
