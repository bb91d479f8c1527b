/* The engine's own tables, made from the one list in tables.def.
 *
 * For a table `slice` there are:
 *   struct slice_row      the values of one row, for appending ({0} is NULL for
 *                         every nullable value)
 *   struct slice_table    `.table` and one struct column per column, by name
 *   SLICE…                numbers of columns: slice_COLUMN_ts, slice_COLUMN_COUNT
 *   slice_append()        adds a row, returns its number
 *
 * and `struct tables` holds them all, with the string pool and the gate that
 * readers of other threads hold.
 */
#ifndef ENGINE_STORE_TABLES_H
#define ENGINE_STORE_TABLES_H

#include "engine/store/table.h"

#define ROW_INT64      int64_t
#define ROW_INT32      int32_t
#define ROW_UINT32     uint32_t
#define ROW_DOUBLE     double
#define ROW_STRING     string_id
#define ROW_OPT_INT64  struct opt_int64
#define ROW_OPT_INT32  struct opt_int32
#define ROW_OPT_UINT32 struct opt_uint32
#define ROW_OPT_DOUBLE struct opt_double

/* Column numbers. */
#define TABLE_BEGIN(t, sql, doc) \
    enum t##_column_number \
    { \
        t##_COLUMN_id,
#define COLUMN(t, type, name, flags, doc) t##_COLUMN_##name,
#define ALIAS(t, name, doc)               t##_COLUMN_##name,
#define TABLE_END(t) \
    t##_COLUMN_COUNT \
    } \
    ;
#include "engine/store/tables.def"
#undef TABLE_BEGIN
#undef COLUMN
#undef ALIAS
#undef TABLE_END

/* Row values. */
#define TABLE_BEGIN(t, sql, doc)          struct t##_row {
#define COLUMN(t, type, name, flags, doc) ROW_##type name;
#define ALIAS(t, name, doc)
#define TABLE_END(t) \
    } \
    ;
#include "engine/store/tables.def"
#undef TABLE_BEGIN
#undef COLUMN
#undef ALIAS
#undef TABLE_END

/* Tables. */
#define TABLE_BEGIN(t, sql, doc) \
    struct t##_table { \
        struct table table; \
        union { \
            struct column columns[t##_COLUMN_COUNT]; \
            struct { \
                struct column id;
#define COLUMN(t, type, name, flags, doc) struct column name;
#define ALIAS(t, name, doc)               struct column name;
#define TABLE_END(t) \
    } \
    ; \
    } \
    ; \
    } \
    ;
#include "engine/store/tables.def"
#undef TABLE_BEGIN
#undef COLUMN
#undef ALIAS
#undef TABLE_END

/* Appending. */
#define TABLE_BEGIN(t, sql, doc) \
    uint32_t t##_append(struct t##_table *table, const struct t##_row *row);
#define COLUMN(t, type, name, flags, doc)
#define ALIAS(t, name, doc)
#define TABLE_END(t)
#include "engine/store/tables.def"
#undef TABLE_BEGIN
#undef COLUMN
#undef ALIAS
#undef TABLE_END

struct tables {
    struct strpool *strings; /* owned */
    struct rwlock gate;
    struct late_rows *late; /* owned; late_rows.h */
    atomic_bool is_frozen;
#define TABLE_BEGIN(t, sql, doc) struct t##_table t;
#define COLUMN(t, type, name, flags, doc)
#define ALIAS(t, name, doc)
#define TABLE_END(t)
#include "engine/store/tables.def"
#undef TABLE_BEGIN
#undef COLUMN
#undef ALIAS
#undef TABLE_END
};

struct tables *tables_new(void);
void tables_free(struct tables *tables);
/* After the last row of the load. */
void tables_freeze(struct tables *tables);

/* All of them, in the order of the list. */
uint32_t tables_count(void);
struct table *tables_at(struct tables *tables, uint32_t i);

#endif
