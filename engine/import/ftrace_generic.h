/* Events whose shape the trace itself tells (spec engine_2 2.3): GenericFtraceEvent
 * with its names inside, and ids from FTRACE_GENERIC_BASE on with a descriptor. */
#ifndef ENGINE_IMPORT_FTRACE_GENERIC_H
#define ENGINE_IMPORT_FTRACE_GENERIC_H

#include "engine/import/ftrace.h"

/* A GenericEventDescriptor of a bundle; the first of an id stays. */
void ftrace_generic_describe(struct ftrace *ftrace, struct str descriptor);
void ftrace_generic_event(const struct ftrace_event *event, bool parse);
void ftrace_generic_field_event(const struct ftrace_event *event);
void ftrace_generic_free(struct ftrace *ftrace);

#endif
