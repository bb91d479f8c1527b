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

/* Only the selection's tab has groups of lines. */
static bool fold(const struct command_call *call, const char *what, struct status *st)
{
    if (session_tab_shown(call->session)->kind != TAB_SELECTION)
        return status_fail(st, STATUS_INVALID, STATUS_NO_OFFSET, "this tab has nothing to fold");
    session_ask(call->session, REQUEST_FOLD_DETAIL, what);
    return true;
}

static bool toggle_detail_fold(const struct command_call *call, struct status *st)
{
    return fold(call, "", st);
}

static bool toggle_all_detail_folds(const struct command_call *call, struct status *st)
{
    return fold(call, "all", st);
}

const struct command command_toggle_detail_fold = {
    .id = "dev.perfetty.ToggleDetailFold",
    .name = "Open or fold a group of the details",
    .run = toggle_detail_fold,
};
const struct command command_toggle_all_detail_folds = {
    .id = "dev.perfetty.ToggleAllDetailFolds",
    .name = "Open or fold all groups of the details",
    .run = toggle_all_detail_folds,
};
const struct command command_move_tab_row = {
    .id = "dev.perfetty.MoveTabRow",
    .name = "Move in the rows of the tab",
    .kind = COMMAND_VIEW,
    .args = {{"rows", COMMAND_ARG_INT, false, NULL}},
    .run = move_tab_row,
};
