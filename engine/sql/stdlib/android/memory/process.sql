INCLUDE PERFETTO MODULE android.oom_adjuster;

INCLUDE PERFETTO MODULE linux.memory.process;

CREATE VIEW _oom_scores_to_join AS
SELECT
  ts, dur, upid AS upid, score, bucket, oom_adj_id, oom_adj_ts, oom_adj_dur, oom_adj_track_id,
  oom_adj_thread_name, oom_adj_reason, oom_adj_trigger
FROM _oom_adj_intervals
WHERE dur > 0;

CREATE PERFETTO TABLE _memory_to_join AS
SELECT
  ts, dur, upid, anon_rss, file_rss, shmem_rss, rss, swap, anon_rss_and_swap, rss_and_swap
FROM memory_rss_and_swap_per_process
WHERE dur > 0
ORDER BY upid, ts;

CREATE VIRTUAL TABLE _oom_score_memory_join
USING span_outer_join(_oom_scores_to_join PARTITIONED upid, _memory_to_join PARTITIONED upid);

CREATE PERFETTO TABLE memory_oom_score_with_rss_and_swap_per_process AS
SELECT
  j.ts, j.dur, j.score, j.bucket, j.upid, p.name AS process_name, p.pid, j.oom_adj_id,
  j.oom_adj_ts, j.oom_adj_dur, j.oom_adj_track_id, j.oom_adj_thread_name, j.oom_adj_reason,
  j.oom_adj_trigger, j.anon_rss, j.file_rss, j.shmem_rss, j.rss, j.swap, j.anon_rss_and_swap,
  j.rss_and_swap
FROM _oom_score_memory_join AS j
JOIN __intrinsic_process AS p ON p.id = j.upid;
