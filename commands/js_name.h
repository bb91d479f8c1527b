/* Names of groups in JavaScript's regexes: RegExpIdentifierName of ECMA-262, with
 * Unicode's ID_Start and ID_Continue, and \u escapes. */
#ifndef COMMANDS_JS_NAME_H
#define COMMANDS_JS_NAME_H

#include "engine/base/buffer.h"

/* units[*at] is '<'.  Reads the name up to '>' as UTF-8 and goes behind it; NULL,
 * or why it is no name, with *at where that is. */
const char *js_name_read(const uint32_t *units, size_t count, size_t *at, struct buffer *name);

/* Of a hexadecimal digit; -1 for what is none. */
int js_hex_value(uint32_t unit);

#endif
