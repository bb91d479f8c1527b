/* Notes at a time, notes over a span, and marks (letters).  Ids start at 1 and
 * are not used again.  The temporary span note is one of its own. */
#ifndef COMMANDS_NOTE_H
#define COMMANDS_NOTE_H

#include <stdbool.h>
#include <stdint.h>

#include "engine/base/vec.h"

struct session;

struct note {
    uint32_t id;
    bool is_span, is_temporary;
    int64_t start, end; /* equal for a note at a time */
    uint32_t colour;    /* counts up; the theme chooses */
    char *text;         /* "" when it has none */
};

struct note_list VEC_OF(struct note);

struct mark {
    bool set;
    int64_t ts;
    char *uri; /* of the track in focus then; may be NULL */
};
#define MARK_COUNT 52 /* a-z, A-Z */

uint32_t session_note_add(struct session *session, int64_t ts, const char *text);
uint32_t session_note_add_span(struct session *session, int64_t start, int64_t end,
                               const char *text, bool temporary);
const struct note *session_note_find(const struct session *session, uint32_t id);
bool session_note_remove(struct session *session, uint32_t id);
bool session_note_set_text(struct session *session, uint32_t id, const char *text);
/* -1 for what is no letter. */
int mark_index(const char *letter);

#endif
