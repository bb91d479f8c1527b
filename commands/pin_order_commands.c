/* The order of pinned tracks. */
#include <string.h>

#include "commands/command.h"
#include "commands/session.h"

static bool move_pin(const struct command_call *call, struct status *st)
{
    struct session *session = call->session;
    struct track_node_list *pins = &session->workspace->pinned.root.children;
    bool down = strcmp(call->args[0], "down") == 0;
    size_t at = 0;
    while (at < pins->count && pins->items[at] != session->focus)
        at++;
    if (at == pins->count)
        return status_fail(st, STATUS_INVALID, STATUS_NO_OFFSET,
                           "the track in focus is no pinned row: gg goes to the first of them");
    if (down ? at + 1 == pins->count : at == 0)
        return status_fail(st, STATUS_NOT_FOUND, STATUS_NO_OFFSET, "it is the %s pinned row",
                           down ? "last" : "first");
    size_t to = down ? at + 1 : at - 1;
    struct track_node *other = pins->items[to];
    pins->items[to] = pins->items[at];
    pins->items[at] = other;
    session_changed(session);
    session_say(session, MESSAGE_INFO, "%s is pinned row %zu of %zu", pins->items[to]->name, to + 1,
                pins->count);
    return true;
}

const struct command command_move_pin = {
    .id = "dev.perfetty.MovePin",
    .name = "Move the pinned row up or down",
    .args = {{"where", COMMAND_ARG_CHOICE, false, "up|down"}},
    .run = move_pin,
};
