#include "engine/import/ftrace_sets.h"

#include "engine/base/memory.h"

static void insert(struct ftrace_sets *sets, struct ftrace_set_slot slot)
{
    uint32_t mask = sets->capacity - 1, i = (uint32_t)slot.hash & mask;
    while (sets->slots[i].full)
        i = (i + 1) & mask;
    sets->slots[i] = slot;
}

static void grow(struct ftrace_sets *sets)
{
    struct ftrace_sets old = *sets;
    sets->capacity = old.capacity ? old.capacity * 2 : 1024;
    size_t bytes = sets->capacity * sizeof *sets->slots;
    sets->slots = mem_map(bytes);
    mem_expect(sets->slots, 0, bytes);
    for (uint32_t i = 0; i < old.capacity; i++)
        if (old.slots[i].full) insert(sets, old.slots[i]);
    mem_unmap(old.slots, old.capacity * sizeof *old.slots);
}

void ftrace_sets_add(struct ftrace_sets *sets, uint64_t hash, uint32_t set)
{
    if (sets->count >= FTRACE_SETS_MAX) return;
    if (sets->count * 2 >= sets->capacity) grow(sets);
    insert(sets, (struct ftrace_set_slot){hash, set, true});
    sets->count++;
}

void ftrace_sets_free(struct ftrace_sets *sets)
{
    mem_unmap(sets->slots, sets->capacity * sizeof *sets->slots);
    *sets = (struct ftrace_sets){0};
}
