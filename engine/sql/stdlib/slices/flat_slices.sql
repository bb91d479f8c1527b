INCLUDE PERFETTO MODULE slices.with_context;

-- Pieces of time in which a slice is the deepest one of its thread.
CREATE PERFETTO TABLE _slice_flattened AS
SELECT
  f.source_id AS slice_id, f.ts, f.dur, s.depth, f.name, r.id AS root_id, f.track_id, s.utid,
  s.tid, s.thread_name, s.upid, s.pid, s.process_name
FROM experimental_flat_slice(trace_start(), trace_end()) AS f
JOIN thread_slice AS s ON s.id = f.source_id
JOIN __intrinsic_slice AS r ON r.id = ifnull(
  (SELECT a.id FROM ancestor_slice(f.source_id) AS a LIMIT 1), f.source_id
)
WHERE f.source_id IS NOT NULL;
