-- Android told of an app's start in three ways: "launching: PACKAGE" alone (up to 9), inside
-- the spans that MetricsLogger writes (10 to 12), and as "launchingActivity#N" with an instant
-- "launchingActivity#N:completed-TYPE:PACKAGE" (from 13 on).
CREATE PERFETTO TABLE _system_server_slices AS
SELECT s.id, s.ts, s.dur, s.name
FROM __intrinsic_slice AS s
JOIN __intrinsic_track AS t ON t.id = s.track_id
LEFT JOIN __intrinsic_thread AS h ON h.id = t.utid
JOIN __intrinsic_process AS p ON p.id = ifnull(t.upid, h.upid)
WHERE
  (p.name = 'system_server' OR p.name IS NULL)
  AND (s.name GLOB 'launching*' OR s.name GLOB 'MetricsLogger:*')
ORDER BY s.ts;

CREATE PERFETTO TABLE _startup_form AS
SELECT
  CASE
    WHEN sdk >= 33 AND has_numbers THEN 33
    WHEN sdk >= 29 AND sdk < 33 AND has_logger THEN 29
    WHEN sdk < 29 THEN 28
    WHEN has_numbers THEN 33
    WHEN has_logger THEN 29
    ELSE 28
  END AS form
FROM (
  SELECT
    (SELECT int_value FROM metadata WHERE name = 'android_sdk_version') AS sdk,
    EXISTS (SELECT 1 FROM _system_server_slices WHERE name GLOB 'launchingActivity#*:*')
      AS has_numbers,
    EXISTS (SELECT 1 FROM _system_server_slices WHERE name GLOB 'MetricsLogger:*') AS has_logger
);

-- "launching: PACKAGE"; an end that is not in the trace is the trace's.
CREATE PERFETTO TABLE _startup_launches AS
SELECT ts, iif(dur = -1, trace_end(), ts + dur) AS ts_end, substr(name, 12) AS package
FROM _system_server_slices
WHERE name GLOB 'launching: *' AND dur != 0;

-- From the intent to the end of a launch, where that comes before the next intent.
CREATE PERFETTO TABLE _startup_intents AS
SELECT ts, lead(ts, 1, trace_end() + 1) OVER (ORDER BY ts) AS next_ts
FROM _system_server_slices
WHERE name = 'MetricsLogger:launchObserverNotifyIntentStarted';

CREATE PERFETTO TABLE _startups_of_logger AS
SELECT min(i.ts) AS ts, f.ts AS ts_end, l.package
FROM _startup_intents AS i
JOIN _system_server_slices AS f
  ON f.name = 'MetricsLogger:launchObserverNotifyActivityLaunchFinished'
  AND f.ts BETWEEN i.ts AND i.next_ts
JOIN _startup_launches AS l ON l.ts BETWEEN i.ts AND i.next_ts
GROUP BY f.ts, l.package;

-- Launches inside the same process are told apart by "completed-same-process".
CREATE PERFETTO TABLE _startups_of_numbers AS
SELECT l.ts, iif(l.dur = -1, trace_end(), l.ts + l.dur) AS ts_end,
  str_split(c.name, ':', 2) AS package,
  nullif(substr(str_split(c.name, ':', 1), 11), '') AS startup_type
FROM _system_server_slices AS l
JOIN _system_server_slices AS c ON c.name GLOB l.name || ':completed*'
WHERE
  l.name GLOB 'launchingActivity#*' AND l.name NOT GLOB '*:*'
  AND c.name NOT GLOB '*:completed-same-process:*'
GROUP BY l.id;

CREATE PERFETTO TABLE _startups AS
SELECT
  row_number() OVER (ORDER BY ts) - 1 AS startup_id, ts, ts_end, ts_end - ts AS dur, package,
  startup_type
FROM (
  SELECT ts, ts_end, package, startup_type
  FROM _startups_of_numbers
  WHERE (SELECT form FROM _startup_form) = 33
  UNION ALL
  SELECT ts, ts_end, package, NULL
  FROM _startups_of_logger
  WHERE (SELECT form FROM _startup_form) = 29
  UNION ALL
  SELECT ts, ts_end, package, NULL
  FROM _startup_launches
  WHERE (SELECT form FROM _startup_form) = 28
)
ORDER BY ts;

CREATE PERFETTO TABLE _startup_steps AS
SELECT s.ts, s.name, tt.utid
FROM __intrinsic_slice AS s
JOIN thread_track AS tt ON tt.id = s.track_id
WHERE s.name IN ('bindApplication', 'activityStart', 'activityResume');

-- Processes of the package that resumed an activity meanwhile; what the main thread did says
-- how cold the start was, where Android did not say it.
CREATE PERFETTO TABLE android_startup_processes AS
SELECT
  startup_id, upid, pid,
  coalesce(
    startup_type,
    CASE WHEN binds AND starts THEN 'cold' WHEN starts THEN 'warm' ELSE 'hot' END
  ) AS startup_type
FROM (
  SELECT
    u.startup_id, u.startup_type, p.id AS upid, p.pid,
    sum(s.name = 'bindApplication') AS binds, sum(s.name = 'activityStart') AS starts,
    sum(s.name = 'activityResume') AS resumes
  FROM _startups AS u
  JOIN __intrinsic_process AS p ON p.name = u.package OR p.name GLOB u.package || ':*'
  JOIN __intrinsic_thread AS t ON t.upid = p.id AND t.is_main_thread
  JOIN _startup_steps AS s ON s.utid = t.id AND s.ts >= u.ts AND s.ts < u.ts_end
  GROUP BY u.startup_id, p.id
)
WHERE resumes > 0
ORDER BY 1;

-- Without the part in which another activity of the package only passed the start on.
CREATE PERFETTO VIEW android_startups AS
SELECT
  u.startup_id, u.ts, u.ts_end, u.dur,
  u.ts_end - ifnull((
    SELECT max(s.ts)
    FROM _startup_steps AS s
    JOIN __intrinsic_thread AS t ON t.id = s.utid
    JOIN android_startup_processes AS p ON p.upid = t.upid
    WHERE
      p.startup_id = u.startup_id AND s.name = 'activityStart' AND s.ts >= u.ts
      AND s.ts < u.ts_end
      AND EXISTS (
        SELECT 1 FROM _startup_steps AS e
        WHERE e.utid = s.utid AND e.name = 'activityStart' AND e.ts >= u.ts AND e.ts < s.ts
      )
  ), u.ts) AS dur_without_trampoline,
  u.package,
  coalesce(
    u.startup_type,
    (SELECT min(startup_type) FROM android_startup_processes AS p
     WHERE p.startup_id = u.startup_id)
  ) AS startup_type
FROM _startups AS u;

CREATE PERFETTO VIEW android_startup_threads AS
SELECT
  u.startup_id, u.ts, u.dur, p.upid, p.pid, t.id AS utid, t.tid, t.name AS thread_name,
  t.is_main_thread
FROM _startups AS u
JOIN android_startup_processes AS p ON p.startup_id = u.startup_id
JOIN __intrinsic_thread AS t ON t.upid = p.upid;

CREATE PERFETTO VIEW android_thread_slices_for_all_startups AS
SELECT
  t.ts AS startup_ts, t.ts + t.dur AS startup_ts_end, t.startup_id, t.utid, t.tid, t.thread_name,
  t.is_main_thread, s.arg_set_id, s.id AS slice_id, s.name AS slice_name, s.ts AS slice_ts,
  s.dur AS slice_dur
FROM android_startup_threads AS t
JOIN thread_track AS tt ON tt.utid = t.utid
JOIN __intrinsic_slice AS s ON s.track_id = tt.id
WHERE s.ts BETWEEN t.ts AND t.ts + t.dur;

CREATE PERFETTO FUNCTION android_slices_for_startup_and_slice_name(
  startup_id LONG, slice_name STRING
)
RETURNS TABLE(
  slice_id LONG, slice_name STRING, slice_ts TIMESTAMP, slice_dur DURATION, thread_name STRING,
  tid LONG, arg_set_id LONG
) AS
SELECT slice_id, slice_name, slice_ts, slice_dur, thread_name, tid, arg_set_id
FROM android_thread_slices_for_all_startups
WHERE startup_id = $startup_id AND slice_name GLOB $slice_name;

CREATE PERFETTO VIEW android_class_loading_for_startup AS
SELECT slice_id, startup_id, slice_name, slice_ts, slice_dur, thread_name, tid, arg_set_id
FROM android_thread_slices_for_all_startups
WHERE slice_name GLOB 'L*/*;';

CREATE PERFETTO FUNCTION android_binder_transaction_slices_for_startup(
  startup_id LONG, threshold DOUBLE
)
RETURNS TABLE(
  id LONG, slice_dur DURATION, thread_name STRING, process STRING, arg_set_id LONG,
  is_main_thread BOOL
) AS
SELECT s.slice_id AS id, s.slice_dur, s.thread_name, p.name AS process, s.arg_set_id,
  s.is_main_thread
FROM android_thread_slices_for_all_startups AS s
JOIN __intrinsic_process AS p ON p.pid = extract_arg(s.arg_set_id, 'destination process')
WHERE
  s.startup_id = $startup_id AND s.slice_name = 'binder transaction'
  AND s.slice_dur > $threshold;

CREATE PERFETTO FUNCTION android_sum_dur_for_startup_and_slice(
  startup_id LONG, slice_name STRING
)
RETURNS LONG AS
SELECT sum(slice_dur)
FROM android_thread_slices_for_all_startups
WHERE startup_id = $startup_id AND slice_name GLOB $slice_name;

CREATE PERFETTO FUNCTION android_sum_dur_on_main_thread_for_startup_and_slice(
  startup_id LONG, slice_name STRING
)
RETURNS LONG AS
SELECT sum(slice_dur)
FROM android_thread_slices_for_all_startups
WHERE startup_id = $startup_id AND slice_name GLOB $slice_name AND is_main_thread;
