/* Tracks of the current workspace whose name, or path, a JavaScript regex finds
 * (spec ui §8 "Pinning by regex"): in pre-order, headless nodes never, pinned and
 * debug tracks never, groups too, whatever is folded. */
#ifndef COMMANDS_TRACK_MATCH_H
#define COMMANDS_TRACK_MATCH_H

#include "commands/session.h"

/* Names (or paths) against `pattern` within one time budget.  False on a bad
 * pattern and when the time is over.  The caller frees `out` with vec_free. */
bool session_match_tracks(struct session *session, const char *pattern, const char *name_or_path,
                          struct track_node_list *out, struct status *st);
/* "0 tracks match /Frame.*" and what to try. */
void session_say_no_match(struct session *session, const char *pattern, const char *name_or_path);
/* Copies nodes with all below them to the workspace of that title, which is made
 * when there is none, and says how many. */
void session_copy_tracks(struct session *session, const struct track_node_list *nodes,
                         const char *title, bool ancestors);
/* A track of the current workspace by its uri, its path, or its whole name; NULL. */
struct track_node *session_find_track(struct session *session, const char *text);
/* The trace that commands without a better hint ask: that of the focus. */
uint8_t session_trace_in_focus(const struct session *session);

#endif
