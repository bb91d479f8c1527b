/* Firefox profiles: what the Gecko profiler writes (raw: tables with a schema), and
 * what profiler.firefox.com saves (processed: tables by column), as described in
 * https://github.com/firefox-devtools/profiler/blob/main/docs-developer/gecko-profile-format.md
 * and .../docs-developer/processed-profile-format.md; also simpleperf's
 * gecko_profile_generator.py (spec engine_2c §2).
 *
 * No version is asked for: each table's shape decides.  The places of the parts are
 * found by their brackets first, since strings come after the tables that need them;
 * then each thread is read by itself, so that a file that ends early gives what
 * stands before. */
#include "engine/import/gecko.h"

#include "engine/import/sorter.h"

#define HEAD_BYTES 128

struct places {
    gecko_place meta, shared, threads;
};

static void free_state(struct import_file *file)
{
    struct gecko_state *state = file->state;
    if (!state) return;
    gecko_stacks_free(&state->shared);
    gecko_stacks_free(&state->own);
    vec_free(&state->categories);
    map_free(&state->frame_of_string);
    map_free(&state->name_of_string);
    buffer_free(&state->text);
    arg_writer_dispose(&state->args);
    vec_free(&state->arg_list);
    mem_free(state);
    file->state = NULL;
}

static void read_categories(struct gecko_state *state, gecko_place meta)
{
    struct json_walk walk, category;
    struct json_item item, member;
    gecko_place list = 0;
    if (!meta || !json_walk_begin(&walk, state->bytes, meta)) return;
    while (json_walk_next(&walk, &item))
        if (item.type == JSON_ARRAY && str_is(item.key, "categories")) list = item.from;
    gecko_note_end(state, &walk);
    if (!list || !json_walk_begin(&walk, state->bytes, list)) return;
    while (json_walk_next(&walk, &item)) {
        string_id name = STRING_NULL;
        if (item.type == JSON_OBJECT && json_walk_begin(&category, state->bytes, item.from))
            while (json_walk_next(&category, &member))
                if (member.type == JSON_STRING && str_is(member.key, "name"))
                    name =
                        strpool_intern(state->import->strings,
                                       json_decode(member.text, member.has_escapes, &state->text));
        vec_push(&state->categories, name);
    }
    gecko_note_end(state, &walk);
}

/* A number, or text that is one; what else writers put there stands for 0. */
static int64_t read_id(const struct json_item *item)
{
    int64_t id = 0;
    bool good =
        item->type == JSON_STRING ? str_to_int64(item->text, &id) : json_item_int64(item, &id);
    return good && id >= 0 && id <= (int64_t)UINT32_MAX ? id : 0;
}

static void find_tables(struct gecko_state *state, gecko_place place, struct gecko_thread *thread)
{
    struct json_walk walk;
    struct json_item item;
    *thread = (struct gecko_thread){.utid = NULL_UINT32};
    if (!json_walk_begin(&walk, state->bytes, place)) return;
    while (json_walk_next(&walk, &item)) {
        bool is_array = item.type == JSON_ARRAY, is_object = item.type == JSON_OBJECT;
        if (str_is(item.key, "tid")) thread->tid = read_id(&item);
        if (str_is(item.key, "pid")) thread->pid = read_id(&item);
        if (str_is(item.key, "name") && item.type == JSON_STRING)
            thread->name = strpool_intern(state->import->strings,
                                          json_decode(item.text, item.has_escapes, &state->text));
        if (is_array && (str_is(item.key, "stringTable") || str_is(item.key, "stringArray")))
            thread->strings = item.from;
        if (!is_object) continue;
        if (str_is(item.key, "frameTable")) thread->frame_table = item.from;
        if (str_is(item.key, "funcTable")) thread->function_table = item.from;
        if (str_is(item.key, "stackTable")) thread->stack_table = item.from;
        if (str_is(item.key, "samples")) thread->samples = item.from;
        if (str_is(item.key, "markers")) thread->markers = item.from;
    }
    gecko_note_end(state, &walk);
}

static void read_threads(struct gecko_state *state, gecko_place threads)
{
    struct json_walk walk;
    struct json_item item;
    struct gecko_thread thread;
    size_t reported = 0;
    if (!threads || !json_walk_begin(&walk, state->bytes, threads)) return;
    while (json_walk_next(&walk, &item)) {
        if (item.type != JSON_OBJECT) continue;
        find_tables(state, item.from, &thread);
        gecko_stacks_clear(&state->own);
        gecko_stacks_read(state, &state->own, &thread);
        gecko_samples_read(state, &thread);
        gecko_markers_read(state, &thread);
        import_progress(state->import, json_pull_offset(&walk.pull) - reported);
        reported = json_pull_offset(&walk.pull);
        if (cancel_is_requested(state->import->cancel)) return;
    }
    gecko_note_end(state, &walk);
}

static bool find_parts(struct gecko_state *state, struct places *places, struct status *st)
{
    static const char TEXT[] =
        "Syntactic error while parsing Gecko trace: %s; please use an external JSON tool (e.g. jq) "
        "to understand the source of the error.";
    struct json_walk walk;
    struct json_item item;
    size_t from = str_starts(state->bytes, STR("\xEF\xBB\xBF")) ? 3 : 0;
    if (!json_walk_begin(&walk, state->bytes, from) || !walk.is_object)
        return status_fail(st, STATUS_CORRUPT, (int64_t)from, TEXT, "it begins with no object");
    while (json_walk_next(&walk, &item)) {
        if (str_is(item.key, "meta") && item.type == JSON_OBJECT) places->meta = item.from;
        if (str_is(item.key, "shared") && item.type == JSON_OBJECT) places->shared = item.from;
        if (str_is(item.key, "threads") && item.type == JSON_ARRAY) places->threads = item.from;
    }
    if (walk.result == JSON_DONE || places->threads) {
        gecko_note_end(state, &walk);
        return true;
    }
    return status_fail(st, STATUS_CORRUPT, (int64_t)walk.bad_at, TEXT,
                       walk.result == JSON_CUT ? "it ends before its threads"
                                               : "what stands here is no JSON");
}

static bool tokenize(struct import_file *file, struct str bytes, struct status *st)
{
    struct import *import = file->import;
    struct gecko_state *state = mem_zero(1, sizeof *state);
    struct places places = {0};
    file->state = state;
    state->file = file;
    state->import = import;
    state->bytes = bytes;
    state->damage.file = file;
    state->queue = sorter_add_queue(import->sorter);
    state->sample_sink = sorter_add_sink(import->sorter, gecko_parse_sample, state);
    state->marker_sink = sorter_add_sink(import->sorter, gecko_parse_marker, state);
    state->empty = strpool_intern(import->strings, STR(""));
    state->gecko = strpool_intern(import->strings, STR("gecko"));
    arg_writer_init(&state->args, import);
    state->args.list = &state->arg_list;
    if (!find_parts(state, &places, st)) {
        free_state(file);
        return false;
    }
    read_categories(state, places.meta);
    if (places.shared) {
        struct gecko_thread shared;
        find_tables(state, places.shared, &shared);
        gecko_stacks_read(state, &state->shared, &shared);
    }
    read_threads(state, places.threads);
    gecko_stacks_free(&state->shared);
    gecko_stacks_free(&state->own);
    return true;
}

static bool sniff(struct str bytes)
{
    char text[HEAD_BYTES];
    struct str head = {text, 0};
    size_t from = str_starts(bytes, STR("\xEF\xBB\xBF")) ? 3 : 0;
    for (size_t i = from; i < bytes.n && i < HEAD_BYTES; i++)
        if (!json_is_space(bytes.p[i]) && bytes.p[i] != '\f' && bytes.p[i] != '\v')
            text[head.n++] = bytes.p[i];
    return str_starts(head, STR("{\"meta\"")) || str_starts(head, STR("{\"libs\""));
}

const struct importer importer_gecko = {
    .name = "gecko",
    .detection_priority = 100,
    .archive_priority = 2,
    .clock = IMPORT_CLOCK_TRACE_FILE,
    .sniff = sniff,
    .tokenize = tokenize,
    .finish = free_state,
};
