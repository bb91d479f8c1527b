#include "commands/recent.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "commands/settings.h"
#include "commands/state_file.h"
#include "engine/base/memory.h"
#include "engine/extensions/json.h"

#define LARGEST_FILE (1u << 20)

static char *list_path(const struct settings *settings)
{
    const char *state = settings ? settings->state_path : NULL;
    const char *slash = state ? strrchr(state, '/') : NULL;
    struct buffer path = BUFFER_INIT;
    if (!slash) return NULL;
    buffer_printf(&path, "%.*s/recent.json", (int)(slash - state), state);
    return buffer_take(&path);
}

void recent_read(const struct settings *settings, struct recent_list *out)
{
    char *path = list_path(settings);
    struct buffer text = BUFFER_INIT;
    struct status st = STATUS_INIT;
    json_t *list = NULL, *entry;
    size_t i;
    if (path && state_file_read(path, LARGEST_FILE, &text, &st) && text.length)
        list = json_strict_load(buffer_str(&text), &st);
    json_array_foreach(list, i, entry)
    {
        const char *name = json_string_value(entry);
        if (name && name[0] == '/' && out->count < RECENT_MOST) vec_push(out, mem_strdup(name));
    }
    json_decref(list);
    status_clear(&st);
    buffer_free(&text);
    mem_free(path);
}

void recent_free(struct recent_list *list)
{
    for (size_t i = 0; i < list->count; i++)
        mem_free(list->items[i]);
    vec_free(list);
}

void recent_add(const struct settings *settings, const char *path)
{
    char whole[PATH_MAX], *file = list_path(settings);
    struct recent_list list = {0};
    struct status st = STATUS_INIT;
    struct buffer text = BUFFER_INIT;
    if (file && realpath(path, whole)) {
        json_t *json = json_array();
        recent_read(settings, &list);
        json_array_append_new(json, json_string(whole)); /* none when it is no UTF-8 */
        for (size_t i = 0; i < list.count && json_array_size(json) < RECENT_MOST; i++)
            if (strcmp(list.items[i], whole) != 0)
                json_array_append_new(json, json_string(list.items[i]));
        json_write(&text, json);
        buffer_append_byte(&text, '\n');
        state_file_write(file, buffer_str(&text), &st);
        json_decref(json);
    }
    status_clear(&st);
    buffer_free(&text);
    recent_free(&list);
    mem_free(file);
}
