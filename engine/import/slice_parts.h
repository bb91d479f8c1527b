/* What slice.c, flow.c, counter.c and state.c share and nobody else needs: the
 * parts of struct slice_tracker that have a file of their own, and the hook by
 * which a flow that waits for the next slice of a track hears of it. */
#ifndef ENGINE_IMPORT_SLICE_PARTS_H
#define ENGINE_IMPORT_SLICE_PARTS_H

#include "engine/import/slice.h"

struct pending_counters;
struct open_states;

struct pending_counters *slice_tracker_counters(struct slice_tracker *slices);
struct open_states *slice_tracker_states(struct slice_tracker *slices);

struct pending_counters *pending_counters_new(struct import *import);
void pending_counters_flush(struct pending_counters *counters);
void pending_counters_free(struct pending_counters *counters);

struct open_states *open_states_new(struct import *import);
void open_states_finish(struct open_states *states);
void open_states_free(struct open_states *states);

/* A slice has begun on the track. */
void flow_slice_began(const struct import_file *file, uint32_t track, uint32_t slice);

#endif
