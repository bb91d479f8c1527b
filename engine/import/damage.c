#include "engine/import/damage.h"

#include "engine/import/args.h"

#define MAX_LOGGED 100

void damage_log(struct damage *damage, enum stat stat, size_t offset, const char *error)
{
    struct strpool *strings = damage->file->import->strings;
    struct arg_list args = {NULL, 0, 0};
    if (damage->has_last && damage->last_offset == offset) return;
    if (stat == STAT_perfetty_input_truncated) {
        if (damage->is_cut) return;
        damage->is_cut = true;
    }
    damage->has_last = true;
    damage->last_offset = offset;
    if (damage->n_logged++ >= MAX_LOGGED) {
        stats_add(damage->file, stat, 1);
        return;
    }
    arg_list_put_string(&args, strpool_intern_text(strings, "error"),
                        strpool_intern_text(strings, error));
    import_log(damage->file, stat, (int64_t)offset, NO_LOG_TS, &args);
    vec_free(&args);
}
