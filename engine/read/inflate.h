/* Compressed streams, inflated in pieces into a region.
 *
 * Members of a gzip file and frames of a zstd file are joined into one stream
 * (spec engine_1 1.4).  A stream that breaks off or goes bad keeps what came
 * before.
 */
#ifndef ENGINE_READ_INFLATE_H
#define ENGINE_READ_INFLATE_H

#include "engine/base/thread.h"
#include "engine/read/limits.h"
#include "engine/read/region.h"

enum inflate_codec {
    INFLATE_GZIP,
    INFLATE_ZLIB,
    INFLATE_RAW, /* a deflate stream without a frame, as zip has it */
    INFLATE_ZSTD,
};

enum inflate_end {
    INFLATE_WHOLE,
    INFLATE_CUT,     /* the input ends inside the stream */
    INFLATE_CORRUPT, /* the decoder refuses */
    INFLATE_LIMIT,   /* `limit` says which */
    INFLATE_STOPPED, /* cancelled */
};

struct inflate_job {
    struct str input;
    enum inflate_codec codec;
    const struct read_limits *limits;
    uint64_t *total_bytes; /* inflated so far for the whole input; counted up */
    uint64_t total_limit;  /* largest *total_bytes */
    const struct cancel *cancel;
    void (*progress)(void *context, uint64_t bytes); /* inflated; may be NULL */
    void *progress_context;
    /* Results. */
    size_t consumed;   /* bytes of the input used */
    const char *limit; /* name of the limit that was hit */
};

enum inflate_end inflate_run(struct inflate_job *job, struct region *out);

#endif
