#include "macros/sources.h"

#include <string.h>

#include "engine/base/memory.h"
#include "macros/bundled.h"

/* Our own files: the test loads every one, so that a mistake never gets here. */
void macros_register_bundled(struct session *session)
{
    for (size_t i = 0; i < bundled_macro_files_count; i++) {
        const struct embedded_file *file = &bundled_macro_files[i];
        struct status st = STATUS_INIT;
        struct buffer path = BUFFER_INIT;
        struct macro_list list = {0};
        json_t *root = json_strict_load((struct str){file->bytes, file->length}, &st);
        if (root && macro_list_read(root, true, &path, &list, &st))
            macros_register(session, &list, COMMAND_BUNDLED_MACRO, "perfetty");
        else
            session_say(session, MESSAGE_ERROR, "%s: %s", file->path, status_message(&st));
        macro_list_free(&list);
        json_decref(root);
        buffer_free(&path);
        status_clear(&st);
    }
}

/* Those of the person, then those that the program keeps: it records some. */
bool macros_register_settings(struct session *session, const struct settings *settings,
                              struct status *st)
{
    const json_t *const objects[] = {settings->person, settings->state};
    const char *const files[] = {settings->person_path, settings->state_path};
    bool good = true;
    for (int i = 0; i < 2 && good; i++) {
        const json_t *value = json_object_get(objects[i], "macros");
        struct buffer path = BUFFER_INIT;
        struct macro_list list = {0};
        if (!value) continue;
        buffer_append_text(&path, "macros");
        good = macro_list_read(value, true, &path, &list, st);
        if (good)
            macros_register(session, &list, COMMAND_SETTINGS_MACRO, "settings");
        else
            status_prefix(st, "%s", files[i]);
        macro_list_free(&list);
        buffer_free(&path);
    }
    return good;
}

bool macros_register_trace(struct session *session, const struct trace_extensions *extensions,
                           struct status *st)
{
    struct buffer path = BUFFER_INIT, origin = BUFFER_INIT;
    struct macro_list list = {0};
    if (!extensions || !extensions->macros) return true;
    buffer_append_text(&path, "extensions.macros");
    bool good = macro_list_read(extensions->macros, false, &path, &list, st);
    buffer_printf(&origin, "the trace, %s", extensions->namespace ? extensions->namespace : "");
    if (good) macros_register(session, &list, COMMAND_TRACE_MACRO, buffer_text(&origin));
    macro_list_free(&list);
    buffer_free(&path);
    buffer_free(&origin);
    return good;
}
