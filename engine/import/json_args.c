#include "engine/import/json_state.h"

/* Where the path of the current value ends in the two key buffers. */
struct level {
    uint32_t key_length, flat_length;
    uint32_t next_index; /* of an array */
    bool is_array;
};

/* Paths can be much longer than the bytes that they were made of; a file may fill
 * the string pool with a fair multiple of its size and no more. */
static bool take_key_bytes(struct json_state *state)
{
    uint64_t bytes = state->key.length + state->flat_key.length;
    if (bytes > state->key_bytes_left) return false;
    state->key_bytes_left -= bytes;
    return true;
}

static void put_value(struct json_state *state, enum json_token token, const struct json_pull *pull,
                      struct arg_list *out)
{
    struct strpool *strings = state->import->strings;
    struct arg arg = {.flat_key = strpool_intern(strings, buffer_str(&state->flat_key)),
                      .key = strpool_intern(strings, buffer_str(&state->key))};
    switch (token) {
    case JSON_STRING:
        arg.type = ARG_STRING;
        arg.value.string =
            strpool_intern(strings, json_decode(pull->text, pull->has_escapes, &state->text));
        break;
    case JSON_NUMBER:
        arg.type = ARG_INT;
        if (json_is_integer(pull->text)) {
            /* Counts below zero that a writer took for unsigned come out right. */
            uint64_t bits;
            if (str_to_int64(pull->text, &arg.value.integer)) break;
            if (str_to_uint64(pull->text, &bits)) {
                arg.value.integer = (int64_t)bits;
                break;
            }
        }
        arg.type = ARG_REAL;
        if (!str_to_double(pull->text, &arg.value.real)) return;
        break;
    case JSON_TRUE:
    case JSON_FALSE:
        arg.type = ARG_BOOL;
        arg.value.integer = token == JSON_TRUE;
        break;
    default: return;
    }
    arg_list_put(out, arg);
}

/* Sets the key buffers to the path of the next element of an array. */
static void enter_element(struct json_state *state, struct level *level)
{
    state->flat_key.length = level->flat_length;
    state->key.length = level->key_length;
    buffer_printf(&state->key, "[%u]", level->next_index++);
}

static void enter_member(struct json_state *state, const struct level *level,
                         const struct json_pull *pull)
{
    struct str name = json_decode(pull->text, pull->has_escapes, &state->text);
    state->flat_key.length = level->flat_length;
    state->key.length = level->key_length;
    buffer_append_byte(&state->flat_key, '.');
    buffer_append_str(&state->flat_key, name);
    buffer_append_byte(&state->key, '.');
    buffer_append_str(&state->key, name);
}

bool json_args_flatten(struct json_state *state, struct str args, struct arg_list *out)
{
    struct json_pull pull;
    struct level levels[JSON_MAX_DEPTH + 1];
    uint32_t depth = 0;
    if (args.n == 0) return true;
    buffer_clear(&state->key);
    buffer_append_text(&state->key, "args");
    buffer_clear(&state->flat_key);
    buffer_append_text(&state->flat_key, "args");
    json_pull_init(&pull, args, 0);
    for (;;) {
        enum json_token token = json_pull_next(&pull);
        if (token <= JSON_ERROR || token == JSON_WORD) return token == JSON_DONE;
        if (token == JSON_OBJECT_END || token == JSON_ARRAY_END) {
            depth--;
            continue;
        }
        if (token == JSON_KEY) {
            enter_member(state, &levels[depth], &pull);
            continue;
        }
        if (depth > 0 && levels[depth].is_array) enter_element(state, &levels[depth]);
        if (token == JSON_OBJECT || token == JSON_ARRAY)
            levels[++depth] = (struct level){.key_length = (uint32_t)state->key.length,
                                             .flat_length = (uint32_t)state->flat_key.length,
                                             .is_array = token == JSON_ARRAY};
        else if (!take_key_bytes(state))
            return false;
        else
            put_value(state, token, &pull, out);
    }
}

bool json_args_visit(struct str args, json_arg_visitor visit, void *context)
{
    struct json_pull pull;
    if (args.n == 0) return true;
    json_pull_init(&pull, args, 0);
    if (json_pull_next(&pull) != JSON_OBJECT) return false;
    for (;;) {
        enum json_token token = json_pull_next(&pull);
        if (token == JSON_OBJECT_END) return true;
        if (token != JSON_KEY) return false;
        struct str key = pull.text;
        bool key_has_escapes = pull.has_escapes;
        token = json_pull_next(&pull);
        if (token <= JSON_ERROR || token == JSON_WORD) return false;
        struct json_scalar value = {token, pull.has_escapes, pull.text};
        if (token == JSON_OBJECT || token == JSON_ARRAY) {
            const char *begin = pull.at - 1;
            enum json_token last = json_pull_skip(&pull, token);
            if (last <= JSON_ERROR) return false;
            value.text = (struct str){begin, (size_t)(pull.at - begin)};
        }
        visit(context, key, key_has_escapes, &value);
    }
}
