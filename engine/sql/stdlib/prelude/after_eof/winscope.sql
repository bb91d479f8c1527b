CREATE VIEW surfaceflinger_layers_snapshot AS
SELECT id, ts, arg_set_id, base64_proto_id, sequence_id, has_invalid_elapsed_ts
FROM __intrinsic_surfaceflinger_layers_snapshot;

CREATE VIEW surfaceflinger_layer AS
SELECT
  id, snapshot_id, arg_set_id, base64_proto_id, layer_id, layer_name, is_visible, parent,
  corner_radius_tl, corner_radius_tr, corner_radius_bl, corner_radius_br, hwc_composition_type,
  is_hidden_by_policy, z_order_relative_of, is_missing_z_parent, layer_rect_id, input_rect_id
FROM __intrinsic_surfaceflinger_layer;

CREATE VIEW surfaceflinger_transactions AS
SELECT id, ts, arg_set_id, base64_proto_id, vsync_id
FROM __intrinsic_surfaceflinger_transactions;

CREATE VIEW window_manager_shell_transitions AS
SELECT
  id, ts, transition_id, arg_set_id, transition_type, send_time_ns, dispatch_time_ns, duration_ns,
  finish_time_ns, shell_abort_time_ns, wm_abort_time_ns, merge_time_ns, create_time_ns, handler,
  status, flags, start_transaction_id, finish_transaction_id
FROM __intrinsic_window_manager_shell_transitions;

CREATE VIEW window_manager_shell_transition_handlers AS
SELECT id, handler_id, handler_name, base64_proto_id
FROM __intrinsic_window_manager_shell_transition_handlers;

CREATE VIEW protolog AS
SELECT id, ts, level, tag, message, stacktrace, location FROM __intrinsic_protolog;
