/* Android's dumpstate text, by itself or as the main text of a bug report. */
#ifndef ENGINE_IMPORT_ANDROID_DUMPSTATE_H
#define ENGINE_IMPORT_ANDROID_DUMPSTATE_H

#include "engine/import/import.h"

extern const struct importer importer_android_dumpstate;

#endif
