CREATE VIRTUAL TABLE slice USING perfetty_table(
  __intrinsic_slice, id, ts, dur, track_id, category, name, depth, parent_id, arg_set_id,
  thread_ts, thread_dur, thread_instruction_count, thread_instruction_delta, category AS cat,
  id AS slice_id
);

CREATE VIRTUAL TABLE slices USING perfetty_table(
  __intrinsic_slice, id, ts, dur, track_id, category, name, depth, parent_id, arg_set_id,
  thread_ts, thread_dur, thread_instruction_count, thread_instruction_delta, category AS cat,
  id AS slice_id
);

CREATE VIEW instant AS
SELECT ts, track_id, name, arg_set_id
FROM __intrinsic_slice
WHERE dur = 0;

CREATE VIRTUAL TABLE flow USING perfetty_table(
  __intrinsic_flow, id, slice_out, slice_in, trace_id, arg_set_id
);

CREATE VIRTUAL TABLE counter USING perfetty_table(
  __intrinsic_counter, id, ts, track_id, value, arg_set_id
);

CREATE VIRTUAL TABLE state USING perfetty_table(
  __intrinsic_state, id, ts, dur, track_id, category, value, arg_set_id
);

-- The text that a person reads in place of the typed value.
CREATE VIEW args AS
SELECT
  id, arg_set_id, flat_key, key, int_value, string_value, real_value, value_type,
  CASE value_type
    WHEN 'int' THEN CAST(int_value AS TEXT)
    WHEN 'uint' THEN printf('%u', int_value)
    WHEN 'real' THEN CAST(real_value AS TEXT)
    WHEN 'pointer' THEN printf('0x%x', int_value)
    WHEN 'bool' THEN CASE WHEN int_value THEN 'true' ELSE 'false' END
    WHEN 'string' THEN string_value
    WHEN 'json' THEN string_value
  END AS display_value
FROM __intrinsic_args;
