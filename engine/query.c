/* Queries: the public face of a SQL cursor. */
#include "engine/internal.h"

struct query {
    struct sql_cursor *cursor;
};

struct query *engine_query(struct engine *engine, struct str sql, struct status *st)
{
    return engine_query_from(engine, ENGINE_ORIGIN_USER, sql, st);
}

struct query *engine_query_from(struct engine *engine, enum engine_origin origin, struct str sql,
                                struct status *st)
{
    static const enum sql_origin origins[] = {[ENGINE_ORIGIN_USER] = SQL_ORIGIN_USER,
                                              [ENGINE_ORIGIN_SERVER] = SQL_ORIGIN_SERVER,
                                              [ENGINE_ORIGIN_TRACE] = SQL_ORIGIN_TRACE};
    struct sql_database *database = engine_database(engine, st);
    if (!database) return NULL;
    struct sql_cursor *cursor = sql_database_query(database, sql, origins[origin], st);
    if (!cursor) return NULL;
    struct query *query = mem_alloc(sizeof *query);
    query->cursor = cursor;
    return query;
}

bool query_next_statement(struct query *query, struct status *st)
{
    return sql_cursor_next_statement(query->cursor, st);
}

bool query_step(struct query *query, struct status *st)
{
    return sql_cursor_step(query->cursor, st);
}

void query_free(struct query *query)
{
    if (!query) return;
    sql_cursor_free(query->cursor);
    mem_free(query);
}

uint32_t query_column_count(const struct query *query)
{
    return sql_cursor_column_count(query->cursor);
}

const char *query_column_name(const struct query *query, uint32_t column)
{
    return sql_cursor_column_name(query->cursor, column);
}

enum cell_type query_type(const struct query *query, uint32_t column)
{
    switch (sql_cursor_type(query->cursor, column)) {
    case SQL_INT: return CELL_INT;
    case SQL_REAL: return CELL_REAL;
    case SQL_TEXT: return CELL_TEXT;
    case SQL_BLOB: return CELL_BLOB;
    case SQL_NULL: break;
    }
    return CELL_NULL;
}

int64_t query_int(const struct query *query, uint32_t column)
{
    return sql_cursor_int(query->cursor, column);
}

double query_real(const struct query *query, uint32_t column)
{
    return sql_cursor_real(query->cursor, column);
}

struct str query_text(const struct query *query, uint32_t column)
{
    return sql_cursor_text(query->cursor, column);
}

bool query_is_silent(const struct query *query)
{
    return sql_cursor_is_silent(query->cursor);
}

void engine_interrupt(struct engine *engine)
{
    if (engine->database) sql_database_interrupt(engine->database);
}

void engine_set_query_limit(struct engine *engine, int64_t milliseconds)
{
    engine->query_limit_ms = milliseconds;
    if (engine->database) sql_database_set_time_limit(engine->database, milliseconds);
}
