CREATE PERFETTO VIEW _thread_with_process AS
SELECT
  t.utid, t.tid, t.name AS thread_name, t.is_main_thread, p.upid, p.pid, p.name AS process_name
FROM __intrinsic_thread AS t
LEFT JOIN __intrinsic_process AS p ON p.id = t.upid;
