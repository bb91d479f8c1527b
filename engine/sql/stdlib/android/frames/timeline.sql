INCLUDE PERFETTO MODULE slices.with_context;

-- The number behind "Choreographer#doFrame 1021", "DrawFrames 1021"; NULL without.
CREATE PERFETTO FUNCTION _frame_number(name STRING)
RETURNS LONG AS
SELECT CAST(nullif(str_split($name, ' ', 1), '') AS INT);

CREATE PERFETTO TABLE android_frames_choreographer_do_frame AS
SELECT id, _frame_number(name) AS frame_id, utid AS ui_thread_utid, upid, ts
FROM thread_slice
WHERE name GLOB 'Choreographer#doFrame *' AND _frame_number(name) IS NOT NULL;

CREATE PERFETTO TABLE android_frames_draw_frame AS
SELECT id, _frame_number(name) AS frame_id, utid AS render_thread_utid, upid
FROM thread_slice
WHERE
  (name GLOB 'DrawFrame *' OR name GLOB 'DrawFrames *')
  AND _frame_number(name) IS NOT NULL;

-- One row for each layer that a frame of an app drew.  Frames of the display have no
-- token of a surface.
CREATE PERFETTO TABLE _frame_timeline_layers AS
SELECT
  a.surface_frame_token AS frame_id, a.ts, a.dur, a.id AS actual_id, e.id AS expected_id,
  e.ts AS expected_ts, e.dur AS expected_dur, a.upid, a.layer_name,
  row_number() OVER (PARTITION BY a.upid, a.surface_frame_token ORDER BY a.id) AS nth
FROM actual_frame_timeline_slice AS a
LEFT JOIN (
  SELECT min(id) AS id, ts, dur, upid, surface_frame_token
  FROM expected_frame_timeline_slice
  WHERE surface_frame_token IS NOT NULL
  GROUP BY upid, surface_frame_token
) AS e ON e.upid = a.upid AND e.surface_frame_token = a.surface_frame_token
WHERE a.surface_frame_token IS NOT NULL;

-- Of a frame without doFrame the start is the expected one.
CREATE PERFETTO TABLE _frames_of_timeline AS
SELECT
  l.frame_id, coalesce(d.ts, l.expected_ts, l.ts) AS ts, l.ts + l.dur AS ts_end,
  d.id AS do_frame_id, r.id AS draw_frame_id, l.actual_id AS actual_frame_timeline_id,
  l.expected_id AS expected_frame_timeline_id, r.render_thread_utid, d.ui_thread_utid,
  l.nth AS layer_id, l.layer_name, l.upid, p.name AS process_name
FROM _frame_timeline_layers AS l
LEFT JOIN android_frames_choreographer_do_frame AS d
  ON d.frame_id = l.frame_id AND d.upid = l.upid
LEFT JOIN android_frames_draw_frame AS r ON r.frame_id = l.frame_id AND r.upid = l.upid
LEFT JOIN __intrinsic_process AS p ON p.id = l.upid;

-- Without a frame timeline: a doFrame and the DrawFrame of its number and process.
CREATE PERFETTO TABLE _frames_of_slices AS
SELECT
  d.frame_id, d.ts, s.ts + s.dur AS ts_end, d.id AS do_frame_id, r.id AS draw_frame_id,
  NULL AS actual_frame_timeline_id, NULL AS expected_frame_timeline_id, r.render_thread_utid,
  d.ui_thread_utid, NULL AS layer_id, NULL AS layer_name, d.upid, p.name AS process_name
FROM android_frames_choreographer_do_frame AS d
JOIN android_frames_draw_frame AS r ON r.frame_id = d.frame_id AND r.upid = d.upid
JOIN __intrinsic_slice AS s ON s.id = r.id
LEFT JOIN __intrinsic_process AS p ON p.id = d.upid
WHERE NOT EXISTS (SELECT 1 FROM actual_frame_timeline_slice);

CREATE PERFETTO TABLE android_frames_layers AS
SELECT
  frame_id, ts, ts_end - ts AS dur, ts_end, do_frame_id, draw_frame_id, actual_frame_timeline_id,
  expected_frame_timeline_id, render_thread_utid, ui_thread_utid, layer_id, layer_name, upid,
  process_name
FROM (SELECT * FROM _frames_of_timeline UNION ALL SELECT * FROM _frames_of_slices)
ORDER BY ts;

CREATE PERFETTO TABLE android_frames AS
SELECT
  frame_id, min(ts) AS ts, max(ts_end) - min(ts) AS dur, min(do_frame_id) AS do_frame_id,
  min(draw_frame_id) AS draw_frame_id, min(actual_frame_timeline_id) AS actual_frame_timeline_id,
  min(expected_frame_timeline_id) AS expected_frame_timeline_id,
  min(render_thread_utid) AS render_thread_utid, min(ui_thread_utid) AS ui_thread_utid,
  count(DISTINCT actual_frame_timeline_id) AS actual_frame_timeline_count,
  count(DISTINCT expected_frame_timeline_id) AS expected_frame_timeline_count,
  count(DISTINCT draw_frame_id) AS draw_frame_count, upid, process_name
FROM android_frames_layers
GROUP BY upid, frame_id
ORDER BY 2;

CREATE PERFETTO FUNCTION android_first_frame_after(ts TIMESTAMP)
RETURNS TABLE(
  frame_id LONG, ts TIMESTAMP, dur DURATION, do_frame_id LONG, draw_frame_id LONG,
  actual_frame_timeline_id LONG, expected_frame_timeline_id LONG, render_thread_utid LONG,
  ui_thread_utid LONG
) AS
SELECT
  frame_id, ts, dur, do_frame_id, draw_frame_id, actual_frame_timeline_id,
  expected_frame_timeline_id, render_thread_utid, ui_thread_utid
FROM android_frames
WHERE ts > $ts
ORDER BY ts
LIMIT 1;
