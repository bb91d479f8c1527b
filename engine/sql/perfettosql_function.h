/* CREATE PERFETTO FUNCTION: functions whose body is SQL. */
#ifndef ENGINE_SQL_PERFETTOSQL_FUNCTION_H
#define ENGINE_SQL_PERFETTOSQL_FUNCTION_H

#include "engine/sql/database_internal.h"
#include "engine/sql/perfettosql_statement.h"

/* A parameter, with "$name" ready to be bound. */
struct sql_parameter {
    char *variable;
    enum sql_value_type type;
};

struct sql_prototype {
    char *name;
    struct sql_parameter *parameters; /* owned */
    size_t n_parameters;
    char *body; /* expanded SQL */
    enum sql_origin origin;
};

void sql_prototype_init(struct sql_prototype *p, const struct sql_statement *s,
                        enum sql_origin origin);
void sql_prototype_dispose(struct sql_prototype *p);
/* Prepares the body as its author.  NULL with a message. */
sqlite3_stmt *sql_prototype_prepare(struct sql_database *db, const struct sql_prototype *p,
                                    struct status *st);
/* Checks types and binds; false with a message. */
bool sql_prototype_bind(const struct sql_prototype *p, sqlite3_stmt *statement,
                        sqlite3_value **values, struct status *st);

bool table_function_register(struct sql_database *db, struct status *st);
void table_functions_free(struct sql_database *db);
/* SELECT experimental_memoize('name') */
bool function_memoize(struct sql_database *db, const char *name, struct status *st);
void functions_free(struct sql_functions *functions);

#endif
