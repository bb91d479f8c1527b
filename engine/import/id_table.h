/* Values by the ids that a file numbers its own entries with.  Writers count from
 * 1 on, so that most lie in one array; ids far beyond the number of entries go to
 * a map, which costs more.  An array never grows past what its entries pay for. */
#ifndef ENGINE_IMPORT_ID_TABLE_H
#define ENGINE_IMPORT_ID_TABLE_H

#include "engine/base/map.h"
#include "engine/base/vec.h"

struct id_table {
    uint64_t n_put;
    VEC(uint64_t) dense;
    struct map sparse;
};

/* Replaces what the id had.  UINT64_MAX is no value. */
void id_table_put(struct id_table *table, uint64_t id, uint64_t value);
bool id_table_get(const struct id_table *table, uint64_t id, uint64_t *value);
void id_table_free(struct id_table *table);

#endif
