/* Tabs, panes and the drawer. */
#include <string.h>

#include "commands/core.h"
#include "commands/session.h"
#include "engine/base/memory.h"

#define DRAWER_SIZES "closed|small|half|full"

static size_t shown_index(const struct session *session)
{
    for (size_t i = 0; i < session->tabs.count; i++)
        if (session->tabs.items[i]->id == session->tab_shown) return i;
    return 0;
}

static bool step_tab(const struct command_call *call, int step)
{
    struct session *session = call->session;
    size_t n = session->tabs.count;
    size_t to = (shown_index(session) + n + (size_t)step) % n;
    session_tab_show(session, session->tabs.items[to]);
    return true;
}

static bool next_tab(const struct command_call *call, struct status *st)
{
    (void)st;
    return step_tab(call, 1);
}

static bool previous_tab(const struct command_call *call, struct status *st)
{
    (void)st;
    return step_tab(call, -1);
}

static bool show_tab(const struct command_call *call, struct status *st)
{
    int64_t n = 0;
    str_to_int64(str_of(call->args[0]), &n);
    if (n < 1 || n > (int64_t)call->session->tabs.count)
        return status_fail(st, STATUS_NOT_FOUND, STATUS_NO_OFFSET, "there are %zu tabs",
                           call->session->tabs.count);
    session_tab_show(call->session, call->session->tabs.items[n - 1]);
    return true;
}

static bool close_tab(const struct command_call *call, struct status *st)
{
    if (session_tab_close(call->session, session_tab_shown(call->session)->id)) return true;
    return status_fail(st, STATUS_INVALID, STATUS_NO_OFFSET, "the selection's tab stays");
}

static bool name_tab(const struct command_call *call, struct status *st)
{
    (void)st;
    struct tab *tab = session_tab_shown(call->session);
    mem_free(tab->title);
    tab->title = mem_strdup(call->args[0]);
    session_changed(call->session);
    return true;
}

static bool show_kind(const struct command_call *call, enum tab_kind kind, const char *title)
{
    session_tab_show(call->session, session_tab_of_kind(call->session, kind, title));
    return true;
}

static bool show_selection(const struct command_call *call, struct status *st)
{
    (void)st;
    return show_kind(call, TAB_SELECTION, "Current Selection");
}

static bool show_log(const struct command_call *call, struct status *st)
{
    (void)st;
    return show_kind(call, TAB_LOG, "Messages");
}

static bool show_report(const struct command_call *call, struct status *st)
{
    (void)st;
    return show_kind(call, TAB_REPORT, "Startup report");
}

static bool show_notes(const struct command_call *call, struct status *st)
{
    (void)st;
    return show_kind(call, TAB_NOTES, "Notes");
}

static bool next_pane(const struct command_call *call, struct status *st)
{
    (void)st;
    struct session *session = call->session;
    if (call->n_args)
        session->pane = strcmp(call->args[0], "details") == 0 ? PANE_DETAILS : PANE_TIMELINE;
    else
        session->pane = session->pane == PANE_TIMELINE ? PANE_DETAILS : PANE_TIMELINE;
    if (session->drawer == DRAWER_CLOSED && (!call->n_args || session->pane == PANE_DETAILS))
        session->drawer = DRAWER_SMALL;
    session_changed(session);
    return true;
}

static bool toggle_drawer(const struct command_call *call, struct status *st)
{
    (void)st;
    struct session *session = call->session;
    session->drawer = session->drawer == DRAWER_CLOSED ? DRAWER_SMALL : DRAWER_CLOSED;
    if (session->drawer == DRAWER_CLOSED) session->pane = PANE_TIMELINE;
    session_changed(session);
    return true;
}

static bool cycle_drawer(const struct command_call *call, struct status *st)
{
    (void)st;
    struct session *session = call->session;
    struct str rest = STR(DRAWER_SIZES), piece;
    session->drawer = session->drawer == DRAWER_FULL ? DRAWER_SMALL : session->drawer + 1;
    for (int i = 0; call->n_args && str_split_next(&rest, '|', &piece); i++)
        if (str_is(piece, call->args[0])) session->drawer = (enum session_drawer)i;
    if (session->drawer == DRAWER_CLOSED) session->pane = PANE_TIMELINE;
    session_changed(session);
    return true;
}

#define PLAIN(symbol, command_id, words, function) \
    const struct command symbol = {.id = command_id, .name = words, .run = function}

PLAIN(command_next_tab, "dev.perfetty.NextTab", "Next tab", next_tab);
PLAIN(command_previous_tab, "dev.perfetty.PreviousTab", "Previous tab", previous_tab);
const struct command command_show_tab = {
    .id = "dev.perfetty.ShowTab",
    .name = "Go to a tab by number",
    .args = {{"number", COMMAND_ARG_INT, false, NULL}},
    .run = show_tab,
};
PLAIN(command_close_tab, "dev.perfetty.CloseTab", "Close the tab", close_tab);
const struct command command_name_tab = {
    .id = "dev.perfetto.NameTab",
    .name = "Name the tab",
    .args = {{"title", COMMAND_ARG_TEXT, false, NULL}},
    .run = name_tab,
};
PLAIN(command_show_current_selection_tab, "dev.perfetto.ShowCurrentSelectionTab",
      "Show the selection's tab", show_selection);
PLAIN(command_show_log, "dev.perfetty.ShowLog", "Show past messages", show_log);
PLAIN(command_show_startup_report, "dev.perfetty.ShowStartupReport", "Show the startup report",
      show_report);
PLAIN(command_show_notes, "dev.perfetty.ShowNotes", "List the notes", show_notes);
const struct command command_next_pane = {
    .id = "dev.perfetty.NextPane",
    .name = "Next pane, or the one that is named",
    .args = {{"pane", COMMAND_ARG_CHOICE, true, "timeline|details"}},
    .run = next_pane,
};
PLAIN(command_toggle_drawer, "dev.perfetto.ToggleDrawer", "Open or close the details",
      toggle_drawer);
const struct command command_cycle_drawer = {
    .id = "dev.perfetty.CycleDrawer",
    .name = "Size of the details: small, half, full",
    .args = {{"size", COMMAND_ARG_CHOICE, true, DRAWER_SIZES}},
    .run = cycle_drawer,
};
