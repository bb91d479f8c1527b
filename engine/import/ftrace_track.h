/* Short ways for kernel events to reach counter and slice tracks. */
#ifndef ENGINE_IMPORT_FTRACE_TRACK_H
#define ENGINE_IMPORT_FTRACE_TRACK_H

#include <stdio.h>

#include "engine/base/strpool.h"
#include "engine/import/ftrace.h"
#include "engine/import/probe_track.h"

static inline struct track_key ftrace_track_key(const struct ftrace_event *event, const char *type,
                                                enum track_event_type event_type)
{
    return probe_key(event->file, type, event_type);
}
static inline string_id ftrace_intern(const struct ftrace_event *event, const char *text)
{
    return strpool_intern_text(event->import->strings, text);
}

/* A value of a counter of one CPU, or of one named by the text of a dimension. */
void ftrace_count_of_cpu(const struct ftrace_event *event, const char *type, uint32_t cpu,
                         const char *name, double value);
void ftrace_count_of_text(const struct ftrace_event *event, const char *type, const char *dimension,
                          struct str text, const char *name, double value);
/* A value of a counter with no dimension, or one number. */
void ftrace_count(const struct ftrace_event *event, const char *type, const char *dimension,
                  int64_t number, const char *name, double value);

/* A slice track with no dimension, or one number, or one text. */
uint32_t ftrace_track(const struct ftrace_event *event, const char *type, const char *dimension,
                      int64_t number, const char *name);
uint32_t ftrace_track_of_text(const struct ftrace_event *event, const char *type,
                              const char *dimension, struct str text, const char *name);
/* The plain track of the event's thread. */
uint32_t ftrace_thread_track(const struct ftrace_event *event);

/* Slices; names are texts, category and args may be NULL. */
uint32_t ftrace_begin(const struct ftrace_event *event, uint32_t track, const char *category,
                      string_id name, struct arg_list *args);
uint32_t ftrace_end(const struct ftrace_event *event, uint32_t track, const char *category,
                    struct arg_list *args);
uint32_t ftrace_instant(const struct ftrace_event *event, uint32_t track, const char *category,
                        string_id name, struct arg_list *args);

/* Into the event's scratch list. */
void ftrace_arg_uint(const struct ftrace_event *event, const char *key, uint64_t value);
void ftrace_arg_int(const struct ftrace_event *event, const char *key, int64_t value);
void ftrace_arg_text(const struct ftrace_event *event, const char *key, struct str value);

#endif
