/* The tracks of a trace as a tree (spec ui §5a): what the timeline draws and what
 * the commands that match names look at.
 *
 * A node shows rows of one table: which ones is told by its kind and by track
 * ids, ucpu, utid, upid or a debug track.  A group shows nothing, or a summary
 * of what is below it.  A uri names what a node shows; it is the same in every
 * workspace and in the pinned list, and survives a rebuild of the tree.
 *
 * Nodes live until their tree is freed and never move.  The children of a node
 * are in the order in which they are drawn.  Strings are owned by the tree.  A
 * headless node has no row: its children are drawn at its level.
 */
#ifndef COMMANDS_TRACK_TREE_H
#define COMMANDS_TRACK_TREE_H

#include "engine/base/arena.h"
#include "engine/base/buffer.h"
#include "engine/base/map.h"
#include "engine/base/vec.h"
#include "engine/store/tables.h"

enum track_kind {
    TRACK_KIND_GROUP,        /* a heading */
    TRACK_KIND_PROCESS,      /* a group with upid; summary: CPU use, else slice density */
    TRACK_KIND_THREAD,       /* a group with utid; headless unless it stands for a process */
    TRACK_KIND_CPU_SCHED,    /* sched_slice of ucpu */
    TRACK_KIND_CPU_FREQ,     /* counter of tracks[0], and idle states of idle_track */
    TRACK_KIND_THREAD_STATE, /* thread_state of utid */
    TRACK_KIND_SLICES,       /* slice of tracks[…]: one track, or the lanes of one group */
    TRACK_KIND_COUNTER,      /* counter of tracks[0] */
    TRACK_KIND_STATE,        /* state of tracks[0] */
    TRACK_KIND_SAMPLES,      /* profiler_sample of utid, else of upid, of one source */
    TRACK_KIND_HEAP,         /* heap_profile of upid, of one source (the heap's name) */
    TRACK_KIND_HEAP_GRAPH,   /* heap_graph of upid */
    TRACK_KIND_FTRACE,       /* ftrace_event of ucpu */
    TRACK_KIND_LOGS,         /* logs of one source */
    TRACK_KIND_DEBUG_SLICES, /* rows of `debug` */
    TRACK_KIND_DEBUG_COUNTER,
};

struct debug_track;
struct track_node;

struct track_node_list VEC_OF(struct track_node *);

/* Lanes are drawn below one another: lane i begins at depth lane_start[i]. */
/* What a counter's row shows of it. */
enum counter_mode {
    COUNTER_VALUE,
    COUNTER_DELTA, /* from each sample to the next */
    COUNTER_RATE   /* that, a second */
};
enum counter_scale { COUNTER_SCALE_ZERO, COUNTER_SCALE_MIN_MAX, COUNTER_SCALE_LOG };

struct track_node {
    enum track_kind kind;
    uint8_t trace; /* which trace of the session */
    bool headless;
    bool collapsed;                      /* children are hidden */
    bool flat;                           /* only the first depth is drawn (folded slices) */
    bool removable;                      /* a debug track */
    uint8_t counter_mode, counter_scale; /* enum counter_mode, enum counter_scale */
    bool by_name;  /* among siblings of equal order that have it too, by name */
    int32_t order; /* among siblings, ascending */
    int64_t rank;  /* among those of equal order, ascending */
    const char *name, *uri;
    const char *source;        /* of samples, heaps and logs; else NULL */
    const char *unit;          /* of a counter; may be NULL */
    uint32_t place;            /* among siblings; a hint, kept by track_tree_next */
    struct track_node *parent; /* NULL at the top */
    struct track_node_list children;

    const uint32_t *tracks; /* rows of `track` */
    const uint32_t *lane_start;
    uint32_t n_tracks;
    uint32_t idle_track;             /* NULL_UINT32: none */
    uint32_t depths;                 /* rows of slices that it has; 1 for all other kinds */
    uint32_t utid, upid, ucpu;       /* NULL_UINT32: none */
    uint64_t events;                 /* slices (samples …) that it, or a process, holds */
    const struct debug_track *debug; /* owned by the session */
};

struct track_tree {
    struct arena arena;
    struct track_node root;     /* no row; its children are the top level */
    struct track_node_list all; /* owned, with the root's exception */
    struct strmap by_uri;       /* → index in `all` */
    struct map by_track;        /* trace << 32 | track row → index in `all` */
};

void track_tree_init(struct track_tree *tree);
void track_tree_dispose(struct track_tree *tree);

/* Adds everything that a trace holds below `below` (the root, or a group of the
 * trace).  Reads the tables inside their gate; O(rows of slice and track). */
void track_tree_build(struct track_tree *tree, struct track_node *below, uint8_t trace,
                      const struct tables *tables);

/* A new node at the end of `parent`'s children; strings are copied. */
struct track_node *track_tree_add(struct track_tree *tree, struct track_node *parent,
                                  enum track_kind kind, const char *name, const char *uri);
/* A copy in `tree`, with its children when `deep`, at the end of `parent`. */
struct track_node *track_tree_copy(struct track_tree *tree, struct track_node *parent,
                                   const struct track_node *node, bool deep);
/* Takes a node (and what is below it) out of its parent's list; it stays in the
 * arena until the tree is freed. */
void track_tree_remove(struct track_tree *tree, struct track_node *node);

struct track_node *track_tree_find(const struct track_tree *tree, const char *uri);
/* The node that draws a row of `track`; NULL when none does. */
struct track_node *track_tree_find_track(const struct track_tree *tree, uint8_t trace,
                                         uint32_t track);
/* Next in pre-order below `within`; NULL at the end.  Start with node = within. */
struct track_node *track_tree_next(const struct track_node *within, const struct track_node *node);
/* The same, without what is below `node`. */
struct track_node *track_tree_next_after(const struct track_node *within,
                                         const struct track_node *node);

/* Unfolds every group above `node`. */
void track_node_reveal(struct track_node *node);
/* Names from the top joined by " > ", without headless and unnamed ancestors. */
void track_node_path(const struct track_node *node, struct buffer *out);
bool track_node_is_below(const struct track_node *node, const struct track_node *ancestor);
/* The depth at which a track's own depth 0 is drawn. */
uint32_t track_node_lane_start(const struct track_node *node, uint32_t track);

/* "process name pid" and "thread name tid" as the tree writes them. */
void track_process_name(const struct tables *tables, uint32_t upid, struct buffer *out);
void track_thread_name(const struct tables *tables, uint32_t utid, struct buffer *out);
/* " (machine N)" where there are several and this is not the first. */
void track_machine_append(const struct tables *tables, const struct column *machine, uint32_t row,
                          struct buffer *out);
/* An argument of a set, or a dimension of a track; false, or STR_NONE, when it
 * has none of that key. */
bool track_arg_int(const struct tables *tables, uint32_t set, const char *key, int64_t *out);
struct str track_arg_text(const struct tables *tables, uint32_t set, const char *key);
bool track_dimension_int(const struct tables *tables, uint32_t track, const char *key,
                         int64_t *out);

#endif
