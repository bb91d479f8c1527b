#include "engine/store/table.h"

#include <assert.h>
#include <string.h>
#include <strings.h>

#include "engine/base/memory.h"
#include "engine/store/row_index.h"

#define FIRST_CAPACITY 512u
#define READY_AHEAD    16384u
#define SMALL_TABLE    65536u /* rows up to which it doubles */

void table_read_begin(const struct table *t)
{
    if (t->gate) rwlock_read(t->gate);
}

void table_read_end(const struct table *t)
{
    if (t->gate) rwlock_unlock(t->gate);
}

void table_init(struct table *t, const struct table_schema *schema, struct column *columns,
                struct strpool *strings, struct rwlock *gate)
{
    *t = (struct table){.schema = schema, .columns = columns, .strings = strings, .gate = gate};
    for (uint32_t i = 0; i < schema->n_columns; i++)
        columns[i] = (struct column){
            .type = schema->columns[i].type, .flags = schema->columns[i].flags, .is_sorted = true};
}

void table_dispose(struct table *t)
{
    for (uint32_t i = 0; i < t->schema->n_columns; i++) {
        column_unmap(&t->columns[i], t->capacity);
        if (t->indexes) row_index_free(t->indexes[i]);
    }
    mem_free(t->indexes);
    t->indexes = NULL;
    t->capacity = t->ready = 0;
    atomic_store(&t->row_count, 0);
}

static struct table_schema *copy_schema(const struct table_schema *from)
{
    struct table_schema *schema = mem_alloc(sizeof *schema);
    struct column_schema *columns = mem_zero(from->n_columns, sizeof *columns);
    for (uint32_t i = 0; i < from->n_columns; i++) {
        columns[i] = from->columns[i];
        columns[i].name = mem_strdup(from->columns[i].name);
        columns[i].doc = "";
    }
    *schema = (struct table_schema){mem_strdup(from->name), "", columns, from->n_columns};
    return schema;
}

struct table *table_new(const struct table_schema *schema, struct strpool *strings)
{
    assert(schema->n_columns && schema->columns[0].type == COLUMN_ID);
    struct table *t = mem_alloc(sizeof *t);
    struct table_schema *owned = copy_schema(schema);
    table_init(t, owned, mem_zero(schema->n_columns, sizeof(struct column)), strings, NULL);
    t->owned_schema = owned;
    return t;
}

void table_free(struct table *t)
{
    if (!t) return;
    table_dispose(t);
    struct table_schema *schema = t->owned_schema;
    for (uint32_t i = 0; i < schema->n_columns; i++)
        mem_free((char *)(uintptr_t)schema->columns[i].name);
    mem_free((void *)(uintptr_t)schema->columns);
    mem_free((char *)(uintptr_t)schema->name);
    mem_free(schema);
    mem_free(t->columns);
    mem_free(t);
}

int table_find_column(const struct table *t, const char *name)
{
    for (uint32_t i = 0; i < t->schema->n_columns; i++)
        if (strcasecmp(t->schema->columns[i].name, name) == 0) return (int)i;
    return -1;
}

static void grow(struct table *t)
{
    uint32_t capacity = t->capacity ? t->capacity : FIRST_CAPACITY / 2;
    /* Growing moves no bytes, so small steps are cheap. */
    uint32_t more = capacity < SMALL_TABLE ? capacity : capacity / 4;
    capacity = capacity > TABLE_MAX_ROWS - more ? TABLE_MAX_ROWS : capacity + more;
    if (t->gate) rwlock_write(t->gate);
    for (uint32_t i = 0; i < t->schema->n_columns; i++)
        column_grow(&t->columns[i], t->capacity, capacity);
    t->capacity = capacity;
    if (t->gate) rwlock_unlock(t->gate);
}

/* Storage for a value in the row that is being built, or any earlier one. */
static void need_storage(struct table *t, struct column *c)
{
    if (c->data) return;
    if (t->gate) rwlock_write(t->gate);
    /* The row in the making counts: its cell was prepared as NULL. */
    uint32_t rows = table_rows(t) + 1;
    column_materialize(c, rows < t->capacity ? rows : t->capacity, t->capacity);
    if (t->gate) rwlock_unlock(t->gate);
}

/* A little ahead of the rows: memory that was just cleared is still in the
 * cache when it is written. */
static void bring_in(struct table *t, uint32_t row)
{
    t->ready = t->capacity - row > READY_AHEAD ? row + READY_AHEAD : t->capacity;
    for (uint32_t i = 0; i < t->schema->n_columns; i++)
        column_expect(&t->columns[i], row, t->ready);
}

void table_begin_row(struct table *t)
{
    uint32_t row = table_rows(t);
    assert(!t->frozen);
    if (row == t->capacity) grow(t);
    if (row >= t->ready) bring_in(t, row);
    for (uint32_t i = 0; i < t->schema->n_columns; i++) {
        struct column *c = &t->columns[i];
        if (!c->data || !(c->flags & COLUMN_NULLABLE)) continue;
        if (c->type == COLUMN_UINT32)
            ((uint32_t *)c->data)[row] = NULL_UINT32;
        else if (c->type == COLUMN_INT32)
            ((int32_t *)c->data)[row] = NULL_INT32;
    }
}

static void put_int64(struct table *t, uint32_t column, uint32_t row, int64_t value)
{
    struct column *c = &t->columns[column];
    switch (c->type) {
    case COLUMN_ID: return;
    case COLUMN_INT64:
        need_storage(t, c);
        ((int64_t *)c->data)[row] = value;
        if (c->valid) column_set_valid(c, row, true);
        return;
    case COLUMN_INT32:
        need_storage(t, c);
        ((int32_t *)c->data)[row] = (int32_t)value;
        return;
    case COLUMN_UINT32:
        need_storage(t, c);
        ((uint32_t *)c->data)[row] = (uint32_t)value;
        return;
    default: table_set_double(t, column, row, (double)value);
    }
}

static void note_order(struct column *c, uint32_t row)
{
    if (!c->is_sorted || row == 0) return;
    if (column_is_null(c, row) || column_is_null(c, row - 1))
        c->is_sorted = false;
    else if (c->type == COLUMN_DOUBLE)
        c->is_sorted = column_get_double(c, row) >= column_get_double(c, row - 1);
    else if (c->type == COLUMN_STRING)
        c->is_sorted = false;
    else
        c->is_sorted = column_get_int64(c, row) >= column_get_int64(c, row - 1);
}

void table_put_int64(struct table *t, uint32_t column, int64_t value)
{
    put_int64(t, column, table_rows(t), value);
}

void table_put_double(struct table *t, uint32_t column, double value)
{
    table_set_double(t, column, table_rows(t), value);
}

void table_put_string(struct table *t, uint32_t column, string_id value)
{
    table_set_string(t, column, table_rows(t), value);
}

uint32_t table_end_row(struct table *t)
{
    uint32_t row = table_rows(t);
    for (uint32_t i = 1; i < t->schema->n_columns; i++)
        if (t->columns[i].is_sorted) note_order(&t->columns[i], row);
    atomic_store_explicit(&t->row_count, row + 1, memory_order_release);
    return row;
}

void table_set_int64(struct table *t, uint32_t column, uint32_t row, int64_t value)
{
    /* The order that appending kept says nothing of values that came later. */
    t->columns[column].is_sorted = false;
    put_int64(t, column, row, value);
}

void table_set_double(struct table *t, uint32_t column, uint32_t row, double value)
{
    struct column *c = &t->columns[column];
    if (c->type != COLUMN_DOUBLE) {
        put_int64(t, column, row, (int64_t)value);
        return;
    }
    need_storage(t, c);
    ((double *)c->data)[row] = value;
    if (c->valid) column_set_valid(c, row, true);
}

void table_set_string(struct table *t, uint32_t column, uint32_t row, string_id value)
{
    struct column *c = &t->columns[column];
    assert(c->type == COLUMN_STRING);
    if (value == STRING_NULL && !c->data) return;
    need_storage(t, c);
    ((string_id *)c->data)[row] = value;
}

void table_set_null(struct table *t, uint32_t column, uint32_t row)
{
    struct column *c = &t->columns[column];
    assert((c->flags & COLUMN_NULLABLE) || c->type == COLUMN_STRING);
    if (!c->data) return;
    switch (c->type) {
    case COLUMN_UINT32: ((uint32_t *)c->data)[row] = NULL_UINT32; break;
    case COLUMN_INT32: ((int32_t *)c->data)[row] = NULL_INT32; break;
    case COLUMN_STRING: ((string_id *)c->data)[row] = STRING_NULL; break;
    default: column_set_valid(c, row, false);
    }
}

void table_freeze(struct table *t)
{
    if (t->frozen || !table_is_complete(t)) return;
    t->frozen = true;
    uint32_t rows = table_rows(t);
    uint32_t tight = rows ? rows : 1;
    if (t->gate) rwlock_write(t->gate);
    if (t->capacity > tight) {
        for (uint32_t i = 0; i < t->schema->n_columns; i++)
            column_grow(&t->columns[i], t->capacity, tight);
        t->capacity = tight;
        t->ready = tight;
    }
    if (t->gate) rwlock_unlock(t->gate);
}

bool table_rows_equal(const struct table *t, uint32_t column, int64_t value, struct row_span *span)
{
    const struct row_index *index = row_index_of((struct table *)(uintptr_t)t, column);
    if (!index) return false;
    *span = row_index_find(index, value);
    return true;
}

uint32_t table_lower_bound(const struct table *t, uint32_t column, int64_t value)
{
    const struct column *c = &t->columns[column];
    uint32_t low = 0, high = table_rows(t);
    while (low < high) {
        uint32_t mid = low + (high - low) / 2;
        if (column_get_int64(c, mid) < value)
            low = mid + 1;
        else
            high = mid;
    }
    return low;
}
