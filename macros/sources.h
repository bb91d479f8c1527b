/* Where macros come from: the program, the settings, the trace. */
#ifndef MACROS_SOURCES_H
#define MACROS_SOURCES_H

#include "commands/settings.h"
#include "commands/trace_extensions.h"
#include "macros/macro.h"

/* The JSON files of this folder. */
void macros_register_bundled(struct session *session);
/* Key "macros" of both files.  False on an authored mistake: file, JSON path, what is allowed. */
bool macros_register_settings(struct session *session, const struct settings *settings,
                              struct status *st);
/* Gone with registry_remove_scope(…, COMMAND_TRACE_MACRO).  False when the row is
 * bad: the caller says it and goes on. */
bool macros_register_trace(struct session *session, const struct trace_extensions *extensions,
                           struct status *st);

#endif
