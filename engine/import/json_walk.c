#include "engine/import/json_walk.h"

#include "engine/import/json_event.h"

bool json_walk_begin(struct json_walk *walk, struct str bytes, size_t from)
{
    if (from >= bytes.n) return false;
    json_pull_init(&walk->pull, bytes, from);
    walk->result = JSON_DONE;
    walk->bad_at = 0;
    enum json_token token = json_pull_next(&walk->pull);
    walk->is_object = token == JSON_OBJECT;
    return token == JSON_OBJECT || token == JSON_ARRAY;
}

static bool end(struct json_walk *walk, enum json_token result)
{
    walk->result = result;
    walk->bad_at = json_pull_offset(&walk->pull);
    if (result == JSON_CUT) walk->bad_at = (size_t)(walk->pull.end - walk->pull.start);
    return false;
}

bool json_walk_next(struct json_walk *walk, struct json_item *item)
{
    struct json_pull *pull = &walk->pull;
    if (walk->result != JSON_DONE) return false;
    enum json_token token = json_pull_next(pull);
    if (token == JSON_DONE || token == JSON_OBJECT_END || token == JSON_ARRAY_END) return false;
    if (token <= JSON_ERROR) return end(walk, token);
    item->key = STR_NONE;
    if (walk->is_object) {
        item->key = pull->text;
        token = json_pull_next(pull);
        if (token <= JSON_ERROR) return end(walk, token);
    }
    item->type = token;
    item->is_whole = true;
    item->text = pull->text;
    item->has_escapes = pull->has_escapes;
    item->from = json_pull_offset(pull) - 1;
    if (token != JSON_OBJECT && token != JSON_ARRAY) {
        size_t quotes = token == JSON_STRING ? 1 : 0;
        item->from = (size_t)(pull->text.p - pull->start) - quotes;
        return true;
    }
    struct str bytes = {pull->start, (size_t)(pull->end - pull->start)};
    size_t after;
    item->is_whole = json_match_bracket(bytes, item->from, &after);
    if (item->is_whole) {
        /* The bracket was opened by the pull parser: it is closed here. */
        pull->depth--;
        json_pull_pass(pull, after);
    } else {
        walk->result = after >= bytes.n ? JSON_CUT : JSON_ERROR;
        walk->bad_at = after;
    }
    return true;
}

bool json_item_index(const struct json_item *item, uint32_t *index)
{
    int64_t value;
    if (!json_item_int64(item, &value) || value < 0 || value >= (int64_t)UINT32_MAX) return false;
    *index = (uint32_t)value;
    return true;
}

bool json_item_int64(const struct json_item *item, int64_t *value)
{
    return item->type == JSON_NUMBER && json_to_int64(item->text, value);
}

bool json_item_double(const struct json_item *item, double *value)
{
    return item->type == JSON_NUMBER && str_to_double(item->text, value);
}
