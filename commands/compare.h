/* A second trace beside the first: it comes and goes, its times are moved so that
 * something of both lies in one column, and tables say what differs.
 *
 * The first trace (A) gives session time and never moves; the second (B) has the
 * offset.  SQL, details and areas are of the trace of the row in focus.
 */
#ifndef COMMANDS_COMPARE_H
#define COMMANDS_COMPARE_H

#include "commands/session.h"

/* Puts a trace below the one that is there, start under start; window, cursor, focus
 * and selection stay.  Engine and worker stay the caller's; a second trace that is
 * there has to be closed first. */
void session_add_compared(struct session *session, struct engine *engine, struct worker *worker,
                          const char *title);
/* Takes the second trace out with everything that names it: selection, pins, tabs,
 * debug tracks, hits, jumps.  Nothing of the session reads it afterwards. */
void session_remove_compared(struct session *session);
bool session_is_comparing(const struct session *session);

/* Moves the second trace; what is selected there moves along. */
void session_set_offset(struct session *session, int64_t offset_ns);

/* The track of the other trace that has the same path, numbers of processes and
 * threads aside (two runs have other pids); NULL. */
struct track_node *session_counterpart(struct session *session, const struct track_node *node);

/* 'A' or 'B'. */
char session_trace_letter(uint8_t trace);

#endif
