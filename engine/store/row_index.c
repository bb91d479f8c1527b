#include "engine/store/row_index.h"

#include <stdlib.h>
#include <string.h>

#include "engine/base/memory.h"

struct row_index {
    uint32_t *rows;    /* ascending inside each value */
    uint32_t *offsets; /* dense: rows of value v are [offsets[v], offsets[v + 1]) */
    int64_t *values;   /* sparse: value of rows[i], ascending */
    uint32_t row_count;
    uint32_t dense_end; /* number of dense values */
};

static struct mutex build_lock = {PTHREAD_MUTEX_INITIALIZER};

struct pair {
    int64_t value;
    uint32_t row;
};

static int compare_pairs(const void *a, const void *b)
{
    const struct pair *x = a, *y = b;
    if (x->value != y->value) return x->value < y->value ? -1 : 1;
    return x->row < y->row ? -1 : 1;
}

static void build_dense(struct row_index *index, const struct column *c, uint32_t rows,
                        uint32_t dense_end)
{
    index->dense_end = dense_end;
    index->offsets = mem_zero((size_t)dense_end + 1, sizeof *index->offsets);
    for (uint32_t row = 0; row < rows; row++)
        if (!column_is_null(c, row)) index->offsets[column_get_int64(c, row) + 1]++;
    for (uint32_t v = 0; v < dense_end; v++)
        index->offsets[v + 1] += index->offsets[v];
    index->row_count = index->offsets[dense_end];
    index->rows = mem_alloc((size_t)index->row_count * sizeof *index->rows);
    uint32_t *next = mem_alloc((size_t)dense_end * sizeof *next);
    memcpy(next, index->offsets, (size_t)dense_end * sizeof *next);
    for (uint32_t row = 0; row < rows; row++)
        if (!column_is_null(c, row)) index->rows[next[column_get_int64(c, row)]++] = row;
    mem_free(next);
}

static void build_sparse(struct row_index *index, const struct column *c, uint32_t rows)
{
    struct pair *pairs = mem_alloc((size_t)rows * sizeof *pairs);
    uint32_t n = 0;
    for (uint32_t row = 0; row < rows; row++)
        if (!column_is_null(c, row)) pairs[n++] = (struct pair){column_get_int64(c, row), row};
    qsort(pairs, n, sizeof *pairs, compare_pairs);
    index->row_count = n;
    index->rows = mem_alloc((size_t)n * sizeof *index->rows);
    index->values = mem_alloc((size_t)n * sizeof *index->values);
    for (uint32_t i = 0; i < n; i++) {
        index->rows[i] = pairs[i].row;
        index->values[i] = pairs[i].value;
    }
    mem_free(pairs);
}

static struct row_index *build(const struct table *t, const struct column *c)
{
    struct row_index *index = mem_zero(1, sizeof *index);
    uint32_t rows = table_rows(t);
    int64_t smallest = 0, largest = -1;
    for (uint32_t row = 0; row < rows; row++) {
        if (column_is_null(c, row)) continue;
        int64_t value = column_get_int64(c, row);
        if (value < smallest) smallest = value;
        if (value > largest) largest = value;
    }
    if (smallest >= 0 && largest < (int64_t)rows * 4 + 4096)
        build_dense(index, c, rows, (uint32_t)(largest + 1));
    else
        build_sparse(index, c, rows);
    return index;
}

const struct row_index *row_index_of(struct table *t, uint32_t column)
{
    const struct column *c = &t->columns[column];
    if (!t->frozen || c->type == COLUMN_ID || c->type == COLUMN_DOUBLE) return NULL;
    mutex_lock(&build_lock);
    if (!t->indexes) t->indexes = mem_zero(t->schema->n_columns, sizeof *t->indexes);
    if (!t->indexes[column]) t->indexes[column] = build(t, c);
    const struct row_index *index = t->indexes[column];
    mutex_unlock(&build_lock);
    return index;
}

struct row_span row_index_find(const struct row_index *index, int64_t value)
{
    if (index->offsets) {
        if (value < 0 || value >= (int64_t)index->dense_end) return (struct row_span){NULL, 0};
        uint32_t from = index->offsets[value];
        return (struct row_span){index->rows + from, index->offsets[value + 1] - from};
    }
    uint32_t low = 0, high = index->row_count;
    while (low < high) {
        uint32_t mid = low + (high - low) / 2;
        if (index->values[mid] < value)
            low = mid + 1;
        else
            high = mid;
    }
    uint32_t from = low;
    while (low < index->row_count && index->values[low] == value)
        low++;
    return (struct row_span){index->rows + from, low - from};
}

void row_index_free(struct row_index *index)
{
    if (!index) return;
    mem_free(index->rows);
    mem_free(index->offsets);
    mem_free(index->values);
    mem_free(index);
}
