/* What tables there are and what their columns look like. */
#include "engine/sql/functions.h"
#include "engine/sql/native_function.h"
#include "engine/sql/vtab.h"

static const struct native_column info_columns[] = {
    {"name", "TEXT", NATIVE_CELL},
    {"col_type", "TEXT", NATIVE_CELL},
    {"nullable", "INTEGER", NATIVE_CELL},
    {"sorted", "INTEGER", NATIVE_CELL},
    {NULL, NULL, 0},
};

static const struct native_column tables_columns[] = {
    {"name", "TEXT", NATIVE_CELL},
    {NULL, NULL, 0},
};

static const char *type_name(uint8_t type)
{
    switch (type) {
    case COLUMN_ID: return "id";
    case COLUMN_INT64: return "int64";
    case COLUMN_INT32: return "int32";
    case COLUMN_UINT32: return "uint32";
    case COLUMN_DOUBLE: return "double";
    default: return "string";
    }
}

static bool table_info(struct sql_database *db, sqlite3_value **arguments, struct native_rows *out,
                       struct status *st)
{
    struct str name = function_text(arguments[0]);
    const struct sql_table *shared = sql_table_find(db, name);
    if (!shared)
        return status_fail(st, STATUS_INVALID, STATUS_NO_OFFSET,
                           "perfetto_table_info: table '%.*s' does not exist", STR_ARG(name));
    const struct table *table = shared->table;
    for (uint32_t i = 0; i < table->schema->n_columns; i++) {
        const struct column_schema *c = &table->schema->columns[i];
        /* A table that is dropped while this runs takes its names along. */
        string_id column = strpool_intern_text(db->tables->strings, c->name);
        vec_push(&out->cells, native_string(column));
        vec_push(&out->cells, native_text(type_name(c->type)));
        vec_push(&out->cells, native_int((c->flags & COLUMN_NULLABLE) != 0));
        vec_push(&out->cells, native_int(vtab_column_ascends(table, i)));
        out->n_rows++;
    }
    return true;
}

static bool static_tables(struct sql_database *db, sqlite3_value **arguments,
                          struct native_rows *out, struct status *st)
{
    (void)arguments;
    (void)st;
    for (uint32_t i = 0; i < tables_count(); i++) {
        vec_push(&out->cells, native_text(tables_at(db->tables, i)->schema->name));
        out->n_rows++;
    }
    return true;
}

const struct native_function schema_table_functions[] = {
    {"perfetto_table_info", info_columns, {"table_name", NULL}, table_info, 16},
    {"perfetto_tables", tables_columns, {NULL}, static_tables, 120},
    {.name = NULL},
};
