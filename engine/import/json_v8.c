/* Samples of V8's profiler in Chrome JSON (phase P): a Profile event gives the
 * time of its start, ProfileChunk events give nodes of the call tree, and the node
 * that was running after each more of time (spec engine_2b 6.5.4). */
#include "engine/import/json_state.h"

#include "engine/base/hash.h"
#include "engine/import/clock.h"
#include "engine/import/process.h"
#include "engine/import/sorter.h"
#include "engine/import/stack.h"

/* One recording: its process and id. */
struct profile {
    int64_t ts; /* of the last sample; first of the start */
    bool has_start;
};

struct json_v8 {
    struct map profile_by_id;     /* hash(pid, id) -> index */
    struct map callsite_of_node;  /* hash(profile, node id) -> callsite */
    struct map frame_of_function; /* name << 32 | url -> frame */
    VEC(struct profile) profiles;
    VEC(int64_t) samples, deltas; /* of the chunk in hand */
    uint32_t mapping;
    bool has_mapping;
};

/* In the sorter. */
struct sample {
    int64_t pid, tid;
    uint64_t node;
    uint32_t profile;
};

void json_v8_free(struct json_v8 *v8)
{
    if (!v8) return;
    map_free(&v8->profile_by_id);
    map_free(&v8->callsite_of_node);
    map_free(&v8->frame_of_function);
    vec_free(&v8->profiles);
    vec_free(&v8->samples);
    vec_free(&v8->deltas);
    mem_free(v8);
}

static uint32_t profile_of(struct json_state *state, const struct json_event *event, int64_t pid)
{
    struct json_v8 *v8 = state->v8;
    uint64_t id = hash_mix(json_id_hash(&event->id), (uint64_t)pid);
    bool added;
    uint64_t *index = map_put_if_absent(&v8->profile_by_id, id, v8->profiles.count, &added);
    if (added) vec_push(&v8->profiles, (struct profile){0, false});
    return (uint32_t)*index;
}

static uint64_t node_key(uint32_t profile, int64_t node)
{
    return hash_mix(hash_mix(0, profile), (uint64_t)node);
}

static uint32_t frame_of(struct json_state *state, string_id name, string_id url)
{
    struct json_v8 *v8 = state->v8;
    struct import *import = state->import;
    if (!v8->has_mapping) {
        string_id empty = strpool_intern(import->strings, STR(""));
        struct stack_mapping mapping = {.build_id = empty, .name = empty};
        v8->mapping = stack_mapping_add(import->stacks, &mapping);
        v8->has_mapping = true;
    }
    bool added;
    uint64_t *frame =
        map_put_if_absent(&v8->frame_of_function, (uint64_t)name << 32 | url, 0, &added);
    if (added) {
        struct stack_profile_frame_row row = {.name = name, .mapping = v8->mapping};
        *frame = stack_profile_frame_append(&import->tables->stack_profile_frame, &row);
    }
    return (uint32_t)*frame;
}

struct node {
    int64_t id, parent;
    bool has_id, has_parent;
    struct json_scalar function, url;
};

static bool skip_value(struct json_pull *pull, enum json_token token)
{
    if (token == JSON_OBJECT || token == JSON_ARRAY) token = json_pull_skip(pull, token);
    return token > JSON_ERROR;
}

/* callFrame's members, or a node's; the object has just begun. */
static bool read_node(struct json_pull *pull, struct node *node, bool in_frame)
{
    for (;;) {
        enum json_token token = json_pull_next(pull);
        if (token != JSON_KEY) return token == JSON_OBJECT_END;
        struct str key = pull->text;
        token = json_pull_next(pull);
        if (!in_frame && token == JSON_OBJECT && str_equal(key, STR("callFrame"))) {
            if (!read_node(pull, node, true)) return false;
            continue;
        }
        struct json_scalar value = {token, pull->has_escapes, pull->text};
        if (!skip_value(pull, token)) return false;
        if (in_frame && str_equal(key, STR("functionName"))) node->function = value;
        if (in_frame && str_equal(key, STR("url"))) node->url = value;
        if (in_frame || value.type != JSON_NUMBER) continue;
        if (str_equal(key, STR("id"))) node->has_id = json_to_int64(value.text, &node->id);
        if (str_equal(key, STR("parent")))
            node->has_parent = json_to_int64(value.text, &node->parent);
    }
}

static void add_node(struct json_state *state, uint32_t profile, const struct node *node)
{
    struct json_v8 *v8 = state->v8;
    struct strpool *strings = state->import->strings;
    string_id name = strpool_intern(strings, json_is_text(&node->function)
                                                 ? json_text(&node->function, &state->text)
                                                 : STR(""));
    uint32_t frame = frame_of(state, name, json_intern(state, &node->url));
    const uint64_t *parent =
        node->has_parent ? map_get(&v8->callsite_of_node, node_key(profile, node->parent)) : NULL;
    bool is_known =
        node->has_id && map_get(&v8->callsite_of_node, node_key(profile, node->id)) != NULL;
    if (!node->has_id || is_known || (node->has_parent && !parent)) {
        stats_add(state->file, STAT_legacy_v8_cpu_profile_invalid_callsite, 1);
        return;
    }
    uint32_t callsite = stack_callsite_intern(state->import->stacks,
                                              parent ? (uint32_t)*parent : NULL_UINT32, frame, 0);
    map_set(&v8->callsite_of_node, node_key(profile, node->id), callsite);
}

/* nodes: an array of objects that has just begun. */
static bool read_nodes(struct json_state *state, struct json_pull *pull, uint32_t profile)
{
    for (;;) {
        enum json_token token = json_pull_next(pull);
        if (token == JSON_ARRAY_END) return true;
        if (token != JSON_OBJECT) {
            if (!skip_value(pull, token)) return false;
            continue;
        }
        struct node node = {0};
        if (!read_node(pull, &node, false)) return false;
        add_node(state, profile, &node);
    }
}

struct number_list VEC_OF(int64_t);

static bool read_numbers(struct json_pull *pull, int64_t **items, size_t *count, size_t *capacity)
{
    struct number_list list = {*items, *count, *capacity};
    enum json_token token;
    while ((token = json_pull_next(pull)) > JSON_ERROR && token != JSON_ARRAY_END) {
        int64_t number = 0;
        if (token == JSON_NUMBER) json_to_int64(pull->text, &number);
        if (!skip_value(pull, token)) break;
        vec_push(&list, number);
    }
    *items = list.items;
    *count = list.count;
    *capacity = list.capacity;
    return token == JSON_ARRAY_END;
}

#define READ_NUMBERS(pull, list) \
    read_numbers(pull, &(list)->items, &(list)->count, &(list)->capacity)

/* What is looked for in args, at which path. */
static bool read_members(struct json_state *state, struct json_pull *pull, uint32_t profile,
                         int depth)
{
    struct json_v8 *v8 = state->v8;
    for (;;) {
        enum json_token token = json_pull_next(pull);
        if (token != JSON_KEY) return token == JSON_OBJECT_END;
        struct str key = pull->text;
        token = json_pull_next(pull);
        bool whole;
        if (token == JSON_OBJECT && depth < 2 &&
            (str_equal(key, STR("data")) || str_equal(key, STR("cpuProfile"))))
            whole = read_members(state, pull, profile, depth + 1);
        else if (token == JSON_ARRAY && str_equal(key, STR("nodes")))
            whole = read_nodes(state, pull, profile);
        else if (token == JSON_ARRAY && str_equal(key, STR("samples")))
            whole = READ_NUMBERS(pull, &v8->samples);
        else if (token == JSON_ARRAY && str_equal(key, STR("timeDeltas")))
            whole = READ_NUMBERS(pull, &v8->deltas);
        else {
            int64_t start;
            if (token == JSON_NUMBER && str_equal(key, STR("startTime")) &&
                str_to_scaled_int64(pull->text, 3, &start))
                v8->profiles.items[profile] = (struct profile){start, true};
            whole = skip_value(pull, token);
        }
        if (!whole) return false;
    }
}

static void push_samples(struct json_state *state, uint32_t index, const struct json_thread *thread)
{
    struct json_v8 *v8 = state->v8;
    struct profile *profile = &v8->profiles.items[index];
    size_t n = v8->samples.count < v8->deltas.count ? v8->samples.count : v8->deltas.count;
    if (!profile->has_start) {
        stats_add(state->file, STAT_legacy_v8_cpu_profile_invalid_sample, (int64_t)n);
        return;
    }
    for (size_t i = 0; i < n; i++) {
        int64_t step, ts;
        if (__builtin_mul_overflow(v8->deltas.items[i], (int64_t)1000, &step) ||
            __builtin_add_overflow(profile->ts, step, &profile->ts)) {
            stats_add(state->file, STAT_legacy_v8_cpu_profile_invalid_sample, (int64_t)(n - i));
            return;
        }
        if (clock_to_trace_time(state->file, 0, 0, profile->ts, true, &ts) != CLOCK_OK) continue;
        struct sample *sample = sorter_push(state->import->sorter, state->sample_queue,
                                            state->sample_sink, ts, sizeof *sample);
        *sample = (struct sample){.pid = thread->pid,
                                  .tid = thread->tid,
                                  .node = node_key(index, v8->samples.items[i]),
                                  .profile = index};
    }
}

void json_v8_tokenize(struct json_state *state, const struct json_event *event)
{
    struct json_pull pull;
    if (event->args.n == 0) return;
    if (!state->v8) state->v8 = mem_zero(1, sizeof *state->v8);
    vec_clear(&state->v8->samples);
    vec_clear(&state->v8->deltas);
    struct json_thread thread = json_thread_of(state, event);
    uint32_t profile = profile_of(state, event, thread.pid);
    json_pull_init(&pull, event->args, 0);
    json_pull_next(&pull);
    read_members(state, &pull, profile, 0);
    push_samples(state, profile, &thread);
}

void json_v8_parse_sample(void *owner, int64_t ts, const void *payload)
{
    struct json_state *state = owner;
    const struct sample *sample = payload;
    const uint64_t *callsite = map_get(&state->v8->callsite_of_node, sample->node);
    if (!callsite) {
        stats_add(state->file, STAT_legacy_v8_cpu_profile_invalid_sample, 1);
        return;
    }
    struct stack_sample row = {
        .ts = ts,
        .source = "legacy_v8",
        .utid = thread_intern_in(state->file, sample->tid, sample->pid),
        .upid = NULL_UINT32,
        .ucpu = NULL_UINT32,
        .callsite = (uint32_t)*callsite,
        .session = NULL_UINT32,
        .counter_set = NULL_UINT32,
    };
    stack_sample_push(state->import->stacks, &row);
}
