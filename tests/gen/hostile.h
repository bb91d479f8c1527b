/* Names that try to break the reader or the terminal: every C0 and C1 control,
 * bidi overrides, invisible characters, invalid UTF-8, escape sequences, NUL,
 * very long and very tall text.
 *
 * No screen, message or table may show one of them as it is; a trace that holds
 * them must load.
 */
#ifndef TESTS_GEN_HOSTILE_H
#define TESTS_GEN_HOSTILE_H

#include <stddef.h>

#include "engine/base/buffer.h"

size_t gen_hostile_count(void);
/* Appends text i. */
void gen_hostile_text(size_t i, struct buffer *out);

/* All of them as slices, categories, arguments (keys and values), tracks, counters,
 * processes, threads, logs, scheduling comms and atrace text. */
void gen_write_hostile_trace(struct buffer *out);
/* As Chrome JSON, escaped where JSON must. */
void gen_write_hostile_json(struct buffer *out);
/* A sidecar whose macros and startup commands carry them (all valid JSON). */
void gen_write_hostile_sidecar(struct buffer *out);

#endif
