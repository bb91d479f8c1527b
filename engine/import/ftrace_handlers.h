/* What kernel events mean beyond their raw row: one function a kind, listed by
 * event id in ftrace_handlers.c. */
#ifndef ENGINE_IMPORT_FTRACE_HANDLERS_H
#define ENGINE_IMPORT_FTRACE_HANDLERS_H

#include "engine/import/ftrace.h"

/* ftrace_sched.c */
void ftrace_on_waking(const struct ftrace_event *event);
void ftrace_on_blocked_reason(const struct ftrace_event *event);
void ftrace_on_newtask(const struct ftrace_event *event);
void ftrace_on_rename(const struct ftrace_event *event);
void ftrace_on_process_free(const struct ftrace_event *event);

/* ftrace_print.c: user space's marks */
void ftrace_on_print(const struct ftrace_event *event);
void ftrace_on_zero(const struct ftrace_event *event);
void ftrace_on_mark_write(const struct ftrace_event *event);

/* ftrace_power.c */
void ftrace_on_cpu_frequency(const struct ftrace_event *event);
void ftrace_on_cpu_frequency_limits(const struct ftrace_event *event);
void ftrace_on_cpu_idle(const struct ftrace_event *event);
void ftrace_on_clock(const struct ftrace_event *event);

#endif
