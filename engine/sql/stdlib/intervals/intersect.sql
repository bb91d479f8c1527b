-- What time intervals of several tables have in common.
CREATE PERFETTO MACRO _ii_column(x ColumnName) RETURNS ColumnName AS
input.$x;

CREATE PERFETTO MACRO _ii_name(cell Expr, name Expr) RETURNS Expr AS
$cell AS $name;

CREATE PERFETTO MACRO _ii_id(cell Expr, tab Expr) RETURNS Expr AS
$cell;

CREATE PERFETTO MACRO _interval_agg(tab TableOrSubquery, agg_columns ColumnNameList)
RETURNS _ProjectionFragment AS
(
  SELECT
    __intrinsic_interval_tree_intervals_agg(
      input.id, input.ts, input.dur
      __intrinsic_token_apply_prefix!(_ii_column, $agg_columns)
    )
  FROM $tab AS input
);

CREATE PERFETTO MACRO _interval_intersect(tabs _TableNameList, agg_columns ColumnNameList)
RETURNS TableOrSubquery AS
(
  SELECT
    c0 AS ts, c1 AS dur
    __intrinsic_token_apply_prefix!(
      _ii_id,
      (
        c2 AS id_0, c3 AS id_1, c4 AS id_2, c5 AS id_3, c6 AS id_4, c7 AS id_5, c8 AS id_6,
        c9 AS id_7, c10 AS id_8, c11 AS id_9, c12 AS id_10, c13 AS id_11, c14 AS id_12,
        c15 AS id_13, c16 AS id_14
      ),
      $tabs
    )
    __intrinsic_token_apply_prefix!(_ii_name, (c17, c18, c19, c20), $agg_columns)
  FROM __intrinsic_table_ptr(
    __intrinsic_interval_intersect(
      __intrinsic_token_apply!(
        _interval_agg,
        $tabs,
        (
          $agg_columns, $agg_columns, $agg_columns, $agg_columns, $agg_columns, $agg_columns,
          $agg_columns, $agg_columns, $agg_columns, $agg_columns, $agg_columns, $agg_columns,
          $agg_columns, $agg_columns, $agg_columns
        )
      ),
      __intrinsic_stringify!($agg_columns)
    )
  )
);

CREATE PERFETTO MACRO _interval_intersect_single(ts Expr, dur Expr, intervals TableOrSubquery)
RETURNS TableOrSubquery AS
(
  SELECT
    i.id, max(i.ts, $ts) AS ts, min(i.ts + i.dur, $ts + $dur) - max(i.ts, $ts) AS dur
  FROM $intervals AS i
  WHERE
    i.ts < $ts + $dur
    AND (i.ts + i.dur > $ts OR (i.dur = 0 AND i.ts >= $ts))
);

-- Segments between all end points, with the intervals that cover each.
CREATE PERFETTO MACRO interval_self_intersect(intervals TableOrSubquery)
RETURNS TableOrSubquery AS
(
  WITH
    points AS (
      SELECT ts FROM $intervals UNION SELECT ts + dur AS ts FROM $intervals
    ),
    segments AS (
      SELECT
        ts, LEAD(ts) OVER (ORDER BY ts) - ts AS dur, row_number() OVER (ORDER BY ts) AS group_id
      FROM points
    )
  SELECT
    s.ts, s.dur, s.group_id, i.id, i.ts + i.dur = s.ts AS interval_ends_at_ts
  FROM segments AS s
  JOIN $intervals AS i ON i.ts <= s.ts AND i.ts + i.dur >= s.ts
  WHERE s.dur IS NOT NULL OR i.ts + i.dur = s.ts
);
