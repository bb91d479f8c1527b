/* Sorting row numbers: one stable radix pass for each byte that differs, from the
 * last ORDER BY column to the first. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "engine/sql/radix.h"
#include "engine/sql/vtab.h"

/* ---- strings: their rank among the strings that occur ---- */

struct ranked {
    struct str text;
    string_id id;
};

static int compare_ranked(const void *a, const void *b)
{
    return str_compare(((const struct ranked *)a)->text, ((const struct ranked *)b)->text);
}

static void keys_of_strings(const struct table *table, const struct column *c,
                            struct keyed_row *rows, uint32_t n)
{
    const string_id *data = c->data;
    uint32_t end = strpool_end(table->strings);
    uint32_t *rank = mem_zero(end, sizeof *rank);
    VEC(struct ranked) found = {0};
    for (uint32_t i = 0; i < n; i++) {
        string_id id = data[rows[i].row];
        if (id == STRING_NULL || rank[id]) continue;
        rank[id] = 1;
        vec_push(&found, (struct ranked){strpool_get(table->strings, id), id});
    }
    if (found.count) qsort(found.items, found.count, sizeof *found.items, compare_ranked);
    for (size_t i = 0; i < found.count; i++)
        rank[found.items[i].id] = (uint32_t)i + 1;
    for (uint32_t i = 0; i < n; i++)
        rows[i].key = rank[data[rows[i].row]];
    vec_free(&found);
    mem_free(rank);
}

/* Keeps the order of doubles in an unsigned number. */
static uint64_t key_of_double(double d)
{
    uint64_t bits;
    if (d == 0) d = 0; /* -0 */
    memcpy(&bits, &d, sizeof bits);
    return bits >> 63 ? ~bits : bits | UINT64_C(1) << 63;
}

static bool cell_is_null(const struct column *c, uint32_t row)
{
    if (column_is_null(c, row)) return true;
    return c->type == COLUMN_DOUBLE && isnan(column_double(c)[row]);
}

static void sort_by(const struct table *table, struct vtab_order order, struct keyed_row *rows,
                    struct keyed_row *spare, uint32_t n)
{
    const struct column *c = &table->columns[order.column];
    if (!c->data && c->type != COLUMN_ID) return; /* all NULL */
    uint64_t flip = order.descending ? UINT64_MAX : 0;
    if (c->type == COLUMN_STRING) {
        keys_of_strings(table, c, rows, n);
        for (uint32_t i = 0; i < n; i++)
            rows[i].key ^= flip;
        radix_sort(rows, spare, n);
        return;
    }
    bool any_null = false;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t row = rows[i].row;
        uint64_t key = 0;
        if (cell_is_null(c, row))
            any_null = true;
        else if (c->type == COLUMN_DOUBLE)
            key = key_of_double(column_double(c)[row]);
        else
            key = radix_key_of_int64(column_get_int64(c, row));
        rows[i].key = key ^ flip;
    }
    radix_sort(rows, spare, n);
    if (!any_null) return;
    for (uint32_t i = 0; i < n; i++)
        rows[i].key = (cell_is_null(c, rows[i].row) ? 0u : 1u) ^ flip;
    radix_sort(rows, spare, n);
}

void vtab_sort_rows(const struct table *table, const struct vtab_order *order, uint32_t n_order,
                    uint32_t *rows, uint32_t n)
{
    if (n < 2) return;
    struct keyed_row *keyed = mem_alloc((size_t)n * sizeof *keyed);
    struct keyed_row *spare = mem_alloc((size_t)n * sizeof *spare);
    for (uint32_t i = 0; i < n; i++)
        keyed[i] = (struct keyed_row){0, rows[i]};
    for (uint32_t i = n_order; i-- > 0;)
        sort_by(table, order[i], keyed, spare, n);
    for (uint32_t i = 0; i < n; i++)
        rows[i] = keyed[i].row;
    mem_free(keyed);
    mem_free(spare);
}

bool vtab_column_ascends(const struct table *table, uint32_t column)
{
    const struct column *c = &table->columns[column];
    if (c->type == COLUMN_ID) return true;
    return c->is_sorted && c->data && c->type != COLUMN_STRING && !(c->flags & COLUMN_MUTABLE) &&
           table_rows(table) > 1;
}

bool vtab_is_row_order(const struct table *table, const struct vtab_order *order, uint32_t n_order)
{
    for (uint32_t i = 0; i < n_order; i++) {
        const struct column *c = &table->columns[order[i].column];
        if (order[i].descending) return false;
        if (c->type == COLUMN_ID) return true;
        if (!vtab_column_ascends(table, order[i].column)) return false;
        /* Rows of one value stand in row order; only the id may follow. */
        if (i + 1 < n_order && table->columns[order[i + 1].column].type != COLUMN_ID) return false;
    }
    return true;
}
