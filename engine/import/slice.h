/* Slices, flows and counters (spec engine_2 2.1): the stack of each track.
 *
 * Calls come in order of time.  Arg lists are taken over and emptied; NULL is
 * fine.  Slice ids are rows of the slice table.
 */
#ifndef ENGINE_IMPORT_SLICE_H
#define ENGINE_IMPORT_SLICE_H

#include "engine/import/args.h"
#include "engine/import/import.h"
#include "engine/import/track.h"

#define NO_SLICE NULL_UINT32

struct slice_tracker *slice_tracker_new(struct import *import);
void slice_tracker_free(struct slice_tracker *slices);

/* Opens a slice (dur -1).  NO_SLICE when the stack is 512 deep. */
uint32_t slice_begin(const struct import_file *file, int64_t ts, uint32_t track, string_id category,
                     string_id name, struct arg_list *args);
/* Closes the innermost open slice that matches category and name (STRING_NULL
 * matches any).  NO_SLICE when there is none. */
uint32_t slice_end(const struct import_file *file, int64_t ts, uint32_t track, string_id category,
                   string_id name, struct arg_list *args);
/* A complete slice.  NO_SLICE when dur is negative, or when it partly overlaps
 * an open complete slice (stat slice_drop_overlapping_complete_event). */
uint32_t slice_scoped(const struct import_file *file, int64_t ts, int64_t dur, uint32_t track,
                      string_id category, string_id name, struct arg_list *args);
/* Would slice_scoped drop it for overlapping?  Asked before it is called, by
 * importers that have another lane to put it on. */
bool slice_would_overlap(const struct import_file *file, int64_t ts, int64_t dur, uint32_t track);

/* The innermost slice that is open on the track at ts, or NO_SLICE. */
uint32_t slice_top(const struct import_file *file, int64_t ts, uint32_t track);
/* The slice that came last and that nothing has closed yet: it may have ended
 * before now.  Legacy flows are bound to it. */
uint32_t slice_last(const struct import_file *file, uint32_t track);
/* Merges more args into a slice, open or closed. */
void slice_add_args(const struct import_file *file, uint32_t slice, struct arg_list *args);
/* Atrace's async rule: a begin on a lane that is open only updates the args
 * legacy_unnestable_begin_count and legacy_unnestable_last_begin_ts. */
uint32_t slice_begin_unnestable(const struct import_file *file, int64_t ts, uint32_t track,
                                string_id category, string_id name, struct arg_list *args);
/* Commits what is pending.  Open slices keep dur -1. */
void slice_tracker_finish(struct slice_tracker *slices);

struct flow_tracker *flow_tracker_new(struct import *import);
void flow_tracker_free(struct flow_tracker *flows);

/* Flows v2: `flow` is the 64-bit id.  Bound to slice ids (NO_SLICE is counted as
 * flow_no_enclosing_slice). */
void flow_begin(const struct import_file *file, uint32_t slice, uint64_t flow);
void flow_step(const struct import_file *file, uint32_t slice, uint64_t flow);
void flow_end(const struct import_file *file, uint32_t slice, uint64_t flow, bool close);
bool flow_is_active(const struct import_file *file, uint64_t flow);
/* v1: keyed by (id, category, name), numbered by a counter. */
uint64_t flow_id_v1(const struct import_file *file, uint64_t id, string_id category,
                    string_id name);
/* Ends the flow at the next slice that begins on the track. */
void flow_end_at_next_slice(const struct import_file *file, uint32_t track, uint64_t flow);
/* GPU work: a stage has a number, which who submits it or waits for it names, in
 * any order.  Arrows are made at the end, in flow_tracker_finish. */
enum gpu_link { GPU_LINK_SUBMISSION, GPU_LINK_STAGE, GPU_LINK_WAIT };
void flow_link_gpu(const struct import_file *file, enum gpu_link kind, uint64_t event_id,
                   uint32_t slice);
void flow_tracker_finish(struct flow_tracker *flows);
/* One arrow, given both ends. */
void flow_insert(const struct import_file *file, uint32_t slice_out, uint32_t slice_in,
                 struct opt_int64 flow);

/* A counter value; returns its row. */
uint32_t counter_push(const struct import_file *file, int64_t ts, uint32_t track, double value,
                      struct arg_list *args);

/* A counter of a process that is known by one of its threads only.  The track,
 * `process_type`(upid, …) or, when the thread never gets a process,
 * `thread_type`(utid, …), is found at the end of the load. */
struct thread_counter {
    const char *process_type, *thread_type; /* constants */
    string_id name, unit;                   /* of the track */
    uint32_t n_dimensions;                  /* after upid or utid */
    struct track_dimension dimensions[2];
};
uint32_t counter_push_for_thread(const struct import_file *file, int64_t ts, uint32_t utid,
                                 const struct thread_counter *counter, double value,
                                 struct arg_list *args);

/* State tracks: closes the open state of the track, opens the next one (value
 * STRING_NULL only closes). */
void state_push(const struct import_file *file, int64_t ts, uint32_t track, string_id category,
                string_id value, struct arg_list *args);

#endif
