/* Field numbers are those of google/protobuf/descriptor.proto. */
#include "engine/extensions/descriptor_names.h"

#include "engine/proto/wire.h"

enum { MAX_NESTING = 32, LONGEST_NAME = 200 };

static struct str find_text(struct str message, uint32_t number)
{
    struct wire w = wire_open(message);
    struct wire_field f;
    struct str found = STR("");
    while (wire_next(&w, &f))
        if (f.number == number && wire_is_bytes(&f)) found = f.bytes;
    return str_slice(found, 0, LONGEST_NAME);
}

static void append_extension(struct str scope, struct str field, struct buffer *out)
{
    struct wire w = wire_open(field);
    struct wire_field f;
    struct str extendee = STR("");
    uint64_t number = 0;
    while (wire_next(&w, &f)) {
        if (f.number == 2 && wire_is_bytes(&f)) extendee = f.bytes;
        if (f.number == 3 && f.type == WIRE_VARINT) number = f.value;
    }
    if (extendee.n > 0 && extendee.p[0] == '.') extendee = str_slice(extendee, 1, extendee.n);
    extendee = str_slice(extendee, 0, LONGEST_NAME);
    struct str name = find_text(field, 1);
    buffer_printf(out, "extension %.*s%s%.*s = %llu of %.*s\n", STR_ARG(scope),
                  scope.n > 0 ? "." : "", STR_ARG(name), (unsigned long long)number,
                  STR_ARG(extendee));
}

static void append_named(const char *kind, struct str scope, struct str name, struct buffer *out)
{
    buffer_printf(out, "%s %.*s%s%.*s\n", kind, STR_ARG(scope), scope.n > 0 ? "." : "",
                  STR_ARG(name));
}

static void append_message(struct str scope, struct str message, int depth, struct buffer *out)
{
    struct wire w = wire_open(message);
    struct wire_field f;
    struct buffer inner = BUFFER_INIT;
    struct str name = find_text(message, 1);
    buffer_printf(&inner, "%.*s%s%.*s", STR_ARG(scope), scope.n > 0 ? "." : "", STR_ARG(name));
    append_named("message", scope, name, out);
    while (depth < MAX_NESTING && !out->overflowed && wire_next(&w, &f)) {
        if (!wire_is_bytes(&f)) continue;
        if (f.number == 3) append_message(buffer_str(&inner), f.bytes, depth + 1, out);
        if (f.number == 4) append_named("enum", buffer_str(&inner), find_text(f.bytes, 1), out);
        if (f.number == 6) append_extension(buffer_str(&inner), f.bytes, out);
    }
    buffer_free(&inner);
}

static void append_file(struct str file, struct buffer *out)
{
    struct wire w = wire_open(file);
    struct wire_field f;
    struct str package = find_text(file, 2);
    while (!out->overflowed && wire_next(&w, &f)) {
        if (!wire_is_bytes(&f)) continue;
        if (f.number == 4) append_message(package, f.bytes, 0, out);
        if (f.number == 5) append_named("enum", package, find_text(f.bytes, 1), out);
        if (f.number == 7) append_extension(package, f.bytes, out);
    }
}

void descriptor_names_append(struct str set, struct buffer *out)
{
    struct wire w = wire_open(set);
    struct wire_field f;
    while (wire_next(&w, &f))
        if (f.number == 1 && wire_is_bytes(&f)) append_file(f.bytes, out);
}
