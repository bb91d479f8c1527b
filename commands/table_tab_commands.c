/* Queries that come with the program, and whole tables, each in a tab of its own. */
#include "commands/core.h"
#include "commands/track_match.h"

static bool show(const struct command_call *call, const char *title, const char *sql)
{
    session_open_query(call->session, session_trace_in_focus(call->session),
                       command_origin(call->context), title, title, sql);
    return true;
}

#define SHOWS(function, title, sql) \
    static bool function(const struct command_call *call, struct status *st) \
    { \
        (void)st; \
        return show(call, title, sql); \
    }

#define QUERY(symbol, command_id, words, function) \
    const struct command symbol = { \
        .id = command_id, .name = words, .kind = COMMAND_QUERY, .run = function}

/* ---- cycles: time at a frequency; kHz times ns are a millionth of a cycle ---- */

SHOWS(cycles_by_state, "Cycles by frequency and CPU",
      "INCLUDE PERFETTO MODULE linux.cpu.frequency;\n"
      "SELECT cpu, freq / 1e3 AS mhz, sum(dur) / 1e6 AS ms,\n"
      "  sum(dur / 1e6 * freq) / 1e6 AS gigacycles\n"
      "FROM cpu_frequency_counters WHERE dur > 0\n"
      "GROUP BY cpu, freq ORDER BY gigacycles DESC")

SHOWS(cycles_by_process, "Cycles by CPU and process",
      "INCLUDE PERFETTO MODULE intervals.intersect;\n"
      "INCLUDE PERFETTO MODULE linux.cpu.frequency;\n"
      "WITH\n"
      "  runs AS MATERIALIZED (\n"
      "    SELECT sched.id, sched.ts, sched.dur, sched.ucpu, process.name, process.pid\n"
      "    FROM sched JOIN thread USING (utid) LEFT JOIN process USING (upid)\n"
      "    WHERE sched.dur > 0 AND NOT thread.is_idle\n"
      "  ),\n"
      "  speeds AS MATERIALIZED (\n"
      "    SELECT id, ts, dur, ucpu, freq FROM cpu_frequency_counters WHERE dur > 0\n"
      "  )\n"
      "SELECT i.ucpu AS cpu, r.name AS process, r.pid, sum(i.dur) / 1e6 AS ms,\n"
      "  sum(i.dur / 1e6 * s.freq) / 1e6 AS gigacycles\n"
      "FROM _interval_intersect!((runs, speeds), (ucpu)) AS i\n"
      "JOIN runs AS r ON r.id = i.id_0 JOIN speeds AS s ON s.id = i.id_1\n"
      "GROUP BY i.ucpu, r.pid, r.name ORDER BY gigacycles DESC")

SHOWS(heap_by_type, "Heap by type",
      "SELECT o.graph_sample_ts AS ts, p.name AS process, p.pid,\n"
      "  ifnull(c.deobfuscated_name, c.name) AS type, count() AS objects,\n"
      "  sum(o.self_size) AS bytes, sum(o.native_size) AS native_bytes\n"
      "FROM heap_graph_object AS o\n"
      "JOIN heap_graph_class AS c ON c.id = o.type_id LEFT JOIN process AS p USING (upid)\n"
      "WHERE o.reachable\n"
      "GROUP BY o.graph_sample_ts, o.upid, type ORDER BY bytes DESC")

QUERY(command_query_cycles_by_state, "dev.perfetto.RunQueryCyclesByStateByCpu",
      "Query: cycles by frequency and CPU", cycles_by_state);
QUERY(command_query_cycles_by_process, "dev.perfetto.RunQueryCyclesByCpuByProcess",
      "Query: cycles by CPU and process", cycles_by_process);
QUERY(command_query_heap_by_type, "dev.perfetto.RunQueryHeapGraphBytesPerType",
      "Query: reachable heap by type", heap_by_type);

/* ---- tables of the standard library ---- */

#define STDLIB_TABLES "SELECT module, name, type FROM __intrinsic_stdlib_tables"

/* "name" as SQL wants a text. */
static void append_literal(struct buffer *sql, const char *text)
{
    buffer_append_byte(sql, '\'');
    for (; *text; text++)
        buffer_printf(sql, "%s%c", *text == '\'' ? "'" : "", *text);
    buffer_append_byte(sql, '\'');
}

static bool open_table(const struct command_call *call, struct status *st)
{
    struct session *session = call->session;
    if (call->n_args == 0)
        return show(call, "Standard library's tables", STDLIB_TABLES " ORDER BY module, name");
    struct buffer sql = BUFFER_INIT;
    buffer_append_text(&sql, STDLIB_TABLES " WHERE name = ");
    append_literal(&sql, call->args[0]);
    struct result *found = session_query(session, session_trace_in_focus(session),
                                         command_origin(call->context), buffer_text(&sql), 1, st);
    bool good = found && found->n_rows;
    if (found && !good)
        status_fail(st, STATUS_NOT_FOUND, STATUS_NO_OFFSET,
                    "the standard library has no table %.80s", call->args[0]);
    if (good) {
        buffer_clear(&sql);
        struct str module = result_at(found, 0, 0)->text;
        if (!str_starts(module, STR("prelude.")))
            buffer_printf(&sql, "INCLUDE PERFETTO MODULE %.*s;\n", STR_ARG(module));
        buffer_printf(&sql, "SELECT * FROM %s", call->args[0]);
        show(call, call->args[0], buffer_text(&sql));
    }
    result_free(found);
    buffer_free(&sql);
    return good;
}

const struct command command_open_sql_modules_table = {
    .id = "dev.perfetto.OpenSqlModulesTable",
    .name = "Open a table of the standard library; without a name: list them",
    .kind = COMMAND_QUERY,
    .args = {{"table", COMMAND_ARG_TEXT, true, NULL}},
    .run = open_table,
};

/* ---- tables ---- */

SHOWS(table_slice, "slice", "SELECT * FROM slice")
SHOWS(table_thread, "thread", "SELECT * FROM thread")
SHOWS(table_process, "process", "SELECT * FROM process")
SHOWS(table_sched, "sched", "SELECT * FROM sched")
SHOWS(table_thread_state, "thread_state", "SELECT * FROM thread_state")
SHOWS(table_android_logs, "android_logs", "SELECT * FROM android_logs")

QUERY(command_show_table_slice, "org.chromium.ShowTable.slice", "Open the table slice",
      table_slice);
QUERY(command_show_table_thread, "org.chromium.ShowTable.thread", "Open the table thread",
      table_thread);
QUERY(command_show_table_process, "org.chromium.ShowTable.process", "Open the table process",
      table_process);
QUERY(command_show_table_sched, "org.chromium.ShowTable.sched", "Open the table sched",
      table_sched);
QUERY(command_show_table_thread_state, "org.chromium.ShowTable.thread_state",
      "Open the table thread_state", table_thread_state);
QUERY(command_show_table_android_logs, "org.chromium.ShowTable.android_logs",
      "Open the table android_logs", table_android_logs);
