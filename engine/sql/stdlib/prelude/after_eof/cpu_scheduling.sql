-- A row of the cpu table is machine * 4096 + cpu, so that the number of a CPU
-- needs no join.
CREATE VIEW cpu AS
SELECT id, id AS ucpu, cpu, cluster_id, processor, machine_id, capacity, arg_set_id
FROM __intrinsic_cpu
WHERE cpu IS NOT NULL;

CREATE VIEW cpu_available_frequencies AS
SELECT id, ucpu & 4095 AS cpu, freq, ucpu FROM __intrinsic_cpu_freq;

CREATE VIEW sched AS
SELECT
  id, ts, dur, ucpu & 4095 AS cpu, utid, end_state, priority, ucpu, ts + dur AS ts_end
FROM __intrinsic_sched_slice;

CREATE VIEW sched_slice AS
SELECT id, ts, dur, ucpu & 4095 AS cpu, utid, end_state, priority, ucpu
FROM __intrinsic_sched_slice;

CREATE VIEW thread_state AS
SELECT
  id, ts, dur, ucpu & 4095 AS cpu, utid, state, io_wait, blocked_function, waker_utid, waker_id,
  irq_context, ucpu
FROM __intrinsic_thread_state;

CREATE VIEW spurious_sched_wakeup AS
SELECT id, ts, thread_state_id, irq_context, utid, waker_utid
FROM __intrinsic_spurious_sched_wakeup;
