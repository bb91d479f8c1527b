#include "engine/import/gecko.h"

#include "engine/import/stack.h"

void gecko_stacks_clear(struct gecko_stacks *stacks)
{
    vec_clear(&stacks->strings);
    vec_clear(&stacks->functions);
    vec_clear(&stacks->frames);
    vec_clear(&stacks->callsites);
    stacks->has_strings = stacks->has_stacks = false;
}

void gecko_stacks_free(struct gecko_stacks *stacks)
{
    vec_free(&stacks->strings);
    vec_free(&stacks->functions);
    vec_free(&stacks->frames);
    vec_free(&stacks->callsites);
}

/* ---- strings ---- */

static void read_strings(struct gecko_state *state, struct gecko_stacks *stacks, gecko_place place)
{
    struct json_walk walk;
    struct json_item item;
    if (!place || !json_walk_begin(&walk, state->bytes, place)) return;
    stacks->has_strings = true;
    while (json_walk_next(&walk, &item))
        vec_push(&stacks->strings, item.type == JSON_STRING ? item.from : 0);
    gecko_note_end(state, &walk);
}

/* Where the string stands; 0 when there is none. */
static gecko_place place_of_string(const struct gecko_state *state,
                                   const struct gecko_stacks *stacks, uint32_t index)
{
    const struct gecko_stacks *from = stacks->has_strings ? stacks : &state->shared;
    return index < from->strings.count ? from->strings.items[index] : 0;
}

/* Good until the next call. */
static struct str text_at(struct gecko_state *state, gecko_place place)
{
    struct json_pull pull;
    json_pull_init(&pull, state->bytes, place);
    return json_pull_next(&pull) == JSON_STRING
               ? json_decode(pull.text, pull.has_escapes, &state->text)
               : STR("");
}

/* However often a long string is named, it is read once. */
string_id gecko_string(struct gecko_state *state, const struct gecko_stacks *stacks, uint32_t index)
{
    gecko_place place = place_of_string(state, stacks, index);
    bool added;
    if (!place) return STRING_NULL;
    uint64_t *id = map_put_if_absent(&state->name_of_string, place, STRING_NULL, &added);
    if (added) *id = strpool_intern(state->import->strings, text_at(state, place));
    return (string_id)*id;
}

/* ---- frames ---- */

static void read_functions(struct gecko_state *state, struct gecko_stacks *stacks,
                           gecko_place place)
{
    static const char *const NAMES[] = {"name"};
    struct gecko_table table;
    struct json_item name;
    if (!gecko_table_open(&table, state, place, NAMES, 1)) return;
    while (gecko_table_next(&table, &name)) {
        uint32_t index = NULL_UINT32;
        json_item_index(&name, &index);
        vec_push(&stacks->functions, index);
    }
}

/* `symbol (in library)`, as native frames are written before symbolisation. */
static bool split_library(struct str *name, struct str *library)
{
    static const char IN[] = " (in ";
    const size_t n = sizeof IN - 1;
    if (!str_ends(*name, STR(")"))) return false;
    for (size_t at = name->n - 1; at >= n; at--)
        if (memcmp(name->p + at - n, IN, n) == 0) {
            *library = str_slice(*name, at, name->n - 1);
            *name = str_slice(*name, 0, at - n);
            return true;
        }
    return false;
}

static uint32_t frame_of(struct gecko_state *state, gecko_place place)
{
    struct import *import = state->import;
    bool added;
    uint64_t *cached = map_put_if_absent(&state->frame_of_string, place, 0, &added);
    if (!added) return (uint32_t)*cached;
    struct str name = text_at(state, place);
    const struct table *frames = &import->tables->stack_profile_frame.table;
    struct stack_mapping mapping = {.build_id = state->empty, .name = state->gecko, .end = -1};
    struct str library;
    if (split_library(&name, &library)) mapping.name = strpool_intern(import->strings, library);
    struct stack_symbol symbol = {.name = strpool_intern(import->strings, name)};
    uint32_t known = table_rows(frames);
    uint32_t frame = stack_frame_intern(import->stacks, symbol.name,
                                        stack_mapping_intern(import->stacks, &mapping), 0);
    if (frame >= known) stack_frame_set_symbols(import->stacks, frame, &symbol, 1);
    *cached = frame;
    return frame;
}

/* As in the reference, a frame or stack that leads nowhere has no place in its
 * table: those behind it move up. */
static void read_frames(struct gecko_state *state, struct gecko_stacks *stacks, gecko_place place)
{
    static const char *const NAMES[] = {"location", "func"};
    struct gecko_table table;
    struct json_item cells[2];
    if (!gecko_table_open(&table, state, place, NAMES, 2)) return;
    bool by_function = !table.by_row && table.has_column[1];
    while (gecko_table_next(&table, cells)) {
        uint32_t index;
        if (!json_item_index(&cells[by_function], &index)) continue;
        if (by_function) {
            if (index >= stacks->functions.count) continue;
            index = stacks->functions.items[index];
        }
        gecko_place string = place_of_string(state, stacks, index);
        if (string) vec_push(&stacks->frames, frame_of(state, string));
    }
}

static void read_callsites(struct gecko_state *state, struct gecko_stacks *stacks,
                           gecko_place place)
{
    static const char *const NAMES[] = {"prefix", "frame"};
    struct gecko_table table;
    struct json_item cells[2];
    if (!gecko_table_open(&table, state, place, NAMES, 2)) return;
    stacks->has_stacks = true;
    while (gecko_table_next(&table, cells)) {
        uint32_t frame, prefix, parent = NULL_UINT32;
        if (!json_item_index(&cells[1], &frame) || frame >= stacks->frames.count) continue;
        if (json_item_index(&cells[0], &prefix) && prefix < stacks->callsites.count)
            parent = stacks->callsites.items[prefix];
        vec_push(&stacks->callsites, stack_callsite_intern(state->import->stacks, parent,
                                                           stacks->frames.items[frame], 0));
    }
}

void gecko_stacks_read(struct gecko_state *state, struct gecko_stacks *stacks,
                       const struct gecko_thread *thread)
{
    read_strings(state, stacks, thread->strings);
    read_functions(state, stacks, thread->function_table);
    read_frames(state, stacks, thread->frame_table);
    read_callsites(state, stacks, thread->stack_table);
}
