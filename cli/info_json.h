/* `perfetty info --json`: one object, whose keys are a promise (docs/info.md). */
#ifndef CLI_INFO_JSON_H
#define CLI_INFO_JSON_H

#include "commands/info.h"

void info_append_json(const struct info *info, const struct tables *tables, struct buffer *out);

#endif
