/* V8's CPU profiles (.cpuprofile of Node and of Chrome's developer tools): the type
 * Profile of https://chromedevtools.github.io/devtools-protocol/tot/Profiler/, and
 * the older tree of objects below `head`.  The reference takes such a file for an
 * empty Chrome trace (spec engine_2c §3); inside a Chrome trace see json_v8.
 *
 * Nodes are read into one list, each with its parent's number there; samples and
 * their times are walked side by side.  The file names neither process nor thread:
 * everything runs on one thread of tid 0.  Times: microseconds; in the older kind
 * startTime and endTime are seconds, and the samples lie evenly between unless it
 * has timestamps. */
#include "engine/base/hash.h"
#include "engine/base/vec.h"
#include "engine/import/clock.h"
#include "engine/import/damage.h"
#include "engine/import/id_table.h"
#include "engine/import/import.h"
#include "engine/import/json_event.h"
#include "engine/import/json_walk.h"
#include "engine/import/process.h"
#include "engine/import/sorter.h"
#include "engine/import/stack.h"

#define POLL_EVERY   4096
#define US_TO_NS     3 /* power of ten */
#define SECOND_TO_NS 9
#define SNIFF_BYTES  ((size_t)4096)

#define CALLSITE_UNKNOWN UINT32_MAX
#define CALLSITE_ON_WAY  (UINT32_MAX - 1) /* asked for: met again, it is a cycle */

struct node {
    uint32_t parent; /* number in nodes; NULL_UINT32: see parent_of_id, or a root */
    uint32_t frame;
    uint32_t callsite;
    int64_t id; /* negative when it has none */
};

struct state {
    struct import_file *file;
    struct import *import;
    struct str bytes;
    struct damage damage;
    uint32_t queue, sink, utid;
    VEC(struct node) nodes;
    struct id_table index_of_id;  /* node */
    struct id_table parent_of_id; /* node, as its `children` say */
    struct map frame_of_function;
    struct buffer text;
};

/* Values of the document: places of arrays and objects (0: absent), numbers. */
struct profile {
    size_t nodes, head, samples, deltas, timestamps;
    struct str start, end;
};

/* ---- nodes ---- */

struct function {
    struct json_scalar name, url;
    int64_t line, column; /* as written; lines of `callFrame` count from 0 */
    bool has_line, is_call_frame;
};

static string_id intern(struct state *state, const struct json_scalar *value, const char *otherwise)
{
    struct str text =
        json_is_text(value) ? json_decode(value->text, value->has_escapes, &state->text) : STR_NONE;
    return strpool_intern(state->import->strings, text.n > 0 ? text : str_of(otherwise));
}

static uint32_t frame_of(struct state *state, const struct function *function)
{
    struct import *import = state->import;
    string_id empty = strpool_intern(import->strings, STR(""));
    string_id name = intern(state, &function->name, "(anonymous)");
    string_id url = intern(state, &function->url, "");
    uint64_t hash = hash_mix(hash_mix(0, (uint64_t)name << 32 | url), (uint64_t)function->line);
    bool added;
    uint64_t *frame = map_put_if_absent(&state->frame_of_function,
                                        hash_mix(hash, (uint64_t)function->column), 0, &added);
    if (!added) return (uint32_t)*frame;
    struct stack_mapping mapping = {.build_id = empty, .name = url, .end = -1};
    *frame =
        stack_frame_add(import->stacks, name, stack_mapping_intern(import->stacks, &mapping), 0);
    int64_t line = function->line + function->is_call_frame;
    struct stack_symbol symbol = {
        .name = name,
        .source_file = url == empty ? STRING_NULL : url,
        .line = {function->has_line && line > 0 && line < UINT32_MAX, (uint32_t)line}};
    stack_frame_set_symbols(import->stacks, (uint32_t)*frame, &symbol, 1);
    return (uint32_t)*frame;
}

static bool skip_value(struct json_pull *pull, enum json_token token)
{
    if (token == JSON_OBJECT || token == JSON_ARRAY) token = json_pull_skip(pull, token);
    return token > JSON_ERROR;
}

static void note_function(struct function *function, struct str key,
                          const struct json_scalar *value)
{
    int64_t number;
    if (str_is(key, "functionName")) function->name = *value;
    if (str_is(key, "url")) function->url = *value;
    if (value->type != JSON_NUMBER || !json_to_int64(value->text, &number)) return;
    if (number < -1 || number > (int64_t)INT32_MAX) return;
    if (str_is(key, "lineNumber")) {
        function->line = number;
        function->has_line = true;
    }
    if (str_is(key, "columnNumber")) function->column = number;
}

static bool read_call_frame(struct json_pull *pull, struct function *function)
{
    function->is_call_frame = true;
    for (;;) {
        enum json_token token = json_pull_next(pull);
        if (token != JSON_KEY) return token == JSON_OBJECT_END;
        struct str key = pull->text;
        token = json_pull_next(pull);
        struct json_scalar value = {token, pull->has_escapes, pull->text};
        if (!skip_value(pull, token)) return false;
        note_function(function, key, &value);
    }
}

static bool read_node(struct state *state, struct json_pull *pull, uint32_t parent);

/* Nodes, or ids of nodes; the array has just begun. */
static bool read_children(struct state *state, struct json_pull *pull, uint32_t self)
{
    for (;;) {
        enum json_token token = json_pull_next(pull);
        int64_t id;
        if (token == JSON_ARRAY_END) return true;
        if (token == JSON_OBJECT) {
            if (!read_node(state, pull, self)) return false;
            continue;
        }
        if (token == JSON_NUMBER && self != NULL_UINT32 && json_to_int64(pull->text, &id) &&
            id >= 0)
            id_table_put(&state->parent_of_id, (uint64_t)id, self);
        if (!skip_value(pull, token)) return false;
    }
}

static bool read_members(struct state *state, struct json_pull *pull, uint32_t self,
                         struct function *function)
{
    for (;;) {
        enum json_token token = json_pull_next(pull);
        if (token != JSON_KEY) return token == JSON_OBJECT_END;
        struct str key = pull->text;
        token = json_pull_next(pull);
        if (token == JSON_OBJECT && str_is(key, "callFrame")) {
            if (!read_call_frame(pull, function)) return false;
            continue;
        }
        if (token == JSON_ARRAY && str_is(key, "children")) {
            if (!read_children(state, pull, self)) return false;
            continue;
        }
        struct json_scalar value = {token, pull->has_escapes, pull->text};
        if (!skip_value(pull, token)) return false;
        note_function(function, key, &value);
        int64_t id;
        if (token != JSON_NUMBER || !json_to_int64(value.text, &id) || id < 0) continue;
        if (str_is(key, "id")) {
            state->nodes.items[self].id = id;
            id_table_put(&state->index_of_id, (uint64_t)id, self);
        }
        uint64_t parent;
        if (str_is(key, "parent") && id_table_get(&state->index_of_id, (uint64_t)id, &parent))
            state->nodes.items[self].parent = (uint32_t)parent;
    }
}

/* The object has just begun.  Recursion is as deep as the pull parser allows; a
 * node that the file ends in is a node too. */
static bool read_node(struct state *state, struct json_pull *pull, uint32_t parent)
{
    struct function function = {0};
    uint32_t self = (uint32_t)state->nodes.count;
    vec_push(&state->nodes,
             (struct node){.parent = parent, .callsite = CALLSITE_UNKNOWN, .id = -1});
    bool whole = read_members(state, pull, self, &function);
    state->nodes.items[self].frame = frame_of(state, &function);
    return whole;
}

static void note_pull_end(struct state *state, const struct json_pull *pull)
{
    bool cut = pull->at >= pull->end;
    damage_log(&state->damage, cut ? STAT_perfetty_input_truncated : STAT_perfetty_input_corrupt,
               json_pull_offset(pull),
               cut ? "the file ends inside a value" : "what stands here is no JSON, or too deep");
}

static void read_nodes(struct state *state, const struct profile *profile)
{
    struct json_pull pull;
    bool whole;
    json_pull_init(&pull, state->bytes, profile->nodes ? profile->nodes : profile->head);
    json_pull_next(&pull);
    whole = profile->nodes ? read_children(state, &pull, NULL_UINT32)
                           : read_node(state, &pull, NULL_UINT32);
    if (!whole) note_pull_end(state, &pull);
}

static uint32_t parent_of(const struct state *state, const struct node *node)
{
    uint64_t parent;
    if (node->parent != NULL_UINT32) return node->parent;
    if (node->id >= 0 && id_table_get(&state->parent_of_id, (uint64_t)node->id, &parent))
        return (uint32_t)parent;
    return NULL_UINT32;
}

/* Call sites of all nodes, each after its parent's. */
static void enter_nodes(struct state *state)
{
    VEC(uint32_t) way = {0};
    for (uint32_t i = 0; i < state->nodes.count; i++) {
        uint32_t callsite = NULL_UINT32;
        for (uint32_t at = i; at != NULL_UINT32; at = parent_of(state, &state->nodes.items[at])) {
            struct node *node = &state->nodes.items[at];
            if (node->callsite == CALLSITE_ON_WAY) {
                stats_add(state->file, STAT_legacy_v8_cpu_profile_invalid_callsite, 1);
                break;
            }
            if (node->callsite != CALLSITE_UNKNOWN) {
                callsite = node->callsite;
                break;
            }
            node->callsite = CALLSITE_ON_WAY;
            vec_push(&way, at);
        }
        while (way.count > 0) {
            struct node *node = &state->nodes.items[vec_pop(&way)];
            callsite = node->callsite =
                stack_callsite_intern(state->import->stacks, callsite, node->frame, 0);
        }
    }
    vec_free(&way);
}

/* ---- samples ---- */

static void push_sample(struct state *state, const struct json_item *sample, int64_t ns)
{
    int64_t id, ts;
    uint64_t node;
    if (!json_item_int64(sample, &id) || id < 0 ||
        !id_table_get(&state->index_of_id, (uint64_t)id, &node)) {
        stats_add(state->file, STAT_legacy_v8_cpu_profile_invalid_sample, 1);
        return;
    }
    if (clock_to_trace_time(state->file, 0, 0, ns, true, &ts) != CLOCK_OK) return;
    if (state->utid == NULL_UINT32) {
        state->utid = thread_intern_in(state->file, 0, 0);
        thread_set_name(state->file, state->utid,
                        strpool_intern(state->import->strings, STR("CPU profile")),
                        THREAD_NAME_OTHER);
    }
    uint32_t *callsite =
        sorter_push(state->import->sorter, state->queue, state->sink, ts, sizeof(uint64_t));
    *callsite = state->nodes.items[node].callsite;
}

static void note_walk_end(struct state *state, const struct json_walk *walk)
{
    if (walk->result == JSON_DONE) return;
    bool cut = walk->result == JSON_CUT;
    damage_log(&state->damage, cut ? STAT_perfetty_input_truncated : STAT_perfetty_input_corrupt,
               walk->bad_at, cut ? "the file ends inside a value" : "what stands here is no JSON");
}

/* Samples each with its own number of `times`: a time, or the time since the one
 * before. */
static void read_timed(struct state *state, const struct profile *profile)
{
    struct json_walk samples, times;
    struct json_item sample, time;
    bool is_delta = profile->deltas != 0;
    int64_t now = 0, step;
    if (is_delta) str_to_scaled_int64(profile->start, US_TO_NS, &now);
    if (!json_walk_begin(&samples, state->bytes, profile->samples) ||
        !json_walk_begin(&times, state->bytes, is_delta ? profile->deltas : profile->timestamps))
        return;
    for (uint64_t n = 1;; n++) {
        if (!json_walk_next(&samples, &sample)) break;
        if (!json_walk_next(&times, &time)) break;
        if (time.type != JSON_NUMBER || !str_to_scaled_int64(time.text, US_TO_NS, &step) ||
            (is_delta && __builtin_add_overflow(now, step, &step))) {
            stats_add(state->file, STAT_legacy_v8_cpu_profile_invalid_sample, 1);
            continue;
        }
        now = step;
        push_sample(state, &sample, now);
        if (n % POLL_EVERY == 0 && cancel_is_requested(state->import->cancel)) return;
    }
    note_walk_end(state, &samples);
    note_walk_end(state, &times);
}

/* Samples evenly between start and end, in seconds. */
static void read_spread(struct state *state, const struct profile *profile)
{
    struct json_walk samples;
    struct json_item sample;
    int64_t start, end;
    uint64_t n = 0, i = 0;
    if (!str_to_scaled_int64(profile->start, SECOND_TO_NS, &start) ||
        !str_to_scaled_int64(profile->end, SECOND_TO_NS, &end) || end < start)
        return;
    if (!json_walk_begin(&samples, state->bytes, profile->samples)) return;
    while (json_walk_next(&samples, &sample))
        n++;
    note_walk_end(state, &samples);
    double step = n > 0 ? ((double)end - (double)start) / (double)n : 0;
    json_walk_begin(&samples, state->bytes, profile->samples);
    for (; json_walk_next(&samples, &sample); i++) {
        push_sample(state, &sample, start + (int64_t)(step * (double)i));
        if (i % POLL_EVERY == 0 && cancel_is_requested(state->import->cancel)) return;
    }
}

static void parse(void *owner, int64_t ts, const void *payload)
{
    struct state *state = owner;
    const uint32_t *callsite = payload;
    struct stack_sample row = {
        .ts = ts,
        .source = "legacy_v8",
        .utid = state->utid,
        .upid = NULL_UINT32,
        .ucpu = NULL_UINT32,
        .callsite = *callsite,
        .session = NULL_UINT32,
        .counter_set = NULL_UINT32,
    };
    stack_sample_push(state->import->stacks, &row);
}

/* ---- the file ---- */

static size_t begin_of(struct str bytes)
{
    return str_starts(bytes, STR("\xEF\xBB\xBF")) ? 3 : 0;
}

static void find_parts(struct state *state, struct profile *profile)
{
    struct json_walk walk;
    struct json_item item;
    if (!json_walk_begin(&walk, state->bytes, begin_of(state->bytes))) return;
    while (json_walk_next(&walk, &item)) {
        bool is_array = item.type == JSON_ARRAY, is_number = item.type == JSON_NUMBER;
        if (is_array && str_is(item.key, "nodes")) profile->nodes = item.from;
        if (item.type == JSON_OBJECT && str_is(item.key, "head")) profile->head = item.from;
        if (is_array && str_is(item.key, "samples")) profile->samples = item.from;
        if (is_array && str_is(item.key, "timeDeltas")) profile->deltas = item.from;
        if (is_array && str_is(item.key, "timestamps")) profile->timestamps = item.from;
        if (is_number && str_is(item.key, "startTime")) profile->start = item.text;
        if (is_number && str_is(item.key, "endTime")) profile->end = item.text;
    }
    note_walk_end(state, &walk);
}

static void finish(struct import_file *file)
{
    struct state *state = file->state;
    if (!state) return;
    vec_free(&state->nodes);
    id_table_free(&state->index_of_id);
    id_table_free(&state->parent_of_id);
    map_free(&state->frame_of_function);
    buffer_free(&state->text);
    mem_free(state);
    file->state = NULL;
}

static bool tokenize(struct import_file *file, struct str bytes, struct status *st)
{
    struct profile profile = {0};
    struct state *state = mem_zero(1, sizeof *state);
    (void)st;
    file->state = state;
    state->file = file;
    state->import = file->import;
    state->bytes = bytes;
    state->damage.file = file;
    state->utid = NULL_UINT32;
    state->queue = sorter_add_queue(file->import->sorter);
    state->sink = sorter_add_sink(file->import->sorter, parse, state);
    find_parts(state, &profile);
    if (profile.nodes || profile.head) {
        read_nodes(state, &profile);
        enter_nodes(state);
    }
    if (profile.samples && (profile.deltas || profile.timestamps))
        read_timed(state, &profile);
    else if (profile.samples)
        read_spread(state, &profile);
    import_progress(file->import, bytes.n);
    return true;
}

/* The object that has just begun has that member, before the bytes end. */
static bool has_member(struct json_pull *pull, const char *name)
{
    while (json_pull_next(pull) == JSON_KEY) {
        if (str_is(pull->text, name)) return true;
        if (json_pull_skip(pull, JSON_KEY) <= JSON_ERROR) return false;
    }
    return false;
}

/* The first member that is no number or text is `nodes`, an array of objects with a
 * `callFrame`, or `head`, an object with a `functionName`: other formats have nodes
 * too. */
static bool sniff(struct str bytes)
{
    struct json_pull pull;
    json_pull_init(&pull, str_slice(bytes, 0, SNIFF_BYTES), begin_of(str_slice(bytes, 0, 3)));
    if (json_pull_next(&pull) != JSON_OBJECT) return false;
    while (json_pull_next(&pull) == JSON_KEY) {
        struct str key = pull.text;
        enum json_token token = json_pull_next(&pull);
        if (token == JSON_ARRAY)
            return str_is(key, "nodes") && json_pull_next(&pull) == JSON_OBJECT &&
                   has_member(&pull, "callFrame");
        if (token == JSON_OBJECT) return str_is(key, "head") && has_member(&pull, "functionName");
        if (token <= JSON_ERROR) return false;
    }
    return false;
}

const struct importer importer_cpuprofile = {
    .name = "cpuprofile",
    .detection_priority = 105,
    .archive_priority = 2,
    .clock = IMPORT_CLOCK_TRACE_FILE,
    .sniff = sniff,
    .tokenize = tokenize,
    .finish = finish,
};
