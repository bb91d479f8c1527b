#include "engine/proto/bundled.h"

/* What a recording was asked to do, as far as it is shown as text. */
const char *const bundled_config_messages[] = {
    "TraceConfig{buffers 1*:BufferConfig, data_sources 2*:DataSource, builtin_data_sources "
    "20:BuiltinDataSource, duration_ms 3:u32, prefer_suspend_clock_for_duration 36:bool, "
    "enable_extra_guardrails 4:bool, lockdown_mode 5:LockdownModeOperation, producers "
    "6*:ProducerConfig, statsd_metadata 7:StatsdMetadata, write_into_file 8:bool, output_path "
    "29:str, file_write_period_ms 9:u32, max_file_size_bytes 10:u64, deferred_start 12:bool, "
    "flush_period_ms 13:u32, flush_timeout_ms 14:u32, data_source_stop_timeout_ms 23:u32, "
    "notify_traceur 16:bool, bugreport_score 30:i32, bugreport_filename 38:str, trigger_config "
    "17:TriggerConfig, activate_triggers 18*:str, incremental_state_config "
    "21:IncrementalStateConfig, allow_user_build_tracing 19:bool, unique_session_name 22:str, "
    "compression_type 24:CompressionType, trace_uuid_msb 27:i64, trace_uuid_lsb 28:i64, "
    "session_semaphores 39*:SessionSemaphore, exclusive_prio 41:u32, trace_all_machines 43:bool}",
    "TraceConfig.BufferConfig{size_kb 1:u32, fill_policy 4:FillPolicy, transfer_on_clone 5:bool, "
    "clear_before_clone 6:bool}",
    "TraceConfig.BufferConfig.FillPolicy(UNSPECIFIED=0, RING_BUFFER=1, DISCARD=2)",
    "TraceConfig.DataSource{config 1:DataSourceConfig, producer_name_filter 2*:str, "
    "producer_name_regex_filter 3*:str, machine_name_filter 4*:str}",
    "TraceConfig.BuiltinDataSource{disable_clock_snapshotting 1:bool, disable_trace_config 2:bool, "
    "disable_system_info 3:bool, disable_service_events 4:bool, snapshot_interval_ms 6:u32}",
    "TraceConfig.LockdownModeOperation(LOCKDOWN_UNCHANGED=0, LOCKDOWN_CLEAR=1, LOCKDOWN_SET=2)",
    "TraceConfig.ProducerConfig{producer_name 1:str, shm_size_kb 2:u32, page_size_kb 3:u32}",
    "TraceConfig.StatsdMetadata{triggering_alert_id 1:i64, triggering_config_uid 2:i32, "
    "triggering_config_id 3:i64, triggering_subscription_id 4:i64}",
    "TraceConfig.TriggerConfig{trigger_mode 1:TriggerMode, triggers 2*:Trigger, trigger_timeout_ms "
    "3:u32}",
    "TraceConfig.TriggerConfig.TriggerMode(UNSPECIFIED=0, START_TRACING=1, STOP_TRACING=2, "
    "CLONE_SNAPSHOT=4)",
    "TraceConfig.TriggerConfig.Trigger{name 1:str, producer_name_regex 2:str, stop_delay_ms 3:u32, "
    "max_per_24_h 4:u32, skip_probability 5:f64}",
    "TraceConfig.IncrementalStateConfig{clear_period_ms 1:u32}",
    "TraceConfig.CompressionType(COMPRESSION_TYPE_UNSPECIFIED=0, COMPRESSION_TYPE_DEFLATE=1)",
    "TraceConfig.SessionSemaphore{name 1:str, max_other_session_count 2:u64}",
    "DataSourceConfig{name 1:str, target_buffer 2:u32, trace_duration_ms 3:u32, "
    "tracing_session_id 4:u64, enable_extra_guardrails 6:bool, stop_timeout_ms 7:u32, "
    "ftrace_config 100:FtraceConfig, process_stats_config 103:ProcessStatsConfig, "
    "track_event_config 113:TrackEventConfig}",
    "FtraceConfig{ftrace_events 1*:str, atrace_categories 2*:str, atrace_apps 3*:str, "
    "buffer_size_kb 10:u32, drain_period_ms 11:u32, compact_sched 12:CompactSchedConfig, "
    "symbolize_ksyms 13:bool}",
    "FtraceConfig.CompactSchedConfig{enabled 1:bool}",
    "ProcessStatsConfig{record_thread_names 3:bool, scan_all_processes_on_start 2:bool, "
    "proc_stats_poll_ms 4:u32, proc_stats_cache_ttl_ms 6:u32}",
    "TrackEventConfig{disabled_categories 1*:str, enabled_categories 2*:str, disabled_tags 3*:str, "
    "enabled_tags 4*:str}",
};

const size_t bundled_config_messages_count =
    sizeof bundled_config_messages / sizeof *bundled_config_messages;
