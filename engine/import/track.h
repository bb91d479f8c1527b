/* Tracks and lanes of tracks (spec engine_2 2.1, appendix/tracks.tsv).
 *
 * A track is its type, its dimensions and its machine; asking again gives the
 * same row.  Events that overlap on one logical track go through a lane set,
 * which spreads them over as many tracks as needed, all of one track_group_id.
 */
#ifndef ENGINE_IMPORT_TRACK_H
#define ENGINE_IMPORT_TRACK_H

#include "engine/import/args.h"
#include "engine/import/import.h"

enum track_event_type { TRACK_SLICE, TRACK_COUNTER, TRACK_STATE };

/* One dimension: its key as in tracks.tsv ("utid", "cpu", "name" …). */
struct track_dimension {
    const char *key;
    bool is_string;
    int64_t integer;
    string_id string;
};

#define TRACK_MAX_DIMENSIONS 6

struct track_key {
    const char *type; /* "cpu_frequency" … */
    enum track_event_type event_type;
    uint32_t machine_id;
    uint32_t n_dimensions;
    struct track_dimension dimensions[TRACK_MAX_DIMENSIONS];
    uint64_t scope; /* extra identity that is shown nowhere (a file's own tracks); 0 as a rule */
};

static inline struct track_dimension dimension_int(const char *key, int64_t value)
{
    return (struct track_dimension){key, false, value, STRING_NULL};
}
static inline struct track_dimension dimension_string(const char *key, string_id value)
{
    return (struct track_dimension){key, true, 0, value};
}

/* Used when the track is made; ignored when it is there. */
struct track_info {
    string_id name;
    string_id unit;
    struct opt_uint32 parent_id;  /* track */
    struct arg_list *source_args; /* committed and emptied; may be NULL */
};

struct track_tracker *track_tracker_new(struct import *import);
void track_tracker_free(struct track_tracker *tracks);

/* The track's row.  Dimensions "utid" and "upid" also fill those columns. */
uint32_t track_intern(struct track_tracker *tracks, const struct track_key *key,
                      const struct track_info *info);

/* The plain track of a thread: type thread_execution, no name. */
uint32_t track_of_thread(struct track_tracker *tracks, uint32_t machine_id, uint32_t utid);
/* Counter tracks with one dimension, which most data sources need. */
uint32_t track_counter_of_cpu(struct track_tracker *tracks, uint32_t machine_id, const char *type,
                              uint32_t cpu, const char *name, const char *unit);

/* Lane sets: made like a track, named by the number that is returned. */
uint32_t track_lanes_intern(struct track_tracker *tracks, const struct track_key *key,
                            const struct track_info *info);
/* The lane (track row) for an event that begins, ends, or has both ends. */
uint32_t track_lane_begin(struct track_tracker *tracks, uint32_t set, int64_t cookie);
/* The same where a second begin of the cookie changes nothing (atrace's async). */
uint32_t track_lane_begin_once(struct track_tracker *tracks, uint32_t set, int64_t cookie);
uint32_t track_lane_end(struct track_tracker *tracks, uint32_t set, int64_t cookie);
uint32_t track_lane_scoped(struct track_tracker *tracks, uint32_t set, int64_t ts, int64_t dur);

#endif
