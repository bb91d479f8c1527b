#include "engine/extensions/base64.h"

static int value_of(char c)
{
    if (c >= 'A' && c <= 'Z') return c - 'A';
    if (c >= 'a' && c <= 'z') return c - 'a' + 26;
    if (c >= '0' && c <= '9') return c - '0' + 52;
    if (c == '+') return 62;
    if (c == '/') return 63;
    return -1;
}

bool base64_decode(struct str text, struct buffer *out, struct status *st)
{
    if (text.n % 4 != 0)
        return status_fail(st, STATUS_INVALID, (int64_t)text.n,
                           "base64 of %zu characters, which is no multiple of 4", text.n);
    size_t padding = 0;
    while (padding < 2 && padding < text.n && text.p[text.n - 1 - padding] == '=')
        padding++;
    size_t n = text.n - padding;
    uint32_t bits = 0;
    unsigned held = 0;
    for (size_t i = 0; i < n; i++) {
        int value = value_of(text.p[i]);
        if (value < 0)
            return status_fail(st, STATUS_INVALID, (int64_t)i, "no base64 at character %zu", i);
        bits = bits << 6 | (uint32_t)value;
        held += 6;
        if (held < 8) continue;
        held -= 8;
        buffer_append_byte(out, (char)(bits >> held & 0xFF));
    }
    if ((bits & ((1U << held) - 1)) != 0)
        return status_fail(st, STATUS_INVALID, (int64_t)n, "base64 with bits left over at its end");
    if (out->overflowed)
        return status_fail(st, STATUS_LIMIT, STATUS_NO_OFFSET, "base64 of too many bytes");
    return true;
}

void base64_encode(struct str bytes, struct buffer *out)
{
    static const char alphabet[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t i = 0; i < bytes.n; i += 3) {
        size_t n = bytes.n - i < 3 ? bytes.n - i : 3;
        uint32_t bits = 0;
        for (size_t k = 0; k < 3; k++)
            bits = bits << 8 | (k < n ? (unsigned char)bytes.p[i + k] : 0);
        for (size_t k = 0; k < 4; k++)
            buffer_append_byte(out, k <= n ? alphabet[bits >> (18 - 6 * k) & 63] : '=');
    }
}
