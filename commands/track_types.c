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

/* A type, or the beginning of several when it ends in '*'; the first that fits. */
static const struct {
    const char *type;
    enum heading heading;
} types[] = {
    {"acpm_*", THERMALS},
    {"thermal_*", THERMALS},
    {"cooling_device_counter", THERMALS},
    {"android_cpu_per_uid*", CPU_PER_UID},
    {"android_dma_*", MEMORY},
    {"android_ion_*", MEMORY},
    {"ion*", MEMORY},
    {"meminfo", MEMORY},
    {"vmstat", MEMORY},
    {"slabinfo", MEMORY},
    {"buddyinfo", MEMORY},
    {"fastrpc*", MEMORY},
    {"mm_event*", MEMORY},
    {"android_lmk", MEMORY},
    {"etw_meminfo", MEMORY},
    {"android_energy_*", POWER},
    {"battery_*", POWER},
    {"bcl_irq", POWER},
    {"entity_state", POWER},
    {"pixel_cpm_counters", POWER},
    {"android_kernel_wakelock", POWER},
    {"app_wakelock_events", POWER},
    {"dumpstate_wakelocks", POWER},
    {"wakesource_wakelock", POWER},
    {"suspend_resume*", POWER},
    {"power_rails", POWER_RAILS},
    {"block_io", IO},
    {"diskstat", IO},
    {"f2fs_*", IO},
    {"android_fs", IO},
    {"ufs_*", IO},
    {"etw_diskio", IO},
    {"etw_fileio", IO},
    {"clock_*", HARDWARE},
    {"linux_device_frequency", HARDWARE},
    {"interconnect_events", HARDWARE},
    {"cros_ec_*", HARDWARE},
    {"pixel_modem_event", HARDWARE},
    {"virtio_video_*", HARDWARE},
    {"disp_*", HARDWARE},
    {"ddic_underrun", HARDWARE},
    {"panel_settings_*", HARDWARE},
    {"linux_rpm", LINUX_KERNEL},
    {"cpu_*", CPU},
    {"cpustat", CPU},
    {"num_*", CPU},
    {"gpu_*", GPU},
    {"mali_*", GPU},
    {"virtgpu_*", GPU},
    {"powervr_*", GPU},
    {"adreno_*", GPU},
    {"android_gpu_*", GPU},
    {"drm_*", GPU},
    {"vulkan_*", GPU},
    {"graphics_frame_event", GPU},
    {"net_*", NETWORK},
    {"network_packets", NETWORK},
    {"bluetooth_*", NETWORK},
    {"screen_state", DEVICE_STATE},
    {"sysprop_counter", DEVICE_STATE},
    {"android_device_state", DEVICE_STATE},
    {"psi", KERNEL},
    {"pkvm_*", HYPERVISOR},
    {"legacy_*", GLOBAL_LEGACY},
    {"global_*", GLOBAL_EVENTS},
    {"perf_*", PERF_COUNTERS},
    {"stack_sample_*", PERF_COUNTERS},
    {"etm_session", PERF_COUNTERS},
    {"kernel_trackevent_*", KERNEL_EVENTS},
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

unsigned track_heading_of(struct str type)
{
    for (unsigned i = 0; i < sizeof types / sizeof types[0]; i++)
        if (fits(type, types[i].type)) return types[i].heading;
    return SYSTEM;
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
