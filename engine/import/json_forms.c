#include "engine/import/json_forms.h"

#include "engine/import/json_event.h"
#include "engine/import/json_pull.h"
#include "engine/import/text_lines.h"

#define LONGEST_FIRST_LINE ((size_t)1 << 20)

static bool is_utf16(struct str bytes)
{
    return str_starts(bytes, STR("\xFF\xFE")) || str_starts(bytes, STR("\xFE\xFF"));
}

struct str json_as_utf8(struct str bytes, struct buffer *out)
{
    if (str_starts(bytes, STR("\xEF\xBB\xBF"))) return str_slice(bytes, 3, bytes.n);
    if (!is_utf16(bytes)) return bytes;
    struct text_lines lines;
    struct str line;
    out->largest = 2 * bytes.n + 16; /* a unit of two bytes becomes three at most */
    text_lines_init(&lines, bytes);
    while (text_lines_next(&lines, &line)) {
        buffer_append_str(out, line);
        buffer_append_byte(out, '\n');
    }
    text_lines_free(&lines);
    return buffer_str(out);
}

bool json_is_lines(struct str bytes, size_t at)
{
    struct str line = str_slice(bytes, at, at + LONGEST_FIRST_LINE);
    struct json_event event;
    size_t end;
    str_find_byte(line, '\n', &line.n);
    return json_event_read(line, 0, &event, &end) == JSON_DONE && event.phase &&
           json_skip_space(line, end) == line.n;
}
