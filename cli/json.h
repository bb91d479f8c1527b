/* JSON text for stdout: strings with invalid UTF-8 replaced, numbers as short as
 * they can be. */
#ifndef CLI_JSON_H
#define CLI_JSON_H

#include "engine/base/buffer.h"
#include "engine/base/str.h"

void json_append_text(struct buffer *out, struct str s);
/* null for what JSON has no word for. */
void json_append_double(struct buffer *out, double value);
/* The shortest decimal that reads back as the same number. */
void append_shortest_double(struct buffer *out, double value);

#endif
