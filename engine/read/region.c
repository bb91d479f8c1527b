#define _GNU_SOURCE /* mremap */
#include "engine/read/region.h"

#include <errno.h>
#include <sys/mman.h>

#include "engine/base/checked.h"

enum { PAGE = 65536 };

static size_t round_up(size_t n)
{
    return (n + PAGE - 1) / PAGE * PAGE;
}

bool region_reserve(struct region *region, size_t more, struct status *st)
{
    size_t want;
    if (!checked_add(region->length, more, &want) || want > SIZE_MAX / 4)
        return status_fail(st, STATUS_LIMIT, STATUS_NO_OFFSET, "no room for %zu more bytes", more);
    if (want <= region->capacity) return true;
    size_t doubled = region->capacity * 2;
    size_t capacity = round_up(want > doubled ? want : doubled);
    void *p = region->bytes ? mremap(region->bytes, region->capacity, capacity, MREMAP_MAYMOVE)
                            : mmap(NULL, capacity, PROT_READ | PROT_WRITE,
                                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (p == MAP_FAILED)
        return status_fail(st, STATUS_LIMIT, STATUS_NO_OFFSET, "no memory for %zu bytes: %s",
                           capacity, strerror(errno));
    region->bytes = p;
    region->capacity = capacity;
    return true;
}

void region_trim(struct region *region)
{
    size_t capacity = round_up(region->length);
    if (!region->bytes || capacity >= region->capacity) return;
    if (capacity == 0) {
        region_free(region);
        return;
    }
    void *p = mremap(region->bytes, region->capacity, capacity, 0);
    if (p != MAP_FAILED) region->capacity = capacity;
}

void region_free(struct region *region)
{
    if (region->bytes) munmap(region->bytes, region->capacity);
    *region = (struct region){0};
}
