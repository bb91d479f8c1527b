/* Forms in which JSON comes beside plain UTF-8 documents. */
#ifndef ENGINE_IMPORT_JSON_FORMS_H
#define ENGINE_IMPORT_JSON_FORMS_H

#include "engine/base/buffer.h"
#include "engine/base/str.h"

/* The bytes without a mark of UTF-8; those of UTF-16 (which begin with its mark) as
 * UTF-8, held by `out`. */
struct str json_as_utf8(struct str bytes, struct buffer *out);

/* One event a line (NDJSON): the object at `at` is an event and ends with its line. */
bool json_is_lines(struct str bytes, size_t at);

#endif
