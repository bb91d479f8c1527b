/* The page of settings: what each is set to, where that comes from, and a change. */
#include <string.h>

#include "commands/command.h"
#include "commands/page.h"
#include "commands/result_rows.h"
#include "commands/settings.h"
#include "engine/base/memory.h"

/* ---- the rows ---- */

static void write_value(const struct settings *settings, const struct setting_info *info,
                        struct buffer *value, struct buffer *source)
{
    const char *file;
    const json_t *json = settings_get(settings, info->key, &file);
    const char *overridden = settings_overridden(settings, info->key);
    if (overridden) {
        buffer_append_text(value, overridden);
        buffer_append_text(source, "command line");
    } else if (json) {
        json_write(value, json);
        buffer_append_text(source, file ? file : "");
    } else {
        buffer_append_text(value, info->fallback ? info->fallback : "not set");
        buffer_append_text(source, "default");
    }
}

static struct result *make_rows(struct session *session)
{
    struct result_rows rows;
    const struct setting_info *info;
    struct buffer value = BUFFER_INIT, source = BUFFER_INIT;
    rows_begin(&rows, "setting|value|source|meaning|allowed");
    for (size_t i = 0; session->settings && (info = settings_info(i)); i++) {
        buffer_clear(&value);
        buffer_clear(&source);
        write_value(session->settings, info, &value, &source);
        rows_put_text(&rows, str_of(info->key));
        rows_put_text(&rows, buffer_str(&value));
        rows_put_text(&rows, buffer_str(&source));
        rows_put_text(&rows, str_of(info->doc));
        rows_put_text(&rows, str_of(info->allowed));
    }
    buffer_free(&value);
    buffer_free(&source);
    return rows_end(&rows);
}

static uint64_t version(const struct session *session)
{
    return session->settings ? session->settings->version + 1 : 1;
}

static bool change_row(struct session *session, const struct result *result, uint64_t row,
                       struct status *st)
{
    (void)st;
    char *key =
        mem_copy_string(result_at(result, row, 0)->text.p, result_at(result, row, 0)->text.n);
    session_ask(session, REQUEST_ASK_SETTING, key);
    mem_free(key);
    return true;
}

static const struct page_kind page = {
    .title = "Settings",
    .make_rows = make_rows,
    .version = version,
    .open_row = change_row,
};

/* ---- commands ---- */

static bool show(const struct command_call *call, struct status *st)
{
    (void)st;
    session_open_page(call->session, &page);
    return true;
}

json_t *setting_value_parse(const char *text)
{
    struct status unread = STATUS_INIT;
    json_t *value = json_strict_load(str_of(text), &unread);
    status_clear(&unread);
    return value ? value : json_string(text);
}

/* The screen stores it: the session only reads settings. */
static bool set(const struct command_call *call, struct status *st)
{
    const struct settings *settings = call->session->settings;
    const char *key = call->args[0], *file;
    if (call->context->source == COMMAND_FROM_TRACE || call->context->ask_before_reach)
        return status_fail(st, STATUS_INVALID, STATUS_NO_OFFSET,
                           "settings are changed by you alone, not by a trace or a server");
    if (!settings)
        return status_fail(st, STATUS_INVALID, STATUS_NO_OFFSET, "there are no settings here");
    const json_t *now = settings_get(settings, key, &file);
    if (now && json_object_get(settings->person, key))
        return status_fail(st, STATUS_INVALID, STATUS_NO_OFFSET,
                           "%s is set in %s, which is yours: change it there", key, file);
    if (call->n_args < 2) {
        session_ask(call->session, REQUEST_ASK_SETTING, key);
        return true;
    }
    json_t *value = setting_value_parse(call->args[1]);
    bool good = json_is_null(value) || settings_check(key, value, st);
    json_decref(value);
    if (!good) return false;
    struct buffer text = BUFFER_INIT;
    buffer_printf(&text, "%s %s", key, call->args[1]);
    session_ask(call->session, REQUEST_STORE_SETTING, buffer_text(&text));
    buffer_free(&text);
    return true;
}

const struct command command_show_settings = {
    .id = "dev.perfetto.OpenSettings",
    .name = "Show the settings, and change them",
    .run = show,
};
const struct command command_set_setting = {
    .id = "dev.perfetty.SetSetting",
    .name = "Change a setting; null takes it back",
    .kind = COMMAND_REACH,
    .args = {{"key", COMMAND_ARG_TEXT, false, NULL}, {"value", COMMAND_ARG_TEXT, true, NULL}},
    .run = set,
};
