/* The bundled macros, compiled in from the JSON files of this folder. */
#ifndef MACROS_BUNDLED_H
#define MACROS_BUNDLED_H

#include "engine/base/embedded.h"

extern const struct embedded_file bundled_macro_files[];
extern const size_t bundled_macro_files_count;

#endif
