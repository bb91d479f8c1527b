/* The tables that SQL knows by name: the engine's, and those that it made itself. */
#include "engine/sql/database_internal.h"

struct str sql_lower(struct str name, char *buffer, size_t size)
{
    size_t n = name.n < size ? name.n : size;
    for (size_t i = 0; i < n; i++) {
        char c = name.p[i];
        buffer[i] = c >= 'A' && c <= 'Z' ? (char)(c + 32) : c;
    }
    return (struct str){buffer, n};
}

struct sql_table *sql_table_find(struct sql_database *db, struct str name)
{
    char buffer[256];
    const uint64_t *value = strmap_get(&db->by_name, sql_lower(name, buffer, sizeof buffer));
    return value ? (struct sql_table *)(uintptr_t)*value : NULL;
}

void sql_table_release(struct sql_table *t)
{
    if (!t || --t->references) return;
    if (t->owned) table_free(t->table);
    mem_free(t->equalities);
    mem_free(t->distinct);
    mem_free(t);
}

void sql_table_forget(struct sql_database *db, struct str name)
{
    char buffer[256];
    uint64_t *value = strmap_get(&db->by_name, sql_lower(name, buffer, sizeof buffer));
    if (!value) return;
    sql_table_release((struct sql_table *)(uintptr_t)*value);
    *value = 0;
}

struct sql_table *sql_table_add(struct sql_database *db, const char *name, struct table *table,
                                bool owned)
{
    char buffer[256];
    struct sql_table *t = mem_zero(1, sizeof *t);
    *t = (struct sql_table){.table = table, .owned = owned, .references = 1};
    t->equalities = mem_zero(table->schema->n_columns, sizeof *t->equalities);
    t->distinct = mem_zero(table->schema->n_columns, sizeof *t->distinct);
    sql_table_forget(db, str_of(name));
    strmap_set(&db->by_name, sql_lower(str_of(name), buffer, sizeof buffer), (uintptr_t)t);
    return t;
}
