/* Small traces, each about one thing, for the tests of the importers.  Times start
 * at GEN_FEATURES_START; what each holds is said at its function in the .c file.
 */
#ifndef TESTS_GEN_FEATURES_H
#define TESTS_GEN_FEATURES_H

#include <stdint.h>

#include "engine/base/buffer.h"

#define GEN_FEATURES_START INT64_C(1000000000000)

/* features_event.c: track events */
void gen_write_slices(struct buffer *out);
void gen_write_annotations(struct buffer *out);
void gen_write_counters(struct buffer *out);
void gen_write_flows(struct buffer *out);
void gen_write_states(struct buffer *out);
void gen_write_track_tree(struct buffer *out);
void gen_write_merged_tracks(struct buffer *out);
void gen_write_extension(struct buffer *out);
void gen_write_event_logs(struct buffer *out);

/* features_legacy.c: Chrome's older phases inside track events */
void gen_write_legacy_events(struct buffer *out);

/* features_kernel.c */
void gen_write_sched_compact(struct buffer *out);
void gen_write_sched_full(struct buffer *out);
void gen_write_atrace(struct buffer *out);
void gen_write_tasks(struct buffer *out);
void gen_write_kernel_misc(struct buffer *out);

/* features_device.c: GPUs, pictures, Windows, Android's sums and lists */
void gen_write_gpu(struct buffer *out);
void gen_write_graphics_frames(struct buffer *out);
void gen_write_v4l2(struct buffer *out);
void gen_write_syscalls(struct buffer *out);
void gen_write_etw(struct buffer *out);
void gen_write_android_usage(struct buffer *out);
void gen_write_triggers(struct buffer *out);
void gen_write_metatrace(struct buffer *out);

/* features_probes.c: what samples a system or tells what it is */
void gen_write_sys_stats(struct buffer *out);
void gen_write_android_power(struct buffer *out);
void gen_write_android_misc(struct buffer *out);
void gen_write_generic_kernel(struct buffer *out);
void gen_write_gpu_counters(struct buffer *out);
void gen_write_process_stats(struct buffer *out);
void gen_write_system_info(struct buffer *out);
void gen_write_service(struct buffer *out);
void gen_write_metadata(struct buffer *out);
void gen_write_heap_profile(struct buffer *out);
void gen_write_chrome_samples(struct buffer *out);
void gen_write_frame_timeline(struct buffer *out);

/* features_drivers.c: kernel events of drivers */
void gen_write_kernel_graphics(struct buffer *out);
void gen_write_kernel_io(struct buffer *out);
void gen_write_kernel_memory(struct buffer *out);
void gen_write_kernel_power(struct buffer *out);
void gen_write_kernel_interrupts(struct buffer *out);
void gen_write_kernel_marks(struct buffer *out);
void gen_write_kernel_video(struct buffer *out);
void gen_write_kernel_clocks(struct buffer *out);
void gen_write_kernel_generic(struct buffer *out);

/* features_topics.c: a start, locks, disks, rails, memory of a phone */
void gen_write_topics(struct buffer *out);

/* features_sequences.c: what stands along a sequence of track events */
void gen_write_track_event_times(struct buffer *out);
void gen_write_track_event_facts(struct buffer *out);
void gen_write_remote_clock(struct buffer *out);
void gen_write_chrome_descriptors(struct buffer *out);
void gen_write_perf_followers(struct buffer *out);

/* features_json.c */
void gen_write_chrome_forms(struct buffer *out);
void gen_write_chrome_odd(struct buffer *out);

/* features_phone.c: parts of a phone; features_winscope.c: its windows */
void gen_write_phone_parts(struct buffer *out);
void gen_write_winscope(struct buffer *out);
void gen_write_memory_snapshots(struct buffer *out);

/* features_packet.c: everything around the events */
void gen_write_processes(struct buffer *out);
void gen_write_clocks(struct buffer *out);
void gen_write_packet_loss(struct buffer *out);
void gen_write_compressed_zlib(struct buffer *out);
void gen_write_compressed_zstd(struct buffer *out);
void gen_write_perf_samples(struct buffer *out);
void gen_write_android_logs(struct buffer *out);
void gen_write_module_symbols(struct buffer *out);
void gen_write_simpleperf(struct buffer *out);
void gen_write_chrome_json(struct buffer *out);
void gen_write_chrome_v8(struct buffer *out);

#endif
