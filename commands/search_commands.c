/* Search. */
#include <string.h>

#include "commands/core.h"
#include "commands/session.h"

static bool search_mode(const struct command_call *call, struct status *st)
{
    (void)st;
    session_ask(call->session, REQUEST_SEARCH_PROMPT, NULL);
    return true;
}

static bool search(const struct command_call *call, struct status *st)
{
    const struct search *now = &call->session->search;
    if (!now->term || strcmp(now->term, call->args[0]) != 0)
        session_search(call->session, call->args[0]);
    if (!now->error) return true;
    return status_fail(st, STATUS_INVALID, STATUS_NO_OFFSET, "%.80s: %s", now->term, now->error);
}

static bool search_next(const struct command_call *call, struct status *st)
{
    return session_search_step(call->session, true, st);
}

static bool search_prev(const struct command_call *call, struct status *st)
{
    return session_search_step(call->session, false, st);
}

static bool show_results(const struct command_call *call, struct status *st)
{
    (void)st;
    session_tab_show(call->session,
                     session_tab_of_kind(call->session, TAB_SEARCH, "Search results"));
    return true;
}

const struct command command_switch_to_search_mode = {
    .id = "dev.perfetto.SwitchToSearchMode", .name = "Search", .run = search_mode};
const struct command command_search = {
    .id = "dev.perfetty.Search",
    .name = "Search for a text or a /regex/",
    .kind = COMMAND_QUERY,
    .args = {{"text", COMMAND_ARG_TEXT, false, NULL}},
    .run = search,
};
const struct command command_search_next = {
    .id = "dev.perfetto.SearchNext", .name = "Next hit of the search", .run = search_next};
const struct command command_search_prev = {
    .id = "dev.perfetto.SearchPrev", .name = "Previous hit of the search", .run = search_prev};
const struct command command_show_search_results = {
    .id = "dev.perfetty.ShowSearchResults", .name = "List the hits", .run = show_results};
