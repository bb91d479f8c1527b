/* SQL: run it, or run it in a tab. */
#include <inttypes.h>

#include "commands/core.h"
#include "commands/track_match.h"

static bool run_query(const struct command_call *call, struct status *st)
{
    struct result *result = session_query(call->session, session_trace_in_focus(call->session),
                                          command_origin(call->context), call->args[0], 0, st);
    if (!result) return false;
    uint64_t rows = result->n_rows + result->rows_left_out;
    if (result->n_columns)
        session_say(call->session, MESSAGE_INFO, "the query gave %" PRIu64 " row%s", rows,
                    rows == 1 ? "" : "s");
    else
        session_say(call->session, MESSAGE_INFO, "the statement ran");
    result_free(result);
    return true;
}

static bool run_and_show(const struct command_call *call, struct status *st)
{
    (void)st; /* an error is shown in the tab */
    session_open_query(call->session, session_trace_in_focus(call->session),
                       command_origin(call->context), command_arg(call, 1, "Command Query"), NULL,
                       call->args[0]);
    return true;
}

/* What the SQL prompt does: one tab, used again. */
static bool prompt_query(const struct command_call *call, struct status *st)
{
    (void)st;
    if (call->n_args == 0)
        session_ask(call->session, REQUEST_SQL_PROMPT, NULL);
    else
        session_open_query(call->session, session_trace_in_focus(call->session),
                           command_origin(call->context), "Query", "omnibox_query", call->args[0]);
    return true;
}

/* Begins with the query of the shown tab. */
static bool edit_query(const struct command_call *call, struct status *st)
{
    (void)st;
    const struct tab *tab = session_tab_shown(call->session);
    const char *sql = tab->kind == TAB_QUERY && tab->sql && !tab->page ? tab->sql : "";
    session_ask(call->session, REQUEST_EDIT_SQL, command_arg(call, 0, sql));
    return true;
}

/* The time that a query is about: the selected one, else what is visible. */
static void span_of_interest(const struct session *session, uint8_t trace, int64_t *start,
                             int64_t *end)
{
    bool selected = session->selection.kind == SELECTION_AREA;
    int64_t offset = trace < session->n_traces ? session->traces[trace].offset_ns : 0;
    *start = (selected ? session->selection.start : session->window_start) - offset;
    *end = (selected ? session->selection.end : session->window_end) - offset;
}

static bool query_window(const struct command_call *call, struct status *st)
{
    (void)st;
    int64_t start, end;
    uint8_t trace = session_trace_in_focus(call->session);
    span_of_interest(call->session, trace, &start, &end);
    struct buffer sql = BUFFER_INIT;
    buffer_printf(&sql,
                  "SELECT * FROM slice WHERE ts < %" PRId64 " AND ts + max(dur, 0) >= %" PRId64
                  " ORDER BY ts",
                  end, start);
    session_open_query(call->session, trace, ENGINE_ORIGIN_USER, "Slices in the window",
                       "window_query", buffer_text(&sql));
    buffer_free(&sql);
    return true;
}

static bool copy_time_window(const struct command_call *call, struct status *st)
{
    (void)st;
    int64_t start, end;
    span_of_interest(call->session, session_trace_in_focus(call->session), &start, &end);
    struct buffer text = BUFFER_INIT;
    buffer_printf(&text, "ts >= %" PRId64 " and ts < %" PRId64, start, end);
    session_ask(call->session, REQUEST_COPY, buffer_text(&text));
    buffer_free(&text);
    return true;
}

static bool show(const struct command_call *call, const char *title, const char *sql)
{
    session_open_query(call->session, session_trace_in_focus(call->session),
                       command_origin(call->context), title, title, sql);
    return true;
}

static bool all_processes(const struct command_call *call, struct status *st)
{
    (void)st;
    return show(call, "All processes", "SELECT name, pid FROM process ORDER BY name");
}

static bool cpu_time(const struct command_call *call, struct status *st)
{
    (void)st;
    return show(call, "CPU time by process",
                "SELECT process.name, process.pid, sum(sched.dur) / 1e6 AS cpu_ms\n"
                "FROM sched JOIN thread USING (utid) JOIN process USING (upid)\n"
                "WHERE sched.dur > 0 GROUP BY upid ORDER BY cpu_ms DESC LIMIT 100");
}

static bool stats_tab(const struct command_call *call, struct status *st)
{
    (void)st;
    return show(call, "Errors and losses",
                "SELECT name, idx, severity, source, value, description FROM stats\n"
                "WHERE value > 0 AND severity IN ('error', 'data_loss') ORDER BY name, idx");
}

static bool metadata_tab(const struct command_call *call, struct status *st)
{
    (void)st;
    return show(call, "Metadata",
                "SELECT name, coalesce(str_value, int_value) AS value FROM metadata ORDER BY name");
}

const struct command command_run_query = {
    .id = "dev.perfetto.RunQuery",
    .name = "Run SQL",
    .kind = COMMAND_QUERY,
    .args = {{"query", COMMAND_ARG_SQL, false, NULL}},
    .run = run_query,
};
const struct command command_run_query_and_show_tab = {
    .id = "dev.perfetto.RunQueryAndShowTab",
    .name = "Run SQL and show the rows in a tab",
    .kind = COMMAND_QUERY,
    .args = {{"query", COMMAND_ARG_SQL, false, NULL}, {"title", COMMAND_ARG_TEXT, true, NULL}},
    .run = run_and_show,
};
const struct command command_query = {
    .id = "dev.perfetto.SwitchToQueryMode",
    .name = "SQL prompt",
    .kind = COMMAND_QUERY,
    .args = {{"query", COMMAND_ARG_SQL, true, NULL}},
    .run = prompt_query,
};
const struct command command_edit_sql = {
    .id = "dev.perfetty.EditSql",
    .name = "Write SQL in your editor, and run it",
    .kind = COMMAND_REACH,
    .args = {{"query", COMMAND_ARG_SQL, true, NULL}},
    .run = edit_query,
};
const struct command command_query_window = {
    .id = "dev.perfetto.RunQueryInSelectedTimeWindow",
    .name = "Slices of the selected time, or of the window",
    .kind = COMMAND_QUERY,
    .run = query_window,
};
const struct command command_copy_time_window = {
    .id = "dev.perfetto.CopyTimeWindow",
    .name = "Copy the time window as a SQL condition",
    .kind = COMMAND_REACH,
    .run = copy_time_window,
};
const struct command command_query_all_processes = {
    .id = "dev.perfetto.RunQueryAllProcesses",
    .name = "Query: all processes",
    .kind = COMMAND_QUERY,
    .run = all_processes,
};
const struct command command_query_cpu_time = {
    .id = "dev.perfetto.RunQueryCpuTimeByProcess",
    .name = "Query: CPU time by process",
    .kind = COMMAND_QUERY,
    .run = cpu_time,
};
const struct command command_show_stats = {
    .id = "dev.perfetty.ShowErrorsAndLosses",
    .name = "Show import errors and data losses",
    .kind = COMMAND_QUERY,
    .run = stats_tab,
};
const struct command command_show_metadata = {
    .id = "dev.perfetty.ShowMetadata",
    .name = "Show facts about the trace",
    .kind = COMMAND_QUERY,
    .run = metadata_tab,
};
