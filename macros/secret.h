/* Credentials of extension servers: a file of their own, 0600, beside the
 * program's settings ($XDG_STATE_HOME/perfetty/secrets.json), or an environment
 * variable that the settings name.
 *
 * One JSON object, a server's location (server_append_location) -> its secret.  A
 * file that others may read is not used.  No message ever holds a secret.
 */
#ifndef MACROS_SECRET_H
#define MACROS_SECRET_H

#include "commands/settings.h"

/* The file that belongs to these settings; NULL when they are kept nowhere. */
char *secret_path(const struct settings *settings);
/* *out is NULL when there is none. */
bool secret_find(const char *path, const char *location, char **out, struct status *st);
/* `secret` NULL takes it out. */
bool secret_store(const char *path, const char *location, const char *secret, struct status *st);

#endif
