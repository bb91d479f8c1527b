/* Ranges that cover one another, against an array of what lies at each address. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <time.h>
#include <cmocka.h>

#include "engine/import/perf_address_space.h"

#define ADDRESSES 4000

static uint32_t random_below(uint32_t *state, uint32_t limit)
{
    *state = *state * 1664525u + 1013904223u;
    return (*state >> 8) % limit;
}

static struct perf_mapping range(uint64_t start, uint64_t end, uint32_t row)
{
    return (struct perf_mapping){.start = start, .end = end, .offset = 1000000, .row = row};
}

static void check_all(const struct perf_address_space *space, const uint32_t *owner,
                      const uint64_t *started)
{
    for (uint64_t a = 0; a < ADDRESSES; a++) {
        const struct perf_mapping *found = perf_address_space_find(space, a);
        assert_int_equal(found ? found->row : 0, owner[a]);
        /* The offset follows the start when a range was cut at its front. */
        if (found) assert_int_equal(found->offset - found->start, 1000000 - started[a]);
    }
}

static void newer_ranges_cover_older_ones(void **state)
{
    (void)state;
    struct perf_address_space space = {0}, copy = {0};
    uint32_t owner[ADDRESSES] = {0}, seed = 3;
    uint64_t started[ADDRESSES] = {0};
    for (uint32_t round = 1; round <= 3000; round++) {
        uint64_t start = random_below(&seed, ADDRESSES - 1);
        uint64_t length = 1 + random_below(&seed, round % 50 ? 12 : 900);
        uint64_t end = start + length < ADDRESSES ? start + length : ADDRESSES;
        struct perf_mapping mapping = range(start, end, round);
        assert_true(perf_address_space_add(&space, &mapping));
        for (uint64_t a = start; a < end; a++) {
            owner[a] = round;
            started[a] = start;
        }
        if (round % 200 == 0) check_all(&space, owner, started);
    }
    perf_address_space_copy(&copy, &space);
    perf_address_space_dispose(&space);
    check_all(&copy, owner, started);
    assert_null(perf_address_space_find(&copy, ADDRESSES));
    assert_null(perf_address_space_find(&copy, UINT64_MAX));
    perf_address_space_dispose(&copy);
}

static void fills_and_lasts(uint64_t (*address_of)(uint32_t i))
{
    struct perf_address_space space = {0};
    clock_t begun = clock();
    for (uint32_t i = 0; i < PERF_MAX_MAPPINGS; i++) {
        struct perf_mapping mapping = range(address_of(i), address_of(i) + 8, i);
        assert_true(perf_address_space_add(&space, &mapping));
    }
    struct perf_mapping one_more = range(1, 2, 0);
    assert_false(perf_address_space_add(&space, &one_more));
    for (uint32_t i = 0; i < PERF_MAX_MAPPINGS; i++)
        assert_int_equal(perf_address_space_find(&space, address_of(i) + 7)->row, i);
    assert_true((double)(clock() - begun) / CLOCKS_PER_SEC < 2.0); /* one array: 10 s */
    perf_address_space_dispose(&space);
}

static uint64_t upwards(uint32_t i)
{
    return 16 + (uint64_t)i * 16;
}

static uint64_t downwards(uint32_t i)
{
    return (uint64_t)(PERF_MAX_MAPPINGS - i) * 16;
}

static uint64_t here_and_there(uint32_t i)
{
    return 16 + (uint64_t)(i * 40503u % PERF_MAX_MAPPINGS) * 16;
}

static void any_order_is_as_quick(void **state)
{
    (void)state;
    fills_and_lasts(upwards);
    fills_and_lasts(downwards);
    fills_and_lasts(here_and_there);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(newer_ranges_cover_older_ones),
        cmocka_unit_test(any_order_is_as_quick),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
