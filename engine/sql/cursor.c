/* Statements of a text, one after the other, and their rows. */
#include "engine/sql/database_internal.h"
#include "engine/sql/stdlib.h"

struct sql_cursor {
    struct sql_database *db;
    enum sql_origin origin;
    char *text; /* owned */
    const char *rest;
    sqlite3_stmt *statement;
    bool has_row, is_done;
};

static bool only_blanks(const char *text)
{
    for (; *text; text++)
        if (*text != ' ' && *text != '\n' && *text != '\t' && *text != '\r' && *text != ';')
            return false;
    return true;
}

struct sql_cursor *sql_database_query(struct sql_database *db, struct str sql,
                                      enum sql_origin origin, struct status *st)
{
    struct sql_cursor *c = mem_zero(1, sizeof *c);
    c->db = db;
    c->origin = origin;
    c->text = mem_copy_string(sql.n ? sql.p : "", sql.n);
    c->rest = c->text;
    if (only_blanks(c->text)) {
        status_fail(st, STATUS_INVALID, STATUS_NO_OFFSET, "No valid SQL to run");
        sql_cursor_free(c);
        return NULL;
    }
    return c;
}

void sql_cursor_free(struct sql_cursor *c)
{
    if (!c) return;
    sqlite3_finalize(c->statement);
    mem_free(c->text);
    mem_free(c);
}

static bool step(struct sql_cursor *c, struct status *st)
{
    struct sql_database *db = c->db;
    db->origin = c->origin;
    db->deadline_ns = db->time_limit_ns ? clock_now_ns() + db->time_limit_ns : 0;
    db->timed_out = false;
    int rc = sqlite3_step(c->statement);
    c->has_row = rc == SQLITE_ROW;
    if (c->has_row) return true;
    c->is_done = true;
    if (rc != SQLITE_DONE) sql_fail(db, st, NULL);
    return false;
}

bool sql_cursor_step(struct sql_cursor *c, struct status *st)
{
    if (!c->statement || c->is_done) return false;
    return step(c, st);
}

bool sql_cursor_next_statement(struct sql_cursor *c, struct status *st)
{
    struct sql_database *db = c->db;
    struct status failed = STATUS_INIT;
    while (c->statement && !c->is_done && step(c, &failed))
        ;
    if (failed.code != STATUS_OK) {
        status_move(st, &failed);
        return false;
    }
    sqlite3_finalize(c->statement);
    c->statement = NULL;
    c->has_row = c->is_done = false;
    db->origin = c->origin;
    atomic_store(&db->interrupted, false);
    while (*c->rest && !c->statement) {
        db->denied = NULL;
        const char *tail = NULL;
        if (sqlite3_prepare_v2(db->sqlite, c->rest, -1, &c->statement, &tail) != SQLITE_OK)
            return sql_fail(db, st, NULL);
        c->rest = tail;
    }
    return c->statement != NULL;
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
    const void *bytes = sqlite3_column_type(c->statement, (int)column) == SQLITE_BLOB
                            ? sqlite3_column_blob(c->statement, (int)column)
                            : sqlite3_column_text(c->statement, (int)column);
    return (struct str){bytes, (size_t)sqlite3_column_bytes(c->statement, (int)column)};
}

bool sql_cursor_is_silent(const struct sql_cursor *c)
{
    return sql_cursor_column_count(c) == 1 &&
           sqlite3_stricmp(sql_cursor_column_name(c, 0), "suppress_query_output") == 0;
}

bool sql_database_run(struct sql_database *db, struct str sql, enum sql_origin origin,
                      struct status *st)
{
    struct sql_cursor *c = sql_database_query(db, sql, origin, st);
    struct status failed = STATUS_INIT;
    while (c && sql_cursor_next_statement(c, &failed))
        while (sql_cursor_step(c, &failed))
            ;
    sql_cursor_free(c);
    bool ok = c && failed.code == STATUS_OK;
    status_move(st, &failed);
    return ok;
}
