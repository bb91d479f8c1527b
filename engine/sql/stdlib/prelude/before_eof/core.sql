-- What can be asked before the file has been read to its end.
CREATE VIEW metadata AS
SELECT id, name, key_type, int_value, str_value, machine_id, trace_id
FROM __intrinsic_metadata;

CREATE VIEW stats AS
SELECT id, name, key, idx, severity, source, value, description, machine_id, trace_id
FROM __intrinsic_stats;

CREATE VIEW _trace_bounds AS
SELECT trace_start() AS start_ts, trace_end() AS end_ts;

CREATE VIEW perf_sample AS
SELECT
  s.id, s.ts, t.utid, e.ucpu & 4095 AS cpu, e.cpu_mode, s.callsite_id, s.unwind_error,
  s.session_id AS perf_session_id
FROM __intrinsic_profiler_sample AS s
LEFT JOIN __intrinsic_profiler_task_context AS t ON t.id = s.task_context_id
LEFT JOIN __intrinsic_profiler_execution_context AS e ON e.id = s.execution_context_id
WHERE s.source = 'linux.perf';

-- The metrics of version 1 are not part of this engine: nothing is registered.
CREATE VIEW _trace_metrics AS
SELECT NULL AS name WHERE 0;
