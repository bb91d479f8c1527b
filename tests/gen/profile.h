/* CPU samples of traced_perf on a sequence, with interned call stacks. */
#ifndef TESTS_GEN_PROFILE_H
#define TESTS_GEN_PROFILE_H

#include <stddef.h>
#include <stdint.h>

#include "tests/gen/event.h"

struct gen_profile_frame {
    const char *function;
    const char *mapping; /* a path, parts split at '/' */
    uint64_t rel_pc;
};

enum gen_cpu_mode { GEN_CPU_KERNEL = 1, GEN_CPU_USER = 2 };

/* The sampling of this sequence: what is counted and how often. */
void gen_profile_defaults(struct gen_seq *seq, const char *timebase_name, uint64_t period);
/* Root first.  Interned with the packet that is written next. */
uint64_t gen_profile_callstack(struct gen_seq *seq, const struct gen_profile_frame *frames,
                               size_t count);
/* callstack 0: none (kernel-side loss, or not unwound). */
void gen_profile_sample(struct gen_seq *seq, int64_t ts_ns, uint32_t cpu, uint32_t pid,
                        uint32_t tid, enum gen_cpu_mode mode, uint64_t callstack, uint64_t count);
void gen_profile_lost(struct gen_seq *seq, int64_t ts_ns, uint32_t cpu, uint64_t records);

#endif
