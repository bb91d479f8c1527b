#ifndef ENGINE_IMPORT_SYSCALL_NAMES_H
#define ENGINE_IMPORT_SYSCALL_NAMES_H

#include <stdint.h>

#include "engine/base/str.h"

/* "read"; STR_NONE when the architecture or the number is not known.  Looks through
 * the list: whoever asks often remembers. */
struct str syscall_name(struct str machine, uint64_t number);

#endif
