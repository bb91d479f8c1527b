/* The strings of one engine, each once, named by 32-bit ids.
 *
 * Ids are dense: 0 is NULL (the absent string), the first string interned is 1,
 * and so on, so that "once per distinct string" work is an array indexed by id.
 * Bytes never move and end in a NUL that is not counted; a struct str returned
 * by strpool_get is good until strpool_free.
 *
 * One thread interns at a time (the engine's worker); any thread may read an id
 * that was published to it after it was interned.
 */
#ifndef ENGINE_BASE_STRPOOL_H
#define ENGINE_BASE_STRPOOL_H

#include <stdint.h>

#include "engine/base/str.h"

struct strpool;

typedef uint32_t string_id;
#define STRING_NULL ((string_id)0)

struct strpool *strpool_new(void);
void strpool_free(struct strpool *pool);

/* {NULL, 0} gives STRING_NULL; an empty string with a pointer is a string.
 * Longer than 256 MiB is cut there.  When 2^30 strings are in use, new ones
 * become STRING_NULL. */
string_id strpool_intern(struct strpool *pool, struct str s);
string_id strpool_intern_text(struct strpool *pool, const char *text);
/* STRING_NULL when the string is not there. */
string_id strpool_find(const struct strpool *pool, struct str s);

/* {NULL, 0} for STRING_NULL and for ids never given out. */
struct str strpool_get(const struct strpool *pool, string_id id);
/* NUL-terminated; "" for STRING_NULL. */
const char *strpool_text(const struct strpool *pool, string_id id);

/* One more than the largest id in use. */
uint32_t strpool_end(const struct strpool *pool);

#endif
