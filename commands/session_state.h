/* What a person made of a trace, remembered for the next time the same content is
 * opened, under whatever name.
 *
 *   $XDG_STATE_HOME/perfetty/sessions/CONTENT.json         at the end, and now and then
 *   $XDG_STATE_HOME/perfetty/sessions/CONTENT.quick.json   of Quicksave
 *
 * CONTENT is a trace's id (content_id.h); what the files hold is in session_json.h.
 * They are written to a new file that is renamed, are the person's alone (0600), and
 * the oldest go when there are too many.  One that is damaged is a message.
 *
 *     state = session_state_new(session, &options);
 *     session_state_restore(state);       after the tracks are there
 *     … startup commands …
 *     session_state_begin(state);         what they made is not the person's
 *     session_state_tick(state, now) …    from the main loop
 *     session_state_end(state);           at a clean end
 *
 * A trace without an id, and a session of two traces, are not remembered.
 */
#ifndef COMMANDS_SESSION_STATE_H
#define COMMANDS_SESSION_STATE_H

#include "commands/session.h"
#include "engine/base/sha256.h"

#define SESSION_STATE_MOST_FILES 200
#define SESSION_STATE_PAUSE_NS   (INT64_C(20) * 1000000000) /* between two writes */

struct session_state_options {
    char content[SHA256_HEX]; /* "": it has none */
    const char *title;        /* of the trace, for people; borrowed */
    bool is_clean;            /* --clean: neither read nor written, but by command */
    bool is_off;              /* the same, by the setting "restoreSession" */
};

struct session_state;

/* The session (borrowed) holds its trace.  Registers Quicksave, Quickload,
 * RestoreDefaults and ForgetSession, which last as long as the session. */
struct session_state *session_state_new(struct session *session,
                                        const struct session_state_options *options);
void session_state_free(struct session_state *state);

void session_state_restore(struct session_state *state);
void session_state_begin(struct session_state *state);
/* Writes when something changed and the last time is long enough ago; `now` is of
 * clock_now_ns. */
void session_state_tick(struct session_state *state, int64_t now);
void session_state_end(struct session_state *state);

#endif
