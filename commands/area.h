/* What a span of time and some tracks hold, in tables: threads, states, slices,
 * counters, flows, frames (spec ui §6).
 *
 * The area is the selected one; without one, the visible window over all tracks.
 * It is [start, end) of session time.  An event counts with its part inside, an
 * instant when it lies inside; what never ended lasts to the end of the trace.
 * Frames alone count with their whole length, for a part of one says nothing
 * about jank.  An area over groups is one over all that is below them.
 *
 * A table looks at the selected tracks of its kind (CPUs, thread states, slices,
 * counters); where none is, at those of the threads and processes that the
 * selected tracks belong to.
 *
 * Each is a query tab of its own tag: it comes out of `perfetty run` as a file.
 * The tab that is shown follows the selection when it is another area.  Columns
 * that end in "dur" are ns.
 */
#ifndef COMMANDS_AREA_H
#define COMMANDS_AREA_H

#include "commands/session.h"

struct area_ids VEC_OF(uint32_t);

/* An area in terms of one trace. */
struct area_scope {
    uint8_t trace;
    bool is_selected;              /* else the window */
    bool everything;               /* no track narrows it */
    int64_t start, end, trace_end; /* trace time, ns; end > start */
    struct area_ids ucpus, utids, upids;
    struct area_ids slice_tracks, counter_tracks; /* rows of `track` */
    size_t n_tracks;                              /* selected ones */
};

/* Of the selected area, else of the window; owned. */
struct area_scope *area_scope_new(const struct session *session);
void area_scope_free(struct area_scope *scope); /* NULL is fine */

enum area_view {
    AREA_CPU_BY_THREAD,
    AREA_CPU_BY_PROCESS,
    AREA_STATES,
    AREA_SLICES,
    AREA_COUNTERS,
    AREA_FLOWS,
    AREA_FRAMES,
    AREA_FTRACE,
    AREA_VIEWS,
};

/* `pivot`: of states "thread", "process", "state" or "cpu"; of slices "name",
 * "thread", "process" or "track"; else not looked at. */
void area_write_sql(const struct area_scope *scope, enum area_view view, const char *pivot,
                    struct buffer *out);

/* The events that a row of a view sums: those whose cells agree with the row's. */
bool area_write_rows_sql(const struct area_scope *scope, enum area_view view, const char *pivot,
                         const struct result *result, uint64_t row, struct buffer *out);

/* Opens the events of a row in a tab; false for a view whose rows stand for no single
 * kind of event (flows). */
bool session_open_area_rows(struct session *session, const struct tab *tab, uint64_t row,
                            struct status *st);
/* Runs the shown tab again when it is one of an area and the area is another
 * one now.  While it runs, the rows from before stay. */
void session_follow_area_tab(struct session *session);
bool tab_is_of_area(const struct tab *tab);

#endif
