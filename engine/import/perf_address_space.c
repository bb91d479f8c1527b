#include "engine/import/perf_address_space.h"

#include <string.h>

#define CHUNK_MAPPINGS 256u

/* A chunk and an item of it; chunk == chunks.count is the end. */
struct place {
    size_t chunk, item;
};

void perf_address_space_dispose(struct perf_address_space *space)
{
    for (size_t i = 0; i < space->chunks.count; i++)
        vec_free(&space->chunks.items[i]);
    vec_free(&space->chunks);
    space->count = 0;
}

/* The first that ends after the address. */
static struct place first_after(const struct perf_address_space *space, uint64_t address)
{
    size_t low = 0, high = space->chunks.count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (vec_last(&space->chunks.items[middle])->end <= address)
            low = middle + 1;
        else
            high = middle;
    }
    struct place place = {low, 0};
    if (low == space->chunks.count) return place;
    const struct perf_chunk *chunk = &space->chunks.items[low];
    size_t from = 0, to = chunk->count;
    while (from < to) {
        size_t middle = from + (to - from) / 2;
        if (chunk->items[middle].end <= address)
            from = middle + 1;
        else
            to = middle;
    }
    place.item = from;
    return place;
}

static struct perf_mapping *at(const struct perf_address_space *space, struct place place)
{
    if (place.chunk == space->chunks.count) return NULL;
    return &space->chunks.items[place.chunk].items[place.item];
}

/* Then `place` is that of the one behind it. */
static void take_out(struct perf_address_space *space, struct place *place)
{
    struct perf_chunk *chunk = &space->chunks.items[place->chunk];
    chunk->count--;
    space->count--;
    memmove(chunk->items + place->item, chunk->items + place->item + 1,
            (chunk->count - place->item) * sizeof *chunk->items);
    if (chunk->count == 0) {
        vec_free(chunk);
        space->chunks.count--;
        memmove(chunk, chunk + 1, (space->chunks.count - place->chunk) * sizeof *chunk);
        place->item = 0;
    } else if (place->item == chunk->count) {
        *place = (struct place){place->chunk + 1, 0};
    }
}

static void put_chunk(struct perf_address_space *space, size_t before)
{
    vec_push(&space->chunks, (struct perf_chunk){0});
    struct perf_chunk *chunk = &space->chunks.items[before];
    memmove(chunk + 1, chunk, (space->chunks.count - 1 - before) * sizeof *chunk);
    *chunk = (struct perf_chunk){0};
}

/* The second half of a full chunk becomes one of its own. */
static void split(struct perf_address_space *space, struct place *place)
{
    put_chunk(space, place->chunk + 1);
    struct perf_chunk *full = &space->chunks.items[place->chunk], *half = full + 1;
    size_t kept = full->count / 2;
    vec_reserve(half, full->count - kept);
    memcpy(half->items, full->items + kept, (full->count - kept) * sizeof *full->items);
    half->count = full->count - kept;
    full->count = kept;
    if (place->item > kept) *place = (struct place){place->chunk + 1, place->item - kept};
}

static void put_before(struct perf_address_space *space, struct place place,
                       const struct perf_mapping *mapping)
{
    if (place.chunk == space->chunks.count) {
        if (place.chunk == 0)
            put_chunk(space, 0);
        else
            place = (struct place){place.chunk - 1, space->chunks.items[place.chunk - 1].count};
    }
    if (space->chunks.items[place.chunk].count >= CHUNK_MAPPINGS) split(space, &place);
    struct perf_chunk *chunk = &space->chunks.items[place.chunk];
    vec_push(chunk, *mapping);
    memmove(chunk->items + place.item + 1, chunk->items + place.item,
            (chunk->count - 1 - place.item) * sizeof *chunk->items);
    chunk->items[place.item] = *mapping;
    space->count++;
}

/* Parts of older ones that stick out keep their row: the address within the file is
 * reckoned from where that row says it begins. */
bool perf_address_space_add(struct perf_address_space *space, const struct perf_mapping *mapping)
{
    if (space->count >= PERF_MAX_MAPPINGS) return false;
    struct place place = first_after(space, mapping->start);
    struct perf_mapping *old = at(space, place), before = {0}, behind = {0};
    bool has_before = old && old->start < mapping->start, has_behind = false;
    if (has_before) {
        before = *old;
        before.end = mapping->start;
    }
    while ((old = at(space, place)) && old->start < mapping->end) {
        has_behind = old->end > mapping->end;
        if (has_behind) {
            behind = *old;
            behind.offset += mapping->end - behind.start;
            behind.start = mapping->end;
        }
        take_out(space, &place);
    }
    /* From the last to the first: each goes before the one that was put last. */
    if (has_behind) put_before(space, first_after(space, mapping->end), &behind);
    put_before(space, first_after(space, mapping->start), mapping);
    if (has_before) put_before(space, first_after(space, before.start), &before);
    return true;
}

const struct perf_mapping *perf_address_space_find(const struct perf_address_space *space,
                                                   uint64_t address)
{
    const struct perf_mapping *mapping = at(space, first_after(space, address));
    return mapping && mapping->start <= address ? mapping : NULL;
}

void perf_address_space_copy(struct perf_address_space *to, const struct perf_address_space *from)
{
    perf_address_space_dispose(to);
    vec_reserve(&to->chunks, from->chunks.count);
    for (size_t i = 0; i < from->chunks.count; i++) {
        const struct perf_chunk *chunk = &from->chunks.items[i];
        struct perf_chunk copy = {0};
        vec_reserve(&copy, chunk->count);
        memcpy(copy.items, chunk->items, chunk->count * sizeof *chunk->items);
        copy.count = chunk->count;
        vec_push(&to->chunks, copy);
    }
    to->count = from->count;
}
