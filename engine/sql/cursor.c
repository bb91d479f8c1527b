/* Statements of a text, one after the other, and their rows. */
#include "engine/sql/authorizer.h"
#include "engine/sql/macros.h"
#include "engine/sql/outer_join.h"
#include "engine/sql/perfettosql_lexer.h"
#include "engine/sql/perfettosql_execute.h"

struct sql_cursor {
    struct sql_database *db;
    struct sql_source source;
    struct sql_unit unit; /* of the statement */
    sqlite3_stmt *statement;
    bool has_row, is_done;
};

struct sql_cursor *sql_database_query(struct sql_database *db, struct str sql,
                                      enum sql_origin origin, struct status *st)
{
    struct sql_cursor *c = mem_zero(1, sizeof *c);
    c->db = db;
    sql_source_init(&c->source, "stdin", sql, origin);
    struct str first;
    if (!sql_source_next(&c->source, &first)) {
        status_fail(st, STATUS_INVALID, STATUS_NO_OFFSET, "No valid SQL to run");
        sql_cursor_free(c);
        return NULL;
    }
    c->source.at = 0;
    return c;
}

void sql_cursor_free(struct sql_cursor *c)
{
    if (!c) return;
    sqlite3_finalize(c->statement);
    sql_unit_free(&c->unit);
    sql_source_free(&c->source);
    mem_free(c);
}

static void start_clock(struct sql_database *db)
{
    db->deadline_ns = db->time_limit_ns ? clock_now_ns() + db->time_limit_ns : 0;
    db->timed_out = false;
    atomic_store_explicit(&db->interrupted, false, memory_order_relaxed);
}

/* SQLite says near "x": syntax error; the reference's grammar says it its way. */
static void rephrase(struct status *st)
{
    struct str message = str_of(status_message(st));
    struct str prefix = STR("near \""), suffix = STR("\": syntax error");
    if (!str_starts(message, prefix) || !str_ends(message, suffix)) return;
    struct str near = str_slice(message, prefix.n, message.n - suffix.n);
    struct status better = STATUS_INIT;
    status_fail(&better, st->code, st->offset, "syntax error near '%.*s'", STR_ARG(near));
    status_clear(st);
    *st = better;
}

static bool step(struct sql_cursor *c, struct status *st)
{
    struct sql_database *db = c->db;
    enum sql_origin before = db->origin;
    db->origin = c->source.origin;
    int rc = sqlite3_step(c->statement);
    db->origin = before;
    c->has_row = rc == SQLITE_ROW;
    if (c->has_row) return true;
    c->is_done = true;
    if (rc != SQLITE_DONE) {
        struct status failed = STATUS_INIT;
        sql_fail(db, &failed, NULL);
        sql_unit_trace(&c->unit, 0, &failed);
        status_move(st, &failed);
    }
    return false;
}

bool sql_cursor_step(struct sql_cursor *c, struct status *st)
{
    if (!c->statement || c->is_done) return false;
    return step(c, st);
}

/* ---- one statement ---- */

static bool expand(struct sql_database *db, struct sql_unit *unit, struct status *st)
{
    size_t error_at = 0;
    if (sql_statement_is_macro(unit->raw)) {
        buffer_append_str(&unit->text, unit->raw);
        return true;
    }
    if (macros_expand(db, unit, &error_at, st)) return true;
    /* The text so far says nothing: point into what was written. */
    buffer_clear(&unit->text);
    vec_clear(&unit->segments);
    unit->has_macros = false;
    buffer_append_str(&unit->text, unit->raw);
    sql_unit_trace(unit, error_at, st);
    return false;
}

/* CREATE [TEMP] VIEW */
static bool makes_view(struct str text)
{
    struct sql_reader r;
    sql_reader_start(&r, text);
    if (!sql_reader_accept(&r, "create")) return false;
    if (!sql_reader_accept(&r, "temp")) sql_reader_accept(&r, "temporary");
    return sql_reader_is(&r, "view");
}

static bool prepare(struct sql_database *db, struct sql_unit *unit, sqlite3_stmt **out,
                    struct status *st)
{
    struct str text = buffer_str(&unit->text);
    db->denied = NULL;
    outer_join_note(db, text, makes_view(text));
    if (sqlite3_prepare_v3(db->sqlite, text.p, (int)text.n + 1, 0, out, NULL) == SQLITE_OK)
        return true;
    int at = sqlite3_error_offset(db->sqlite);
    sql_fail(db, st, NULL);
    rephrase(st);
    sql_unit_trace(unit, at > 0 ? (size_t)at : 0, st);
    return false;
}

/* Runs a statement of the engine; prepares one for SQLite into *out. */
static bool begin_statement(struct sql_database *db, struct sql_unit *unit, sqlite3_stmt **out,
                            struct status *st)
{
    size_t error_at = 0;
    struct sql_statement statement;
    if (!expand(db, unit, st)) return false;
    if (!sql_statement_parse(&statement, buffer_str(&unit->text), &error_at, st)) {
        sql_unit_trace(unit, error_at, st);
        return false;
    }
    bool ok;
    if (statement.kind == SQL_STATEMENT_SQLITE) {
        ok = prepare(db, unit, out, st);
    } else {
        struct sql_execution e = {.db = db, .unit = unit, .statement = &statement};
        ok = execute_statement(&e, st);
        if (!ok && !e.no_traceback) {
            rephrase(st);
            sql_unit_trace(unit, e.error_at, st);
        }
    }
    sql_statement_free(&statement);
    return ok;
}

static bool next_unit(struct sql_source *source, struct sql_unit *unit)
{
    sql_unit_free(unit);
    struct str raw;
    if (!sql_source_next(source, &raw)) return false;
    *unit = (struct sql_unit){
        .source = source, .start = (size_t)(raw.p - source->text), .raw = raw, .text = BUFFER_INIT};
    return true;
}

bool sql_cursor_next_statement(struct sql_cursor *c, struct status *st)
{
    struct sql_database *db = c->db;
    struct status failed = STATUS_INIT;
    while (c->statement && !c->is_done && step(c, &failed))
        ;
    sqlite3_finalize(c->statement);
    c->statement = NULL;
    c->has_row = c->is_done = false;
    if (failed.code == STATUS_OK && next_unit(&c->source, &c->unit)) {
        enum sql_origin before = db->origin;
        db->origin = c->source.origin;
        start_clock(db);
        bool ok = begin_statement(db, &c->unit, &c->statement, &failed);
        db->origin = before;
        if (ok) return true;
    }
    status_move(st, &failed);
    return false;
}

/* A module's statement: rows are an error. */
static bool run_unit(struct sql_database *db, struct sql_unit *unit, bool no_rows,
                     struct status *st)
{
    sqlite3_stmt *statement = NULL;
    bool ok = begin_statement(db, unit, &statement, st);
    int rc = SQLITE_DONE;
    while (ok && statement && (rc = sqlite3_step(statement)) == SQLITE_ROW)
        if (no_rows) {
            ok = status_fail(st, STATUS_INVALID, STATUS_NO_OFFSET,
                             "INCLUDE: Included module returning values.");
        }
    if (ok && rc != SQLITE_DONE) {
        ok = sql_fail(db, st, NULL);
        sql_unit_trace(unit, 0, st);
    }
    sqlite3_finalize(statement);
    return ok;
}

bool sql_run_source(struct sql_database *db, struct sql_source *source, bool no_rows,
                    struct status *st)
{
    struct sql_unit unit = {.source = NULL};
    enum sql_origin before = db->origin;
    db->origin = source->origin;
    bool ok = true;
    while (ok && next_unit(source, &unit))
        ok = run_unit(db, &unit, no_rows, st);
    db->origin = before;
    sql_unit_free(&unit);
    return ok;
}

bool sql_database_run(struct sql_database *db, struct str sql, enum sql_origin origin,
                      struct status *st)
{
    struct sql_source source;
    sql_source_init(&source, "stdin", sql, origin);
    start_clock(db);
    bool ok = sql_run_source(db, &source, false, st);
    sql_source_free(&source);
    return ok;
}

uint32_t sql_cursor_column_count(const struct sql_cursor *c)
{
    return c->statement ? (uint32_t)sqlite3_column_count(c->statement) : 0;
}

const char *sql_cursor_column_name(const struct sql_cursor *c, uint32_t column)
{
    const char *name = c->statement ? sqlite3_column_name(c->statement, (int)column) : NULL;
    return name ? name : "";
}

enum sql_type sql_cursor_type(const struct sql_cursor *c, uint32_t column)
{
    switch (c->has_row ? sqlite3_column_type(c->statement, (int)column) : SQLITE_NULL) {
    case SQLITE_INTEGER: return SQL_INT;
    case SQLITE_FLOAT: return SQL_REAL;
    case SQLITE_TEXT: return SQL_TEXT;
    case SQLITE_BLOB: return SQL_BLOB;
    default: return SQL_NULL;
    }
}

int64_t sql_cursor_int(const struct sql_cursor *c, uint32_t column)
{
    return c->has_row ? sqlite3_column_int64(c->statement, (int)column) : 0;
}

double sql_cursor_real(const struct sql_cursor *c, uint32_t column)
{
    return c->has_row ? sqlite3_column_double(c->statement, (int)column) : 0;
}

struct str sql_cursor_text(const struct sql_cursor *c, uint32_t column)
{
    if (!c->has_row) return STR_NONE;
    /* blob: of a text it is the bytes as they lie, without a copy for the NUL. */
    if (sqlite3_column_type(c->statement, (int)column) == SQLITE_NULL) return STR_NONE;
    const char *bytes = sqlite3_column_blob(c->statement, (int)column);
    size_t n = (size_t)sqlite3_column_bytes(c->statement, (int)column);
    return (struct str){bytes ? bytes : "", n};
}

bool sql_cursor_is_silent(const struct sql_cursor *c)
{
    if (sql_cursor_column_count(c) != 1) return false;
    if (sqlite3_stricmp(sql_cursor_column_name(c, 0), "suppress_query_output") == 0) return true;
    return c->has_row && sqlite3_value_pointer(sqlite3_column_value(c->statement, 0), "VOID");
}
