/* Every trace of the project's own tests, by name.  A test either calls the
 * function that writes one, or finds it here.
 *
 * Sidecar cases (sidecars.h) are in it as "sidecar_NAME.zip", ".tar" or ".json", and their
 * JSON alone as "sidecar_NAME.text"; what servers answer (servers.h) is "server_NAME.answers".
 */
#ifndef TESTS_GEN_CATALOGUE_H
#define TESTS_GEN_CATALOGUE_H

#include <stdbool.h>
#include <stddef.h>

#include "engine/base/buffer.h"

size_t gen_catalogue_count(void);
/* Appends the file name of entry i. */
void gen_catalogue_name(size_t i, struct buffer *out);
void gen_catalogue_write(size_t i, struct buffer *out);
/* False when there is none of that name. */
bool gen_catalogue_find(const char *name, size_t *i);

#endif
