/* Arithmetic on sizes and times that came from input.  Each returns false, and
 * leaves *out alone, when the true result does not fit. */
#ifndef ENGINE_BASE_CHECKED_H
#define ENGINE_BASE_CHECKED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

static inline bool checked_add(size_t a, size_t b, size_t *out)
{
    size_t result;
    if (__builtin_add_overflow(a, b, &result)) return false;
    *out = result;
    return true;
}

static inline bool checked_mul(size_t a, size_t b, size_t *out)
{
    size_t result;
    if (__builtin_mul_overflow(a, b, &result)) return false;
    *out = result;
    return true;
}

static inline bool checked_add_int64(int64_t a, int64_t b, int64_t *out)
{
    int64_t result;
    if (__builtin_add_overflow(a, b, &result)) return false;
    *out = result;
    return true;
}

static inline bool checked_sub_int64(int64_t a, int64_t b, int64_t *out)
{
    int64_t result;
    if (__builtin_sub_overflow(a, b, &result)) return false;
    *out = result;
    return true;
}

static inline bool checked_mul_int64(int64_t a, int64_t b, int64_t *out)
{
    int64_t result;
    if (__builtin_mul_overflow(a, b, &result)) return false;
    *out = result;
    return true;
}

/* Two's complement wrap-around, where a format defines sums that way. */
static inline int64_t wrapping_add_int64(int64_t a, int64_t b)
{
    return (int64_t)((uint64_t)a + (uint64_t)b);
}

static inline int64_t wrapping_sub_int64(int64_t a, int64_t b)
{
    return (int64_t)((uint64_t)a - (uint64_t)b);
}

/* The end of a span, held at the ends of the int64 range. */
static inline int64_t saturating_add_int64(int64_t a, int64_t b)
{
    int64_t result;
    if (!__builtin_add_overflow(a, b, &result)) return result;
    return b > 0 ? INT64_MAX : INT64_MIN;
}

#endif
