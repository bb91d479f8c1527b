/* One column of a table: a contiguous run of one type of value.
 *
 * Storage grows by remapping its pages, never by copying, and holds no pointer.
 * A pointer from column_int64() and friends is good until the next append to
 * its table; another thread reads inside table_read_begin/end (table.h).
 *
 * NULL: 32-bit values and strings have a sentinel inside the storage; 64-bit
 * values have a bitmap of the rows that hold a value.  A nullable column in
 * which every row so far is NULL has no storage at all (data == NULL).
 * An ID column has none either: the value of a row is its number.
 */
#ifndef ENGINE_STORE_COLUMN_H
#define ENGINE_STORE_COLUMN_H

#include <stdbool.h>
#include <stdint.h>

#include "engine/base/strpool.h"

enum column_type {
    COLUMN_ID,
    COLUMN_INT64,
    COLUMN_INT32,
    COLUMN_UINT32,
    COLUMN_DOUBLE,
    COLUMN_STRING, /* a string_id of the engine's pool */
};

enum column_flags {
    COLUMN_PLAIN = 0,
    COLUMN_NULLABLE = 1,
    COLUMN_SORTED = 2,   /* appended in ascending order, as a rule; see is_sorted */
    COLUMN_SET_ID = 4,   /* the row number of the first row of its group */
    COLUMN_FOREIGN = 8,  /* row number in another table: an equality gets an index */
    COLUMN_MUTABLE = 16, /* may change below the published row count */
    COLUMN_HIDDEN = 32,  /* SQL shows it only when it is named */
};

#define NULL_UINT32 UINT32_MAX
#define NULL_INT32  INT32_MIN

struct column_schema {
    const char *name;
    uint8_t type;
    uint8_t flags;
    const char *doc;
};

struct column {
    void *data;      /* capacity values, or NULL (see above) */
    uint64_t *valid; /* bitmap for nullable 64-bit columns; NULL: no row is NULL */
    uint8_t type, flags;
    bool is_sorted; /* true while every append kept ascending order */
};

/* Values for building rows: {0} is NULL. */
struct opt_int64 {
    bool has;
    int64_t value;
};
struct opt_int32 {
    bool has;
    int32_t value;
};
struct opt_uint32 {
    bool has;
    uint32_t value;
};
struct opt_double {
    bool has;
    double value;
};

static inline struct opt_int64 some_int64(int64_t v)
{
    return (struct opt_int64){true, v};
}
static inline struct opt_int32 some_int32(int32_t v)
{
    return (struct opt_int32){true, v};
}
static inline struct opt_uint32 some_uint32(uint32_t v)
{
    return (struct opt_uint32){true, v};
}
/* NULL when v is NULL_UINT32. */
static inline struct opt_uint32 opt_row(uint32_t v)
{
    return (struct opt_uint32){v != NULL_UINT32, v};
}
static inline struct opt_double some_double(double v)
{
    return (struct opt_double){true, v};
}

/* The storage; NULL when every row is NULL (nullable columns only). */
static inline const int64_t *column_int64(const struct column *c)
{
    return c->data;
}
static inline const int32_t *column_int32(const struct column *c)
{
    return c->data;
}
static inline const uint32_t *column_uint32(const struct column *c)
{
    return c->data;
}
static inline const double *column_double(const struct column *c)
{
    return c->data;
}
static inline const string_id *column_string(const struct column *c)
{
    return c->data;
}

/* Any row of any column; the row must exist. */
bool column_is_null(const struct column *c, uint32_t row);
/* Integer types and ids; 0 for NULL. */
int64_t column_get_int64(const struct column *c, uint32_t row);
/* COLUMN_DOUBLE, or an integer converted; 0 for NULL. */
double column_get_double(const struct column *c, uint32_t row);
/* NULL_UINT32 for NULL: for foreign keys. */
uint32_t column_get_row(const struct column *c, uint32_t row);
string_id column_get_string(const struct column *c, uint32_t row);

/* Bytes of one value: 0 for ID, else 4 or 8. */
unsigned column_value_bytes(const struct column *c);

/* The rest is for table.c: storage of `capacity` rows, growing from `before`. */
void column_grow(struct column *c, uint32_t before, uint32_t capacity);
/* Rows [from, to) will be written soon: brings their memory in (mem_expect). */
void column_expect(struct column *c, uint32_t from, uint32_t to);
/* Gives storage to an all-NULL column whose table has `rows` rows. */
void column_materialize(struct column *c, uint32_t rows, uint32_t capacity);
void column_unmap(struct column *c, uint32_t capacity);
void column_set_valid(struct column *c, uint32_t row, bool valid);

#endif
