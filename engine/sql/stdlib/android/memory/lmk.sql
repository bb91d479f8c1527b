INCLUDE PERFETTO MODULE android.oom_adjuster;

-- lmkd writes "lmk,PID,REASON,SCORE,…" into a slice; the kernel's driver told the process only.
CREATE PERFETTO TABLE _lmk_reports AS
SELECT
  ts, CAST(str_split(name, ',', 1) AS INT) AS pid, CAST(str_split(name, ',', 2) AS INT) AS reason,
  CAST(str_split(name, ',', 3) AS INT) AS score
FROM __intrinsic_slice
WHERE name GLOB 'lmk,[0-9]*,*';

CREATE PERFETTO FUNCTION _lmk_reason(reason LONG)
RETURNS STRING AS
SELECT
  CASE $reason
    WHEN 0 THEN 'PRESSURE_AFTER_KILL'
    WHEN 1 THEN 'NOT_RESPONDING'
    WHEN 2 THEN 'LOW_SWAP_AND_THRASHING'
    WHEN 3 THEN 'LOW_MEM_AND_SWAP'
    WHEN 4 THEN 'LOW_MEM_AND_THRASHING'
    WHEN 5 THEN 'DIRECT_RECL_AND_THRASHING'
    WHEN 6 THEN 'LOW_MEM_AND_SWAP_UTIL'
    WHEN 7 THEN 'LOW_FILECACHE_AFTER_THRASHING'
    WHEN 8 THEN 'LOW_MEM'
    WHEN 9 THEN 'DIRECT_RECL_STUCK'
  END;

CREATE PERFETTO TABLE android_lmk_events AS
SELECT
  s.ts, t.upid, p.pid, p.name AS process_name,
  coalesce(r.score, (
    SELECT o.score
    FROM _oom_adj_intervals AS o
    WHERE o.upid = t.upid AND o.ts <= s.ts
    ORDER BY o.ts DESC
    LIMIT 1
  )) AS oom_score_adj,
  _lmk_reason(r.reason) AS kill_reason, r.reason AS kill_reason_raw
FROM __intrinsic_slice AS s
JOIN __intrinsic_track AS t ON t.id = s.track_id
LEFT JOIN __intrinsic_process AS p ON p.id = t.upid
LEFT JOIN _lmk_reports AS r ON r.ts = s.ts AND r.pid = p.pid
WHERE t.type = 'android_lmk'
ORDER BY s.ts;
