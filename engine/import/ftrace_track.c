#include "engine/import/ftrace_track.h"

void ftrace_count_of_cpu(const struct ftrace_event *event, const char *type, uint32_t cpu,
                         const char *name, double value)
{
    if (cpu >= FTRACE_MAX_CPUS) return;
    uint32_t track =
        track_counter_of_cpu(event->import->tracks, event->file->machine_id, type, cpu, name, NULL);
    counter_push(event->file, event->ts, track, value, NULL);
}

void ftrace_count_of_device(const struct ftrace_event *event, const char *type, struct str device,
                            const char *name, double value)
{
    struct track_key key = ftrace_track_key(event, type, TRACK_COUNTER);
    key.n_dimensions = 1;
    key.dimensions[0] =
        dimension_string("linux_device", strpool_intern(event->import->strings, device));
    struct track_info info = {.name = ftrace_intern(event, name)};
    uint32_t track = track_intern(event->import->tracks, &key, &info);
    counter_push(event->file, event->ts, track, value, NULL);
}

uint32_t ftrace_track(const struct ftrace_event *event, const char *type,
                      enum track_event_type event_type, const char *dimension, int64_t value,
                      const char *name)
{
    struct track_key key = ftrace_track_key(event, type, event_type);
    if (dimension) key.dimensions[key.n_dimensions++] = dimension_int(dimension, value);
    struct track_info info = {.name = name ? ftrace_intern(event, name) : STRING_NULL};
    return track_intern(event->import->tracks, &key, &info);
}

uint32_t ftrace_thread_track(const struct ftrace_event *event)
{
    return track_of_thread(event->import->tracks, event->file->machine_id, event->utid);
}
