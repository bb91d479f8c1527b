/* Forms in which JSON events come beside documents. */
#ifndef ENGINE_IMPORT_JSON_FORMS_H
#define ENGINE_IMPORT_JSON_FORMS_H

#include "engine/base/str.h"

/* One event a line (NDJSON): the object at `at` is an event and ends with its line. */
bool json_is_lines(struct str bytes, size_t at);

#endif
