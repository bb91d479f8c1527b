CREATE VIEW trace_bounds AS
SELECT start_ts, end_ts FROM _trace_bounds;

CREATE VIEW trace_metrics AS
SELECT name FROM _trace_metrics;

CREATE VIEW _trace_import_logs AS
SELECT
  l.id, l.trace_id, l.ts, l.byte_offset,
  (SELECT s.severity FROM __intrinsic_stats AS s WHERE s.key = l.stat_key LIMIT 1) AS severity,
  (SELECT s.name FROM __intrinsic_stats AS s WHERE s.key = l.stat_key LIMIT 1) AS name,
  l.arg_set_id
FROM __intrinsic_trace_import_logs AS l;
