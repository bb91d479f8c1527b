INCLUDE PERFETTO MODULE intervals.intersect;
INCLUDE PERFETTO MODULE slices.with_context;

-- For each slice of a thread, how long the thread was in which state.
CREATE PERFETTO TABLE _time_in_state_slices AS
SELECT id, ts, dur, utid FROM thread_slice WHERE utid > 0 AND dur > 0;

CREATE PERFETTO TABLE _time_in_state_states AS
SELECT id, ts, dur, utid FROM __intrinsic_thread_state WHERE dur > 0;

CREATE PERFETTO TABLE thread_slice_time_in_state AS
SELECT
  s.id, s.name, s.utid, s.thread_name, s.upid, s.process_name, t.state, t.io_wait,
  t.blocked_function, sum(ii.dur) AS dur
FROM _interval_intersect!((_time_in_state_slices, _time_in_state_states), (utid)) AS ii
JOIN thread_slice AS s ON s.id = ii.id_0
JOIN __intrinsic_thread_state AS t ON t.id = ii.id_1
GROUP BY s.id, t.state, t.io_wait, t.blocked_function;
