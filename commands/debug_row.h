/* The row of a query behind an event of a debug track, with all of its columns: asked
 * for when somebody wants to see it, one at a time. */
#ifndef COMMANDS_DEBUG_ROW_H
#define COMMANDS_DEBUG_ROW_H

#include "commands/session.h"

struct debug_row;

/* Columns of the query other than those that the track is drawn from are called
 * "raw_" and their name.  NULL until it is there (session_poll takes it in), and when
 * it cannot be had.  Borrowed until another row is asked for. */
const struct result *session_debug_row(struct session *session, const struct debug_track *track,
                                       uint32_t row);
/* Whether that came since it was asked for: what was drawn without it is drawn again. */
bool session_debug_row_is_there(const struct session *session);
bool session_debug_row_is_running(const struct session *session);

void debug_row_poll(struct session *session);
void debug_row_free(struct debug_row *row); /* NULL is fine */

#endif
