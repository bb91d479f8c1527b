/* {id, args} out of JSON, the shape that settings, sidecars and servers share
 * (spec ui §4b).  Messages name the JSON path, what was found and what is
 * allowed. */
#ifndef COMMANDS_INVOCATION_JSON_H
#define COMMANDS_INVOCATION_JSON_H

#include "commands/command.h"
#include "engine/extensions/json.h"

/* `path` is the place of `value` ("startupCommands[2]"); it comes back as it
 * was.  On failure `out` is empty. */
bool invocation_read(const json_t *value, struct buffer *path, struct invocation *out,
                     struct status *st);
bool invocation_list_read(const json_t *value, struct buffer *path, struct invocation_list *out,
                          struct status *st);
/* "path is FOUND, but has to be WANTED"; always false. */
bool json_refuse(const struct buffer *path, const json_t *found, const char *wanted,
                 struct status *st);
/* A string member that must be there and not be empty; NULL on failure. */
const char *json_read_text(const json_t *object, const char *key, struct buffer *path,
                           struct status *st);

#endif
