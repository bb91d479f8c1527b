#include "tui/settings_view.h"

#include <string.h>

#include "commands/settings.h"
#include "engine/base/memory.h"
#include "tui/overlay.h"

static const struct setting_info *find(const char *key)
{
    const struct setting_info *info;
    for (size_t i = 0; (info = settings_info(i)); i++)
        if (strcmp(info->key, key) == 0) return info;
    return NULL;
}

void settings_view_ask(struct app *app, const char *key)
{
    const struct setting_info *info = find(key);
    const char *file;
    if (!app->settings || !info) {
        session_say(app->session, MESSAGE_ERROR, "there is no setting %s", key);
        return;
    }
    const json_t *value = settings_get(app->settings, key, &file);
    if (value && json_object_get(app->settings->person, key)) {
        session_say(app->session, MESSAGE_WARNING,
                    "%s is set in %s, which is yours: change it there", key, file);
        return;
    }
    struct buffer text = BUFFER_INIT, label = BUFFER_INIT;
    if (json_is_string(value))
        buffer_append_str(&text, json_str(value));
    else if (value)
        json_write(&text, value);
    buffer_printf(&label, "%s (%s):", key, info->allowed);
    prompt_open_value(app, buffer_text(&label), "dev.perfetty.SetSetting", key, buffer_text(&text));
    buffer_free(&label);
    buffer_free(&text);
}

static void show_by(struct app *app, const char *key)
{
    struct session *s = app->session;
    const struct settings *settings = app->settings;
    if (strcmp(key, "theme") == 0) {
        const struct theme *theme = settings->theme ? theme_find(str_of(settings->theme)) : NULL;
        if (theme) app->theme = theme;
    } else if (strcmp(key, "timestampFormat") == 0) {
        session_time_format_parse(
            settings->timestamp_format ? settings->timestamp_format : "timecode", &s->time_format);
    }
    s->human_durations = settings->human_durations;
    if (strcmp(key, "crosshair") == 0) s->crosshair = settings->crosshair;
    if (strcmp(key, "minimap") == 0) s->minimap = settings->minimap;
    session_changed(s);
}

void settings_view_store(struct app *app, const char *text)
{
    struct session *s = app->session;
    struct settings *settings = app->settings;
    struct status st = STATUS_INIT;
    size_t space = strcspn(text, " ");
    char *key = mem_copy_string(text, space);
    const char *written = text[space] ? text + space + 1 : "";
    const struct setting_info *info = find(key);
    json_t *value = setting_value_parse(written);
    if (!settings || !info) {
        session_say(s, MESSAGE_ERROR, "there is no setting %s", key);
    } else if (strcmp(key, "theme") == 0 && json_is_string(value) && !theme_find(json_str(value))) {
        session_say(s, MESSAGE_ERROR, "there is no theme %s: %s", written, info->allowed);
    } else {
        bool good = json_is_null(value) ? settings_forget(settings, key, &st)
                                        : settings_store(settings, key, json_incref(value), &st);
        if (!good)
            session_say(s, MESSAGE_ERROR, "%s", status_message(&st));
        else if (json_is_null(value))
            session_say(s, MESSAGE_INFO, "%s is as it came%s", key,
                        info->at_start ? ", from the next start on" : "");
        else
            session_say(s, MESSAGE_INFO, "%s is %s%s", key, written,
                        info->at_start ? ", from the next start on" : "");
        if (good) show_by(app, key);
    }
    status_clear(&st);
    json_decref(value);
    mem_free(key);
}
