/* Modules of the standard library about Android and Linux, on generated traces. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "tests/gen/example.h"
#include "tests/gen/features.h"
#include "tests/unit/trace_fixture.h"

struct expectation {
    void (*write)(struct buffer *out);
    const char *sql, *rows;
};

/* Times of the topics are ns after GEN_FEATURES_START, 1e12. */
static const struct expectation expectations[] = {
    {gen_write_topics,
     "include perfetto module android.startup.startups;"
     "select startup_id, ts - 1000000000000, dur, dur_without_trampoline, package, startup_type "
     "from android_startups",
     "0 1000000 100000000 100000000 com.example.app cold"},
    {gen_write_topics,
     "include perfetto module android.startup.startups;"
     "select startup_id, pid, startup_type from android_startup_processes",
     "0 4000 cold"},
    {gen_write_topics,
     "include perfetto module android.startup.startups;"
     "select slice_name, slice_dur, tid from android_slices_for_startup_and_slice_name(0, "
     "'activity*')",
     "activityStart 20000000 4000|activityResume 10000000 4000"},
    {gen_write_topics,
     "include perfetto module android.startup.startups;"
     "select android_sum_dur_for_startup_and_slice(0, 'DrawFrames*'), "
     "android_sum_dur_on_main_thread_for_startup_and_slice(0, '*')",
     "10000000 65000000"},
    {gen_write_topics,
     "include perfetto module android.startup.time_to_display;"
     "select * from android_startup_time_to_display",
     "0 94000000 109000000 77 78 4"},
    {gen_write_topics,
     "include perfetto module android.frames.timeline;"
     "select frame_id, dur, draw_frame_count, process_name from android_frames",
     "77 15000000 1 com.example.app|78 3000000 1 com.example.app"},
    {gen_write_topics,
     "include perfetto module android.frames.timeline;"
     "select frame_id from android_first_frame_after(1000081000000)",
     "78"},
    {gen_write_topics,
     "include perfetto module android.monitor_contention;"
     "select id, parent_id, child_id, short_blocking_method, short_blocked_method, blocking_src, "
     "blocked_src, waiter_count, blocked_thread_tid, blocking_thread_name, blocking_tid, dur, "
     "monotonic_dur, is_blocked_thread_main from android_monitor_contention_chain",
     "10 - 11 com.example.Disk.write com.example.Cache.put Disk.java:5 Cache.java:10 0 4001 holder "
     "4002 20000000 20000000 0|"
     "11 10 - com.example.Cache.put com.example.Cache.get Cache.java:10 Cache.java:20 0 4000 "
     "worker 4001 25000000 25000000 1"},
    {gen_write_topics,
     "include perfetto module android.monitor_contention;"
     "select blocking_method, blocked_method from android_monitor_contention limit 1",
     "void com.example.Disk.write(int) void com.example.Cache.put(int)"},
    {gen_write_topics,
     "include perfetto module android.memory.process;"
     "select ts - 1000000000000, dur, score, bucket, rss from "
     "memory_oom_score_with_rss_and_swap_per_process order by ts",
     "300000000 50000000 0 foreground 100000000|350000000 10000000 900 cached 100000000|"
     "360000000 40000000 900 cached 400000000|400000000 600000000 900 cached 400000000"},
    {gen_write_topics,
     "include perfetto module android.memory.lmk;"
     "select ts - 1000000000000, pid, process_name, oom_score_adj, kill_reason, kill_reason_raw "
     "from android_lmk_events",
     "400000000 4000 com.example.app 900 LOW_MEM_AND_SWAP 3"},
    {gen_write_kernel_memory,
     "include perfetto module android.memory.lmk;"
     "select pid, kill_reason from android_lmk_events",
     "50 -"},
    {gen_write_topics,
     "include perfetto module android.power_rails;"
     "select power_rail_name, raw_power_rail_name, friendly_name, subsystem_name from "
     "android_power_rails_metadata",
     "power.rails.cpu.little S2M_VDD_CPUCL0 cpu.little CPU|power.L14S_ALIVE_uws L14S_ALIVE - "
     "System"},
    {gen_write_topics,
     "include perfetto module android.power_rails;"
     "select raw_power_rail_name, dur, energy_delta, average_power from "
     "android_power_rails_counters",
     "S2M_VDD_CPUCL0 1000000000 250000 250|S2M_VDD_CPUCL0 0 - -|L14S_ALIVE 1000000000 40000 40|"
     "L14S_ALIVE 0 - -"},
    {gen_write_topics,
     "include perfetto module linux.block_io;"
     "select ts - 1000000000000, ops_in_queue_or_device, linux_device_major_id(dev), "
     "linux_device_minor_id(dev) from linux_active_block_io_operations_by_device order by dev, ts",
     "200000000 1 8 1|201000000 2 8 1|203000000 1 8 1|209000000 0 8 1|220000000 1 253 1|"
     "224000000 0 253 1"},
    {gen_write_kernel_power,
     "include perfetto module android.suspend;"
     "select ts - 1000000000000, dur, power_state from android_suspend_state",
     "10 40 awake|50 5 suspended|55 36 awake"},
    {gen_write_kernel_power,
     "include perfetto module android.suspend;"
     "select _extract_duration_without_suspend(1000000000048, 4)",
     "2"},
    {gen_write_android_power,
     "include perfetto module android.battery;"
     "select capacity_percent, charge_uah, current_ua, current_avg_ua, voltage_uv, power_mw from "
     "android_battery_charge limit 1",
     "81.5 3e+06 -250000 -200000 4e+06 1000"},
    {gen_example_trace,
     "include perfetto module android.frames.per_frame_metrics;"
     "select frame_id, overrun > 0, was_jank, was_slow_frame, was_big_jank, was_huge_jank from "
     "android_frame_stats order by frame_id limit 3",
     "1021 1 1 1 1 -|1022 1 1 1 - -|1023 0 - - - -"},
    {gen_example_trace,
     "include perfetto module android.frames.timeline;"
     "select count(*), count(do_frame_id), count(draw_frame_id), sum(actual_frame_timeline_count) "
     "from android_frames",
     "135 135 135 135"},
    {gen_example_trace,
     "include perfetto module android.frames.jank_type;"
     "select android_is_app_jank_type('App Deadline Missed'), "
     "android_is_sf_jank_type('App Deadline Missed'), "
     "android_is_sf_jank_type('Buffer Stuffing, Display HAL'), "
     "android_is_missed_frame_type('Dropped Frame'), android_is_missed_frame_type('None')",
     "1 0 1 1 0"},
    {gen_example_trace,
     "include perfetto module android.startup.startups;"
     "select package, startup_type from android_startups",
     "com.example.shop cold"},
    {gen_example_trace,
     "include perfetto module android.oom_adjuster;"
     "select group_concat(android_oom_adj_score_to_bucket_name(column1), ' ') from (values (-1), "
     "(0), (100), (200), (201), (250), (999))",
     "system foreground bfgs foreground_service job background cached"},
};

static void modules(void **state)
{
    (void)state;
    struct engine *engine = NULL;
    void (*loaded)(struct buffer * out) = NULL;
    for (size_t i = 0; i < sizeof expectations / sizeof *expectations; i++) {
        const struct expectation *e = &expectations[i];
        if (e->write != loaded) {
            engine_free(engine);
            engine = trace_load_written(e->write);
            loaded = e->write;
        }
        trace_expect(engine, e->sql, e->rows);
    }
    engine_free(engine);
}

/* ---- traces that nobody here wrote ---- */

#define STARTUP "perfetto__dt_metrics.startup.StartupMetrics."

static const struct {
    const char *file, *sql, *rows;
} shared[] = {
    {STARTUP "android_startup.pftrace",
     "include perfetto module android.startup.startups;"
     "select ts, ts_end, package, startup_type from android_startups",
     "102 211 com.google.android.calendar warm"},
    {STARTUP "android_startup_minsdk33.pftrace",
     "include perfetto module android.startup.startups;"
     "select ts, ts_end, package, startup_type from android_startups",
     "110 210 com.google.android.calendar -|220 230 com.google.android.calendar hot"},
    {STARTUP "android_startup_process_track.pftrace",
     "include perfetto module android.startup.startups;"
     "select ts, ts_end, startup_type from android_startups",
     "100 107 cold|200 207 cold"},
    {"perfetto__dt_metrics.memory.MemoryMetrics.android_mem_lmk.pftrace",
     "include perfetto module android.memory.lmk;"
     "select ts, oom_score_adj, kill_reason_raw from android_lmk_events",
     "100000 900 1"},
    {"perfetto__dt_parser.power.PowerPowerRails.power_rails_event_power_rails_custom_clock.pftrace",
     "include perfetto module android.power_rails;"
     "select ts, dur, value, energy_delta from android_power_rails_counters limit 1",
     "104000000 2000000 333 333"},
};

static void modules_on_shared_traces(void **state)
{
    (void)state;
    const char *root = getenv("PERFETTY_SHARED");
    if (!root) root = SOURCE_DIR "/../shared";
    char path[600];
    for (size_t i = 0; i < sizeof shared / sizeof *shared; i++) {
        snprintf(path, sizeof path, "%s/traces/perfetto/%s", root, shared[i].file);
        if (access(path, R_OK) != 0) {
            print_message("no %s: skipped\n", path);
            skip();
        }
        const char *operand = path;
        struct status st = STATUS_INIT;
        struct engine *engine = engine_new();
        if (!engine_load(engine, &operand, 1, NULL, &st)) fail_msg("%s", status_message(&st));
        trace_expect(engine, shared[i].sql, shared[i].rows);
        engine_free(engine);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(modules),
        cmocka_unit_test(modules_on_shared_traces),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
