#include "engine/import/text_utf8.h"

#include "engine/import/text_lines.h"

static bool is_utf16(struct str bytes)
{
    return str_starts(bytes, STR("\xFF\xFE")) || str_starts(bytes, STR("\xFE\xFF"));
}

static bool ends_a_line(struct str bytes)
{
    const char *last = bytes.p + bytes.n - 2;
    bool is_big_endian = bytes.p[0] == '\xFE';
    return bytes.n % 2 == 0 && last[is_big_endian] == '\n' && last[!is_big_endian] == 0;
}

struct str text_as_utf8(struct str bytes, struct buffer *out)
{
    if (str_starts(bytes, STR("\xEF\xBB\xBF"))) return str_slice(bytes, 3, bytes.n);
    if (!is_utf16(bytes)) return bytes;
    struct text_lines lines;
    struct str line;
    bool is_first = true;
    out->largest = 2 * bytes.n + 16; /* a unit of two bytes becomes three at most */
    text_lines_init(&lines, bytes);
    for (; text_lines_next(&lines, &line); is_first = false) {
        if (!is_first) buffer_append_byte(out, '\n');
        buffer_append_str(out, line);
    }
    if (!is_first && ends_a_line(bytes)) buffer_append_byte(out, '\n');
    text_lines_free(&lines);
    return buffer_str(out);
}

bool text_sniff(struct str bytes, size_t head, bool (*sniff)(struct str bytes))
{
    struct buffer utf8 = BUFFER_INIT;
    size_t most = is_utf16(bytes) ? 2 * head + 2 : head + 3;
    bool good = sniff(str_slice(text_as_utf8(str_slice(bytes, 0, most), &utf8), 0, head));
    buffer_free(&utf8);
    return good;
}
