#include "engine/sql/pattern.h"

#include "engine/base/utf8.h"

/* The next character; a byte that starts no valid sequence stands for itself. */
static uint32_t next_character(struct str s, size_t *at)
{
    unsigned char first = (unsigned char)s.p[*at];
    if (first < 0x80) {
        ++*at;
        return first;
    }
    uint32_t c;
    *at += utf8_decode((struct str){s.p + *at, s.n - *at}, &c);
    return c == UTF8_INVALID ? UINT32_C(0x110000) + first : c;
}

static uint32_t fold(uint32_t c)
{
    return c >= 'A' && c <= 'Z' ? c + 32 : c;
}

/* pattern[*at] is just behind '['.  A set without its ']' matches nothing. */
static bool match_set(struct str pattern, size_t *at, uint32_t c)
{
    bool inverted = false, seen = false, first = true;
    uint32_t before = 0;
    bool has_before = false;
    if (*at < pattern.n && pattern.p[*at] == '^') {
        inverted = true;
        ++*at;
    }
    while (*at < pattern.n) {
        uint32_t p = next_character(pattern, at);
        if (p == ']' && !first) return seen != inverted;
        first = false;
        if (p == '-' && has_before && *at < pattern.n && pattern.p[*at] != ']') {
            uint32_t last = next_character(pattern, at);
            if (c >= before && c <= last) seen = true;
            has_before = false;
            continue;
        }
        if (c == p) seen = true;
        before = p;
        has_before = true;
    }
    return false;
}

/* Both walk once, and on a mismatch go back to the latest run only. */
bool pattern_glob(struct str pattern, struct str text)
{
    size_t p = 0, t = 0, star = SIZE_MAX, mark = 0;
    while (t < text.n) {
        bool matched = false;
        if (p < pattern.n && pattern.p[p] == '*') {
            star = ++p;
            mark = t;
            continue;
        }
        if (p < pattern.n) {
            size_t next_t = t;
            uint32_t c = next_character(text, &next_t);
            uint32_t want = next_character(pattern, &p);
            matched = want == '?' || (want == '[' ? match_set(pattern, &p, c) : want == c);
            if (matched) t = next_t;
        }
        if (matched) continue;
        if (star == SIZE_MAX) return false;
        p = star;
        next_character(text, &mark);
        t = mark;
    }
    while (p < pattern.n && pattern.p[p] == '*')
        p++;
    return p == pattern.n;
}

bool pattern_like(struct str pattern, struct str text, uint32_t escape)
{
    size_t p = 0, t = 0, star = SIZE_MAX, mark = 0;
    for (;;) {
        size_t after = p;
        uint32_t want = p < pattern.n ? next_character(pattern, &after) : 0;
        bool literal = p < pattern.n && escape && want == escape;
        if (literal) {
            if (after == pattern.n) return false;
            want = next_character(pattern, &after);
        }
        if (p < pattern.n && !literal && want == '%') {
            star = p = after;
            mark = t;
            continue;
        }
        if (t == text.n) return p == pattern.n;
        size_t next_t = t;
        uint32_t c = next_character(text, &next_t);
        if (p < pattern.n && ((!literal && want == '_') || fold(want) == fold(c))) {
            p = after;
            t = next_t;
            continue;
        }
        if (star == SIZE_MAX) return false;
        p = star;
        next_character(text, &mark);
        t = mark;
    }
}
