CREATE VIRTUAL TABLE track USING perfetty_table(
  __intrinsic_track, id, name, type, dimension_arg_set_id, parent_id, source_arg_set_id,
  machine_id, track_group_id
);

CREATE PERFETTO TABLE thread_track AS
SELECT id, name, type, parent_id, source_arg_set_id, machine_id, utid
FROM __intrinsic_track
WHERE event_type = 'slice' AND utid IS NOT NULL;

CREATE PERFETTO TABLE process_track AS
SELECT id, name, type, parent_id, source_arg_set_id, machine_id, upid
FROM __intrinsic_track
WHERE event_type = 'slice' AND upid IS NOT NULL;

CREATE PERFETTO TABLE cpu_track AS
SELECT
  id, name, type, parent_id, source_arg_set_id, machine_id,
  extract_arg(dimension_arg_set_id, 'cpu') AS cpu
FROM __intrinsic_track
WHERE event_type = 'slice' AND extract_arg(dimension_arg_set_id, 'cpu') IS NOT NULL;

CREATE PERFETTO TABLE gpu_track AS
SELECT
  id, name, type, parent_id, source_arg_set_id, dimension_arg_set_id, machine_id, type AS scope,
  extract_arg(source_arg_set_id, 'description') AS description,
  extract_arg(dimension_arg_set_id, 'context_id') AS context_id
FROM __intrinsic_track
WHERE
  event_type = 'slice'
  AND type IN (
    'drm_vblank', 'drm_sched_ring', 'drm_fence', 'mali_mcu_state', 'gpu_render_stage',
    'vulkan_events', 'gpu_log', 'graphics_frame_event'
  );
