/* Base64 with padding, as descriptors travel inside a sidecar. */
#ifndef TESTS_GEN_BASE64_H
#define TESTS_GEN_BASE64_H

#include "engine/base/buffer.h"
#include "engine/base/str.h"

void gen_base64(struct buffer *out, struct str bytes);

#endif
