/* What only the screen can do is asked of it; how things are shown is set here. */
#include <inttypes.h>
#include <string.h>

#include "commands/core.h"
#include "commands/event.h"

static bool ask(const struct command_call *call, enum request_kind kind)
{
    session_ask(call->session, kind, command_arg(call, 0, NULL));
    return true;
}

#define ASKS(function, request) \
    static bool function(const struct command_call *call, struct status *st) \
    { \
        (void)st; \
        return ask(call, request); \
    }

ASKS(palette, REQUEST_PALETTE)
ASKS(prompt, REQUEST_PROMPT)
ASKS(macro_menu, REQUEST_MACRO_MENU)
ASKS(help, REQUEST_HELP)
ASKS(quit, REQUEST_QUIT)
ASKS(suspend, REQUEST_SUSPEND)
ASKS(redraw, REQUEST_REDRAW)
ASKS(export, REQUEST_EXPORT)
ASKS(open_trace, REQUEST_OPEN_TRACE)
ASKS(close_trace, REQUEST_CLOSE_TRACE)
ASKS(theme, REQUEST_THEME)

static bool stop_work(const struct command_call *call, struct status *st)
{
    (void)st;
    session_interrupt(call->session);
    return ask(call, REQUEST_INTERRUPT);
}

/* What is selected, as text: names as they are, times in nanoseconds. */
static bool selection_text(struct session *session, struct buffer *out)
{
    const struct selection *s = &session->selection;
    struct event event;
    const struct track_node *node;
    const struct note *note;
    switch (s->kind) {
    case SELECTION_EVENT:
        if (!event_of_selection(session, &event)) return false;
        buffer_append_str(out, event.name);
        buffer_printf(out, "%s%" PRId64 " ns, %" PRId64 " ns", event.name.n ? "  " : "", event.ts,
                      event.dur);
        return true;
    case SELECTION_TRACK:
        node = track_tree_find(&session->workspace->tree, s->uri);
        if (!node) node = track_tree_find(&session->workspace->pinned, s->uri);
        if (node) track_node_path(node, out);
        return node != NULL;
    case SELECTION_AREA:
        buffer_printf(out, "%" PRId64 " ns to %" PRId64 " ns", s->start, s->end);
        return true;
    case SELECTION_NOTE:
        note = session_note_find(session, s->id);
        if (note) buffer_append_text(out, note->text);
        return note != NULL;
    case SELECTION_NONE: break;
    }
    buffer_printf(out, "%" PRId64, session->cursor);
    return true;
}

static bool copy(const struct command_call *call, struct status *st)
{
    struct session *session = call->session;
    if (call->n_args) return ask(call, REQUEST_COPY);
    if (session->pane == PANE_DETAILS && session_tab_shown(session)->kind != TAB_SELECTION) {
        session_ask(session, REQUEST_COPY, NULL); /* the screen knows the cell */
        return true;
    }
    struct buffer text = BUFFER_INIT;
    bool good = selection_text(session, &text);
    if (good)
        session_ask(session, REQUEST_COPY, buffer_text(&text));
    else
        status_fail(st, STATUS_INVALID, STATUS_NO_OFFSET, "nothing is selected");
    buffer_free(&text);
    return good;
}

/* ---- how things are shown ---- */

bool session_time_format_parse(const char *name, enum session_time_format *out)
{
    struct str rest = STR(SESSION_TIME_FORMATS), piece;
    for (unsigned i = 0; str_split_next(&rest, '|', &piece); i++) {
        if (!str_is(piece, name)) continue;
        *out = (enum session_time_format)i;
        return true;
    }
    return false;
}

static bool set_time_format(const struct command_call *call, struct status *st)
{
    (void)st;
    if (!session_time_format_parse(call->args[0], &call->session->time_format)) return false;
    session_changed(call->session);
    return true;
}

static bool next_time_format(const struct command_call *call, struct status *st)
{
    (void)st;
    call->session->time_format = (call->session->time_format + 1) % TIME_FORMAT_COUNT;
    session_changed(call->session);
    return true;
}

static bool set_duration_precision(const struct command_call *call, struct status *st)
{
    (void)st;
    call->session->human_durations = strcmp(call->args[0], "human_readable") == 0;
    session_changed(call->session);
    return true;
}

static bool toggle(const struct command_call *call, bool *flag)
{
    *flag = !*flag;
    session_changed(call->session);
    return true;
}

static bool toggle_crosshair(const struct command_call *call, struct status *st)
{
    (void)st;
    return toggle(call, &call->session->crosshair);
}

static bool toggle_minimap(const struct command_call *call, struct status *st)
{
    (void)st;
    return toggle(call, &call->session->minimap);
}

static bool toggle_sidebar(const struct command_call *call, struct status *st)
{
    (void)st;
    return toggle(call, &call->session->sidebar);
}

static bool set_name_width(const struct command_call *call, struct status *st)
{
    int64_t cells = 0;
    str_to_int64(str_of(call->args[0]), &cells);
    if (cells < 0 || cells > 200)
        return status_fail(st, STATUS_USAGE, STATUS_NO_OFFSET, "the width is 0 to 200 cells");
    call->session->name_cells = (uint32_t)cells;
    session_changed(call->session);
    return true;
}

#define SCREEN(symbol, command_id, words, the_kind, function) \
    const struct command symbol = { \
        .id = command_id, .name = words, .kind = the_kind, .run = function}
#define SCREEN_ARG(symbol, command_id, words, the_kind, arg, type, function) \
    const struct command symbol = {.id = command_id, \
                                   .name = words, \
                                   .kind = the_kind, \
                                   .args = {{arg, type, true, NULL}}, \
                                   .run = function}

SCREEN_ARG(command_open_command_palette, "dev.perfetto.OpenCommandPalette", "All commands",
           COMMAND_VIEW, "text", COMMAND_ARG_TEXT, palette);
SCREEN_ARG(command_open_prompt, "dev.perfetty.OpenPrompt", "Command prompt", COMMAND_VIEW, "text",
           COMMAND_ARG_TEXT, prompt);
SCREEN(command_macro_menu, "dev.perfetty.OpenMacroMenu", "Macros", COMMAND_VIEW, macro_menu);
SCREEN(command_show_help, "dev.perfetto.ShowHelp", "Help", COMMAND_VIEW, help);
SCREEN(command_quit, "dev.perfetty.Quit", "Quit", COMMAND_REACH, quit);
SCREEN(command_suspend, "dev.perfetty.Suspend", "Suspend", COMMAND_REACH, suspend);
SCREEN(command_redraw, "dev.perfetty.Redraw", "Draw the screen again", COMMAND_VIEW, redraw);
SCREEN(command_stop_work, "dev.perfetty.StopWork", "Stop what is running", COMMAND_VIEW, stop_work);
SCREEN_ARG(command_export, "dev.perfetty.Export", "Export what is shown", COMMAND_REACH, "file",
           COMMAND_ARG_FILE, export);
SCREEN_ARG(command_copy, "dev.perfetty.Copy", "Copy what is selected", COMMAND_REACH, "text",
           COMMAND_ARG_TEXT, copy);
SCREEN_ARG(command_open_trace, "dev.perfetto.OpenTrace", "Open another trace", COMMAND_REACH,
           "file", COMMAND_ARG_FILE, open_trace);
SCREEN(command_close_trace, "dev.perfetto.CloseTrace", "Close the trace", COMMAND_REACH,
       close_trace);
SCREEN_ARG(command_toggle_theme, "dev.perfetto.ToggleTheme", "Next theme, or one by name",
           COMMAND_VIEW, "theme", COMMAND_ARG_TEXT, theme);
const struct command command_set_timestamp_format = {
    .id = "dev.perfetto.SetTimestampFormat",
    .name = "Set how times are shown",
    .args = {{"format", COMMAND_ARG_CHOICE, false, SESSION_TIME_FORMATS}},
    .run = set_time_format,
};
SCREEN(command_next_time_format, "dev.perfetty.NextTimestampFormat",
       "Show times in the next format", COMMAND_VIEW, next_time_format);
const struct command command_set_duration_precision = {
    .id = "dev.perfetto.SetDurationPrecision",
    .name = "Set how durations are shown",
    .args = {{"precision", COMMAND_ARG_CHOICE, false, "full|human_readable"}},
    .run = set_duration_precision,
};
SCREEN(command_toggle_crosshair, "dev.perfetty.ToggleCrosshair", "Line under the cursor on or off",
       COMMAND_VIEW, toggle_crosshair);
SCREEN(command_toggle_minimap, "dev.perfetty.ToggleMinimap", "Overview line on or off",
       COMMAND_VIEW, toggle_minimap);
SCREEN(command_toggle_left_sidebar, "dev.perfetto.ToggleLeftSidebar", "Sidebar on or off",
       COMMAND_VIEW, toggle_sidebar);
const struct command command_set_name_width = {
    .id = "dev.perfetty.SetNameWidth",
    .name = "Set the width of the names' column (0: automatic)",
    .args = {{"cells", COMMAND_ARG_INT, false, NULL}},
    .run = set_name_width,
};
