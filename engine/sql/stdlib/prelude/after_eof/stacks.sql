-- Call stacks and the samples that end in them.
CREATE VIRTUAL TABLE stack_profile_mapping USING perfetty_table(
  __intrinsic_stack_profile_mapping, id, build_id, exact_offset, start_offset, start, end,
  load_bias, name
);

CREATE VIRTUAL TABLE stack_profile_frame USING perfetty_table(
  __intrinsic_stack_profile_frame, id, name, mapping, rel_pc, symbol_set_id, deobfuscated_name,
  type
);

CREATE VIRTUAL TABLE stack_profile_callsite USING perfetty_table(
  __intrinsic_stack_profile_callsite, id, depth, parent_id, frame_id
);

CREATE VIRTUAL TABLE stack_profile_symbol USING perfetty_table(
  __intrinsic_stack_profile_symbol, id, symbol_set_id, name, source_file, line_number, inlined
);

CREATE VIEW perf_session AS
SELECT id, id AS perf_session_id, cmdline
FROM __intrinsic_profiler_session
WHERE source = 'linux.perf';

CREATE VIEW cpu_profile_stack_sample AS
SELECT
  s.id, s.ts, s.callsite_id, t.utid, ifnull(x.process_priority, 0) AS process_priority
FROM __intrinsic_profiler_sample AS s
LEFT JOIN __intrinsic_profiler_task_context AS t ON t.id = s.task_context_id
LEFT JOIN __intrinsic_chrome_stack_sample_extras AS x ON x.profiler_sample_id = s.id
WHERE s.source IN ('chrome', 'legacy_v8', 'gecko', 'simpleperf', 'perf_text');

CREATE VIEW instruments_sample AS
SELECT s.id, s.ts, t.utid, s.callsite_id, e.ucpu & 4095 AS cpu
FROM __intrinsic_profiler_sample AS s
LEFT JOIN __intrinsic_profiler_task_context AS t ON t.id = s.task_context_id
LEFT JOIN __intrinsic_profiler_execution_context AS e ON e.id = s.execution_context_id
WHERE s.source = 'instruments';

CREATE VIEW stack_sample AS
SELECT id, ts, source, task_context_id, execution_context_id, callsite_id, session_id
FROM __intrinsic_profiler_sample
WHERE callsite_id IS NOT NULL;

CREATE PERFETTO TABLE stack_sample_session AS
SELECT id, source, timebase_unit, cmdline
FROM __intrinsic_profiler_session
WHERE id IN (
  SELECT DISTINCT session_id
  FROM __intrinsic_profiler_sample
  WHERE callsite_id IS NOT NULL AND session_id IS NOT NULL
);

CREATE PERFETTO TABLE stack_sample_async_context AS
SELECT id, name, kind, parent_id FROM __intrinsic_profiler_async_context;

CREATE PERFETTO TABLE stack_sample_task_context AS
SELECT id, upid, utid, async_context_id FROM __intrinsic_profiler_task_context;

CREATE PERFETTO TABLE stack_sample_execution_context AS
SELECT id, ucpu, cpu_mode FROM __intrinsic_profiler_execution_context;

CREATE PERFETTO TABLE stack_sample_counter_track AS
SELECT
  id, name, type, parent_id, source_arg_set_id, machine_id, unit, description,
  perf_session_id AS session_id, cpu, is_timebase
FROM perf_counter_track;

CREATE VIEW stack_sample_counter AS
SELECT c.id, s.id AS stack_sample_id, c.track_id, c.value
FROM __intrinsic_profiler_counter_set AS x
JOIN __intrinsic_counter AS c ON c.id = x.counter_id
JOIN __intrinsic_profiler_sample AS s ON s.counter_set_id = x.counter_set_id
WHERE s.callsite_id IS NOT NULL;
