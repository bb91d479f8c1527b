/* tar (spec engine_1 1.4): ustar, GNU long names, and of pax its path and size.
 * Members are slices of the archive's bytes. */
#include "engine/read/internal.h"

enum { BLOCK = 512 };

struct tar_header {
    struct str block;
    char type;
    uint64_t size;
};

/* What a long-name or pax entry says of the entry behind it. */
struct tar_pending {
    struct str path;
    bool has_size;
    uint64_t size;
};

static struct str field(struct str block, size_t at, size_t length)
{
    struct str s = str_slice(block, at, at + length);
    size_t end;
    if (str_find_byte(s, 0, &end)) s.n = end;
    return s;
}

/* Octal text, or base 256 where the first bit is set. */
static bool parse_size(struct str s, uint64_t *out)
{
    uint64_t value = 0;
    if (s.n > 0 && ((unsigned char)s.p[0] & 0x80)) {
        if ((unsigned char)s.p[0] & 0x40) return false; /* negative */
        for (size_t i = 0; i < s.n; i++) {
            unsigned char byte = (unsigned char)s.p[i];
            if (i == 0) byte &= 0x3f;
            if (value >> 56) return false;
            value = value << 8 | byte;
        }
        *out = value;
        return true;
    }
    size_t i = 0;
    while (i < s.n && s.p[i] == ' ')
        i++;
    size_t first = i;
    for (; i < s.n && s.p[i] != 0 && s.p[i] != ' '; i++) {
        if (s.p[i] < '0' || s.p[i] > '7' || value >> 61) return false;
        value = value << 3 | (uint64_t)(s.p[i] - '0');
    }
    if (i == first) return false;
    *out = value;
    return true;
}

static bool is_zero(struct str block)
{
    for (size_t i = 0; i < block.n; i++)
        if (block.p[i] != 0) return false;
    return true;
}

/* Both sums of old archives: of unsigned and of signed bytes. */
static bool checksum_holds(struct str block)
{
    uint64_t want;
    int64_t as_unsigned = 0, as_signed = 0;
    if (!parse_size(str_slice(block, 148, 156), &want)) return false;
    for (size_t i = 0; i < BLOCK; i++) {
        char c = i >= 148 && i < 156 ? ' ' : block.p[i];
        as_unsigned += (unsigned char)c;
        as_signed += (signed char)c;
    }
    return (int64_t)want == as_unsigned || (int64_t)want == as_signed;
}

/* "LENGTH key=value\n" records; path and size are what concerns us. */
static void read_pax(struct str body, struct tar_pending *pending)
{
    while (body.n > 0) {
        size_t space, equals;
        uint64_t length;
        if (!str_find_byte(body, ' ', &space)) return;
        if (!str_to_uint64(str_slice(body, 0, space), &length)) return;
        if (length > body.n || length < space + 2) return;
        struct str record = str_slice(body, space + 1, (size_t)length - 1);
        if (str_find_byte(record, '=', &equals)) {
            struct str key = str_slice(record, 0, equals);
            struct str value = str_slice(record, equals + 1, record.n);
            if (str_is(key, "path")) pending->path = value;
            if (str_is(key, "size")) pending->has_size = str_to_uint64(value, &pending->size);
        }
        body = str_slice(body, (size_t)length, body.n);
    }
}

static struct str entry_name(struct input *input, struct str block)
{
    struct str name = field(block, 0, 100);
    struct str prefix = field(block, 345, 155);
    bool is_ustar = str_equal(str_slice(block, 257, 263), STR("ustar\0"));
    if (!is_ustar || prefix.n == 0) return name;
    return str_of(arena_printf(&input->arena, "%.*s/%.*s", STR_ARG(prefix), STR_ARG(name)));
}

static void add_entry(struct input *input, struct input_member *tar, struct str name,
                      struct str body, bool is_cut)
{
    if (name.n > 0 && name.p[name.n - 1] == '/') return; /* a folder, as old archives mark it */
    struct input_member *member = input_add(input, tar, name);
    if (!member) return;
    member->bytes = body;
    member->stored_bytes = body.n;
    if (is_cut)
        input_lose(input, member, INPUT_CUT,
                   "cut short: the archive ends inside it, after %zu bytes", body.n);
}

/* Links, devices and folders have no body that matters. */
static bool is_quiet_type(char type)
{
    return type >= '1' && type <= '6';
}

static void add_unsupported(struct input *input, struct input_member *tar, struct str name,
                            char type)
{
    struct input_member *member = input_add(input, tar, name);
    if (!member) return;
    member->is_read = true;
    input_lose(input, member, INPUT_UNSUPPORTED,
               "it is a tar entry of type 0x%02x, which is not supported", (unsigned char)type);
}

/* One header with its body.  Returns false at the end of what can be read. */
static bool read_entry(struct input *input, struct input_member *tar, size_t *at,
                       struct tar_pending *pending)
{
    struct str block = str_slice(tar->bytes, *at, *at + BLOCK);
    struct str magic = str_slice(block, 257, 265);
    if (!str_starts(magic, STR("ustar\0")) && !str_equal(magic, STR("ustar  \0"))) {
        input_lose(input, tar, INPUT_CORRUPT, "no tar header at byte %zu; what follows is left out",
                   *at);
        return false;
    }
    struct tar_header header = {.block = block, .type = block.p[156]};
    if (!checksum_holds(block) || !parse_size(str_slice(block, 124, 136), &header.size)) {
        input_lose(input, tar, INPUT_CORRUPT,
                   "the tar header at byte %zu is damaged; what follows is left out", *at);
        return false;
    }
    bool is_extra =
        header.type == 'x' || header.type == 'g' || header.type == 'L' || header.type == 'K';
    if (!is_extra && pending->has_size) header.size = pending->size;
    size_t from = *at + BLOCK, left = tar->bytes.n - from;
    bool is_cut = header.size > left;
    struct str body = str_slice(tar->bytes, from, is_cut ? tar->bytes.n : from + header.size);
    size_t padded = (body.n + BLOCK - 1) / BLOCK * BLOCK;
    *at = padded > left ? tar->bytes.n : from + padded;

    if (header.type == 'L') {
        size_t end;
        pending->path = body;
        if (str_find_byte(body, 0, &end)) pending->path.n = end;
    } else if (header.type == 'x') {
        read_pax(body, pending);
    }
    if (is_extra) return !is_cut;

    struct str name = pending->path.p ? pending->path : entry_name(input, block);
    if (header.type == '0' || header.type == 0 || header.type == '7')
        add_entry(input, tar, name, body, is_cut);
    else if (!is_quiet_type(header.type) && header.size > 0)
        add_unsupported(input, tar, name, header.type);
    *pending = (struct tar_pending){0};
    return !is_cut && tar->loss != INPUT_LIMITED;
}

void tar_expand(struct input *input, struct input_member *tar)
{
    struct tar_pending pending = {0};
    size_t at = 0;
    bool zero_before = false;
    while (tar->bytes.n - at >= BLOCK) {
        if (is_zero(str_slice(tar->bytes, at, at + BLOCK))) {
            if (zero_before) return;
            zero_before = true;
            at += BLOCK;
            continue;
        }
        zero_before = false;
        if (!read_entry(input, tar, &at, &pending)) {
            if (tar->loss == INPUT_WHOLE) break;
            return;
        }
    }
    if (!zero_before)
        input_lose(input, tar, INPUT_CUT, "premature end of the tar file, cut short at byte %zu",
                   tar->bytes.n);
}
