/* A zero-copy cursor over protobuf wire bytes.
 *
 *     struct wire w = wire_open(bytes);
 *     struct wire_field f;
 *     while (wire_next(&w, &f))
 *         switch (f.number) {
 *         case 8: ts = (int64_t)f.value; break;      varint, fixed32, fixed64
 *         case 11: parse(f.bytes); break;            length-delimited
 *         }
 *     if (w.bad) …                                   bytes did not end on a field
 *
 * For numbers `bytes` is absent, for bytes `value` is the length, so reading the
 * wrong one is harmless.  Groups are not supported and are bad.
 */
#ifndef ENGINE_PROTO_WIRE_H
#define ENGINE_PROTO_WIRE_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "engine/base/str.h"

enum wire_type { WIRE_VARINT = 0, WIRE_FIXED64 = 1, WIRE_BYTES = 2, WIRE_FIXED32 = 5 };

struct wire {
    const uint8_t *at, *end;
    bool bad;
};

struct wire_field {
    uint32_t number;
    uint8_t type;     /* enum wire_type */
    uint64_t value;   /* the number; for WIRE_BYTES the length */
    struct str bytes; /* WIRE_BYTES only */
};

static inline struct wire wire_open(struct str bytes)
{
    const uint8_t *p = (const uint8_t *)bytes.p;
    return (struct wire){p, p ? p + bytes.n : p, false};
}

/* False at the end and when the varint is cut or longer than 10 bytes. */
static inline bool wire_varint(struct wire *w, uint64_t *out)
{
    const uint8_t *p = w->at;
    if (p < w->end && *p < 0x80) {
        *out = *p;
        w->at = p + 1;
        return true;
    }
    uint64_t value = 0;
    for (unsigned shift = 0; shift < 70 && p < w->end; shift += 7) {
        uint8_t byte = *p++;
        value |= shift < 64 ? (uint64_t)(byte & 0x7F) << shift : 0;
        if (byte < 0x80) {
            *out = value;
            w->at = p;
            return true;
        }
    }
    return false;
}

static inline bool wire_fail(struct wire *w)
{
    w->bad = true;
    w->at = w->end;
    return false;
}

static inline bool wire_next(struct wire *w, struct wire_field *f)
{
    if (w->at >= w->end) return false;
    uint64_t tag;
    if (!wire_varint(w, &tag) || tag >> 3 == 0 || tag >> 3 > 0x1FFFFFFF) return wire_fail(w);
    f->number = (uint32_t)(tag >> 3);
    f->type = tag & 7;
    f->bytes = STR_NONE;
    size_t left = (size_t)(w->end - w->at);
    switch (f->type) {
    case WIRE_VARINT:
        if (!wire_varint(w, &f->value)) return wire_fail(w);
        return true;
    case WIRE_FIXED64:
        if (left < 8) return wire_fail(w);
        memcpy(&f->value, w->at, 8);
        w->at += 8;
        return true;
    case WIRE_FIXED32: {
        uint32_t word;
        if (left < 4) return wire_fail(w);
        memcpy(&word, w->at, 4);
        f->value = word;
        w->at += 4;
        return true;
    }
    case WIRE_BYTES:
        if (!wire_varint(w, &f->value)) return wire_fail(w);
        left = (size_t)(w->end - w->at);
        if (f->value > left) return wire_fail(w);
        f->bytes = (struct str){(const char *)w->at, (size_t)f->value};
        w->at += f->value;
        return true;
    default: return wire_fail(w);
    }
}

static inline bool wire_is_bytes(const struct wire_field *f)
{
    return f->type == WIRE_BYTES;
}

static inline double wire_double(const struct wire_field *f)
{
    double value;
    memcpy(&value, &f->value, sizeof value);
    return value;
}

static inline float wire_float(const struct wire_field *f)
{
    uint32_t word = (uint32_t)f->value;
    float value;
    memcpy(&value, &word, sizeof value);
    return value;
}

static inline int64_t wire_zigzag(uint64_t value)
{
    return (int64_t)(value >> 1 ^ (0 - (value & 1)));
}

/* The first field of that number, of any type; false when it is absent, and then
 * the output is zeroed. */
static inline bool wire_find(struct str bytes, uint32_t number, struct wire_field *out)
{
    struct wire w = wire_open(bytes);
    struct wire_field f;
    while (wire_next(&w, &f)) {
        if (f.number != number) continue;
        *out = f;
        return true;
    }
    *out = (struct wire_field){0};
    return false;
}

#endif
