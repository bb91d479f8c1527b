/* Frequencies, idle states and clocks (spec engine_2 2.3). */
#include "engine/import/ftrace_handlers.h"

#include "engine/import/ftrace_track.h"

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
    snprintf(name, sizeof name, "Cpu %u Min Freq Limit", (unsigned)cpu);
    ftrace_count_of_cpu(event, "cpu_min_frequency_limit", cpu, name,
                        (double)(uint32_t)field_uint(&f, 1));
    snprintf(name, sizeof name, "Cpu %u Max Freq Limit", (unsigned)cpu);
    ftrace_count_of_cpu(event, "cpu_max_frequency_limit", cpu, name,
                        (double)(uint32_t)field_uint(&f, 2));
}

void ftrace_on_cpu_idle(const struct ftrace_event *event)
{
    struct ftrace_fields f;
    ftrace_read_fields(&f, event->body);
    ftrace_count_of_cpu(event, "cpu_idle", (uint32_t)field_uint(&f, 2), "cpuidle",
                        (double)(uint32_t)field_uint(&f, 1));
}

/* clock_enable, clock_disable, clock_set_rate */
void ftrace_on_clock(const struct ftrace_event *event)
{
    struct ftrace_fields f;
    ftrace_read_fields(&f, event->body);
    bool is_rate = event->id == 16;
    struct str device = field_str(&f, 1);
    char name[256];
    snprintf(name, sizeof name, "%.*s %s", STR_ARG(device), is_rate ? "Frequency" : "State");
    ftrace_count_of_device(event, is_rate ? "clock_frequency" : "clock_state", device, name,
                           (double)field_uint(&f, 2));
}
