/* Where a recorded macro goes: the settings' overlay, or a sidecar. */
#include <ctype.h>
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "commands/state_file.h"
#include "engine/base/memory.h"
#include "macros/recorder_internal.h"

#define NAMESPACE "my"

char *recorder_escape(const char *text)
{
    struct buffer out = BUFFER_INIT;
    for (const char *c = text; *c; c++) {
        if (strchr("\\^$.|?*+()[]{}/", *c)) buffer_append_byte(&out, '\\');
        buffer_append_byte(&out, *c);
    }
    return buffer_take(&out);
}

/* "Frames of shop" → "my.FramesOfShop"; a number when somebody has that. */
static char *make_id(const struct session *session, const char *name)
{
    struct buffer id = BUFFER_INIT;
    bool start = true;
    buffer_append_text(&id, NAMESPACE ".");
    size_t empty = id.length;
    for (const char *c = name; *c; c++) {
        bool plain = (unsigned char)*c < 0x80 && isalnum((unsigned char)*c);
        if (plain) buffer_append_byte(&id, (char)(start ? toupper((unsigned char)*c) : *c));
        start = !plain;
    }
    if (id.length == empty) buffer_append_text(&id, "Macro");
    size_t whole = id.length;
    for (unsigned n = 2; registry_find(session->registry, buffer_text(&id)); n++) {
        json_path_cut(&id, whole);
        buffer_printf(&id, "%u", n);
    }
    return buffer_take(&id);
}

static json_t *to_json(const struct recorder *r, const char *id, const char *name, const char *key)
{
    json_t *macro = json_object(), *run = json_array();
    json_object_set_new(macro, "id", json_string(id));
    json_object_set_new(macro, "name", json_string(name));
    if (key[0]) json_object_set_new(macro, "key", json_string(key));
    for (size_t i = 0; i < r->steps.count; i++) {
        const struct invocation *step = &r->steps.items[i].run;
        json_t *args = json_array();
        /* A name of the trace need not be UTF-8: such a step cannot be written. */
        bool good = true;
        for (uint32_t k = 0; k < step->n_args; k++)
            good &= json_array_append_new(args, json_string(step->args[k])) == 0;
        json_t *one = json_object();
        json_object_set_new(one, "id", json_string(step->id));
        json_object_set_new(one, "args", args);
        if (good)
            json_array_append_new(run, one);
        else
            json_decref(one);
    }
    json_object_set_new(macro, "run", run);
    return macro;
}

/* Behind those that are there: another perfetty may have written some. */
static bool store(struct recorder *r, const json_t *macro, struct status *st)
{
    if (!settings_refresh(r->settings, st)) return false;
    const json_t *there = json_object_get(r->settings->state, "macros");
    json_t *macros = json_is_array(there) ? json_deep_copy(there) : json_array();
    json_array_append_new(macros, json_deep_copy(macro));
    return settings_store(r->settings, "macros", macros, st);
}

static bool write_sidecar(const json_t *macro, const char *path, struct status *st)
{
    if (access(path, F_OK) == 0)
        return status_fail(st, STATUS_IO, STATUS_NO_OFFSET, "%s is there already", path);
    json_t *root = json_object(), *manifest = json_object(), *section = json_object(),
           *macros = json_array(), *one = json_deep_copy(macro);
    json_object_set_new(one, "type", json_string("inline"));
    json_array_append_new(macros, one);
    json_object_set_new(section, "type", json_string("inline"));
    json_object_set_new(section, "namespace", json_string(NAMESPACE));
    json_object_set_new(section, "macros", macros);
    json_object_set_new(manifest, "version", json_integer(1));
    json_object_set_new(manifest, "extensions", section);
    json_object_set_new(root, "perfetto_manifest", manifest);
    struct buffer text = BUFFER_INIT;
    json_write(&text, root);
    buffer_append_byte(&text, '\n');
    bool good = state_file_write(path, buffer_str(&text), st);
    buffer_free(&text);
    json_decref(root);
    return good;
}

static void enter(struct session *session, const json_t *macro)
{
    struct buffer path = BUFFER_INIT;
    struct macro_list list = {0};
    struct status st = STATUS_INIT;
    json_t *macros = json_array();
    json_array_append_new(macros, json_deep_copy(macro));
    if (macro_list_read(macros, true, &path, &list, &st))
        macros_register(session, &list, COMMAND_SETTINGS_MACRO, "settings");
    macro_list_free(&list);
    json_decref(macros);
    buffer_free(&path);
    status_clear(&st);
}

bool recorder_save(struct recorder *r, struct session *session, const char *name, const char *key,
                   const char *path, struct status *st)
{
    if (r->on && !recorder_stop(r, session, st)) return false;
    if (!r->steps.count)
        return status_fail(st, STATUS_INVALID, STATUS_NO_OFFSET,
                           "nothing was recorded: dev.perfetty.StartRecording begins");
    char *id = make_id(session, name);
    json_t *macro = to_json(r, id, name, key);
    bool good = path[0] ? write_sidecar(macro, path, st) : store(r, macro, st);
    if (good) {
        enter(session, macro);
        session_say(session, MESSAGE_INFO, "%s: %zu step%s, saved to %s%s%s", id,
                    json_array_size(json_object_get(macro, "run")),
                    json_array_size(json_object_get(macro, "run")) == 1 ? "" : "s",
                    path[0] ? path : "the settings", key[0] ? ", key " : "", key);
    }
    json_decref(macro);
    mem_free(id);
    return good;
}
