/* Short ways for kernel events to reach counter and slice tracks. */
#ifndef ENGINE_IMPORT_FTRACE_TRACK_H
#define ENGINE_IMPORT_FTRACE_TRACK_H

#include <stdio.h>

#include "engine/base/strpool.h"
#include "engine/import/ftrace.h"
#include "engine/import/slice.h"
#include "engine/import/track.h"

static inline struct track_key ftrace_track_key(const struct ftrace_event *event, const char *type,
                                                enum track_event_type event_type)
{
    return (struct track_key){
        .type = type, .event_type = event_type, .machine_id = event->file->machine_id};
}
static inline string_id ftrace_intern(const struct ftrace_event *event, const char *text)
{
    return strpool_intern_text(event->import->strings, text);
}

/* A value of a counter of one CPU. */
void ftrace_count_of_cpu(const struct ftrace_event *event, const char *type, uint32_t cpu,
                         const char *name, double value);
/* A value of a counter keyed by the text of dimension `linux_device`. */
void ftrace_count_of_device(const struct ftrace_event *event, const char *type, struct str device,
                            const char *name, double value);
/* A track with no dimension, or one number. */
uint32_t ftrace_track(const struct ftrace_event *event, const char *type,
                      enum track_event_type event_type, const char *dimension, int64_t value,
                      const char *name);
/* The plain track of the event's thread. */
uint32_t ftrace_thread_track(const struct ftrace_event *event);

#endif
