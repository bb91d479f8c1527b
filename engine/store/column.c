#include "engine/store/column.h"

#include <assert.h>
#include <string.h>

#include "engine/base/memory.h"

static size_t round_to_page(size_t bytes)
{
    return (bytes + 4095) & ~(size_t)4095;
}

/* Maps, grows or moves anonymous memory; new bytes are zero. */
static void *remap(void *old, size_t old_bytes, size_t new_bytes)
{
    old_bytes = round_to_page(old_bytes);
    new_bytes = round_to_page(new_bytes);
    if (old && old_bytes == new_bytes) return old;
    return mem_grow(old, old_bytes, new_bytes);
}

void column_expect(struct column *c, uint32_t from, uint32_t to)
{
    size_t each = column_value_bytes(c);
    if (c->data) mem_expect(c->data, round_to_page(from * each), round_to_page(to * each));
}

static size_t valid_bytes(uint32_t capacity)
{
    return ((size_t)capacity + 63) / 64 * sizeof(uint64_t);
}

unsigned column_value_bytes(const struct column *c)
{
    switch (c->type) {
    case COLUMN_ID: return 0;
    case COLUMN_INT64:
    case COLUMN_DOUBLE: return 8;
    default: return 4;
    }
}

static bool has_bitmap(const struct column *c)
{
    return (c->flags & COLUMN_NULLABLE) && (c->type == COLUMN_INT64 || c->type == COLUMN_DOUBLE);
}

void column_grow(struct column *c, uint32_t before, uint32_t capacity)
{
    size_t each = column_value_bytes(c);
    if (each == 0 || (!c->data && (c->flags & COLUMN_NULLABLE))) return;
    c->data = remap(c->data, before * each, capacity * each);
    if (c->valid) c->valid = remap(c->valid, valid_bytes(before), valid_bytes(capacity));
}

void column_materialize(struct column *c, uint32_t rows, uint32_t capacity)
{
    size_t each = column_value_bytes(c);
    assert(!c->data && each);
    c->data = remap(NULL, 0, capacity * each);
    if (has_bitmap(c)) c->valid = remap(NULL, 0, valid_bytes(capacity));
    if (c->type == COLUMN_UINT32)
        memset(c->data, 0xFF, rows * each);
    else if (c->type == COLUMN_INT32)
        for (uint32_t i = 0; i < rows; i++)
            ((int32_t *)c->data)[i] = NULL_INT32;
}

void column_unmap(struct column *c, uint32_t capacity)
{
    if (c->data) mem_unmap(c->data, round_to_page((size_t)capacity * column_value_bytes(c)));
    if (c->valid) mem_unmap(c->valid, round_to_page(valid_bytes(capacity)));
    c->data = NULL;
    c->valid = NULL;
}

void column_set_valid(struct column *c, uint32_t row, bool valid)
{
    uint64_t bit = UINT64_C(1) << (row & 63);
    if (valid)
        c->valid[row >> 6] |= bit;
    else
        c->valid[row >> 6] &= ~bit;
}

bool column_is_null(const struct column *c, uint32_t row)
{
    if (c->type == COLUMN_ID || !(c->flags & COLUMN_NULLABLE || c->type == COLUMN_STRING))
        return false;
    if (!c->data) return true;
    switch (c->type) {
    case COLUMN_INT32: return ((const int32_t *)c->data)[row] == NULL_INT32;
    case COLUMN_UINT32: return ((const uint32_t *)c->data)[row] == NULL_UINT32;
    case COLUMN_STRING: return ((const string_id *)c->data)[row] == STRING_NULL;
    default: return c->valid && !(c->valid[row >> 6] >> (row & 63) & 1);
    }
}

int64_t column_get_int64(const struct column *c, uint32_t row)
{
    if (c->type == COLUMN_ID) return row;
    if (column_is_null(c, row)) return 0;
    switch (c->type) {
    case COLUMN_INT64: return ((const int64_t *)c->data)[row];
    case COLUMN_INT32: return ((const int32_t *)c->data)[row];
    case COLUMN_DOUBLE: return (int64_t)((const double *)c->data)[row];
    default: return ((const uint32_t *)c->data)[row];
    }
}

double column_get_double(const struct column *c, uint32_t row)
{
    if (c->type != COLUMN_DOUBLE) return (double)column_get_int64(c, row);
    return column_is_null(c, row) ? 0 : ((const double *)c->data)[row];
}

uint32_t column_get_row(const struct column *c, uint32_t row)
{
    if (c->type == COLUMN_ID) return row;
    return c->data ? ((const uint32_t *)c->data)[row] : NULL_UINT32;
}

string_id column_get_string(const struct column *c, uint32_t row)
{
    return c->data ? ((const string_id *)c->data)[row] : STRING_NULL;
}
