#include "tui/requests.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "engine/base/memory.h"
#include "tui/compare_load.h"
#include "tui/details.h"
#include "tui/edit_sql.h"
#include "tui/export.h"
#include "tui/overlay.h"
#include "tui/server_dialog.h"
#include "tui/settings_view.h"
#include "tui/tab_view.h"

static void next_theme(struct app *app, const char *name)
{
    const struct theme *theme = name && name[0] ? theme_find(str_of(name)) : NULL;
    if (name && name[0] && !theme) {
        session_say(app->session, MESSAGE_ERROR,
                    "there is no theme %s: dark, light, mono, color-blind", name);
        return;
    }
    for (unsigned i = 0; !theme && i < themes_count; i++)
        if (themes[i] == app->theme) theme = themes[(i + 1) % themes_count];
    app->theme = theme ? theme : themes[0];
    session_say(app->session, MESSAGE_INFO, "theme %s", app->theme->name);
}

static void copy(struct app *app, const char *text)
{
    if (!text || !text[0]) {
        session_say(app->session, MESSAGE_INFO, "Nothing is selected to copy.");
    } else if (app->hooks.copy) {
        session_say(app->session, MESSAGE_INFO, "copied to the terminal's clipboard");
        app->hooks.copy(app->hooks.context, str_of(text));
    }
}

static void compare(struct app *app, const char *path)
{
    if (!app->compare)
        session_say(app->session, MESSAGE_WARNING, "nothing can be read here to compare with");
    else if (path && path[0])
        compare_load_start(app->compare, path);
    else
        prompt_open_argument(app, "Compare with trace:", "dev.perfetty.CompareWith");
}

/* Whoever runs the screen opens it: the session, tabs and all, is another one then. */
static void open_trace(struct app *app, const char *path)
{
    if (!app->can_open) {
        session_say(app->session, MESSAGE_WARNING,
                    "another trace opens in another perfetty: leave with q, then run perfetty %s",
                    path);
    } else if (access(path, R_OK) != 0) {
        session_say(app->session, MESSAGE_ERROR, "%s: %s", path, strerror(errno));
    } else {
        mem_free(app->next_trace);
        app->next_trace = mem_strdup(path);
        app->reload = app->quit = true;
    }
}

static void serve_servers(struct app *app, const struct session_request *request)
{
    if (!app->servers) return;
    switch (request->kind) {
    case REQUEST_SERVERS: server_list_open(app); break;
    case REQUEST_ADD_SERVER: server_dialog_add(app, request->text); break;
    case REQUEST_TRACE_SERVER: server_dialog_open_offer(app); break;
    default: server_dialog_edit(app, request->text); break;
    }
}

static void serve(struct app *app, const struct session_request *request)
{
    const char *text = request->text;
    switch (request->kind) {
    case REQUEST_NONE: break;
    case REQUEST_PALETTE: picker_open_palette(app); break;
    case REQUEST_PROMPT: prompt_open_command(app, text); break;
    case REQUEST_SQL_PROMPT: prompt_open_sql(app, text); break;
    case REQUEST_SEARCH_PROMPT: prompt_open_search(app); break;
    case REQUEST_FIND_TRACK: picker_open_tracks(app, false); break;
    case REQUEST_PIN_TRACK: picker_open_tracks(app, true); break;
    case REQUEST_MACRO_MENU: macro_menu_open(app); break;
    case REQUEST_HELP: help_open(app); break;
    case REQUEST_EXPORT:
        if (text && text[0])
            export_shown(app, text);
        else
            prompt_open_argument(app, "Export to file:", "dev.perfetty.Export");
        break;
    case REQUEST_COPY: copy(app, text); break;
    case REQUEST_OPEN_TRACE:
        if (text && text[0])
            open_trace(app, text);
        else
            prompt_open_argument(app, "Open file:", "dev.perfetto.OpenTrace");
        break;
    case REQUEST_COMPARE: compare(app, text); break;
    case REQUEST_CLOSE_COMPARED:
        if (app->compare) compare_load_drop(app->compare);
        break;
    case REQUEST_CLOSE_TRACE:
    case REQUEST_QUIT: app->quit = true; break;
    case REQUEST_SUSPEND:
        if (app->hooks.suspend) app->hooks.suspend(app->hooks.context);
        break;
    case REQUEST_REDRAW: app->needs_draw = true; break;
    case REQUEST_INTERRUPT:
        session_interrupt(app->session);
        compare_load_stop(app->compare);
        break;
    case REQUEST_RUN_FOCUSED_DETAIL: tab_view_follow(app, app->details); break;
    case REQUEST_FOLD_DETAIL:
        details_toggle_fold(app, app->details, session_tab_shown(app->session)->row,
                            text && text[0]);
        break;
    case REQUEST_THEME: next_theme(app, text); break;
    case REQUEST_SERVERS:
    case REQUEST_ADD_SERVER:
    case REQUEST_TRACE_SERVER:
    case REQUEST_EDIT_SERVER: serve_servers(app, request); break;
    case REQUEST_RELOAD:
        if (app->can_reload)
            app->reload = app->quit = true;
        else
            session_say(app->session, MESSAGE_WARNING,
                        "this trace cannot be read again from here: open it again");
        break;
    case REQUEST_FLAME_FILTER:
        prompt_open_argument(app, "Filter (SS: HS: SFF: HF: P:):", "dev.perfetty.FlamegraphFilter");
        break;
    case REQUEST_FLAME_HIGHLIGHT:
        prompt_open_argument(app, "Highlight:", "dev.perfetty.FlamegraphHighlight");
        break;
    case REQUEST_RECORDING_NAME:
        prompt_open_argument(app, "Name of the macro:", "dev.perfetty.NameRecording");
        break;
    case REQUEST_RECORDING_KEY:
        prompt_open_optional(app,
                             "Key for it, like F5 (Enter: none):", "dev.perfetty.KeyOfRecording");
        break;
    case REQUEST_RECORDING_FILE:
        prompt_open_optional(app,
                             "Sidecar to write (Enter: settings):", "dev.perfetty.FileOfRecording");
        break;
    case REQUEST_BIND_KEYS: app_bind_keys(app); break;
    case REQUEST_TABLE_FILTER:
        prompt_open_argument(app, "Filter (text /re/ =v >n !):", "dev.perfetty.FilterTable");
        break;
    case REQUEST_EDIT_SQL: edit_sql(app, text); break;
    case REQUEST_ASK_SETTING: settings_view_ask(app, text); break;
    case REQUEST_STORE_SETTING: settings_view_store(app, text); break;
    case REQUEST_TABLE_FILTER_COLUMN: {
        struct buffer label = BUFFER_INIT;
        buffer_printf(&label, "Filter %s (text /re/ =v >n !):", text);
        prompt_open_argument(app, buffer_text(&label), "dev.perfetty.FilterTableColumn");
        buffer_free(&label);
        break;
    }
    }
}

void requests_serve(struct app *app)
{
    struct session_request request;
    while (session_take_request(app->session, &request)) {
        serve(app, &request);
        mem_free(request.text);
        app->needs_draw = true;
    }
}
