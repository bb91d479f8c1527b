-- Threads of kthreadd (pid 2) and of the processes below it.
CREATE PERFETTO TABLE linux_kernel_threads AS
SELECT
  p.upid, t.utid, p.pid, t.tid, p.name AS process_name, t.name AS thread_name, t.machine_id
FROM __intrinsic_thread AS t
JOIN __intrinsic_process AS p ON p.id = t.upid
LEFT JOIN __intrinsic_process AS up ON up.id = p.parent_upid
WHERE p.pid = 2 OR up.pid = 2;
