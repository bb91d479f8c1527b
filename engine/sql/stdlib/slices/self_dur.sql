-- The time of a slice that none of its children took.
CREATE PERFETTO TABLE slice_self_dur AS
SELECT id, self_dur FROM __intrinsic_slice_self_dur;
