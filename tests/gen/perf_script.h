/* The text of `perf script`.  Times are microseconds of MONOTONIC. */
#ifndef TESTS_GEN_PERF_SCRIPT_H
#define TESTS_GEN_PERF_SCRIPT_H

#include <stdint.h>

#include "engine/base/buffer.h"

struct gen_perf_task {
    const char *comm;
    int32_t pid; /* -1: not written */
    int32_t tid;
    int32_t cpu; /* -1: not written */
};

void gen_perf_script_sample(struct buffer *out, const struct gen_perf_task *task, uint64_t time_us,
                            const char *event);
void gen_perf_script_frame(struct buffer *out, uint64_t address, const char *symbol,
                           const char *mapping);
void gen_perf_script_end(struct buffer *out);

/* Samples with and without pid, CPU and call chain. */
void gen_write_perf_script(struct buffer *out);
/* Lines that are nothing, a sample of no frames, an end in the middle of one. */
void gen_write_perf_script_broken(struct buffer *out);

#endif
