/* Writes the protobuf wire format, byte for byte as told: nothing checks that the
 * fields make sense, so damaged messages can be made too.
 *
 * A nested message is opened with gen_open, which returns a mark, and closed
 * with gen_close; marks are closed in the reverse order of opening.  Lengths are
 * the shortest varints, or four padded bytes with gen_close_padded, as the
 * tracing library writes them.
 */
#ifndef TESTS_GEN_WIRE_H
#define TESTS_GEN_WIRE_H

#include <stddef.h>
#include <stdint.h>

#include "engine/base/buffer.h"
#include "engine/base/str.h"

enum gen_wire {
    GEN_WIRE_VARINT = 0,
    GEN_WIRE_FIXED64 = 1,
    GEN_WIRE_BYTES = 2,
    GEN_WIRE_FIXED32 = 5
};

void gen_varint(struct buffer *b, uint64_t value);
void gen_tag(struct buffer *b, uint32_t field, enum gen_wire wire);

void gen_uint(struct buffer *b, uint32_t field, uint64_t value); /* uint, bool, enum */
void gen_int(struct buffer *b, uint32_t field, int64_t value);  /* int32, int64: ten bytes if < 0 */
void gen_sint(struct buffer *b, uint32_t field, int64_t value); /* zigzag */
void gen_fixed32(struct buffer *b, uint32_t field, uint32_t value);
void gen_fixed64(struct buffer *b, uint32_t field, uint64_t value);
void gen_float(struct buffer *b, uint32_t field, float value);
void gen_double(struct buffer *b, uint32_t field, double value);
void gen_bytes(struct buffer *b, uint32_t field, const void *bytes, size_t length);
void gen_str(struct buffer *b, uint32_t field, struct str s);
void gen_text(struct buffer *b, uint32_t field, const char *text); /* NULL writes nothing */
void gen_nested(struct buffer *b, uint32_t field, const struct buffer *body);

size_t gen_open(struct buffer *b, uint32_t field);
void gen_close(struct buffer *b, size_t mark);
void gen_close_padded(struct buffer *b, size_t mark);

/* Packed repeated varints. */
void gen_packed(struct buffer *b, uint32_t field, const uint64_t *values, size_t count);

/* Little-endian integers without a tag, for the formats that are not protobuf. */
void gen_le16(struct buffer *b, uint16_t value);
void gen_le32(struct buffer *b, uint32_t value);
void gen_le64(struct buffer *b, uint64_t value);

#endif
