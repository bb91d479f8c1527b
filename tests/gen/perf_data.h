/* perf.data files of Linux perf and simpleperf, in either byte order, as files or as
 * the stream of a pipe, byte for byte as told.
 *
 *     struct gen_perf p = GEN_PERF_FILE;
 *     gen_perf_attr(&p, &attr);              every event first
 *     gen_perf_comm(&p, …); gen_perf_sample(&p, …);
 *     gen_perf_feature(&p, 11, &body);       upwards by number
 *     gen_perf_finish(&p, out);
 *
 * Times are ns of the events' clock.  Bodies are emptied by whoever takes them.
 */
#ifndef TESTS_GEN_PERF_DATA_H
#define TESTS_GEN_PERF_DATA_H

#include <stddef.h>
#include <stdint.h>

#include "engine/base/buffer.h"

/* Of perf_event_attr.sample_type. */
enum {
    GEN_PERF_IP = 1 << 0,
    GEN_PERF_TID = 1 << 1,
    GEN_PERF_TIME = 1 << 2,
    GEN_PERF_READ = 1 << 4,
    GEN_PERF_CALLCHAIN = 1 << 5,
    GEN_PERF_ID = 1 << 6,
    GEN_PERF_CPU = 1 << 7,
    GEN_PERF_PERIOD = 1 << 8,
    GEN_PERF_IDENTIFIER = 1 << 16,
};

enum { GEN_PERF_KERNEL = 1, GEN_PERF_USER = 2 };

struct gen_perf_attr {
    uint32_t type;
    uint64_t config, period, sample_type, read_format;
    bool is_frequency;
    int clock_id;    /* -1: the kernel's own */
    uint64_t ids[2]; /* 0: none */
};

struct gen_perf {
    bool is_pipe, is_swapped;
    uint64_t sample_type; /* of the first event: what ends the other records */
    uint64_t n_features, features[4];
    struct buffer attrs, ids, data, feature_sizes, feature_bytes;
};

#define GEN_PERF_FILE \
    { \
        .is_pipe = false \
    }

void gen_perf_put(const struct gen_perf *p, struct buffer *b, size_t bytes, uint64_t value);
void gen_perf_put_text(const struct gen_perf *p, struct buffer *b, const char *text);

void gen_perf_attr(struct gen_perf *p, const struct gen_perf_attr *attr);
void gen_perf_record(struct gen_perf *p, uint32_t type, uint16_t misc, struct buffer *body);
/* pid -1: the kernel's.  time 0: the recorder's own record. */
void gen_perf_mmap(struct gen_perf *p, int32_t pid, uint64_t start, uint64_t size, uint64_t offset,
                   const char *path, uint64_t time);
void gen_perf_mmap2(struct gen_perf *p, int32_t pid, uint64_t start, uint64_t size, uint64_t offset,
                    const char *path, const char *build_id, uint64_t time);
void gen_perf_comm(struct gen_perf *p, int32_t pid, int32_t tid, const char *comm, uint64_t time);

struct gen_perf_sample {
    uint64_t time, id, period;
    int32_t pid, tid;
    uint32_t cpu;
    uint16_t mode;
    uint64_t ip; /* also begins the chain, if it has none */
    const uint64_t *chain;
    size_t n_chain;
    const uint64_t *counters; /* value, id … of a group */
    size_t n_counters;
};
void gen_perf_sample(struct gen_perf *p, const struct gen_perf_attr *attr,
                     const struct gen_perf_sample *sample);
void gen_perf_feature(struct gen_perf *p, uint32_t feature, struct buffer *body);
/* Appends the file and frees what it was made of. */
void gen_perf_finish(struct gen_perf *p, struct buffer *out);

/* Two threads, two events with ids, counters in groups, kernel and user call chains,
 * build ids, names of events. */
void gen_write_perf_data(struct buffer *out);
void gen_write_perf_data_big_endian(struct buffer *out);
void gen_write_perf_data_pipe(struct buffer *out);
/* One event of no ids on the kernel's clock: what plain `perf record` writes. */
void gen_write_perf_data_plain(struct buffer *out);
/* 300 mappings of 16 pages from the last to the first, then ones that cover them: 0x10000
 * has "/a", "/b" in its middle, "/c" over the end of the next and all of two more; a child that
 * takes over.  Samples at 0x10000, 0x14800, 0x19000, 0x3f000 in parent and child. */
void gen_write_perf_data_mappings(struct buffer *out);
/* Records packed by zstd, cut in the middle of one. */
void gen_write_perf_data_packed(struct buffer *out);
/* simpleperf's own sections: files with symbols, old and new, facts. */
void gen_write_perf_data_simpleperf(struct buffer *out);
/* Hardware trace data with a hole. */
void gen_write_perf_data_aux(struct buffer *out);
/* Records, sections and events that are wrong in every way. */
void gen_write_perf_data_broken(struct buffer *out);
void gen_write_perf_data_cut(struct buffer *out);
/* The recorder was killed before it wrote the sizes. */
void gen_write_perf_data_unclosed(struct buffer *out);

#endif
