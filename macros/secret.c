#include "macros/secret.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "commands/state_file.h"
#include "engine/base/memory.h"

#define LARGEST_FILE (1u << 20)

char *secret_path(const struct settings *settings)
{
    const char *state = settings->state_path, *slash = state ? strrchr(state, '/') : NULL;
    struct buffer path = BUFFER_INIT;
    if (!slash) return NULL;
    buffer_append(&path, state, (size_t)(slash - state) + 1);
    buffer_append_text(&path, "secrets.json");
    return buffer_take(&path);
}

static void wipe_free(struct buffer *text)
{
    for (size_t i = 0; i < text->length; i++)
        ((volatile char *)text->data)[i] = 0;
    buffer_free(text);
}

/* A message of the JSON reader could quote what it found: ours says less. */
static json_t *load(const char *path, struct status *st)
{
    struct stat info;
    struct buffer text = BUFFER_INIT;
    struct status quiet = STATUS_INIT;
    if (stat(path, &info) != 0) {
        if (errno == ENOENT || errno == ENOTDIR) return json_object();
        status_fail(st, STATUS_IO, STATUS_NO_OFFSET, "%s: %s", path, strerror(errno));
        return NULL;
    }
    if (info.st_mode & 077) {
        status_fail(st, STATUS_INVALID, STATUS_NO_OFFSET,
                    "%s: others may read it, so it is not used; run chmod 600 on it", path);
        return NULL;
    }
    json_t *object = NULL;
    if (state_file_read(path, LARGEST_FILE, &text, st)) {
        object = json_strict_load(buffer_str(&text), &quiet);
        if (!json_is_object(object)) {
            json_decref(object);
            object = NULL;
            status_fail(st, STATUS_INVALID, STATUS_NO_OFFSET,
                        "%s: it has to be a JSON object of texts", path);
        }
    }
    status_clear(&quiet);
    wipe_free(&text);
    return object;
}

bool secret_find(const char *path, const char *location, char **out, struct status *st)
{
    *out = NULL;
    if (!path) return true;
    json_t *object = load(path, st);
    const char *secret = json_string_value(json_object_get(object, location));
    if (secret) *out = mem_strdup(secret);
    bool good = object != NULL;
    json_decref(object);
    return good;
}

bool secret_store(const char *path, const char *location, const char *secret, struct status *st)
{
    if (!path && !secret) return true;
    if (!path)
        return status_fail(st, STATUS_IO, STATUS_NO_OFFSET,
                           "credentials are kept nowhere: HOME and XDG_STATE_HOME are not set");
    json_t *object = load(path, st);
    if (!object) return false;
    bool good = true, is_there = json_object_get(object, location) != NULL;
    if (secret)
        json_object_set_new(object, location, json_string(secret));
    else
        json_object_del(object, location);
    if (secret || is_there) {
        struct buffer text = BUFFER_INIT;
        json_write(&text, object);
        buffer_append_byte(&text, '\n');
        good = state_file_write(path, buffer_str(&text), st);
        wipe_free(&text);
    }
    json_decref(object);
    return good;
}
