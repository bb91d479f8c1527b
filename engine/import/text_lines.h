/* The lines of a text in memory, without their ends (LF, CR LF).
 *
 * UTF-8 lines point into the bytes.  A text that begins with a byte order mark of
 * UTF-16 is turned into UTF-8 line by line; such a line is good until the next
 * call.  A mark of UTF-8 is passed over.
 */
#ifndef ENGINE_IMPORT_TEXT_LINES_H
#define ENGINE_IMPORT_TEXT_LINES_H

#include "engine/base/buffer.h"
#include "engine/base/str.h"

struct text_lines {
    struct str bytes;
    size_t line_at; /* byte at which the line in hand begins */
    size_t next_at;
    bool is_utf16, is_big_endian;
    struct buffer text; /* of UTF-16 */
};

void text_lines_init(struct text_lines *lines, struct str bytes);
/* False at the end.  A last line without an end counts. */
bool text_lines_next(struct text_lines *lines, struct str *line);
void text_lines_free(struct text_lines *lines);

#endif
