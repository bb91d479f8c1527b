/* CREATE PERFETTO FUNCTION … RETURNS TABLE: a virtual table with hidden columns for
 * the arguments, whose rows are those of the body. */
#include "engine/sql/authorizer.h"
#include "engine/sql/perfettosql_execute.h"
#include "engine/sql/perfettosql_function.h"
#include "engine/sql/perfettosql_lexer.h"

struct table_function {
    struct sql_prototype prototype;
    char *declaration; /* CREATE TABLE x(…) for SQLite */
    uint32_t n_columns;
    uint32_t references;
    VEC(sqlite3_stmt *) free_statements;
};

struct vtab {
    sqlite3_vtab base;
    struct sql_database *db;
    struct table_function *function;
};

struct cursor {
    sqlite3_vtab_cursor base;
    sqlite3_stmt *statement;   /* owned while open */
    sqlite3_value **arguments; /* copies, for the in_ columns */
    int64_t row;
    bool at_end;
};

static void close_statements(struct table_function *f)
{
    for (size_t i = 0; i < f->free_statements.count; i++)
        sqlite3_finalize(f->free_statements.items[i]);
    vec_free(&f->free_statements);
}

static void release(struct table_function *f)
{
    if (!f || --f->references) return;
    close_statements(f);
    sql_prototype_dispose(&f->prototype);
    mem_free(f->declaration);
    mem_free(f);
}

static struct table_function *find(struct sql_database *db, struct str name)
{
    char buffer[256];
    const uint64_t *value = strmap_get(&db->table_functions, sql_lower(name, buffer, 256));
    return value ? (struct table_function *)(uintptr_t)*value : NULL;
}

static void forget(struct sql_database *db, struct str name)
{
    char buffer[256];
    uint64_t *value = strmap_get(&db->table_functions, sql_lower(name, buffer, 256));
    if (!value) return;
    release((struct table_function *)(uintptr_t)*value);
    *value = 0;
}

void table_functions_free(struct sql_database *db)
{
    for (size_t i = 0; i < db->table_functions.capacity; i++) {
        struct table_function *f =
            (struct table_function *)(uintptr_t)db->table_functions.slots[i].value;
        if (!db->table_functions.slots[i].key || !f) continue;
        close_statements(f);
        release(f);
    }
    strmap_free(&db->table_functions);
}

static int function_connect(sqlite3 *sqlite, void *aux, int argc, const char *const *argv,
                            sqlite3_vtab **out, char **error)
{
    struct sql_database *db = aux;
    struct table_function *f = argc >= 3 ? find(db, str_of(argv[2])) : NULL;
    if (!f) {
        *error = sqlite3_mprintf("no function is behind this table");
        return SQLITE_ERROR;
    }
    int rc = sqlite3_declare_vtab(sqlite, f->declaration);
    if (rc != SQLITE_OK) return rc;
    sqlite3_vtab_config(sqlite, SQLITE_VTAB_INNOCUOUS);
    struct vtab *vtab = mem_zero(1, sizeof *vtab);
    vtab->db = db;
    vtab->function = f;
    f->references++;
    *out = &vtab->base;
    return SQLITE_OK;
}

static int function_disconnect(sqlite3_vtab *base)
{
    struct vtab *vtab = (struct vtab *)base;
    release(vtab->function);
    mem_free(vtab);
    return SQLITE_OK;
}

static int function_destroy(sqlite3_vtab *base)
{
    struct vtab *vtab = (struct vtab *)base;
    struct str name = str_of(vtab->function->prototype.name);
    if (find(vtab->db, name) == vtab->function) forget(vtab->db, name);
    return function_disconnect(base);
}

/* Every argument must be given by equality; nothing else is taken over. */
static int function_plan(sqlite3_vtab *base, sqlite3_index_info *info)
{
    const struct table_function *f = ((struct vtab *)base)->function;
    size_t given = 0;
    for (int i = 0; i < info->nConstraint; i++) {
        int64_t argument = (int64_t)info->aConstraint[i].iColumn - f->n_columns;
        if (argument < 0 || argument >= (int64_t)f->prototype.n_parameters) continue;
        if (info->aConstraint[i].op != SQLITE_INDEX_CONSTRAINT_EQ || !info->aConstraint[i].usable)
            return SQLITE_CONSTRAINT;
        if (info->aConstraintUsage[i].argvIndex) continue;
        bool twice = false;
        for (int k = 0; k < i; k++)
            twice = twice || info->aConstraintUsage[k].argvIndex == (int)argument + 1;
        if (twice) continue;
        info->aConstraintUsage[i].argvIndex = (int)argument + 1;
        info->aConstraintUsage[i].omit = 1;
        given++;
    }
    if (given < f->prototype.n_parameters) return SQLITE_CONSTRAINT;
    info->estimatedCost = 1000;
    info->estimatedRows = 100;
    return SQLITE_OK;
}

static int cursor_open(sqlite3_vtab *base, sqlite3_vtab_cursor **out)
{
    struct vtab *vtab = (struct vtab *)base;
    struct cursor *c = mem_zero(1, sizeof *c);
    size_t n = vtab->function->prototype.n_parameters;
    c->arguments = mem_zero(n ? n : 1, sizeof *c->arguments);
    *out = &c->base;
    return SQLITE_OK;
}

static void clear_arguments(struct cursor *c, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        sqlite3_value_free(c->arguments[i]);
        c->arguments[i] = NULL;
    }
}

static int cursor_close(sqlite3_vtab_cursor *base)
{
    struct cursor *c = (struct cursor *)base;
    struct table_function *f = ((struct vtab *)base->pVtab)->function;
    clear_arguments(c, f->prototype.n_parameters);
    mem_free(c->arguments);
    if (c->statement) {
        sqlite3_reset(c->statement);
        sqlite3_clear_bindings(c->statement);
        vec_push(&f->free_statements, c->statement);
    }
    mem_free(c);
    return SQLITE_OK;
}

static int fail(sqlite3_vtab *base, struct status *st)
{
    sqlite3_free(base->zErrMsg);
    base->zErrMsg = sqlite3_mprintf("%s", status_message(st));
    int rc = st->code == STATUS_INTERRUPTED ? SQLITE_INTERRUPT : SQLITE_ERROR;
    status_clear(st);
    return rc;
}

static int advance(struct cursor *c)
{
    struct vtab *vtab = (struct vtab *)c->base.pVtab;
    struct sql_database *db = vtab->db;
    enum sql_origin before = db->origin;
    db->origin = vtab->function->prototype.origin;
    db->nesting++;
    int rc = sqlite3_step(c->statement);
    db->nesting--;
    db->origin = before;
    c->at_end = rc != SQLITE_ROW;
    c->row++;
    if (rc == SQLITE_ROW || rc == SQLITE_DONE) return SQLITE_OK;
    struct status st = STATUS_INIT;
    sql_fail(db, &st, vtab->function->prototype.name);
    return fail(c->base.pVtab, &st);
}

static int cursor_filter(sqlite3_vtab_cursor *base, int number, const char *text, int argc,
                         sqlite3_value **argv)
{
    (void)number;
    (void)text;
    struct cursor *c = (struct cursor *)base;
    struct vtab *vtab = (struct vtab *)base->pVtab;
    struct table_function *f = vtab->function;
    struct status st = STATUS_INIT;
    if (vtab->db->nesting >= SQL_MAX_NESTING) {
        status_fail(&st, STATUS_LIMIT, STATUS_NO_OFFSET,
                    "%s: functions call one another more than %d deep", f->prototype.name,
                    SQL_MAX_NESTING);
        return fail(base->pVtab, &st);
    }
    if (!c->statement)
        c->statement = f->free_statements.count
                           ? vec_pop(&f->free_statements)
                           : sql_prototype_prepare(vtab->db, &f->prototype, &st);
    if (!c->statement) return fail(base->pVtab, &st);
    sqlite3_reset(c->statement);
    if (!sql_prototype_bind(&f->prototype, c->statement, argv, &st)) return fail(base->pVtab, &st);
    clear_arguments(c, f->prototype.n_parameters);
    for (int i = 0; i < argc; i++)
        c->arguments[i] = sqlite3_value_dup(argv[i]);
    c->row = -1;
    return advance(c);
}

static int cursor_next(sqlite3_vtab_cursor *base)
{
    return advance((struct cursor *)base);
}

static int cursor_at_end(sqlite3_vtab_cursor *base)
{
    return ((struct cursor *)base)->at_end;
}

static int cursor_column(sqlite3_vtab_cursor *base, sqlite3_context *context, int column)
{
    struct cursor *c = (struct cursor *)base;
    const struct table_function *f = ((struct vtab *)base->pVtab)->function;
    size_t i = (size_t)column;
    if (i < f->n_columns)
        sqlite3_result_value(context, sqlite3_column_value(c->statement, column));
    else if (i - f->n_columns < f->prototype.n_parameters)
        sqlite3_result_value(context, c->arguments[i - f->n_columns]);
    else
        sqlite3_result_int64(context, c->row);
    return SQLITE_OK;
}

static int cursor_rowid(sqlite3_vtab_cursor *base, sqlite3_int64 *out)
{
    *out = ((struct cursor *)base)->row;
    return SQLITE_OK;
}

static const sqlite3_module module = {
    .iVersion = 1,
    .xCreate = function_connect,
    .xConnect = function_connect,
    .xBestIndex = function_plan,
    .xDisconnect = function_disconnect,
    .xDestroy = function_destroy,
    .xOpen = cursor_open,
    .xClose = cursor_close,
    .xFilter = cursor_filter,
    .xNext = cursor_next,
    .xEof = cursor_at_end,
    .xColumn = cursor_column,
    .xRowid = cursor_rowid,
};

bool table_function_register(struct sql_database *db, struct status *st)
{
    if (sqlite3_create_module_v2(db->sqlite, "perfetty_function", &module, db, NULL) == SQLITE_OK)
        return true;
    return sql_fail(db, st, "function module");
}

/* ---- creation ---- */

static const char *sql_type_of(enum sql_value_type type)
{
    switch (type) {
    case SQL_VALUE_INT: return "INTEGER";
    case SQL_VALUE_REAL: return "DOUBLE";
    case SQL_VALUE_TEXT: return "TEXT";
    default: return "";
    }
}

static void append_columns(struct buffer *out, const struct sql_fields *fields, const char *prefix,
                           const char *suffix)
{
    for (size_t i = 0; i < fields->count; i++) {
        char *name = execute_name(fields->items[i].name);
        char *quoted = sqlite3_mprintf("\"%w%w\" %s%s, ", prefix, name,
                                       sql_type_of(fields->items[i].type), suffix);
        buffer_append_text(out, quoted ? quoted : "");
        sqlite3_free(quoted);
        sqlite3_free(name);
    }
}

static struct table_function *make(const struct sql_execution *e)
{
    const struct sql_statement *s = e->statement;
    struct table_function *f = mem_zero(1, sizeof *f);
    f->references = 1;
    f->n_columns = (uint32_t)s->results.count;
    sql_prototype_init(&f->prototype, s, e->db->origin);
    struct buffer text = BUFFER_INIT;
    buffer_append_text(&text, "CREATE TABLE x(");
    append_columns(&text, &s->results, "", "");
    append_columns(&text, &s->fields, "in_", " HIDDEN");
    buffer_append_text(&text, "_primary_key INTEGER HIDDEN)");
    f->declaration = buffer_take(&text);
    return f;
}

static bool check_columns(const struct sql_statement *s, sqlite3_stmt *body, struct status *st)
{
    int n = sqlite3_column_count(body);
    if ((size_t)n != s->results.count)
        return status_fail(st, STATUS_INVALID, STATUS_NO_OFFSET,
                           "%.*s: number of return values %d does not match SQL statement column "
                           "count %d.",
                           STR_ARG(s->name), (int)s->results.count, n);
    for (int i = 0; i < n; i++)
        if (!sql_is_word(s->results.items[i].name, sqlite3_column_name(body, i)))
            return status_fail(st, STATUS_INVALID, STATUS_NO_OFFSET,
                               "%.*s: column %s at index %d does not match return value name %.*s.",
                               STR_ARG(s->name), sqlite3_column_name(body, i), i,
                               STR_ARG(s->results.items[i].name));
    return true;
}

static bool enter(struct sql_execution *e, const char *name, struct status *st)
{
    struct sql_database *db = e->db;
    char buffer[256];
    char *drop = sqlite3_mprintf("DROP TABLE IF EXISTS \"%w\"", name);
    char *create = sqlite3_mprintf("CREATE VIRTUAL TABLE \"%w\" USING perfetty_function", name);
    bool ok = !e->statement->replace || sql_execute_internal(db, drop, st);
    if (ok) {
        forget(db, e->statement->name);
        strmap_set(&db->table_functions, sql_lower(e->statement->name, buffer, 256),
                   (uintptr_t)make(e));
        ok = sql_execute_internal(db, create, st);
    }
    sqlite3_free(drop);
    sqlite3_free(create);
    if (ok) authorizer_set_owner(db, e->statement->name, db->origin);
    return ok;
}

bool execute_create_table_function(struct sql_execution *e, struct status *st)
{
    const struct sql_statement *s = e->statement;
    struct sql_database *db = e->db;
    char *name = execute_name(s->name);
    db->denied = NULL;
    bool ok = true;
    if (s->target.n)
        ok = status_fail(st, STATUS_INVALID, STATUS_NO_OFFSET,
                         "Target function '%.*s' not found in registry. Only scalar functions of "
                         "the engine can be delegated to.",
                         STR_ARG(s->target));
    else if (!authorizer_may_replace(db, name))
        ok = status_fail(st, STATUS_INVALID, STATUS_NO_OFFSET, "not authorized: %s", db->denied);
    else if (!s->replace && execute_object_kind(db, s->name))
        ok = status_fail(st, STATUS_INVALID, STATUS_NO_OFFSET,
                         "CREATE PERFETTO FUNCTION: %s %s already exists",
                         execute_object_kind(db, s->name), name);
    sqlite3_stmt *body = ok ? execute_prepare_body(e, NULL, st) : NULL;
    ok = body && check_columns(s, body, st);
    sqlite3_finalize(body);
    ok = ok && enter(e, name, st);
    sqlite3_free(name);
    return ok;
}
