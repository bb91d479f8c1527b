/* What servers said last: $XDG_CACHE_HOME/perfetty/servers, one file an address.
 *
 * Used when a server cannot be reached, and before a load for the descriptors.  A
 * file begins with its address on a line of its own, so that an entry is never
 * taken for another's; it is written anew and renamed.
 */
#ifndef MACROS_SERVER_CACHE_H
#define MACROS_SERVER_CACHE_H

#include <time.h>

#include "engine/base/buffer.h"
#include "engine/base/status.h"

/* NULL without HOME and XDG_CACHE_HOME: then nothing is kept.  Owned. */
char *server_cache_folder(void);
/* False when there is no entry; `when` is the time it was written. */
bool server_cache_read(const char *folder, const char *url, struct buffer *out, time_t *when);
/* A cache that cannot be written is no error. */
void server_cache_write(const char *folder, const char *url, struct str bytes);
void server_cache_evict(const char *folder, const char *url);

#endif
