/* How many values lie where: percentiles and a histogram, as of the durations of all
 * slices of one name.
 *
 * Percentiles are values that occur: the one at place (count - 1) * p, rounded down,
 * in ascending order.  Buckets are equal steps of the value, or of its logarithm
 * where the largest is more than SPREAD_WIDE times the smallest.
 */
#ifndef COMMANDS_SPREAD_H
#define COMMANDS_SPREAD_H

#include <stdbool.h>
#include <stdint.h>

#define SPREAD_BUCKETS 20
#define SPREAD_WIDE    16

struct spread {
    uint32_t count;
    int64_t least, p50, p95, most;
    bool is_log;
    uint32_t buckets[SPREAD_BUCKETS];
};

/* Reorders `values`; all must be >= 0.  All zeros without any. */
void spread_compute(int64_t *values, uint32_t count, struct spread *out);
int spread_bucket(const struct spread *spread, int64_t value);

#endif
