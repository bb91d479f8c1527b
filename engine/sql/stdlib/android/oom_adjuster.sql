INCLUDE PERFETTO MODULE counters.intervals;

-- What the system takes a process for, by its score.
CREATE PERFETTO FUNCTION android_oom_adj_score_to_bucket_name(oom_score LONG)
RETURNS STRING AS
SELECT
  CASE
    WHEN $oom_score >= 900 THEN 'cached'
    WHEN $oom_score >= 250 THEN 'background'
    WHEN $oom_score > 200 THEN 'job'
    WHEN $oom_score = 200 THEN 'foreground_service'
    WHEN $oom_score >= 100 THEN 'bfgs'
    WHEN $oom_score >= 0 THEN 'foreground'
    WHEN $oom_score < 0 THEN 'system'
  END;

CREATE VIEW _oom_score_values AS
SELECT c.id, c.ts, c.track_id, c.value
FROM __intrinsic_counter AS c
JOIN process_counter_track AS t ON t.id = c.track_id
WHERE t.name = 'oom_score_adj';

-- Slices of the system server in which it reckons the scores.
CREATE PERFETTO TABLE _oom_adj_updates AS
SELECT
  s.id, s.ts, s.dur, s.track_id, s.name, t.name AS thread_name,
  lead(s.ts, 1, trace_end()) OVER (ORDER BY s.ts) AS next_ts
FROM __intrinsic_slice AS s
JOIN thread_track AS tt ON tt.id = s.track_id
JOIN __intrinsic_thread AS t ON t.id = tt.utid
JOIN __intrinsic_process AS p ON p.id = t.upid
WHERE s.name GLOB 'updateOomAdj_*' AND p.name = 'system_server'
ORDER BY s.ts;

CREATE PERFETTO TABLE _oom_adj_intervals AS
SELECT
  i.ts, i.dur, CAST(i.value AS INT) AS score,
  android_oom_adj_score_to_bucket_name(CAST(i.value AS INT)) AS bucket, t.upid,
  p.name AS process_name, u.id AS oom_adj_id, u.ts AS oom_adj_ts, u.dur AS oom_adj_dur,
  u.track_id AS oom_adj_track_id, u.thread_name AS oom_adj_thread_name,
  str_split(u.name, '_', 1) AS oom_adj_reason, u.name AS oom_adj_trigger
FROM counter_leading_intervals!(_oom_score_values) AS i
JOIN process_counter_track AS t ON t.id = i.track_id
JOIN __intrinsic_process AS p ON p.id = t.upid
LEFT JOIN _oom_adj_updates AS u ON i.ts >= u.ts AND i.ts < u.next_ts
ORDER BY t.upid, i.ts;

CREATE PERFETTO VIEW android_oom_adj_intervals AS
SELECT * FROM _oom_adj_intervals;
