/* What com.example.bench brings with its traces: the TrackEvent extension
 * BenchInfo, two SQL modules, macros and startup commands. */
#ifndef TESTS_GEN_BENCH_H
#define TESTS_GEN_BENCH_H

#include <stdint.h>

#include "engine/base/buffer.h"

#define BENCH_NAMESPACE     "com.example.bench"
#define BENCH_EXTENSION     9901 /* field of TrackEvent */
#define BENCH_FRAMES_PATH   "extensions/frames.sql"
#define BENCH_PROTO_PATH    "extensions/bench_info.pb"
#define BENCH_MACROS_PATH   "extensions/macros.json"
#define BENCH_SIDECAR_PATH  "perfetto_metadata.json"
#define BENCH_FRAMES_MODULE BENCH_NAMESPACE ".frames"
#define BENCH_FOCUS_MACRO   BENCH_NAMESPACE ".FocusFrames"

/* A FileDescriptorSet. */
void bench_descriptor(struct buffer *out);

struct bench_info {
    const char *label; /* cold, warm, scroll */
    int64_t iteration;
    const char *const *tags; /* NULL-terminated */
    double budget_ms;
    int64_t vsync_id;
    unsigned phase; /* 0 unknown, 1 startup, 2 steady */
};

/* The extension as a field of the TrackEvent that is being written. */
void bench_put_info(struct buffer *event, const struct bench_info *info);

const char *bench_frames_sql(void);
const char *bench_macros_json(void);
/* with_forbidden adds a startup command that no trace may run. */
void bench_sidecar(struct buffer *out, bool with_forbidden);

#endif
