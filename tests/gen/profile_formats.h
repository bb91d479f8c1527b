/* Profiles of the formats that are not Perfetto's, small ones with known numbers;
 * what each holds is said at its function.  `cut` ones end in the middle.
 */
#ifndef TESTS_GEN_PROFILE_FORMATS_H
#define TESTS_GEN_PROFILE_FORMATS_H

#include "engine/base/buffer.h"

/* profile_formats.c */
void gen_write_collapsed(struct buffer *out);
void gen_write_collapsed_utf16(struct buffer *out);
void gen_write_collapsed_odd(struct buffer *out);
void gen_write_pprof(struct buffer *out);
void gen_write_pprof_cut(struct buffer *out);
void gen_write_pprof_odd(struct buffer *out);
void gen_write_primes(struct buffer *out);
void gen_write_primes_cut(struct buffer *out);
void gen_write_primes_odd(struct buffer *out);

/* profile_json.c */
void gen_write_gecko_raw(struct buffer *out);
void gen_write_gecko_processed(struct buffer *out);
void gen_write_gecko_shared(struct buffer *out);
void gen_write_gecko_cut(struct buffer *out);
void gen_write_gecko_odd(struct buffer *out);
void gen_write_cpuprofile(struct buffer *out);
void gen_write_cpuprofile_old(struct buffer *out);
void gen_write_cpuprofile_cut(struct buffer *out);
void gen_write_cpuprofile_odd(struct buffer *out);

/* profile_xml.c */
void gen_write_instruments(struct buffer *out);
void gen_write_instruments_cut(struct buffer *out);
void gen_write_instruments_odd(struct buffer *out);
void gen_write_instruments_copy(struct buffer *out);
void gen_write_instruments_copy_bytes(struct buffer *out);

#endif
