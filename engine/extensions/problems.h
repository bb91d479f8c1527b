/* What is wrong with a sidecar: all of it, in the order of the file.
 *
 * A load stops at the first problem, `extensions check` lists them all.  A message
 * begins with the key that the file has, then the JSON path; what was found; what
 * is allowed (spec/sidecar.md).
 */
#ifndef ENGINE_EXTENSIONS_PROBLEMS_H
#define ENGINE_EXTENSIONS_PROBLEMS_H

#include "engine/extensions/json.h"

struct problems {
    const char *key; /* "perfetto_metadata" or "perfetto_manifest"; borrowed */
    char **items;    /* owned texts */
    size_t count, capacity;
    struct buffer path; /* where the checker stands */
    const char *rule;   /* what the checker looks at: "E1" … "E14" (docs/sidecar.md), or NULL */
    const char **rules; /* one for each item; borrowed */
    size_t rules_capacity;
    const char *member; /* "PATH: in member 'NAME'" while that one is read, and path
                         * counts from its top; or NULL */
};

enum { PROBLEMS_MAX = 1000 };

/* "KEY: MESSAGE", without a path. */
void problems_add(struct problems *problems, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* "KEY: PATH: MESSAGE" */
void problems_add_here(struct problems *problems, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* "KEY: PATH: found FOUND; allowed: ALLOWED" */
void problems_add_found(struct problems *problems, const json_t *found, const char *allowed, ...)
    __attribute__((format(printf, 3, 4)));
void problems_free(struct problems *problems);

#endif
