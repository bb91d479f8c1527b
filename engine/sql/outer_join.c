#include "engine/sql/outer_join.h"

#include "engine/sql/perfettosql_lexer.h"

static bool is_one_of(const struct sql_reader *r, const char *const *words)
{
    for (; *words; words++)
        if (sql_reader_is(r, *words)) return true;
    return false;
}

static bool is_operator(const struct sql_reader *r)
{
    static const char *const words[] = {"glob", "like", "regexp", "match", "not", "notnull", NULL};
    struct str text = r->token.text;
    return is_one_of(r, words) || str_is(text, "<>") || str_is(text, "!=") ||
           (r->token.kind == SQL_TOKEN_BANG);
}

/* From behind ON to the end of the condition. */
static bool condition_has_operator(struct sql_reader *r)
{
    static const char *const ends[] = {"join",   "inner",  "cross",     "natural", "left",
                                       "right",  "full",   "where",     "group",   "order",
                                       "limit",  "having", "window",    "union",   "except",
                                       "values", "on",     "intersect", NULL};
    int depth = 0;
    for (; r->token.kind != SQL_TOKEN_END; sql_reader_next(r)) {
        if (is_operator(r)) return true;
        if (r->token.kind == SQL_TOKEN_OPEN) depth++;
        if (r->token.kind == SQL_TOKEN_CLOSE && --depth < 0) return false;
        if (r->token.kind == SQL_TOKEN_SEMICOLON) return false;
        if (depth == 0 && is_one_of(r, ends)) return false;
    }
    return false;
}

bool outer_join_filters(struct str text)
{
    static const char *const kinds[] = {"left", "right", "full", NULL};
    struct sql_reader r;
    bool outer = false; /* a join of these kinds waits for its ON */
    sql_reader_start(&r, text);
    while (r.token.kind != SQL_TOKEN_END) {
        outer |= is_one_of(&r, kinds);
        bool is_on = sql_reader_is(&r, "on");
        sql_reader_next(&r);
        if (!outer || !is_on) continue;
        if (condition_has_operator(&r)) return true;
        outer = false;
    }
    return false;
}

void outer_join_note(struct sql_database *db, struct str text, bool is_kept)
{
    bool filters = outer_join_filters(text);
    if (filters && is_kept) db->kept_outer_joins = true;
    db->leaves_operators = filters || db->kept_outer_joins;
}
