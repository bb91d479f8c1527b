/* Percentiles and histograms. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <cmocka.h>

#include "commands/spread.h"

static int ascending(const void *a, const void *b)
{
    int64_t l = *(const int64_t *)a, r = *(const int64_t *)b;
    return (l > r) - (l < r);
}

static void test_percentiles_are_those_of_sorted_values(void **state)
{
    (void)state;
    enum { MOST = 3000 };
    static int64_t values[MOST], sorted[MOST];
    uint64_t random = 7;
    static const uint32_t counts[] = {1, 2, 3, 19, 20, 21, 100, 101, MOST};
    /* Few different values, many, and in order already. */
    static const uint64_t ranges[] = {1, 3, 1000, UINT64_C(1) << 40, 0};
    for (size_t c = 0; c < sizeof counts / sizeof *counts; c++)
        for (size_t r = 0; r < sizeof ranges / sizeof *ranges; r++) {
            uint32_t n = counts[c];
            for (uint32_t i = 0; i < n; i++) {
                random = random * UINT64_C(6364136223846793005) + 1442695040888963407u;
                values[i] = sorted[i] =
                    ranges[r] ? (int64_t)((random >> 20) % ranges[r]) : (int64_t)i;
            }
            qsort(sorted, n, sizeof *sorted, ascending);
            struct spread spread;
            spread_compute(values, n, &spread);
            assert_int_equal(spread.count, n);
            assert_int_equal(spread.least, sorted[0]);
            assert_int_equal(spread.most, sorted[n - 1]);
            assert_int_equal(spread.p50, sorted[(n - 1) / 2]);
            assert_int_equal(spread.p95, sorted[(uint64_t)(n - 1) * 95 / 100]);
            uint32_t counted = 0;
            for (int i = 0; i < SPREAD_BUCKETS; i++)
                counted += spread.buckets[i];
            assert_int_equal(counted, n);
        }
}

static void test_buckets_are_equal_steps(void **state)
{
    (void)state;
    int64_t values[] = {100, 120, 199, 200, 300};
    struct spread spread;
    spread_compute(values, 5, &spread);
    assert_false(spread.is_log);
    assert_int_equal(spread_bucket(&spread, 100), 0);
    assert_int_equal(spread_bucket(&spread, 109), 0);
    assert_int_equal(spread_bucket(&spread, 110), 1);
    assert_int_equal(spread_bucket(&spread, 200), 10);
    assert_int_equal(spread_bucket(&spread, 300), SPREAD_BUCKETS - 1);
    assert_int_equal(spread.buckets[2], 1);
    assert_int_equal(spread.buckets[9], 1);
    assert_int_equal(spread.buckets[10], 1);
}

static void test_wide_spreads_are_logarithmic(void **state)
{
    (void)state;
    int64_t values[] = {0, 1, 1000, 1000000};
    struct spread spread;
    spread_compute(values, 4, &spread);
    assert_true(spread.is_log);
    assert_int_equal(spread_bucket(&spread, 0), 0);
    assert_int_equal(spread_bucket(&spread, 1), 0);
    assert_in_range(spread_bucket(&spread, 1000), 9, 10);
    assert_int_equal(spread_bucket(&spread, 1000000), SPREAD_BUCKETS - 1);
    /* All the same, and none. */
    int64_t same[] = {5, 5, 5};
    spread_compute(same, 3, &spread);
    assert_int_equal(spread.p95, 5);
    assert_int_equal(spread.buckets[SPREAD_BUCKETS - 1], 3);
    spread_compute(same, 0, &spread);
    assert_int_equal(spread.count, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_percentiles_are_those_of_sorted_values),
        cmocka_unit_test(test_buckets_are_equal_steps),
        cmocka_unit_test(test_wide_spreads_are_logarithmic),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
