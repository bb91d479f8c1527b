#include "commands/spread.h"

#include <math.h>

static void swap(int64_t *a, int64_t *b)
{
    int64_t keep = *a;
    *a = *b;
    *b = keep;
}

/* Puts the value of place `want` there (Hoare's selection, middle of three). */
static int64_t select_place(int64_t *values, uint32_t count, uint32_t want)
{
    uint32_t low = 0, high = count - 1;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (values[middle] < values[low]) swap(&values[middle], &values[low]);
        if (values[high] < values[low]) swap(&values[high], &values[low]);
        if (values[high] < values[middle]) swap(&values[high], &values[middle]);
        int64_t pivot = values[middle];
        int64_t i = (int64_t)low - 1, j = (int64_t)high + 1;
        for (;;) {
            do
                i++;
            while (values[i] < pivot);
            do
                j--;
            while (values[j] > pivot);
            if (i >= j) break;
            swap(&values[i], &values[j]);
        }
        if (want <= (uint32_t)j)
            high = (uint32_t)j;
        else
            low = (uint32_t)j + 1;
    }
    return values[want];
}

int spread_bucket(const struct spread *s, int64_t value)
{
    if (value >= s->most) return SPREAD_BUCKETS - 1;
    if (value <= s->least) return 0;
    double share;
    if (s->is_log) {
        double low = log((double)(s->least > 0 ? s->least : 1));
        share = (log((double)value) - low) / (log((double)s->most) - low);
    } else {
        share = ((double)value - (double)s->least) / ((double)s->most - (double)s->least);
    }
    int bucket = (int)(share * SPREAD_BUCKETS);
    return bucket < 0 ? 0 : bucket >= SPREAD_BUCKETS ? SPREAD_BUCKETS - 1 : bucket;
}

void spread_compute(int64_t *values, uint32_t count, struct spread *out)
{
    *out = (struct spread){.count = count};
    if (count == 0) return;
    out->least = out->most = values[0];
    for (uint32_t i = 1; i < count; i++) {
        if (values[i] < out->least) out->least = values[i];
        if (values[i] > out->most) out->most = values[i];
    }
    out->is_log = out->most / SPREAD_WIDE > (out->least > 0 ? out->least : 1);
    for (uint32_t i = 0; i < count; i++)
        out->buckets[spread_bucket(out, values[i])]++;
    out->p50 = select_place(values, count, (count - 1) / 2);
    out->p95 = select_place(values, count, (uint32_t)((uint64_t)(count - 1) * 95 / 100));
}
