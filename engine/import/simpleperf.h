/* simpleperf's protobuf report (spec engine_1 6.2): samples with their stacks, in
 * the reference's tables, and what only simpleperf tells in simpleperf_*. */
#ifndef ENGINE_IMPORT_SIMPLEPERF_H
#define ENGINE_IMPORT_SIMPLEPERF_H

#include "engine/import/import.h"

extern const struct importer importer_simpleperf;

#endif
