#include "commands/invocation_json.h"

#include "engine/base/memory.h"

bool json_refuse(const struct buffer *path, const json_t *found, const char *wanted,
                 struct status *st)
{
    struct buffer text = BUFFER_INIT;
    json_describe(&text, found);
    status_fail(st, STATUS_INVALID, STATUS_NO_OFFSET, "%s is %s, but has to be %s",
                path->length ? buffer_text(path) : "the file", buffer_text(&text), wanted);
    buffer_free(&text);
    return false;
}

const char *json_read_text(const json_t *object, const char *key, struct buffer *path,
                           struct status *st)
{
    const json_t *value = json_object_get(object, key);
    size_t cut = json_path_key(path, key);
    const char *text = json_string_value(value);
    if (!text || !text[0]) {
        json_refuse(path, value, "a text that is not empty", st);
        text = NULL;
    }
    json_path_cut(path, cut);
    return text;
}

static bool read_args(const json_t *args, struct buffer *path, struct invocation *out,
                      struct status *st)
{
    if (!json_is_array(args)) return json_refuse(path, args, "a list of strings", st);
    size_t n = json_array_size(args);
    out->args = mem_zero(n + 1, sizeof *out->args);
    for (size_t i = 0; i < n; i++) {
        const json_t *arg = json_array_get(args, i);
        if (!json_is_string(arg)) {
            size_t cut = json_path_index(path, i);
            json_refuse(path, arg, "a string", st);
            json_path_cut(path, cut);
            return false;
        }
        out->args[out->n_args++] = mem_strdup(json_string_value(arg));
    }
    return true;
}

bool invocation_read(const json_t *value, struct buffer *path, struct invocation *out,
                     struct status *st)
{
    *out = (struct invocation){0};
    if (!json_is_object(value))
        return json_refuse(path, value, "an object {\"id\": …, \"args\": […]}", st);
    const json_t *id = json_object_get(value, "id");
    size_t cut = json_path_key(path, "id");
    if (!json_is_string(id)) {
        json_refuse(path, id, "a string", st);
        json_path_cut(path, cut);
        return false;
    }
    json_path_cut(path, cut);
    out->id = mem_strdup(json_string_value(id));
    cut = json_path_key(path, "args");
    bool good = read_args(json_object_get(value, "args"), path, out, st);
    json_path_cut(path, cut);
    if (!good) invocation_dispose(out);
    return good;
}

bool invocation_list_read(const json_t *value, struct buffer *path, struct invocation_list *out,
                          struct status *st)
{
    *out = (struct invocation_list){0};
    if (!json_is_array(value))
        return json_refuse(path, value, "a list of {\"id\": …, \"args\": […]}", st);
    for (size_t i = 0; i < json_array_size(value); i++) {
        struct invocation one;
        size_t cut = json_path_index(path, i);
        bool good = invocation_read(json_array_get(value, i), path, &one, st);
        json_path_cut(path, cut);
        if (!good) {
            invocation_list_free(out);
            return false;
        }
        vec_push(out, one);
    }
    return true;
}
