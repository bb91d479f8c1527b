/* Every trace of the project's own tests, by name.  A test either calls the
 * function that writes one, or finds it here. */
#ifndef TESTS_GEN_CATALOGUE_H
#define TESTS_GEN_CATALOGUE_H

#include <stddef.h>

#include "engine/base/buffer.h"

struct gen_entry {
    const char *name; /* a file name */
    void (*write)(struct buffer *out);
};

const struct gen_entry *gen_catalogue(size_t *count);
/* NULL when there is none of that name. */
const struct gen_entry *gen_catalogue_find(const char *name);

#endif
