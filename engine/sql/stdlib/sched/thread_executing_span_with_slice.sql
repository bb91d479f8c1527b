INCLUDE PERFETTO MODULE intervals.intersect;
INCLUDE PERFETTO MODULE sched.states;
INCLUDE PERFETTO MODULE sched.thread_executing_span;
INCLUDE PERFETTO MODULE slices.with_context;

CREATE PERFETTO VIEW _critical_path_slices AS
SELECT id, ts, iif(dur = -1, trace_end() - ts, dur) AS dur, utid
FROM thread_slice
WHERE dur != 0;

-- The path as a stack at each time: thread, its process, its state, its slices.
CREATE PERFETTO FUNCTION _thread_executing_span_critical_path_stack(
  root_utid LONG, ts TIMESTAMP, dur DURATION
)
RETURNS TABLE(
  id LONG, ts TIMESTAMP, dur DURATION, utid LONG, stack_depth LONG, name STRING,
  table_name STRING, root_utid LONG
) AS
WITH
  path AS MATERIALIZED (
    SELECT * FROM _thread_executing_span_critical_path($root_utid, $ts, $dur)
  ),
  states AS (
    SELECT p.id, p.ts, p.dur, p.utid, t.name AS thread_name, t.tid, pr.name AS process_name,
      pr.pid, s.state, s.io_wait, s.blocked_function
    FROM path AS p
    JOIN __intrinsic_thread_state AS s ON s.id = p.id
    JOIN __intrinsic_thread AS t ON t.id = p.utid
    LEFT JOIN __intrinsic_process AS pr ON pr.id = t.upid
  )
SELECT id, ts, dur, utid, 0 AS stack_depth,
  ifnull(thread_name, 'thread') || ifnull(' ' || tid, '') AS name, 'thread_state' AS table_name,
  $root_utid AS root_utid
FROM states
UNION ALL
SELECT id, ts, dur, utid, 1, ifnull(process_name, 'process') || ' ' || pid, 'thread_state',
  $root_utid
FROM states
WHERE pid IS NOT NULL
UNION ALL
SELECT id, ts, dur, utid, 2,
  sched_state_io_to_human_readable_string(state, io_wait)
    || ifnull(' in ' || blocked_function, ''),
  'thread_state', $root_utid
FROM states
UNION ALL
SELECT s.id, i.ts, i.dur, s.utid, 3 + s.depth, s.name, 'slice', $root_utid
FROM _interval_intersect!((path, _critical_path_slices), (utid)) AS i
JOIN thread_slice AS s ON s.id = i.id_1
WHERE i.dur > 0;
