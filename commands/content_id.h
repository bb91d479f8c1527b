/* What a trace is, whatever it is called: the SHA-256 of what its files hold, as far
 * as a few reads tell.
 *
 * Of each file count its size, its first and last 256 KiB, and 64 blocks of 4 KiB
 * between them, so that an id costs the same for 1 MB and 100 GB.  Names do not
 * count, nor does the order of several files, so that a copy, a renamed file and a
 * folder of the same files have the same id.
 */
#ifndef COMMANDS_CONTENT_ID_H
#define COMMANDS_CONTENT_ID_H

#include <stdbool.h>
#include <stddef.h>

#include "engine/base/sha256.h"

#define CONTENT_ID_MOST_FILES 1024

/* False, and "" in `out`, when there is none: standard input, a pipe, a file that
 * cannot be read, a folder of too many files. */
bool content_id_of_files(const char *const *paths, size_t n_paths, char out[SHA256_HEX]);

#endif
