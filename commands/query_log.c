/* The log itself, and its page. */
#include "commands/query_log.h"

#include <string.h>

#include "commands/command.h"
#include "commands/page.h"
#include "commands/result_rows.h"
#include "commands/track_match.h"
#include "engine/base/memory.h"

/* ---- the log ---- */

static void drop(struct logged_query *query)
{
    mem_free(query->title);
    mem_free(query->sql);
    mem_free(query->error);
}

void query_log_add(struct query_log *log, enum engine_origin origin, const char *title,
                   const char *sql, int64_t started_ns, const struct result *result,
                   const struct status *st)
{
    struct logged_query query = {
        .number = ++log->total,
        .origin = origin,
        .title = title ? mem_strdup(title) : NULL,
        .sql = mem_strdup(sql),
        .elapsed_ns = result ? result->elapsed_ns : clock_now_ns() - started_ns,
        .rows = result ? result->n_rows + result->rows_left_out : 0,
        .error = result ? NULL : mem_strdup(st->message ? st->message : "it gave no result"),
    };
    if (log->queries.count == QUERY_LOG_MOST) {
        drop(&log->queries.items[0]);
        memmove(&log->queries.items[0], &log->queries.items[1],
                (QUERY_LOG_MOST - 1) * sizeof log->queries.items[0]);
        log->queries.count--;
    }
    vec_push(&log->queries, query);
}

void query_log_free(struct query_log *log)
{
    for (size_t i = 0; i < log->queries.count; i++)
        drop(&log->queries.items[i]);
    vec_free(&log->queries);
}

/* ---- the page ---- */

static struct result *make_rows(struct session *session)
{
    static const char *const origins[] = {[ENGINE_ORIGIN_USER] = "you",
                                          [ENGINE_ORIGIN_SERVER] = "a server",
                                          [ENGINE_ORIGIN_TRACE] = "the trace"};
    struct result_rows rows;
    rows_begin(&rows, "number|state|dur|rows|title|sql|error|from");
    for (size_t i = session->query_log.queries.count; i > 0; i--) {
        const struct logged_query *query = &session->query_log.queries.items[i - 1];
        rows_put_int(&rows, (int64_t)query->number);
        rows_put_text(&rows, query->error ? STR("failed") : STR("done"));
        rows_put_int(&rows, query->elapsed_ns);
        rows_put_int(&rows, (int64_t)query->rows);
        rows_put_text(&rows, str_of(query->title ? query->title : "a command"));
        rows_put_text(&rows, str_of(query->sql));
        rows_put_text(&rows, str_of(query->error));
        rows_put_text(&rows, str_of(origins[query->origin]));
    }
    return rows_end(&rows);
}

static uint64_t version(const struct session *session)
{
    return session->query_log.total + 1;
}

/* With the rights that it had. */
static bool open_again(struct session *session, const struct result *result, uint64_t row,
                       struct status *st)
{
    int64_t number = result_at(result, row, 0)->integer;
    for (size_t i = 0; i < session->query_log.queries.count; i++) {
        const struct logged_query *query = &session->query_log.queries.items[i];
        if (query->number != (uint64_t)number) continue;
        char *sql = mem_strdup(query->sql); /* the log grows */
        session_open_query(session, session_trace_in_focus(session), query->origin, "Query again",
                           NULL, sql);
        mem_free(sql);
        return true;
    }
    return status_fail(st, STATUS_NOT_FOUND, STATUS_NO_OFFSET, "the log holds it no more");
}

static const struct page_kind page = {
    .title = "Query log",
    .make_rows = make_rows,
    .version = version,
    .open_row = open_again,
};

static bool show(const struct command_call *call, struct status *st)
{
    (void)st;
    session_open_page(call->session, &page);
    return true;
}

const struct command command_show_query_log = {
    .id = "dev.perfetto.ShowQueryLogTab",
    .name = "Show the queries that ran",
    .run = show,
};
