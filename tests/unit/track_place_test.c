/* Where each kind of track stands in the tree (spec ui 5a), by the path that a
 * person sees and a macro matches. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "commands/track_tree.h"

enum owner { NOBODY, PROCESS, THREAD };

/* A track of a type, with one event, of nobody or of the one process or thread. */
static const struct {
    const char *type, *event_type;
    enum owner owner;
    const char *path; /* its own name is "x" */
} places[] = {
    /* power and energy */
    {"battery_counter", "counter", NOBODY, "Power > Battery Counters > x"},
    {"battery_stats", "counter", NOBODY, "Power > Battery Stats > x"},
    {"battery_status", "counter", NOBODY, "Power > x"},
    {"power_rails", "counter", NOBODY, "Power Rails > x"},
    {"android_energy_estimation_breakdown", "counter", NOBODY,
     "Power > Android Energy Estimates > x"},
    {"android_energy_estimation_breakdown_per_uid", "counter", NOBODY,
     "Power > Android Energy Estimates (per uid) > x"},
    {"entity_state", "counter", NOBODY, "Power > Entity State > x"},
    {"wakesource_wakelock", "slice", NOBODY, "Power > Kernel Wakelocks > x"},
    {"suspend_resume", "slice", NOBODY, "Power > x"},
    {"thermal_temperature", "counter", NOBODY, "Thermals > Temperature > x"},
    {"cooling_device_counter", "counter", NOBODY, "Thermals > Cooling Devices > x"},
    /* GPU */
    {"gpu_frequency", "counter", NOBODY, "GPU > GPU Frequency > x"},
    {"gpu_counter", "counter", NOBODY, "GPU > GPU Counters > x"},
    {"gpu_render_stage", "slice", NOBODY, "GPU > GPU Render Stages > x"},
    {"gpu_log", "slice", NOBODY, "GPU > x"},
    {"gpu_memory", "counter", NOBODY, "GPU > x"},
    {"vulkan_events", "slice", NOBODY, "GPU > x"},
    {"vulkan_driver_mem", "counter", PROCESS, "GPU > Vulkan Driver Memory > x"},
    {"graphics_frame_event", "slice", NOBODY, "GPU > x"},
    {"process_gpu_memory", "counter", PROCESS, "app 7 > x"},
    /* memory */
    {"meminfo", "counter", NOBODY, "Memory > Meminfo > x"},
    {"vmstat", "counter", NOBODY, "Memory > vmstat > x"},
    {"buddyinfo", "counter", NOBODY, "Memory > Buddyinfo > x"},
    {"ion", "counter", NOBODY, "Memory > x"},
    {"android_dma_heap", "counter", NOBODY, "Memory > x"},
    {"process_memory", "counter", PROCESS, "app 7 > x"},
    {"smaps", "counter", PROCESS, "app 7 > x"},
    {"oom_score_adj", "counter", PROCESS, "app 7 > x"},
    {"android_lmk", "slice", PROCESS, "app 7 > x"},
    /* network */
    {"net_receive", "counter", NOBODY, "Network > Network Receive > x"},
    {"net_transmit", "counter", NOBODY, "Network > Network Send > x"},
    {"network_packets", "slice", NOBODY, "Network > x"},
    {"net_socket_set_state", "slice", NOBODY, "Network > Socket Set State > x"},
    /* disks */
    {"block_io", "counter", NOBODY, "IO > Block IO > x"},
    {"diskstat", "counter", NOBODY, "IO > Diskstat > x"},
    {"f2fs_iostat", "counter", NOBODY, "IO > F2FS IOStat > x"},
    {"f2fs_write_checkpoint", "slice", PROCESS, "IO > F2FS Write Checkpoint > x"},
    {"etw_diskio", "slice", THREAD, "IO > ETW Disk I/O > x (8)"},
    {"ufs_command_tag", "slice", NOBODY, "IO > UFS Command Tag > x"},
    /* sys_stats and CPUs */
    {"cpustat", "counter", NOBODY, "CPU > CPU Stat > x"},
    {"cpu_irq", "slice", NOBODY, "CPU > IRQs > x"},
    {"cpu_softirq", "slice", NOBODY, "CPU > Softirqs > x"},
    {"cpu_max_frequency_limit", "counter", NOBODY, "CPU > CPU Max Frequency > x"},
    {"cpu_hotplug", "slice", NOBODY, "CPU > x"},
    {"num_irq", "counter", NOBODY, "System > IRQ Count > x"},
    {"num_irq_total", "counter", NOBODY, "System > x"},
    {"num_forks", "counter", NOBODY, "System > x"},
    {"psi", "counter", NOBODY, "System > PSI > x"},
    {"android_cpu_per_uid", "counter", NOBODY, "CPU per UID > x"},
    /* the device */
    {"clock_frequency", "counter", NOBODY, "Hardware > Clock Frequency > x"},
    {"linux_device_frequency", "counter", NOBODY, "Hardware > Linux Device Frequency > x"},
    {"drm_vblank", "slice", NOBODY, "Hardware > DRM VBlank > x"},
    {"disp_dpu_underrun", "slice", NOBODY, "Hardware > Display > x"},
    {"linux_rpm", "counter", NOBODY, "Linux Kernel > Linux RPM > x"},
    {"screen_state", "counter", NOBODY, "System > Screen State > x"},
    {"android_device_state", "slice", NOBODY, "System > x"},
    {"triggers", "slice", NOBODY, "System > x"},
    {"statsd_atoms", "slice", NOBODY, "System > x"},
    {"pkvm_hypervisor", "slice", NOBODY, "Hypervisor > x"},
    {"virtio_video_command", "slice", NOBODY, "System > Virtio Video Command Events > x"},
    /* events of programs */
    {"global_track_event", "slice", NOBODY, "Global Track Events > x"},
    {"global_state_track_event", "state", NOBODY, "Global Track Events > x"},
    {"legacy_async_global_slice", "slice", NOBODY, "Global Legacy Events > x"},
    {"process_track_event", "slice", PROCESS, "app 7 > x"},
    {"thread_track_event", "slice", THREAD, "app 7 > x (8)"},
    {"atrace_counter", "counter", PROCESS, "app 7 > x"},
    {"thread_funcgraph", "slice", THREAD, "app 7 > x (8)"},
    {"art_method_tracing", "slice", THREAD, "app 7 > x (8)"},
    {"firefox_marker", "slice", THREAD, "app 7 > x (8)"},
    {"kernel_trackevent_cpu_slice", "slice", NOBODY, "Kernel track events > x"},
    {"perf_cpu_counter", "counter", NOBODY, "Perf counters > x"},
    {"android_expected_frame_timeline", "slice", PROCESS, "app 7 > x"},
    {"no_type_that_is_known", "slice", NOBODY, "System > x"},
};

enum { PLACES = sizeof places / sizeof *places };

static string_id text(struct tables *t, const char *s)
{
    return strpool_intern_text(t->strings, s);
}

static void put_process(struct tables *t)
{
    machine_append(&t->machine, &(struct machine_row){0});
    process_append(&t->process, &(struct process_row){0});
    process_append(&t->process, &(struct process_row){.pid = 7, .name = text(t, "app")});
    thread_append(&t->thread, &(struct thread_row){.is_idle = 1, .upid = some_uint32(0)});
    thread_append(&t->thread,
                  &(struct thread_row){.tid = 8, .name = text(t, "io"), .upid = some_uint32(1)});
}

static void put_track(struct tables *t, unsigned i)
{
    uint32_t track =
        track_append(&t->track, &(struct track_row){
                                    .name = text(t, "x"),
                                    .type = text(t, places[i].type),
                                    .event_type = text(t, places[i].event_type),
                                    .utid = opt_row(places[i].owner == THREAD ? 1 : NULL_UINT32),
                                    .upid = opt_row(places[i].owner == PROCESS ? 1 : NULL_UINT32),
                                });
    if (strcmp(places[i].event_type, "counter") == 0)
        counter_append(&t->counter, &(struct counter_row){.ts = i, .track_id = track});
    else if (strcmp(places[i].event_type, "state") == 0)
        state_append(&t->state, &(struct state_row){.ts = i, .track_id = track});
    else
        slice_append(&t->slice, &(struct slice_row){.ts = i, .dur = 1, .track_id = track});
}

static void tracks_by_type(void **state)
{
    (void)state;
    struct tables *t = tables_new();
    struct track_tree tree;
    struct buffer path = BUFFER_INIT;
    unsigned bad = 0;
    put_process(t);
    for (unsigned i = 0; i < PLACES; i++)
        put_track(t, i);
    tables_freeze(t);
    track_tree_init(&tree);
    track_tree_build(&tree, &tree.root, 0, t);
    for (unsigned i = 0; i < PLACES; i++) {
        const struct track_node *node = track_tree_find_track(&tree, 0, i);
        buffer_clear(&path);
        if (node) track_node_path(node, &path);
        if (strcmp(buffer_text(&path), places[i].path) == 0) continue;
        print_error("%s: '%s', not '%s'\n", places[i].type, buffer_text(&path), places[i].path);
        bad++;
    }
    assert_int_equal(bad, 0);
    buffer_free(&path);
    track_tree_dispose(&tree);
    tables_free(t);
}

/* What is no row of the track table. */
static void put_other_kinds(struct tables *t)
{
    put_process(t);
    cpu_append(&t->cpu, &(struct cpu_row){.cpu = some_uint32(0)});
    sched_slice_append(&t->sched_slice, &(struct sched_slice_row){.ts = 1, .dur = 2, .utid = 1});
    thread_state_append(&t->thread_state, &(struct thread_state_row){.ts = 1, .utid = 1});
    ftrace_event_append(&t->ftrace_event, &(struct ftrace_event_row){.ts = 1, .utid = 1});
    logs_append(&t->logs, &(struct logs_row){.ts = 1, .log_source = text(t, "logcat")});
    logs_append(&t->logs, &(struct logs_row){.ts = 1, .log_source = text(t, "journald")});
    heap_profile_append(&t->heap_profile, &(struct heap_profile_row){
                                              .ts = 1,
                                              .upid = 1,
                                              .heap_name = text(t, "libc.malloc"),
                                          });
    heap_graph_append(&t->heap_graph, &(struct heap_graph_row){.ts = 1, .upid = 1});
    profiler_task_context_append(&t->profiler_task_context,
                                 &(struct profiler_task_context_row){.utid = some_uint32(1)});
    profiler_sample_append(&t->profiler_sample,
                           &(struct profiler_sample_row){.ts = 1,
                                                         .source = text(t, "linux.perf"),
                                                         .task_context_id = some_uint32(0),
                                                         .callsite_id = some_uint32(0)});
}

static void other_kinds(void **state)
{
    (void)state;
    static const char *const wanted[] = {
        "CPU Scheduling",
        "CPU Scheduling > CPU 0 Scheduling",
        "Ftrace Events",
        "Ftrace Events > Ftrace Track for CPU 0",
        "Android logs",
        "Journald logs",
        "app 7",
        "app 7 > Perf Process Callstacks",
        "app 7 > Native heap profile",
        "app 7 > Heap graph",
        "app 7 > io 8 Perf Callstacks",
        "app 7 > io 8",
    };
    struct tables *t = tables_new();
    struct track_tree tree;
    struct buffer path = BUFFER_INIT;
    size_t n = 0;
    put_other_kinds(t);
    tables_freeze(t);
    track_tree_init(&tree);
    track_tree_build(&tree, &tree.root, 0, t);
    for (const struct track_node *node = track_tree_next(&tree.root, &tree.root); node;
         node = track_tree_next(&tree.root, node)) {
        if (node->headless) continue;
        buffer_clear(&path);
        track_node_path(node, &path);
        assert_true(n < sizeof wanted / sizeof *wanted);
        assert_string_equal(buffer_text(&path), wanted[n++]);
    }
    assert_int_equal(n, sizeof wanted / sizeof *wanted);
    buffer_free(&path);
    track_tree_dispose(&tree);
    tables_free(t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tracks_by_type),
        cmocka_unit_test(other_kinds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
