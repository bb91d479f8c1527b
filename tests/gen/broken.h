/* Damaged inputs.  Each says in broken.c what is whole in it: that must load, and
 * the loss must be told. */
#ifndef TESTS_GEN_BROKEN_H
#define TESTS_GEN_BROKEN_H

#include "engine/base/buffer.h"

void gen_write_empty(struct buffer *out);
void gen_write_cut_packet(struct buffer *out);
void gen_write_cut_tag(struct buffer *out);
void gen_write_other_fields(struct buffer *out);
void gen_write_bad_wire_type(struct buffer *out);
void gen_write_huge_length(struct buffer *out);
void gen_write_bad_inner_packet(struct buffer *out);
void gen_write_bad_zlib(struct buffer *out);
void gen_write_compressed_in_compressed(struct buffer *out);
void gen_write_compact_mismatch(struct buffer *out);
void gen_write_deep_stack(struct buffer *out);
void gen_write_deep_annotation(struct buffer *out);
void gen_write_times_at_the_ends(struct buffer *out);
void gen_write_simpleperf_cut(struct buffer *out);
void gen_write_simpleperf_version(struct buffer *out);
void gen_write_gzip_cut(struct buffer *out);
void gen_write_gzip_damaged(struct buffer *out);
void gen_write_gzip_rest(struct buffer *out);
void gen_write_zip_cut(struct buffer *out);
void gen_write_unknown_type(struct buffer *out);

#endif
