/* The statements that PerfettoSQL adds to SQLite's (engine_4 4.2), taken apart. */
#ifndef ENGINE_SQL_PERFETTOSQL_STATEMENT_H
#define ENGINE_SQL_PERFETTOSQL_STATEMENT_H

#include "engine/base/arena.h"
#include "engine/base/status.h"
#include "engine/base/vec.h"

enum sql_statement_kind {
    SQL_STATEMENT_SQLITE, /* for SQLite as it is */
    SQL_STATEMENT_CREATE_TABLE,
    SQL_STATEMENT_CREATE_VIEW,
    SQL_STATEMENT_CREATE_FUNCTION,
    SQL_STATEMENT_CREATE_INDEX,
    SQL_STATEMENT_DROP_INDEX,
    SQL_STATEMENT_CREATE_MACRO,
    SQL_STATEMENT_INCLUDE,
};

enum sql_value_type {
    SQL_VALUE_INT,
    SQL_VALUE_REAL,
    SQL_VALUE_TEXT,
    SQL_VALUE_BLOB,
    SQL_VALUE_ANY
};

/* A name with its type: a column, a parameter. */
struct sql_field {
    struct str name;
    struct str type_name; /* as written */
    enum sql_value_type type;
    bool is_variadic; /* TYPE... */
};

struct sql_fields VEC_OF(struct sql_field);
struct sql_names VEC_OF(struct str);

/* Slices of the text, but for names that were quoted (arena). */
struct sql_statement {
    enum sql_statement_kind kind;
    bool replace;
    struct str name;
    struct str table;         /* of an index */
    struct sql_fields fields; /* schema, parameters */
    bool has_schema;          /* a list was written */
    bool returns_table;
    struct sql_fields results; /* RETURNS TABLE(…) */
    struct sql_field result;   /* RETURNS type */
    struct str target;         /* DELEGATES TO */
    struct sql_names columns;  /* of an index */
    struct str module;         /* INCLUDE */
    struct str body;           /* SELECT …, or a macro's tokens */
    struct arena arena;
};

/* False with "syntax error near 'x'"; *error_at is a byte of `text`. */
bool sql_statement_parse(struct sql_statement *statement, struct str text, size_t *error_at,
                         struct status *st);
void sql_statement_free(struct sql_statement *statement);

/* Does the text define a macro? Its body must not be expanded. */
bool sql_statement_is_macro(struct str text);

/* "LONG", "DOUBLE", "STRING", "BYTES", "ANY". */
const char *sql_value_type_name(enum sql_value_type type);

#endif
