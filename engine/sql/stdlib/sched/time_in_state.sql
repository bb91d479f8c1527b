CREATE PERFETTO TABLE sched_time_in_state_for_thread AS
WITH
  of_state AS (
    SELECT utid, state, sum(dur) AS time_in_state
    FROM __intrinsic_thread_state
    WHERE dur > 0
    GROUP BY utid, state
  ),
  of_thread AS (
    SELECT utid, sum(time_in_state) AS total_runtime FROM of_state GROUP BY utid
  )
SELECT
  s.utid, t.total_runtime, s.state, s.time_in_state,
  (s.time_in_state * 100) / t.total_runtime AS percentage_in_state
FROM of_state AS s
JOIN of_thread AS t USING (utid);

CREATE PERFETTO TABLE sched_percentage_of_time_in_state AS
SELECT
  utid,
  max(iif(state = 'Running', percentage_in_state, NULL)) AS running,
  max(iif(state = 'R', percentage_in_state, NULL)) AS runnable,
  max(iif(state = 'R+', percentage_in_state, NULL)) AS runnable_preempted,
  max(iif(state = 'S', percentage_in_state, NULL)) AS sleeping,
  max(iif(state = 'D', percentage_in_state, NULL)) AS uninterruptible_sleep,
  sum(iif(state NOT IN ('Running', 'R', 'R+', 'S', 'D'), time_in_state, NULL)) * 100
    / max(total_runtime) AS other
FROM sched_time_in_state_for_thread
GROUP BY utid;

CREATE PERFETTO FUNCTION sched_time_in_state_for_thread_in_interval(
  ts TIMESTAMP, dur DURATION, utid LONG
)
RETURNS TABLE(state STRING, io_wait BOOL, blocked_function STRING, dur DURATION) AS
SELECT
  state, io_wait, blocked_function,
  sum(min(ts + iif(dur = -1, trace_end() - ts, dur), $ts + $dur) - max(ts, $ts)) AS dur
FROM __intrinsic_thread_state
WHERE
  utid = $utid
  AND ts < $ts + $dur
  AND ts + iif(dur = -1, trace_end() - ts, dur) > $ts
GROUP BY state, io_wait, blocked_function
ORDER BY dur DESC;

CREATE PERFETTO FUNCTION sched_time_in_state_and_cpu_for_thread_in_interval(
  ts TIMESTAMP, dur DURATION, utid LONG
)
RETURNS TABLE(state STRING, io_wait BOOL, cpu LONG, blocked_function STRING, dur DURATION) AS
SELECT
  state, io_wait, ucpu & 4095 AS cpu, blocked_function,
  sum(min(ts + iif(dur = -1, trace_end() - ts, dur), $ts + $dur) - max(ts, $ts)) AS dur
FROM __intrinsic_thread_state
WHERE
  utid = $utid
  AND ts < $ts + $dur
  AND ts + iif(dur = -1, trace_end() - ts, dur) > $ts
GROUP BY state, io_wait, cpu, blocked_function
ORDER BY dur DESC;

CREATE PERFETTO FUNCTION sched_time_in_state_for_cpu_in_interval(
  cpu LONG, ts TIMESTAMP, dur LONG
)
RETURNS TABLE(end_state STRING, dur LONG) AS
SELECT
  end_state,
  sum(min(ts + iif(dur = -1, trace_end() - ts, dur), $ts + $dur) - max(ts, $ts)) AS dur
FROM __intrinsic_sched_slice
WHERE
  ucpu & 4095 = $cpu
  AND ts < $ts + $dur
  AND ts + iif(dur = -1, trace_end() - ts, dur) > $ts
GROUP BY end_state
ORDER BY dur DESC;
