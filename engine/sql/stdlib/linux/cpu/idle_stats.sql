INCLUDE PERFETTO MODULE linux.cpu.idle;

CREATE PERFETTO TABLE cpu_idle_stats AS
WITH
  of_state AS (
    SELECT cpu, idle + 1 AS state, count(1) AS count, sum(dur) AS dur, avg(dur) AS avg_dur
    FROM cpu_idle_counters
    WHERE dur > 0
    GROUP BY cpu, idle
  )
SELECT
  cpu, state, count, dur, CAST(avg_dur AS INT) AS avg_dur,
  dur * 100.0 / sum(dur) OVER (PARTITION BY cpu) AS idle_percent
FROM of_state
WHERE state > 0
ORDER BY cpu, state;
