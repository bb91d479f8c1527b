-- What a thread waited for: itself while it runs or could run, and while it sleeps
-- what its waker did until it woke it.
CREATE PERFETTO FUNCTION _thread_executing_span_critical_path(
  root_utid LONG, ts TIMESTAMP, dur DURATION
)
RETURNS TABLE(id LONG, ts TIMESTAMP, dur DURATION, utid LONG, depth LONG, root_utid LONG) AS
SELECT p.id, p.ts, p.dur, p.utid, p.depth, $root_utid AS root_utid
FROM __intrinsic_critical_path($root_utid, $ts, $dur) AS p;
