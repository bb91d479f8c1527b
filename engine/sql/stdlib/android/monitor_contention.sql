INCLUDE PERFETTO MODULE android.suspend;

-- ART names the slice "monitor contention with owner T (tid) at M(args)(file:line) waiters=N
-- blocking from M2(args)(file:line)".
CREATE PERFETTO FUNCTION android_extract_android_monitor_contention_blocking_thread(
  slice_name STRING
)
RETURNS STRING AS
SELECT str_split(str_split($slice_name, 'with owner ', 1), ' (', 0);

CREATE PERFETTO FUNCTION android_extract_android_monitor_contention_blocking_tid(
  slice_name STRING
)
RETURNS LONG AS
SELECT CAST(str_split(str_split($slice_name, ' (', 1), ')', 0) AS INT);

-- "void a.B.c(int)" of "void a.B.c(int)(B.java:7)".
CREATE PERFETTO FUNCTION _contention_method(text STRING)
RETURNS STRING AS
SELECT str_split($text, '(', 0) || '(' || str_split($text, '(', 1);

-- "a.B.c" of "void a.B.c(int)".
CREATE PERFETTO FUNCTION _contention_short_method(method STRING)
RETURNS STRING AS
SELECT str_split(str_split($method, ' ', 1), '(', 0);

CREATE PERFETTO FUNCTION android_extract_android_monitor_contention_blocking_method(
  slice_name STRING
)
RETURNS STRING AS
SELECT _contention_method(str_split($slice_name, ') at ', 1));

CREATE PERFETTO FUNCTION android_extract_android_monitor_contention_short_blocking_method(
  slice_name STRING
)
RETURNS STRING AS
SELECT
  _contention_short_method(
    android_extract_android_monitor_contention_blocking_method($slice_name)
  );

CREATE PERFETTO FUNCTION android_extract_android_monitor_contention_blocked_method(
  slice_name STRING
)
RETURNS STRING AS
SELECT _contention_method(str_split($slice_name, 'blocking from ', 1));

CREATE PERFETTO FUNCTION android_extract_android_monitor_contention_short_blocked_method(
  slice_name STRING
)
RETURNS STRING AS
SELECT
  _contention_short_method(
    android_extract_android_monitor_contention_blocked_method($slice_name)
  );

CREATE PERFETTO FUNCTION android_extract_android_monitor_contention_waiter_count(
  slice_name STRING
)
RETURNS LONG AS
SELECT CAST(str_split(str_split($slice_name, 'waiters=', 1), ' ', 0) AS INT);

CREATE PERFETTO FUNCTION android_extract_android_monitor_contention_blocking_src(
  slice_name STRING
)
RETURNS STRING AS
SELECT str_split(str_split($slice_name, ')(', 1), ')', 0);

CREATE PERFETTO FUNCTION android_extract_android_monitor_contention_blocked_src(
  slice_name STRING
)
RETURNS STRING AS
SELECT str_split(str_split($slice_name, ')(', 2), ')', 0);

-- A binder reply above the wait, when another process asked for what waits.
CREATE PERFETTO TABLE android_monitor_contention AS
SELECT
  blocking_method, blocked_method, short_blocking_method, short_blocked_method, blocking_src,
  blocked_src, waiter_count, utid AS blocked_utid, thread_name AS blocked_thread_name,
  blocking_utid, blocking_thread_name, blocking_tid, upid, process_name, id, ts, dur,
  _extract_duration_without_suspend(ts, dur) AS monotonic_dur, track_id,
  is_main AS is_blocked_thread_main, tid AS blocked_thread_tid,
  is_blocking_thread_main, blocking_thread_tid, binder_reply_id, binder_reply_ts,
  iif(binder_reply_id IS NULL, NULL, tid) AS binder_reply_tid, pid,
  short_blocking_method AS lock_name
FROM (
  SELECT
    s.id, s.ts, s.dur, s.track_id, t.id AS utid, t.name AS thread_name, t.tid,
    t.is_main_thread AS is_main, p.id AS upid, p.name AS process_name, p.pid,
    android_extract_android_monitor_contention_blocking_method(s.name) AS blocking_method,
    android_extract_android_monitor_contention_blocked_method(s.name) AS blocked_method,
    android_extract_android_monitor_contention_short_blocking_method(s.name)
      AS short_blocking_method,
    android_extract_android_monitor_contention_short_blocked_method(s.name)
      AS short_blocked_method,
    android_extract_android_monitor_contention_blocking_src(s.name) AS blocking_src,
    android_extract_android_monitor_contention_blocked_src(s.name) AS blocked_src,
    android_extract_android_monitor_contention_waiter_count(s.name) AS waiter_count,
    android_extract_android_monitor_contention_blocking_thread(s.name) AS blocking_thread_name,
    android_extract_android_monitor_contention_blocking_tid(s.name) AS blocking_tid,
    o.id AS blocking_utid, o.tid AS blocking_thread_tid,
    o.is_main_thread AS is_blocking_thread_main, r.id AS binder_reply_id,
    r.ts AS binder_reply_ts
  FROM __intrinsic_slice AS s
  JOIN thread_track AS tt ON tt.id = s.track_id
  JOIN __intrinsic_thread AS t ON t.id = tt.utid
  LEFT JOIN __intrinsic_process AS p ON p.id = t.upid
  LEFT JOIN __intrinsic_thread AS o
    ON o.tid = android_extract_android_monitor_contention_blocking_tid(s.name)
    AND o.upid = t.upid
  LEFT JOIN ancestor_slice(s.id) AS r ON r.name = 'binder reply'
  WHERE s.name GLOB 'monitor contention*' AND s.dur != -1
  GROUP BY s.id
)
WHERE short_blocking_method IS NOT NULL AND short_blocked_method IS NOT NULL
ORDER BY ts;

-- A wait whose holder waits itself is the child of the holder's wait.
CREATE PERFETTO TABLE _contention_pairs AS
SELECT h.id AS parent_id, w.id AS child_id
FROM android_monitor_contention AS w
JOIN android_monitor_contention AS h
  ON h.blocked_utid = w.blocking_utid AND w.ts BETWEEN h.ts AND h.ts + h.dur;

CREATE PERFETTO TABLE android_monitor_contention_chain AS
SELECT
  up.parent_id, c.blocking_method, c.blocked_method, c.short_blocking_method,
  c.short_blocked_method, c.blocking_src, c.blocked_src, c.waiter_count, c.blocked_utid,
  c.blocked_thread_name, c.blocking_utid, c.blocking_thread_name, c.blocking_tid, c.upid,
  c.process_name, c.id, c.ts, c.dur, c.monotonic_dur, c.track_id, c.is_blocked_thread_main,
  c.blocked_thread_tid, c.is_blocking_thread_main, c.blocking_thread_tid, c.binder_reply_id,
  c.binder_reply_ts, c.binder_reply_tid, c.pid, down.child_id, c.lock_name
FROM android_monitor_contention AS c
LEFT JOIN _contention_pairs AS up ON up.child_id = c.id
LEFT JOIN _contention_pairs AS down ON down.parent_id = c.id
ORDER BY c.ts;

-- While the first waiter waits, up to the moment in which some waiter got the lock.
CREATE PERFETTO TABLE _first_waits AS
SELECT f.id, f.blocking_utid, f.ts, min(w.ts + w.dur) - f.ts AS dur
FROM android_monitor_contention AS f
JOIN android_monitor_contention AS w
  ON w.blocking_utid = f.blocking_utid AND w.blocking_method = f.blocking_method
  AND w.ts BETWEEN f.ts AND f.ts + f.dur
WHERE f.waiter_count = 0
GROUP BY f.id
ORDER BY 2, 3;

CREATE PERFETTO TABLE android_monitor_contention_chain_thread_state AS
SELECT
  f.id, max(s.ts, f.ts) AS ts,
  min(iif(s.dur = -1, trace_end(), s.ts + s.dur), f.ts + f.dur) - max(s.ts, f.ts) AS dur,
  f.blocking_utid, s.blocked_function, s.state
FROM _first_waits AS f
JOIN __intrinsic_thread_state AS s
  ON s.utid = f.blocking_utid AND s.ts < f.ts + f.dur
  AND iif(s.dur = -1, trace_end(), s.ts + s.dur) > f.ts;

CREATE PERFETTO VIEW android_monitor_contention_chain_thread_state_by_txn AS
SELECT
  id, state AS thread_state, sum(dur) AS thread_state_dur, count(dur) AS thread_state_count
FROM android_monitor_contention_chain_thread_state
GROUP BY id, state;

CREATE PERFETTO VIEW android_monitor_contention_chain_blocked_functions_by_txn AS
SELECT
  id, blocked_function, sum(dur) AS blocked_function_dur, count(dur) AS blocked_function_count
FROM android_monitor_contention_chain_thread_state
WHERE blocked_function IS NOT NULL
GROUP BY id, blocked_function;
