-- For each time that a thread ran: when it was last waiting to run, and when it was
-- last woken from outside an interrupt.
CREATE PERFETTO TABLE sched_previous_runnable_on_thread AS
SELECT id, prev_runnable_id, prev_wakeup_runnable_id FROM __intrinsic_previous_runnable;
