/* Moving in what the shown tab holds; the screen knows where it ends. */
#include "commands/core.h"
#include "commands/session.h"

static bool move_tab_row(const struct command_call *call, struct status *st)
{
    int64_t by = 0;
    str_to_int64(str_of(call->args[0]), &by);
    struct tab *tab = session_tab_shown(call->session);
    if (!tab) return status_fail(st, STATUS_NOT_FOUND, STATUS_NO_OFFSET, "no tab is shown");
    if (by < 0)
        tab->row = tab->row > (uint64_t)-by ? tab->row - (uint64_t)-by : 0;
    else
        tab->row += (uint64_t)by;
    session_changed(call->session);
    return true;
}

const struct command command_move_tab_row = {
    .id = "dev.perfetty.MoveTabRow",
    .name = "Move in the rows of the tab",
    .kind = COMMAND_VIEW,
    .args = {{"rows", COMMAND_ARG_INT, false, NULL}},
    .run = move_tab_row,
};
