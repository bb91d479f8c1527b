/* Compresses whole byte strings, the same way each time: no times, no names, one
 * fixed level.  Results are appended to `out`. */
#ifndef TESTS_GEN_COMPRESS_H
#define TESTS_GEN_COMPRESS_H

#include "engine/base/buffer.h"
#include "engine/base/str.h"

void gen_zlib(struct buffer *out, struct str bytes);
void gen_raw_deflate(struct buffer *out, struct str bytes);
void gen_gzip(struct buffer *out, struct str bytes); /* mtime 0, no name */
void gen_zstd(struct buffer *out, struct str bytes);

#endif
