#include "engine/base/hash.h"

#include <xxhash.h>

uint64_t hash_bytes(const void *bytes, size_t length)
{
    return XXH3_64bits(bytes, length);
}
