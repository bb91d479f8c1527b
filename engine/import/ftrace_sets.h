/* Arg sets of kernel events, found by a 64-bit hash of what they are made from
 * before they are built: most events repeat an earlier one.
 *
 * One cache line a look-up: slots of 16 bytes, open addressing, at most half full.
 * Past FTRACE_SETS_MAX entries nothing more is remembered, so a trace in which
 * every event is new does not fill memory with hashes.
 */
#ifndef ENGINE_IMPORT_FTRACE_SETS_H
#define ENGINE_IMPORT_FTRACE_SETS_H

#include <stdbool.h>
#include <stdint.h>

#define FTRACE_SETS_MAX (1u << 18)

struct ftrace_set_slot {
    uint64_t hash;
    uint32_t set;
    bool full;
};

struct ftrace_sets {
    struct ftrace_set_slot *slots;
    uint32_t count, capacity;
};

void ftrace_sets_add(struct ftrace_sets *sets, uint64_t hash, uint32_t set);
void ftrace_sets_free(struct ftrace_sets *sets);

/* Brings the slot near while the caller does something else. */
static inline void ftrace_sets_prefetch(const struct ftrace_sets *sets, uint64_t hash)
{
    if (sets->capacity) __builtin_prefetch(&sets->slots[hash & (sets->capacity - 1)]);
}

static inline bool ftrace_sets_find(const struct ftrace_sets *sets, uint64_t hash, uint32_t *set)
{
    if (!sets->capacity) return false;
    uint32_t mask = sets->capacity - 1;
    for (uint32_t i = (uint32_t)hash & mask; sets->slots[i].full; i = (i + 1) & mask)
        if (sets->slots[i].hash == hash) {
            *set = sets->slots[i].set;
            return true;
        }
    return false;
}

#endif
