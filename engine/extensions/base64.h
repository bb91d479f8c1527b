/* Base64 of RFC 4648, section 4, strictly: the standard alphabet, padding where it
 * belongs, no white space, no bits left over. */
#ifndef ENGINE_EXTENSIONS_BASE64_H
#define ENGINE_EXTENSIONS_BASE64_H

#include "engine/base/buffer.h"
#include "engine/base/status.h"
#include "engine/base/str.h"

/* Appends the bytes.  False with the offset of what is wrong. */
bool base64_decode(struct str text, struct buffer *out, struct status *st);
void base64_encode(struct str bytes, struct buffer *out);

#endif
