#include "engine/import/id_table.h"

#define NO_VALUE    UINT64_MAX
#define DENSE_FIRST 1024

void id_table_put(struct id_table *table, uint64_t id, uint64_t value)
{
    table->n_put++;
    if (id >= DENSE_FIRST + 2 * table->n_put) {
        map_set(&table->sparse, id, value);
        return;
    }
    while (table->dense.count <= id)
        vec_push(&table->dense, NO_VALUE);
    table->dense.items[id] = value;
}

bool id_table_get(const struct id_table *table, uint64_t id, uint64_t *value)
{
    if (id < table->dense.count && table->dense.items[id] != NO_VALUE) {
        *value = table->dense.items[id];
        return true;
    }
    const uint64_t *found = map_get(&table->sparse, id);
    if (found) *value = *found;
    return found != NULL;
}

void id_table_free(struct id_table *table)
{
    vec_free(&table->dense);
    map_free(&table->sparse);
}
