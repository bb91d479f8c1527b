#include "engine/sql/perfettosql_function.h"

#include "engine/sql/functions.h"
#include "engine/sql/outer_join.h"
#include "engine/sql/perfettosql_execute.h"

/* Calls that run inside one another before a memoized function is unrolled. */
#define UNROLL_DEPTH 32u
/* Results that one memoized function keeps. */
#define MEMO_MAX (1u << 20)

struct sql_function {
    struct sql_database *db;
    struct sql_prototype prototype;
    VEC(sqlite3_stmt *) free_statements; /* prepared, not running */
    bool is_memoized;
    struct map memo;              /* argument -> index in results */
    VEC(sqlite3_value *) results; /* owned copies */
    unsigned depth;               /* calls running */
    bool unrolling, too_deep;     /* of a memoized function */
    int64_t wanted;               /* the argument that was too deep */
    bool is_replaced;             /* by another one of the same name */
};

struct sql_functions {
    struct strmap by_name; /* "name/argc" -> struct sql_function * */
};

/* ---- prototypes ---- */

void sql_prototype_init(struct sql_prototype *p, const struct sql_statement *s,
                        enum sql_origin origin)
{
    *p = (struct sql_prototype){.n_parameters = s->fields.count, .origin = origin};
    p->name = mem_copy_string(s->name.p, s->name.n);
    p->body = mem_copy_string(s->body.n ? s->body.p : "", s->body.n);
    p->parameters = mem_zero(p->n_parameters ? p->n_parameters : 1, sizeof *p->parameters);
    for (size_t i = 0; i < p->n_parameters; i++) {
        struct buffer text = BUFFER_INIT;
        buffer_append_byte(&text, '$');
        buffer_append_str(&text, s->fields.items[i].name);
        p->parameters[i] = (struct sql_parameter){buffer_take(&text), s->fields.items[i].type};
    }
}

void sql_prototype_dispose(struct sql_prototype *p)
{
    for (size_t i = 0; i < p->n_parameters; i++)
        mem_free(p->parameters[i].variable);
    mem_free(p->parameters);
    mem_free(p->name);
    mem_free(p->body);
}

sqlite3_stmt *sql_prototype_prepare(struct sql_database *db, const struct sql_prototype *p,
                                    struct status *st)
{
    sqlite3_stmt *statement = NULL;
    enum sql_origin before = db->origin;
    db->origin = p->origin;
    db->denied = NULL;
    outer_join_note(db, str_of(p->body), true);
    int rc =
        sqlite3_prepare_v3(db->sqlite, p->body, -1, SQLITE_PREPARE_PERSISTENT, &statement, NULL);
    db->origin = before;
    if (rc == SQLITE_OK && statement && sqlite3_stmt_readonly(statement)) return statement;
    if (rc != SQLITE_OK)
        sql_fail(db, st, p->name);
    else
        status_fail(st, STATUS_INVALID, STATUS_NO_OFFSET, "%s: the body must be a SELECT", p->name);
    sqlite3_finalize(statement);
    return NULL;
}

static const char *value_type_name(sqlite3_value *value)
{
    switch (sqlite3_value_type(value)) {
    case SQLITE_INTEGER: return "LONG";
    case SQLITE_FLOAT: return "DOUBLE";
    case SQLITE_TEXT: return "STRING";
    case SQLITE_BLOB: return "BYTES";
    default: return "NULL";
    }
}

static bool type_fits(enum sql_value_type type, sqlite3_value *value)
{
    switch (sqlite3_value_type(value)) {
    case SQLITE_NULL: return true;
    case SQLITE_INTEGER:
        return type == SQL_VALUE_INT || type == SQL_VALUE_ANY || type == SQL_VALUE_REAL;
    case SQLITE_FLOAT: return type == SQL_VALUE_REAL || type == SQL_VALUE_ANY;
    case SQLITE_TEXT: return type == SQL_VALUE_TEXT || type == SQL_VALUE_ANY;
    default: return type == SQL_VALUE_BLOB || type == SQL_VALUE_ANY;
    }
}

static bool wrong_argument(const struct sql_prototype *p, sqlite3_value **values, size_t at,
                           struct status *st)
{
    struct buffer text = BUFFER_INIT;
    for (size_t i = 0; i < p->n_parameters; i++) {
        struct str value = function_text(values[i]);
        buffer_printf(&text, "%s%s=%.*s", i ? ", " : "", p->parameters[i].variable + 1,
                      STR_ARG(value));
    }
    status_fail(st, STATUS_INVALID, STATUS_NO_OFFSET,
                "%s[%s]: argument %zu does not have expected type: expected %s, actual %s", p->name,
                buffer_text(&text), at, sql_value_type_name(p->parameters[at].type),
                value_type_name(values[at]));
    buffer_free(&text);
    return false;
}

bool sql_prototype_bind(const struct sql_prototype *p, sqlite3_stmt *statement,
                        sqlite3_value **values, struct status *st)
{
    for (size_t i = 0; i < p->n_parameters; i++) {
        if (!type_fits(p->parameters[i].type, values[i])) return wrong_argument(p, values, i, st);
        int index = sqlite3_bind_parameter_index(statement, p->parameters[i].variable);
        if (index) sqlite3_bind_value(statement, index, values[i]);
    }
    return true;
}

/* ---- calls ---- */

static void report(sqlite3_context *context, struct status *st)
{
    struct sql_function *f = sqlite3_user_data(context);
    sqlite3_result_error(context, status_message(st), -1);
    if (st->code == STATUS_INTERRUPTED || f->db->timed_out)
        sqlite3_result_error_code(context, SQLITE_INTERRUPT);
    status_clear(st);
}

/* `result` NULL is SQL's NULL. */
static void remember(struct sql_function *f, sqlite3_value *argument, sqlite3_value *result)
{
    uint64_t key = (uint64_t)sqlite3_value_int64(argument);
    if (sqlite3_value_type(argument) != SQLITE_INTEGER || f->results.count >= MEMO_MAX ||
        map_get(&f->memo, key))
        return;
    map_set(&f->memo, key, f->results.count);
    vec_push(&f->results, result ? sqlite3_value_dup(result) : NULL);
}

/* The first value of the only row, as the result. */
static bool take_result(struct sql_function *f, sqlite3_stmt *statement, sqlite3_value **argv,
                        sqlite3_context *context, struct status *st)
{
    int rc = sqlite3_step(statement);
    if (rc == SQLITE_DONE) {
        sqlite3_result_null(context);
        if (f->is_memoized) remember(f, argv[0], NULL);
        return true;
    }
    if (rc != SQLITE_ROW) return sql_fail(f->db, st, NULL);
    if (sqlite3_column_count(statement) == 1) {
        sqlite3_result_value(context, sqlite3_column_value(statement, 0));
        if (f->is_memoized) remember(f, argv[0], sqlite3_column_value(statement, 0));
        rc = sqlite3_step(statement);
        if (rc == SQLITE_DONE) return true;
        if (rc != SQLITE_ROW) return sql_fail(f->db, st, NULL);
    }
    return status_fail(st, STATUS_INVALID, STATUS_NO_OFFSET,
                       "%s: multiple values were returned when executing function body. Executed "
                       "SQL was %s",
                       f->prototype.name, sqlite3_sql(statement));
}

static bool evaluate(struct sql_function *f, sqlite3_context *context, sqlite3_value **argv,
                     struct status *st)
{
    struct sql_database *db = f->db;
    if (db->nesting >= SQL_MAX_NESTING)
        return status_fail(st, STATUS_LIMIT, STATUS_NO_OFFSET,
                           "%s: functions call one another more than %d deep", f->prototype.name,
                           SQL_MAX_NESTING);
    sqlite3_stmt *statement = f->free_statements.count
                                  ? vec_pop(&f->free_statements)
                                  : sql_prototype_prepare(db, &f->prototype, st);
    if (!statement) return false;
    enum sql_origin before = db->origin;
    db->origin = f->prototype.origin;
    db->nesting++;
    f->depth++;
    bool ok = sql_prototype_bind(&f->prototype, statement, argv, st) &&
              take_result(f, statement, argv, context, st);
    f->depth--;
    db->nesting--;
    db->origin = before;
    sqlite3_reset(statement);
    vec_push(&f->free_statements, statement);
    return ok;
}

/* ---- memoized ---- */

static bool recall(struct sql_function *f, sqlite3_context *context, int64_t argument)
{
    const uint64_t *at = map_get(&f->memo, (uint64_t)argument);
    if (!at) return false;
    if (f->results.items[*at]) sqlite3_result_value(context, f->results.items[*at]);
    return true;
}

/* Evaluates SELECT name(argument) as a statement of its own, to have its value. */
static bool compute(struct sql_function *f, int64_t argument, struct status *st)
{
    char *sql = sqlite3_mprintf("SELECT \"%w\"(%lld)", f->prototype.name, (long long)argument);
    sqlite3_stmt *statement = NULL;
    bool ok = sqlite3_prepare_v2(f->db->sqlite, sql, -1, &statement, NULL) == SQLITE_OK &&
              sqlite3_step(statement) == SQLITE_ROW;
    if (!ok && !f->too_deep) sql_fail(f->db, st, NULL);
    sqlite3_finalize(statement);
    sqlite3_free(sql);
    return ok;
}

/* Recursion without depth: what was too deep is computed first, by itself. */
static bool unroll(struct sql_function *f, int64_t argument, struct status *st)
{
    VEC(int64_t) pending = {0};
    vec_push(&pending, argument);
    bool ok = true;
    f->unrolling = true;
    while (pending.count && ok) {
        f->too_deep = false;
        if (compute(f, *vec_last(&pending), st)) {
            (void)vec_pop(&pending);
        } else if (f->too_deep && pending.count < MEMO_MAX) {
            vec_push(&pending, f->wanted);
        } else {
            ok = false;
            status_fail(st, STATUS_LIMIT, STATUS_NO_OFFSET, "%s: recursion does not end",
                        f->prototype.name);
        }
    }
    f->unrolling = f->too_deep = false;
    vec_free(&pending);
    return ok;
}

static void call_memoized(struct sql_function *f, sqlite3_context *context, sqlite3_value **argv)
{
    struct status st = STATUS_INIT;
    int64_t argument = sqlite3_value_int64(argv[0]);
    if (recall(f, context, argument)) return;
    if (!f->unrolling) {
        if (!unroll(f, argument, &st))
            report(context, &st);
        else if (!recall(f, context, argument) && !evaluate(f, context, argv, &st))
            report(context, &st);
        return;
    }
    if (f->depth >= UNROLL_DEPTH) {
        f->too_deep = true;
        f->wanted = argument;
        sqlite3_result_error(context, "too deep", -1);
        return;
    }
    if (!evaluate(f, context, argv, &st)) report(context, &st);
}

static void call(sqlite3_context *context, int argc, sqlite3_value **argv)
{
    (void)argc;
    struct sql_function *f = sqlite3_user_data(context);
    if (f->is_memoized && sqlite3_value_type(argv[0]) == SQLITE_INTEGER) {
        call_memoized(f, context, argv);
        return;
    }
    struct status st = STATUS_INIT;
    if (!evaluate(f, context, argv, &st)) report(context, &st);
}

/* ---- creation ---- */

static void function_clear_statements(struct sql_function *f)
{
    for (size_t i = 0; i < f->free_statements.count; i++)
        sqlite3_finalize(f->free_statements.items[i]);
    vec_free(&f->free_statements);
}

static void function_free(void *pointer)
{
    struct sql_function *f = pointer;
    function_clear_statements(f);
    for (size_t i = 0; i < f->results.count; i++)
        sqlite3_value_free(f->results.items[i]);
    vec_free(&f->results);
    map_free(&f->memo);
    sql_prototype_dispose(&f->prototype);
    mem_free(f);
}

/* Statements are closed before the connection; the functions go with it. */
void functions_free(struct sql_functions *functions)
{
    if (!functions) return;
    for (size_t i = 0; i < functions->by_name.capacity; i++) {
        struct sql_function *f =
            (struct sql_function *)(uintptr_t)functions->by_name.slots[i].value;
        if (functions->by_name.slots[i].key && f) function_clear_statements(f);
    }
    strmap_free(&functions->by_name);
    mem_free(functions);
}

static struct str function_key(struct str name, size_t argc, char *buffer, size_t size)
{
    struct str key = sql_lower(name, buffer, size - 8);
    buffer[key.n++] = '/';
    if (argc >= 100) buffer[key.n++] = (char)('0' + argc / 100 % 10);
    if (argc >= 10) buffer[key.n++] = (char)('0' + argc / 10 % 10);
    buffer[key.n++] = (char)('0' + argc % 10);
    return (struct str){buffer, key.n};
}

static bool is_builtin(struct sql_database *db, struct str name, size_t argc)
{
    sqlite3_stmt *statement = NULL;
    bool found = false;
    bool before = db->is_internal;
    db->is_internal = true;
    static const char sql[] =
        "SELECT 1 FROM pragma_function_list WHERE lower(name) = lower(?1) AND (narg = ?2 OR "
        "(narg < 0 AND builtin))";
    if (sqlite3_prepare_v2(db->sqlite, sql, -1, &statement, NULL) == SQLITE_OK) {
        sqlite3_bind_text(statement, 1, name.p, (int)name.n, SQLITE_STATIC);
        sqlite3_bind_int64(statement, 2, (sqlite3_int64)argc);
        found = sqlite3_step(statement) == SQLITE_ROW;
    }
    sqlite3_finalize(statement);
    db->is_internal = before;
    return found;
}

static void append_prototype(struct buffer *out, const struct sql_statement *s)
{
    buffer_printf(out, "%.*s(", STR_ARG(s->name));
    for (size_t i = 0; i < s->fields.count; i++)
        buffer_printf(out, "%s%.*s %s", i ? ", " : "", STR_ARG(s->fields.items[i].name),
                      sql_value_type_name(s->fields.items[i].type));
    buffer_append_byte(out, ')');
}

static bool creation_fails(const struct sql_statement *s, const char *why, struct status *st)
{
    struct buffer text = BUFFER_INIT;
    append_prototype(&text, s);
    status_fail(st, STATUS_INVALID, STATUS_NO_OFFSET, "CREATE PERFETTO FUNCTION[prototype=%s]: %s",
                buffer_text(&text), why);
    buffer_free(&text);
    return false;
}

static bool may_create(struct sql_database *db, const struct sql_statement *s, struct str key,
                       struct sql_function **old, struct status *st)
{
    const uint64_t *known = strmap_get(&db->functions->by_name, key);
    *old = known ? (struct sql_function *)(uintptr_t)*known : NULL;
    if (!*old && is_builtin(db, s->name, s->fields.count))
        return creation_fails(
            s, "cannot redefine built-in function with the same name and argument count", st);
    if (!*old) return true;
    if (!s->replace) return creation_fails(s, "function already exists", st);
    bool is_guest = db->origin == SQL_ORIGIN_TRACE || db->origin == SQL_ORIGIN_SERVER;
    if (is_guest && (*old)->prototype.origin != db->origin)
        return creation_fails(s,
                              "not authorized: SQL of a trace or a server cannot replace a "
                              "function that somebody else made",
                              st);
    return true;
}

static bool delegate(struct sql_execution *e, struct status *st)
{
    const struct sql_statement *s = e->statement;
    const struct function_entry *target = functions_find(s->target);
    bool variadic = s->fields.count && s->fields.items[s->fields.count - 1].is_variadic;
    int argc = variadic ? -1 : (int)s->fields.count;
    if (!target)
        return status_fail(st, STATUS_INVALID, STATUS_NO_OFFSET,
                           "Target function '%.*s' not found in registry. Only functions of the "
                           "engine can be delegated to.",
                           STR_ARG(s->target));
    target = functions_find_argc(s->target, argc);
    if (!target) return creation_fails(s, "argument count of the target function differs", st);
    char *name = execute_name(s->name);
    struct function_entry alias = *target;
    alias.name = name;
    alias.argc = argc;
    bool ok = functions_enter(e->db, &alias, st);
    sqlite3_free(name);
    return ok;
}

/* The name is known before the body is prepared, so that it may call itself. */
static bool enter(struct sql_execution *e, struct str key, struct sql_function *old,
                  struct status *st)
{
    const struct sql_statement *s = e->statement;
    struct sql_database *db = e->db;
    struct sql_function *f = mem_zero(1, sizeof *f);
    f->db = db;
    sql_prototype_init(&f->prototype, s, db->origin);
    /* SQLite frees the old one inside the call when it is replaced. */
    strmap_set(&db->functions->by_name, key, (uintptr_t)f);
    if (old) function_clear_statements(old);
    if (sqlite3_create_function_v2(db->sqlite, f->prototype.name, (int)s->fields.count,
                                   SQLITE_UTF8 | SQLITE_INNOCUOUS, f, call, NULL, NULL,
                                   function_free) != SQLITE_OK) {
        strmap_set(&db->functions->by_name, key, (uintptr_t)old);
        return sql_fail(db, st, NULL);
    }
    return true;
}

static void withdraw(struct sql_execution *e, struct str key)
{
    const struct sql_statement *s = e->statement;
    char *name = execute_name(s->name);
    strmap_set(&e->db->functions->by_name, key, 0);
    sqlite3_create_function_v2(e->db->sqlite, name, (int)s->fields.count, SQLITE_UTF8, NULL, NULL,
                               NULL, NULL, NULL);
    sqlite3_free(name);
}

bool execute_create_function(struct sql_execution *e, struct status *st)
{
    const struct sql_statement *s = e->statement;
    struct sql_database *db = e->db;
    if (!db->functions) db->functions = mem_zero(1, sizeof *db->functions);
    if (s->target.n) return delegate(e, st);
    char buffer[256];
    struct str key = function_key(s->name, s->fields.count, buffer, sizeof buffer);
    struct sql_function *old = NULL;
    if (s->fields.count > 100) return creation_fails(s, "more than 100 arguments", st);
    if (!may_create(db, s, key, &old, st) || !enter(e, key, old, st)) return false;
    sqlite3_stmt *body = execute_prepare_body(e, NULL, st);
    if (!body) {
        withdraw(e, key);
        return false;
    }
    sqlite3_finalize(body);
    return true;
}

bool function_memoize(struct sql_database *db, const char *name, struct status *st)
{
    char buffer[256];
    struct str key = function_key(str_of(name), 1, buffer, sizeof buffer);
    const uint64_t *known = db->functions ? strmap_get(&db->functions->by_name, key) : NULL;
    struct sql_function *f = known ? (struct sql_function *)(uintptr_t)*known : NULL;
    if (!f || f->prototype.parameters[0].type != SQL_VALUE_INT)
        return status_fail(st, STATUS_INVALID, STATUS_NO_OFFSET,
                           "experimental_memoize: '%s' is no function of one integer argument",
                           name);
    f->is_memoized = true;
    return true;
}
