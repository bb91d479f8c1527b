/* Log lines of Android and of journald, and raw ftrace events (spec ui §6). */
#include <inttypes.h>

#include "commands/command.h"
#include "commands/page.h"

/* ---- Android ---- */

/* prio 2 is verbose, 7 fatal. */
static const char *const android_levels[] = {"V", "D", "I", "W", "E", "F", NULL};

static void write_between(const char *column, int64_t start, int64_t end, struct buffer *out)
{
    if (start != PAGE_NO_START) buffer_printf(out, " AND %s >= %" PRId64, column, start);
    if (end != PAGE_NO_END) buffer_printf(out, " AND %s < %" PRId64, column, end);
}

static void write_android(const struct session *session, const struct tab *tab, int64_t start,
                          int64_t end, struct buffer *out)
{
    (void)session;
    buffer_append_text(out, "SELECT l.id AS id, l.ts AS ts, "
                            "CASE WHEN l.prio BETWEEN 2 AND 7 THEN substr('VDIWEF', l.prio - 1, 1) "
                            "ELSE '?' END AS level, l.tag AS tag, process.name AS process, "
                            "process.pid AS pid, thread.tid AS tid, l.msg AS msg\n"
                            "FROM __intrinsic_logs AS l LEFT JOIN thread ON thread.utid = l.utid "
                            "LEFT JOIN process ON process.upid = thread.upid\n"
                            "WHERE l.log_source = 'android_logcat'");
    if (tab->page->level) buffer_printf(out, " AND l.prio >= %u", tab->page->level + 2);
    write_between("l.ts", start, end, out);
}

static const struct page_kind android_logs = {
    .title = "Android logs",
    .write_sql = write_android,
    .columns = "id, ts, level, tag, process, pid, tid, msg",
    .order = "ts, id",
    .searched = "tag|msg|process",
    .levels = android_levels,
};

/* ---- journald ---- */

/* syslog's severities, the worst is 0. */
static const char *const journal_levels[] = {"debug", "info",  "notice", "warning", "err",
                                             "crit",  "alert", "emerg",  NULL};

static void write_journal(const struct session *session, const struct tab *tab, int64_t start,
                          int64_t end, struct buffer *out)
{
    (void)session;
    buffer_append_text(out,
                       "SELECT l.id AS id, l.ts AS ts, CASE l.prio WHEN 0 THEN 'emerg' WHEN 1 THEN "
                       "'alert' WHEN 2 THEN 'crit' WHEN 3 THEN 'err' WHEN 4 THEN 'warning' WHEN 5 "
                       "THEN 'notice' WHEN 6 THEN 'info' ELSE 'debug' END AS level, l.tag AS tag, "
                       "process.name AS process, process.pid AS pid, thread.tid AS tid, l.msg AS "
                       "msg, l.arg_set_id AS arg_set_id\n"
                       "FROM __intrinsic_logs AS l LEFT JOIN thread ON thread.utid = l.utid "
                       "LEFT JOIN process ON process.upid = thread.upid\n"
                       "WHERE l.log_source = 'systemd_journald'");
    if (tab->page->level) buffer_printf(out, " AND l.prio <= %u", 7 - tab->page->level);
    write_between("l.ts", start, end, out);
}

static const struct page_kind journal_logs = {
    .title = "Journald logs",
    .write_sql = write_journal,
    .columns = "id, ts, level, tag, process, pid, tid, msg",
    .order = "ts, id",
    .searched = "tag|msg|process",
    .levels = journal_levels,
    .has_args = true,
};

/* ---- ftrace ---- */

static void write_ftrace(const struct session *session, const struct tab *tab, int64_t start,
                         int64_t end, struct buffer *out)
{
    (void)session, (void)tab;
    buffer_append_text(out, "SELECT f.id AS id, f.ts AS ts, f.ucpu & 4095 AS cpu, f.name AS event, "
                            "thread.name AS thread, thread.tid AS tid, process.name AS process, "
                            "f.arg_set_id AS arg_set_id\n"
                            "FROM __intrinsic_ftrace_event AS f LEFT JOIN thread ON thread.utid = "
                            "f.utid LEFT JOIN process ON process.upid = thread.upid\nWHERE 1");
    write_between("f.ts", start, end, out);
}

static const struct page_kind ftrace_events = {
    .title = "Ftrace events",
    .write_sql = write_ftrace,
    .columns = "id, ts, cpu, event, thread, tid, process",
    .order = "ts, id",
    .searched = "event|thread|process",
    .has_args = true,
};

/* ---- commands ---- */

/* A page without rows would say nothing of why. */
static bool open_page(const struct command_call *call, const struct page_kind *kind,
                      struct status *st)
{
    if (!call->session->n_traces)
        return status_fail(st, STATUS_INVALID, STATUS_NO_OFFSET, "no trace is open");
    session_open_page(call->session, kind);
    return true;
}

static bool show_android(const struct command_call *call, struct status *st)
{
    return open_page(call, &android_logs, st);
}

static bool show_journal(const struct command_call *call, struct status *st)
{
    return open_page(call, &journal_logs, st);
}

static bool show_ftrace(const struct command_call *call, struct status *st)
{
    return open_page(call, &ftrace_events, st);
}

const struct command command_show_android_logs = {
    .id = "com.android.ShowAndroidLogsTab",
    .name = "Show Android's log lines",
    .kind = COMMAND_QUERY,
    .run = show_android,
};
const struct command command_show_journald_logs = {
    .id = "dev.perfetto.ShowJournaldLogsTab",
    .name = "Show journald's log lines",
    .kind = COMMAND_QUERY,
    .run = show_journal,
};
const struct command command_show_ftrace = {
    .id = "dev.perfetto.ShowFtraceTab",
    .name = "Show ftrace events with their arguments",
    .kind = COMMAND_QUERY,
    .run = show_ftrace,
};
