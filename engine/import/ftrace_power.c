/* Frequencies, idle states, clocks, suspend, temperatures (spec engine_2 2.3). */
#include "engine/import/ftrace_handlers.h"

#include "engine/import/ftrace_track.h"
#include "engine/import/process.h"

void ftrace_on_cpu_frequency(const struct ftrace_event *event)
{
    struct ftrace_fields f;
    ftrace_read_fields(&f, event->body);
    ftrace_count_of_cpu(event, "cpu_frequency", (uint32_t)field_uint(&f, 2), "cpufreq",
                        (double)(uint32_t)field_uint(&f, 1));
}

void ftrace_on_cpu_frequency_limits(const struct ftrace_event *event)
{
    struct ftrace_fields f;
    ftrace_read_fields(&f, event->body);
    uint32_t cpu = (uint32_t)field_uint(&f, 3);
    char name[64];
    probe_format(name, sizeof name, "Cpu %u Max Freq Limit", (unsigned)cpu);
    ftrace_count_of_cpu(event, "cpu_max_frequency_limit", cpu, name,
                        (double)(uint32_t)field_uint(&f, 2));
    probe_format(name, sizeof name, "Cpu %u Min Freq Limit", (unsigned)cpu);
    ftrace_count_of_cpu(event, "cpu_min_frequency_limit", cpu, name,
                        (double)(uint32_t)field_uint(&f, 1));
}

void ftrace_on_cpu_idle(const struct ftrace_event *event)
{
    struct ftrace_fields f;
    ftrace_read_fields(&f, event->body);
    ftrace_count_of_cpu(event, "cpu_idle", (uint32_t)field_uint(&f, 2), "cpuidle",
                        (double)(uint32_t)field_uint(&f, 1));
}

void ftrace_on_cpu_utilization(const struct ftrace_event *event)
{
    static const struct {
        uint32_t field;
        const char *type, *suffix;
    } counters[] = {{6, "cpu_utilization", "Util"},
                    {2, "cpu_capacity", "Cap"},
                    {11, "cpu_nr_running", "Nr Running"}};
    struct ftrace_fields f;
    ftrace_read_fields(&f, event->body);
    unsigned cpu = (unsigned)field_uint(&f, 4);
    for (int i = 0; i < 3; i++) {
        char name[48];
        probe_format(name, sizeof name, "Cpu %u %s", cpu, counters[i].suffix);
        ftrace_count_of_cpu(event, counters[i].type, cpu, name,
                            (double)field_uint(&f, counters[i].field));
    }
}

static void count_device(const struct ftrace_event *event, const char *type, const char *dimension,
                         struct str device, const char *suffix, double value)
{
    char name[256];
    probe_format(name, sizeof name, "%.*s %s", STR_ARG(device), suffix);
    ftrace_count_of_text(event, type, dimension, device, name, value);
}

/* clock_enable, clock_disable, clock_set_rate */
void ftrace_on_clock(const struct ftrace_event *event)
{
    struct ftrace_fields f;
    ftrace_read_fields(&f, event->body);
    bool is_rate = event->id == 16;
    count_device(event, is_rate ? "clock_frequency" : "clock_state", "linux_device",
                 field_str(&f, 1), is_rate ? "Frequency" : "State", (double)field_uint(&f, 2));
}

/* clk_enable, clk_disable, clk_set_rate */
void ftrace_on_clk(const struct ftrace_event *event)
{
    struct ftrace_fields f;
    ftrace_read_fields(&f, event->body);
    bool is_rate = event->id == 322;
    count_device(event, is_rate ? "clock_frequency" : "clock_state", "linux_device",
                 field_str(&f, 1), is_rate ? "Frequency" : "State",
                 is_rate ? (double)field_uint(&f, 2) : event->id == 320);
}

void ftrace_on_devfreq(const struct ftrace_event *event)
{
    struct ftrace_fields f;
    ftrace_read_fields(&f, event->body);
    struct str device = field_str(&f, 1);
    char name[256];
    probe_format(name, sizeof name, "devfreq_%.*s", STR_ARG(device));
    ftrace_count_of_text(event, "linux_device_frequency", "linux_device", device, name,
                         (double)field_uint(&f, 2));
}

void ftrace_on_temperature(const struct ftrace_event *event)
{
    struct ftrace_fields f;
    ftrace_read_fields(&f, event->body);
    count_device(event, "thermal_temperature", "thermal_zone", field_str(&f, 4), "Temperature",
                 (double)(int32_t)field_int(&f, 2));
}

void ftrace_on_cooling(const struct ftrace_event *event)
{
    struct ftrace_fields f;
    ftrace_read_fields(&f, event->body);
    count_device(event, "cooling_device_counter", "linux_device", field_str(&f, 2),
                 "Cooling Device", (double)field_uint(&f, 1));
}

/* thermal_exynos_acpm_bulk has the time of its own measurement. */
void ftrace_on_exynos_thermal(const struct ftrace_event *event)
{
    static const char *const zones[] = {"BIG", "MID", "LITTLE", "G3D", "ISP", "TPU", "AUR"};
    struct ftrace_fields f;
    ftrace_read_fields(&f, event->body);
    uint64_t zone = field_uint(&f, 1);
    const char *zone_name = zone < sizeof zones / sizeof zones[0] ? zones[zone] : NULL;
    if (!zone_name) return;
    struct ftrace_event measured = *event;
    if (event->id == 506) measured.ts = field_int(&f, 11);
    char name[64];
    probe_format(name, sizeof name, "%s Temperature", zone_name);
    ftrace_count_of_text(&measured, "acpm_thermal_temperature", "thermal_zone", str_of(zone_name),
                         name, (double)field_uint(&f, 2));
    probe_format(name, sizeof name, "Tj-%s Cooling Device", zone_name);
    ftrace_count_of_text(&measured, "acpm_cooling_device_counter", "thermal_zone",
                         str_of(zone_name), name, (double)field_uint(&f, 4));
}

void ftrace_on_suspend_minimal(const struct ftrace_event *event)
{
    struct wire_field f;
    bool start = wire_find(event->body, 1, &f) && f.value;
    uint32_t track =
        ftrace_track(event, "suspend_resume_minimal", NULL, 0, "Suspend/Resume Minimal");
    if (start)
        ftrace_begin(event, track, NULL, ftrace_intern(event, "Suspended"), NULL);
    else
        ftrace_end(event, track, NULL, NULL);
}

/* The phases of going to sleep nest and overlap: each action has a lane. */
void ftrace_on_suspend(const struct ftrace_event *event)
{
    struct ftrace_fields f;
    ftrace_read_fields(&f, event->body);
    struct str action = field_str(&f, 1);
    /* The value of this one is a CPU, which may differ between its ends. */
    int32_t value = str_is(action, "timekeeping_freeze") ? 0 : (int32_t)field_int(&f, 2);
    char name[128];
    probe_format(name, sizeof name, "%.*s(%d)", STR_ARG(action), (int)value);
    struct track_tracker *tracks = event->import->tracks;
    struct track_key key = ftrace_track_key(event, "suspend_resume", TRACK_SLICE);
    struct track_info info = {.name = ftrace_intern(event, "Suspend/Resume Latency")};
    uint32_t lanes = track_lanes_intern(tracks, &key, &info);
    string_id id = ftrace_intern(event, name);
    if (field_uint(&f, 3))
        ftrace_begin(event, track_lane_begin(tracks, lanes, id), NULL, id, NULL);
    else
        ftrace_end(event, track_lane_end(tracks, lanes, id), NULL, NULL);
}

void ftrace_on_wakeup_source(const struct ftrace_event *event)
{
    struct ftrace_fields f;
    ftrace_read_fields(&f, event->body);
    struct str source = field_str(&f, 1);
    char name[192];
    probe_format(name, sizeof name, "Wakelock(%.*s)", STR_ARG(source));
    uint32_t track =
        ftrace_track_of_text(event, "wakesource_wakelock", "wakelock_event", source, name);
    if (event->id == 404)
        ftrace_begin(event, track, NULL, strpool_intern(event->import->strings, source), NULL);
    else
        ftrace_end(event, track, NULL, NULL);
}

static struct track_key gpu_key(const struct ftrace_event *event, const char *type, uint32_t gpu)
{
    struct track_key key = ftrace_track_key(event, type, TRACK_COUNTER);
    probe_dimension_int(&key, "ugpu", gpu_intern(event->file, gpu));
    probe_dimension_int(&key, "gpu", gpu);
    return key;
}

void ftrace_on_gpu_frequency(const struct ftrace_event *event)
{
    struct ftrace_fields f;
    ftrace_read_fields(&f, event->body);
    bool is_kgsl = event->id == 509;
    struct track_key key =
        gpu_key(event, "gpu_frequency", (uint32_t)field_uint(&f, is_kgsl ? 2 : 1));
    uint32_t value = (uint32_t)field_uint(&f, is_kgsl ? 1 : 2);
    probe_count(event->file, event->ts, &key, "gpufreq", "kHz",
                is_kgsl ? (double)(value / 1000) : (double)value);
}
