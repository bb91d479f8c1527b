#include "engine/base/vec.h"

#include <stdint.h>

#include "engine/base/checked.h"

void *vec_grow(void *items, size_t *capacity, size_t want, size_t bytes_each)
{
    size_t next = *capacity + *capacity / 2;
    if (next < want) next = want;
    if (next < 8) next = 8;
    size_t bytes;
    if (!checked_mul(next, bytes_each, &bytes)) bytes = SIZE_MAX;
    items = mem_resize(items, bytes);
    *capacity = next;
    return items;
}
