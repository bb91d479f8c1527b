/* What a FileDescriptorSet declares, for people to read: one line for each message,
 * enum and extension, in the order of the bytes, with full names. */
#ifndef ENGINE_EXTENSIONS_DESCRIPTOR_NAMES_H
#define ENGINE_EXTENSIONS_DESCRIPTOR_NAMES_H

#include "engine/base/buffer.h"
#include "engine/base/str.h"

/* "message com.ex.Frame", "enum com.ex.Kind", "extension com.ex.frame = 9901 of
 * perfetto.protos.TrackEvent"; each line ends in a newline.  Names are bytes of the
 * file, long ones cut.  Ends early when `out` is full. */
void descriptor_names_append(struct str set, struct buffer *out);

#endif
