/* Repeatable pseudo-random numbers (splitmix64): the same seed gives the same
 * trace on every machine. */
#ifndef TESTS_GEN_RANDOM_H
#define TESTS_GEN_RANDOM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct gen_random {
    uint64_t state;
};

static inline uint64_t gen_random_next(struct gen_random *random)
{
    uint64_t z = random->state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

/* low <= result <= high */
static inline int64_t gen_random_between(struct gen_random *random, int64_t low, int64_t high)
{
    return low + (int64_t)(gen_random_next(random) % (uint64_t)(high - low + 1));
}

static inline bool gen_random_chance(struct gen_random *random, unsigned percent)
{
    return gen_random_next(random) % 100 < percent;
}

#endif
