#include "engine/import/arg_writer.h"

/* Repeated fields of one message that are counted; a message with more of them
 * has the rest share a count. */
#define MAX_COUNTED 64

#define LARGEST_KEY_BYTES ((size_t)256 << 20)

void arg_writer_init(struct arg_writer *w, struct import *import)
{
    *w = (struct arg_writer){.import = import,
                             .key_bytes_left = LARGEST_KEY_BYTES,
                             .flat_key = BUFFER_INIT,
                             .key = BUFFER_INIT,
                             .scratch = BUFFER_INIT};
}

void arg_writer_dispose(struct arg_writer *w)
{
    buffer_free(&w->flat_key);
    buffer_free(&w->key);
    buffer_free(&w->scratch);
}

static void append_name(struct buffer *b, struct str name)
{
    if (b->length) buffer_append_byte(b, '.');
    buffer_append_str(b, name);
}

struct arg_mark arg_writer_enter(struct arg_writer *w, struct str name)
{
    struct arg_mark mark = {w->flat_key.length, w->key.length};
    append_name(&w->flat_key, name);
    append_name(&w->key, name);
    return mark;
}

struct arg_mark arg_writer_enter_index(struct arg_writer *w, uint64_t index)
{
    struct arg_mark mark = {w->flat_key.length, w->key.length};
    char digits[24];
    size_t at = sizeof digits;
    digits[--at] = ']';
    do
        digits[--at] = (char)('0' + index % 10);
    while (index /= 10);
    digits[--at] = '[';
    buffer_append(&w->key, digits + at, sizeof digits - at);
    return mark;
}

static void cut(struct buffer *b, size_t length)
{
    b->length = length;
    if (b->data) b->data[length] = '\0';
}

void arg_writer_leave(struct arg_writer *w, struct arg_mark mark)
{
    cut(&w->flat_key, mark.flat_key);
    cut(&w->key, mark.key);
}

/* Keys can be much longer than the bytes that they were made of; those of one
 * writer may fill the string pool so far and no further. */
static string_id intern_key(struct arg_writer *w, const struct buffer *b)
{
    struct strpool *strings = w->import->strings;
    if (w->key_bytes_left < b->length) return strpool_find(strings, buffer_str(b));
    uint32_t end = strpool_end(strings);
    string_id key = strpool_intern(strings, buffer_str(b));
    if (strpool_end(strings) != end) w->key_bytes_left -= b->length;
    return key;
}

static void put(struct arg_writer *w, struct arg arg)
{
    arg.flat_key = intern_key(w, &w->flat_key);
    arg.key = w->key.length == w->flat_key.length ? arg.flat_key : intern_key(w, &w->key);
    if (arg.flat_key != STRING_NULL && arg.key != STRING_NULL) arg_list_put(w->list, arg);
}

void arg_writer_put(struct arg_writer *w, enum arg_type type, int64_t integer)
{
    put(w, (struct arg){.type = type, .value.integer = integer});
}

void arg_writer_put_real(struct arg_writer *w, double value)
{
    put(w, (struct arg){.type = ARG_REAL, .value.real = value});
}

void arg_writer_put_string(struct arg_writer *w, string_id string)
{
    put(w, (struct arg){.type = ARG_STRING, .value.string = string});
}

void arg_writer_put_text(struct arg_writer *w, struct str text)
{
    if (!text.p) text = STR("");
    arg_writer_put_string(w, strpool_intern(w->import->strings, text));
}

void arg_writer_base64(struct buffer *out, struct str bytes)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const unsigned char *p = (const unsigned char *)bytes.p;
    for (size_t i = 0; i < bytes.n; i += 3) {
        size_t left = bytes.n - i;
        uint32_t word = (uint32_t)p[i] << 16;
        if (left > 1) word |= (uint32_t)p[i + 1] << 8;
        if (left > 2) word |= p[i + 2];
        char four[4] = {digits[word >> 18], digits[word >> 12 & 63],
                        left > 1 ? digits[word >> 6 & 63] : '=',
                        left > 2 ? digits[word & 63] : '='};
        buffer_append(out, four, 4);
    }
}

void arg_writer_put_bytes(struct arg_writer *w, struct str bytes)
{
    buffer_clear(&w->scratch);
    arg_writer_base64(&w->scratch, bytes);
    arg_writer_put_text(w, buffer_str(&w->scratch));
}

/* Messages. */

static void put_enum(struct arg_writer *w, const struct proto_field *field, int32_t number)
{
    struct str name = STR_NONE;
    if (field->enumeration)
        name = descriptor_pool_enum_name(w->import->descriptors, field->enumeration, number);
    if (name.p)
        arg_writer_put_text(w, name);
    else
        arg_writer_put(w, ARG_INT, number);
}

/* A number as its type means it.  False when the wire cannot hold that type. */
static bool put_number(struct arg_writer *w, const struct proto_field *field,
                       const struct wire_field *value)
{
    uint64_t v = value->value;
    if (value->type == WIRE_VARINT) {
        switch (field->type) {
        case PROTO_INT64: arg_writer_put(w, ARG_INT, (int64_t)v); return true;
        case PROTO_INT32: arg_writer_put(w, ARG_INT, (int32_t)v); return true;
        case PROTO_UINT64: arg_writer_put(w, ARG_UINT, (int64_t)v); return true;
        case PROTO_UINT32: arg_writer_put(w, ARG_UINT, (uint32_t)v); return true;
        case PROTO_SINT64: arg_writer_put(w, ARG_INT, wire_zigzag(v)); return true;
        case PROTO_SINT32: arg_writer_put(w, ARG_INT, (int32_t)wire_zigzag(v)); return true;
        case PROTO_BOOL: arg_writer_put(w, ARG_BOOL, v != 0); return true;
        case PROTO_ENUM: put_enum(w, field, (int32_t)v); return true;
        default: return false;
        }
    }
    if (value->type == WIRE_FIXED64) {
        switch (field->type) {
        case PROTO_DOUBLE: arg_writer_put_real(w, wire_double(value)); return true;
        case PROTO_FIXED64: arg_writer_put(w, ARG_UINT, (int64_t)v); return true;
        case PROTO_SFIXED64: arg_writer_put(w, ARG_INT, (int64_t)v); return true;
        default: return false;
        }
    }
    if (value->type != WIRE_FIXED32) return false;
    switch (field->type) {
    case PROTO_FLOAT: arg_writer_put_real(w, (double)wire_float(value)); return true;
    case PROTO_FIXED32: arg_writer_put(w, ARG_UINT, (uint32_t)v); return true;
    case PROTO_SFIXED32: arg_writer_put(w, ARG_INT, (int32_t)v); return true;
    default: return false;
    }
}

/* The wire type of one element of a packed field; WIRE_BYTES for what is never
 * packed. */
static uint8_t packed_type(const struct proto_field *field)
{
    switch (field->type) {
    case PROTO_DOUBLE:
    case PROTO_FIXED64:
    case PROTO_SFIXED64: return WIRE_FIXED64;
    case PROTO_FLOAT:
    case PROTO_FIXED32:
    case PROTO_SFIXED32: return WIRE_FIXED32;
    case PROTO_STRING:
    case PROTO_BYTES:
    case PROTO_MESSAGE:
    case PROTO_GROUP:
    case PROTO_UNKNOWN: return WIRE_BYTES;
    default: return WIRE_VARINT;
    }
}

static bool next_packed(struct wire *w, uint8_t type, struct wire_field *element)
{
    size_t left = (size_t)(w->end - w->at);
    element->type = type;
    element->value = 0;
    if (type == WIRE_VARINT) return wire_varint(w, &element->value);
    size_t bytes = type == WIRE_FIXED64 ? 8 : 4;
    if (left < bytes) return false;
    if (type == WIRE_FIXED64) {
        memcpy(&element->value, w->at, 8);
    } else {
        uint32_t word;
        memcpy(&word, w->at, 4);
        element->value = word;
    }
    w->at += bytes;
    return true;
}

static void put_element(struct arg_writer *w, const struct proto_field *field,
                        const struct wire_field *value, uint64_t *index)
{
    struct arg_mark mark = {w->flat_key.length, w->key.length};
    if (field->is_repeated) arg_writer_enter_index(w, (*index)++);
    if (value->type != WIRE_BYTES)
        put_number(w, field, value);
    else if (field->type == PROTO_STRING)
        arg_writer_put_text(w, value->bytes);
    else if (field->type == PROTO_BYTES)
        arg_writer_put_bytes(w, value->bytes);
    else if (field->type == PROTO_MESSAGE && field->message)
        arg_writer_message(w, field->message, value->bytes);
    arg_writer_leave(w, mark);
}

void arg_writer_field(struct arg_writer *w, const struct proto_field *field,
                      const struct wire_field *value, uint64_t *index)
{
    if (w->take && w->take(w->take_context, field, value)) return;
    struct arg_mark mark = arg_writer_enter(w, field->name);
    uint8_t type = packed_type(field);
    if (field->is_repeated && value->type == WIRE_BYTES && type != WIRE_BYTES) {
        struct wire elements = wire_open(value->bytes);
        struct wire_field element = {.number = value->number};
        while (next_packed(&elements, type, &element))
            put_element(w, field, &element, index);
    } else {
        put_element(w, field, value, index);
    }
    arg_writer_leave(w, mark);
}

struct counts {
    uint32_t numbers[MAX_COUNTED];
    uint64_t values[MAX_COUNTED];
    unsigned used;
};

static uint64_t *count_of(struct counts *counts, uint32_t number)
{
    for (unsigned i = 0; i < counts->used; i++)
        if (counts->numbers[i] == number) return &counts->values[i];
    if (counts->used == MAX_COUNTED) return &counts->values[MAX_COUNTED - 1];
    counts->numbers[counts->used] = number;
    counts->values[counts->used] = 0;
    return &counts->values[counts->used++];
}

void arg_writer_message(struct arg_writer *w, const struct proto_message *message, struct str bytes)
{
    struct wire wire = wire_open(bytes);
    struct wire_field f;
    struct counts counts;
    bool is_empty = true;
    if (w->depth >= ARG_WRITER_MAX_DEPTH) return;
    counts.used = 0;
    w->depth++;
    while (wire_next(&wire, &f)) {
        is_empty = false;
        const struct proto_field *field =
            descriptor_pool_field(w->import->descriptors, message, f.number);
        if (field)
            arg_writer_field(w, field, &f, count_of(&counts, f.number));
        else
            w->unknown_fields++;
    }
    w->depth--;
    if (is_empty && w->key.length) arg_writer_put(w, ARG_NULL, 0);
}
