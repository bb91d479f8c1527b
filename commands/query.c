#include "commands/query.h"

#include <string.h>

#include "engine/base/memory.h"

struct query_job {
    struct engine *engine;
    enum engine_origin origin;
    atomic_bool started;
    char *sql;
    uint64_t max_rows;
    struct result *result;
    struct status status;
    struct job *job; /* NULL: it ran at once */
};

static void run(void *argument, struct cancel *cancel)
{
    struct query_job *job = argument;
    if (cancel_is_requested(cancel)) {
        status_fail(&job->status, STATUS_INTERRUPTED, STATUS_NO_OFFSET, "interrupted");
        return;
    }
    atomic_store(&job->started, true);
    job->result = engine_query_result_from(job->engine, job->origin, str_of(job->sql),
                                           job->max_rows, &job->status);
}

struct query_job *query_job_start(const struct session_trace *trace, enum engine_origin origin,
                                  const char *sql, uint64_t max_rows)
{
    struct query_job *job = mem_zero(1, sizeof *job);
    job->engine = trace->engine;
    job->origin = origin;
    job->sql = mem_strdup(sql);
    job->max_rows = max_rows;
    job->status = (struct status)STATUS_INIT;
    if (!trace->engine)
        status_fail(&job->status, STATUS_INVALID, STATUS_NO_OFFSET, "no trace is open");
    else if (trace->worker)
        job->job = worker_post(trace->worker, run, job, NULL);
    else
        run(job, NULL);
    return job;
}

bool query_job_is_done(const struct query_job *job)
{
    return !job->job || job_is_done(job->job);
}

void query_job_cancel(struct query_job *job)
{
    if (query_job_is_done(job)) return;
    job_cancel(job->job);
    /* Not what runs before it. */
    if (atomic_load(&job->started)) engine_interrupt(job->engine);
}

struct result *query_job_take(struct query_job *job, struct status *st)
{
    struct result *result = job->result;
    job->result = NULL;
    if (!result || job->status.code != STATUS_OK) {
        result_free(result);
        result = NULL;
        status_move(st, &job->status);
        status_fail(st, STATUS_INTERRUPTED, STATUS_NO_OFFSET, "interrupted"); /* it never ran */
    }
    return result;
}

enum engine_origin query_job_origin(const struct query_job *job)
{
    return job->origin;
}

void query_job_free(struct query_job *job)
{
    if (!job) return;
    if (job->job) {
        query_job_cancel(job);
        job_wait(job->job);
        job_release(job->job);
    }
    result_free(job->result);
    status_clear(&job->status);
    mem_free(job->sql);
    mem_free(job);
}

struct job *query_job_handle(struct query_job *job)
{
    return job->job;
}

void session_wait(struct session *session, struct job *job)
{
    if (job_is_done(job)) return;
    struct job *outer = session->waiting_job;
    session->waiting_job = job;
    job_hold(job); /* results are taken in, and jobs let go, while it waits */
    if (session->hooks.wait)
        session->hooks.wait(session->hooks.context, session, job);
    else
        job_wait(job);
    job_release(job);
    session->waiting_job = outer;
}

struct result *session_query(struct session *session, uint8_t trace, enum engine_origin origin,
                             const char *sql, uint64_t max_rows, struct status *st)
{
    if (trace >= session->n_traces) {
        status_fail(st, STATUS_INVALID, STATUS_NO_OFFSET, "no trace is open");
        return NULL;
    }
    struct query_job *job = query_job_start(&session->traces[trace], origin, sql, max_rows);
    struct query_job *outer = session->waiting;
    int64_t started_ns = clock_now_ns();
    session->waiting = job;
    if (job->job) session_wait(session, job->job);
    session->waiting = outer;
    struct result *result = query_job_take(job, st);
    query_job_free(job);
    query_log_add(&session->query_log, origin, NULL, sql, started_ns, result, st);
    return result;
}
