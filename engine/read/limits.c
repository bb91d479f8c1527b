#include "engine/read/limits.h"

const struct read_limits read_limits_default = {
    .inflated_bytes = UINT64_C(16) << 30,
    .small_bytes = UINT64_C(2) << 30,
    .inflation_ratio = 300,
    .ratio_free_bytes = UINT64_C(256) << 20,
    .members = 100000,
    .nesting = 8,
};
