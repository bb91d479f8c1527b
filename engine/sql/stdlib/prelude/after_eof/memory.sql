CREATE VIEW heap_profile AS
SELECT id, ts, ts_end, dur, upid, heap_name FROM __intrinsic_heap_profile;

CREATE VIEW heap_profile_allocation AS
SELECT id, ts, upid, heap_name, callsite_id, count, size FROM __intrinsic_heap_profile_allocation;

CREATE VIEW heap_graph AS
SELECT id, ts, upid, dump_reason, heap_size, truncated FROM __intrinsic_heap_graph;

CREATE VIRTUAL TABLE heap_graph_object USING perfetty_table(
  __intrinsic_heap_graph_object, id, upid, graph_sample_ts, self_size, native_size,
  reference_set_id, reachable, heap_type, type_id, root_type, root_distance, object_data_id
);

CREATE VIRTUAL TABLE heap_graph_class USING perfetty_table(
  __intrinsic_heap_graph_class, id, name, deobfuscated_name, location, superclass_id,
  classloader_id, kind
);

CREATE VIRTUAL TABLE heap_graph_reference USING perfetty_table(
  __intrinsic_heap_graph_reference, id, reference_set_id, owner_id, owned_id, field_name,
  field_type_name, deobfuscated_field_name
);

CREATE VIEW heap_graph_object_data AS
SELECT
  id, field_set_id, value_string, array_element_type, array_element_count, array_data_id,
  array_data_hash
FROM __intrinsic_heap_graph_object_data;

CREATE VIEW heap_graph_primitive AS
SELECT
  id, field_set_id, field_name, field_type, bool_value, byte_value, char_value, short_value,
  int_value, long_value, float_value, double_value
FROM __intrinsic_heap_graph_primitive;

CREATE VIEW heap_graph_thread_callsite AS
SELECT id, heap_graph_id, utid, callsite_id FROM __intrinsic_heap_graph_thread_callsite;

CREATE VIEW profiler_smaps AS
SELECT
  id, upid, ts, path, path_trimmed, aggregate_count, is_deleted, size_kb, private_dirty_kb,
  swap_kb, file_name, start_address, module_timestamp, module_debugid, module_debug_path,
  protection_flags, private_clean_resident_kb, shared_dirty_resident_kb,
  shared_clean_resident_kb, locked_kb, proportional_resident_kb, rss_kb, anonymous_kb,
  pss_dirty_kb, swap_pss_kb
FROM __intrinsic_profiler_smaps;

CREATE VIEW process_memory_mappings AS
SELECT
  id, upid, ts, path_trimmed AS path, aggregate_count, is_deleted, size_kb, rss_kb, anonymous_kb,
  swap_kb, shared_clean_resident_kb AS shared_clean_kb,
  shared_dirty_resident_kb AS shared_dirty_kb, private_clean_resident_kb AS private_clean_kb,
  private_dirty_kb, locked_kb, proportional_resident_kb AS pss_kb, pss_dirty_kb, swap_pss_kb
FROM __intrinsic_profiler_smaps;

CREATE VIEW memory_snapshot AS
SELECT id, timestamp, track_id, detail_level FROM __intrinsic_memory_snapshot;

CREATE VIEW process_memory_snapshot AS
SELECT id, snapshot_id, upid FROM __intrinsic_process_memory_snapshot;

CREATE VIEW memory_snapshot_node AS
SELECT id, process_snapshot_id, parent_node_id, path, size, effective_size, arg_set_id
FROM __intrinsic_memory_snapshot_node;

CREATE VIEW memory_snapshot_edge AS
SELECT id, source_node_id, target_node_id, importance FROM __intrinsic_memory_snapshot_edge;

CREATE VIEW vulkan_memory_allocations AS
SELECT
  id, arg_set_id, source, operation, timestamp, upid, device, device_memory, memory_type, heap,
  function_name, object_handle, memory_address, memory_size, scope
FROM __intrinsic_vulkan_memory_allocations;

CREATE VIEW gpu_counter_group AS
SELECT id, group_id, track_id, name, description FROM __intrinsic_gpu_counter_group;
