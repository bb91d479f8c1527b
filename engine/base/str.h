/* A slice of bytes that somebody else owns.  Never assumed to end in NUL, never
 * assumed to be UTF-8.  {NULL, 0} is the absent string. */
#ifndef ENGINE_BASE_STR_H
#define ENGINE_BASE_STR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct str {
    const char *p;
    size_t n;
};

#define STR(literal) ((struct str){(literal), sizeof(literal) - 1})
#define STR_NONE     ((struct str){NULL, 0})
/* For printf: "%.*s", STR_ARG(s).  Only where the text is known to be short. */
#define STR_ARG(s) ((int)((s).n > 4096 ? 4096 : (s).n)), ((s).n ? (s).p : "")

static inline struct str str_of(const char *text)
{
    return text ? (struct str){text, strlen(text)} : STR_NONE;
}

static inline bool str_equal(struct str a, struct str b)
{
    return a.n == b.n && (a.n == 0 || memcmp(a.p, b.p, a.n) == 0);
}

static inline bool str_is(struct str a, const char *text)
{
    return str_equal(a, str_of(text));
}

static inline bool str_starts(struct str s, struct str prefix)
{
    return s.n >= prefix.n && (prefix.n == 0 || memcmp(s.p, prefix.p, prefix.n) == 0);
}

static inline bool str_ends(struct str s, struct str suffix)
{
    return s.n >= suffix.n &&
           (suffix.n == 0 || memcmp(s.p + s.n - suffix.n, suffix.p, suffix.n) == 0);
}

/* Bytes [from, to), clipped to the string. */
static inline struct str str_slice(struct str s, size_t from, size_t to)
{
    if (to > s.n) to = s.n;
    if (from > to) from = to;
    return (struct str){s.p ? s.p + from : NULL, to - from};
}

int str_compare(struct str a, struct str b); /* by bytes, then by length */
bool str_find(struct str haystack, struct str needle, size_t *at);
bool str_find_byte(struct str s, char byte, size_t *at);
struct str str_trim(struct str s); /* ASCII white space at both ends */
/* Cuts up to the next `byte` off the front of *rest; false at the end. */
bool str_split_next(struct str *rest, char byte, struct str *piece);

/* Whole string, optional sign, decimal; false on anything else or overflow. */
bool str_to_int64(struct str s, int64_t *out);
bool str_to_uint64(struct str s, uint64_t *out);
/* The same with a 0x prefix allowed and base 16 meant by it. */
bool str_to_uint64_any_base(struct str s, uint64_t *out);
bool str_to_double(struct str s, double *out);
/* Decimal text times 10^power, rounded half away from zero, exactly: "154.5"
 * with power 3 is 154500.  Accepts exponents.  False when it is no number or
 * does not fit int64. */
bool str_to_scaled_int64(struct str s, int power, int64_t *out);

#endif
