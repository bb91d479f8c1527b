#include "engine/import/slice_parts.h"

#include "engine/base/checked.h"
#include "engine/base/map.h"

struct open_states {
    struct import *import;
    struct map row_of_track; /* track -> its open row */
};

struct open_states *open_states_new(struct import *import)
{
    struct open_states *states = mem_zero(1, sizeof *states);
    states->import = import;
    return states;
}

void open_states_free(struct open_states *states)
{
    if (!states) return;
    map_free(&states->row_of_track);
    mem_free(states);
}

void open_states_finish(struct open_states *states)
{
    map_clear(&states->row_of_track);
}

void state_push(const struct import_file *file, int64_t ts, uint32_t track, string_id category,
                string_id value, struct arg_list *args)
{
    struct import *import = file->import;
    struct open_states *states = slice_tracker_states(import->slices);
    struct state_table *table = &import->tables->state;

    const uint64_t *open = map_get(&states->row_of_track, track);
    if (open) {
        uint32_t row = (uint32_t)*open;
        int64_t began = column_get_int64(&table->ts, row);
        table_set_int64(&table->table, state_COLUMN_dur, row, wrapping_sub_int64(ts, began));
        map_remove(&states->row_of_track, track);
    }
    if (value == STRING_NULL) {
        if (args) vec_clear(args);
        return;
    }
    struct state_row row = {
        .ts = ts, .dur = -1, .track_id = track, .category = category, .value = value};
    if (args && args->count) row.arg_set_id = opt_row(args_commit(import->args, args));
    map_set(&states->row_of_track, track, state_append(table, &row));
}
