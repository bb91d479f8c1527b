/* Tracks made of a query's rows (spec ui §8): slices (ts, dur, and a name, else
 * they are called as the track) or a counter (ts, value).  The rows are copied out of the SQL table
 * __debug_track_N, sorted by time; slices that overlap are spread over depths. */
#ifndef COMMANDS_DEBUG_TRACK_H
#define COMMANDS_DEBUG_TRACK_H

#include "engine/base/arena.h"
#include "engine/engine.h"

struct debug_track {
    uint32_t number; /* N of __debug_track_N */
    uint8_t trace;
    bool is_counter;
    const char *title, *sql;
    uint32_t n_rows, n_depths;
    int64_t *ts;          /* n_rows, ascending */
    int64_t *dur;         /* slices; -1: not ended */
    uint32_t *depth;      /* slices */
    struct str *name;     /* slices */
    double *value;        /* counters */
    uint32_t *source_row; /* row of __debug_track_N */
    double least, most;   /* of value */
    struct arena arena;   /* owns all of the above */
};

#define DEBUG_TRACK_MAX_ROWS   5000000u
#define DEBUG_TRACK_MAX_PIVOTS 1000u

struct session;

/* What AddDebug…Track asks for. */
struct debug_request {
    bool is_counter;
    enum engine_origin origin;
    const char *sql, *title;
    const char *pivot; /* a column; NULL: one track */
};

/* Runs the query and pins a track for all rows, or for each value of the pivot
 * column (NULL is a value). */
bool session_add_debug_tracks(struct session *session, uint8_t trace,
                              const struct debug_request *request, struct status *st);
/* Takes a track out of every workspace and, with the last one of a query, drops
 * its SQL table.  False when it was gone already. */
bool session_remove_debug_track(struct session *session, const struct debug_track *track);

#endif
