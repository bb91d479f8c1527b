#include "tests/gen/compress.h"

#include <assert.h>
#include <zlib.h>
#include <zstd.h>

#include "engine/base/memory.h"

enum { ZLIB_WRAPPED = 15, GZIP_WRAPPED = 15 + 16, RAW = -15, ZSTD_LEVEL = 3 };

static void deflate_all(struct buffer *out, struct str bytes, int window_bits)
{
    z_stream stream = {0};
    int rc = deflateInit2(&stream, 6, Z_DEFLATED, window_bits, 8, Z_DEFAULT_STRATEGY);
    assert(rc == Z_OK);
    size_t bound = deflateBound(&stream, (uLong)bytes.n) + 64;
    char *space = mem_alloc(bound);
    stream.next_in = (Bytef *)(uintptr_t)bytes.p;
    stream.avail_in = (uInt)bytes.n;
    stream.next_out = (Bytef *)space;
    stream.avail_out = (uInt)bound;
    rc = deflate(&stream, Z_FINISH);
    assert(rc == Z_STREAM_END);
    (void)rc;
    buffer_append(out, space, bound - stream.avail_out);
    mem_free(space);
    deflateEnd(&stream);
}

void gen_zlib(struct buffer *out, struct str bytes)
{
    deflate_all(out, bytes, ZLIB_WRAPPED);
}

void gen_raw_deflate(struct buffer *out, struct str bytes)
{
    deflate_all(out, bytes, RAW);
}

void gen_gzip(struct buffer *out, struct str bytes)
{
    deflate_all(out, bytes, GZIP_WRAPPED);
}

void gen_zstd(struct buffer *out, struct str bytes)
{
    size_t bound = ZSTD_compressBound(bytes.n);
    char *space = mem_alloc(bound);
    size_t used = ZSTD_compress(space, bound, bytes.p ? bytes.p : "", bytes.n, ZSTD_LEVEL);
    assert(!ZSTD_isError(used));
    buffer_append(out, space, used);
    mem_free(space);
}
