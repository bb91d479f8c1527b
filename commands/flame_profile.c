#include "commands/flame_profile.h"

#include <string.h>

#include "engine/base/buffer.h"
#include "engine/base/memory.h"

/* ---- metrics and scopes ---- */

static char *copy_text(const char *text)
{
    return text ? mem_strdup(text) : NULL;
}

void flame_metric_copy(struct flame_metric *out, const struct flame_metric *in)
{
    *out = *in;
    out->key = copy_text(in->key);
    out->name = copy_text(in->name);
    out->unit = copy_text(in->unit);
}

void flame_metric_dispose(struct flame_metric *metric)
{
    mem_free(metric->key);
    mem_free(metric->name);
    mem_free(metric->unit);
    *metric = (struct flame_metric){0};
}

void flame_metrics_free(struct flame_metric_list *list)
{
    for (size_t i = 0; i < list->count; i++)
        flame_metric_dispose(&list->items[i]);
    vec_free(list);
}

static void copy_rows(struct flame_rows *out, const struct flame_rows *in)
{
    *out = (struct flame_rows){0};
    for (size_t i = 0; i < in->count; i++)
        vec_push(out, in->items[i]);
}

void flame_scope_copy(struct flame_scope *out, const struct flame_scope *in)
{
    *out = *in;
    copy_rows(&out->utids, &in->utids);
    copy_rows(&out->upids, &in->upids);
    copy_rows(&out->tracks, &in->tracks);
}

void flame_scope_dispose(struct flame_scope *scope)
{
    vec_free(&scope->utids);
    vec_free(&scope->upids);
    vec_free(&scope->tracks);
}

static void mark(uint8_t *set, uint32_t n, const struct flame_rows *rows)
{
    for (size_t i = 0; i < rows->count; i++)
        if (rows->items[i] < n) set[rows->items[i]] = 1;
}

void flame_sets_init(struct flame_filter_sets *sets, const struct tables *tables,
                     const struct flame_scope *scope)
{
    *sets = (struct flame_filter_sets){.everything = scope->everything};
    sets->n_threads = table_rows(&tables->thread.table);
    sets->n_processes = table_rows(&tables->process.table);
    sets->n_tracks = table_rows(&tables->track.table);
    sets->threads = mem_zero(sets->n_threads + 1, 1);
    sets->processes = mem_zero(sets->n_processes + 1, 1);
    sets->tracks = mem_zero(sets->n_tracks + 1, 1);
    mark(sets->processes, sets->n_processes, &scope->upids);
    mark(sets->threads, sets->n_threads, &scope->utids);
    for (uint32_t i = 0; i < sets->n_threads; i++) {
        uint32_t upid = column_get_row(&tables->thread.upid, i);
        if (flame_sets_has(sets->processes, sets->n_processes, upid)) sets->threads[i] = 1;
    }
    mark(sets->tracks, sets->n_tracks, &scope->tracks);
    for (uint32_t i = 0; i < sets->n_tracks; i++) {
        uint32_t utid = column_get_row(&tables->track.utid, i);
        uint32_t upid = column_get_row(&tables->track.upid, i);
        if (flame_sets_has(sets->threads, sets->n_threads, utid) ||
            flame_sets_has(sets->processes, sets->n_processes, upid))
            sets->tracks[i] = 1;
    }
}

void flame_sets_dispose(struct flame_filter_sets *sets)
{
    mem_free(sets->threads);
    mem_free(sets->processes);
    mem_free(sets->tracks);
}

/* ---- the profile ---- */

struct flame_profile *flame_profile_new(void)
{
    struct flame_profile *profile = mem_zero(1, sizeof *profile);
    vec_push(&profile->stacks, (struct flame_stack){FLAME_NONE, FLAME_NONE, {0, 0}});
    return profile;
}

void flame_profile_free(struct flame_profile *profile)
{
    if (!profile) return;
    arena_free(&profile->arena);
    vec_free(&profile->frames);
    vec_free(&profile->stacks);
    map_free(&profile->by_child);
    strmap_free(&profile->by_name);
    mem_free(profile);
}

uint32_t flame_profile_frame(struct flame_profile *profile, struct str name, struct str mapping)
{
    struct buffer key = BUFFER_INIT;
    buffer_append_str(&key, name);
    buffer_append_byte(&key, '\0');
    buffer_append_str(&key, mapping);
    bool added;
    uint32_t frame = (uint32_t)*strmap_put_if_absent(&profile->by_name, buffer_str(&key),
                                                     profile->frames.count, &added);
    buffer_free(&key);
    if (added) {
        struct flame_frame fresh = {.name = arena_copy_str(&profile->arena, name)};
        if (mapping.n) fresh.mapping = arena_copy_str(&profile->arena, mapping);
        vec_push(&profile->frames, fresh);
    }
    return frame;
}

uint32_t flame_profile_child(struct flame_profile *profile, uint32_t parent, uint32_t frame)
{
    bool added;
    uint32_t stack = (uint32_t)*map_put_if_absent(
        &profile->by_child, (uint64_t)parent << 32 | frame, profile->stacks.count, &added);
    if (added) vec_push(&profile->stacks, (struct flame_stack){parent, frame, {0, 0}});
    return stack;
}

bool flame_profile_add(struct flame_profile *profile, const struct tables *tables,
                       const struct flame_scope *scope, const struct flame_metric *metric,
                       unsigned side, struct cancel *cancel, struct status *st)
{
    struct flame_input in = {.profile = profile,
                             .tables = tables,
                             .scope = scope,
                             .metric = metric,
                             .side = side,
                             .cancel = cancel};
    bool done = false;
    table_read_begin(&tables->slice.table);
    flame_sets_init(&in.sets, tables, scope);
    switch (metric->source) {
    case FLAME_SAMPLES:
    case FLAME_COUNTER:
    case FLAME_EVENTS: done = flame_add_samples(&in); break;
    case FLAME_ALLOCATIONS: done = flame_add_allocations(&in); break;
    case FLAME_HEAP_GRAPH: done = flame_add_objects(&in); break;
    case FLAME_AGGREGATE: done = flame_add_aggregate(&in); break;
    case FLAME_SLICES: done = flame_add_slices(&in); break;
    }
    flame_sets_dispose(&in.sets);
    table_read_end(&tables->slice.table);
    return done || status_fail(st, STATUS_INTERRUPTED, STATUS_NO_OFFSET, "interrupted");
}
