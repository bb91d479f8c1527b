#define _GNU_SOURCE /* memmem */
#include "engine/base/str.h"

#include <errno.h>
#include <locale.h>
#include <stdlib.h>

#include "engine/base/checked.h"

int str_compare(struct str a, struct str b)
{
    size_t n = a.n < b.n ? a.n : b.n;
    int order = n ? memcmp(a.p, b.p, n) : 0;
    if (order) return order;
    return a.n < b.n ? -1 : a.n > b.n;
}

bool str_find(struct str haystack, struct str needle, size_t *at)
{
    if (needle.n == 0) {
        *at = 0;
        return true;
    }
    if (haystack.n < needle.n) return false;
    const char *hit = memmem(haystack.p, haystack.n, needle.p, needle.n);
    if (!hit) return false;
    *at = (size_t)(hit - haystack.p);
    return true;
}

bool str_find_byte(struct str s, char byte, size_t *at)
{
    const char *hit = s.n ? memchr(s.p, byte, s.n) : NULL;
    if (!hit) return false;
    *at = (size_t)(hit - s.p);
    return true;
}

static bool is_blank(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

struct str str_trim(struct str s)
{
    while (s.n && is_blank(s.p[0]))
        s = str_slice(s, 1, s.n);
    while (s.n && is_blank(s.p[s.n - 1]))
        s.n--;
    return s;
}

bool str_split_next(struct str *rest, char byte, struct str *piece)
{
    if (!rest->p) return false;
    size_t at;
    if (str_find_byte(*rest, byte, &at)) {
        *piece = str_slice(*rest, 0, at);
        *rest = str_slice(*rest, at + 1, rest->n);
    } else {
        *piece = *rest;
        *rest = STR_NONE;
    }
    return true;
}

bool str_to_uint64(struct str s, uint64_t *out)
{
    if (s.n == 0) return false;
    uint64_t value = 0;
    for (size_t i = 0; i < s.n; i++) {
        if (s.p[i] < '0' || s.p[i] > '9') return false;
        if (__builtin_mul_overflow(value, (uint64_t)10, &value)) return false;
        if (__builtin_add_overflow(value, (uint64_t)(s.p[i] - '0'), &value)) return false;
    }
    *out = value;
    return true;
}

bool str_to_int64(struct str s, int64_t *out)
{
    bool negative = s.n && s.p[0] == '-';
    if (s.n && (s.p[0] == '-' || s.p[0] == '+')) s = str_slice(s, 1, s.n);
    uint64_t magnitude;
    if (!str_to_uint64(s, &magnitude)) return false;
    if (magnitude > (uint64_t)INT64_MAX + (negative ? 1 : 0)) return false;
    *out = negative ? (int64_t)(0 - magnitude) : (int64_t)magnitude;
    return true;
}

static int hex_digit(char c)
{
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return -1;
}

bool str_to_uint64_any_base(struct str s, uint64_t *out)
{
    if (!(s.n > 2 && s.p[0] == '0' && (s.p[1] == 'x' || s.p[1] == 'X')))
        return str_to_uint64(s, out);
    s = str_slice(s, 2, s.n);
    uint64_t value = 0;
    for (size_t i = 0; i < s.n; i++) {
        int digit = hex_digit(s.p[i]);
        if (digit < 0 || value >> 60) return false;
        value = value << 4 | (uint64_t)digit;
    }
    *out = value;
    return true;
}

bool str_to_double(struct str s, double *out)
{
    char text[128];
    if (s.n == 0 || s.n >= sizeof text || is_blank(s.p[0])) return false;
    memcpy(text, s.p, s.n);
    text[s.n] = '\0';
    static locale_t numeric;
    if (!numeric) numeric = newlocale(LC_NUMERIC_MASK, "C", (locale_t)0);
    locale_t before = numeric ? uselocale(numeric) : (locale_t)0;
    char *end;
    errno = 0;
    double value = strtod(text, &end);
    if (before) uselocale(before);
    if (end != text + s.n) return false;
    *out = value;
    return true;
}

/* Splits decimal text into its digits without leading zeros and the power of
 * ten of the last one. */
static bool scan_decimal(struct str s, char *digits, size_t *n_digits, int *exponent,
                         bool *negative, bool *sticky)
{
    size_t i = 0;
    bool any = false, point = false;
    *n_digits = 0;
    *exponent = 0;
    *sticky = false;
    *negative = s.n && s.p[0] == '-';
    if (s.n && (s.p[0] == '-' || s.p[0] == '+')) i = 1;
    for (; i < s.n; i++) {
        char c = s.p[i];
        if (c == '.' && !point) {
            point = true;
            continue;
        }
        if (c < '0' || c > '9') break;
        any = true;
        if (*n_digits < 40) {
            if (*n_digits || c != '0') digits[(*n_digits)++] = c;
            if (point) (*exponent)--;
        } else {
            *sticky |= c != '0';
            if (!point) (*exponent)++;
        }
    }
    if (!any) return false;
    if (i < s.n && (s.p[i] == 'e' || s.p[i] == 'E')) {
        int64_t power;
        if (!str_to_int64(str_slice(s, i + 1, s.n), &power)) return false;
        if (power > 1000) power = 1000;
        if (power < -1000) power = -1000;
        *exponent += (int)power;
        i = s.n;
    }
    return i == s.n;
}

bool str_to_scaled_int64(struct str s, int power, int64_t *out)
{
    char digits[40];
    size_t n;
    int exponent;
    bool negative, sticky;
    if (!scan_decimal(s, digits, &n, &exponent, &negative, &sticky)) return false;
    exponent += power;
    uint64_t value = 0;
    size_t whole = n;
    if (exponent < 0) whole = (size_t)-exponent > n ? 0 : n - (size_t)-exponent;
    for (size_t i = 0; i < whole; i++) {
        if (__builtin_mul_overflow(value, (uint64_t)10, &value)) return false;
        if (__builtin_add_overflow(value, (uint64_t)(digits[i] - '0'), &value)) return false;
    }
    for (int i = 0; i < exponent && value; i++)
        if (__builtin_mul_overflow(value, (uint64_t)10, &value)) return false;
    /* The first dropped digit decides; it is digits[whole] unless zeros precede it. */
    bool first_is_digit = exponent < 0 && (size_t)-exponent <= n;
    if (first_is_digit && whole < n && digits[whole] >= '5')
        if (__builtin_add_overflow(value, (uint64_t)1, &value)) return false;
    if (value > (uint64_t)INT64_MAX + (negative ? 1 : 0)) return false;
    *out = negative ? (int64_t)(0 - value) : (int64_t)value;
    return true;
}
