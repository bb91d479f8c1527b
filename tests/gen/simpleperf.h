/* simpleperf's protobuf report: magic, version, length-prefixed records, an empty
 * record at the end.  Times are ns of MONOTONIC. */
#ifndef TESTS_GEN_SIMPLEPERF_H
#define TESTS_GEN_SIMPLEPERF_H

#include <stddef.h>
#include <stdint.h>

#include "engine/base/buffer.h"

struct gen_simpleperf_frame {
    uint64_t vaddr;
    uint32_t file_id;
    int32_t symbol_id; /* -1: unknown */
};

void gen_simpleperf_start(struct buffer *out, uint16_t version);
/* Leaf first. */
void gen_simpleperf_sample(struct buffer *out, int64_t time_ns, int32_t tid,
                           const struct gen_simpleperf_frame *frames, size_t count,
                           uint64_t event_count, uint32_t event_type);
void gen_simpleperf_lost(struct buffer *out, uint64_t samples, uint64_t lost);
/* Files are numbered from 0 in the order of their ids. */
void gen_simpleperf_file(struct buffer *out, uint32_t id, const char *path,
                         const char *const *symbols, size_t count);
void gen_simpleperf_thread(struct buffer *out, int32_t tid, int32_t pid, const char *name);
void gen_simpleperf_meta(struct buffer *out, const char *event_type, const char *package);
void gen_simpleperf_context_switch(struct buffer *out, bool is_on, int64_t time_ns, int32_t tid);
void gen_simpleperf_finish(struct buffer *out);

#endif
