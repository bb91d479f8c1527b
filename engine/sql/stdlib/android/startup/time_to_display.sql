INCLUDE PERFETTO MODULE android.frames.timeline;

INCLUDE PERFETTO MODULE android.startup.startups;

-- Frames of the processes of a start, with the end of what its render thread drew.
CREATE PERFETTO TABLE _startup_frames AS
SELECT
  u.startup_id, u.ts AS startup_ts, p.upid, f.frame_id, f.ts,
  coalesce(d.ts + d.dur, f.ts + f.dur) AS ts_end
FROM _startups AS u
JOIN android_startup_processes AS p ON p.startup_id = u.startup_id
JOIN android_frames AS f ON f.upid = p.upid AND f.ts > u.ts
LEFT JOIN __intrinsic_slice AS d ON d.id = f.draw_frame_id
ORDER BY u.startup_id, f.ts;

CREATE PERFETTO TABLE _startup_first_frames AS
SELECT startup_id, upid, frame_id, startup_ts, ts_end, min(ts) AS ts
FROM _startup_frames
GROUP BY startup_id, upid;

-- The app says itself when all of it is there.
CREATE PERFETTO TABLE _startup_reports AS
SELECT u.startup_id, p.upid, min(s.ts) AS ts
FROM _startups AS u
JOIN android_startup_processes AS p ON p.startup_id = u.startup_id
JOIN __intrinsic_thread AS t ON t.upid = p.upid AND t.is_main_thread
JOIN thread_track AS tt ON tt.utid = t.id
JOIN __intrinsic_slice AS s ON s.track_id = tt.id
WHERE s.name GLOB 'reportFullyDrawn*' AND s.ts >= u.ts
GROUP BY u.startup_id, p.upid;

CREATE PERFETTO TABLE _startup_full_frames AS
SELECT f.startup_id, f.upid, f.frame_id, f.startup_ts, min(f.ts_end) AS ts_end
FROM _startup_reports AS r
JOIN _startup_frames AS f ON f.startup_id = r.startup_id AND f.upid = r.upid AND f.ts_end > r.ts
GROUP BY f.startup_id, f.upid;

CREATE PERFETTO TABLE android_startup_time_to_display AS
SELECT
  p.startup_id, i.ts_end - i.startup_ts AS time_to_initial_display,
  f.ts_end - f.startup_ts AS time_to_full_display, i.frame_id AS ttid_frame_id,
  f.frame_id AS ttfd_frame_id, p.upid
FROM android_startup_processes AS p
LEFT JOIN _startup_first_frames AS i ON i.startup_id = p.startup_id AND i.upid = p.upid
LEFT JOIN _startup_full_frames AS f ON f.startup_id = p.startup_id AND f.upid = p.upid;
