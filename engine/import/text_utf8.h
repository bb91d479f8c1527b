/* Texts of Windows' shells: a mark in front, or UTF-16 behind one. */
#ifndef ENGINE_IMPORT_TEXT_UTF8_H
#define ENGINE_IMPORT_TEXT_UTF8_H

#include "engine/base/buffer.h"
#include "engine/base/str.h"

/* The bytes without a mark of UTF-8; those of UTF-16 (which begin with its mark) as
 * UTF-8, held by `out`.  Other bytes as they are. */
struct str text_as_utf8(struct str bytes, struct buffer *out);

/* What `sniff` says of the first `head` bytes of the text. */
bool text_sniff(struct str bytes, size_t head, bool (*sniff)(struct str bytes));

#endif
