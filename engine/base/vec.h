/* Growable arrays of any type.
 *
 *     VEC(struct span) spans = {0};
 *     vec_push(&spans, (struct span){…});
 *     for (size_t i = 0; i < spans.count; i++) use(&spans.items[i]);
 *     vec_free(&spans);
 *
 * A named vector type is `struct span_list VEC_OF(struct span);`.  Pointers into
 * items last until the next push.
 */
#ifndef ENGINE_BASE_VEC_H
#define ENGINE_BASE_VEC_H

#include <stddef.h>

#include "engine/base/memory.h"

#define VEC_OF(type) \
    { \
        type *items; \
        size_t count, capacity; \
    }
#define VEC(type) struct VEC_OF(type)

void *vec_grow(void *items, size_t *capacity, size_t want, size_t bytes_each);

#define vec_reserve(v, want) \
    ((size_t)(want) > (v)->capacity \
         ? (void)((v)->items = \
                      vec_grow((v)->items, &(v)->capacity, (size_t)(want), sizeof *(v)->items)) \
         : (void)0)
#define vec_push(v, ...) \
    (vec_reserve((v), (v)->count + 1), (void)((v)->items[(v)->count++] = (__VA_ARGS__)))
#define vec_pop(v)   ((v)->items[--(v)->count])
#define vec_last(v)  (&(v)->items[(v)->count - 1])
#define vec_clear(v) ((void)((v)->count = 0))
#define vec_free(v) \
    (mem_free((v)->items), (v)->items = NULL, (void)((v)->count = (v)->capacity = 0))

#endif
