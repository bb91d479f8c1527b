/* What one input may cost.  Each limit has a name that its message says. */
#ifndef ENGINE_READ_LIMITS_H
#define ENGINE_READ_LIMITS_H

#include <stdint.h>

struct read_limits {
    uint64_t inflated_bytes;   /* of all members together; also at most … */
    uint64_t small_bytes;      /* … this, or inflation_ratio times the operands */
    uint64_t inflation_ratio;  /* of one stream, once it passes … */
    uint64_t ratio_free_bytes; /* … this size */
    uint32_t members;          /* entries of all archives and folders */
    uint32_t nesting;          /* containers inside each other */
};

/* 16 GiB; 2 GiB for small operands; 300:1 beyond 256 MiB; 100,000; 8. */
extern const struct read_limits read_limits_default;

#endif
