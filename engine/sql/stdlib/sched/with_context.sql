CREATE PERFETTO VIEW sched_with_thread_process AS
SELECT
  s.id, s.ts, s.dur, s.utid, t.name AS thread_name, p.upid, p.name AS process_name,
  s.ucpu & 4095 AS cpu, s.end_state, s.priority
FROM __intrinsic_sched_slice AS s
JOIN __intrinsic_thread AS t ON t.id = s.utid
LEFT JOIN __intrinsic_process AS p ON p.id = t.upid;
