/* What a person made of a session, as JSON, and back: pins, workspaces, folds, tabs
 * with their SQL and shape, notes, marks, window, cursor, and how times are shown.
 *
 *     {"version": 1, "window": [s, e], "cursor": t, "workspaces": [{"title", "pins": [uri],
 *      "tracks": [[depth, uri]]}], "folds": {"closed": [uri], …}, "notes": […], "marks": {…},
 *      "tabs": [{"title", "sql", …}], …}
 *
 * Times are ns of session time.  Tracks are named by uri; one that the trace lacks now
 * is left out.  Debug tracks, pages, results and the selection are not kept.
 *
 * Only SQL of the person's own is kept (tab.h, origin), and nothing that startup
 * commands made: reading a session back never runs what a trace brought along.
 */
#ifndef COMMANDS_SESSION_JSON_H
#define COMMANDS_SESSION_JSON_H

#include "commands/session.h"
#include "engine/extensions/json.h"

#define SESSION_JSON_VERSION 1

/* How the default workspace was folded when the trace was opened. */
struct session_folds {
    uint8_t *flags; /* of each node of its tree, in the order of track_tree.all */
    size_t count;
};
void session_folds_take(const struct session *session, struct session_folds *out);
void session_folds_dispose(struct session_folds *folds);

/* Ids that startup commands took: [from, to). */
struct session_startup_ids {
    uint32_t tabs_from, tabs_to, notes_from, notes_to;
};

json_t *session_json_write(const struct session *session, const struct session_folds *folds,
                           const struct session_startup_ids *startup);

/* What was read back, for a message. */
struct session_json_counts {
    size_t pins, workspaces, notes, marks, tabs;
    size_t gone; /* tracks that the trace lacks */
};

/* Puts it into a session that holds one trace.  Nothing there is trusted: what is no
 * such value is left out, and the status (false) names the first of them. */
bool session_json_read(struct session *session, const json_t *json,
                       struct session_json_counts *counts, struct status *st);

/* Takes everything that is kept back to how it was when the trace was opened. */
void session_json_clear(struct session *session, const struct session_folds *folds,
                        const struct session_startup_ids *startup);

#endif
