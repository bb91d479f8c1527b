/* What a macro needs of a trace: it says what is missing, and ends. */
#include "commands/core.h"
#include "commands/track_match.h"

/* One row is enough.  In a macro that another one started only the inner one ends. */
static bool require_rows(const struct command_call *call, struct status *st)
{
    struct session *session = call->session;
    struct result *rows = session_query(session, session_trace_in_focus(session),
                                        command_origin(call->context), call->args[0], 1, st);
    if (!rows) return false;
    bool some = rows->n_rows > 0;
    result_free(rows);
    if (some) return true;
    session_say(session, MESSAGE_WARNING, "%s", call->args[1]);
    if (call->context->ends_macro) *call->context->ends_macro = true;
    return true;
}

const struct command command_require_rows = {
    .id = "dev.perfetty.RequireRows",
    .name = "Go on when a query has rows, else say what is missing and end the macro",
    .kind = COMMAND_QUERY,
    .args = {{"query", COMMAND_ARG_SQL, false, NULL}, {"message", COMMAND_ARG_TEXT, false, NULL}},
    .run = require_rows,
};
