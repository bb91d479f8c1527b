/* One event of any table, and its neighbours on its track: what selections,
 * "next event" and details are made of.  Times are session time. */
#ifndef COMMANDS_EVENT_H
#define COMMANDS_EVENT_H

#include "commands/session.h"

struct event {
    enum event_table table;
    uint8_t trace;
    uint32_t id;
    int64_t ts, dur;               /* dur >= 0: what never ended lasts to the end of the trace */
    bool unfinished;               /* dur was -1 */
    uint32_t depth;                /* on its node, lanes included */
    struct str name;               /* as drawn; borrowed from the tables or the debug track */
    const struct track_node *node; /* that shows it; of the default workspace */
    const struct debug_track *debug;
};

/* False when there is no such row. */
bool event_get(struct session *session, uint8_t trace, enum event_table table, uint32_t id,
               struct event *out);
bool event_get_debug(struct session *session, const struct track_node *node, uint32_t row,
                     struct event *out);
/* The event of `node` at `depth` that covers `ts`; with `depth` beyond its
 * depths, the deepest one there. */
bool event_at(struct session *session, const struct track_node *node, uint32_t depth, int64_t ts,
              struct event *out);
/* The event nearest to `ts` within `slack` ns at that depth. */
bool event_near(struct session *session, const struct track_node *node, uint32_t depth, int64_t ts,
                int64_t slack, struct event *out);
/* Next (or previous) one in order of (ts, id): after the event with `id` at
 * `ts`; `after_id` -1 takes the first after ts (the last before it). */
bool event_step(struct session *session, const struct track_node *node, int64_t ts,
                int64_t after_id, bool forward, struct event *out);
/* Selects an event as it was found, on the node it was found on. */
void session_select_found(struct session *session, const struct event *event);
bool event_of_selection(struct session *session, struct event *out);

const char *event_table_name(enum event_table table); /* as SQL knows it */

#endif
