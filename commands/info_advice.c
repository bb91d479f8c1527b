#include "commands/info.h"

/* What to do about a loss, by the name of its stat: whole, or its beginning when
 * it ends in '*'; the first that fits. */
static const struct advice {
    const char *name, *text;
} advices[] = {
    /* what this program met while reading */
    {"perfetty_input_truncated",
     "Copy or download the file again; if it was cut while recording, what is here is all."},
    {"perfetty_input_corrupt",
     "Copy the file again, in binary mode; a checksum at its source tells whether it was "
     "damaged on the way."},
    {"perfetty_member_skipped",
     "Look at the warnings for its name; unpack it and open it by itself, or leave it out."},
    {"perfetty_limit_reached",
     "Unpack the archive with another tool and open only the files that matter."},
    {"perfetty_load_interrupted", "Open the trace again and let it load to its end."},
    {"perfetty_extensions_package_skipped",
     "Rename the package in the sidecar: a trace may not replace what is there already."},
    {"perfetty_perf_lost", "Lower the sampling frequency, or enlarge perf's buffer (-m)."},
    {"perfetty_packet_parts_invalid",
     "Look at the import log for the place; update what wrote these packets."},
    {"perfetty_unread_packets",
     "This data stays unread here; the names of its fields are in Perfetto's trace_packet.proto."},
    {"perfetty_unread_ftrace_events",
     "These kernel events are only counted; other tools may show them."},
    {"tokenizer_skipped_packets",
     "Begin the recording earlier, or clear incremental state more often "
     "(incremental_state_config.clear_period_ms)."},
    {"unknown_extension_fields",
     "Put the descriptors of these fields into the trace (extension_descriptor), or into a "
     "sidecar's proto_descriptors."},
    {"extra_parsing_descriptors_error",
     "Write the descriptors again with protoc --descriptor_set_out --include_imports."},
    /* the recording service */
    {"traced_buf_trace_writer_packet_loss",
     "Enlarge shmem_size_kb of the producer, or write less at once."},
    {"traced_buf_data_loss_smb_full",
     "Enlarge shmem_size_kb of the producer, or write less at once."},
    {"traced_buf_data_loss_overwrite",
     "Enlarge size_kb of this buffer, record for a shorter time, or stream into a file "
     "(write_into_file)."},
    {"traced_buf_sequence_packet_loss",
     "Enlarge size_kb of the buffer, or stream into a file (write_into_file)."},
    {"traced_buf_incremental_sequences_dropped",
     "Enlarge size_kb of the buffer, or set incremental_state_config.clear_period_ms."},
    {"traced_buf_abi_violations", "A producer writes badly: update its tracing library."},
    {"traced_buf_*", "Enlarge size_kb of this buffer; update the producer's tracing library."},
    {"traced_final_flush_failed",
     "Give producers more time to flush (flush_timeout_ms), and stop apps only after the "
     "recording."},
    {"traced_flushes_failed", "Give producers more time to flush (flush_timeout_ms)."},
    {"config_write_into_file_no_flush", "Set flush_period_ms, 5000 or so, in the config."},
    {"config_write_into_file_discard", "Set fill_policy: RING_BUFFER for this buffer."},
    {"long_trace_mode_bytes_overwritten",
     "Set file_write_period_ms lower, or enlarge the buffers."},
    {"filter_errors", "The trace filter of the config is wrong: check filter.bytecode."},
    {"protovm_*", "Record again with a newer tracing service."},
    {"metatrace_overruns", "Only the tracing of tracing itself is affected."},
    /* the kernel */
    {"ftrace_cpu_*",
     "Enlarge ftrace_config.buffer_size_kb, lower drain_period_ms, or record fewer events."},
    {"ftrace_setup_errors",
     "The kernel refused some of the events that the config asks for: check their names, and "
     "whether root is needed."},
    {"ftrace_kprobe_misses_delta", "Lower the rate of the probed function, or probe another."},
    {"ftrace_*", "Record again; the kernel's event formats could not be read."},
    {"compact_sched_has_parse_errors", "Record without compact_sched, and tell its authors."},
    {"mismatched_sched_switch_tids",
     "Enlarge ftrace_config.buffer_size_kb: events between two switches are missing."},
    {"generic_task_state_invalid_order", "Check the producer: its states are not in order."},
    {"task_state_invalid", "Check the producer: it writes states that do not exist."},
    /* clocks and order */
    {"clock_sync_unrelatable_clock_domains",
     "Relate the files' clocks in a sidecar (files[].clocks, see docs/sidecar.md)."},
    {"clock_sync_mixed_clock_sources",
     "Give the file a machine of its own in a sidecar (files[].machine)."},
    {"clock_sync_*", "Record clock snapshots (on by default), or relate the clocks in a sidecar "
                     "(files[].clocks)."},
    {"invalid_clock_snapshots", "Check the clocks of the machine that recorded."},
    {"sorter_push_event_out_of_order",
     "Flush more often (flush_period_ms), or do not stream into a file."},
    {"trace_sorter_negative_timestamp_dropped",
     "Check the clocks: in a sidecar, an offset_ns may reach too far back."},
    /* track events */
    {"slice_drop_overlapping_complete_event",
     "Let slices of a track nest: put tasks that overlap on tracks of their own."},
    {"slice_spill_overlapping_complete_event",
     "They stand on a track of their own beside the thread."},
    {"slice_negative_duration", "Check the writer: an end lies before its beginning."},
    {"slice_max_depth_exceeded", "Check the writer: probably ends of slices are missing."},
    {"misplaced_end_event", "Check the writer: ends must come in the reverse order of begins."},
    {"track_event_thread_invalid_end",
     "Check the writer: an end has no beginning, or the recording began in between."},
    {"flow_*", "Check the ids of flows that the writer gives."},
    {"track_event_*", "Check how the writer uses the tracing library; update it."},
    {"track_descriptor_*", "Check how the writer describes its tracks; update its library."},
    {"thread_descriptor_*", "Update the writer's tracing library."},
    {"*_missing_sequence_id", "Update the writer's tracing library."},
    {"incremental_state_*", "Update the writer's tracing library."},
    {"previous_packet_*", "Update the writer's tracing library."},
    {"trace_packet_defaults_*", "Update the writer's tracing library."},
    {"interned_data_*", "The recording lost packets: enlarge size_kb of the buffer."},
    {"kernel_trackevent_format_error", "Check the format of the kernel's tracepoint."},
    /* memory and profiles */
    {"heapprofd_buffer_overran",
     "Raise shmem_size_bytes or sampling_interval_bytes in heapprofd_config."},
    {"heapprofd_hit_guardrail", "Raise the limits of memory and CPU in heapprofd_config."},
    {"heapprofd_rejected_concurrent", "Profile a process by one session at a time."},
    {"heapprofd_client_error", "See the log of the profiled app for the reason."},
    {"heapprofd_*", "Record the heap profile again; a longer recording lets it finish."},
    {"heap_graph_*", "Dump the heap again and wait for the dump to finish; enlarge size_kb."},
    {"hprof_*", "Dump the heap again: the file is damaged."},
    {"smaps_parser_errors", "Record the mappings again."},
    {"memory_snapshot_parser_failure", "Record the memory dump again."},
    {"perf_samples_skipped_dataloss", "Lower the sampling frequency, or raise ring_buffer_pages."},
    {"perf_cpu_lost_records", "Lower the sampling frequency, or enlarge perf's buffer (-m)."},
    {"perf_guardrail_stop_ts", "Raise max_daemon_memory_kb, or sample fewer processes."},
    {"perfetty_perf_lost", "Lower the sampling frequency, or enlarge perf's buffer (-m)."},
    {"perf_record_skipped",
     "Nothing, unless the index is 9 (samples): other kinds of records say nothing of them."},
    {"perf_aux*", "Enlarge the AUX buffer (perf record -m ,SIZE)."},
    {"perf_unknown_aux_data", "This hardware trace is not read here."},
    {"etm_no_importer", "Hardware instruction traces (ETM) are not read here."},
    {"perf_text_importer_sample_no_frames",
     "Record with call stacks (perf record -g), and print with perf script."},
    {"perf_*", "Record again; perf report -D shows what these records hold."},
    {"simpleperf_missing_file_mapping", "Write the report again with a newer simpleperf."},
    {"stackprofile_*", "The recording lost packets: enlarge size_kb of the buffer."},
    {"streaming_profile_*", "Check the writer of the profile."},
    {"deobfuscate_location_parse_error", "Write the mapping file again with the same R8."},
    {"symbolization_*", "Symbols are only read as far as the trace has them."},
    {"jit_unknown_frame", "Code that was compiled before the recording has no names."},
    {"v8_*", "Begin the recording before the page loads."},
    {"legacy_v8_*", "Record the CPU profile again."},
    /* Android */
    {"android_log_*", "Only these log lines are missing; logcat may have them."},
    {"android_video_*", "Check the config of the screen recording, and the display's state."},
    {"android_br_parse_errors", "Take the bug report again."},
    {"packages_list_*", "Only names of packages are missing: record as a privileged app."},
    {"game_intervention_*", "Only settings of games are missing."},
    {"user_list_errors", "Only the list of users is missing."},
    {"android_aflags_errors", "Only flags are missing."},
    {"energy_*", "The device does not describe all of its energy consumers."},
    {"entity_state_*", "The device does not describe all of its power states."},
    {"power_rail_*", "The device does not describe all of its power rails."},
    {"app_wakelock_*", "Begin the recording earlier, or enlarge the buffer."},
    {"kernel_wakelock_*", "Begin the recording earlier, or enlarge the buffer."},
    {"winscope_*", "Record again with a newer Android."},
    {"atom_timestamp_missing", "Only some statsd atoms are missing."},
    {"pixel_modem_negative_timestamp", "Only some modem events are missing."},
    {"mali_unknown_mcu_state_id", "A newer GPU driver has states that are not known here."},
    {"gpu_*", "Update the GPU's producer; it describes its counters or times badly."},
    /* counters of the system */
    {"meminfo_unknown_keys", "The kernel counts more than is known here; only that is missing."},
    {"vmstat_unknown_keys", "The kernel counts more than is known here; only that is missing."},
    {"proc_stat_unknown_counters",
     "The kernel counts more than is known here; only that is missing."},
    {"rss_stat_unknown_keys", "The kernel counts more than is known here; only that is missing."},
    {"psi_unknown_resource", "The kernel counts more than is known here; only that is missing."},
    {"mm_unknown_type", "The kernel counts more than is known here; only that is missing."},
    {"invalid_cpu_times", "Only the CPU times of these readings are missing."},
    {"cpu_info_empty", "Only facts about the CPUs are missing."},
    {"missing_disk_io_event_name", "Only names of disk events are missing."},
    {"process_tracker_errors", "Some threads may stand below the wrong process."},
    {"namespaced_thread_missing_process", "Some threads of containers have no process."},
    {"systemd_journal_num_failed", "Only these journal lines are missing."},
    /* other formats */
    {"json_tokenizer_failure",
     "Look at the place in the file; escape quotes and control characters where it is written."},
    {"json_parser_failure",
     "Look at the first event; pid, tid, ts and ph must be as the Trace Event Format says."},
    {"empty_chrome_metadata", "Only Chrome's metadata is missing."},
    {"systrace_parse_failure", "Look at the lines; a pager or a mail may have wrapped them."},
    {"fuchsia_*", "Record again; update the writer of the trace."},
    {"instruments_*", "Export again with a newer xctrace."},
    {"ninja_parse_errors", "Run ninja -t recompact, then open the log again."},
    {"strace_unsupported_timestamp_format", "Record with strace -f -ttt."},
    {"strace_missing_pid", "Record with strace -f, which writes the pid of each line."},
    {"primes_*", "Record again; update the writer of the trace."},
};

static bool fits(struct str name, const char *pattern)
{
    struct str p = str_of(pattern);
    if (p.n > 0 && p.p[0] == '*') {
        p = str_slice(p, 1, p.n);
        return name.n >= p.n && str_equal(str_slice(name, name.n - p.n, name.n), p);
    }
    if (p.n > 0 && p.p[p.n - 1] == '*') return str_starts(name, str_slice(p, 0, p.n - 1));
    return str_equal(name, p);
}

const char *info_advice_for(struct str name, struct str severity, struct str source)
{
    for (size_t i = 0; i < sizeof advices / sizeof *advices; i++)
        if (fits(name, advices[i].name)) return advices[i].text;
    if (str_is(severity, "notice")) return "Nothing is missing: it is good to know.";
    if (str_is(source, "trace"))
        return "It was lost while recording: enlarge the buffers, or record less.";
    return "Look at the import log for the place: SELECT * FROM _trace_import_logs.";
}
