#include "tests/screen/stream.h"

#include <string.h>

#include "engine/base/utf8.h"

struct stream {
    const unsigned char *p;
    size_t n, at;
    enum stream_kind kind;
    struct buffer *why;
};

static bool refuse(const struct stream *s, const char *what)
{
    size_t from = s->at > 24 ? s->at - 24 : 0, to = s->at + 24 < s->n ? s->at + 24 : s->n;
    buffer_printf(s->why, "%s at byte %zu: ", what, s->at);
    for (size_t i = from; i < to; i++) {
        unsigned char c = s->p[i];
        if (i == s->at) buffer_append_text(s->why, " >> ");
        if (c >= 0x20 && c < 0x7f)
            buffer_append_byte(s->why, (char)c);
        else
            buffer_printf(s->why, "\\x%02x", c);
    }
    buffer_append_byte(s->why, '\n');
    return false;
}

/* ESC [ parameters final, of those that curses finds in an xterm's terminfo. */
static bool take_csi(struct stream *s)
{
    size_t at = s->at + 2;
    while (at < s->n && s->p[at] >= 0x30 && s->p[at] <= 0x3f)
        at++;
    while (at < s->n && s->p[at] >= 0x20 && s->p[at] <= 0x2f)
        at++;
    if (at >= s->n || !strchr("ABCDEFGHJKLMPSTXZ@bdfghlmnrt`cp", s->p[at]) || !s->p[at])
        return refuse(s, "unknown control sequence");
    s->at = at + 1;
    return true;
}

static bool take_escape(struct stream *s)
{
    if (s->kind == STREAM_LINES) return refuse(s, "escape sequence");
    if (s->at + 1 >= s->n) return refuse(s, "lone ESC");
    switch (s->p[s->at + 1]) {
    case '[': return take_csi(s);
    case '(': /* character sets */
    case ')':
        if (s->at + 2 >= s->n || !strchr("B0", s->p[s->at + 2]))
            return refuse(s, "unknown character set");
        s->at += 3;
        return true;
    case '=':
    case '>':
    case '7':
    case '8':
    case 'D':
    case 'E':
    case 'H':
    case 'M': s->at += 2; return true;
    default: return refuse(s, "unknown escape sequence");
    }
}

static bool take_control(struct stream *s)
{
    unsigned char c = s->p[s->at];
    const char *allowed = s->kind == STREAM_CURSES ? "\b\t\n\r\016\017" : "\n\r";
    if (c == 0 || !strchr(allowed, c)) return refuse(s, "control byte");
    /* A terminal makes CR CR LF of the end of a line of CSV. */
    if (s->kind == STREAM_LINES && c == '\r' &&
        (s->at + 1 >= s->n || !strchr("\r\n", s->p[s->at + 1])))
        return refuse(s, "lone carriage return");
    s->at++;
    return true;
}

static bool is_hidden_or_reordering(uint32_t c)
{
    static const uint32_t ranges[][2] = {{0x00AD, 0x00AD},   {0x034F, 0x034F}, {0x061C, 0x061C},
                                         {0x115F, 0x1160},   {0x180B, 0x180F}, {0x200B, 0x200F},
                                         {0x2028, 0x202E},   {0x2060, 0x206F}, {0x3164, 0x3164},
                                         {0xFEFF, 0xFEFF},   {0xFDD0, 0xFDEF}, {0xFFF9, 0xFFFB},
                                         {0xE0000, 0xE0FFF}, {0xD800, 0xF8FF}, {0xF0000, 0x10FFFF}};
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++)
        if (c >= ranges[i][0] && c <= ranges[i][1]) return true;
    return (c & 0xFFFE) == 0xFFFE;
}

static bool take_character(struct stream *s)
{
    size_t bad;
    size_t length = s->p[s->at] >= 0xF0 ? 4 : s->p[s->at] >= 0xE0 ? 3 : 2;
    if (s->at + length > s->n) return refuse(s, "invalid UTF-8");
    struct str one = {(const char *)s->p + s->at, length};
    if (!utf8_is_valid(one, &bad)) return refuse(s, "invalid UTF-8");
    uint32_t c;
    utf8_decode(one, &c);
    if (c < 0xA0) return refuse(s, "C1 control");
    if (is_hidden_or_reordering(c)) return refuse(s, "hidden or reordering character");
    s->at += length;
    return true;
}

bool stream_is_clean(const char *bytes, size_t length, enum stream_kind kind, struct buffer *why)
{
    struct stream s = {(const unsigned char *)bytes, length, 0, kind, why};
    while (s.at < s.n) {
        unsigned char c = s.p[s.at];
        bool good = true;
        if (c == 0x1B)
            good = take_escape(&s);
        else if (c < 0x20 || c == 0x7F)
            good = take_control(&s);
        else if (c >= 0x80)
            good = take_character(&s);
        else
            s.at++;
        if (!good) return false;
    }
    return true;
}
