/* A JSON value as args: members below the key that is entered, elements by index;
 * null says nothing (spec engine_2 2.2 legacy_json). */
#include "engine/import/arg_writer.h"

#include "engine/import/json_pull.h"

struct level {
    struct arg_mark mark; /* of the container itself */
    uint64_t next_index;
    bool is_array;
};

static void put_number(struct arg_writer *w, struct str text)
{
    int64_t integer;
    double real;
    if (str_to_int64(text, &integer))
        arg_writer_put(w, ARG_INT, integer);
    else if (str_to_double(text, &real))
        arg_writer_put_real(w, real);
}

static void put_scalar(struct arg_writer *w, enum json_token token, const struct json_pull *pull)
{
    if (token == JSON_STRING)
        arg_writer_put_text(w, json_decode(pull->text, pull->has_escapes, &w->scratch));
    else if (token == JSON_NUMBER)
        put_number(w, pull->text);
    else if (token == JSON_TRUE || token == JSON_FALSE)
        arg_writer_put(w, ARG_BOOL, token == JSON_TRUE);
}

bool arg_writer_put_json(struct arg_writer *w, struct str json)
{
    struct json_pull pull;
    struct level levels[JSON_MAX_DEPTH + 1];
    struct arg_mark outer = {w->flat_key.length, w->key.length};
    uint32_t depth = 0;
    json_pull_init(&pull, json, 0);
    for (;;) {
        enum json_token token = json_pull_next(&pull);
        if (token <= JSON_ERROR || token == JSON_WORD) {
            arg_writer_leave(w, outer);
            return token == JSON_DONE;
        }
        if (token == JSON_OBJECT_END || token == JSON_ARRAY_END) {
            depth--;
            continue;
        }
        if (depth && (token == JSON_KEY || levels[depth].is_array))
            arg_writer_leave(w, levels[depth].mark);
        if (token == JSON_KEY) {
            arg_writer_enter(w, json_decode(pull.text, pull.has_escapes, &w->scratch));
            continue;
        }
        if (depth && levels[depth].is_array) arg_writer_enter_index(w, levels[depth].next_index++);
        if (token == JSON_OBJECT || token == JSON_ARRAY)
            levels[++depth] = (struct level){.mark = {w->flat_key.length, w->key.length},
                                             .is_array = token == JSON_ARRAY};
        else
            put_scalar(w, token, &pull);
    }
}
