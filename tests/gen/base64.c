#include "tests/gen/base64.h"

void gen_base64(struct buffer *out, struct str bytes)
{
    static const char DIGITS[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t i = 0; i < bytes.n; i += 3) {
        uint32_t group = 0;
        size_t have = bytes.n - i < 3 ? bytes.n - i : 3;
        for (size_t k = 0; k < 3; k++)
            group = group << 8 | (k < have ? (unsigned char)bytes.p[i + k] : 0);
        for (size_t k = 0; k < 4; k++)
            buffer_append_byte(out, k <= have ? DIGITS[group >> (18 - 6 * k) & 63] : '=');
    }
}
