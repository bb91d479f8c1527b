/* The graph that ties clocks together (spec engine_1 1.8): nodes are clocks of a
 * machine, a file or a sequence; a snapshot ties all its nodes pairwise.
 *
 * Snapshots of the same nodes form a group, whose readings are one table with a
 * row for each snapshot.  A hop from one node of a group to another takes the last
 * row at or before the time (the first one when the time precedes all) and adds
 * the difference of the two readings there.
 */
#ifndef ENGINE_IMPORT_CLOCK_GRAPH_H
#define ENGINE_IMPORT_CLOCK_GRAPH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct clock_graph;

#define CLOCK_NO_NODE  UINT32_MAX
#define CLOCK_MAX_HOPS 4

struct clock_key {
    uint32_t clock_id, machine_id;
    uint32_t file_tag; /* 0: of the machine; else file id + 1 */
    uint32_t sequence;
};

struct clock_graph *clock_graph_new(void);
void clock_graph_free(struct clock_graph *graph);

/* CLOCK_NO_NODE when it is not there. */
uint32_t clock_graph_find(const struct clock_graph *graph, const struct clock_key *key);
uint32_t clock_graph_intern(struct clock_graph *graph, const struct clock_key *key);
const struct clock_key *clock_graph_key(const struct clock_graph *graph, uint32_t node);

/* Ties the nodes, which are all different, at these readings (ns).  A node that
 * runs backwards leads nowhere any more, others still lead to it. */
void clock_graph_add(struct clock_graph *graph, const uint32_t *nodes, const int64_t *values,
                     size_t n);
/* The latest reading of the first of these nodes in the group of exactly these
 * nodes; false when there is none yet. */
bool clock_graph_last(const struct clock_graph *graph, const uint32_t *nodes, size_t n,
                      size_t which, int64_t *value);
/* True when a snapshot has it. */
bool clock_graph_is_tied(const struct clock_graph *graph, uint32_t node);

/* False when there is no path of at most CLOCK_MAX_HOPS. */
bool clock_graph_convert(struct clock_graph *graph, uint32_t from, int64_t value, uint32_t to,
                         int64_t *out);

#endif
