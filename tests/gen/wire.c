#include "tests/gen/wire.h"

#include <string.h>

#define PADDED_LENGTH_BYTES 4

void gen_varint(struct buffer *b, uint64_t value)
{
    while (value > 0x7f) {
        buffer_append_byte(b, (char)(value | 0x80));
        value >>= 7;
    }
    buffer_append_byte(b, (char)value);
}

void gen_tag(struct buffer *b, uint32_t field, enum gen_wire wire)
{
    gen_varint(b, (uint64_t)field << 3 | (uint64_t)wire);
}

void gen_uint(struct buffer *b, uint32_t field, uint64_t value)
{
    gen_tag(b, field, GEN_WIRE_VARINT);
    gen_varint(b, value);
}

void gen_int(struct buffer *b, uint32_t field, int64_t value)
{
    gen_uint(b, field, (uint64_t)value);
}

void gen_sint(struct buffer *b, uint32_t field, int64_t value)
{
    gen_uint(b, field, (uint64_t)value << 1 ^ (value < 0 ? UINT64_MAX : 0));
}

void gen_le16(struct buffer *b, uint16_t value)
{
    buffer_append_byte(b, (char)(value & 0xff));
    buffer_append_byte(b, (char)(value >> 8));
}

void gen_le32(struct buffer *b, uint32_t value)
{
    gen_le16(b, (uint16_t)(value & 0xffff));
    gen_le16(b, (uint16_t)(value >> 16));
}

void gen_le64(struct buffer *b, uint64_t value)
{
    gen_le32(b, (uint32_t)value);
    gen_le32(b, (uint32_t)(value >> 32));
}

void gen_fixed32(struct buffer *b, uint32_t field, uint32_t value)
{
    gen_tag(b, field, GEN_WIRE_FIXED32);
    gen_le32(b, value);
}

void gen_fixed64(struct buffer *b, uint32_t field, uint64_t value)
{
    gen_tag(b, field, GEN_WIRE_FIXED64);
    gen_le64(b, value);
}

void gen_float(struct buffer *b, uint32_t field, float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    gen_fixed32(b, field, bits);
}

void gen_double(struct buffer *b, uint32_t field, double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    gen_fixed64(b, field, bits);
}

void gen_bytes(struct buffer *b, uint32_t field, const void *bytes, size_t length)
{
    gen_tag(b, field, GEN_WIRE_BYTES);
    gen_varint(b, length);
    buffer_append(b, bytes, length);
}

void gen_str(struct buffer *b, uint32_t field, struct str s)
{
    gen_bytes(b, field, s.p, s.n);
}

void gen_text(struct buffer *b, uint32_t field, const char *text)
{
    if (text) gen_bytes(b, field, text, strlen(text));
}

void gen_nested(struct buffer *b, uint32_t field, const struct buffer *body)
{
    gen_bytes(b, field, body->data, body->length);
}

size_t gen_open(struct buffer *b, uint32_t field)
{
    gen_tag(b, field, GEN_WIRE_BYTES);
    return b->length;
}

/* Moves the body up to make room for the length that is now known. */
static void insert_before_body(struct buffer *b, size_t mark, const char *bytes, size_t length)
{
    size_t body = b->length - mark;
    buffer_append(b, bytes, length);
    memmove(b->data + mark + length, b->data + mark, body);
    memcpy(b->data + mark, bytes, length);
}

void gen_close(struct buffer *b, size_t mark)
{
    char bytes[10];
    size_t length = 0;
    uint64_t value = b->length - mark;
    while (value > 0x7f) {
        bytes[length++] = (char)(value | 0x80);
        value >>= 7;
    }
    bytes[length++] = (char)value;
    insert_before_body(b, mark, bytes, length);
}

void gen_close_padded(struct buffer *b, size_t mark)
{
    char bytes[PADDED_LENGTH_BYTES];
    uint64_t value = b->length - mark;
    for (size_t i = 0; i < sizeof bytes; i++) {
        bytes[i] = (char)((value & 0x7f) | (i + 1 < sizeof bytes ? 0x80 : 0));
        value >>= 7;
    }
    insert_before_body(b, mark, bytes, sizeof bytes);
}

void gen_packed(struct buffer *b, uint32_t field, const uint64_t *values, size_t count)
{
    size_t mark = gen_open(b, field);
    for (size_t i = 0; i < count; i++)
        gen_varint(b, values[i]);
    gen_close(b, mark);
}
