CREATE VIEW counter_track AS
SELECT
  id, name, parent_id, type, dimension_arg_set_id, source_arg_set_id, machine_id,
  counter_unit AS unit,
  extract_arg(source_arg_set_id, 'description') AS description
FROM __intrinsic_track
WHERE event_type = 'counter';

CREATE PERFETTO TABLE cpu_counter_track AS
SELECT
  id, name, type, parent_id, source_arg_set_id, machine_id, unit, description,
  extract_arg(dimension_arg_set_id, 'cpu') AS cpu
FROM counter_track
WHERE extract_arg(dimension_arg_set_id, 'cpu') IS NOT NULL;

CREATE PERFETTO TABLE gpu_counter_track AS
SELECT
  t.id, t.name, t.type, t.parent_id, t.source_arg_set_id, t.machine_id, t.unit, t.description,
  extract_arg(t.dimension_arg_set_id, 'ugpu') AS ugpu, g.gpu AS gpu_id
FROM counter_track AS t
LEFT JOIN __intrinsic_gpu AS g ON g.id = extract_arg(t.dimension_arg_set_id, 'ugpu')
WHERE extract_arg(t.dimension_arg_set_id, 'ugpu') IS NOT NULL;

CREATE PERFETTO TABLE process_counter_track AS
SELECT
  id, name, type, parent_id, source_arg_set_id, machine_id, counter_unit AS unit,
  extract_arg(source_arg_set_id, 'description') AS description, upid
FROM __intrinsic_track
WHERE event_type = 'counter' AND upid IS NOT NULL;

CREATE PERFETTO TABLE thread_counter_track AS
SELECT
  id, name, type, parent_id, source_arg_set_id, machine_id, counter_unit AS unit,
  extract_arg(source_arg_set_id, 'description') AS description, utid
FROM __intrinsic_track
WHERE event_type = 'counter' AND utid IS NOT NULL;

CREATE PERFETTO TABLE perf_counter_track AS
SELECT
  id, name, type, parent_id, source_arg_set_id, machine_id, unit, description,
  extract_arg(dimension_arg_set_id, 'perf_session_id') AS perf_session_id,
  extract_arg(dimension_arg_set_id, 'cpu') AS cpu,
  extract_arg(source_arg_set_id, 'is_timebase') AS is_timebase
FROM counter_track
WHERE type IN ('perf_cpu_counter', 'perf_global_counter');

CREATE VIEW counters AS
SELECT c.id, c.ts, c.track_id, c.value, c.arg_set_id, t.name, t.counter_unit AS unit
FROM __intrinsic_counter AS c
JOIN __intrinsic_track AS t ON t.id = c.track_id
ORDER BY c.ts;
