/* Call stacks with weights, gathered from a trace's tables: what a flamegraph is
 * made of.
 *
 * A profile is a tree of frames, the root first and parents before children, in
 * which each stack is a path and its weight stands at its last frame.  Each frame
 * has two weights: that of what is looked at, and that of what it is compared
 * with, which may come from another trace.  Frames are equal when name and
 * mapping are.  Gathering is linear in the rows of the source.
 *
 * Times are ns of the trace's own time; texts of a profile are its own.
 */
#ifndef COMMANDS_FLAME_PROFILE_H
#define COMMANDS_FLAME_PROFILE_H

#include "engine/base/arena.h"
#include "engine/base/map.h"
#include "engine/base/status.h"
#include "engine/base/thread.h"
#include "engine/base/vec.h"
#include "engine/store/tables.h"

/* ---- what is weighed ---- */

enum flame_source {
    FLAME_SAMPLES,     /* stack samples of any profiler, each once */
    FLAME_COUNTER,     /* the same by the counter that they carry */
    FLAME_EVENTS,      /* the same by simpleperf's count of an event type */
    FLAME_ALLOCATIONS, /* of a native heap */
    FLAME_HEAP_GRAPH,  /* Java objects */
    FLAME_AGGREGATE,   /* pprof, collapsed stacks: no times, no threads */
    FLAME_SLICES,      /* by duration */
};

enum flame_allocations {
    FLAME_UNRELEASED_SIZE,
    FLAME_UNRELEASED_COUNT,
    FLAME_TOTAL_SIZE,
    FLAME_TOTAL_COUNT
};
enum flame_objects {
    FLAME_OBJECT_SIZE,
    FLAME_OBJECT_COUNT,
    FLAME_DOMINATED_SIZE,
    FLAME_DOMINATED_COUNT
};

struct flame_metric {
    enum flame_source source;
    uint32_t which; /* event type, aggregate profile, or one of the enums above */
    char *key;      /* counter, event type or heap; NULL for others; owned */
    char *name;     /* "Samples", "Unreleased Malloc Size"; owned */
    char *unit;     /* "ns", "bytes", "samples", "objects", …; owned */
};

struct flame_metric_list VEC_OF(struct flame_metric);

/* Everything that the trace has to weigh, the likeliest first. */
void flame_metrics_list(const struct tables *tables, struct flame_metric_list *out);
void flame_metrics_free(struct flame_metric_list *list);
void flame_metric_copy(struct flame_metric *out, const struct flame_metric *in);
void flame_metric_dispose(struct flame_metric *metric);

/* ---- what it is weighed of ---- */

struct flame_scope {
    uint8_t trace;
    bool everything;    /* the lists below do not matter */
    int64_t start, end; /* [start, end) */
    int64_t trace_end;  /* of what never ended */
    struct flame_rows VEC_OF(uint32_t) utids, upids, tracks;
};

void flame_scope_copy(struct flame_scope *out, const struct flame_scope *in);
void flame_scope_dispose(struct flame_scope *scope);

/* Rows of the lists as sets, threads of processes included. */
struct flame_filter_sets {
    bool everything;
    uint8_t *threads, *processes, *tracks; /* by row; owned */
    uint32_t n_threads, n_processes, n_tracks;
};

void flame_sets_init(struct flame_filter_sets *sets, const struct tables *tables,
                     const struct flame_scope *scope);
void flame_sets_dispose(struct flame_filter_sets *sets);

static inline bool flame_sets_has(const uint8_t *set, uint32_t n, uint32_t row)
{
    return row < n && set[row];
}

/* ---- the profile ---- */

#define FLAME_NONE UINT32_MAX

struct flame_frame {
    struct str name, mapping; /* mapping may be STR_NONE */
    struct str file;          /* of its source; STR_NONE: not known */
    uint32_t line;
};

struct flame_stack {
    uint32_t parent, frame; /* FLAME_NONE at the root */
    double self[2];
};

struct flame_profile {
    struct arena arena;
    VEC(struct flame_frame) frames;
    VEC(struct flame_stack) stacks; /* the root first */
    struct map by_child;            /* parent << 32 | frame → stack */
    struct strmap by_name;          /* name NUL mapping → frame */
    double rows[2];                 /* samples, allocations, objects, slices taken in */
};

struct flame_profile *flame_profile_new(void);
void flame_profile_free(struct flame_profile *profile);
/* Adds what `scope` holds to side 0, or to side 1 (what it is compared with). */
bool flame_profile_add(struct flame_profile *profile, const struct tables *tables,
                       const struct flame_scope *scope, const struct flame_metric *metric,
                       unsigned side, struct cancel *cancel, struct status *st);

/* For the sources. */
uint32_t flame_profile_frame(struct flame_profile *profile, struct str name, struct str mapping);
uint32_t flame_profile_child(struct flame_profile *profile, uint32_t parent, uint32_t frame);

struct flame_input {
    struct flame_profile *profile;
    const struct tables *tables;
    const struct flame_scope *scope;
    const struct flame_metric *metric;
    unsigned side;
    struct cancel *cancel;
    struct flame_filter_sets sets;
};

/* Each adds one source; false when it was cancelled. */
bool flame_add_samples(const struct flame_input *in);
bool flame_add_allocations(const struct flame_input *in);
bool flame_add_aggregate(const struct flame_input *in);
bool flame_add_slices(const struct flame_input *in);
bool flame_add_objects(const struct flame_input *in);

/* Puts weights of callsites (by row) at their stacks, those below 0 as 0. */
bool flame_add_callsites(const struct flame_input *in, const double *weights);

/* For each of `n` nodes its closest dominator; n for those that more than one root
 * leads to, or that are roots; FLAME_NONE for those that no root leads to.
 * Edges of node i are targets[starts[i]..starts[i + 1]).  Owned by the caller. */
uint32_t *flame_dominators(uint32_t n, const uint32_t *starts, const uint32_t *targets,
                           const uint32_t *roots, uint32_t n_roots, struct cancel *cancel);

static inline bool flame_is_cancelled(const struct flame_input *in, uint32_t row)
{
    return (row & 0xFFFF) == 0 && cancel_is_requested(in->cancel);
}

#endif
