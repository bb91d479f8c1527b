INCLUDE PERFETTO MODULE counters.intervals;

CREATE VIEW _cpu_idle_values AS
SELECT c.id, c.ts, c.track_id, c.value
FROM __intrinsic_counter AS c
JOIN cpu_counter_track AS t ON t.id = c.track_id
WHERE t.name = 'cpuidle';

-- 4294967295 is how the kernel writes -1: not idle.
CREATE PERFETTO TABLE cpu_idle_counters AS
SELECT
  i.id, i.track_id, i.ts, i.dur,
  CAST(iif(i.value = 4294967295, -1, i.value) AS INT) AS idle, t.cpu
FROM counter_leading_intervals!(_cpu_idle_values) AS i
JOIN cpu_counter_track AS t ON t.id = i.track_id;
