CREATE VIEW state_track AS
SELECT id, name, parent_id, type, dimension_arg_set_id, source_arg_set_id, machine_id
FROM __intrinsic_track
WHERE event_type = 'state';

CREATE PERFETTO TABLE process_state_track AS
SELECT id, name, type, parent_id, source_arg_set_id, machine_id, upid
FROM __intrinsic_track
WHERE event_type = 'state' AND upid IS NOT NULL;

CREATE PERFETTO TABLE thread_state_track AS
SELECT id, name, type, parent_id, source_arg_set_id, machine_id, utid
FROM __intrinsic_track
WHERE event_type = 'state' AND utid IS NOT NULL;
