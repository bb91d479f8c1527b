/* Call stacks of the example's CPU samples: which function a thread is in follows
 * from the slices that are open on it. */
#ifndef TESTS_GEN_SAMPLES_H
#define TESTS_GEN_SAMPLES_H

#include <stddef.h>
#include <stdint.h>

#include "engine/base/buffer.h"
#include "tests/gen/random.h"

/* The files and threads; call before and after the samples. */
void samples_start(struct buffer *simpleperf);
void samples_finish(struct buffer *simpleperf);
/* slices: names of the open slices, outermost first.  Time is MONOTONIC. */
void samples_put(struct buffer *simpleperf, struct gen_random *random, int64_t time_ns, int32_t tid,
                 const char *const *slices, size_t slice_count);

#endif
