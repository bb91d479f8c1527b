/* Hash maps from 64-bit keys, and from byte strings, to 64-bit values.
 *
 * Open addressing, power-of-two sizes, at most 3/4 full.  A zeroed struct is an
 * empty map.  Pointers returned by map_get last until the next put.
 */
#ifndef ENGINE_BASE_MAP_H
#define ENGINE_BASE_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/base/str.h"

struct map_slot {
    uint64_t key, value;
};

struct map {
    struct map_slot *slots;
    uint8_t *full; /* 0 empty, 1 full, 2 removed */
    size_t count, used, capacity;
};

/* NULL when the key is absent. */
uint64_t *map_get(const struct map *map, uint64_t key);
/* The value of `key`, entered as `value` when it was absent (*added says so). */
uint64_t *map_put_if_absent(struct map *map, uint64_t key, uint64_t value, bool *added);
void map_set(struct map *map, uint64_t key, uint64_t value);
bool map_remove(struct map *map, uint64_t key);
void map_clear(struct map *map);
void map_free(struct map *map);

/* Keys are copied and owned by the map. */
struct strmap_slot {
    char *key;
    size_t length;
    uint64_t hash, value;
};

struct strmap {
    struct strmap_slot *slots;
    size_t count, capacity;
};

uint64_t *strmap_get(const struct strmap *map, struct str key);
uint64_t *strmap_put_if_absent(struct strmap *map, struct str key, uint64_t value, bool *added);
void strmap_set(struct strmap *map, struct str key, uint64_t value);
void strmap_free(struct strmap *map);

#endif
