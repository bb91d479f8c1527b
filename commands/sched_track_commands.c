/* Counters over time that the scheduler's events give, as debug tracks. */
#include "commands/core.h"
#include "commands/track_match.h"

static bool add(const struct command_call *call, const char *title, const char *sql,
                struct status *st)
{
    struct session *session = call->session;
    uint8_t trace = session_trace_in_focus(session);
    struct result *included =
        session_query(session, trace, command_origin(call->context),
                      "INCLUDE PERFETTO MODULE sched.thread_level_parallelism", 0, st);
    result_free(included);
    struct debug_request request = {
        .is_counter = true, .origin = command_origin(call->context), .sql = sql, .title = title};
    return included && session_add_debug_tracks(session, trace, &request, st);
}

static bool runnable(const struct command_call *call, struct status *st)
{
    return add(call, "Runnable thread count",
               "SELECT ts, runnable_thread_count AS value FROM sched_runnable_thread_count", st);
}

static bool blocked(const struct command_call *call, struct status *st)
{
    return add(call, "Uninterruptible Sleep thread count",
               "SELECT ts, uninterruptible_sleep_thread_count AS value "
               "FROM sched_uninterruptible_sleep_thread_count",
               st);
}

static bool active(const struct command_call *call, struct status *st)
{
    return add(call, "Active CPU count",
               "SELECT ts, active_cpu_count AS value FROM sched_active_cpu_count", st);
}

/* Clusters are numbered from the smallest processors to the largest; all between
 * the ends are called mid. */
#define ACTIVE_OF(condition) \
    "WITH clusters AS (SELECT min(cluster_id) AS least, max(cluster_id) AS most FROM cpu)\n" \
    "SELECT ts, value FROM intervals_overlap_count!((\n" \
    "  SELECT s.ts, s.dur FROM sched AS s JOIN thread USING (utid)\n" \
    "  JOIN cpu ON cpu.ucpu = s.ucpu JOIN clusters\n" \
    "  WHERE NOT thread.is_idle AND clusters.least < clusters.most AND " condition "), ts, dur)"

static bool has_clusters(const struct command_call *call, struct status *st)
{
    struct session *session = call->session;
    struct result *rows =
        session_query(session, session_trace_in_focus(session), command_origin(call->context),
                      "SELECT count(DISTINCT cluster_id) FROM cpu", 1, st);
    if (!rows) return false;
    bool has = rows->n_rows && result_at(rows, 0, 0)->integer > 1;
    result_free(rows);
    return has || status_fail(st, STATUS_NOT_FOUND, STATUS_NO_OFFSET,
                              "the trace does not tell big CPUs from little ones");
}

static bool active_little(const struct command_call *call, struct status *st)
{
    return has_clusters(call, st) &&
           add(call, "Active CPU count: little", ACTIVE_OF("cpu.cluster_id = clusters.least"), st);
}

static bool active_mid(const struct command_call *call, struct status *st)
{
    return has_clusters(call, st) &&
           add(call, "Active CPU count: mid",
               ACTIVE_OF("cpu.cluster_id NOT IN (clusters.least, clusters.most)"), st);
}

static bool active_big(const struct command_call *call, struct status *st)
{
    return has_clusters(call, st) &&
           add(call, "Active CPU count: big", ACTIVE_OF("cpu.cluster_id = clusters.most"), st);
}

#define COUNTER(symbol, command_id, words, function) \
    const struct command symbol = { \
        .id = command_id, .name = words, .kind = COMMAND_QUERY, .run = function}

COUNTER(command_add_runnable_count, "dev.perfetto.Sched.AddRunnableThreadCountTrackCommand",
        "Add a track of how many threads wait for a CPU", runnable);
COUNTER(command_add_blocked_count,
        "dev.perfetto.Sched.AddUninterruptibleSleepThreadCountTrackCommand",
        "Add a track of how many threads sleep without interruption", blocked);
COUNTER(command_add_active_cpu_count, "dev.perfetto.Sched.AddActiveCPUCountTrackCommand",
        "Add a track of how many CPUs are busy", active);
COUNTER(command_add_active_cpu_count_little,
        "dev.perfetto.Sched.AddActiveCPUCountTrackCommand.little",
        "Add a track of how many little CPUs are busy", active_little);
COUNTER(command_add_active_cpu_count_mid, "dev.perfetto.Sched.AddActiveCPUCountTrackCommand.mid",
        "Add a track of how many mid CPUs are busy", active_mid);
COUNTER(command_add_active_cpu_count_big, "dev.perfetto.Sched.AddActiveCPUCountTrackCommand.big",
        "Add a track of how many big CPUs are busy", active_big);
