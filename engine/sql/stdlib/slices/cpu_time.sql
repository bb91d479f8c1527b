INCLUDE PERFETTO MODULE slices.with_context;

CREATE VIEW _slice_cpu_time_slices AS
SELECT id, ts, dur, utid FROM thread_slice WHERE dur > 0;

-- Time on a CPU of slices of threads.
CREATE PERFETTO TABLE thread_slice_cpu_time AS
WITH overlap AS (
  SELECT t.id, sum(min(t.ts + t.dur, s.ts + s.dur) - max(t.ts, s.ts)) AS cpu_time
  FROM _slice_cpu_time_slices AS t
  JOIN __intrinsic_sched_slice AS s
    ON s.utid = t.utid AND s.ts < t.ts + t.dur AND s.ts + s.dur > t.ts AND s.dur > 0
  GROUP BY t.id
)
SELECT s.id, s.name, s.utid, s.thread_name, s.upid, s.process_name, o.cpu_time
FROM overlap AS o
JOIN thread_slice AS s ON s.id = o.id;
