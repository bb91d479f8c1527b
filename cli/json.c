#include "cli/json.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "engine/base/utf8.h"

void json_append_text(struct buffer *out, struct str s)
{
    buffer_append_byte(out, '"');
    while (s.n > 0) {
        uint32_t c;
        size_t used = utf8_decode(s, &c);
        if (c == UTF8_INVALID)
            buffer_append_text(out, "\xEF\xBF\xBD");
        else if (c == '"' || c == '\\')
            buffer_printf(out, "\\%c", (char)c);
        else if (c < 0x20)
            buffer_printf(out, "\\u%04x", (unsigned)c);
        else
            buffer_append(out, s.p, used);
        s = str_slice(s, used, s.n);
    }
    buffer_append_byte(out, '"');
}

void append_shortest_double(struct buffer *out, double value)
{
    char text[40];
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, value);
        if (strtod(text, NULL) == value) break;
    }
    buffer_append_text(out, text);
}

void json_append_double(struct buffer *out, double value)
{
    if (isfinite(value))
        append_shortest_double(out, value);
    else
        buffer_append_text(out, "null");
}
