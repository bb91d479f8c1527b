-- What was told of the battery at each time; NULL what was not told then.
CREATE PERFETTO VIEW android_battery_charge AS
SELECT
  c.ts,
  max(iif(t.name GLOB 'batt.*current.avg_ua', c.value, NULL)) AS current_avg_ua,
  max(iif(t.name GLOB 'batt.*capacity_pct', c.value, NULL)) AS capacity_percent,
  max(iif(t.name GLOB 'batt.*charge_uah', c.value, NULL)) AS charge_uah,
  max(iif(t.name GLOB 'batt.*current_ua', c.value, NULL)) AS current_ua,
  max(iif(t.name GLOB 'batt.*voltage_uv', c.value, NULL)) AS voltage_uv,
  max(iif(t.name GLOB 'batt.*energy_counter_uwh', c.value, NULL)) AS energy_counter_uwh,
  max(iif(t.name GLOB 'batt.*power_mw', c.value, NULL)) AS power_mw
FROM __intrinsic_counter AS c
JOIN __intrinsic_track AS t ON t.id = c.track_id
WHERE t.type = 'battery_counter'
GROUP BY c.ts;
