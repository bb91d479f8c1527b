/* Reads a FileDescriptorSet (google/protobuf/descriptor.proto) into a pool.
 *
 * The same walk first runs without a pool and only checks, so that a bad set
 * leaves the pool as it was.  Read by the wire cursor: the messages nest, and
 * nothing of what nanopb could allocate for them would be kept. */
#include "engine/proto/descriptor_build.h"

#include "engine/base/buffer.h"
#include "engine/base/utf8.h"
#include "engine/proto/wire.h"

#define LARGEST_DEPTH      32
#define LARGEST_FULL_NAME  1024
#define LARGEST_POOL_BYTES (128u << 20)
#define LARGEST_NUMBER     0x1FFFFFFF
/* Options of FileDescriptorSet that other tools may add. */
#define FIRST_SET_EXTENSION 536000000

struct reader {
    struct descriptor_pool *pool; /* NULL: check only */
    const char *start;
    struct status *st;
    struct buffer name; /* of the scope that is being read */
    bool is_proto3;
    size_t cost; /* bytes that the pool will take */
    unsigned depth;
};

static int64_t offset_of(const struct reader *r, struct str s)
{
    return s.p ? s.p - r->start : 0;
}

static bool bad(struct reader *r, struct str at, const char *what)
{
    struct str scope = buffer_str(&r->name);
    return status_fail(r->st, STATUS_CORRUPT, offset_of(r, at), "not a FileDescriptorSet: %s%s%.*s",
                       what, scope.n ? " in " : "", STR_ARG(scope));
}

static bool spend(struct reader *r, struct str at, size_t bytes)
{
    r->cost += bytes;
    if (r->cost <= LARGEST_POOL_BYTES) return true;
    return status_fail(r->st, STATUS_LIMIT, offset_of(r, at), "descriptors take more than %u MiB",
                       LARGEST_POOL_BYTES >> 20);
}

static bool is_identifier(struct str s)
{
    if (!s.n || (s.p[0] >= '0' && s.p[0] <= '9')) return false;
    for (size_t i = 0; i < s.n; i++) {
        char c = s.p[i];
        if (!((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
              c == '_'))
            return false;
    }
    return true;
}

static bool is_path(struct str s, bool may_lead)
{
    if (may_lead && s.n && s.p[0] == '.') s = str_slice(s, 1, s.n);
    struct str piece;
    if (!s.n || s.n > LARGEST_FULL_NAME || s.p[s.n - 1] == '.') return false;
    while (str_split_next(&s, '.', &piece))
        if (!is_identifier(piece)) return false;
    return true;
}

/* Opens the scope `name` inside the current one; *before closes it again.  A
 * message without a name is only a place where extensions stand. */
static bool enter_scope(struct reader *r, struct str name, struct str at, size_t *before)
{
    *before = r->name.length;
    if (!name.p) return true;
    if (!is_identifier(name)) return bad(r, name, "a name that is no identifier");
    if (r->name.length + name.n > LARGEST_FULL_NAME) return bad(r, name, "a name that is too long");
    if (r->name.length) buffer_append_byte(&r->name, '.');
    buffer_append_str(&r->name, name);
    return spend(r, at, r->name.length + 128);
}

static void leave_scope(struct reader *r, size_t before)
{
    r->name.length = before;
    if (r->name.data) r->name.data[before] = '\0';
}

/* Finds the text field `number`; the last one counts.  False when the message is
 * damaged or the field has another type. */
static bool read_text(struct reader *r, struct str body, uint32_t number, struct str *out)
{
    struct wire w = wire_open(body);
    struct wire_field f;
    *out = STR_NONE;
    while (wire_next(&w, &f)) {
        if (f.number != number) continue;
        if (!wire_is_bytes(&f)) return bad(r, body, "a name that is no text");
        *out = f.bytes;
    }
    return w.bad ? bad(r, body, "damaged bytes") : true;
}

struct field_parts {
    struct str name, extendee, type_name, default_value;
    uint64_t number, label, type;
    bool has_default, in_oneof, proto3_optional;
};

static bool parse_field(struct reader *r, struct str body, struct field_parts *parts)
{
    struct wire w = wire_open(body);
    struct wire_field f;
    struct str *texts[] = {[1] = &parts->name,
                           [2] = &parts->extendee,
                           [6] = &parts->type_name,
                           [7] = &parts->default_value};
    while (wire_next(&w, &f)) {
        bool is_text = f.number == 1 || f.number == 2 || f.number == 6 || f.number == 7;
        bool is_number = f.number >= 3 && f.number <= 5;
        if ((is_text && f.type != WIRE_BYTES) || (is_number && f.type != WIRE_VARINT))
            return bad(r, body, "a field of the wrong type");
        if (is_text) *texts[f.number] = f.bytes;
        switch (f.number) {
        case 3: parts->number = f.value; break;
        case 4: parts->label = f.value; break;
        case 5: parts->type = f.value; break;
        case 7: parts->has_default = true; break;
        case 9: parts->in_oneof = true; break;
        case 17: parts->proto3_optional = f.value != 0; break;
        default: break;
        }
    }
    return w.bad ? bad(r, body, "damaged bytes") : true;
}

static bool check_field(struct reader *r, struct str body, const struct field_parts *parts,
                        bool is_extension)
{
    if (!is_identifier(parts->name)) return bad(r, body, "a field without a proper name");
    if (parts->name.n > LARGEST_FULL_NAME) return bad(r, body, "a name that is too long");
    if (parts->number < 1 || parts->number > LARGEST_NUMBER)
        return bad(r, body, "a field number out of range");
    if (parts->type > PROTO_SINT64) return bad(r, body, "an unknown field type");
    if (parts->label > 3) return bad(r, body, "an unknown field label");
    bool needs_name = parts->type == PROTO_UNKNOWN || parts->type == PROTO_MESSAGE ||
                      parts->type == PROTO_ENUM || parts->type == PROTO_GROUP;
    if (needs_name && !is_path(parts->type_name, true))
        return bad(r, body, "a field without a proper type name");
    if (is_extension && !is_path(parts->extendee, true))
        return bad(r, body, "an extension of nothing");
    return spend(r, body,
                 sizeof(struct proto_field) + parts->name.n + parts->type_name.n +
                     parts->default_value.n + r->name.length);
}

static bool read_field(struct reader *r, struct str body, struct proto_message *message,
                       bool is_extension)
{
    struct field_parts parts = {0};
    if (!parse_field(r, body, &parts) || !check_field(r, body, &parts, is_extension)) return false;
    if (!r->pool) return true;
    struct pool_field_def def = {
        .name = parts.name,
        .scope = buffer_str(&r->name),
        .extendee = is_extension ? parts.extendee : STR_NONE,
        .number = (uint32_t)parts.number,
        .type = (uint8_t)parts.type,
        .is_repeated = parts.label == 3,
        .type_name = parts.type_name,
        .default_value = parts.default_value,
        .default_kind = parts.has_default ? PROTO_DEFAULT_PROTO2 : PROTO_DEFAULT_NONE,
    };
    bool tells_presence = parts.in_oneof || parts.proto3_optional || is_extension ||
                          parts.type == PROTO_MESSAGE || parts.type == PROTO_UNKNOWN ||
                          def.is_repeated;
    if (r->is_proto3 && !tells_presence) def.default_kind = PROTO_DEFAULT_ZERO;
    pool_put_field(r->pool, message, &def);
    return true;
}

static bool read_enum(struct reader *r, struct str body)
{
    struct str name;
    size_t before;
    if (!read_text(r, body, 1, &name) || !enter_scope(r, name, body, &before)) return false;
    if (!name.p) return bad(r, body, "an enum without a name");
    struct proto_enum *enumeration = r->pool ? pool_put_enum(r->pool, buffer_str(&r->name)) : NULL;
    struct wire w = wire_open(body);
    struct wire_field f;
    while (wire_next(&w, &f)) {
        if (f.number != 2) continue;
        struct wire_field number;
        struct str value_name;
        if (!wire_is_bytes(&f)) return bad(r, body, "an enum value of the wrong type");
        if (!read_text(r, f.bytes, 1, &value_name)) return false;
        if (!is_identifier(value_name)) return bad(r, f.bytes, "an enum value without a name");
        if (!wire_find(f.bytes, 2, &number)) number.value = 0;
        if (!spend(r, f.bytes, value_name.n + 64)) return false;
        if (enumeration)
            pool_put_enum_value(r->pool, enumeration, (int32_t)number.value, value_name);
    }
    leave_scope(r, before);
    return true;
}

static bool read_message(struct reader *r, struct str body)
{
    struct str name;
    size_t before;
    if (r->depth >= LARGEST_DEPTH) return bad(r, body, "messages nested too deep");
    if (!read_text(r, body, 1, &name) || !enter_scope(r, name, body, &before)) return false;
    struct proto_message *message =
        r->pool && name.p ? pool_put_message(r->pool, buffer_str(&r->name)) : NULL;
    /* No name, or one that an enum has already. */
    bool is_lost = !name.p || (r->pool && !message);
    struct wire w = wire_open(body);
    struct wire_field f;
    r->depth++;
    while (wire_next(&w, &f)) {
        bool is_part = f.number == 2 || f.number == 3 || f.number == 4 || f.number == 6;
        bool ok = true;
        if (is_part && !wire_is_bytes(&f)) ok = bad(r, body, "a field of the wrong type");
        if (ok && f.number == 2 && !is_lost) ok = read_field(r, f.bytes, message, false);
        if (ok && f.number == 3) ok = read_message(r, f.bytes);
        if (ok && f.number == 4) ok = read_enum(r, f.bytes);
        if (ok && f.number == 6) ok = read_field(r, f.bytes, NULL, true);
        if (!ok) return false;
    }
    r->depth--;
    leave_scope(r, before);
    return true;
}

static bool read_file(struct reader *r, struct str body)
{
    struct str package, syntax, name;
    leave_scope(r, 0);
    if (!read_text(r, body, 1, &name) || !read_text(r, body, 2, &package) ||
        !read_text(r, body, 12, &syntax))
        return false;
    if (name.p && !utf8_is_valid(name, NULL)) return bad(r, name, "a file name that is no text");
    if (package.n && !is_path(package, false)) return bad(r, package, "a bad package name");
    r->is_proto3 = str_is(syntax, "proto3");
    buffer_append_str(&r->name, package);
    struct wire w = wire_open(body);
    struct wire_field f;
    while (wire_next(&w, &f)) {
        bool is_part = (f.number >= 3 && f.number <= 9) || f.number == 12;
        bool ok = true;
        if (is_part && !wire_is_bytes(&f)) ok = bad(r, body, "a field of the wrong type");
        if (ok && f.number == 4) ok = read_message(r, f.bytes);
        if (ok && f.number == 5) ok = read_enum(r, f.bytes);
        if (ok && f.number == 7) ok = read_field(r, f.bytes, NULL, true);
        if (!ok) return false;
    }
    return true;
}

bool descriptor_set_read(struct descriptor_pool *pool, struct str bytes, struct status *st)
{
    struct reader r = {.pool = pool, .start = bytes.p, .st = st, .name = BUFFER_INIT};
    struct wire w = wire_open(bytes);
    struct wire_field f;
    bool ok = true;
    while (ok && wire_next(&w, &f)) {
        leave_scope(&r, 0);
        if (f.number == 1 && wire_is_bytes(&f))
            ok = read_file(&r, f.bytes);
        else if (f.number < FIRST_SET_EXTENSION)
            ok = bad(&r, bytes, "an unknown field at the top");
    }
    leave_scope(&r, 0);
    if (ok && w.bad) ok = bad(&r, bytes, "damaged bytes");
    if (ok && !bytes.n) ok = bad(&r, bytes, "it is empty");
    buffer_free(&r.name);
    return ok;
}
