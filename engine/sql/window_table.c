#include "engine/sql/window_table.h"

#include "engine/base/checked.h"

enum window_column {
    WINDOW_ROWID,
    WINDOW_QUANTUM,
    WINDOW_START,
    WINDOW_DUR,
    WINDOW_TS,
    WINDOW_ROW_DUR,
    WINDOW_QUANTUM_TS,
};

struct vtab {
    sqlite3_vtab base;
    int64_t start, dur, quantum;
};

struct cursor {
    sqlite3_vtab_cursor base;
    int64_t row, ts;
    bool at_end, only_first;
};

static int window_connect(sqlite3 *sqlite, void *aux, int argc, const char *const *argv,
                          sqlite3_vtab **out, char **error)
{
    (void)aux;
    int64_t values[3] = {0, 0, 0};
    bool ok = argc == 6;
    for (int i = 0; ok && i < 3; i++)
        ok = str_to_int64(str_trim(str_of(argv[3 + i])), &values[i]) && values[i] >= 0;
    if (!ok) {
        *error = sqlite3_mprintf("window: expected three integers: start, dur, quantum");
        return SQLITE_ERROR;
    }
    int rc =
        sqlite3_declare_vtab(sqlite, "CREATE TABLE x(rowid INTEGER HIDDEN, quantum INTEGER HIDDEN, "
                                     "window_start INTEGER HIDDEN, window_dur INTEGER HIDDEN, ts "
                                     "INTEGER, dur INTEGER, quantum_ts INTEGER)");
    if (rc != SQLITE_OK) return rc;
    struct vtab *vtab = mem_zero(1, sizeof *vtab);
    vtab->start = values[0];
    vtab->dur = values[1];
    vtab->quantum = values[2];
    *out = &vtab->base;
    return SQLITE_OK;
}

static int window_disconnect(sqlite3_vtab *base)
{
    mem_free(base);
    return SQLITE_OK;
}

static int window_plan(sqlite3_vtab *base, sqlite3_index_info *info)
{
    (void)base;
    info->estimatedCost = 1000;
    for (int i = 0; i < info->nConstraint; i++) {
        const struct sqlite3_index_constraint *c = &info->aConstraint[i];
        bool is_rowid = c->iColumn == WINDOW_ROWID || c->iColumn < 0;
        if (!is_rowid || !c->usable || c->op != SQLITE_INDEX_CONSTRAINT_EQ) continue;
        info->aConstraintUsage[i].argvIndex = 1;
        info->idxNum = 1;
        break;
    }
    return SQLITE_OK;
}

static int window_open(sqlite3_vtab *base, sqlite3_vtab_cursor **out)
{
    (void)base;
    struct cursor *c = mem_zero(1, sizeof *c);
    *out = &c->base;
    return SQLITE_OK;
}

static int window_close(sqlite3_vtab_cursor *base)
{
    mem_free(base);
    return SQLITE_OK;
}

static int window_filter(sqlite3_vtab_cursor *base, int by_rowid, const char *text, int argc,
                         sqlite3_value **argv)
{
    (void)text;
    (void)argc;
    struct cursor *c = (struct cursor *)base;
    const struct vtab *v = (const struct vtab *)base->pVtab;
    c->row = 0;
    c->ts = v->start;
    c->only_first = by_rowid && sqlite3_value_int64(argv[0]) == 0;
    c->at_end = v->dur == 0 && v->quantum != 0;
    return SQLITE_OK;
}

static int window_next(sqlite3_vtab_cursor *base)
{
    struct cursor *c = (struct cursor *)base;
    const struct vtab *v = (const struct vtab *)base->pVtab;
    c->row++;
    c->ts = saturating_add_int64(c->ts, v->quantum);
    if (v->quantum == 0 || c->only_first || c->ts >= saturating_add_int64(v->start, v->dur))
        c->at_end = true;
    return SQLITE_OK;
}

static int window_at_end(sqlite3_vtab_cursor *base)
{
    return ((const struct cursor *)base)->at_end;
}

static int window_column(sqlite3_vtab_cursor *base, sqlite3_context *context, int column)
{
    const struct cursor *c = (const struct cursor *)base;
    const struct vtab *v = (const struct vtab *)base->pVtab;
    switch (column) {
    case WINDOW_QUANTUM: sqlite3_result_int64(context, v->quantum); break;
    case WINDOW_START: sqlite3_result_int64(context, v->start); break;
    case WINDOW_DUR: sqlite3_result_int64(context, v->dur); break;
    case WINDOW_TS: sqlite3_result_int64(context, c->ts); break;
    case WINDOW_ROW_DUR: sqlite3_result_int64(context, v->quantum ? v->quantum : v->dur); break;
    default: sqlite3_result_int64(context, c->row);
    }
    return SQLITE_OK;
}

static int window_rowid(sqlite3_vtab_cursor *base, sqlite3_int64 *out)
{
    *out = ((const struct cursor *)base)->row;
    return SQLITE_OK;
}

static const sqlite3_module module = {
    .iVersion = 1,
    .xCreate = window_connect,
    .xConnect = window_connect,
    .xBestIndex = window_plan,
    .xDisconnect = window_disconnect,
    .xDestroy = window_disconnect,
    .xOpen = window_open,
    .xClose = window_close,
    .xFilter = window_filter,
    .xNext = window_next,
    .xEof = window_at_end,
    .xColumn = window_column,
    .xRowid = window_rowid,
};

bool window_table_register(struct sql_database *db, struct status *st)
{
    if (sqlite3_create_module_v2(db->sqlite, "__intrinsic_window", &module, db, NULL) == SQLITE_OK)
        return true;
    return sql_fail(db, st, "window module");
}
