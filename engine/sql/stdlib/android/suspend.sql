-- The device is awake but for its suspended spans.  Older kernels tell them by the end of
-- syscore_suspend and the freeze.
CREATE PERFETTO TABLE _suspended_spans AS
SELECT s.ts, s.dur, t.machine_id
FROM __intrinsic_slice AS s
JOIN __intrinsic_track AS t ON t.id = s.track_id
WHERE t.type = 'suspend_resume_minimal' AND s.dur > 0
UNION ALL
SELECT s.ts, s.dur, t.machine_id
FROM __intrinsic_slice AS s
JOIN __intrinsic_track AS t ON t.id = s.track_id
WHERE
  t.type = 'suspend_resume' AND s.dur > 0
  AND s.name IN ('syscore_resume(0)', 'timekeeping_freeze(0)')
  AND NOT EXISTS (SELECT 1 FROM __intrinsic_track WHERE type = 'suspend_resume_minimal')
ORDER BY 1;

-- Each span and the time up to the one after it; the trace's start comes before the first.
CREATE PERFETTO TABLE _awake_spans AS
SELECT
  ts + dur AS ts,
  ifnull(lead(ts) OVER (PARTITION BY machine_id ORDER BY ts), trace_end()) - ts - dur AS dur,
  machine_id
FROM _suspended_spans
UNION ALL
SELECT trace_start(), ifnull(min(s.ts), trace_end()) - trace_start(), m.id
FROM __intrinsic_machine AS m
LEFT JOIN _suspended_spans AS s ON s.machine_id = m.id
GROUP BY m.id;

CREATE PERFETTO TABLE android_suspend_state AS
SELECT ts, dur, 'awake' AS power_state, machine_id FROM _awake_spans WHERE dur > 0
UNION ALL
SELECT ts, dur, 'suspended', machine_id FROM _suspended_spans
ORDER BY ts;

CREATE PERFETTO FUNCTION _extract_duration_without_suspend(ts TIMESTAMP, dur DURATION)
RETURNS LONG AS
SELECT
  $dur - ifnull((
    SELECT sum(min(s.ts + s.dur, $ts + $dur) - max(s.ts, $ts))
    FROM _suspended_spans AS s
    WHERE s.ts < $ts + $dur AND s.ts + s.dur > $ts
  ), 0);
