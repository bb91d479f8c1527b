/* How busy overlapping spans are in any bucket of time, exactly: the CPU time of a
 * process, of all CPUs.
 *
 * The time worked before t is the sum over all spans of what each has done by then:
 * of t - start for those begun, less t - end for those over.  So two sorted lists of
 * times with sums of their blocks answer a bucket in O(log spans), whatever overlaps.
 * About 8.5 bytes a span; building is O(n log n).
 */
#ifndef ENGINE_STORE_LOAD_CURVE_H
#define ENGINE_STORE_LOAD_CURVE_H

#include <stdbool.h>
#include <stdint.h>

struct load_curve;

/* Spans are ts[row], dur[row] for the n `rows` (borrowed for the call, any order); a
 * span with dur -1 lasts to `end`.  NULL without spans. */
struct load_curve *load_curve_new(const int64_t *ts, const int64_t *dur, const uint32_t *rows,
                                  uint32_t n, int64_t end);
void load_curve_free(struct load_curve *curve);

struct load_bucket {
    int64_t busy_ns; /* summed over the spans that are open at a time */
    bool touched;    /* a span starts or works in it */
};

/* What happens in [start, end). */
void load_curve_bucket(const struct load_curve *curve, int64_t start, int64_t end,
                       struct load_bucket *out);

#endif
