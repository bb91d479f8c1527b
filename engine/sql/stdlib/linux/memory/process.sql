INCLUDE PERFETTO MODULE counters.intervals;

CREATE VIEW _memory_values AS
SELECT c.id, c.ts, c.track_id, c.value
FROM __intrinsic_counter AS c
JOIN process_counter_track AS t ON t.id = c.track_id
WHERE t.name IN ('mem.rss.anon', 'mem.rss.file', 'mem.rss.shmem', 'mem.swap');

CREATE PERFETTO TABLE _memory_intervals AS
SELECT
  i.ts,
  iif(i.next_value IS NULL AND p.end_ts IS NOT NULL, p.end_ts + 1 - i.ts, i.dur) AS dur,
  t.upid, t.name, CAST(i.value AS INT) AS value
FROM counter_leading_intervals!(_memory_values) AS i
JOIN process_counter_track AS t ON t.id = i.track_id
JOIN __intrinsic_process AS p ON p.id = t.upid;

CREATE VIEW _anon_rss AS
SELECT ts, dur, upid, value AS anon_rss_value FROM _memory_intervals
WHERE name = 'mem.rss.anon' AND dur > 0;

CREATE VIEW _file_rss AS
SELECT ts, dur, upid, value AS file_rss_value FROM _memory_intervals
WHERE name = 'mem.rss.file' AND dur > 0;

CREATE VIEW _shmem_rss AS
SELECT ts, dur, upid, value AS shmem_rss_value FROM _memory_intervals
WHERE name = 'mem.rss.shmem' AND dur > 0;

CREATE VIEW _swap AS
SELECT ts, dur, upid, value AS swap_value FROM _memory_intervals
WHERE name = 'mem.swap' AND dur > 0;

CREATE VIRTUAL TABLE _anon_swap_join
USING span_outer_join(_anon_rss PARTITIONED upid, _swap PARTITIONED upid);

CREATE VIRTUAL TABLE _anon_swap_file_join
USING span_outer_join(_anon_swap_join PARTITIONED upid, _file_rss PARTITIONED upid);

CREATE VIRTUAL TABLE _memory_join
USING span_outer_join(_anon_swap_file_join PARTITIONED upid, _shmem_rss PARTITIONED upid);

CREATE PERFETTO VIEW memory_rss_and_swap_per_process AS
SELECT
  m.ts, m.dur, m.upid, p.pid, p.name AS process_name,
  anon_rss_value AS anon_rss, file_rss_value AS file_rss, shmem_rss_value AS shmem_rss,
  ifnull(anon_rss_value, 0) + ifnull(file_rss_value, 0) + ifnull(shmem_rss_value, 0) AS rss,
  swap_value AS swap,
  ifnull(anon_rss_value, 0) + ifnull(swap_value, 0) AS anon_rss_and_swap,
  ifnull(anon_rss_value, 0) + ifnull(file_rss_value, 0) + ifnull(shmem_rss_value, 0)
    + ifnull(swap_value, 0) AS rss_and_swap
FROM _memory_join AS m
JOIN __intrinsic_process AS p ON p.id = m.upid;
