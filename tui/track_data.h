/* What is drawn of a track, prepared: a pyramid for each depth, or a load curve.
 *
 * Made at first sight of a track; small ones at once, large ones on the worker
 * (get returns NULL until then, and the owner is woken).  Keyed by the node's
 * uri, so that a track and its pinned copy share one.  Names are looked up when
 * they are drawn.
 */
#ifndef TUI_TRACK_DATA_H
#define TUI_TRACK_DATA_H

#include "commands/session.h"
#include "engine/store/load_curve.h"
#include "engine/store/pyramid.h"

/* What one event of a pyramid is called and coloured by. */
enum track_data_kind {
    TRACK_DATA_SLICES,
    TRACK_DATA_SCHED,
    TRACK_DATA_STATES, /* thread states */
    TRACK_DATA_STATE_TRACK,
    TRACK_DATA_COUNTER,
    TRACK_DATA_INSTANTS,
    TRACK_DATA_LOAD, /* busy share only: summaries */
    TRACK_DATA_DEBUG_SLICES,
};

struct track_data {
    enum track_data_kind kind;
    struct pyramid **depths; /* n_depths; an empty depth is NULL */
    uint32_t n_depths;
    struct load_curve *load; /* of TRACK_DATA_LOAD; NULL when nothing ran */
    double least, most;      /* of a counter */
    bool holds_frames;       /* slices are frames as they came */
    uint32_t cpus;           /* of a load: how many it is a share of */
    struct track_data_job *job;
};

struct track_data_cache;

/* `worker` builds the large ones; NULL: all at once. */
struct track_data_cache *track_data_cache_new(struct worker *worker);
void track_data_cache_free(struct track_data_cache *cache);
/* Forgets everything (another trace, a rebuilt tree). */
void track_data_cache_clear(struct track_data_cache *cache);
/* NULL while it is being built, and for nodes that draw nothing. */
const struct track_data *track_data_get(struct track_data_cache *cache, struct session *session,
                                        const struct track_node *node);
/* The whole trace as one load row; NULL while it is being built. */
const struct track_data *track_data_overview(struct track_data_cache *cache,
                                             struct session *session);
/* Something is still being built. */
bool track_data_is_busy(const struct track_data_cache *cache);

#endif
