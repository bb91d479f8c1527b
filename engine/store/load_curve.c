#include "engine/store/load_curve.h"

#include <stdlib.h>

#include "engine/base/checked.h"
#include "engine/base/memory.h"

#define BLOCK 64u

/* Times of one block are `base` plus an offset of 32 bits, in units of 1 << shift ns:
 * ns as long as the block spans less than 4 s. */
struct time_block {
    int64_t base;
    uint64_t before; /* sum of the times of all earlier blocks, modulo 2^64 */
    uint8_t shift;
};

struct times {
    uint32_t *offsets;
    struct time_block *blocks;
    uint32_t n_blocks, count;
};

struct load_curve {
    struct times starts, ends;
};

static int compare_times(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return x < y ? -1 : x > y;
}

/* From `sorted`, which is rounded to what the block can hold. */
static void pack_block(struct times *t, uint32_t b, const int64_t *sorted, uint32_t n,
                       uint64_t before)
{
    struct time_block *block = &t->blocks[b];
    uint64_t span = (uint64_t)sorted[n - 1] - (uint64_t)sorted[0];
    *block = (struct time_block){.base = sorted[0], .before = before};
    while (span >> block->shift > UINT32_MAX)
        block->shift++;
    for (uint32_t i = 0; i < n; i++)
        t->offsets[b * BLOCK + i] =
            (uint32_t)(((uint64_t)sorted[i] - (uint64_t)sorted[0]) >> block->shift);
}

static uint64_t time_in(const struct time_block *block, uint32_t offset)
{
    return (uint64_t)block->base + ((uint64_t)offset << block->shift);
}

static void times_build(struct times *t, int64_t *values, uint32_t n)
{
    bool sorted = true; /* starts are, as a rule */
    for (uint32_t i = 1; i < n && sorted; i++)
        sorted = values[i - 1] <= values[i];
    if (!sorted) qsort(values, n, sizeof *values, compare_times);
    t->count = n;
    t->n_blocks = (n + BLOCK - 1) / BLOCK;
    t->offsets = mem_alloc((size_t)n * sizeof *t->offsets);
    t->blocks = mem_alloc(t->n_blocks * sizeof *t->blocks);
    uint64_t before = 0;
    for (uint32_t b = 0; b < t->n_blocks; b++) {
        uint32_t length = n - b * BLOCK < BLOCK ? n - b * BLOCK : BLOCK;
        pack_block(t, b, values + (size_t)b * BLOCK, length, before);
        for (uint32_t i = 0; i < length; i++)
            before += time_in(&t->blocks[b], t->offsets[b * BLOCK + i]);
    }
}

static void times_dispose(struct times *t)
{
    mem_free(t->offsets);
    mem_free(t->blocks);
}

/* The sum of t - time over all times before t, modulo 2^64, and their number. */
static uint64_t elapsed_since(const struct times *times, int64_t t, uint32_t *number)
{
    uint32_t low = 0, high = times->n_blocks;
    while (low < high) { /* the first block that begins at t or later */
        uint32_t mid = low + (high - low) / 2;
        if (times->blocks[mid].base < t)
            low = mid + 1;
        else
            high = mid;
    }
    *number = 0;
    if (low == 0) return 0;
    const struct time_block *block = &times->blocks[low - 1];
    const uint32_t *offsets = times->offsets + (size_t)(low - 1) * BLOCK;
    uint32_t first = (low - 1) * BLOCK;
    uint32_t length = times->count - first < BLOCK ? times->count - first : BLOCK;
    /* Offsets below this one are before t. */
    uint64_t distance = (uint64_t)t - (uint64_t)block->base;
    uint64_t unit = UINT64_C(1) << block->shift;
    uint64_t limit = (distance >> block->shift) + (distance % unit != 0);
    uint64_t sum = 0;
    uint32_t below = 0;
    for (uint32_t i = 0; i < length; i++) {
        bool is_before = offsets[i] < limit;
        below += is_before;
        sum += is_before ? offsets[i] : 0;
    }
    *number = first + below;
    uint64_t times_sum = block->before + (uint64_t)block->base * below + (sum << block->shift);
    return (uint64_t)t * *number - times_sum;
}

struct load_curve *load_curve_new(const int64_t *ts, const int64_t *dur, const uint32_t *rows,
                                  uint32_t n, int64_t end)
{
    if (n == 0) return NULL;
    struct load_curve *curve = mem_zero(1, sizeof *curve);
    int64_t *values = mem_alloc((size_t)n * sizeof *values);
    for (uint32_t i = 0; i < n; i++)
        values[i] = ts[rows[i]];
    times_build(&curve->starts, values, n);
    for (uint32_t i = 0; i < n; i++) {
        int64_t start = ts[rows[i]], length = dur[rows[i]];
        values[i] = length >= 0 ? saturating_add_int64(start, length) : end > start ? end : start;
    }
    times_build(&curve->ends, values, n);
    mem_free(values);
    return curve;
}

void load_curve_free(struct load_curve *curve)
{
    if (!curve) return;
    times_dispose(&curve->starts);
    times_dispose(&curve->ends);
    mem_free(curve);
}

void load_curve_bucket(const struct load_curve *curve, int64_t start, int64_t end,
                       struct load_bucket *out)
{
    uint32_t begun_before, begun, over;
    uint64_t before = elapsed_since(&curve->starts, start, &begun_before) -
                      elapsed_since(&curve->ends, start, &over);
    uint64_t after =
        elapsed_since(&curve->starts, end, &begun) - elapsed_since(&curve->ends, end, &over);
    out->busy_ns = (int64_t)(after - before);
    /* A block over long times is rounded: less than nothing is nothing. */
    if (out->busy_ns < 0) out->busy_ns = 0;
    out->touched = begun > begun_before || out->busy_ns > 0;
}
