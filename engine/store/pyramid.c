#include "engine/store/pyramid.h"

#include "engine/base/checked.h"
#include "engine/base/memory.h"

#define FANOUT     16u
#define MAX_LEVELS 8

struct block {
    int64_t busy_ns;
    double least, most;
    int64_t longest_ns;
    uint32_t longest; /* i, or PYRAMID_NONE */
};

struct pyramid {
    struct pyramid_source source;
    struct block *levels[MAX_LEVELS];
    uint32_t sizes[MAX_LEVELS];
    uint32_t n_levels;
};

uint32_t pyramid_count(const struct pyramid *p)
{
    return p->source.count;
}

uint32_t pyramid_row(const struct pyramid *p, uint32_t i)
{
    return p->source.rows[i];
}

int64_t pyramid_ts(const struct pyramid *p, uint32_t i)
{
    return p->source.ts[p->source.rows[i]];
}

double pyramid_value(const struct pyramid *p, uint32_t i)
{
    return p->source.value[p->source.rows[i]];
}

static int64_t duration(const struct pyramid *p, uint32_t i)
{
    if (!p->source.dur) return 0;
    int64_t dur = p->source.dur[p->source.rows[i]];
    if (dur >= 0) return dur;
    int64_t ts = pyramid_ts(p, i);
    /* What never ended lasts until the next one on the same row, or the end. */
    int64_t end = i + 1 < p->source.count ? pyramid_ts(p, i + 1) : p->source.end;
    return end > ts ? end - ts : 0;
}

int64_t pyramid_span_end(const struct pyramid *p, uint32_t i)
{
    return saturating_add_int64(pyramid_ts(p, i), duration(p, i));
}

static void block_add(struct block *into, const struct block *from)
{
    into->busy_ns += from->busy_ns;
    if (from->least < into->least) into->least = from->least;
    if (from->most > into->most) into->most = from->most;
    if (from->longest != PYRAMID_NONE &&
        (into->longest == PYRAMID_NONE || from->longest_ns > into->longest_ns)) {
        into->longest = from->longest;
        into->longest_ns = from->longest_ns;
    }
}

static const struct block empty_block = {0, 1e308 * 10, -1e308 * 10, 0, PYRAMID_NONE};

static struct block block_of(const struct pyramid *p, uint32_t i)
{
    struct block block = empty_block;
    block.busy_ns = block.longest_ns = duration(p, i);
    block.longest = i;
    if (p->source.value) block.least = block.most = p->source.value[p->source.rows[i]];
    return block;
}

static void build_levels(struct pyramid *p)
{
    uint32_t below = p->source.count;
    while (below > FANOUT && p->n_levels < MAX_LEVELS) {
        uint32_t size = (below + FANOUT - 1) / FANOUT;
        struct block *blocks = mem_alloc(size * sizeof *blocks);
        for (uint32_t b = 0; b < size; b++) {
            blocks[b] = empty_block;
            for (uint32_t i = b * FANOUT; i < below && i < (b + 1) * FANOUT; i++) {
                struct block one = p->n_levels ? p->levels[p->n_levels - 1][i] : block_of(p, i);
                block_add(&blocks[b], &one);
            }
        }
        p->levels[p->n_levels] = blocks;
        p->sizes[p->n_levels++] = size;
        below = size;
    }
}

struct pyramid *pyramid_new(const struct pyramid_source *source)
{
    struct pyramid *p = mem_zero(1, sizeof *p);
    p->source = *source;
    build_levels(p);
    return p;
}

void pyramid_free(struct pyramid *p)
{
    if (!p) return;
    for (uint32_t i = 0; i < p->n_levels; i++)
        mem_free(p->levels[i]);
    mem_free(p->source.rows);
    mem_free(p);
}

size_t pyramid_bytes(const struct pyramid *p)
{
    size_t bytes = sizeof *p + (size_t)p->source.count * sizeof *p->source.rows;
    for (uint32_t i = 0; i < p->n_levels; i++)
        bytes += (size_t)p->sizes[i] * sizeof **p->levels;
    return bytes;
}

uint32_t pyramid_lower_bound(const struct pyramid *p, int64_t ts)
{
    uint32_t low = 0, high = p->source.count;
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
        block_add(&sum, &one);
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

/* The span that began before `start` may reach in. */
static void add_reaching_in(const struct pyramid *p, uint32_t from, int64_t start, int64_t end,
                            struct pyramid_bucket *out)
{
    if (from == 0) return;
    int64_t reaches = pyramid_span_end(p, from - 1);
    if (reaches <= start) return;
    int64_t covers = (reaches < end ? reaches : end) - start;
    out->count++;
    out->busy_ns += covers;
    consider(out, from - 1, covers);
}

static void add_values(const struct pyramid *p, uint32_t from, uint32_t to,
                       struct pyramid_bucket *out)
{
    struct block all = sum_of(p, from, to);
    if (from > 0) {
        double before = p->source.value[p->source.rows[from - 1]];
        out->has_value = true;
        out->last = before;
        if (before < all.least) all.least = before;
        if (before > all.most) all.most = before;
    }
    if (from < to) {
        out->has_value = true;
        out->last = p->source.value[p->source.rows[to - 1]];
    }
    out->least = all.least;
    out->most = all.most;
}

/* First i >= from whose ts is >= ts, found in steps that double: cheap when near. */
static uint32_t gallop(const struct pyramid *p, uint32_t from, int64_t ts)
{
    uint32_t low = from, step = 1, count = p->source.count;
    while (low + step < count && pyramid_ts(p, low + step - 1) < ts) {
        low += step;
        step *= 2;
    }
    uint32_t high = low + step < count ? low + step : count;
    while (low < high) {
        uint32_t mid = low + (high - low) / 2;
        if (pyramid_ts(p, mid) < ts)
            low = mid + 1;
        else
            high = mid;
    }
    return low;
}

static void fill_bucket(const struct pyramid *p, uint32_t from, uint32_t to, int64_t start,
                        int64_t end, struct pyramid_bucket *out)
{
    *out = (struct pyramid_bucket){.dominant = PYRAMID_NONE};
    if (p->source.dur) add_reaching_in(p, from, start, end, out);
    if (p->source.value) add_values(p, from, to, out);
    out->count += to - from;
    if (from == to) return;
    struct block inner = sum_of(p, from, to - 1);
    out->busy_ns += inner.busy_ns;
    if (inner.longest != PYRAMID_NONE) consider(out, inner.longest, inner.longest_ns);
    /* The last one may reach past the end. */
    int64_t reaches = pyramid_span_end(p, to - 1);
    int64_t covers = (reaches < end ? reaches : end) - pyramid_ts(p, to - 1);
    out->busy_ns += covers;
    consider(out, to - 1, covers);
}

void pyramid_next_bucket(const struct pyramid *p, struct pyramid_cursor *cursor, int64_t start,
                         int64_t end, struct pyramid_bucket *out)
{
    bool follows = cursor->is_set && cursor->end == start;
    uint32_t from = follows ? cursor->at : pyramid_lower_bound(p, start);
    uint32_t to = gallop(p, from, end);
    *cursor = (struct pyramid_cursor){end, to, true};
    fill_bucket(p, from, to, start, end, out);
}

void pyramid_bucket(const struct pyramid *p, int64_t start, int64_t end, struct pyramid_bucket *out)
{
    fill_bucket(p, pyramid_lower_bound(p, start), pyramid_lower_bound(p, end), start, end, out);
}

void pyramid_range(const struct pyramid *p, double *least, double *most)
{
    *least = *most = 0;
    if (!p->source.count || !p->source.value) return;
    struct block all = sum_of(p, 0, p->source.count);
    *least = all.least;
    *most = all.most;
}
