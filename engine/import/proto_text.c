#include "engine/import/proto_text.h"

#include <inttypes.h>

#include "engine/proto/wire.h"

#define MAX_DEPTH 32
#define MAX_TEXT  ((size_t)1 << 20)

static void append_quoted(struct buffer *out, struct str text)
{
    buffer_append_byte(out, '"');
    for (size_t i = 0; i < text.n && out->length < MAX_TEXT; i++) {
        char c = text.p[i];
        if (c == '"' || c == '\\')
            buffer_printf(out, "\\%c", c);
        else if (c == '\n')
            buffer_append_text(out, "\\n");
        else if (c >= ' ' && c < 127)
            buffer_append_byte(out, c);
        else
            buffer_printf(out, "\\%03o", (unsigned)(unsigned char)c);
    }
    buffer_append_byte(out, '"');
}

static void append_number(struct buffer *out, const struct descriptor_pool *pool,
                          const struct proto_field *field, const struct wire_field *f)
{
    uint64_t v = f->value;
    switch (field ? field->type : PROTO_UNKNOWN) {
    case PROTO_BOOL: buffer_append_text(out, v ? "true" : "false"); break;
    case PROTO_ENUM: {
        struct str name = field->enumeration
                              ? descriptor_pool_enum_name(pool, field->enumeration, (int32_t)v)
                              : STR_NONE;
        if (name.p)
            buffer_append_str(out, name);
        else
            buffer_printf(out, "%d", (int32_t)v);
        break;
    }
    case PROTO_INT32: buffer_printf(out, "%d", (int32_t)v); break;
    case PROTO_INT64:
    case PROTO_SFIXED64: buffer_printf(out, "%" PRId64, (int64_t)v); break;
    case PROTO_SINT32:
    case PROTO_SINT64: buffer_printf(out, "%" PRId64, wire_zigzag(v)); break;
    case PROTO_DOUBLE: buffer_printf(out, "%g", wire_double(f)); break;
    case PROTO_FLOAT: buffer_printf(out, "%g", (double)wire_float(f)); break;
    default: buffer_printf(out, "%" PRIu64, v); break;
    }
}

static void append_message(struct buffer *out, const struct descriptor_pool *pool,
                           const struct proto_message *message, struct str bytes, unsigned depth)
{
    struct wire w = wire_open(bytes);
    struct wire_field f;
    while (wire_next(&w, &f) && out->length < MAX_TEXT) {
        const struct proto_field *field =
            message ? descriptor_pool_field(pool, message, f.number) : NULL;
        for (unsigned i = 0; i < depth; i++)
            buffer_append_text(out, "  ");
        if (field)
            buffer_append_str(out, field->name);
        else
            buffer_printf(out, "%" PRIu32, f.number);
        bool is_message = field && field->type == PROTO_MESSAGE && field->message;
        if (f.type != WIRE_BYTES) {
            buffer_append_text(out, ": ");
            append_number(out, pool, field, &f);
        } else if (is_message && depth < MAX_DEPTH) {
            buffer_append_text(out, " {\n");
            append_message(out, pool, field->message, f.bytes, depth + 1);
            for (unsigned i = 0; i < depth; i++)
                buffer_append_text(out, "  ");
            buffer_append_byte(out, '}');
        } else {
            buffer_append_text(out, ": ");
            append_quoted(out, f.bytes);
        }
        buffer_append_byte(out, '\n');
    }
}

void proto_text_append(struct buffer *out, const struct descriptor_pool *pool,
                       const struct proto_message *message, struct str bytes)
{
    append_message(out, pool, message, bytes, 0);
}
