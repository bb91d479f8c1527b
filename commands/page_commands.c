/* What can be chosen on a page: the window or the whole trace, the least level, the
 * next rows. */
#include <string.h>

#include "commands/command.h"
#include "commands/page.h"

static struct tab *shown_page(const struct command_call *call, struct status *st)
{
    struct tab *tab = session_tab_shown(call->session);
    if (page_is_bounded(tab->page)) return tab;
    status_fail(st, STATUS_INVALID, STATUS_NO_OFFSET,
                "the shown tab is no page of events (logs, ftrace events)");
    return NULL;
}

static void asked_anew(struct session *session, struct tab *tab)
{
    tab->row = 0;
    session_changed(session);
    session_follow_page(session);
}

static bool follow_window(const struct command_call *call, struct status *st)
{
    struct tab *tab = shown_page(call, st);
    if (!tab) return false;
    if (tab->page->kind->is_timeless)
        return status_fail(st, STATUS_INVALID, STATUS_NO_OFFSET, "what %s shows has no times",
                           tab->title);
    const char *what = command_arg(call, 0, tab->page->follows_window ? "off" : "on");
    tab->page->follows_window = strcmp(what, "on") == 0;
    tab->page->skipped = 0;
    session_say(call->session, MESSAGE_INFO, "%s: rows of the %s", tab->title,
                tab->page->follows_window ? "visible window" : "whole trace");
    asked_anew(call->session, tab);
    return true;
}

static bool set_level(const struct command_call *call, struct status *st)
{
    struct tab *tab = shown_page(call, st);
    if (!tab) return false;
    const char *const *levels = tab->page->kind->levels;
    if (!levels)
        return status_fail(st, STATUS_INVALID, STATUS_NO_OFFSET, "%s has no levels", tab->title);
    uint32_t level = levels[tab->page->level + 1] ? tab->page->level + 1 : 0;
    if (call->n_args) {
        level = 0;
        while (levels[level] && strcmp(levels[level], call->args[0]) != 0)
            level++;
        if (!levels[level]) {
            struct buffer all = BUFFER_INIT;
            for (uint32_t i = 0; levels[i]; i++)
                buffer_printf(&all, "%s%s", i ? ", " : "", levels[i]);
            status_fail(st, STATUS_NOT_FOUND, STATUS_NO_OFFSET, "there is no level %s: %s",
                        call->args[0], buffer_text(&all));
            buffer_free(&all);
            return false;
        }
    }
    tab->page->level = level;
    tab->page->skipped = 0;
    if (level)
        session_say(call->session, MESSAGE_INFO, "%s: level %s and worse", tab->title,
                    levels[level]);
    else
        session_say(call->session, MESSAGE_INFO, "%s: all levels", tab->title);
    asked_anew(call->session, tab);
    return true;
}

static bool more_rows(const struct command_call *call, struct status *st)
{
    struct tab *tab = shown_page(call, st);
    if (!tab) return false;
    struct page *page = tab->page;
    bool back = strcmp(command_arg(call, 0, "next"), "previous") == 0;
    if (back && !page->skipped)
        return status_fail(st, STATUS_NOT_FOUND, STATUS_NO_OFFSET, "these are the first rows");
    if (!back && tab->result && tab->result->n_rows < PAGE_ROWS)
        return status_fail(st, STATUS_NOT_FOUND, STATUS_NO_OFFSET, "these are the last rows");
    if (back)
        page->skipped = page->skipped > PAGE_ROWS ? page->skipped - PAGE_ROWS : 0;
    else
        page->skipped += PAGE_ROWS;
    asked_anew(call->session, tab);
    return true;
}

const struct command command_page_follows_window = {
    .id = "dev.perfetty.PageFollowsWindow",
    .name = "Page: rows of the visible window, or of the whole trace",
    .args = {{"what", COMMAND_ARG_CHOICE, true, "on|off"}},
    .run = follow_window,
};
const struct command command_page_level = {
    .id = "dev.perfetty.PageLevel",
    .name = "Page: the least level of log lines; again: the next",
    .args = {{"level", COMMAND_ARG_TEXT, true, NULL}},
    .run = set_level,
};
const struct command command_page_rows = {
    .id = "dev.perfetty.PageRows",
    .name = "Page: the next, or the previous, thousands of rows",
    .args = {{"which", COMMAND_ARG_CHOICE, true, "next|previous"}},
    .run = more_rows,
};
