#include "tests/gen/catalogue.h"

#include "tests/gen/broken.h"
#include "tests/gen/containers.h"
#include "tests/gen/example.h"
#include "tests/gen/features.h"
#include "tests/gen/heap_formats.h"
#include "tests/gen/hostile.h"
#include "tests/gen/manifests.h"
#include "tests/gen/perf_data.h"
#include "tests/gen/perf_script.h"
#include "tests/gen/profile_formats.h"
#include "tests/gen/servers.h"
#include "tests/gen/sidecars.h"
#include "tests/gen/story.h"
#include "tests/gen/text_formats.h"

static void write_story(struct buffer *out)
{
    struct gen_story story;
    tracegen_story(out, 1, &story);
}

static const struct entry {
    const char *name;
    void (*write)(struct buffer *out);
} ENTRIES[] = {
    {"example.zip", gen_example_archive},
    {"example_forbidden.zip", gen_example_archive_forbidden},
    {"example.perfetto-trace", gen_example_trace},
    {"story.zip", write_story},

    {"slices.perfetto-trace", gen_write_slices},
    {"annotations.perfetto-trace", gen_write_annotations},
    {"counters.perfetto-trace", gen_write_counters},
    {"flows.perfetto-trace", gen_write_flows},
    {"states.perfetto-trace", gen_write_states},
    {"track_tree.perfetto-trace", gen_write_track_tree},
    {"merged_tracks.perfetto-trace", gen_write_merged_tracks},
    {"extension.perfetto-trace", gen_write_extension},
    {"event_logs.perfetto-trace", gen_write_event_logs},
    {"legacy_events.perfetto-trace", gen_write_legacy_events},
    {"sched_compact.perfetto-trace", gen_write_sched_compact},
    {"sched_full.perfetto-trace", gen_write_sched_full},
    {"atrace.perfetto-trace", gen_write_atrace},
    {"tasks.perfetto-trace", gen_write_tasks},
    {"kernel_misc.perfetto-trace", gen_write_kernel_misc},
    {"gpu.perfetto-trace", gen_write_gpu},
    {"graphics_frames.perfetto-trace", gen_write_graphics_frames},
    {"v4l2.perfetto-trace", gen_write_v4l2},
    {"syscalls.perfetto-trace", gen_write_syscalls},
    {"etw.perfetto-trace", gen_write_etw},
    {"android_usage.perfetto-trace", gen_write_android_usage},
    {"phone_parts.perfetto-trace", gen_write_phone_parts},
    {"memory_snapshots.perfetto-trace", gen_write_memory_snapshots},
    {"winscope.perfetto-trace", gen_write_winscope},
    {"triggers.perfetto-trace", gen_write_triggers},
    {"metatrace.perfetto-trace", gen_write_metatrace},
    {"kernel_graphics.perfetto-trace", gen_write_kernel_graphics},
    {"kernel_io.perfetto-trace", gen_write_kernel_io},
    {"kernel_memory.perfetto-trace", gen_write_kernel_memory},
    {"kernel_power.perfetto-trace", gen_write_kernel_power},
    {"kernel_interrupts.perfetto-trace", gen_write_kernel_interrupts},
    {"kernel_marks.perfetto-trace", gen_write_kernel_marks},
    {"kernel_video.perfetto-trace", gen_write_kernel_video},
    {"kernel_clocks.perfetto-trace", gen_write_kernel_clocks},
    {"chrome_descriptors.perfetto-trace", gen_write_chrome_descriptors},
    {"perf_followers.perfetto-trace", gen_write_perf_followers},
    {"kernel_generic.perfetto-trace", gen_write_kernel_generic},
    {"sys_stats.perfetto-trace", gen_write_sys_stats},
    {"android_power.perfetto-trace", gen_write_android_power},
    {"topics.perfetto-trace", gen_write_topics},
    {"android_misc.perfetto-trace", gen_write_android_misc},
    {"generic_kernel.perfetto-trace", gen_write_generic_kernel},
    {"gpu_counters.perfetto-trace", gen_write_gpu_counters},
    {"process_stats.perfetto-trace", gen_write_process_stats},
    {"system_info.perfetto-trace", gen_write_system_info},
    {"service.perfetto-trace", gen_write_service},
    {"metadata.perfetto-trace", gen_write_metadata},
    {"heap_profile.perfetto-trace", gen_write_heap_profile},
    {"chrome_samples.perfetto-trace", gen_write_chrome_samples},
    {"frame_timeline.perfetto-trace", gen_write_frame_timeline},
    {"track_event_times.perfetto-trace", gen_write_track_event_times},
    {"track_event_facts.perfetto-trace", gen_write_track_event_facts},
    {"remote_clock.perfetto-trace", gen_write_remote_clock},
    {"processes.perfetto-trace", gen_write_processes},
    {"clocks.perfetto-trace", gen_write_clocks},
    {"packet_loss.perfetto-trace", gen_write_packet_loss},
    {"compressed_zlib.perfetto-trace", gen_write_compressed_zlib},
    {"compressed_zstd.perfetto-trace", gen_write_compressed_zstd},
    {"perf_samples.perfetto-trace", gen_write_perf_samples},
    {"android_logs.perfetto-trace", gen_write_android_logs},
    {"module_symbols.perfetto-trace", gen_write_module_symbols},
    {"heap_graph.perfetto-trace", gen_write_heap_graph},
    {"heap_graph_odd.perfetto-trace", gen_write_heap_graph_odd},
    {"stack_samples.perfetto-trace", gen_write_stack_samples},
    {"smaps.perfetto-trace", gen_write_smaps},
    {"deobfuscation.perfetto-trace", gen_write_deobfuscation},
    {"out_of_memory.perfetto-trace", gen_write_out_of_memory},
    {"named_args.perfetto-trace", gen_write_named_args},
    {"text.art_method.trace", gen_write_art_text},
    {"text_cut.art_method.trace", gen_write_art_text_cut},
    {"text_odd.art_method.trace", gen_write_art_text_odd},
    {"stream.art_method.trace", gen_write_art_stream},
    {"stream_cut.art_method.trace", gen_write_art_stream_cut},
    {"wall.art_method_v2.trace", gen_write_art_v2},
    {"dual.art_method_v2.trace", gen_write_art_v2_dual},
    {"odd.art_method_v2.trace", gen_write_art_v2_odd},
    {"shop.hprof", gen_write_hprof},
    {"shop_long.hprof", gen_write_hprof_long},
    {"shop_cut.hprof", gen_write_hprof_cut},
    {"shop_odd.hprof", gen_write_hprof_odd},
    {"demo.fxt", gen_write_fuchsia},
    {"demo_cut.fxt", gen_write_fuchsia_cut},
    {"demo_odd.fxt", gen_write_fuchsia_odd},
    {"simpleperf.simpleperf", gen_write_simpleperf},
    {"chrome.json", gen_write_chrome_json},
    {"chrome_v8.json", gen_write_chrome_v8},
    {"chrome_forms.json", gen_write_chrome_forms},
    {"chrome_odd.json", gen_write_chrome_odd},
    {"shop.perf.data", gen_write_perf_data},
    {"big_endian.perf.data", gen_write_perf_data_big_endian},
    {"pipe.perf.data", gen_write_perf_data_pipe},
    {"plain.perf.data", gen_write_perf_data_plain},
    {"mappings.perf.data", gen_write_perf_data_mappings},
    {"packed.perf.data", gen_write_perf_data_packed},
    {"simpleperf.perf.data", gen_write_perf_data_simpleperf},
    {"aux.perf.data", gen_write_perf_data_aux},
    {"broken.perf.data", gen_write_perf_data_broken},
    {"cut.perf.data", gen_write_perf_data_cut},
    {"unclosed.perf.data", gen_write_perf_data_unclosed},
    {"samples.perf_script", gen_write_perf_script},
    {"broken.perf_script", gen_write_perf_script_broken},

    {"stacks.collapsed.txt", gen_write_collapsed},
    {"stacks_utf16.collapsed.txt", gen_write_collapsed_utf16},
    {"stacks_odd.collapsed.txt", gen_write_collapsed_odd},
    {"profile.pprof", gen_write_pprof},
    {"profile_cut.pprof", gen_write_pprof_cut},
    {"profile_odd.pprof", gen_write_pprof_odd},
    {"primes.pb", gen_write_primes},
    {"primes_cut.pb", gen_write_primes_cut},
    {"primes_odd.pb", gen_write_primes_odd},
    {"gecko_raw.json", gen_write_gecko_raw},
    {"gecko_processed.json", gen_write_gecko_processed},
    {"gecko_shared.json", gen_write_gecko_shared},
    {"gecko_cut.json", gen_write_gecko_cut},
    {"gecko_odd.json", gen_write_gecko_odd},
    {"node.cpuprofile", gen_write_cpuprofile},
    {"old.cpuprofile", gen_write_cpuprofile_old},
    {"cut.cpuprofile", gen_write_cpuprofile_cut},
    {"odd.cpuprofile", gen_write_cpuprofile_odd},
    {"instruments.xml", gen_write_instruments},
    {"instruments_cut.xml", gen_write_instruments_cut},
    {"instruments_odd.xml", gen_write_instruments_odd},
    {"instruments_copy.txt", gen_write_instruments_copy},
    {"instruments_copy_bytes.txt", gen_write_instruments_copy_bytes},

    {"kernel.systrace", gen_write_systrace},
    {"kernel_odd.systrace", gen_write_systrace_odd},
    {"kernel.html", gen_write_systrace_html},
    {"kernel.ctrace", gen_write_ctrace},
    {"kernel_events.json", gen_write_system_trace_json},
    {"android.logcat", gen_write_logcat},
    {"android_odd.logcat", gen_write_logcat_odd},
    {"android.dumpstate", gen_write_dumpstate},
    {"battery.dumpstate", gen_write_battery},
    {"battery_odd.dumpstate", gen_write_battery_odd},
    {"bugreport.zip", gen_write_bugreport},
    {"calls.strace", gen_write_strace},
    {"calls_odd.strace", gen_write_strace_odd},
    {"build.ninja_log", gen_write_ninja},
    {"build_odd.ninja_log", gen_write_ninja_odd},
    {"lines.json", gen_write_json_lines},
    {"utf16.json", gen_write_json_utf16},

    {"hostile.perfetto-trace", gen_write_hostile_trace},
    {"hostile.json", gen_write_hostile_json},
    {"hostile_sidecar.zip", gen_write_hostile_sidecar},

    {"empty.bin", gen_write_empty},
    {"cut_packet.perfetto-trace", gen_write_cut_packet},
    {"cut_tag.perfetto-trace", gen_write_cut_tag},
    {"other_fields.perfetto-trace", gen_write_other_fields},
    {"bad_wire_type.perfetto-trace", gen_write_bad_wire_type},
    {"huge_length.perfetto-trace", gen_write_huge_length},
    {"bad_inner_packet.perfetto-trace", gen_write_bad_inner_packet},
    {"bad_zlib.perfetto-trace", gen_write_bad_zlib},
    {"compressed_twice.perfetto-trace", gen_write_compressed_in_compressed},
    {"compact_mismatch.perfetto-trace", gen_write_compact_mismatch},
    {"deep_stack.perfetto-trace", gen_write_deep_stack},
    {"deep_annotation.perfetto-trace", gen_write_deep_annotation},
    {"times_at_the_ends.perfetto-trace", gen_write_times_at_the_ends},
    {"simpleperf_cut.simpleperf", gen_write_simpleperf_cut},
    {"simpleperf_version.simpleperf", gen_write_simpleperf_version},
    {"cut.perfetto-trace.gz", gen_write_gzip_cut},
    {"damaged.perfetto-trace.gz", gen_write_gzip_damaged},
    {"rest.perfetto-trace.gz", gen_write_gzip_rest},
    {"cut.zip", gen_write_zip_cut},
    {"unknown_type.txt", gen_write_unknown_type},

    {"slices.perfetto-trace.gz", gen_write_gz},
    {"two_members.perfetto-trace.gz", gen_write_gz_two_members},
    {"slices.perfetto-trace.zst", gen_write_zst},
    {"slices.perfetto-trace.gz.zst", gen_write_gz_in_zst},
    {"plain.zip", gen_write_zip_plain},
    {"mixed.zip", gen_write_zip_mixed},
    {"of_gz.zip", gen_write_zip_of_gz},
    {"zip_in_zip.zip", gen_write_zip_in_zip},
    {"no_directory.zip", gen_write_zip_no_directory},
    {"bad_crc.zip", gen_write_zip_bad_crc},
    {"unknown_member.zip", gen_write_zip_unknown_member},
    {"only_unknown.zip", gen_write_zip_only_unknown},
    {"name_twice.zip", gen_write_zip_name_twice},
    {"raw_names.zip", gen_write_zip_raw_names},
    {"bomb.zip", gen_write_zip_bomb},
    {"deep.zip", gen_write_zip_deep},
    {"ustar.tar", gen_write_tar_ustar},
    {"gnu.tar", gen_write_tar_gnu},
    {"pax.tar", gen_write_tar_pax},
    {"ustar.tar.gz", gen_write_tar_gz},
    {"no_end.tar", gen_write_tar_no_end},
    {"odd_types.tar", gen_write_tar_odd_types},
};

enum { ENTRY_COUNT = sizeof ENTRIES / sizeof ENTRIES[0] };

/* Behind the entries: the inputs of the sidecar cases, their JSON alone, the JSON of the
 * manifests, wrong and right, and the answers of servers. */
struct sidecars {
    const struct gen_sidecar_case *cases;
    const struct gen_manifest_wrong *wrong;
    const struct gen_manifest_right *right;
    const struct gen_server_case *servers;
    size_t n_cases, n_wrong, n_right, n_servers;
};

static struct sidecars list_sidecars(void)
{
    struct sidecars s = {0};
    s.cases = gen_sidecar_cases(&s.n_cases);
    s.wrong = gen_manifests_wrong(&s.n_wrong);
    s.right = gen_manifests_right(&s.n_right);
    s.servers = gen_server_cases(&s.n_servers);
    return s;
}

size_t gen_catalogue_count(void)
{
    struct sidecars s = list_sidecars();
    return ENTRY_COUNT + 2 * s.n_cases + s.n_wrong + s.n_right + s.n_servers;
}

static const char *ending_of(enum gen_sidecar_shape shape)
{
    return shape == GEN_SIDECAR_ALONE ? "json" : shape == GEN_SIDECAR_TAR ? "tar" : "zip";
}

void gen_catalogue_name(size_t i, struct buffer *out)
{
    struct sidecars s = list_sidecars();
    if (i < ENTRY_COUNT) {
        buffer_append_text(out, ENTRIES[i].name);
        return;
    }
    i -= ENTRY_COUNT;
    if (i < s.n_cases)
        buffer_printf(out, "sidecar_%s.%s", s.cases[i].name, ending_of(s.cases[i].shape));
    else if (i < 2 * s.n_cases)
        buffer_printf(out, "sidecar_%s.text", s.cases[i - s.n_cases].name);
    else if (i < 2 * s.n_cases + s.n_wrong + s.n_right)
        buffer_printf(out, "sidecar_manifest_%zu.text", i - 2 * s.n_cases);
    else
        buffer_printf(out, "server_%s.answers",
                      s.servers[i - 2 * s.n_cases - s.n_wrong - s.n_right].name);
}

void gen_catalogue_write(size_t i, struct buffer *out)
{
    struct sidecars s = list_sidecars();
    if (i < ENTRY_COUNT) {
        ENTRIES[i].write(out);
        return;
    }
    i -= ENTRY_COUNT;
    if (i < s.n_cases)
        gen_sidecar_input(&s.cases[i], out);
    else if ((i -= s.n_cases) < s.n_cases)
        gen_sidecar_text(&s.cases[i], out);
    else if ((i -= s.n_cases) < s.n_wrong)
        gen_manifest_text(s.wrong[i].sidecar, out);
    else if ((i -= s.n_wrong) < s.n_right)
        gen_manifest_text(s.right[i].sidecar, out);
    else
        gen_server_input(&s.servers[i - s.n_right], out);
}

bool gen_catalogue_find(const char *name, size_t *i)
{
    struct buffer candidate = BUFFER_INIT;
    bool found = false;
    for (size_t k = 0; k < gen_catalogue_count() && !found; k++) {
        buffer_clear(&candidate);
        gen_catalogue_name(k, &candidate);
        found = str_is(buffer_str(&candidate), name);
        if (found) *i = k;
    }
    buffer_free(&candidate);
    return found;
}
