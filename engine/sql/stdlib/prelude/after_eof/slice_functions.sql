-- Both slices lie on one track; the ancestor holds the whole descendant and is
-- less deep.
CREATE PERFETTO FUNCTION slice_is_ancestor(ancestor_id LONG, descendant_id LONG)
RETURNS BOOL AS
SELECT
  a.track_id = d.track_id
  AND a.ts <= d.ts
  AND (a.dur = -1 OR a.ts + a.dur >= d.ts + d.dur)
  AND a.depth < d.depth
FROM __intrinsic_slice AS a, __intrinsic_slice AS d
WHERE a.id = $ancestor_id AND d.id = $descendant_id;
