INCLUDE PERFETTO MODULE counters.intervals;

CREATE VIEW _cpu_frequency_values AS
SELECT c.id, c.ts, c.track_id, c.value
FROM __intrinsic_counter AS c
JOIN cpu_counter_track AS t ON t.id = c.track_id
WHERE t.name = 'cpufreq';

-- kHz.
CREATE PERFETTO TABLE cpu_frequency_counters AS
SELECT
  i.id, i.track_id, i.ts, i.dur, CAST(i.value AS INT) AS freq,
  t.machine_id * 4096 + t.cpu AS ucpu, t.cpu
FROM counter_leading_intervals!(_cpu_frequency_values) AS i
JOIN cpu_counter_track AS t ON t.id = i.track_id;
