#include "engine/base/map.h"

#include <string.h>

#include "engine/base/hash.h"
#include "engine/base/memory.h"

enum { EMPTY = 0, FULL = 1, REMOVED = 2 };

static size_t place_of(uint64_t key, size_t capacity)
{
    return (size_t)hash_mix(0, key) & (capacity - 1);
}

uint64_t *map_get(const struct map *map, uint64_t key)
{
    if (!map->count) return NULL;
    for (size_t i = place_of(key, map->capacity);; i = (i + 1) & (map->capacity - 1)) {
        if (map->full[i] == EMPTY) return NULL;
        if (map->full[i] == FULL && map->slots[i].key == key) return &map->slots[i].value;
    }
}

static void rebuild(struct map *map, size_t capacity)
{
    struct map old = *map;
    map->slots = mem_alloc(capacity * sizeof *map->slots);
    map->full = mem_zero(capacity, 1);
    map->capacity = capacity;
    map->used = map->count;
    for (size_t i = 0; i < old.capacity; i++) {
        if (old.full[i] != FULL) continue;
        size_t at = place_of(old.slots[i].key, capacity);
        while (map->full[at] != EMPTY)
            at = (at + 1) & (capacity - 1);
        map->slots[at] = old.slots[i];
        map->full[at] = FULL;
    }
    mem_free(old.slots);
    mem_free(old.full);
}

uint64_t *map_put_if_absent(struct map *map, uint64_t key, uint64_t value, bool *added)
{
    if ((map->used + 1) * 4 > map->capacity * 3) {
        size_t capacity = map->capacity ? map->capacity : 16;
        while ((map->count + 1) * 2 > capacity)
            capacity *= 2;
        rebuild(map, capacity);
    }
    size_t hole = SIZE_MAX;
    size_t i = place_of(key, map->capacity);
    for (; map->full[i] != EMPTY; i = (i + 1) & (map->capacity - 1)) {
        if (map->full[i] == REMOVED) {
            if (hole == SIZE_MAX) hole = i;
        } else if (map->slots[i].key == key) {
            if (added) *added = false;
            return &map->slots[i].value;
        }
    }
    if (hole != SIZE_MAX)
        i = hole;
    else
        map->used++;
    map->full[i] = FULL;
    map->slots[i] = (struct map_slot){key, value};
    map->count++;
    if (added) *added = true;
    return &map->slots[i].value;
}

void map_set(struct map *map, uint64_t key, uint64_t value)
{
    *map_put_if_absent(map, key, value, NULL) = value;
}

bool map_remove(struct map *map, uint64_t key)
{
    uint64_t *value = map_get(map, key);
    if (!value) return false;
    struct map_slot *slot = (struct map_slot *)((char *)value - offsetof(struct map_slot, value));
    map->full[slot - map->slots] = REMOVED;
    map->count--;
    return true;
}

void map_clear(struct map *map)
{
    if (map->full) memset(map->full, EMPTY, map->capacity);
    map->count = map->used = 0;
}

void map_free(struct map *map)
{
    mem_free(map->slots);
    mem_free(map->full);
    *map = (struct map){0};
}

static struct strmap_slot *strmap_find(const struct strmap *map, struct str key, uint64_t hash)
{
    size_t i = (size_t)hash & (map->capacity - 1);
    for (;; i = (i + 1) & (map->capacity - 1)) {
        struct strmap_slot *slot = &map->slots[i];
        if (!slot->key) return slot;
        if (slot->hash == hash && slot->length == key.n && memcmp(slot->key, key.p, key.n) == 0)
            return slot;
    }
}

uint64_t *strmap_get(const struct strmap *map, struct str key)
{
    if (!map->count) return NULL;
    struct strmap_slot *slot = strmap_find(map, key, hash_bytes(key.n ? key.p : "", key.n));
    return slot->key ? &slot->value : NULL;
}

static void strmap_rebuild(struct strmap *map, size_t capacity)
{
    struct strmap old = *map;
    map->slots = mem_zero(capacity, sizeof *map->slots);
    map->capacity = capacity;
    for (size_t i = 0; i < old.capacity; i++) {
        if (!old.slots[i].key) continue;
        size_t at = (size_t)old.slots[i].hash & (capacity - 1);
        while (map->slots[at].key)
            at = (at + 1) & (capacity - 1);
        map->slots[at] = old.slots[i];
    }
    mem_free(old.slots);
}

uint64_t *strmap_put_if_absent(struct strmap *map, struct str key, uint64_t value, bool *added)
{
    if ((map->count + 1) * 4 > map->capacity * 3)
        strmap_rebuild(map, map->capacity ? map->capacity * 2 : 16);
    if (key.n == 0) key.p = "";
    uint64_t hash = hash_bytes(key.p, key.n);
    struct strmap_slot *slot = strmap_find(map, key, hash);
    if (added) *added = !slot->key;
    if (!slot->key) {
        *slot = (struct strmap_slot){mem_copy_string(key.p, key.n), key.n, hash, value};
        map->count++;
    }
    return &slot->value;
}

void strmap_set(struct strmap *map, struct str key, uint64_t value)
{
    *strmap_put_if_absent(map, key, value, NULL) = value;
}

void strmap_free(struct strmap *map)
{
    for (size_t i = 0; i < map->capacity; i++)
        mem_free(map->slots[i].key);
    mem_free(map->slots);
    *map = (struct strmap){0};
}
