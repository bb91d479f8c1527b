#include "engine/import/packet.h"

/* The sources of packets, one line each; ends with NULL, which is not counted. */
extern const struct packet_source generic_kernel_source;
extern const struct packet_source android_power_source;
extern const struct packet_source frame_timeline_source;
extern const struct packet_source android_misc_source;
extern const struct packet_source android_lists_source;
extern const struct packet_source android_usage_source;
extern const struct packet_source device_events_source;
extern const struct packet_source android_modem_source;
extern const struct packet_source winscope_source;
extern const struct packet_source perf_sample_source;
extern const struct packet_source heap_profile_source;
extern const struct packet_source heap_graph_source;
extern const struct packet_source etw_source;
extern const struct packet_source symbols_source;
extern const struct packet_source stack_samples_source;
extern const struct packet_source chrome_samples_source;
extern const struct packet_source smaps_source;
extern const struct packet_source memory_tracker_source;
extern const struct packet_source metatrace_source;
extern const struct packet_source gpu_counter_source;
extern const struct packet_source gpu_events_source;
extern const struct packet_source graphics_frame_source;
extern const struct packet_source art_metadata_source;
extern const struct packet_source ftrace_source;
extern const struct packet_source process_stats_source;
extern const struct packet_source process_tree_source;
extern const struct packet_source system_probes_source;
extern const struct packet_source packet_source_metadata;
extern const struct packet_source packet_source_service;
extern const struct packet_source packet_source_track_event;

const struct packet_source *const packet_sources[] = {
    &generic_kernel_source,
    &android_power_source,
    &frame_timeline_source,
    &android_misc_source,
    &android_lists_source,
    &android_usage_source,
    &device_events_source,
    &android_modem_source,
    &winscope_source,
    &perf_sample_source,
    &heap_profile_source,
    &heap_graph_source,
    &etw_source,
    &symbols_source,
    &stack_samples_source,
    &chrome_samples_source,
    &smaps_source,
    &memory_tracker_source,
    &metatrace_source,
    &gpu_counter_source,
    &gpu_events_source,
    &graphics_frame_source,
    &art_metadata_source,
    &ftrace_source,
    &process_stats_source,
    &process_tree_source,
    &system_probes_source,
    &packet_source_metadata,
    &packet_source_service,
    &packet_source_track_event,
    NULL,
};
const unsigned packet_sources_count = sizeof packet_sources / sizeof *packet_sources - 1;
