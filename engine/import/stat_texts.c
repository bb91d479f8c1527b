#include "engine/import/stat_texts.h"

static const char *const TEXTS[STAT_COUNT] = {
    [STAT_android_log_format_invalid] = "Lines that are not of logcat's threadtime format.",
    [STAT_android_log_num_failed] = "Lines of logcat with a column that is missing or wrong.",
    [STAT_clock_sync_failure_no_path] = "Events whose clock has no tie to trace time were lost.",
    [STAT_clock_sync_failure_unknown_source_clock] =
        "Events on a clock that no snapshot of the trace mentions were lost.",
    [STAT_clock_sync_failure_unknown_target_clock] =
        "Events were lost because no snapshot ties any clock to trace time.",
    [STAT_clock_sync_mixed_clock_sources] =
        "A file used the machine's clocks before it brought its own; early events may be shifted.",
    [STAT_clock_sync_unrelatable_clock_domains] =
        "The clock of a file cannot be related to trace time: events on it were lost. A manifest "
        "can relate them.",
    [STAT_compact_sched_has_parse_errors] = "Compact scheduling data was damaged and left out.",
    [STAT_config_write_into_file_discard] =
        "The recording streams into a file, but this buffer discards when it is full.",
    [STAT_config_write_into_file_no_flush] =
        "The recording streams into a file without flush_period_ms; slow sources may miss data.",
    [STAT_extra_parsing_descriptors_error] = "Descriptors in the trace are damaged.",
    [STAT_flow_duplicate_id] = "A flow began twice under one id.",
    [STAT_flow_no_enclosing_slice] = "A flow event lies in no slice.",
    [STAT_ftrace_cpu_has_data_loss] = "The kernel's buffer of this CPU overflowed: enlarge it.",
    [STAT_ftrace_cpu_overrun_delta] = "Kernel events that were overwritten before they were read.",
    [STAT_ftrace_cpu_dropped_events_delta] = "Kernel events that were dropped while recording.",
    [STAT_interned_data_tokenizer_errors] = "A packet refers to a string that the trace lacks.",
    [STAT_invalid_clock_snapshots] = "Readings of clocks that contradict each other were left out.",
    [STAT_json_parser_failure] = "JSON events that could not be understood.",
    [STAT_json_tokenizer_failure] = "Damaged JSON was stepped over.",
    [STAT_mismatched_sched_switch_tids] =
        "Switches on a CPU do not follow from each other: events between them were lost.",
    [STAT_misplaced_end_event] = "A slice ended after the one around it, and was cut there.",
    [STAT_slice_drop_overlapping_complete_event] =
        "A slice that partly overlaps another on its track was left out.",
    [STAT_slice_max_depth_exceeded] = "Slices nested deeper than 512 levels were left out.",
    [STAT_slice_negative_duration] = "Slices of negative duration were left out.",
    [STAT_strace_missing_pid] =
        "Calls that do not say whose they are were left out: record with strace -f.",
    [STAT_strace_unsupported_timestamp_format] =
        "Calls with a time but no date were left out: record with strace -ttt.",
    [STAT_systrace_parse_failure] =
        "Lines of ftrace text, or marks of programs in it, that could not be understood.",
    [STAT_ninja_parse_errors] = "Damaged lines of the build's log were left out.",
    [STAT_sorter_push_event_out_of_order] = "Events came too late to be put in order.",
    [STAT_tokenizer_skipped_packets] =
        "Packets that need data which was lost before them were left out.",
    [STAT_trace_sorter_negative_timestamp_dropped] = "Events before the beginning of trace time.",
    [STAT_traced_buf_sequence_packet_loss] = "Packets were lost on their way to this buffer.",
    [STAT_traced_buf_trace_writer_packet_loss] =
        "Writers of this buffer dropped packets: the shared memory was full.",
    [STAT_traced_final_flush_failed] =
        "The last flush failed: the end of the trace is not complete.",
    [STAT_track_event_missing_sequence_id] = "Track events without a sequence were left out.",
    [STAT_perf_dummy_mapping_used] = "Addresses of samples at which nothing known was loaded.",
    [STAT_perf_record_skipped] = "Records of a perf.data file that were left out, by their type.",
    [STAT_perf_text_importer_sample_no_frames] = "Samples without frames were left out.",
    [STAT_perfetty_perf_lost] = "Records that the kernel could not write while recording.",
    [STAT_perfetty_input_truncated] =
        "The file ends in the middle of a record; what came before was loaded.",
    [STAT_perfetty_input_corrupt] =
        "Bytes that are no valid record were skipped; the rest was loaded.",
    [STAT_perfetty_packet_parts_invalid] =
        "Parts of packets that lack a time, or what else they need, were left out.",
    [STAT_perfetty_unread_packets] =
        "Packets of a kind that is not read here, by the number of their field.",
    [STAT_perfetty_unread_ftrace_events] =
        "Kernel events of a kind that is not read here, by their number.",
    [STAT_perfetty_member_skipped] =
        "A file of the archive is of an unknown type and was left out.",
    [STAT_perfetty_load_interrupted] = "The load was stopped; the trace is not complete.",
    [STAT_perfetty_limit_reached] =
        "A limit of size was reached; what lies beyond it was not loaded.",
};

const char *stat_text(enum stat stat)
{
    return TEXTS[stat] ? TEXTS[stat] : "";
}
