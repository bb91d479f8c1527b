/* What the power rails of known devices feed. */
#ifndef ENGINE_IMPORT_POWER_RAIL_NAMES_H
#define ENGINE_IMPORT_POWER_RAIL_NAMES_H

#include "engine/base/str.h"

/* NULL for a rail that nobody knows. */
const char *power_rail_friendly_name(struct str raw_name);

#endif
