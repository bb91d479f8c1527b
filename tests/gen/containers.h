/* Traces in containers, and containers in containers.  What each holds, and what of
 * it must be read, is said in containers.c. */
#ifndef TESTS_GEN_CONTAINERS_H
#define TESTS_GEN_CONTAINERS_H

#include "engine/base/buffer.h"

void gen_write_gz(struct buffer *out);
void gen_write_gz_two_members(struct buffer *out);
void gen_write_zst(struct buffer *out);
void gen_write_gz_in_zst(struct buffer *out);
void gen_write_zip_plain(struct buffer *out);
void gen_write_zip_mixed(struct buffer *out);
void gen_write_zip_of_gz(struct buffer *out);
void gen_write_zip_in_zip(struct buffer *out);
void gen_write_zip_no_directory(struct buffer *out);
void gen_write_zip_bad_crc(struct buffer *out);
void gen_write_zip_unknown_member(struct buffer *out);
void gen_write_zip_only_unknown(struct buffer *out);
void gen_write_zip_name_twice(struct buffer *out);
void gen_write_zip_raw_names(struct buffer *out);
void gen_write_zip_bomb(struct buffer *out);
void gen_write_zip_deep(struct buffer *out);
void gen_write_tar_ustar(struct buffer *out);
void gen_write_tar_gnu(struct buffer *out);
void gen_write_tar_pax(struct buffer *out);
void gen_write_tar_gz(struct buffer *out);
void gen_write_tar_no_end(struct buffer *out);
void gen_write_tar_odd_types(struct buffer *out);

#endif
