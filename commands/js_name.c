#include "commands/js_name.h"

#include "engine/base/regex.h"
#include "engine/base/utf8.h"

struct reader {
    const uint32_t *units;
    size_t count, at;
};

int js_hex_value(uint32_t unit)
{
    if (unit >= '0' && unit <= '9') return (int)(unit - '0');
    if (unit < 128 && (unit | 32) >= 'a' && (unit | 32) <= 'f')
        return (int)((unit | 32) - 'a' + 10);
    return -1;
}

static uint32_t peek(const struct reader *r, size_t ahead)
{
    return r->at + ahead < r->count ? r->units[r->at + ahead] : UINT32_MAX;
}

/* Digits from `ahead` on, at most `most`; how many there were. */
static size_t read_hex(const struct reader *r, size_t ahead, size_t most, uint32_t *value)
{
    size_t n = 0;
    *value = 0;
    for (; n < most && js_hex_value(peek(r, ahead + n)) >= 0 && *value <= 0x10FFFF; n++)
        *value = *value * 16 + (uint32_t)js_hex_value(peek(r, ahead + n));
    return n;
}

/* \uXXXX or \u{X…}. */
static bool read_escape(struct reader *r, uint32_t *c)
{
    if (peek(r, 0) != '\\' || peek(r, 1) != 'u') return false;
    if (peek(r, 2) != '{') {
        bool good = read_hex(r, 2, 4, c) == 4;
        r->at += 6;
        return good;
    }
    size_t n = read_hex(r, 3, r->count, c);
    bool good = n && *c <= 0x10FFFF && peek(r, 3 + n) == '}';
    r->at += 4 + n;
    return good;
}

static bool read_unit(struct reader *r, uint32_t *c)
{
    *c = peek(r, 0);
    if (*c == '\\') return read_escape(r, c);
    r->at++;
    return true;
}

static bool is_name(struct str text)
{
    struct status st = STATUS_INIT;
    struct regex *regex = regex_compile(
        STR("^[$_\\p{ID_Start}][$\\x{200C}\\x{200D}\\p{ID_Continue}]*\\z"), REGEX_UTF, &st);
    bool good = regex && regex_find(regex, text, 0, NULL) == REGEX_MATCH;
    regex_free(regex);
    status_clear(&st);
    return good;
}

const char *js_name_read(const uint32_t *units, size_t count, size_t *at, struct buffer *name)
{
    struct reader r = {units, count, *at + 1};
    buffer_clear(name);
    while (peek(&r, 0) != '>') {
        uint32_t c, low;
        if (r.at >= count) return "a group's name is not closed";
        size_t begin = r.at;
        bool good = read_unit(&r, &c);
        if (good && c >= 0xD800 && c <= 0xDBFF) {
            good = r.at < count && read_unit(&r, &low) && low >= 0xDC00 && low <= 0xDFFF;
            if (good) c = 0x10000 + ((c - 0xD800) << 10) + (low - 0xDC00);
        }
        if (!good || (c >= 0xD800 && c <= 0xDFFF)) {
            *at = begin;
            return "a group's name holds a character that it may not";
        }
        char bytes[4];
        buffer_append(name, bytes, utf8_encode(c, bytes));
    }
    if (!is_name(buffer_str(name))) return "a group's name holds a character that it may not";
    *at = r.at + 1;
    return NULL;
}
