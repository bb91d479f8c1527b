/* The one place that speaks to the network: one https address, read whole.
 *
 * https only, 10 seconds, 16 MiB at most; redirects (at most 3, https) are
 * followed only without credentials.  Built without libcurl it always fails and
 * says so.  Blocks: belongs on a worker.
 */
#ifndef MACROS_FETCH_H
#define MACROS_FETCH_H

#include <jansson.h>

#include "engine/base/buffer.h"
#include "engine/base/status.h"
#include "engine/base/thread.h"

/* `auth` as settings hold it (spec ui §4d); NULL: none. */
bool fetch_https(const char *url, const json_t *auth, struct cancel *cancel, struct buffer *out,
                 struct status *st);

#endif
