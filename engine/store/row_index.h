/* Equality indexes: for a value of one integer or string column, its rows.
 *
 * Built at first need from a frozen table and kept by it.  Dense values get an
 * array of offsets (one look-up), others a sorted permutation (binary search).
 */
#ifndef ENGINE_STORE_ROW_INDEX_H
#define ENGINE_STORE_ROW_INDEX_H

#include "engine/store/table.h"

struct row_index;

/* NULL when the table is not frozen or the column is no integer or string. */
const struct row_index *row_index_of(struct table *t, uint32_t column);
struct row_span row_index_find(const struct row_index *index, int64_t value);
void row_index_free(struct row_index *index);

#endif
