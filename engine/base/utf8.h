/* UTF-8, cell widths, and the escape that stands between a trace's bytes and
 * the terminal.
 *
 * Width is ours and does not depend on the locale: 0 combining, 1, 2 wide.
 * "Unsafe" characters are C0, DEL, C1, bidi and other invisible format
 * characters, surrogates and noncharacters; invalid bytes count as unsafe.  They
 * are shown, never sent: C0 and DEL as control pictures (U+2400…), the rest as
 * U+FFFD; in ASCII mode as '?'.
 */
#ifndef ENGINE_BASE_UTF8_H
#define ENGINE_BASE_UTF8_H

#include <stdbool.h>
#include <stdint.h>

#include "engine/base/buffer.h"
#include "engine/base/str.h"

#define UTF8_INVALID     UINT32_C(0xFFFFFFFF)
#define UTF8_REPLACEMENT UINT32_C(0xFFFD)

/* Decodes the first character of s (s.n > 0).  Returns the bytes used, at least
 * 1; *codepoint is UTF8_INVALID for a byte that starts no valid sequence
 * (overlong forms and surrogates are invalid). */
size_t utf8_decode(struct str s, uint32_t *codepoint);
/* Writes 1 to 4 bytes, returns how many. */
size_t utf8_encode(uint32_t codepoint, char out[4]);
bool utf8_is_valid(struct str s, size_t *bad_at);

bool utf8_is_unsafe(uint32_t codepoint);
/* Cells of a safe character: 0, 1 or 2. */
int utf8_width(uint32_t codepoint);
/* What to draw for a character: itself, or its visible replacement. */
uint32_t utf8_visible(uint32_t codepoint, bool ascii_only);

/* Appends s with every unsafe character replaced. */
void utf8_append_visible(struct buffer *out, struct str s, bool ascii_only);
/* The cells that utf8_append_visible's result takes. */
size_t utf8_visible_width(struct str s, bool ascii_only);

#endif
