/* Heaps, methods and what else managed runtimes and Fuchsia write, small and with known
 * numbers; what each holds is said at its function.  `cut` ones end in the middle,
 * `odd` ones hold what no writer would.
 */
#ifndef TESTS_GEN_HEAP_FORMATS_H
#define TESTS_GEN_HEAP_FORMATS_H

#include "engine/base/buffer.h"

/* heap_packets.c: Perfetto packets */
void gen_write_heap_graph(struct buffer *out);
void gen_write_heap_graph_odd(struct buffer *out);
void gen_write_stack_samples(struct buffer *out);
void gen_write_smaps(struct buffer *out);
void gen_write_deobfuscation(struct buffer *out);
void gen_write_out_of_memory(struct buffer *out);
void gen_write_named_args(struct buffer *out);

/* heap_art.c */
void gen_write_art_text(struct buffer *out);
void gen_write_art_text_cut(struct buffer *out);
void gen_write_art_text_odd(struct buffer *out);
void gen_write_art_stream(struct buffer *out);
void gen_write_art_stream_cut(struct buffer *out);
void gen_write_art_v2(struct buffer *out);
void gen_write_art_v2_dual(struct buffer *out);
void gen_write_art_v2_odd(struct buffer *out);

/* heap_hprof.c */
void gen_write_hprof(struct buffer *out);
void gen_write_hprof_long(struct buffer *out);
void gen_write_hprof_cut(struct buffer *out);
void gen_write_hprof_odd(struct buffer *out);

/* fuchsia.c */
void gen_write_fuchsia(struct buffer *out);
void gen_write_fuchsia_cut(struct buffer *out);
void gen_write_fuchsia_odd(struct buffer *out);

#endif
