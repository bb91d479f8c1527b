/* Views, indexes, and what all CREATE PERFETTO statements share. */
#include "engine/sql/perfettosql_execute.h"

#include "engine/sql/authorizer.h"
#include "engine/sql/macros.h"
#include "engine/sql/outer_join.h"
#include "engine/sql/perfettosql_lexer.h"

static size_t offset_in_unit(const struct sql_execution *e, const char *p)
{
    const char *text = buffer_text(&e->unit->text);
    return p >= text && p <= text + e->unit->text.length ? (size_t)(p - text) : 0;
}

bool execute_sqlite_error(struct sql_execution *e, struct str body, const char *what,
                          struct status *st)
{
    int offset = sqlite3_error_offset(e->db->sqlite);
    e->error_at = offset_in_unit(e, body.p) + (offset > 0 ? (size_t)offset : 0);
    return sql_fail(e->db, st, what);
}

sqlite3_stmt *execute_prepare_body(struct sql_execution *e, const char *what, struct status *st)
{
    struct str body = e->statement->body;
    sqlite3_stmt *statement = NULL;
    const char *tail = NULL;
    e->db->denied = NULL;
    outer_join_note(e->db, body, e->statement->kind != SQL_STATEMENT_CREATE_TABLE);
    if (sqlite3_prepare_v3(e->db->sqlite, body.p, (int)body.n, 0, &statement, &tail) != SQLITE_OK) {
        execute_sqlite_error(e, body, what, st);
        return NULL;
    }
    e->error_at = offset_in_unit(e, body.p);
    if (statement && sqlite3_column_count(statement) > 0 && sqlite3_stmt_readonly(statement))
        return statement;
    sqlite3_finalize(statement);
    status_fail(st, STATUS_INVALID, STATUS_NO_OFFSET, "%s: the body must be a SELECT", what);
    return NULL;
}

/* A name, quoted, inside a statement; sqlite3_free. */
static bool run_with_name(struct sql_database *db, const char *format, struct str name,
                          struct status *st)
{
    char *plain = execute_name(name);
    char *sql = sqlite3_mprintf(format, plain ? plain : "");
    bool ok = sql && sql_execute_internal(db, sql, st);
    sqlite3_free(sql);
    sqlite3_free(plain);
    return ok;
}

const char *execute_object_kind(struct sql_database *db, struct str name)
{
    static const char sql[] = "SELECT type FROM sqlite_master WHERE lower(name) = lower(?1) AND "
                              "type IN ('table', 'view')";
    sqlite3_stmt *statement = NULL;
    const char *kind = NULL;
    bool before = db->is_internal;
    db->is_internal = true;
    if (sqlite3_prepare_v2(db->sqlite, sql, -1, &statement, NULL) == SQLITE_OK) {
        sqlite3_bind_text(statement, 1, name.p, (int)name.n, SQLITE_STATIC);
        if (sqlite3_step(statement) == SQLITE_ROW)
            kind = sqlite3_stricmp((const char *)sqlite3_column_text(statement, 0), "view") == 0
                       ? "view"
                       : "table";
    }
    sqlite3_finalize(statement);
    db->is_internal = before;
    return kind;
}

static bool name_is_among(const struct sql_fields *fields, const char *name)
{
    for (size_t i = 0; i < fields->count; i++)
        if (sql_is_word(fields->items[i].name, name)) return true;
    return false;
}

static bool column_is_among(sqlite3_stmt *body, struct str name)
{
    for (int i = 0; i < sqlite3_column_count(body); i++)
        if (sql_is_word(name, sqlite3_column_name(body, i))) return true;
    return false;
}

static void append_listed(struct buffer *list, struct str name)
{
    if (list->length) buffer_append_text(list, ", ");
    buffer_append_str(list, name);
}

bool execute_check_schema(struct sql_execution *e, sqlite3_stmt *body, struct status *st)
{
    const struct sql_fields *fields = &e->statement->fields;
    bool is_table = e->statement->kind == SQL_STATEMENT_CREATE_TABLE;
    const char *what = is_table ? "CREATE PERFETTO TABLE" : "CREATE PERFETTO VIEW";
    struct buffer absent = BUFFER_INIT, undeclared = BUFFER_INIT;
    for (size_t i = 0; i < fields->count; i++)
        if (!column_is_among(body, fields->items[i].name))
            append_listed(&absent, fields->items[i].name);
    for (int i = 0; i < sqlite3_column_count(body); i++)
        if (!name_is_among(fields, sqlite3_column_name(body, i)))
            append_listed(&undeclared, str_of(sqlite3_column_name(body, i)));
    if (absent.length && undeclared.length)
        status_fail(st, STATUS_INVALID, STATUS_NO_OFFSET,
                    "%s: the following columns are declared in the schema, but do not exist: %s; "
                    "and the following columns exist, but are not declared: %s",
                    what, buffer_text(&absent), buffer_text(&undeclared));
    else if (absent.length)
        status_fail(st, STATUS_INVALID, STATUS_NO_OFFSET,
                    "%s: the following columns are declared in the schema, but do not exist: %s",
                    what, buffer_text(&absent));
    else if (undeclared.length)
        status_fail(st, STATUS_INVALID, STATUS_NO_OFFSET,
                    "%s: the following columns are missing from the schema: %s", what,
                    buffer_text(&undeclared));
    bool ok = !absent.length && !undeclared.length;
    buffer_free(&absent);
    buffer_free(&undeclared);
    return ok;
}

static bool check_one_name(const char *name, const char *what, struct status *st)
{
    bool letter = (*name >= 'a' && *name <= 'z') || (*name >= 'A' && *name <= 'Z') || *name == '_';
    if (!*name)
        return status_fail(st, STATUS_INVALID, STATUS_NO_OFFSET,
                           "%s: column name must not be empty", what);
    if (!letter)
        return status_fail(st, STATUS_INVALID, STATUS_NO_OFFSET,
                           "%s: column name '%s' has to start with a letter or underscore.", what,
                           name);
    for (const char *p = name; *p; p++)
        if (!((*p >= 'a' && *p <= 'z') || (*p >= 'A' && *p <= 'Z') || (*p >= '0' && *p <= '9') ||
              *p == '_'))
            return status_fail(
                st, STATUS_INVALID, STATUS_NO_OFFSET,
                "%s: column name '%s' has to contain only alphanumeric characters and "
                "underscores.",
                what, name);
    return true;
}

bool execute_check_column_names(sqlite3_stmt *body, const char *what, struct status *st)
{
    int n = sqlite3_column_count(body);
    for (int i = 0; i < n; i++) {
        const char *name = sqlite3_column_name(body, i);
        if (!check_one_name(name, what, st)) return false;
        for (int k = 0; k < i; k++)
            if (sqlite3_stricmp(name, sqlite3_column_name(body, k)) == 0)
                return status_fail(st, STATUS_INVALID, STATUS_NO_OFFSET,
                                   "%s: multiple columns are named: %s", what, name);
    }
    return true;
}

/* ---- views ---- */

static bool refuse(struct sql_database *db, struct str name, struct status *st)
{
    char *plain = execute_name(name);
    db->denied = NULL;
    bool ok = authorizer_may_replace(db, plain ? plain : "");
    sqlite3_free(plain);
    if (ok) return false;
    status_fail(st, STATUS_INVALID, STATUS_NO_OFFSET, "not authorized: %s", db->denied);
    return true;
}

static bool create_view(struct sql_execution *e, struct status *st)
{
    const struct sql_statement *s = e->statement;
    if (s->replace && !run_with_name(e->db, "DROP VIEW IF EXISTS \"%w\"", s->name, st))
        return false;
    char *name = execute_name(s->name);
    char *sql = sqlite3_mprintf("CREATE VIEW \"%w\" AS %.*s", name, (int)s->body.n, s->body.p);
    bool ok = sql && sql_execute_internal(e->db, sql, st);
    sqlite3_free(sql);
    sqlite3_free(name);
    return ok;
}

bool execute_create_view(struct sql_execution *e, struct status *st)
{
    const struct sql_statement *s = e->statement;
    if (refuse(e->db, s->name, st)) return false;
    const char *kind = s->replace ? NULL : execute_object_kind(e->db, s->name);
    if (kind)
        return status_fail(st, STATUS_INVALID, STATUS_NO_OFFSET, "%s %.*s already exists", kind,
                           STR_ARG(s->name));
    /* Preparing it asks the authorizer about the body, and finds its mistakes now. */
    sqlite3_stmt *body = execute_prepare_body(e, NULL, st);
    if (!body) return false;
    bool ok = !s->has_schema || execute_check_schema(e, body, st);
    sqlite3_finalize(body);
    if (!ok || !sql_execute_internal(e->db, "SAVEPOINT create_view", st)) return false;
    ok = create_view(e, st);
    sql_execute_internal(e->db, ok ? "RELEASE create_view" : "ROLLBACK TO create_view", NULL);
    if (!ok) sql_execute_internal(e->db, "RELEASE create_view", NULL);
    if (ok) authorizer_set_owner(e->db, s->name, e->db->origin);
    return ok;
}

/* ---- indexes ---- */

static bool index_fail(struct sql_execution *e, struct status *st, const char *format,
                       struct str name)
{
    e->no_traceback = true;
    char *plain = execute_name(name);
    char *text = sqlite3_mprintf(format, plain ? plain : "");
    status_fail(st, STATUS_INVALID, STATUS_NO_OFFSET, "%s", text ? text : "");
    sqlite3_free(text);
    sqlite3_free(plain);
    return false;
}

static bool check_index_columns(struct sql_execution *e, const struct sql_table *table,
                                struct status *st)
{
    const struct sql_statement *s = e->statement;
    for (size_t i = 0; i < s->columns.count; i++) {
        char *name = execute_name(s->columns.items[i]);
        bool known = name && table_find_column(table->table, name) >= 0;
        sqlite3_free(name);
        if (known) continue;
        e->no_traceback = true;
        return status_fail(st, STATUS_INVALID, STATUS_NO_OFFSET,
                           "CREATE PERFETTO INDEX: Column '%.*s' not found in table '%.*s'",
                           STR_ARG(s->columns.items[i]), STR_ARG(s->table));
    }
    return true;
}

/* A table keeps an index for every column that is compared with =; this makes the
 * first comparison already use one. */
bool execute_create_index(struct sql_execution *e, struct status *st)
{
    const struct sql_statement *s = e->statement;
    struct sql_database *db = e->db;
    struct sql_table *table = sql_table_find(db, s->table);
    if (!table)
        return index_fail(e, st, "CREATE PERFETTO INDEX: table '%s' does not exist", s->table);
    if (!table->owned)
        return index_fail(e, st,
                          "CREATE PERFETTO INDEX: indexes on intrinsic table '%s' must be declared "
                          "at compile time, not via SQL",
                          s->table);
    if (refuse(db, s->table, st) || !check_index_columns(e, table, st)) return false;
    const uint64_t *known = strmap_get(&db->indexes, s->name);
    if (known && *known && !s->replace)
        return index_fail(e, st, "CREATE PERFETTO INDEX: Index '%s' already exists", s->name);
    strmap_set(&db->indexes, s->name, 1);
    for (size_t i = 0; i < s->columns.count; i++) {
        char *name = execute_name(s->columns.items[i]);
        int column = name ? table_find_column(table->table, name) : -1;
        sqlite3_free(name);
        if (column >= 0) table->equalities[column]++;
    }
    return true;
}

bool execute_drop_index(struct sql_execution *e, struct status *st)
{
    const struct sql_statement *s = e->statement;
    uint64_t *known = strmap_get(&e->db->indexes, s->name);
    if (!known || !*known)
        return index_fail(e, st, "DROP PERFETTO INDEX: Index '%s' not found", s->name);
    if (refuse(e->db, s->table, st)) return false;
    *known = 0;
    return true;
}

/* ---- macros ---- */

static bool create_macro(struct sql_execution *e, struct status *st)
{
    const struct sql_statement *s = e->statement;
    struct macro_parameter parameters[MACROS_MAX_PARAMS];
    if (s->fields.count > MACROS_MAX_PARAMS)
        return status_fail(st, STATUS_INVALID, STATUS_NO_OFFSET,
                           "CREATE PERFETTO MACRO: more than %d arguments", MACROS_MAX_PARAMS);
    for (size_t i = 0; i < s->fields.count; i++)
        parameters[i] =
            (struct macro_parameter){s->fields.items[i].name, s->fields.items[i].type_name};
    return macros_define(e->db, s->name, parameters, s->fields.count, s->body, s->replace, st);
}

bool execute_statement(struct sql_execution *e, struct status *st)
{
    switch (e->statement->kind) {
    case SQL_STATEMENT_CREATE_TABLE: return execute_create_table(e, st);
    case SQL_STATEMENT_CREATE_VIEW: return execute_create_view(e, st);
    case SQL_STATEMENT_CREATE_INDEX: return execute_create_index(e, st);
    case SQL_STATEMENT_DROP_INDEX: return execute_drop_index(e, st);
    case SQL_STATEMENT_CREATE_MACRO: return create_macro(e, st);
    case SQL_STATEMENT_CREATE_FUNCTION:
        return e->statement->returns_table ? execute_create_table_function(e, st)
                                           : execute_create_function(e, st);
    case SQL_STATEMENT_INCLUDE: return execute_include(e, st);
    default: return true;
    }
}
