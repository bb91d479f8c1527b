/* Packets that sample a system or tell what it is: every source once, with its values. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "tests/gen/features.h"
#include "tests/unit/trace_fixture.h"

#define START "1000000000000"

/* Counters by name: "NAME VALUE|…" of those that match. */
#define COUNTERS(glob) \
    "select t.name, c.value from counter c join counter_track t on t.id = c.track_id " \
    "where t.name glob '" glob "' order by t.name, c.ts, c.id"
#define STATS(list) \
    "select name, ifnull(idx, '-'), value from stats where value <> 0 and name in (" list \
    ") order by name, idx"
#define METADATA(glob) \
    "select name, coalesce(str_value, int_value) from metadata where name glob '" glob \
    "' order by 1"

static void test_sys_stats(void **state)
{
    struct engine *engine = trace_load_written(gen_write_sys_stats);
    (void)state;
    trace_expect(engine, COUNTERS("[Mmn]*"),
                 "MemTotal 1.024e+06|mem.buddyinfo[0][Normal][16 kB] 3|"
                 "mem.buddyinfo[0][Normal][4 kB] 5|mem.buddyinfo[0][Normal][8 kB] 4|"
                 "mem.slab.dentry 24576|nr_free_pages 77|num_forks 5|num_irq (id: 18) 9|"
                 "num_irq_total 600|num_softirq (id: 3) 4|num_softirq_total 700");
    trace_expect(engine, COUNTERS("cpu*"),
                 "cpu.times.idle_ns 40|cpu.times.io_wait_ns 50|cpu.times.irq_ns 60|"
                 "cpu.times.softirq_ns 70|cpu.times.steal_ns 80|cpu.times.system_mode_ns 30|"
                 "cpu.times.user_nice_ns 20|cpu.times.user_ns 10|cpufreq 1.8e+06|cpufreq 600000|"
                 "cpufreq 1.2e+06|cpuidle1.C1 900");
    trace_expect(engine, COUNTERS("[bgp]*"),
                 "battery 41|gpu Frequency 300000|gpufreq 500|gpufreq 400|psi.cpu.some 55");
    trace_expect(engine, COUNTERS("disk*"),
                 "diskstat.[sda].discard_amount 0|diskstat.[sda].discard_throughput 0|"
                 "diskstat.[sda].flush_amount 3|diskstat.[sda].flush_time 7|"
                 "diskstat.[sda].read_amount 1|diskstat.[sda].read_throughput 2|"
                 "diskstat.[sda].write_amount 0|diskstat.[sda].write_throughput 0");
    trace_expect(engine,
                 STATS("'meminfo_unknown_keys', 'vmstat_unknown_keys', 'psi_unknown_resource'"),
                 "meminfo_unknown_keys - 1|psi_unknown_resource - 1|vmstat_unknown_keys - 1");
    engine_free(engine);
}

static void test_android_power(void **state)
{
    struct engine *engine = trace_load_written(gen_write_android_power);
    (void)state;
    trace_expect(engine, COUNTERS("batt*"),
                 "batt.charge_uah 3e+06|batt.main.capacity_pct 81.5|batt.main.charge_uah 3e+06|"
                 "batt.main.current.avg_ua -200000|batt.main.current_ua -250000|"
                 "batt.main.power_mw 1000|batt.main.voltage_uv 4e+06|batt.voltage_uv 4e+06");
    trace_expect(engine,
                 "select c.ts - " START ", t.name, c.value from counter c join counter_track t on "
                 "t.id = c.track_id where t.type = 'power_rails' order by 1",
                 "20 power.odd_uws 444|1000000 power.rails.cpu.little 333");
    trace_expect(engine,
                 "select t.type, t.name, c.value from counter c join counter_track t on t.id = "
                 "c.track_id where t.type glob 'android_energy*' order by 3",
                 "android_energy_estimation_breakdown_per_uid CPUCL0 300|"
                 "android_energy_estimation_breakdown CPUCL0 500");
    trace_expect(engine, COUNTERS("Entity*"), "Entity residency: Bluetooth is Idle 777");
    trace_expect(engine,
                 "select name, value from stats where value > 0 and (name glob 'power_rail*' or "
                 "name glob 'energy*' or name glob 'entity*') order by 1",
                 "energy_breakdown_missing_values 2|energy_descriptor_invalid 1|"
                 "energy_uid_breakdown_missing_values 1|entity_state_descriptor_invalid 1|"
                 "entity_state_residency_lookup_failed 1|power_rail_empty_packet 1|"
                 "power_rail_unknown_index 1");
    engine_free(engine);
}

static void test_android_misc(void **state)
{
    struct engine *engine = trace_load_written(gen_write_android_misc);
    (void)state;
    trace_expect(engine,
                 "select l.ts - " START ", t.tid, l.prio, l.tag, l.msg from android_logs l join "
                 "thread t using (utid)",
                 "500 11 5 am start pid=5 part=1.5 name=\"x\"");
    trace_expect(engine,
                 "select package_name, uid, debuggable, profileable_from_shell, version_code from "
                 "package_list",
                 "com.example.app 10123 1 1 42");
    trace_expect(engine, COUNTERS("*"),
                 "PlugType 2|ScreenState 2|ScreenState 1|battery_stats.audio 1|mcc 310");
    trace_expect(engine, "select ts - " START ", dur, name from slice", "20 0 3:OPENED");
    trace_expect(engine,
                 STATS("'android_log_num_total', 'android_log_num_failed', "
                       "'android_log_num_skipped', 'packages_list_has_parse_errors', "
                       "'packages_list_has_read_errors'"),
                 "android_log_num_failed - 1|android_log_num_skipped - 2|"
                 "android_log_num_total - 10|packages_list_has_parse_errors - 1|"
                 "packages_list_has_read_errors - 1");
    engine_free(engine);
}

static void test_generic_kernel(void **state)
{
    struct engine *engine = trace_load_written(gen_write_generic_kernel);
    (void)state;
    trace_expect(engine,
                 "select s.ts - " START ", s.dur, t.tid, s.end_state, s.priority from sched s "
                 "join thread t using (utid) order by 1",
                 "30 10 51 - 10|40 10 50 S 20|60 20 51 Z 0");
    trace_expect(engine,
                 "select s.ts - " START ", s.dur, s.state from thread_state s join thread t using "
                 "(utid) where t.tid = 51 order by 1",
                 "10 10 Created|20 10 R|30 10 Running|40 20 -|60 20 Running|80 20 Z|100 -1 X");
    trace_expect(engine,
                 "select t.name, p.pid, p.name, t.end_ts - " START " from thread t left join "
                 "process p using (upid) where t.tid in (9, 50, 51) order by t.tid",
                 "idle - - -|renamed 5 shell -|worker - - 100");
    trace_expect(engine, COUNTERS("?pufreq"), "cpufreq 1.8e+06|gpufreq 500");
    trace_expect(engine, STATS("'generic_task_state_invalid_order'"),
                 "generic_task_state_invalid_order - 2");
    engine_free(engine);
}

static void test_gpu_counters(void **state)
{
    struct engine *engine = trace_load_written(gen_write_gpu_counters);
    (void)state;
    /* A value is of the time that ends with it. */
    trace_expect(engine,
                 "select c.ts - " START ", t.name, c.value, t.unit, extract_arg("
                 "t.dimension_arg_set_id, 'gpu') from counter c join counter_track t on "
                 "t.id = c.track_id order by t.name, 1",
                 "0 cycles 200 - 1|30 cycles 0 - 1|10 forwards 2.5 - 0|10 inline 20 5:6/7:8 0|"
                 "20 inline 0 5:6/7:8 0");
    trace_expect(engine,
                 "select g.group_id, t.name, g.name, g.description from gpu_counter_group g join "
                 "track t on t.id = g.track_id order by g.id",
                 "4 cycles - -|8 cycles block all of it|9 inline group of two|"
                 "9 forwards group of two");
    trace_expect(engine, STATS("'gpu_counters_invalid_spec', 'gpu_counters_missing_spec'"),
                 "gpu_counters_invalid_spec - 2|gpu_counters_missing_spec - 1");
    engine_free(engine);
}

static void test_process_stats(void **state)
{
    struct engine *engine = trace_load_written(gen_write_process_stats);
    (void)state;
    trace_expect(engine, COUNTERS("mem*"),
                 "mem.dmabuf_rss 8192|mem.locked 3072|mem.rss 20480|mem.rss.anon 12288|"
                 "mem.rss.file 7168|mem.rss.shmem 1024|mem.rss.watermark 30720|"
                 "mem.smaps.pss 18432|mem.smaps.pss.anon 11264|mem.smaps.pss.file 6144|"
                 "mem.smaps.pss.smem 1024|mem.smaps.rss 21504|mem.smaps.swap.pss 4096|"
                 "mem.swap 2048|mem.virt 9.216e+06");
    trace_expect(engine, COUNTERS("[cor]*"),
                 "chrome.is_peak_rss_resettable 1|chrome.peak_resident_set_kb 31|"
                 "chrome.private_footprint_kb 15|oom_score_adj -800|runtime.kernel_ns 6000|"
                 "runtime.user_ns 5000");
    trace_expect(engine,
                 "select f.fd, f.path, p.pid from filedescriptor f join process p using (upid)",
                 "3 /dev/null 100");
    trace_expect(engine,
                 "select tid from thread t join process p using (upid) where pid = 100 order by 1",
                 "100|101");
    trace_expect(engine, STATS("'proc_stat_unknown_counters'"), "proc_stat_unknown_counters - 1");
    engine_free(engine);
}

static void test_system_info(void **state)
{
    struct engine *engine = trace_load_written(gen_write_system_info);
    (void)state;
    trace_expect(engine,
                 "select sysname, release, version, arch, num_cpus, android_sdk_version, "
                 "system_ram_gb, name from machine",
                 "Linux 6.1.0 #1 SMP aarch64 2 31 8 the phone");
    trace_expect(engine, METADATA("android_*"),
                 "android_build_fingerprint "
                 "brand/product/device:12/ID/9876543:user/release-keys|"
                 "android_device_manufacturer Maker|android_guest_soc_model guest|"
                 "android_hardware_revision rev|android_incremental_build 9876543|"
                 "android_ram_model ram|android_sdk_version 31|android_serial_console console|"
                 "android_soc_model SoC|android_storage_model disk");
    trace_expect(engine,
                 "select cpu, processor, cluster_id, capacity, extract_arg(arg_set_id, "
                 "'arm_cpu_part'), extract_arg(arg_set_id, 'cpu_features.raw_bitmap'), "
                 "extract_arg(arg_set_id, 'cpu_features.mte') from cpu order by 1",
                 "0 little 0 250 3333 1 1|1 big 1 1024 - 6 -");
    trace_expect(engine, "select ucpu, freq from __intrinsic_cpu_freq order by 1, 2",
                 "0 300000|0 600000|0 900000|1 2000000");
    trace_expect(engine, STATS("'cpu_info_unknown_cpu_features'"),
                 "cpu_info_unknown_cpu_features - 1");
    engine_free(engine);
}

static void test_service(void **state)
{
    struct engine *engine = trace_load_written(gen_write_service);
    (void)state;
    trace_expect(engine,
                 "select name, coalesce(str_value, int_value - " START ") from metadata where name "
                 "glob '*_ns' or name glob 'slow_start*' order by 1, 2",
                 "all_data_source_flushed_ns 30|all_data_source_started_ns 10|"
                 "slow_start_data_source  |slow_start_data_source producer slow.source|"
                 "tracing_disabled_ns 40|"
                 "tracing_started_ns 20");
    trace_expect(engine,
                 STATS("'traced_buf_bytes_written', 'traced_buf_buffer_size', "
                       "'traced_buf_chunks_relocated', 'traced_buf_bytes_filtered_out', "
                       "'traced_buf_sequence_packet_loss', 'filter_errors', "
                       "'traced_flushes_failed', 'traced_final_flush_failed', "
                       "'traced_producers_seen'"),
                 "filter_errors - 1|traced_buf_buffer_size 0 65536|"
                 "traced_buf_bytes_filtered_out 0 500|traced_buf_bytes_written 0 100|"
                 "traced_buf_chunks_relocated 0 18|traced_buf_sequence_packet_loss 1 1|"
                 "traced_final_flush_failed - 1|traced_flushes_failed - 1|"
                 "traced_producers_seen - 4");
    trace_expect(engine,
                 "select name, value - " START " from stats where name glob 'traced*clone*_ns' "
                 "and value > 0 order by 1",
                 "traced_buf_clone_done_timestamp_ns 70|traced_clone_started_timestamp_ns 60");
    engine_free(engine);
}

static void test_metadata(void **state)
{
    struct engine *engine = trace_load_written(gen_write_metadata);
    (void)state;
    trace_expect(engine, METADATA("cr-*"),
                 "cr-2-second {}|cr-a-channel 3|cr-a-enabled_categories cc,viz|"
                 "cr-a-field_trial_hashes { name: 5, group: 6 } { name: 0, group: 0 } |"
                 "cr-a-os-name Android|cr-a-package-name com.chrome|"
                 "cr-a-playstore_version_code 12|cr-a-product-version 120.0|"
                 "cr-background_tracing_metadata HWMAAAA=|cr-number -5|"
                 "cr-scenario_name_hash 99|cr-text value");
    trace_expect(engine, METADATA("benchmark*"),
                 "benchmark_description words|benchmark_had_failures 1|benchmark_label label|"
                 "benchmark_name bench|benchmark_start_time_us 100|"
                 "benchmark_story_name story|benchmark_story_run_index 3|"
                 "benchmark_story_run_time_us 200|benchmark_story_tags tag");
    trace_expect(engine, METADATA("trace_[au][tu][ti]*"),
                 "trace_attribute.lab north|trace_attribute.run 7|"
                 "trace_uuid 01020304-0506-0708-090a-0b0c0d0e0f10");
    trace_expect(engine, METADATA("u*"), "ui_state CAU=|unique_session_name session");
    trace_expect(engine, "select ts - " START ", name from slice order by 1",
                 "10 slow_start|20 clone_me");
    trace_expect(engine,
                 STATS("'config_write_into_file_discard', 'config_write_into_file_no_flush'"),
                 "config_write_into_file_discard 0 1|config_write_into_file_no_flush - 1");
    engine_free(engine);
}

static void test_heap_profile(void **state)
{
    struct engine *engine = trace_load_written(gen_write_heap_profile);
    (void)state;
    trace_expect(engine,
                 "select h.ts - " START ", p.pid, h.heap_name, f.name, h.count, h.size from "
                 "heap_profile_allocation h join process p using (upid) join "
                 "stack_profile_callsite c on c.id = h.callsite_id join stack_profile_frame f on "
                 "f.id = c.frame_id order by h.id",
                 "1000 42 libc.malloc malloc 4 4096|1000 42 libc.malloc malloc -1 -1024|"
                 "1000 42 libc.malloc main 1 100|2000 42 libc.malloc malloc 4 4096|"
                 "2000 42 com.android.art main 7 700");
    trace_expect(engine,
                 "select name, ifnull(idx, '-'), value from stats where value > 0 and name glob "
                 "'heapprofd*' and name not glob '*timestamp' order by 1, 2",
                 "heapprofd_buffer_corrupted 42 1|heapprofd_buffer_overran 42 1|"
                 "heapprofd_client_error 42 5|heapprofd_hit_guardrail 42 1|"
                 "heapprofd_malformed_packet 42 1|heapprofd_missing_packet - 1|"
                 "heapprofd_rejected_concurrent 42 1");
    trace_expect(engine, STATS("'stackprofile_invalid_callstack_id'"),
                 "stackprofile_invalid_callstack_id - 1");
    engine_free(engine);
}

static void test_chrome_samples(void **state)
{
    struct engine *engine = trace_load_written(gen_write_chrome_samples);
    (void)state;
    trace_expect(engine,
                 "select s.ts - " START ", t.tid, f.name from cpu_profile_stack_sample s left join "
                 "thread t using (utid) join stack_profile_callsite c on c.id = s.callsite_id "
                 "join stack_profile_frame f on f.id = c.frame_id order by 1",
                 "7030 - main|10000 43 main|30000 43 paint|60000 43 paint|65000 43 main");
    trace_expect(engine, STATS("'stackprofile_parser_error'"), "stackprofile_parser_error - 1");
    engine_free(engine);
}

static void test_chrome_v8(void **state)
{
    struct engine *engine = trace_load_written(gen_write_chrome_v8);
    (void)state;
    trace_expect(engine,
                 "select s.ts, t.tid, f.name, g.name from cpu_profile_stack_sample s join "
                 "thread t using (utid) join stack_profile_callsite c on c.id = s.callsite_id "
                 "join stack_profile_frame f on f.id = c.frame_id left join "
                 "stack_profile_callsite p on p.id = c.parent_id left join stack_profile_frame g "
                 "on g.id = p.frame_id order by 1",
                 "1010000 2 draw (root)|1030000 2 (root) -|1035000 2 paint draw");
    trace_expect(engine,
                 STATS("'legacy_v8_cpu_profile_invalid_callsite', "
                       "'legacy_v8_cpu_profile_invalid_sample'"),
                 "legacy_v8_cpu_profile_invalid_callsite - 2|"
                 "legacy_v8_cpu_profile_invalid_sample - 2");
    engine_free(engine);
}

static void test_frame_timeline(void **state)
{
    struct engine *engine = trace_load_written(gen_write_frame_timeline);
    (void)state;
    trace_expect(engine,
                 "select s.ts - " START ", s.dur, s.name, t.name, extract_arg(s.arg_set_id, "
                 "'Jank tag') from slice s join track t on t.id = s.track_id where s.dur >= 0 "
                 "order by 1",
                 "0 20 50 Expected Timeline -|5 18 50 Actual Timeline Self Jank|"
                 "12 10 40 Actual Timeline Self Jank");
    trace_expect(engine,
                 "select name, extract_arg(arg_set_id, 'Jank type'), extract_arg(arg_set_id, "
                 "'Jank tag'), extract_arg(arg_set_id, 'Jank severity type') from slice where "
                 "dur < 0 and ts between " START " + 13 and " START " + 17 order by ts",
                 "41 SurfaceFlinger Scheduling, Buffer Stuffing Other Jank Unknown|"
                 "42 Buffer Stuffing Buffer Stuffing Unknown|43 None No Jank None|"
                 "44 Dropped Frame Dropped Frame Unknown|"
                 "45 Non Animating Non-perceivable Jank Unknown");
    trace_expect(engine,
                 "select count(1) from flow f join slice s on s.id = f.slice_in where s.ts = " START
                 " + 30",
                 "6");
    trace_expect(engine,
                 STATS("'frame_timeline_event_parser_errors', "
                       "'frame_timeline_unpaired_end_event'"),
                 "frame_timeline_event_parser_errors - 1|frame_timeline_unpaired_end_event - 1");
    engine_free(engine);
}

/* A few bytes cut from every trace: it loads as far as it goes. */
static void test_cut(void **state)
{
    static void (*const writers[])(struct buffer * out) = {
        gen_write_sys_stats,      gen_write_android_power,  gen_write_android_misc,
        gen_write_generic_kernel, gen_write_gpu_counters,   gen_write_process_stats,
        gen_write_system_info,    gen_write_service,        gen_write_metadata,
        gen_write_heap_profile,   gen_write_chrome_samples, gen_write_frame_timeline};
    (void)state;
    for (size_t i = 0; i < sizeof writers / sizeof writers[0]; i++) {
        struct buffer bytes = BUFFER_INIT;
        writers[i](&bytes);
        bytes.length -= 5;
        struct engine *engine = trace_load(&bytes);
        trace_expect(engine, "select sum(value) from stats where name glob 'perfetty_input_*'",
                     "1");
        engine_free(engine);
        buffer_free(&bytes);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sys_stats),      cmocka_unit_test(test_android_power),
        cmocka_unit_test(test_android_misc),   cmocka_unit_test(test_generic_kernel),
        cmocka_unit_test(test_gpu_counters),   cmocka_unit_test(test_process_stats),
        cmocka_unit_test(test_system_info),    cmocka_unit_test(test_service),
        cmocka_unit_test(test_metadata),       cmocka_unit_test(test_heap_profile),
        cmocka_unit_test(test_chrome_samples), cmocka_unit_test(test_frame_timeline),
        cmocka_unit_test(test_chrome_v8),      cmocka_unit_test(test_cut),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
