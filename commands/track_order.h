/* The order of tracks among their siblings (spec ui §5a): by `order`, then processes
 * by what is known of them, threads by their part in the process, the rest as
 * they were made. */
#ifndef COMMANDS_TRACK_ORDER_H
#define COMMANDS_TRACK_ORDER_H

#include "commands/track_tree.h"

/* What a process holds; by upid. */
struct process_facts {
    struct track_node *node;
    uint64_t heaps, graphs, samples, slices;
    int64_t run_ns;
};

void track_order_children(struct track_node_list *list, const struct tables *tables,
                          const struct process_facts *processes);

#endif
