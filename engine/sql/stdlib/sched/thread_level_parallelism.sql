INCLUDE PERFETTO MODULE intervals.overlap;

CREATE VIEW _runnable_segments AS
SELECT ts, dur FROM __intrinsic_thread_state WHERE state = 'R';

CREATE VIEW _uninterruptible_segments AS
SELECT ts, dur FROM __intrinsic_thread_state WHERE state = 'D';

CREATE VIEW _active_segments AS
SELECT s.ts, s.dur
FROM __intrinsic_sched_slice AS s
JOIN __intrinsic_thread AS t ON t.id = s.utid
WHERE t.is_idle = 0;

CREATE PERFETTO TABLE sched_runnable_thread_count AS
SELECT ts, value AS runnable_thread_count
FROM intervals_overlap_count!(_runnable_segments, ts, dur)
ORDER BY ts;

CREATE PERFETTO TABLE sched_uninterruptible_sleep_thread_count AS
SELECT ts, value AS uninterruptible_sleep_thread_count
FROM intervals_overlap_count!(_uninterruptible_segments, ts, dur)
ORDER BY ts;

CREATE PERFETTO TABLE sched_active_cpu_count AS
SELECT ts, value AS active_cpu_count
FROM intervals_overlap_count!(_active_segments, ts, dur)
ORDER BY ts;
