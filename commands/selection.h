/* What is selected: one thing at a time (spec ui §6), by names that survive a
 * rebuild of the tree. */
#ifndef COMMANDS_SELECTION_H
#define COMMANDS_SELECTION_H

#include "engine/base/vec.h"
#include "engine/base/status.h"

struct session;

/* Tables whose rows can be selected. */
enum event_table {
    EVENT_SLICE,
    EVENT_SCHED,
    EVENT_THREAD_STATE,
    EVENT_COUNTER,
    EVENT_STATE,
    EVENT_SAMPLE, /* profiler_sample */
    EVENT_HEAP,   /* heap_profile */
    EVENT_HEAP_GRAPH,
    EVENT_FTRACE,
    EVENT_LOG,
    EVENT_DEBUG, /* a row of a debug track */
};

enum selection_kind {
    SELECTION_NONE,
    SELECTION_EVENT,
    SELECTION_TRACK,
    SELECTION_AREA,
    SELECTION_NOTE,
};

struct uri_list VEC_OF(char *);

struct selection {
    enum selection_kind kind;
    enum event_table table; /* of an event */
    uint8_t trace;
    uint32_t id;            /* row of the table; number of the note */
    char *uri;              /* of the event's or the selected track; owned */
    int64_t start, end;     /* of an area; of an event: its span, end >= start */
    uint32_t depth;         /* of an event on its track, lanes included */
    struct uri_list tracks; /* of an area; empty: all tracks */
};

void selection_copy(struct selection *out, const struct selection *in);
void selection_dispose(struct selection *selection); /* leaves SELECTION_NONE */

/* Selecting changes nothing else; session_show_selection goes there. */
void session_select_none(struct session *session);
/* False when the table has no such row, or no track shows it. */
bool session_select_event(struct session *session, uint8_t trace, enum event_table table,
                          uint32_t id, struct status *st);
/* A row of a debug track is found through its track only. */
bool session_select_debug(struct session *session, const char *uri, uint32_t row,
                          struct status *st);
void session_select_track(struct session *session, const char *uri);
/* Takes copies of the uris; none means all tracks. */
void session_select_area(struct session *session, int64_t start, int64_t end,
                         const char *const *uris, uint32_t n_uris);
void session_select_note(struct session *session, uint32_t note_id);
/* Puts focus and cursor on the selected event and scrolls until it is seen. */
void session_show_selection(struct session *session);
/* The next or previous event on the selected event's track, or on the one in
 * focus, seen from the cursor. */
bool session_select_neighbour(struct session *session, bool forward, struct status *st);
/* While an area is open it ends at the cursor and the row in focus. */
void session_follow_area(struct session *session);
bool selection_has_track(const struct selection *selection, const char *uri);

#endif
