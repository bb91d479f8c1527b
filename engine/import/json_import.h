/* Chrome's JSON trace event format (spec engine_2b 6.5).
 *
 * The bytes are walked twice: once to find the events and their times, once more
 * event by event in order of time.  Nothing of an event is kept between but its
 * place.  Times are decimal microseconds and become ns exactly.
 */
#ifndef ENGINE_IMPORT_JSON_IMPORT_H
#define ENGINE_IMPORT_JSON_IMPORT_H

#include "engine/import/import.h"

extern const struct importer importer_json;

#endif
