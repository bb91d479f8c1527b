CREATE PERFETTO FUNCTION _slice_ancestor_and_self(slice_id LONG)
RETURNS TABLE(
  id LONG, ts LONG, dur LONG, track_id LONG, category STRING, name STRING, depth LONG,
  parent_id LONG, arg_set_id LONG, thread_ts LONG, thread_dur LONG
) AS
SELECT
  id, ts, dur, track_id, category, name, depth, parent_id, arg_set_id, thread_ts, thread_dur
FROM __intrinsic_slice
WHERE id = $slice_id
UNION ALL
SELECT
  id, ts, dur, track_id, category, name, depth, parent_id, arg_set_id, thread_ts, thread_dur
FROM ancestor_slice($slice_id);

CREATE PERFETTO FUNCTION _slice_descendant_and_self(slice_id LONG)
RETURNS TABLE(
  id LONG, ts LONG, dur LONG, track_id LONG, category STRING, name STRING, depth LONG,
  parent_id LONG, arg_set_id LONG, thread_ts LONG, thread_dur LONG
) AS
SELECT
  id, ts, dur, track_id, category, name, depth, parent_id, arg_set_id, thread_ts, thread_dur
FROM __intrinsic_slice
WHERE id = $slice_id
UNION ALL
SELECT
  id, ts, dur, track_id, category, name, depth, parent_id, arg_set_id, thread_ts, thread_dur
FROM descendant_slice($slice_id);
