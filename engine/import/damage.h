/* What a reader tells of bytes that it cannot read: a stat, and for the first
 * ones of a file a row of the import log with the place and the reason.  One
 * place is told once, however many levels of a reader meet it, and so is the end of
 * a file that is cut (STAT_perfetty_input_truncated). */
#ifndef ENGINE_IMPORT_DAMAGE_H
#define ENGINE_IMPORT_DAMAGE_H

#include "engine/import/stats.h"

struct damage {
    const struct import_file *file;
    uint32_t n_logged;
    bool has_last, is_cut;
    size_t last_offset;
};

/* `error` is one line for a person. */
void damage_log(struct damage *damage, enum stat stat, size_t offset, const char *error);

#endif
