/* Tokens of PerfettoSQL: SQLite's, and '!' by itself for macro calls.  Tokens are
 * slices of the text; every byte belongs to exactly one. */
#ifndef ENGINE_SQL_PERFETTOSQL_LEXER_H
#define ENGINE_SQL_PERFETTOSQL_LEXER_H

#include "engine/base/str.h"

enum sql_token_kind {
    SQL_TOKEN_END,
    SQL_TOKEN_SPACE, /* white space and comments */
    SQL_TOKEN_ID,    /* also keywords */
    SQL_TOKEN_QUOTED_ID,
    SQL_TOKEN_STRING,
    SQL_TOKEN_NUMBER,
    SQL_TOKEN_VARIABLE, /* $x :x @x ?1 */
    SQL_TOKEN_SEMICOLON,
    SQL_TOKEN_OPEN,
    SQL_TOKEN_CLOSE,
    SQL_TOKEN_COMMA,
    SQL_TOKEN_DOT,
    SQL_TOKEN_BANG,
    SQL_TOKEN_OTHER,   /* operators */
    SQL_TOKEN_ILLEGAL, /* a string or a name without its end; a stray byte */
};

struct sql_token {
    enum sql_token_kind kind;
    struct str text;
};

/* The token at byte `at`; SQL_TOKEN_END behind the last one. */
struct sql_token sql_lex(struct str text, size_t at);

/* Walks over tokens that are no space. */
struct sql_reader {
    struct str text;
    size_t at;              /* behind `token` */
    struct sql_token token; /* the current one */
};

void sql_reader_start(struct sql_reader *reader, struct str text);
void sql_reader_next(struct sql_reader *reader);
/* Byte of the current token. */
static inline size_t sql_reader_offset(const struct sql_reader *reader)
{
    return reader->at - reader->token.text.n;
}
/* Is the current token this keyword (ASCII, without case)? */
bool sql_reader_is(const struct sql_reader *reader, const char *keyword);
/* Steps over the keyword when it is there. */
bool sql_reader_accept(struct sql_reader *reader, const char *keyword);

/* ASCII comparison without case. */
bool sql_is_word(struct str s, const char *word);

#endif
