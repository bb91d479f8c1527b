#include "engine/sql/perfettosql_lexer.h"

static bool is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f';
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_id(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_digit(c) || c == '_' ||
           c == '$' || (unsigned char)c >= 0x80;
}

/* Length of white space and comments at `p`; 0 when there is none. */
static size_t space_length(const char *p, size_t n)
{
    if (is_space(p[0])) {
        size_t i = 1;
        while (i < n && is_space(p[i]))
            i++;
        return i;
    }
    if (n > 1 && p[0] == '-' && p[1] == '-') {
        size_t i = 2;
        while (i < n && p[i] != '\n')
            i++;
        return i;
    }
    if (n > 1 && p[0] == '/' && p[1] == '*') {
        size_t i = 2;
        while (i + 1 < n && !(p[i] == '*' && p[i + 1] == '/'))
            i++;
        return i + 2 <= n ? i + 2 : n;
    }
    return 0;
}

/* p[0] opens; a doubled quote stands for itself.  0 when it does not end. */
static size_t quoted_length(const char *p, size_t n, char quote)
{
    for (size_t i = 1; i < n; i++) {
        if (p[i] != quote) continue;
        if (quote != ']' && i + 1 < n && p[i + 1] == quote)
            i++;
        else
            return i + 1;
    }
    return 0;
}

static size_t id_length(const char *p, size_t n, size_t from)
{
    while (from < n && is_id(p[from]))
        from++;
    return from;
}

/* Digits, a point, an exponent, 0x…; loose ends are SQLite's to refuse. */
static size_t number_length(const char *p, size_t n)
{
    size_t i = 0;
    if (n > 1 && p[0] == '0' && (p[1] == 'x' || p[1] == 'X')) return id_length(p, n, 2);
    while (i < n && is_digit(p[i]))
        i++;
    if (i < n && p[i] == '.')
        for (i++; i < n && is_digit(p[i]);)
            i++;
    if (i < n && (p[i] == 'e' || p[i] == 'E')) {
        size_t k = i + 1;
        if (k < n && (p[k] == '+' || p[k] == '-')) k++;
        if (k < n && is_digit(p[k])) i = k;
    }
    return id_length(p, n, i);
}

static struct sql_token token_of(enum sql_token_kind kind, const char *p, size_t n)
{
    return (struct sql_token){kind, {p, n}};
}

static struct sql_token quoted(enum sql_token_kind kind, const char *p, size_t n, char quote)
{
    size_t length = quoted_length(p, n, quote);
    return length ? token_of(kind, p, length) : token_of(SQL_TOKEN_ILLEGAL, p, n);
}

static struct sql_token operator_at(const char *p, size_t n)
{
    static const char *const pairs[] = {"==", "!=", "<>", "<=", ">=", "<<", ">>", "||", "->"};
    if (n > 2 && memcmp(p, "->>", 3) == 0) return token_of(SQL_TOKEN_OTHER, p, 3);
    for (size_t i = 0; n > 1 && i < sizeof pairs / sizeof *pairs; i++)
        if (memcmp(p, pairs[i], 2) == 0) return token_of(SQL_TOKEN_OTHER, p, 2);
    return token_of(p[0] == '!' ? SQL_TOKEN_BANG : SQL_TOKEN_OTHER, p, 1);
}

struct sql_token sql_lex(struct str text, size_t at)
{
    if (at >= text.n) return token_of(SQL_TOKEN_END, text.p ? text.p + text.n : "", 0);
    const char *p = text.p + at;
    size_t n = text.n - at;
    size_t space = space_length(p, n);
    if (space) return token_of(SQL_TOKEN_SPACE, p, space);
    switch (p[0]) {
    case '\'': return quoted(SQL_TOKEN_STRING, p, n, '\'');
    case '"':
    case '`': return quoted(SQL_TOKEN_QUOTED_ID, p, n, p[0]);
    case '[': return quoted(SQL_TOKEN_QUOTED_ID, p, n, ']');
    case ';': return token_of(SQL_TOKEN_SEMICOLON, p, 1);
    case '(': return token_of(SQL_TOKEN_OPEN, p, 1);
    case ')': return token_of(SQL_TOKEN_CLOSE, p, 1);
    case ',': return token_of(SQL_TOKEN_COMMA, p, 1);
    case '?':
    case '$':
    case ':':
    case '@':
    case '#': return token_of(SQL_TOKEN_VARIABLE, p, id_length(p, n, 1));
    case '.':
        if (n > 1 && is_digit(p[1])) return token_of(SQL_TOKEN_NUMBER, p, number_length(p, n));
        return token_of(SQL_TOKEN_DOT, p, 1);
    default: break;
    }
    if ((p[0] == 'x' || p[0] == 'X') && n > 1 && p[1] == '\'') {
        size_t length = quoted_length(p + 1, n - 1, '\'');
        return length ? token_of(SQL_TOKEN_STRING, p, length + 1)
                      : token_of(SQL_TOKEN_ILLEGAL, p, n);
    }
    if (is_digit(p[0])) return token_of(SQL_TOKEN_NUMBER, p, number_length(p, n));
    if (is_id(p[0])) return token_of(SQL_TOKEN_ID, p, id_length(p, n, 1));
    return operator_at(p, n);
}

void sql_reader_start(struct sql_reader *reader, struct str text)
{
    *reader = (struct sql_reader){.text = text};
    sql_reader_next(reader);
}

void sql_reader_next(struct sql_reader *reader)
{
    do {
        reader->token = sql_lex(reader->text, reader->at);
        reader->at += reader->token.text.n;
    } while (reader->token.kind == SQL_TOKEN_SPACE);
}

bool sql_is_word(struct str s, const char *word)
{
    size_t i = 0;
    for (; i < s.n && word[i]; i++) {
        char a = s.p[i], b = word[i];
        if (a >= 'A' && a <= 'Z') a = (char)(a + 32);
        if (b >= 'A' && b <= 'Z') b = (char)(b + 32);
        if (a != b) return false;
    }
    return i == s.n && !word[i];
}

bool sql_reader_is(const struct sql_reader *reader, const char *keyword)
{
    return reader->token.kind == SQL_TOKEN_ID && sql_is_word(reader->token.text, keyword);
}

bool sql_reader_accept(struct sql_reader *reader, const char *keyword)
{
    if (!sql_reader_is(reader, keyword)) return false;
    sql_reader_next(reader);
    return true;
}
