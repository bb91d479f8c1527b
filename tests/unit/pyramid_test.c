/* Buckets of a pyramid against the same sums made the slow way. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "engine/base/memory.h"
#include "engine/store/pyramid.h"
#include "engine/store/tables.h"

static uint32_t next_random(uint32_t *state)
{
    *state = *state * 1664525u + 1013904223u;
    return *state >> 8;
}

#define N 5000

static void buckets_match_brute_force(void **state)
{
    (void)state;
    struct tables *tables = tables_new();
    uint32_t seed = 7;
    int64_t ts = 0;
    uint32_t *rows = mem_alloc(N * sizeof *rows);
    for (uint32_t i = 0; i < N; i++) {
        ts += next_random(&seed) % 50;
        int64_t dur = next_random(&seed) % 100;
        struct slice_row row = {.ts = ts, .dur = i == N - 1 ? -1 : dur};
        rows[i] = slice_append(&tables->slice, &row);
        ts += dur;
    }
    tables_freeze(tables);
    int64_t end = ts + 1000;
    struct pyramid_source source = {.ts = column_int64(&tables->slice.ts),
                                    .dur = column_int64(&tables->slice.dur),
                                    .rows = rows,
                                    .count = N,
                                    .end = end};
    struct pyramid *p = pyramid_new(&source);
    const int64_t *starts = column_int64(&tables->slice.ts);
    for (int round = 0; round < 400; round++) {
        int64_t from = next_random(&seed) % (uint32_t)end;
        int64_t to = from + 1 + next_random(&seed) % 30000;
        struct pyramid_bucket bucket;
        pyramid_bucket(p, from, to, &bucket);
        int64_t busy = 0, most = -1;
        uint32_t count = 0;
        for (uint32_t i = 0; i < N; i++) {
            int64_t s = starts[i], e = pyramid_span_end(p, i);
            if (s >= to || (s < from && e <= from)) continue;
            count++;
            int64_t covers = (e < to ? e : to) - (s > from ? s : from);
            busy += covers;
            if (covers > most) most = covers;
        }
        assert_int_equal(bucket.count, count);
        assert_int_equal(bucket.busy_ns, busy);
        if (count) assert_int_equal(bucket.covers_ns, most);
        assert_true((bucket.dominant == PYRAMID_NONE) == (count == 0));
    }
    /* Buckets from left to right are the same as each by itself. */
    struct pyramid_cursor cursor = {0};
    for (int64_t from = -50; from < end + 500; from += 333) {
        struct pyramid_bucket one, next;
        pyramid_bucket(p, from, from + 333, &one);
        pyramid_next_bucket(p, &cursor, from, from + 333, &next);
        assert_int_equal(one.count, next.count);
        assert_int_equal(one.busy_ns, next.busy_ns);
        assert_int_equal(one.dominant, next.dominant);
    }
    pyramid_free(p);
    tables_free(tables);
}

static void values_know_the_one_in_force(void **state)
{
    (void)state;
    struct tables *tables = tables_new();
    uint32_t *rows = mem_alloc(100 * sizeof *rows);
    for (uint32_t i = 0; i < 100; i++) {
        struct counter_row row = {.ts = i * 10, .value = (double)(i % 10)};
        rows[i] = counter_append(&tables->counter, &row);
    }
    tables_freeze(tables);
    struct pyramid_source source = {.ts = column_int64(&tables->counter.ts),
                                    .value = column_double(&tables->counter.value),
                                    .rows = rows,
                                    .count = 100,
                                    .end = 1000};
    struct pyramid *p = pyramid_new(&source);
    struct pyramid_bucket bucket;
    pyramid_bucket(p, 55, 58, &bucket);
    assert_true(bucket.has_value && bucket.least == 5 && bucket.most == 5 && bucket.last == 5);
    pyramid_bucket(p, 55, 95, &bucket);
    assert_true(bucket.least == 5 && bucket.most == 9 && bucket.last == 9);
    pyramid_bucket(p, 95, 125, &bucket);
    assert_true(bucket.least == 0 && bucket.most == 9 && bucket.last == 2);
    pyramid_bucket(p, -10, 0, &bucket);
    assert_false(bucket.has_value);
    double least, most;
    pyramid_range(p, &least, &most);
    assert_true(least == 0 && most == 9);
    pyramid_free(p);
    tables_free(tables);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(buckets_match_brute_force),
        cmocka_unit_test(values_know_the_one_in_force),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
