/* SHA-256 (FIPS 180-4): identities that go into a file, and that nobody can make
 * two contents for.  For maps inside one process there is hash.h. */
#ifndef ENGINE_BASE_SHA256_H
#define ENGINE_BASE_SHA256_H

#include "engine/base/str.h"

#define SHA256_HEX (64 + 1) /* with its NUL */

/* Small hexadecimal digits. */
void sha256_hex(struct str bytes, char out[SHA256_HEX]);

#endif
