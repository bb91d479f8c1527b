/* Memory that is freed all at once: per load, query, frame or scratch.
 *
 * Blocks double up to a cap.  Nothing is freed singly; pointers last until
 * arena_reset or arena_free.  With PERFETTY_ARENA_MALLOC defined (the sanitizer
 * build) every allocation is its own malloc, so that overruns are seen.
 */
#ifndef ENGINE_BASE_ARENA_H
#define ENGINE_BASE_ARENA_H

#include <stddef.h>

#include "engine/base/str.h"

struct arena_block;

struct arena {
    struct arena_block *blocks; /* newest first */
    size_t used, size;          /* of the newest block, bytes */
    size_t total_bytes;         /* handed out since the last reset */
};

#define ARENA_INIT \
    { \
        NULL, 0, 0, 0 \
    }

void *arena_alloc(struct arena *arena, size_t bytes); /* 8-aligned, not cleared */
void *arena_zero(struct arena *arena, size_t bytes);
char *arena_copy(struct arena *arena, const char *bytes, size_t length); /* NUL added */
struct str arena_copy_str(struct arena *arena, struct str s);
char *arena_printf(struct arena *arena, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void arena_reset(struct arena *arena);
void arena_free(struct arena *arena);

#endif
