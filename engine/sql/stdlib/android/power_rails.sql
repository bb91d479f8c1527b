INCLUDE PERFETTO MODULE counters.intervals;

CREATE PERFETTO TABLE android_power_rails_metadata AS
SELECT
  name AS power_rail_name, extract_arg(source_arg_set_id, 'raw_name') AS raw_power_rail_name,
  iif(name GLOB 'power.rails.*', substr(name, 13), NULL) AS friendly_name, id AS track_id,
  extract_arg(source_arg_set_id, 'subsystem_name') AS subsystem_name, machine_id
FROM counter_track
WHERE type = 'power_rails';

CREATE VIEW _power_rail_values AS
SELECT c.id, c.ts, c.track_id, c.value
FROM __intrinsic_counter AS c
JOIN __intrinsic_track AS t ON t.id = c.track_id
WHERE t.type = 'power_rails';

-- Energy in µWs, power in mW.
CREATE PERFETTO TABLE android_power_rails_counters AS
SELECT
  i.id, i.ts, i.dur, m.power_rail_name, m.raw_power_rail_name, i.value AS energy_since_boot,
  i.next_value AS energy_since_boot_at_end,
  1e6 * (i.next_value - i.value) / nullif(i.dur, 0) AS average_power,
  i.next_value - i.value AS energy_delta, i.track_id, i.value
FROM counter_leading_intervals!(_power_rail_values) AS i
JOIN android_power_rails_metadata AS m ON m.track_id = i.track_id
ORDER BY i.track_id, i.ts;
