/* The resolved `extensions` section of a trace, parsed again with the shapes of
 * the viewer (spec/sidecar.md "What the viewer does" 1): the engine checked what
 * was authored; here a bad row is an error that the caller says and forgets. */
#ifndef COMMANDS_TRACE_EXTENSIONS_H
#define COMMANDS_TRACE_EXTENSIONS_H

#include "commands/command.h"
#include "engine/extensions/json.h"

struct trace_extensions {
    json_t *root;          /* owned */
    const char *namespace; /* NULL for a server section */
    const json_t *macros;  /* a list; NULL: none */
    const json_t *server;  /* {type, url | repo ref path, enabled_modules}; NULL: none */
    struct invocation_list startup_commands;
};

/* NULL with a message when the row is bad; `json` as engine_trace_extensions
 * gives it. */
struct trace_extensions *trace_extensions_read(struct str json, struct status *st);
void trace_extensions_free(struct trace_extensions *extensions);

#endif
