/* The page that says what is in the trace. */
#include "commands/command.h"
#include "commands/info.h"
#include "commands/query.h"
#include "commands/session.h"

struct info_job {
    struct engine *engine;
    const char *label;
    struct buffer text;
};

static void build(void *argument, struct cancel *cancel)
{
    struct info_job *job = argument;
    if (cancel_is_requested(cancel)) return;
    struct info *info = info_new(job->engine, job->label);
    info_append_text(info, &job->text);
    info_free(info);
}

/* False when the person did not want to wait. */
static bool append_page(struct session *session, const struct session_trace *trace,
                        struct buffer *out)
{
    struct info_job job = {trace->engine, trace->title, BUFFER_INIT};
    struct cancel never = {0};
    if (trace->worker) {
        struct job *posted = worker_post(trace->worker, build, &job, NULL);
        session_wait(session, posted);
        job_wait(posted); /* `job` is on this stack */
        job_release(posted);
    } else {
        build(&job, &never);
    }
    buffer_append_str(out, buffer_str(&job.text));
    bool done = job.text.length > 0;
    buffer_free(&job.text);
    return done;
}

static bool show_info(const struct command_call *call, struct status *st)
{
    struct session *session = call->session;
    struct buffer text = BUFFER_INIT;
    bool done = session->n_traces > 0;
    for (uint32_t i = 0; i < session->n_traces && done; i++) {
        if (i > 0) buffer_append_byte(&text, '\n');
        done = session->traces[i].engine && append_page(session, &session->traces[i], &text);
    }
    if (!done) {
        buffer_free(&text);
        return status_fail(st, STATUS_INVALID, STATUS_NO_OFFSET, "no trace is open");
    }
    session_tab_show(session, session_tab_page(session, "Trace info", buffer_take(&text)));
    if (session->drawer < DRAWER_HALF) session->drawer = DRAWER_HALF;
    session->pane = PANE_DETAILS;
    session_changed(session);
    return true;
}

const struct command command_show_trace_info = {
    .id = "dev.perfetty.ShowTraceInfo",
    .name = "Show what is in the trace, and what was lost",
    .run = show_info,
};
