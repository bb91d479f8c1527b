/* A protobuf message as a line of text, so that a small trace is a table to read:
 *
 *     "1:42 2:'name' 3{1:-1 2~0.5} 4[1 2 3] 5%1.5 6=16 7:s-3"
 *
 * N:number is a varint (:s zigzag), N:'text' a string, N{…} a message, N[…] packed
 * varints, N~x a float, N%x a double, N=n 64 fixed bits, N#n 32 fixed bits.  Numbers
 * are decimal, octal or hexadecimal.  A line that is wrong is our own mistake.
 */
#ifndef TESTS_GEN_NOTATION_H
#define TESTS_GEN_NOTATION_H

#include <stddef.h>
#include <stdint.h>

#include "engine/base/buffer.h"
#include "tests/gen/ftrace.h"

void gen_notation(struct buffer *b, const char *line);

/* A packet of `sequence` at `at` ns after GEN_FEATURES_START; at < 0: without a time. */
struct gen_line {
    int64_t at;
    const char *fields;
};
void gen_notation_packets(struct buffer *trace, uint32_t sequence, const struct gen_line *lines,
                          size_t count);

/* A kernel event of thread `tid`; its fields are those of event number `event`. */
struct gen_kernel_line {
    int64_t at;
    int32_t tid;
    uint32_t event;
    const char *fields;
};
void gen_notation_kernel(struct gen_ftrace *cpu, const struct gen_kernel_line *lines, size_t count);

#endif
