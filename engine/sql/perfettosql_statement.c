#include "engine/sql/perfettosql_statement.h"

#include "engine/sql/perfettosql_lexer.h"

struct parser {
    struct sql_reader r;
    struct sql_statement *statement;
    struct status *st;
};

static bool unexpected(struct parser *p)
{
    if (p->r.token.kind == SQL_TOKEN_END)
        return status_fail(p->st, STATUS_INVALID, STATUS_NO_OFFSET, "incomplete input");
    return status_fail(p->st, STATUS_INVALID, STATUS_NO_OFFSET, "syntax error near '%.*s'",
                       STR_ARG(p->r.token.text));
}

static bool expect(struct parser *p, const char *keyword)
{
    return sql_reader_accept(&p->r, keyword) || unexpected(p);
}

static bool accept_kind(struct parser *p, enum sql_token_kind kind)
{
    if (p->r.token.kind != kind) return false;
    sql_reader_next(&p->r);
    return true;
}

static bool expect_kind(struct parser *p, enum sql_token_kind kind)
{
    return accept_kind(p, kind) || unexpected(p);
}

static struct str unquote(struct arena *arena, struct str s)
{
    char close = s.p[0] == '[' ? ']' : s.p[0];
    char *out = arena_alloc(arena, s.n);
    size_t n = 0;
    for (size_t i = 1; i + 1 < s.n; i++) {
        out[n++] = s.p[i];
        if (s.p[i] == close && close != ']') i++;
    }
    return (struct str){out, n};
}

static bool parse_name(struct parser *p, struct str *name)
{
    enum sql_token_kind kind = p->r.token.kind;
    if (kind == SQL_TOKEN_QUOTED_ID)
        *name = unquote(&p->statement->arena, p->r.token.text);
    else if (kind == SQL_TOKEN_ID)
        *name = p->r.token.text;
    else
        return unexpected(p);
    sql_reader_next(&p->r);
    return true;
}

static const struct {
    const char *name;
    enum sql_value_type type;
} types[] = {
    {"LONG", SQL_VALUE_INT},      {"INT", SQL_VALUE_INT},      {"UINT", SQL_VALUE_INT},
    {"TIMESTAMP", SQL_VALUE_INT}, {"DURATION", SQL_VALUE_INT}, {"ID", SQL_VALUE_INT},
    {"JOINID", SQL_VALUE_INT},    {"ARGSETID", SQL_VALUE_INT}, {"BOOL", SQL_VALUE_INT},
    {"DOUBLE", SQL_VALUE_REAL},   {"FLOAT", SQL_VALUE_REAL},   {"STRING", SQL_VALUE_TEXT},
    {"BYTES", SQL_VALUE_BLOB},    {"PROTO", SQL_VALUE_BLOB},   {"ANY", SQL_VALUE_ANY},
};

const char *sql_value_type_name(enum sql_value_type type)
{
    switch (type) {
    case SQL_VALUE_INT: return "LONG";
    case SQL_VALUE_REAL: return "DOUBLE";
    case SQL_VALUE_TEXT: return "STRING";
    case SQL_VALUE_BLOB: return "BYTES";
    default: return "ANY";
    }
}

/* TYPE, TYPE(table.column), TYPE... */
static bool parse_type(struct parser *p, struct sql_field *field)
{
    size_t i = 0;
    struct str name = p->r.token.text;
    if (p->r.token.kind != SQL_TOKEN_ID) return unexpected(p);
    while (i < sizeof types / sizeof *types && !sql_is_word(name, types[i].name))
        i++;
    if (i == sizeof types / sizeof *types)
        return status_fail(p->st, STATUS_INVALID, STATUS_NO_OFFSET, "Unknown argument type: %.*s",
                           STR_ARG(name));
    field->type = types[i].type;
    field->type_name = name;
    sql_reader_next(&p->r);
    if (accept_kind(p, SQL_TOKEN_OPEN)) {
        struct str ignored;
        if (!parse_name(p, &ignored) || !expect_kind(p, SQL_TOKEN_DOT) ||
            !parse_name(p, &ignored) || !expect_kind(p, SQL_TOKEN_CLOSE))
            return false;
    }
    if (p->r.token.kind == SQL_TOKEN_DOT) {
        for (int dots = 0; dots < 3; dots++)
            if (!expect_kind(p, SQL_TOKEN_DOT)) return false;
        field->is_variadic = true;
    }
    return true;
}

/* `(` was read: name TYPE, … `)`. */
static bool parse_fields(struct parser *p, struct sql_fields *fields, bool may_be_empty)
{
    if (may_be_empty && accept_kind(p, SQL_TOKEN_CLOSE)) return true;
    do {
        struct sql_field field = {.is_variadic = false};
        if (!parse_name(p, &field.name) || !parse_type(p, &field)) return false;
        vec_push(fields, field);
    } while (accept_kind(p, SQL_TOKEN_COMMA));
    return expect_kind(p, SQL_TOKEN_CLOSE);
}

/* AS, then everything that is left. */
static bool parse_body(struct parser *p)
{
    if (!expect(p, "AS")) return false;
    if (p->r.token.kind == SQL_TOKEN_END) return unexpected(p);
    p->statement->body = str_slice(p->r.text, sql_reader_offset(&p->r), p->r.text.n);
    return true;
}

static bool parse_table_or_view(struct parser *p)
{
    struct sql_statement *s = p->statement;
    if (!parse_name(p, &s->name)) return false;
    if (s->kind == SQL_STATEMENT_CREATE_TABLE && sql_reader_accept(&p->r, "USING")) {
        if (!sql_reader_is(&p->r, "dataframe")) return unexpected(p);
        sql_reader_next(&p->r);
    }
    if (accept_kind(p, SQL_TOKEN_OPEN)) {
        s->has_schema = true;
        if (!parse_fields(p, &s->fields, false)) return false;
    }
    return parse_body(p);
}

static bool parse_function(struct parser *p)
{
    struct sql_statement *s = p->statement;
    if (!parse_name(p, &s->name) || !expect_kind(p, SQL_TOKEN_OPEN) ||
        !parse_fields(p, &s->fields, true) || !expect(p, "RETURNS"))
        return false;
    if (sql_reader_accept(&p->r, "TABLE")) {
        s->returns_table = true;
        if (!expect_kind(p, SQL_TOKEN_OPEN) || !parse_fields(p, &s->results, false)) return false;
    } else if (!parse_type(p, &s->result)) {
        return false;
    }
    if (!sql_reader_accept(&p->r, "DELEGATES")) return parse_body(p);
    if (!expect(p, "TO") || !parse_name(p, &s->target)) return false;
    return p->r.token.kind == SQL_TOKEN_END || unexpected(p);
}

static bool parse_create_index(struct parser *p)
{
    struct sql_statement *s = p->statement;
    if (!parse_name(p, &s->name) || !expect(p, "ON") || !parse_name(p, &s->table) ||
        !expect_kind(p, SQL_TOKEN_OPEN))
        return false;
    do {
        struct str column;
        if (!parse_name(p, &column)) return false;
        vec_push(&s->columns, column);
    } while (accept_kind(p, SQL_TOKEN_COMMA));
    if (!expect_kind(p, SQL_TOKEN_CLOSE)) return false;
    return p->r.token.kind == SQL_TOKEN_END || unexpected(p);
}

static bool parse_drop_index(struct parser *p)
{
    struct sql_statement *s = p->statement;
    if (!parse_name(p, &s->name) || !expect(p, "ON") || !parse_name(p, &s->table)) return false;
    return p->r.token.kind == SQL_TOKEN_END || unexpected(p);
}

static bool parse_macro(struct parser *p)
{
    struct sql_statement *s = p->statement;
    if (!parse_name(p, &s->name) || !expect_kind(p, SQL_TOKEN_OPEN)) return false;
    if (!accept_kind(p, SQL_TOKEN_CLOSE)) {
        do {
            struct sql_field field = {.is_variadic = false};
            if (!parse_name(p, &field.name) || !parse_name(p, &field.type_name)) return false;
            vec_push(&s->fields, field);
        } while (accept_kind(p, SQL_TOKEN_COMMA));
        if (!expect_kind(p, SQL_TOKEN_CLOSE)) return false;
    }
    struct str type;
    return expect(p, "RETURNS") && parse_name(p, &type) && parse_body(p);
}

static bool parse_include(struct parser *p)
{
    struct sql_statement *s = p->statement;
    size_t from = sql_reader_offset(&p->r), end = from;
    for (;;) {
        bool is_star = p->r.token.kind == SQL_TOKEN_OTHER && str_is(p->r.token.text, "*");
        if (!is_star && p->r.token.kind != SQL_TOKEN_ID) return unexpected(p);
        end = p->r.at;
        sql_reader_next(&p->r);
        if (is_star || p->r.token.kind != SQL_TOKEN_DOT) break;
        sql_reader_next(&p->r);
    }
    s->module = str_slice(p->r.text, from, end);
    return p->r.token.kind == SQL_TOKEN_END || unexpected(p);
}

static bool parse_kind(struct parser *p)
{
    struct sql_statement *s = p->statement;
    if (sql_reader_accept(&p->r, "TABLE")) {
        s->kind = SQL_STATEMENT_CREATE_TABLE;
        return parse_table_or_view(p);
    }
    if (sql_reader_accept(&p->r, "VIEW")) {
        s->kind = SQL_STATEMENT_CREATE_VIEW;
        return parse_table_or_view(p);
    }
    if (sql_reader_accept(&p->r, "FUNCTION")) {
        s->kind = SQL_STATEMENT_CREATE_FUNCTION;
        return parse_function(p);
    }
    if (sql_reader_accept(&p->r, "INDEX")) {
        s->kind = SQL_STATEMENT_CREATE_INDEX;
        return parse_create_index(p);
    }
    if (sql_reader_accept(&p->r, "MACRO")) {
        s->kind = SQL_STATEMENT_CREATE_MACRO;
        return parse_macro(p);
    }
    return unexpected(p);
}

static bool parse(struct parser *p)
{
    struct sql_statement *s = p->statement;
    if (sql_reader_accept(&p->r, "CREATE")) {
        if (sql_reader_accept(&p->r, "OR")) {
            if (!sql_reader_accept(&p->r, "REPLACE")) return true;
            s->replace = true;
        }
        return !sql_reader_accept(&p->r, "PERFETTO") || parse_kind(p);
    }
    if (sql_reader_accept(&p->r, "DROP")) {
        if (!sql_reader_accept(&p->r, "PERFETTO")) return true;
        s->kind = SQL_STATEMENT_DROP_INDEX;
        return expect(p, "INDEX") && parse_drop_index(p);
    }
    if (sql_reader_accept(&p->r, "INCLUDE")) {
        s->kind = SQL_STATEMENT_INCLUDE;
        return expect(p, "PERFETTO") && expect(p, "MODULE") && parse_include(p);
    }
    return true;
}

bool sql_statement_parse(struct sql_statement *statement, struct str text, size_t *error_at,
                         struct status *st)
{
    *statement = (struct sql_statement){.kind = SQL_STATEMENT_SQLITE, .arena = ARENA_INIT};
    struct parser p = {.statement = statement, .st = st};
    sql_reader_start(&p.r, text);
    if (parse(&p)) return true;
    *error_at = sql_reader_offset(&p.r);
    sql_statement_free(statement);
    return false;
}

void sql_statement_free(struct sql_statement *s)
{
    vec_free(&s->fields);
    vec_free(&s->results);
    vec_free(&s->columns);
    arena_free(&s->arena);
}

bool sql_statement_is_macro(struct str text)
{
    struct sql_reader r;
    sql_reader_start(&r, text);
    if (!sql_reader_accept(&r, "CREATE")) return false;
    if (sql_reader_accept(&r, "OR") && !sql_reader_accept(&r, "REPLACE")) return false;
    return sql_reader_accept(&r, "PERFETTO") && sql_reader_is(&r, "MACRO");
}
