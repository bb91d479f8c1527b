#include "engine/import/text_lines.h"

#include "engine/base/utf8.h"

void text_lines_init(struct text_lines *lines, struct str bytes)
{
    *lines = (struct text_lines){.bytes = bytes};
    if (str_starts(bytes, STR("\xEF\xBB\xBF"))) lines->next_at = 3;
    if (str_starts(bytes, STR("\xFE\xFF"))) lines->is_big_endian = lines->is_utf16 = true;
    if (str_starts(bytes, STR("\xFF\xFE"))) lines->is_utf16 = true;
    if (lines->is_utf16) lines->next_at = 2;
}

void text_lines_free(struct text_lines *lines)
{
    buffer_free(&lines->text);
}

static uint32_t unit_at(const struct text_lines *lines, size_t at)
{
    uint32_t first = (uint8_t)lines->bytes.p[at], second = (uint8_t)lines->bytes.p[at + 1];
    return lines->is_big_endian ? first << 8 | second : second << 8 | first;
}

static void next_utf16(struct text_lines *lines, struct str *line)
{
    size_t at = lines->next_at, n = lines->bytes.n;
    buffer_clear(&lines->text);
    for (; at + 2 <= n; at += 2) {
        uint32_t unit = unit_at(lines, at);
        if (unit == '\n') break;
        if (unit >= 0xD800 && unit < 0xE000) {
            uint32_t low = unit < 0xDC00 && at + 4 <= n ? unit_at(lines, at + 2) : 0;
            bool is_pair = low >= 0xDC00 && low < 0xE000;
            unit = is_pair ? 0x10000 + ((unit - 0xD800) << 10) + (low - 0xDC00) : UTF8_REPLACEMENT;
            if (is_pair) at += 2;
        }
        char bytes[4];
        buffer_append(&lines->text, bytes, utf8_encode(unit, bytes));
    }
    lines->next_at = at + 2 <= n ? at + 2 : n;
    *line = buffer_str(&lines->text);
}

bool text_lines_next(struct text_lines *lines, struct str *line)
{
    if (lines->next_at >= lines->bytes.n) return false;
    lines->line_at = lines->next_at;
    if (lines->is_utf16) {
        next_utf16(lines, line);
    } else {
        struct str rest = str_slice(lines->bytes, lines->next_at, lines->bytes.n);
        size_t end = rest.n;
        lines->next_at =
            str_find_byte(rest, '\n', &end) ? lines->next_at + end + 1 : lines->bytes.n;
        *line = str_slice(rest, 0, end);
    }
    if (line->n > 0 && line->p[line->n - 1] == '\r') line->n--;
    return true;
}
