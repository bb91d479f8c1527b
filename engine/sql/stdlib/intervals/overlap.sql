-- How many intervals are open, as it changes.
CREATE PERFETTO MACRO intervals_overlap_count(
  segments TableOrSubquery, ts_column ColumnName, dur_column ColumnName
)
RETURNS TableOrSubquery AS
(
  WITH
    _changes AS (
      SELECT $ts_column AS ts, 1 AS delta FROM $segments
      UNION ALL
      SELECT $ts_column + $dur_column AS ts, -1 AS delta FROM $segments WHERE $dur_column != -1
    ),
    _merged AS (
      SELECT ts, sum(delta) AS delta FROM _changes GROUP BY ts
    )
  SELECT ts, sum(delta) OVER (ORDER BY ts ROWS UNBOUNDED PRECEDING) AS value
  FROM _merged
);

CREATE PERFETTO MACRO intervals_overlap_count_by_group(
  segments TableOrSubquery, ts_column ColumnName, dur_column ColumnName, group_column ColumnName
)
RETURNS TableOrSubquery AS
(
  WITH
    _changes AS (
      SELECT $ts_column AS ts, 1 AS delta, $group_column AS group_name FROM $segments
      UNION ALL
      SELECT $ts_column + $dur_column AS ts, -1 AS delta, $group_column AS group_name
      FROM $segments
      WHERE $dur_column != -1
    ),
    _merged AS (
      SELECT ts, sum(delta) AS delta, group_name FROM _changes GROUP BY group_name, ts
    )
  SELECT
    ts,
    sum(delta) OVER (PARTITION BY group_name ORDER BY ts ROWS UNBOUNDED PRECEDING) AS value,
    group_name
  FROM _merged
);

CREATE PERFETTO MACRO interval_merge_overlapping(intervals TableOrSubquery, epsilon Expr)
RETURNS TableOrSubquery AS
(
  WITH
    _reach AS (
      SELECT
        ts, ts + dur AS ts_end,
        max(ts + dur) OVER (ORDER BY ts ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS before
      FROM $intervals
    ),
    _numbered AS (
      SELECT
        ts, ts_end,
        sum(before IS NULL OR ts > before + $epsilon) OVER (ORDER BY ts ROWS UNBOUNDED PRECEDING)
          AS island
      FROM _reach
    )
  SELECT min(ts) AS ts, max(ts_end) - min(ts) AS dur FROM _numbered GROUP BY island
);
