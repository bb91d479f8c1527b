#include "engine/sql/pointer_table.h"

#include "engine/base/buffer.h"

struct vtab {
    sqlite3_vtab base;
    struct sql_database *db;
};

struct cursor {
    sqlite3_vtab_cursor base;
    struct pointer_table *table; /* one reference is ours; NULL: no rows */
    size_t row;
};

void pointer_table_release(void *pointer)
{
    struct pointer_table *t = pointer;
    if (!t || --t->references) return;
    for (size_t i = 0; i < POINTER_TABLE_COLUMNS; i++) {
        mem_free(t->columns[i].integers);
        mem_free(t->columns[i].cells);
    }
    mem_free(t);
}

void pointer_table_result(sqlite3_context *context, struct pointer_table *table)
{
    table->references = 1;
    sqlite3_result_pointer(context, table, POINTER_TABLE_TYPE, pointer_table_release);
}

void span_cell_result(sqlite3_context *context, const struct strpool *strings,
                      const struct span_cell *cell)
{
    if (cell->type == SQLITE_INTEGER) {
        sqlite3_result_int64(context, cell->integer);
    } else if (cell->type == SQLITE_FLOAT) {
        sqlite3_result_double(context, cell->real);
    } else if (cell->type == SQLITE_TEXT || cell->type == SQLITE_BLOB) {
        struct str s = strpool_get(strings, cell->string);
        if (cell->type == SQLITE_TEXT)
            sqlite3_result_text(context, s.p, (int)s.n, SQLITE_STATIC);
        else
            sqlite3_result_blob(context, s.p, (int)s.n, SQLITE_STATIC);
    }
}

struct span_cell span_cell_of(struct strpool *strings, sqlite3_value *value)
{
    struct span_cell cell = {.type = sqlite3_value_type(value)};
    if (cell.type == SQLITE_INTEGER) {
        cell.integer = sqlite3_value_int64(value);
    } else if (cell.type == SQLITE_FLOAT) {
        cell.real = sqlite3_value_double(value);
    } else if (cell.type != SQLITE_NULL) {
        const char *bytes = sqlite3_value_blob(value);
        size_t n = (size_t)sqlite3_value_bytes(value);
        cell.string = strpool_intern(strings, (struct str){bytes ? bytes : "", n});
    }
    return cell;
}

static int pointer_connect(sqlite3 *sqlite, void *aux, int argc, const char *const *argv,
                           sqlite3_vtab **out, char **error)
{
    (void)argc;
    (void)argv;
    (void)error;
    struct buffer text = BUFFER_INIT;
    buffer_append_text(&text, "CREATE TABLE x(");
    for (int i = 0; i < POINTER_TABLE_COLUMNS; i++)
        buffer_printf(&text, "c%d, ", i);
    buffer_append_text(&text, "in_table HIDDEN)");
    int rc = sqlite3_declare_vtab(sqlite, buffer_text(&text));
    buffer_free(&text);
    if (rc != SQLITE_OK) return rc;
    sqlite3_vtab_config(sqlite, SQLITE_VTAB_INNOCUOUS);
    struct vtab *vtab = mem_zero(1, sizeof *vtab);
    vtab->db = aux;
    *out = &vtab->base;
    return SQLITE_OK;
}

static int pointer_disconnect(sqlite3_vtab *base)
{
    mem_free(base);
    return SQLITE_OK;
}

static int pointer_plan(sqlite3_vtab *base, sqlite3_index_info *info)
{
    (void)base;
    info->estimatedCost = 10000;
    info->estimatedRows = 10000;
    for (int i = 0; i < info->nConstraint; i++) {
        if (info->aConstraint[i].iColumn != POINTER_TABLE_COLUMNS) continue;
        if (!info->aConstraint[i].usable || info->aConstraint[i].op != SQLITE_INDEX_CONSTRAINT_EQ)
            return SQLITE_CONSTRAINT;
        info->aConstraintUsage[i].argvIndex = 1;
        info->aConstraintUsage[i].omit = 1;
        return SQLITE_OK;
    }
    return SQLITE_CONSTRAINT;
}

static int pointer_open(sqlite3_vtab *base, sqlite3_vtab_cursor **out)
{
    (void)base;
    struct cursor *c = mem_zero(1, sizeof *c);
    *out = &c->base;
    return SQLITE_OK;
}

static int pointer_close(sqlite3_vtab_cursor *base)
{
    pointer_table_release(((struct cursor *)base)->table);
    mem_free(base);
    return SQLITE_OK;
}

static int pointer_filter(sqlite3_vtab_cursor *base, int number, const char *text, int argc,
                          sqlite3_value **argv)
{
    (void)number;
    (void)text;
    (void)argc;
    struct cursor *c = (struct cursor *)base;
    pointer_table_release(c->table);
    c->table = sqlite3_value_pointer(argv[0], POINTER_TABLE_TYPE);
    if (c->table) c->table->references++;
    c->row = 0;
    return SQLITE_OK;
}

static int pointer_next(sqlite3_vtab_cursor *base)
{
    ((struct cursor *)base)->row++;
    return SQLITE_OK;
}

static int pointer_at_end(sqlite3_vtab_cursor *base)
{
    const struct cursor *c = (const struct cursor *)base;
    return !c->table || c->row >= c->table->rows;
}

static int pointer_column(sqlite3_vtab_cursor *base, sqlite3_context *context, int column)
{
    const struct cursor *c = (const struct cursor *)base;
    const struct vtab *vtab = (const struct vtab *)base->pVtab;
    if (column >= POINTER_TABLE_COLUMNS) return SQLITE_OK;
    if (c->table->columns[column].integers)
        sqlite3_result_int64(context, c->table->columns[column].integers[c->row]);
    else if (c->table->columns[column].cells)
        span_cell_result(context, vtab->db->tables->strings,
                         &c->table->columns[column].cells[c->row]);
    return SQLITE_OK;
}

static int pointer_rowid(sqlite3_vtab_cursor *base, sqlite3_int64 *out)
{
    *out = (sqlite3_int64)((const struct cursor *)base)->row;
    return SQLITE_OK;
}

static const sqlite3_module module = {
    .iVersion = 1,
    .xConnect = pointer_connect,
    .xBestIndex = pointer_plan,
    .xDisconnect = pointer_disconnect,
    .xOpen = pointer_open,
    .xClose = pointer_close,
    .xFilter = pointer_filter,
    .xNext = pointer_next,
    .xEof = pointer_at_end,
    .xColumn = pointer_column,
    .xRowid = pointer_rowid,
};

bool pointer_table_register(struct sql_database *db, struct status *st)
{
    if (sqlite3_create_module_v2(db->sqlite, "__intrinsic_table_ptr", &module, db, NULL) ==
        SQLITE_OK)
        return true;
    return sql_fail(db, st, "pointer table module");
}
