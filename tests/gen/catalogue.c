#include "tests/gen/catalogue.h"

#include <string.h>

#include "tests/gen/example.h"

static const struct gen_entry ENTRIES[] = {
    {"example.zip", gen_example_archive},
    {"example_forbidden.zip", gen_example_archive_forbidden},
    {"example.perfetto-trace", gen_example_trace},
};

const struct gen_entry *gen_catalogue(size_t *count)
{
    *count = sizeof ENTRIES / sizeof ENTRIES[0];
    return ENTRIES;
}

const struct gen_entry *gen_catalogue_find(const char *name)
{
    for (size_t i = 0; i < sizeof ENTRIES / sizeof ENTRIES[0]; i++)
        if (strcmp(ENTRIES[i].name, name) == 0) return &ENTRIES[i];
    return NULL;
}
