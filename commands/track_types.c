#include "commands/track_types.h"

enum heading {
    USER_INTERACTION,
    THERMALS,
    POWER,
    CPU,
    GPU,
    HARDWARE,
    IO,
    MEMORY,
    NETWORK,
    DEVICE_STATE,
    SYSTEM,
    KERNEL,
    HYPERVISOR,
    GLOBAL_EVENTS,
    GLOBAL_LEGACY,
    POWER_RAILS,
    LINUX_KERNEL,
    PERF_COUNTERS,
    KERNEL_EVENTS,
    CPU_PER_UID,
};

static const struct track_heading headings[] = {
    [USER_INTERACTION] = {"User Interaction", 0},
    [THERMALS] = {"Thermals", 1},
    [POWER] = {"Power", 2},
    [CPU] = {"CPU", 3},
    [GPU] = {"GPU", 4},
    [HARDWARE] = {"Hardware", 5},
    [IO] = {"IO", 6},
    [MEMORY] = {"Memory", 7},
    [NETWORK] = {"Network", 8},
    [DEVICE_STATE] = {"Device State", 9},
    [SYSTEM] = {"System", 10},
    [KERNEL] = {"Kernel", 11},
    [HYPERVISOR] = {"Hypervisor", 12},
    [GLOBAL_EVENTS] = {"Global Track Events", 13},
    [GLOBAL_LEGACY] = {"Global Legacy Events", 14},
    [POWER_RAILS] = {"Power Rails", 15},
    [LINUX_KERNEL] = {"Linux Kernel", 16},
    [PERF_COUNTERS] = {"Perf counters", 17},
    [KERNEL_EVENTS] = {"Kernel track events", 20},
    [CPU_PER_UID] = {"CPU per UID", 21},
};

/* A type, or the beginning of several when it ends in '*'; the first that fits.  What
 * is not here goes below "System". */
static const struct {
    const char *type;
    enum heading heading;
    const char *group;
    bool even_if_owned;
} types[] = {
    {"acpm_cooling_device_counter", THERMALS, "ACPM Cooling Devices", false},
    {"acpm_thermal_temperature", THERMALS, "ACPM Temperature", false},
    {"acpm_*", THERMALS, NULL, false},
    {"cooling_device_counter", THERMALS, "Cooling Devices", false},
    {"thermal_temperature_sys", THERMALS, "Temperature (/sys)", false},
    {"thermal_temperature", THERMALS, "Temperature", false},
    {"thermal_*", THERMALS, NULL, false},
    {"android_cpu_per_uid*", CPU_PER_UID, NULL, false},
    {"android_dma_*", MEMORY, NULL, false},
    {"android_ion_allocations", MEMORY, "ION", false},
    {"ion*", MEMORY, NULL, false},
    {"meminfo", MEMORY, "Meminfo", false},
    {"vmstat", MEMORY, "vmstat", false},
    {"slabinfo", MEMORY, "Slabinfo", false},
    {"buddyinfo", MEMORY, "Buddyinfo", false},
    {"mm_event*", MEMORY, "MM Event", false},
    {"android_lmk", MEMORY, NULL, false},
    {"etw_meminfo", MEMORY, "ETW Memory Counters", false},
    {"android_energy_estimation_breakdown_per_uid", POWER, "Android Energy Estimates (per uid)",
     false},
    {"android_energy_estimation_breakdown", POWER, "Android Energy Estimates", false},
    {"battery_counter", POWER, "Battery Counters", false},
    {"battery_stats", POWER, "Battery Stats", false},
    {"battery_*", POWER, NULL, false},
    {"bcl_irq", POWER, "BCL IRQ", false},
    {"entity_state", POWER, "Entity State", false},
    {"android_kernel_wakelock", POWER, "Kernel Wakelocks", false},
    {"app_wakelock_events", POWER, "App Wakelocks", false},
    {"dumpstate_wakelocks", POWER, "Kernel Wakelocks", false},
    {"wakesource_wakelock", POWER, "Kernel Wakelocks", false},
    {"suspend_resume*", POWER, NULL, false},
    {"power_rails", POWER_RAILS, NULL, false},
    {"block_io", IO, "Block IO", false},
    {"diskstat", IO, "Diskstat", false},
    {"f2fs_iostat_latency", IO, "F2FS IOStat Latency", false},
    {"f2fs_iostat", IO, "F2FS IOStat", false},
    {"f2fs_write_checkpoint", IO, "F2FS Write Checkpoint", true},
    {"android_fs", IO, NULL, false},
    {"ufs_command_tag", IO, "UFS Command Tag", false},
    {"ufs_*", IO, NULL, false},
    {"etw_diskio", IO, "ETW Disk I/O", true},
    {"etw_fileio", IO, "ETW File I/O", true},
    {"clock_frequency", HARDWARE, "Clock Frequency", false},
    {"clock_state", HARDWARE, "Clock State", false},
    {"linux_device_frequency", HARDWARE, "Linux Device Frequency", false},
    {"interconnect_events", HARDWARE, NULL, false},
    {"cros_ec_*", HARDWARE, "ChromeOS EC Sensorhub", false},
    {"pixel_modem_event", HARDWARE, NULL, false},
    {"pixel_cpm_counters", HARDWARE, "CPM Counters", false},
    {"pixel_fwtp_*", HARDWARE, "Pixel Firmware", false},
    {"fastrpc*", HARDWARE, "Fastrpc", false},
    {"drm_vblank", HARDWARE, "DRM VBlank", false},
    {"drm_sched_ring", HARDWARE, "DRM Sched Ring", false},
    {"drm_fence", HARDWARE, "DRM Fence", false},
    {"disp_*", HARDWARE, "Display", false},
    {"ddic_underrun", HARDWARE, "Display", false},
    {"panel_settings_*", HARDWARE, "Display", false},
    {"linux_rpm", LINUX_KERNEL, "Linux RPM", false},
    {"cpu_irq", CPU, "IRQs", false},
    {"cpu_softirq", CPU, "Softirqs", false},
    {"cpu_hrtimer", CPU, "HRTimers", false},
    {"cpu_napi_gro", CPU, "NAPI GRO", false},
    {"cpu_funcgraph", CPU, "Funcgraph", false},
    {"cpu_capacity", CPU, "CPU Capacity", false},
    {"cpu_frequency_throttle", CPU, "CPU Frequency Throttling", false},
    {"cpu_max_frequency_limit", CPU, "CPU Max Frequency", false},
    {"cpu_min_frequency_limit", CPU, "CPU Min Frequency", false},
    {"cpu_nr_running", CPU, "CPU Number Running", false},
    {"cpu_utilization", CPU, "CPU Utilization", false},
    {"cpu_idle_state", CPU, "CPU Idle State", false},
    {"cpustat", CPU, "CPU Stat", false},
    {"cpu_*", CPU, NULL, false},
    {"gpu_counter", GPU, "GPU Counters", false},
    {"gpu_frequency", GPU, "GPU Frequency", false},
    {"gpu_render_stage", GPU, "GPU Render Stages", false},
    {"gpu_*", GPU, NULL, false},
    {"android_gpu_work_period", GPU, "GPU Work Period", false},
    {"virtgpu_latency", GPU, "Virtgpu Latency", false},
    {"virtgpu_num_free", GPU, "Virtgpu num_free", false},
    {"virtgpu_*", GPU, NULL, false},
    {"vulkan_device_mem_allocation", GPU, "Vulkan Allocations", true},
    {"vulkan_device_mem_bind", GPU, "Vulkan Binds", true},
    {"vulkan_driver_mem", GPU, "Vulkan Driver Memory", true},
    {"vulkan_*", GPU, NULL, false},
    {"mali_*", GPU, NULL, false},
    {"powervr_*", GPU, NULL, false},
    {"adreno_*", GPU, NULL, false},
    {"graphics_frame_event", GPU, NULL, false},
    {"net_kfree_skb", NETWORK, "Network Packet Frees", false},
    {"net_receive", NETWORK, "Network Receive", false},
    {"net_transmit", NETWORK, "Network Send", false},
    {"net_socket_set_state", NETWORK, "Socket Set State", false},
    {"net_tcp_retransmit_skb", NETWORK, "TCP Retransmit SKB", false},
    {"net_*", NETWORK, NULL, false},
    {"network_packets", NETWORK, NULL, false},
    {"bluetooth_trace_event", SYSTEM, "Bluetooth", false},
    {"num_irq", SYSTEM, "IRQ Count", false},
    {"num_softirq", SYSTEM, "Softirq Count", false},
    {"screen_state", SYSTEM, "Screen State", false},
    {"psi", SYSTEM, "PSI", false},
    {"virtio_video_queue_event", SYSTEM, "Virtio Video Queue Events", false},
    {"virtio_video_command", SYSTEM, "Virtio Video Command Events", false},
    {"pkvm_*", HYPERVISOR, NULL, false},
    {"legacy_*", GLOBAL_LEGACY, NULL, false},
    {"global_*", GLOBAL_EVENTS, NULL, false},
    {"perf_*", PERF_COUNTERS, NULL, false},
    {"stack_sample_*", PERF_COUNTERS, NULL, false},
    {"etm_session", PERF_COUNTERS, NULL, false},
    {"kernel_trackevent_*", KERNEL_EVENTS, NULL, false},
};

const struct track_heading *track_heading_at(unsigned i)
{
    return i < sizeof headings / sizeof headings[0] ? &headings[i] : NULL;
}

static bool fits(struct str type, const char *pattern)
{
    struct str p = str_of(pattern);
    if (p.n && p.p[p.n - 1] == '*') return str_starts(type, str_slice(p, 0, p.n - 1));
    return str_equal(type, p);
}

struct track_place track_place_of(struct str type)
{
    for (unsigned i = 0; i < sizeof types / sizeof types[0]; i++)
        if (fits(type, types[i].type))
            return (struct track_place){types[i].heading, types[i].group, types[i].even_if_owned};
    return (struct track_place){SYSTEM, NULL, false};
}

const char *track_source_label(const char *source)
{
    static const struct {
        const char *source, *label;
    } labels[] = {
        {"linux.perf", "Perf"},       {"perf", "Perf"},
        {"simpleperf", "Simpleperf"}, {"chrome", "Chrome"},
        {"legacy_v8", "V8"},          {"gecko", "Gecko"},
        {"perf_text", "Perf"},        {"instruments", "Instruments"},
    };
    for (unsigned i = 0; i < sizeof labels / sizeof labels[0]; i++)
        if (strcmp(source, labels[i].source) == 0) return labels[i].label;
    return source;
}
