INCLUDE PERFETTO MODULE android.frames.timeline;

-- How much later than expected the last layer was done; negative when it was earlier.
CREATE PERFETTO TABLE android_frames_overrun AS
SELECT l.frame_id, max(a.ts + a.dur - e.ts - e.dur) AS overrun
FROM android_frames_layers AS l
JOIN __intrinsic_slice AS a ON a.id = l.actual_frame_timeline_id
JOIN __intrinsic_slice AS e ON e.id = l.expected_frame_timeline_id
GROUP BY l.upid, l.frame_id;

CREATE PERFETTO TABLE android_frames_ui_time AS
SELECT d.frame_id, s.dur AS ui_time
FROM android_frames_choreographer_do_frame AS d
JOIN __intrinsic_slice AS s ON s.id = d.id;

-- How long after its expected start a frame began.
CREATE PERFETTO TABLE android_app_vsync_delay_per_frame AS
SELECT f.frame_id, a.ts - e.ts AS app_vsync_delay
FROM android_frames AS f
JOIN __intrinsic_slice AS a ON a.id = f.actual_frame_timeline_id
JOIN __intrinsic_slice AS e ON e.id = f.expected_frame_timeline_id;

-- The delay, the UI thread's part and all of the render thread's.
CREATE PERFETTO TABLE android_cpu_time_per_frame AS
SELECT
  frame_id, app_vsync_delay, do_frame_dur, draw_frame_dur,
  app_vsync_delay + do_frame_dur + draw_frame_dur AS cpu_time
FROM (
  SELECT
    f.frame_id, a.ts - e.ts AS app_vsync_delay, d.dur AS do_frame_dur,
    sum(s.dur) AS draw_frame_dur
  FROM android_frames AS f
  JOIN __intrinsic_slice AS a ON a.id = f.actual_frame_timeline_id
  JOIN __intrinsic_slice AS e ON e.id = f.expected_frame_timeline_id
  JOIN __intrinsic_slice AS d ON d.id = f.do_frame_id
  JOIN android_frames_draw_frame AS r ON r.frame_id = f.frame_id AND r.upid = f.upid
  JOIN __intrinsic_slice AS s ON s.id = r.id
  GROUP BY f.upid, f.frame_id
);

-- Where the render thread's part is not known it counts as 5 ms.
CREATE PERFETTO TABLE android_frame_stats AS
SELECT
  frame_id, overrun, cpu_time, ui_time,
  iif(overrun > 0, 1, NULL) AS was_jank,
  iif(cpu_time > 20000000, 1, NULL) AS was_slow_frame,
  iif(cpu_time > 50000000, 1, NULL) AS was_big_jank,
  iif(cpu_time > 200000000, 1, NULL) AS was_huge_jank
FROM (
  SELECT o.frame_id, o.overrun, ifnull(c.cpu_time, u.ui_time + 5000000) AS cpu_time, u.ui_time
  FROM android_frames_overrun AS o
  JOIN android_frames_ui_time AS u ON u.frame_id = o.frame_id
  LEFT JOIN android_cpu_time_per_frame AS c ON c.frame_id = o.frame_id
);
