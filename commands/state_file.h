/* Files of the program's own: settings, credentials, what servers said.
 *
 * They lie below the folders of the XDG base directory specification, are written
 * to a new file that is then renamed (nobody sees half of one), and are readable
 * by their owner only.
 */
#ifndef COMMANDS_STATE_FILE_H
#define COMMANDS_STATE_FILE_H

#include "engine/base/buffer.h"
#include "engine/base/status.h"

/* "$variable/perfetty/name", or "$HOME/fallback/perfetty/name"; NULL without
 * either.  Owned. */
char *state_file_path(const char *variable, const char *fallback, const char *name);
/* The file's bytes; one that is not there is empty. */
bool state_file_read(const char *path, size_t largest, struct buffer *out, struct status *st);
/* 0600, its folders 0700. */
bool state_file_write(const char *path, struct str bytes, struct status *st);

#endif
