CREATE PERFETTO MACRO _slice_following_flow(slices TableOrSubquery)
RETURNS TableOrSubquery AS
(
  SELECT s.id AS root_id, f.id, f.slice_out, f.slice_in
  FROM $slices AS s
  JOIN following_flow(s.id) AS f
);
