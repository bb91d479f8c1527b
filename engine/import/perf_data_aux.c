/* What hardware tracing (Intel PT, ARM SPE, CoreSight) left in a perf.data file.  No
 * decoder is here, so the bytes are counted: how many there are, which the kernel
 * lost, and which one side announces and the other lacks (spec engine_2c 1.6).
 *
 * AUX records say which part of a CPU's endless buffer the hardware wrote, AUXTRACE
 * records carry the bytes.  Both go upwards.
 */
#include "engine/import/perf_data.h"

#include <stdlib.h>

#include "engine/import/stats.h"

enum aux_flag { AUX_TRUNCATED = 1, AUX_PARTIAL = 4, AUX_COLLISION = 8 };

/* Bytes of a CPU's buffer [start, end). */
struct aux_range {
    uint32_t cpu;
    uint64_t start, end;
};

struct perf_aux {
    struct perf_data *data;
    bool has_info;
    VEC(struct aux_range) announced, brought; /* by AUX and by AUXTRACE */
};

struct perf_aux *perf_aux_new(struct perf_data *data)
{
    struct perf_aux *aux = mem_zero(1, sizeof *aux);
    aux->data = data;
    return aux;
}

void perf_aux_free(struct perf_aux *aux)
{
    if (!aux) return;
    vec_free(&aux->announced);
    vec_free(&aux->brought);
    mem_free(aux);
}

static void count(struct perf_aux *aux, enum stat stat, uint64_t n)
{
    if (n > 0) stats_add(aux->data->file, stat, n > INT64_MAX ? INT64_MAX : (int64_t)n);
}

bool perf_aux_read_info(struct perf_aux *aux, struct perf_cursor c)
{
    perf_u32(&c); /* kind of hardware */
    if (c.bad || aux->has_info) return false;
    aux->has_info = true;
    return true;
}

bool perf_aux_read_record(struct perf_aux *aux, struct perf_cursor c, uint32_t cpu)
{
    struct aux_range range = {.cpu = cpu, .start = perf_u64(&c)};
    uint64_t size = perf_u64(&c), flags = perf_u64(&c);
    if (c.bad || size > UINT64_MAX - range.start) return false;
    count(aux, STAT_perf_aux_truncated, flags & AUX_TRUNCATED ? 1 : 0);
    count(aux, STAT_perf_aux_partial, flags & AUX_PARTIAL ? 1 : 0);
    count(aux, STAT_perf_aux_collision, flags & AUX_COLLISION ? 1 : 0);
    range.end = range.start + size;
    if (size > 0) vec_push(&aux->announced, range);
    return true;
}

bool perf_aux_read_trace(struct perf_aux *aux, struct perf_cursor c, uint64_t *size)
{
    *size = perf_u64(&c);
    struct aux_range range = {.start = perf_u64(&c)};
    perf_skip(&c, 16); /* reference, index, tid */
    range.cpu = perf_u32(&c);
    if (c.bad) {
        *size = 0;
        return false;
    }
    if (*size > UINT64_MAX - range.start) return false;
    range.end = range.start + *size;
    if (*size > 0) vec_push(&aux->brought, range);
    return true;
}

static int compare(const void *a, const void *b)
{
    const struct aux_range *x = a, *y = b;
    if (x->cpu != y->cpu) return x->cpu < y->cpu ? -1 : 1;
    return x->start < y->start ? -1 : x->start > y->start;
}

/* Bytes of [start, end) that both have; `y` moves on with x. */
static uint64_t bytes_in_both(const struct aux_range *x, const struct aux_range *ys, size_t n,
                              size_t *y)
{
    uint64_t both = 0;
    while (*y < n && (ys[*y].cpu < x->cpu || (ys[*y].cpu == x->cpu && ys[*y].end <= x->start)))
        ++*y;
    for (size_t i = *y; i < n && ys[i].cpu == x->cpu && ys[i].start < x->end; i++) {
        uint64_t start = ys[i].start > x->start ? ys[i].start : x->start;
        uint64_t end = ys[i].end < x->end ? ys[i].end : x->end;
        if (end > start) both += end - start;
        if (ys[i].end > x->end) break;
        *y = i;
    }
    return both;
}

void perf_aux_finish(struct perf_aux *aux)
{
    uint64_t announced = 0, brought = 0, both = 0;
    size_t y = 0;
    if (aux->announced.count > 1)
        qsort(aux->announced.items, aux->announced.count, sizeof *aux->announced.items, compare);
    if (aux->brought.count > 1)
        qsort(aux->brought.items, aux->brought.count, sizeof *aux->brought.items, compare);
    for (size_t i = 0; i < aux->brought.count; i++)
        brought += aux->brought.items[i].end - aux->brought.items[i].start;
    for (size_t i = 0; i < aux->announced.count; i++) {
        const struct aux_range *range = &aux->announced.items[i];
        announced += range->end - range->start;
        both += bytes_in_both(range, aux->brought.items, aux->brought.count, &y);
    }
    count(aux, STAT_perf_aux_ignored, both);
    count(aux, STAT_perf_auxtrace_missing, announced > both ? announced - both : 0);
    count(aux, STAT_perf_aux_missing, brought > both ? brought - both : 0);
}
