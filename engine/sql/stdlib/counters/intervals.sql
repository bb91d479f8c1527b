-- Each value of a counter until the next one.  Of a long run of one value the first
-- two rows and the last one stay.
CREATE PERFETTO MACRO counter_leading_intervals(counter_table TableOrSubquery)
RETURNS TableOrSubquery AS
(
  SELECT
    id, ts,
    LEAD(ts, 1, trace_end()) OVER (PARTITION BY track_id ORDER BY ts) - ts AS dur,
    track_id, value,
    LEAD(value) OVER (PARTITION BY track_id ORDER BY ts) AS next_value,
    value - LAG(value) OVER (PARTITION BY track_id ORDER BY ts) AS delta_value
  FROM (
    SELECT
      id, ts, track_id, value,
      LAG(value) OVER (PARTITION BY track_id ORDER BY ts) AS before_1,
      LAG(value, 2) OVER (PARTITION BY track_id ORDER BY ts) AS before_2,
      LEAD(value) OVER (PARTITION BY track_id ORDER BY ts) AS after
    FROM $counter_table
  )
  WHERE
    before_1 IS NOT value OR before_2 IS NOT value OR (after IS NOT NULL AND after != value)
);
