/* Slices as stacks: what each spent itself, by the names of those around it. */
#include "commands/flame_profile.h"
#include "engine/base/memory.h"

struct walk {
    const struct flame_input *in;
    uint32_t *stack_of;  /* by slice; FLAME_NONE: not in the scope */
    struct map frame_of; /* name → frame */
};

static uint32_t frame_of(struct walk *w, string_id name)
{
    uint64_t *found = map_get(&w->frame_of, name);
    if (found) return (uint32_t)*found;
    struct str text = strpool_get(w->in->tables->strings, name);
    uint32_t frame =
        flame_profile_frame(w->in->profile, text.n ? text : STR("[no name]"), STR_NONE);
    map_set(&w->frame_of, name, frame);
    return frame;
}

/* What of the slice lies in the scope, ns; below 0: nothing, not even an instant. */
static double clipped(const struct flame_scope *scope, int64_t ts, int64_t dur)
{
    int64_t end = dur < 0                               ? scope->trace_end
                  : dur > INT64_MAX - (ts > 0 ? ts : 0) ? INT64_MAX
                                                        : ts + dur;
    if (end < ts) end = ts;
    if (ts >= scope->end || end < scope->start || (end == scope->start && end > ts)) return -1;
    int64_t from = ts > scope->start ? ts : scope->start;
    int64_t to = end < scope->end ? end : scope->end;
    return (double)to - (double)from;
}

static void add_slice(struct walk *w, uint32_t row)
{
    const struct slice_table *s = &w->in->tables->slice;
    struct flame_profile *profile = w->in->profile;
    uint32_t track = column_get_row(&s->track_id, row);
    w->stack_of[row] = FLAME_NONE;
    if (!w->in->sets.everything && !flame_sets_has(w->in->sets.tracks, w->in->sets.n_tracks, track))
        return;
    double time = clipped(w->in->scope, column_int64(&s->ts)[row], column_int64(&s->dur)[row]);
    if (time < 0) return;
    uint32_t parent = column_get_row(&s->parent_id, row);
    uint32_t above = parent < row ? w->stack_of[parent] : FLAME_NONE;
    uint32_t frame = frame_of(w, column_get_string(&s->name, row));
    w->stack_of[row] = flame_profile_child(profile, above == FLAME_NONE ? 0 : above, frame);
    profile->stacks.items[w->stack_of[row]].self[w->in->side] += time;
    if (above != FLAME_NONE) profile->stacks.items[above].self[w->in->side] -= time;
    profile->rows[w->in->side]++;
}

bool flame_add_slices(const struct flame_input *in)
{
    struct walk w = {.in = in};
    uint32_t rows = table_rows(&in->tables->slice.table);
    bool done = true;
    w.stack_of = mem_alloc(((size_t)rows + 1) * sizeof *w.stack_of);
    for (uint32_t i = 0; i < rows && done; i++) {
        add_slice(&w, i);
        done = !flame_is_cancelled(in, i);
    }
    /* Children that outlast their parents leave less than nothing for them. */
    for (size_t i = 0; i < in->profile->stacks.count; i++) {
        double *self = &in->profile->stacks.items[i].self[in->side];
        if (*self < 0) *self = 0;
    }
    mem_free(w.stack_of);
    map_free(&w.frame_of);
    return done;
}
