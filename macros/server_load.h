/* What an extension server provides: fetched on a worker, then registered in the
 * session and its engines (spec ui §4d, sidecar.md "What the viewer does" 2).
 *
 * A trace's server is contacted only after the person ran
 * dev.perfetty.AddTraceServer, which keeps it in the settings; servers of the
 * settings are read when a trace is opened.
 */
#ifndef MACROS_SERVER_LOAD_H
#define MACROS_SERVER_LOAD_H

#include "macros/server.h"

/* How bytes are got; NULL in servers_open takes fetch_https.  For tests. */
typedef bool (*server_fetch)(const char *url, const json_t *auth, struct cancel *cancel,
                             struct buffer *out, struct status *st);

/* Registers the commands, says what the trace's reference means, and loads the
 * servers of the settings.  Problems of a server are messages.  False on an
 * authored mistake in the settings. */
bool servers_open(struct session *session, struct settings *settings, const json_t *reference,
                  server_fetch fetch, struct status *st);

#endif
