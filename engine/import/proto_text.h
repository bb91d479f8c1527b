/* A message in protobuf's text format, as far as the pool knows its fields; others
 * are shown by number.  Nesting is cut at 32 levels, the text at 1 MiB. */
#ifndef ENGINE_IMPORT_PROTO_TEXT_H
#define ENGINE_IMPORT_PROTO_TEXT_H

#include "engine/base/buffer.h"
#include "engine/proto/descriptor_pool.h"

/* message NULL: all fields by number. */
void proto_text_append(struct buffer *out, const struct descriptor_pool *pool,
                       const struct proto_message *message, struct str bytes);

#endif
