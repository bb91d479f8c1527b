#include "engine/store/pyramid.h"

#include "engine/base/checked.h"
#include "engine/base/memory.h"

#define FANOUT     16u
#define MAX_LEVELS 8

struct block {
    int64_t busy_ns;
    double least, most;
    uint32_t longest; /* i, or PYRAMID_NONE */
};

struct pyramid {
    const struct column *ts, *dur, *value;
    uint32_t *rows;
    uint32_t count;
    int64_t end;
    struct block *levels[MAX_LEVELS];
    uint32_t sizes[MAX_LEVELS];
    uint32_t n_levels;
};

uint32_t pyramid_count(const struct pyramid *p)
{
    return p->count;
}

uint32_t pyramid_row(const struct pyramid *p, uint32_t i)
{
    return p->rows[i];
}

int64_t pyramid_ts(const struct pyramid *p, uint32_t i)
{
    return column_int64(p->ts)[p->rows[i]];
}

static int64_t duration(const struct pyramid *p, uint32_t i)
{
    if (!p->dur) return 0;
    int64_t dur = column_int64(p->dur)[p->rows[i]];
    if (dur >= 0) return dur;
    int64_t ts = pyramid_ts(p, i);
    /* What never ended lasts until the next one on the same row, or the end. */
    int64_t end = i + 1 < p->count ? pyramid_ts(p, i + 1) : p->end;
    return end > ts ? end - ts : 0;
}

int64_t pyramid_span_end(const struct pyramid *p, uint32_t i)
{
    return saturating_add_int64(pyramid_ts(p, i), duration(p, i));
}

static void block_add(struct block *into, const struct block *from, const struct pyramid *p)
{
    into->busy_ns += from->busy_ns;
    if (from->least < into->least) into->least = from->least;
    if (from->most > into->most) into->most = from->most;
    if (from->longest != PYRAMID_NONE &&
        (into->longest == PYRAMID_NONE || duration(p, from->longest) > duration(p, into->longest)))
        into->longest = from->longest;
}

static const struct block empty_block = {0, 1e308 * 10, -1e308 * 10, PYRAMID_NONE};

static struct block block_of(const struct pyramid *p, uint32_t i)
{
    struct block block = empty_block;
    block.busy_ns = duration(p, i);
    block.longest = i;
    if (p->value) block.least = block.most = column_get_double(p->value, p->rows[i]);
    return block;
}

static void build_levels(struct pyramid *p)
{
    uint32_t below = p->count;
    while (below > FANOUT && p->n_levels < MAX_LEVELS) {
        uint32_t size = (below + FANOUT - 1) / FANOUT;
        struct block *blocks = mem_alloc(size * sizeof *blocks);
        for (uint32_t b = 0; b < size; b++) {
            blocks[b] = empty_block;
            for (uint32_t i = b * FANOUT; i < below && i < (b + 1) * FANOUT; i++) {
                struct block one = p->n_levels ? p->levels[p->n_levels - 1][i] : block_of(p, i);
                block_add(&blocks[b], &one, p);
            }
        }
        p->levels[p->n_levels] = blocks;
        p->sizes[p->n_levels++] = size;
        below = size;
    }
}

struct pyramid *pyramid_new(const struct table *table, uint32_t ts_column, int dur_column,
                            int value_column, uint32_t *rows, uint32_t count, int64_t end)
{
    struct pyramid *p = mem_zero(1, sizeof *p);
    p->ts = &table->columns[ts_column];
    p->dur = dur_column >= 0 ? &table->columns[dur_column] : NULL;
    p->value = value_column >= 0 ? &table->columns[value_column] : NULL;
    p->rows = rows;
    p->count = count;
    p->end = end;
    build_levels(p);
    return p;
}

void pyramid_free(struct pyramid *p)
{
    if (!p) return;
    for (uint32_t i = 0; i < p->n_levels; i++)
        mem_free(p->levels[i]);
    mem_free(p->rows);
    mem_free(p);
}

size_t pyramid_bytes(const struct pyramid *p)
{
    size_t bytes = sizeof *p + (size_t)p->count * sizeof *p->rows;
    for (uint32_t i = 0; i < p->n_levels; i++)
        bytes += (size_t)p->sizes[i] * sizeof **p->levels;
    return bytes;
}

uint32_t pyramid_lower_bound(const struct pyramid *p, int64_t ts)
{
    uint32_t low = 0, high = p->count;
    while (low < high) {
        uint32_t mid = low + (high - low) / 2;
        if (pyramid_ts(p, mid) < ts)
            low = mid + 1;
        else
            high = mid;
    }
    return low;
}

/* Everything of [from, to), climbing to the largest blocks that fit. */
static struct block sum_of(const struct pyramid *p, uint32_t from, uint32_t to)
{
    struct block sum = empty_block;
    while (from < to) {
        uint32_t level = 0, size = 1;
        while (level < p->n_levels && from % (size * FANOUT) == 0 && to - from >= size * FANOUT) {
            size *= FANOUT;
            level++;
        }
        struct block one = level ? p->levels[level - 1][from / size] : block_of(p, from);
        block_add(&sum, &one, p);
        from += size;
    }
    return sum;
}

static void consider(struct pyramid_bucket *out, uint32_t i, int64_t covers)
{
    if (out->dominant != PYRAMID_NONE && covers <= out->covers_ns) return;
    out->dominant = i;
    out->covers_ns = covers;
}

void pyramid_bucket(const struct pyramid *p, int64_t start, int64_t end, struct pyramid_bucket *out)
{
    *out = (struct pyramid_bucket){.dominant = PYRAMID_NONE};
    uint32_t from = pyramid_lower_bound(p, start), to = pyramid_lower_bound(p, end);
    /* The one that began before and reaches in. */
    if (from > 0 && p->dur) {
        int64_t reaches = pyramid_span_end(p, from - 1);
        if (reaches > start) {
            int64_t covers = (reaches < end ? reaches : end) - start;
            out->count = 1;
            out->busy_ns = covers;
            consider(out, from - 1, covers);
        }
    }
    if (p->value && from > 0) {
        out->has_value = true;
        out->least = out->most = out->last = column_get_double(p->value, p->rows[from - 1]);
    }
    if (from == to) return;
    out->count += to - from;
    /* The last may reach past the end: it is taken by itself. */
    int64_t last_ts = pyramid_ts(p, to - 1), last_end = pyramid_span_end(p, to - 1);
    int64_t last_covers = (last_end < end ? last_end : end) - last_ts;
    struct block inner = sum_of(p, from, to - 1);
    out->busy_ns += inner.busy_ns + last_covers;
    if (inner.longest != PYRAMID_NONE) consider(out, inner.longest, duration(p, inner.longest));
    consider(out, to - 1, last_covers);
    if (!p->value) return;
    double last = column_get_double(p->value, p->rows[to - 1]);
    if (inner.longest == PYRAMID_NONE) inner.least = inner.most = last;
    if (last < inner.least) inner.least = last;
    if (last > inner.most) inner.most = last;
    out->least = out->has_value && out->least < inner.least ? out->least : inner.least;
    out->most = out->has_value && out->most > inner.most ? out->most : inner.most;
    out->last = last;
    out->has_value = true;
}

void pyramid_range(const struct pyramid *p, double *least, double *most)
{
    *least = *most = 0;
    if (!p->count || !p->value) return;
    struct block all = sum_of(p, 0, p->count);
    *least = all.least;
    *most = all.most;
}
