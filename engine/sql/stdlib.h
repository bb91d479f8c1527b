/* The standard library's SQL, compiled in from engine/sql/stdlib/.  The path
 * "slices/with_context.sql" is the module slices.with_context. */
#ifndef ENGINE_SQL_STDLIB_H
#define ENGINE_SQL_STDLIB_H

#include "engine/base/embedded.h"

extern const struct embedded_file stdlib_modules[];
extern const size_t stdlib_modules_count;

#endif
