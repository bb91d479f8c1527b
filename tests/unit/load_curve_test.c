/* Busy time of overlapping spans against the same sums made the slow way. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "engine/base/memory.h"
#include "engine/store/load_curve.h"

#define N 3000

static int64_t random_below(uint64_t *state, int64_t limit)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (int64_t)((*state >> 16) % (uint64_t)limit);
}

struct spans {
    int64_t ts[N], dur[N], end;
    uint32_t rows[N];
};

/* `gap` ns apart, a long one now and then, one that never ends; rows in any order. */
static void make_spans(struct spans *s, uint64_t *seed, int64_t gap)
{
    int64_t ts = -1000;
    for (uint32_t i = 0; i < N; i++) {
        ts += random_below(seed, gap);
        s->ts[i] = ts;
        s->dur[i] = random_below(seed, i % 100 ? 4 * gap : 900 * gap);
        s->rows[i] = i;
    }
    s->dur[N / 2] = -1;
    s->end = ts + 5 * gap;
    for (uint32_t i = N - 1; i > 0; i--) {
        uint32_t other = (uint32_t)random_below(seed, i + 1), row = s->rows[i];
        s->rows[i] = s->rows[other];
        s->rows[other] = row;
    }
}

static int64_t busy_slowly(const struct spans *s, int64_t from, int64_t to, uint32_t *starts)
{
    int64_t busy = 0;
    *starts = 0;
    for (uint32_t i = 0; i < N; i++) {
        int64_t a = s->ts[i], b = s->dur[i] < 0 ? s->end : a + s->dur[i];
        *starts += a >= from && a < to;
        if (a < from) a = from;
        if (b > to) b = to;
        if (b > a) busy += b - a;
    }
    return busy;
}

static void check(int64_t gap, int64_t tolerance)
{
    struct spans *s = mem_zero(1, sizeof *s);
    uint64_t seed = 11;
    make_spans(s, &seed, gap);
    struct load_curve *curve = load_curve_new(s->ts, s->dur, s->rows, N, s->end);
    for (int round = 0; round < 500; round++) {
        int64_t from = -2000 + random_below(&seed, s->end + 4000);
        int64_t to = from + 1 + random_below(&seed, gap * (round % 2 ? 2 : 300));
        struct load_bucket bucket;
        uint32_t starts;
        int64_t busy = busy_slowly(s, from, to, &starts);
        load_curve_bucket(curve, from, to, &bucket);
        int64_t off = bucket.busy_ns > busy ? bucket.busy_ns - busy : busy - bucket.busy_ns;
        assert_true(off <= tolerance);
        if (!tolerance) assert_int_equal(bucket.touched, busy > 0 || starts > 0);
    }
    load_curve_free(curve);
    mem_free(s);
}

static void buckets_match_brute_force(void **state)
{
    (void)state;
    check(50, 0);
    check(4000, 0);
}

/* 64 times that lie more than 4 s apart are kept to 8 or 512 ns: each of the 1300 that
 * start or end in a bucket may be off by as much. */
static void long_times_are_rounded(void **state)
{
    (void)state;
    check(INT64_C(1) << 24, INT64_C(1300) * 8);
    check(INT64_C(1) << 30, INT64_C(1300) * 512);
}

static void nothing_is_no_curve(void **state)
{
    (void)state;
    assert_null(load_curve_new(NULL, NULL, NULL, 0, 0));
    load_curve_free(NULL);
    /* At the ends of what 64 bits hold a block is kept to 4 s. */
    const int64_t ts[] = {INT64_MIN, INT64_MAX - 10}, dur[] = {5, INT64_MAX};
    const uint32_t rows[] = {0, 1};
    struct load_curve *curve = load_curve_new(ts, dur, rows, 2, INT64_MAX);
    struct load_bucket bucket;
    load_curve_bucket(curve, INT64_MIN, INT64_MAX, &bucket);
    assert_true(bucket.touched);
    load_curve_free(curve);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(buckets_match_brute_force),
        cmocka_unit_test(long_times_are_rounded),
        cmocka_unit_test(nothing_is_no_curve),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
