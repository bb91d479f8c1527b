#include "engine/store/tables.h"

#include "engine/base/memory.h"
#include "engine/store/late_rows.h"

#define FLAGS_INT64      COLUMN_PLAIN
#define FLAGS_INT32      COLUMN_PLAIN
#define FLAGS_UINT32     COLUMN_PLAIN
#define FLAGS_DOUBLE     COLUMN_PLAIN
#define FLAGS_STRING     COLUMN_NULLABLE
#define FLAGS_OPT_INT64  COLUMN_NULLABLE
#define FLAGS_OPT_INT32  COLUMN_NULLABLE
#define FLAGS_OPT_UINT32 COLUMN_NULLABLE
#define FLAGS_OPT_DOUBLE COLUMN_NULLABLE

#define TYPE_INT64      COLUMN_INT64
#define TYPE_INT32      COLUMN_INT32
#define TYPE_UINT32     COLUMN_UINT32
#define TYPE_DOUBLE     COLUMN_DOUBLE
#define TYPE_STRING     COLUMN_STRING
#define TYPE_OPT_INT64  COLUMN_INT64
#define TYPE_OPT_INT32  COLUMN_INT32
#define TYPE_OPT_UINT32 COLUMN_UINT32
#define TYPE_OPT_DOUBLE COLUMN_DOUBLE

/* Schemas. */
#define TABLE_BEGIN(t, sql, doc) \
    static const struct column_schema t##_columns[] = { \
        {"id", COLUMN_ID, COLUMN_SORTED, "the row's number"},
#define COLUMN(t, type, name, flags, doc) {#name, TYPE_##type, (flags) | FLAGS_##type, doc},
#define ALIAS(t, name, doc)               {#name, COLUMN_ID, COLUMN_SORTED, doc},
#define TABLE_END(t) \
    } \
    ;
#include "engine/store/tables.def"
#undef TABLE_BEGIN
#undef COLUMN
#undef ALIAS
#undef TABLE_END

#define TABLE_BEGIN(t, sql, doc) \
    static const struct table_schema t##_schema = {sql, doc, t##_columns, t##_COLUMN_COUNT};
#define COLUMN(t, type, name, flags, doc)
#define ALIAS(t, name, doc)
#define TABLE_END(t)
#include "engine/store/tables.def"
#undef TABLE_BEGIN
#undef COLUMN
#undef ALIAS
#undef TABLE_END

/* Appending: straight stores into the columns, one call for the rare ones. */
#define PUT_PLAIN(ctype, v) \
    do { \
        ctype *data_ = c->data; \
        if (c->is_sorted && at && data_[at - 1] > (v)) c->is_sorted = false; \
        data_[at] = (v); \
    } while (0)
#define PUT_INT64(v)  PUT_PLAIN(int64_t, v)
#define PUT_INT32(v)  PUT_PLAIN(int32_t, v)
#define PUT_UINT32(v) PUT_PLAIN(uint32_t, v)
#define PUT_DOUBLE(v) PUT_PLAIN(double, v)
#define PUT_STRING(v) \
    do { \
        c->is_sorted = false; \
        if (c->data) \
            ((string_id *)c->data)[at] = (v); \
        else if ((v) != STRING_NULL) \
            table_put_string(&table->table, number, (v)); \
    } while (0)
#define PUT_OPT(ctype, null, put, v) \
    do { \
        c->is_sorted = false; \
        if (c->data) ((ctype *)c->data)[at] = (v).has ? (v).value : (null); \
        if ((v).has && !c->data) \
            put(&table->table, number, (v).value); \
        else if (c->valid) \
            column_set_valid(c, at, (v).has); \
    } while (0)
#define PUT_OPT_INT64(v)  PUT_OPT(int64_t, 0, table_put_int64, v)
#define PUT_OPT_INT32(v)  PUT_OPT(int32_t, NULL_INT32, table_put_int64, v)
#define PUT_OPT_UINT32(v) PUT_OPT(uint32_t, NULL_UINT32, table_put_int64, v)
#define PUT_OPT_DOUBLE(v) PUT_OPT(double, 0, table_put_double, v)

#define TABLE_BEGIN(t, sql, doc) \
    uint32_t t##_append(struct t##_table *table, const struct t##_row *row) \
    { \
        uint32_t at = table_rows(&table->table); \
        if (at == table->table.ready) table_begin_row(&table->table);
#define COLUMN(t, type, name, flags, doc) \
    { \
        struct column *c = &table->name; \
        const uint32_t number = t##_COLUMN_##name; \
        (void)number; \
        PUT_##type(row->name); \
    }
#define ALIAS(t, name, doc)
#define TABLE_END(t) \
    atomic_store_explicit(&table->table.row_count, at + 1, memory_order_release); \
    return at; \
    }
#include "engine/store/tables.def"
#undef TABLE_BEGIN
#undef COLUMN
#undef ALIAS
#undef TABLE_END

struct tables *tables_new(void)
{
    struct tables *tables = mem_zero(1, sizeof *tables);
    tables->strings = strpool_new();
    rwlock_init(&tables->gate);
#define TABLE_BEGIN(t, sql, doc) \
    table_init(&tables->t.table, &t##_schema, tables->t.columns, tables->strings, &tables->gate);
#define COLUMN(t, type, name, flags, doc)
#define ALIAS(t, name, doc)
#define TABLE_END(t)
#include "engine/store/tables.def"
#undef TABLE_BEGIN
#undef COLUMN
#undef ALIAS
#undef TABLE_END
    return tables;
}

static const size_t table_offsets[] = {
#define TABLE_BEGIN(t, sql, doc) offsetof(struct tables, t.table),
#define COLUMN(t, type, name, flags, doc)
#define ALIAS(t, name, doc)
#define TABLE_END(t)
#include "engine/store/tables.def"
#undef TABLE_BEGIN
#undef COLUMN
#undef ALIAS
#undef TABLE_END
};

uint32_t tables_count(void)
{
    return sizeof table_offsets / sizeof *table_offsets;
}

struct table *tables_at(struct tables *tables, uint32_t i)
{
    return (struct table *)((char *)tables + table_offsets[i]);
}

void tables_freeze(struct tables *tables)
{
    atomic_store(&tables->is_frozen, true);
    for (uint32_t i = 0; i < tables_count(); i++)
        table_freeze(tables_at(tables, i));
}

void tables_free(struct tables *tables)
{
    if (!tables) return;
    if (tables->late) tables->late->dispose(tables->late);
    for (uint32_t i = 0; i < tables_count(); i++)
        table_dispose(tables_at(tables, i));
    rwlock_destroy(&tables->gate);
    strpool_free(tables->strings);
    mem_free(tables);
}
