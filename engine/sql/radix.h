/* Stable sorting of row numbers by 64-bit keys, a byte at a time; bytes in which all
 * keys agree cost nothing. */
#ifndef ENGINE_SQL_RADIX_H
#define ENGINE_SQL_RADIX_H

#include <stdint.h>

struct keyed_row {
    uint64_t key;
    uint32_t row;
};

/* `spare` has room for n as well. */
void radix_sort(struct keyed_row *rows, struct keyed_row *spare, uint32_t n);

/* Unsigned order of the key is signed order of the value. */
static inline uint64_t radix_key_of_int64(int64_t value)
{
    return (uint64_t)value ^ UINT64_C(1) << 63;
}

#endif
