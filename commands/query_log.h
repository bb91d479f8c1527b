/* The queries that ran in this session: whose, how long, how many rows, what went
 * wrong.  The oldest go when there are QUERY_LOG_MOST. */
#ifndef COMMANDS_QUERY_LOG_H
#define COMMANDS_QUERY_LOG_H

#include "engine/base/vec.h"
#include "engine/engine.h"

struct session;

#define QUERY_LOG_MOST 500

struct logged_query {
    uint64_t number; /* 1 is the first of the session */
    enum engine_origin origin;
    char *title; /* of the tab; NULL: a command's */
    char *sql;
    int64_t elapsed_ns;
    uint64_t rows;
    char *error; /* NULL: it went well */
};

struct query_log {
    VEC(struct logged_query) queries; /* the newest last */
    uint64_t total;
};

/* `result` NULL: it failed, and `st` says why. */
void query_log_add(struct query_log *log, enum engine_origin origin, const char *title,
                   const char *sql, int64_t started_ns, const struct result *result,
                   const struct status *st);
void query_log_free(struct query_log *log);

#endif
