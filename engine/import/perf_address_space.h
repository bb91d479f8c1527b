/* What lies where in one process's memory: ranges in order, without overlaps.
 *
 * A new range takes its place from older ones, which keep what sticks out.  Kept in
 * chunks, so that a hostile order of many ranges costs no more than a friendly one:
 * O(log n) to find, O(chunk) to add.
 */
#ifndef ENGINE_IMPORT_PERF_ADDRESS_SPACE_H
#define ENGINE_IMPORT_PERF_ADDRESS_SPACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/base/strpool.h"
#include "engine/base/vec.h"

/* What Linux allows a process (vm.max_map_count). */
#define PERF_MAX_MAPPINGS 65536

struct perf_mapping {
    uint64_t start, end, offset; /* [start, end) */
    string_id name;
    uint32_t row; /* of stack_profile_mapping */
    bool is_kernel;
};

struct perf_chunk VEC_OF(struct perf_mapping);

/* All zero is empty. */
struct perf_address_space {
    VEC(struct perf_chunk) chunks; /* none is empty */
    size_t count;                  /* of mappings */
};

void perf_address_space_dispose(struct perf_address_space *space);
/* False when it is full.  An empty range is an error of the caller. */
bool perf_address_space_add(struct perf_address_space *space, const struct perf_mapping *mapping);
/* NULL when nothing lies there.  Good until the next change. */
const struct perf_mapping *perf_address_space_find(const struct perf_address_space *space,
                                                   uint64_t address);
/* `to` becomes what `from` is. */
void perf_address_space_copy(struct perf_address_space *to, const struct perf_address_space *from);

#endif
