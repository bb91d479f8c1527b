#include "commands/debug_row.h"

#include "commands/query.h"
#include "engine/base/memory.h"

struct debug_row {
    const struct debug_track *track; /* whose row this is; tracks live as long as the session */
    uint32_t row;
    struct query_job *job; /* while it runs */
    struct result *result;
};

static void forget(struct debug_row *row)
{
    query_job_free(row->job);
    result_free(row->result);
    *row = (struct debug_row){0};
}

void debug_row_free(struct debug_row *row)
{
    if (!row) return;
    forget(row);
    mem_free(row);
}

static void ask(struct session *session, const struct debug_track *track, uint32_t row)
{
    struct buffer sql = BUFFER_INIT;
    buffer_printf(&sql, "SELECT * FROM __debug_track_%u WHERE id = %u", track->number,
                  track->source_row[row]);
    *session->debug_row = (struct debug_row){
        .track = track,
        .row = row,
        .job = query_job_start(&session->traces[track->trace], ENGINE_ORIGIN_USER,
                               buffer_text(&sql), 1),
    };
    buffer_free(&sql);
}

void debug_row_poll(struct session *session)
{
    struct debug_row *row = session->debug_row;
    if (!row || !row->job || !query_job_is_done(row->job)) return;
    struct status ignored = STATUS_INIT; /* it is shown without its columns */
    row->result = query_job_take(row->job, &ignored);
    status_clear(&ignored);
    query_job_free(row->job);
    row->job = NULL;
    session_changed(session);
}

const struct result *session_debug_row(struct session *session, const struct debug_track *track,
                                       uint32_t row)
{
    if (!session->debug_row) session->debug_row = mem_zero(1, sizeof *session->debug_row);
    if (session->debug_row->track != track || session->debug_row->row != row) {
        forget(session->debug_row);
        if (row < track->n_rows && track->trace < session->n_traces) ask(session, track, row);
    }
    debug_row_poll(session);
    const struct result *result = session->debug_row->result;
    return result && result->n_rows ? result : NULL;
}

bool session_debug_row_is_there(const struct session *session)
{
    return session->debug_row && session->debug_row->result;
}

bool session_debug_row_is_running(const struct session *session)
{
    return session->debug_row && session->debug_row->job;
}
