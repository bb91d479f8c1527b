INCLUDE PERFETTO MODULE sched.runnable;

-- How long a thread waited before it ran.
CREATE PERFETTO TABLE sched_latency_for_running_interval AS
SELECT
  r.id AS thread_state_id, r.sched_id, r.utid, r.prev_runnable_id AS runnable_latency_id,
  w.dur AS latency_dur
FROM __intrinsic_previous_runnable AS r
JOIN __intrinsic_thread_state AS w ON w.id = r.prev_runnable_id
WHERE r.sched_id IS NOT NULL;
