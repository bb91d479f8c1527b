#include "engine/sql/native_function.h"

#include "engine/base/buffer.h"
#include "engine/sql/vtab.h"

static const struct native_function *const families[] = {
    slice_table_functions,  flow_table_functions,  stack_table_functions,  schema_table_functions,
    layout_table_functions, sched_table_functions, wakeup_table_functions, stdlib_table_functions,
};

struct native_module {
    struct sql_database *db;
    const struct native_function *function;
};

struct vtab {
    sqlite3_vtab base;
    const struct native_module *module;
    uint32_t n_columns, n_arguments, n_cells;
    int cell_of[NATIVE_MAX_COLUMNS]; /* which cell a column shows */
};

struct cursor {
    sqlite3_vtab_cursor base;
    struct native_rows rows;
    uint32_t at, count;
    sqlite3_value *arguments[NATIVE_MAX_ARGS];
};

static int declare(sqlite3 *sqlite, const struct native_function *f)
{
    struct buffer text = BUFFER_INIT;
    buffer_append_text(&text, "CREATE TABLE x(");
    for (const struct native_column *c = f->columns; c->name; c++)
        buffer_printf(&text, "%s\"%s\" %s", c == f->columns ? "" : ", ", c->name, c->type);
    for (size_t i = 0; f->arguments[i]; i++)
        buffer_printf(&text, ", \"%s\" HIDDEN", f->arguments[i]);
    buffer_append_byte(&text, ')');
    int rc = sqlite3_declare_vtab(sqlite, buffer_text(&text));
    buffer_free(&text);
    return rc;
}

static int native_connect(sqlite3 *sqlite, void *aux, int argc, const char *const *argv,
                          sqlite3_vtab **out, char **error)
{
    (void)argc;
    (void)argv;
    (void)error;
    const struct native_module *module = aux;
    int rc = declare(sqlite, module->function);
    if (rc != SQLITE_OK) return rc;
    sqlite3_vtab_config(sqlite, SQLITE_VTAB_INNOCUOUS);
    struct vtab *vtab = mem_zero(1, sizeof *vtab);
    vtab->module = module;
    for (const struct native_column *c = module->function->columns; c->name; c++)
        vtab->cell_of[vtab->n_columns++] = c->from == NATIVE_CELL ? (int)vtab->n_cells++ : -1;
    while (module->function->arguments[vtab->n_arguments])
        vtab->n_arguments++;
    *out = &vtab->base;
    return SQLITE_OK;
}

static int native_disconnect(sqlite3_vtab *base)
{
    mem_free(base);
    return SQLITE_OK;
}

static int native_plan(sqlite3_vtab *base, sqlite3_index_info *info)
{
    const struct vtab *vtab = (const struct vtab *)base;
    unsigned given = 0;
    for (int i = 0; i < info->nConstraint; i++) {
        const struct sqlite3_index_constraint *c = &info->aConstraint[i];
        int argument = c->iColumn - (int)vtab->n_columns;
        if (argument < 0 || argument >= (int)vtab->n_arguments) continue;
        if (c->op != SQLITE_INDEX_CONSTRAINT_EQ || !c->usable) return SQLITE_CONSTRAINT;
        if (given & 1u << argument) continue;
        given |= 1u << argument;
        info->aConstraintUsage[i].argvIndex = argument + 1;
        info->aConstraintUsage[i].omit = 1;
    }
    if (given != (1u << vtab->n_arguments) - 1) return SQLITE_CONSTRAINT;
    info->estimatedRows = vtab->module->function->typical_rows;
    info->estimatedCost = 10 + (double)info->estimatedRows;
    return SQLITE_OK;
}

static int native_open(sqlite3_vtab *base, sqlite3_vtab_cursor **out)
{
    (void)base;
    struct cursor *c = mem_zero(1, sizeof *c);
    *out = &c->base;
    return SQLITE_OK;
}

static void clear(struct cursor *c)
{
    for (size_t i = 0; i < NATIVE_MAX_ARGS; i++) {
        sqlite3_value_free(c->arguments[i]);
        c->arguments[i] = NULL;
    }
    vec_clear(&c->rows.rows);
    vec_clear(&c->rows.cells);
    c->rows.n_rows = 0;
    c->rows.table = NULL;
}

static int native_close(sqlite3_vtab_cursor *base)
{
    struct cursor *c = (struct cursor *)base;
    clear(c);
    vec_free(&c->rows.rows);
    vec_free(&c->rows.cells);
    mem_free(c);
    return SQLITE_OK;
}

static int native_filter(sqlite3_vtab_cursor *base, int number, const char *text, int argc,
                         sqlite3_value **argv)
{
    (void)number;
    (void)text;
    struct cursor *c = (struct cursor *)base;
    const struct vtab *vtab = (const struct vtab *)base->pVtab;
    struct status st = STATUS_INIT;
    clear(c);
    for (int i = 0; i < argc; i++)
        c->arguments[i] = sqlite3_value_dup(argv[i]);
    c->at = 0;
    if (vtab->module->function->call(vtab->module->db, argv, &c->rows, &st)) {
        c->count = c->rows.table ? (uint32_t)c->rows.rows.count : c->rows.n_rows;
        return SQLITE_OK;
    }
    sqlite3_free(base->pVtab->zErrMsg);
    base->pVtab->zErrMsg = sqlite3_mprintf("%s", status_message(&st));
    status_clear(&st);
    return SQLITE_ERROR;
}

static int native_next(sqlite3_vtab_cursor *base)
{
    ((struct cursor *)base)->at++;
    return SQLITE_OK;
}

static int native_at_end(sqlite3_vtab_cursor *base)
{
    const struct cursor *c = (const struct cursor *)base;
    return c->at >= c->count;
}

static void result_cell(sqlite3_context *context, const struct strpool *strings,
                        const struct native_cell *cell)
{
    switch (cell->kind) {
    case NATIVE_INT: sqlite3_result_int64(context, cell->integer); return;
    case NATIVE_REAL: sqlite3_result_double(context, cell->real); return;
    case NATIVE_TEXT: sqlite3_result_text(context, cell->text, -1, SQLITE_STATIC); return;
    case NATIVE_STRING: {
        struct str s = strpool_get(strings, cell->string);
        sqlite3_result_text(context, s.p, (int)s.n, SQLITE_STATIC);
        return;
    }
    default: return;
    }
}

static int native_column(sqlite3_vtab_cursor *base, sqlite3_context *context, int column)
{
    const struct cursor *c = (const struct cursor *)base;
    const struct vtab *vtab = (const struct vtab *)base->pVtab;
    if (column >= (int)vtab->n_columns) {
        sqlite3_value *argument = c->arguments[column - (int)vtab->n_columns];
        if (argument) sqlite3_result_value(context, argument);
        return SQLITE_OK;
    }
    int from = vtab->module->function->columns[column].from;
    if (from == NATIVE_CELL)
        result_cell(
            context, vtab->module->db->tables->strings,
            &c->rows.cells.items[(size_t)c->at * vtab->n_cells + (size_t)vtab->cell_of[column]]);
    else
        vtab_result_cell(context, c->rows.table, (uint32_t)from, c->rows.rows.items[c->at]);
    return SQLITE_OK;
}

static int native_rowid(sqlite3_vtab_cursor *base, sqlite3_int64 *out)
{
    *out = ((const struct cursor *)base)->at;
    return SQLITE_OK;
}

/* Without xCreate it is there by its own name and cannot be made or dropped. */
static const sqlite3_module module = {
    .iVersion = 1,
    .xConnect = native_connect,
    .xBestIndex = native_plan,
    .xDisconnect = native_disconnect,
    .xOpen = native_open,
    .xClose = native_close,
    .xFilter = native_filter,
    .xNext = native_next,
    .xEof = native_at_end,
    .xColumn = native_column,
    .xRowid = native_rowid,
};

bool native_functions_register(struct sql_database *db, struct status *st)
{
    for (size_t i = 0; i < sizeof families / sizeof *families; i++)
        for (const struct native_function *f = families[i]; f->name; f++) {
            struct native_module *aux = mem_zero(1, sizeof *aux);
            *aux = (struct native_module){db, f};
            if (sqlite3_create_module_v2(db->sqlite, f->name, &module, aux, mem_free) != SQLITE_OK)
                return sql_fail(db, st, f->name);
        }
    return true;
}

/* ---- for the families ---- */

bool native_row_argument(const struct table *table, sqlite3_value *value, uint32_t *row,
                         struct status *st)
{
    if (sqlite3_value_type(value) == SQLITE_NULL) return false;
    int64_t id = sqlite3_value_int64(value);
    if (sqlite3_value_type(value) != SQLITE_INTEGER || id < 0 || id >= table_rows(table))
        return status_fail(st, STATUS_INVALID, STATUS_NO_OFFSET, "no row with id %lld",
                           (long long)id);
    *row = (uint32_t)id;
    return true;
}

struct row_span native_rows_equal(const struct table *table, uint32_t column, int64_t value,
                                  uint32_t **scratch)
{
    struct row_span span = {NULL, 0};
    *scratch = NULL;
    if (table_rows_equal(table, column, value, &span)) return span;
    VEC(uint32_t) found = {0};
    const struct column *c = &table->columns[column];
    for (uint32_t i = 0; i < table_rows(table); i++)
        if (!column_is_null(c, i) && column_get_int64(c, i) == value) vec_push(&found, i);
    *scratch = found.items;
    return (struct row_span){found.items, (uint32_t)found.count};
}
