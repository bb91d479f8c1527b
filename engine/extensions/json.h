/* JSON as this room wants it: strict, in the file's order, with readable places.
 *
 * RFC 8259 in UTF-8: a duplicate key, a NUL in a string, and a number that neither
 * int64 nor double holds are errors with line and column.  A UTF-8 BOM in front is
 * skipped.
 */
#ifndef ENGINE_EXTENSIONS_JSON_H
#define ENGINE_EXTENSIONS_JSON_H

#include <jansson.h>

#include "engine/base/buffer.h"
#include "engine/base/status.h"
#include "engine/base/str.h"

/* NULL with "line L, column C: what".  A reference that the caller drops. */
json_t *json_strict_load(struct str bytes, struct status *st);

/* Compact, keys in their order, doubles as short as they can be. */
void json_write(struct buffer *out, const json_t *value);

/* "nothing" (NULL), "5", "\"text\"", "an array", … for messages. */
void json_describe(struct buffer *out, const json_t *value);

static inline struct str json_str(const json_t *value)
{
    if (!json_is_string(value)) return STR_NONE;
    return (struct str){json_string_value(value), json_string_length(value)};
}

/* A place as in "extensions.macros[2].run"; each push returns the length to cut
 * back to. */
size_t json_path_key(struct buffer *path, const char *key);
size_t json_path_index(struct buffer *path, size_t index);
void json_path_cut(struct buffer *path, size_t length);

#endif
