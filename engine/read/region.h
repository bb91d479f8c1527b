/* A growing run of pages: where inflated members and piped input live.
 *
 * Grows by remapping, never by copying, and gives its pages back to the system
 * when it is freed.  `bytes` moves when the region grows; once filled it stays.
 */
#ifndef ENGINE_READ_REGION_H
#define ENGINE_READ_REGION_H

#include <stdbool.h>

#include "engine/base/status.h"
#include "engine/base/str.h"

struct region {
    char *bytes;
    size_t length, capacity;
};

/* Room for `more` bytes behind the ones that are there.  False (STATUS_LIMIT)
 * when the system has no such room. */
bool region_reserve(struct region *region, size_t more, struct status *st);
/* Gives back the pages behind `length`. */
void region_trim(struct region *region);
void region_free(struct region *region);

static inline struct str region_str(const struct region *region)
{
    return (struct str){region->bytes ? region->bytes : "", region->length};
}

#endif
