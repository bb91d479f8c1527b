#include "engine/sql/radix.h"

#include <stdbool.h>
#include <string.h>

void radix_sort(struct keyed_row *rows, struct keyed_row *spare, uint32_t n)
{
    uint64_t all_or = 0, all_and = UINT64_MAX;
    bool sorted = true;
    for (uint32_t i = 0; i < n; i++) {
        all_or |= rows[i].key;
        all_and &= rows[i].key;
        if (i && rows[i - 1].key > rows[i].key) sorted = false;
    }
    if (sorted) return;
    uint64_t differs = all_or ^ all_and;
    struct keyed_row *from = rows, *to = spare;
    for (unsigned shift = 0; shift < 64; shift += 8) {
        if ((differs >> shift & 0xFF) == 0) continue;
        uint32_t counts[257] = {0};
        for (uint32_t i = 0; i < n; i++)
            counts[(from[i].key >> shift & 0xFF) + 1]++;
        for (unsigned b = 0; b < 256; b++)
            counts[b + 1] += counts[b];
        for (uint32_t i = 0; i < n; i++)
            to[counts[from[i].key >> shift & 0xFF]++] = from[i];
        struct keyed_row *other = from;
        from = to;
        to = other;
    }
    if (from != rows) memcpy(rows, from, (size_t)n * sizeof *rows);
}
