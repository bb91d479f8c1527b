#include "engine/import/ftrace_track.h"

void ftrace_count_of_cpu(const struct ftrace_event *event, const char *type, uint32_t cpu,
                         const char *name, double value)
{
    if (cpu >= FTRACE_MAX_CPUS) return;
    uint32_t track =
        track_counter_of_cpu(event->import->tracks, event->file->machine_id, type, cpu, name, NULL);
    counter_push(event->file, event->ts, track, value, NULL);
}

void ftrace_count_of_text(const struct ftrace_event *event, const char *type, const char *dimension,
                          struct str text, const char *name, double value)
{
    struct track_key key = ftrace_track_key(event, type, TRACK_COUNTER);
    probe_dimension_text(event->file, &key, dimension, text);
    probe_count(event->file, event->ts, &key, name, NULL, value);
}

void ftrace_count(const struct ftrace_event *event, const char *type, const char *dimension,
                  int64_t number, const char *name, double value)
{
    struct track_key key = ftrace_track_key(event, type, TRACK_COUNTER);
    if (dimension) probe_dimension_int(&key, dimension, number);
    probe_count(event->file, event->ts, &key, name, NULL, value);
}

uint32_t ftrace_track(const struct ftrace_event *event, const char *type, const char *dimension,
                      int64_t number, const char *name)
{
    struct track_key key = ftrace_track_key(event, type, TRACK_SLICE);
    if (dimension) probe_dimension_int(&key, dimension, number);
    return probe_track(event->file, &key, name, NULL);
}

uint32_t ftrace_track_of_text(const struct ftrace_event *event, const char *type,
                              const char *dimension, struct str text, const char *name)
{
    struct track_key key = ftrace_track_key(event, type, TRACK_SLICE);
    probe_dimension_text(event->file, &key, dimension, text);
    return probe_track(event->file, &key, name, NULL);
}

uint32_t ftrace_thread_track(const struct ftrace_event *event)
{
    return track_of_thread(event->import->tracks, event->file->machine_id, event->utid);
}

static string_id category_id(const struct ftrace_event *event, const char *category)
{
    return category ? ftrace_intern(event, category) : STRING_NULL;
}

uint32_t ftrace_begin(const struct ftrace_event *event, uint32_t track, const char *category,
                      string_id name, struct arg_list *args)
{
    return slice_begin(event->file, event->ts, track, category_id(event, category), name, args);
}

uint32_t ftrace_end(const struct ftrace_event *event, uint32_t track, const char *category,
                    struct arg_list *args)
{
    return slice_end(event->file, event->ts, track, category_id(event, category), STRING_NULL,
                     args);
}

uint32_t ftrace_instant(const struct ftrace_event *event, uint32_t track, const char *category,
                        string_id name, struct arg_list *args)
{
    return slice_scoped(event->file, event->ts, 0, track, category_id(event, category), name, args);
}

void ftrace_arg_uint(const struct ftrace_event *event, const char *key, uint64_t value)
{
    string_id id = ftrace_intern(event, key);
    arg_list_put(&event->ftrace->args, (struct arg){.flat_key = id,
                                                    .key = id,
                                                    .type = ARG_UINT,
                                                    .value = {.integer = (int64_t)value}});
}

void ftrace_arg_int(const struct ftrace_event *event, const char *key, int64_t value)
{
    arg_list_put_int(&event->ftrace->args, ftrace_intern(event, key), value);
}

void ftrace_arg_text(const struct ftrace_event *event, const char *key, struct str value)
{
    arg_list_put_string(&event->ftrace->args, ftrace_intern(event, key),
                        strpool_intern(event->import->strings, value.p ? value : STR("")));
}
