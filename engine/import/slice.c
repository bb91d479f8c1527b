#include "engine/import/slice.h"

#include <assert.h>

#include "engine/base/checked.h"
#include "engine/import/slice_parts.h"
#include "engine/import/stats.h"

#define MAX_DEPTH   512
#define NO_ARGS     UINT32_MAX
#define DUR_OPEN    INT64_C(-1)
#define NOT_INSTANT INT64_C(-1)

/* A slice that is on the stack of its track.  Complete slices stay until time has
 * passed their end; `dur` is DUR_OPEN while the end is not known. */
struct entry {
    int64_t ts, dur;
    uint32_t slice;
    string_id category, name;
    uint32_t args; /* in `pending`, or NO_ARGS */
};

struct stack {
    struct entry *entries;
    uint32_t count, capacity;
    /* Of an unnestable lane, over all its slices. */
    uint32_t unnestable_begins;
    int64_t unnestable_last_ts;
};

struct slice_tracker {
    struct import *import;
    VEC(struct stack) stacks; /* by track row */
    /* Args of slices that are on a stack: committed once, when they leave it. */
    VEC(struct arg_list) pending;
    VEC(uint32_t) free_pending;
    string_id begin_count_key, last_begin_key;
    struct pending_counters *counters;
    struct open_states *states;
};

struct slice_tracker *slice_tracker_new(struct import *import)
{
    struct slice_tracker *t = mem_zero(1, sizeof *t);
    t->import = import;
    t->begin_count_key = strpool_intern_text(import->strings, "legacy_unnestable_begin_count");
    t->last_begin_key = strpool_intern_text(import->strings, "legacy_unnestable_last_begin_ts");
    t->counters = pending_counters_new(import);
    t->states = open_states_new(import);
    return t;
}

void slice_tracker_free(struct slice_tracker *t)
{
    if (!t) return;
    for (size_t i = 0; i < t->stacks.count; i++)
        mem_free(t->stacks.items[i].entries);
    for (size_t i = 0; i < t->pending.count; i++)
        vec_free(&t->pending.items[i]);
    vec_free(&t->stacks);
    vec_free(&t->pending);
    vec_free(&t->free_pending);
    pending_counters_free(t->counters);
    open_states_free(t->states);
    mem_free(t);
}

struct pending_counters *slice_tracker_counters(struct slice_tracker *t)
{
    return t->counters;
}

struct open_states *slice_tracker_states(struct slice_tracker *t)
{
    return t->states;
}

static struct stack *stack_of(struct slice_tracker *t, uint32_t track)
{
    assert(track != NULL_UINT32);
    if (track < t->stacks.count) return &t->stacks.items[track];
    vec_reserve(&t->stacks, (size_t)track + 1);
    memset(t->stacks.items + t->stacks.count, 0,
           ((size_t)track + 1 - t->stacks.count) * sizeof *t->stacks.items);
    t->stacks.count = (size_t)track + 1;
    return &t->stacks.items[track];
}

/* Takes over the list's args, giving it the memory of an old one. */
static uint32_t keep_args(struct slice_tracker *t, struct arg_list *args)
{
    if (!args || args->count == 0) return NO_ARGS;
    uint32_t at;
    if (t->free_pending.count) {
        at = vec_pop(&t->free_pending);
    } else {
        at = (uint32_t)t->pending.count;
        vec_push(&t->pending, (struct arg_list){NULL, 0, 0});
    }
    struct arg_list old = t->pending.items[at];
    t->pending.items[at] = *args;
    *args = old;
    vec_clear(args);
    return at;
}

static void merge_args(struct slice_tracker *t, struct entry *entry, struct arg_list *args)
{
    if (!args || args->count == 0) return;
    if (entry->args == NO_ARGS) {
        entry->args = keep_args(t, args);
        return;
    }
    for (size_t i = 0; i < args->count; i++)
        arg_list_put(&t->pending.items[entry->args], args->items[i]);
    vec_clear(args);
}

static void commit_args(struct slice_tracker *t, struct entry *entry)
{
    if (entry->args == NO_ARGS) return;
    uint32_t set = args_commit(t->import->args, &t->pending.items[entry->args]);
    if (set != NULL_UINT32)
        table_set_int64(&t->import->tables->slice.table, slice_COLUMN_arg_set_id, entry->slice,
                        set);
    vec_push(&t->free_pending, entry->args);
    entry->args = NO_ARGS;
}

static void set_dur(struct slice_tracker *t, struct entry *entry, int64_t dur)
{
    entry->dur = dur;
    table_set_int64(&t->import->tables->slice.table, slice_COLUMN_dur, entry->slice, dur);
}

static void pop(struct slice_tracker *t, struct stack *stack)
{
    commit_args(t, &stack->entries[--stack->count]);
}

/* Pops what has ended when an event of duration `dur` comes at `ts` (NOT_INSTANT
 * for one that is no instant).  An open slice inside a complete one whose end has
 * passed is cut there. */
static void close_finished(struct slice_tracker *t, const struct import_file *file,
                           struct stack *stack, int64_t ts, int64_t dur)
{
    uint32_t open_above = 0;
    for (uint32_t i = stack->count; i-- > 0;) {
        struct entry *entry = &stack->entries[i];
        if (entry->dur == DUR_OPEN) {
            open_above++;
            continue;
        }
        int64_t end = saturating_add_int64(entry->ts, entry->dur);
        if (open_above) {
            if (ts <= end) continue;
            stats_add(file, STAT_misplaced_end_event, 1);
            while (stack->count > i + 1) {
                struct entry *child = &stack->entries[stack->count - 1];
                if (child->dur == DUR_OPEN) set_dur(t, child, end - child->ts);
                pop(t, stack);
            }
            pop(t, stack);
            open_above = 0;
        } else if (end < ts || (end == ts && !(entry->dur == 0 && dur == 0))) {
            pop(t, stack);
        }
    }
}

static bool overlaps(const struct stack *stack, int64_t ts, int64_t dur)
{
    int64_t new_end = saturating_add_int64(ts, dur);
    for (uint32_t i = stack->count; i-- > 0;) {
        const struct entry *entry = &stack->entries[i];
        if (entry->dur == DUR_OPEN) continue;
        int64_t end = saturating_add_int64(entry->ts, entry->dur);
        if (ts < end && new_end > end) return true;
    }
    return false;
}

static uint32_t push(const struct import_file *file, struct stack *stack, uint32_t track,
                     const struct entry *new_entry, struct arg_list *args)
{
    struct slice_tracker *t = file->import->slices;
    if (stack->count >= MAX_DEPTH) {
        stats_add(file, STAT_slice_max_depth_exceeded, 1);
        if (args) vec_clear(args);
        return NO_SLICE;
    }
    struct slice_row row = {
        .ts = new_entry->ts,
        .dur = new_entry->dur,
        .track_id = track,
        .category = new_entry->category,
        .name = new_entry->name,
        .depth = stack->count,
    };
    if (stack->count) row.parent_id = some_uint32(stack->entries[stack->count - 1].slice);
    uint32_t slice = slice_append(&t->import->tables->slice, &row);

    if (stack->count == stack->capacity) {
        stack->capacity = stack->capacity ? stack->capacity * 2 : 4;
        stack->entries = mem_resize(stack->entries, stack->capacity * sizeof *stack->entries);
    }
    struct entry *entry = &stack->entries[stack->count++];
    *entry = *new_entry;
    entry->slice = slice;
    entry->args = keep_args(t, args);
    flow_slice_began(file, track, slice);
    return slice;
}

uint32_t slice_begin(const struct import_file *file, int64_t ts, uint32_t track, string_id category,
                     string_id name, struct arg_list *args)
{
    struct slice_tracker *t = file->import->slices;
    struct stack *stack = stack_of(t, track);
    if (stack->count) close_finished(t, file, stack, ts, NOT_INSTANT);
    struct entry entry = {.ts = ts, .dur = DUR_OPEN, .category = category, .name = name};
    return push(file, stack, track, &entry, args);
}

static struct entry *find_open(struct stack *stack, string_id category, string_id name)
{
    for (uint32_t i = stack->count; i-- > 0;) {
        struct entry *entry = &stack->entries[i];
        if (entry->dur != DUR_OPEN) continue;
        if (category != STRING_NULL && entry->category != category) continue;
        if (name != STRING_NULL && entry->name != STRING_NULL && entry->name != name) continue;
        return entry;
    }
    return NULL;
}

/* The args that tell how often an unnestable slice was begun. */
static void add_unnestable_args(struct slice_tracker *t, struct stack *stack, struct entry *entry)
{
    struct arg_list args = {NULL, 0, 0};
    arg_list_put_int(&args, t->begin_count_key, stack->unnestable_begins);
    arg_list_put_int(&args, t->last_begin_key, stack->unnestable_last_ts);
    merge_args(t, entry, &args);
    vec_free(&args);
}

uint32_t slice_end(const struct import_file *file, int64_t ts, uint32_t track, string_id category,
                   string_id name, struct arg_list *args)
{
    struct slice_tracker *t = file->import->slices;
    struct stack *stack = stack_of(t, track);
    if (stack->count) close_finished(t, file, stack, ts, NOT_INSTANT);
    struct entry *entry = find_open(stack, category, name);
    if (!entry) {
        if (args) vec_clear(args);
        return NO_SLICE;
    }
    uint32_t slice = entry->slice;
    set_dur(t, entry, wrapping_sub_int64(ts, entry->ts));
    merge_args(t, entry, args);
    if (stack->unnestable_begins) add_unnestable_args(t, stack, entry);
    if (entry == &stack->entries[stack->count - 1]) pop(t, stack);
    return slice;
}

uint32_t slice_scoped(const struct import_file *file, int64_t ts, int64_t dur, uint32_t track,
                      string_id category, string_id name, struct arg_list *args)
{
    struct slice_tracker *t = file->import->slices;
    struct stack *stack = stack_of(t, track);
    if (dur < 0) {
        stats_add(file, STAT_slice_negative_duration, 1);
        if (args) vec_clear(args);
        return NO_SLICE;
    }
    if (stack->count) {
        close_finished(t, file, stack, ts, dur);
        if (dur > 0 && overlaps(stack, ts, dur)) {
            stats_add(file, STAT_slice_drop_overlapping_complete_event, 1);
            if (args) vec_clear(args);
            return NO_SLICE;
        }
    }
    struct entry entry = {.ts = ts, .dur = dur, .category = category, .name = name};
    return push(file, stack, track, &entry, args);
}

bool slice_would_overlap(const struct import_file *file, int64_t ts, int64_t dur, uint32_t track)
{
    struct slice_tracker *t = file->import->slices;
    struct stack *stack = stack_of(t, track);
    if (stack->count == 0 || dur <= 0) return false;
    close_finished(t, file, stack, ts, dur);
    return overlaps(stack, ts, dur);
}

uint32_t slice_top(const struct import_file *file, int64_t ts, uint32_t track)
{
    struct slice_tracker *t = file->import->slices;
    struct stack *stack = stack_of(t, track);
    for (uint32_t i = stack->count; i-- > 0;) {
        const struct entry *entry = &stack->entries[i];
        if (entry->dur == DUR_OPEN || saturating_add_int64(entry->ts, entry->dur) >= ts)
            return entry->slice;
    }
    return NO_SLICE;
}

uint32_t slice_last(const struct import_file *file, uint32_t track)
{
    const struct stack *stack = stack_of(file->import->slices, track);
    return stack->count ? stack->entries[stack->count - 1].slice : NO_SLICE;
}

void slice_add_args(const struct import_file *file, uint32_t slice, struct arg_list *args)
{
    struct slice_tracker *t = file->import->slices;
    struct tables *tables = t->import->tables;
    if (slice == NO_SLICE || !args || args->count == 0) {
        if (args) vec_clear(args);
        return;
    }
    struct stack *stack = stack_of(t, column_get_row(&tables->slice.track_id, slice));
    for (uint32_t i = stack->count; i-- > 0;) {
        if (stack->entries[i].slice != slice) continue;
        merge_args(t, &stack->entries[i], args);
        return;
    }
    struct arg_list merged = {NULL, 0, 0};
    uint32_t before = column_get_row(&tables->slice.arg_set_id, slice);
    if (before != NULL_UINT32) args_read(tables, before, &merged);
    for (size_t i = 0; i < args->count; i++)
        arg_list_put(&merged, args->items[i]);
    vec_clear(args);
    uint32_t set = args_commit(t->import->args, &merged);
    table_set_int64(&tables->slice.table, slice_COLUMN_arg_set_id, slice, set);
    vec_free(&merged);
}

uint32_t slice_begin_unnestable(const struct import_file *file, int64_t ts, uint32_t track,
                                string_id category, string_id name, struct arg_list *args)
{
    struct slice_tracker *t = file->import->slices;
    struct stack *stack = stack_of(t, track);
    if (stack->count) close_finished(t, file, stack, ts, NOT_INSTANT);
    uint32_t slice = NO_SLICE;
    if (stack->count) {
        slice = stack->entries[0].slice;
        if (args) vec_clear(args);
    } else {
        struct entry entry = {.ts = ts, .dur = DUR_OPEN, .category = category, .name = name};
        slice = push(file, stack, track, &entry, args);
    }
    stack->unnestable_begins++;
    stack->unnestable_last_ts = ts;
    return slice;
}

void slice_tracker_finish(struct slice_tracker *t)
{
    for (size_t i = 0; i < t->stacks.count; i++) {
        struct stack *stack = &t->stacks.items[i];
        while (stack->count)
            pop(t, stack);
        mem_free(stack->entries);
        stack->entries = NULL;
        stack->capacity = 0;
    }
    pending_counters_flush(t->counters);
    open_states_finish(t->states);
}
