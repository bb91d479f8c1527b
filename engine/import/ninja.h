/* The log of a build by ninja (spec engine_2c 8; ninja-build.org/manual.html, "The Ninja
 * log"): which commands ran when.  Who ran them is made up: as few workers as do. */
#ifndef ENGINE_IMPORT_NINJA_H
#define ENGINE_IMPORT_NINJA_H

#include "engine/import/import.h"

extern const struct importer importer_ninja;

#endif
