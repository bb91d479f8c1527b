/* What is remembered of the question about startup commands: shown, and ended. */
#include "commands/command.h"
#include "commands/session.h"
#include "commands/settings.h"
#include "commands/trust.h"
#include "engine/base/utf8.h"

static void append_decisions(const struct settings *settings, struct buffer *out)
{
    size_t n = settings ? settings->decisions.count : 0;
    buffer_printf(out, "Remembered decisions on startup commands of traces (%zu)\n", n);
    if (n == 0)
        buffer_append_text(out, "  none; \"Always this\" and \"Never this\" of the question make "
                                "one\n");
    for (size_t i = 0; i < n; i++) {
        struct buffer line = BUFFER_INIT;
        trust_append_line(&settings->decisions.items[i], &line);
        buffer_append_text(out, "  ");
        utf8_append_visible(out, buffer_str(&line), false);
        buffer_append_byte(out, '\n');
        buffer_free(&line);
    }
    if (n)
        buffer_append_text(out, "dev.perfetty.ForgetStartupDecision ID ends one, all ends all\n");
}

static bool show(const struct command_call *call, struct status *st)
{
    struct session *session = call->session;
    struct buffer text = BUFFER_INIT;
    (void)st;
    append_decisions(session->settings, &text);
    session_tab_show(session, session_tab_page(session, "Startup decisions", buffer_take(&text)));
    if (session->drawer < DRAWER_HALF) session->drawer = DRAWER_HALF;
    session->pane = PANE_DETAILS;
    session_changed(session);
    return true;
}

static bool forget(const struct command_call *call, struct status *st)
{
    struct session *session = call->session;
    char content[SHA256_HEX] = "";
    const char *name = command_arg(call, 0, NULL);
    if (!session->settings)
        return status_fail(st, STATUS_INVALID, STATUS_NO_OFFSET, "there are no settings here");
    for (uint32_t i = 0; !name && i < session->n_traces; i++)
        if (trust_content_of_trace(session, &session->traces[i], content)) name = content;
    if (!name)
        return status_fail(st, STATUS_NOT_FOUND, STATUS_NO_OFFSET,
                           "the trace has no startup commands");
    size_t n = trust_forget(session->settings, name, st);
    if (n == 0) return false;
    session_say(session, MESSAGE_INFO, "%zu decision%s forgotten: the next such trace asks", n,
                n == 1 ? "" : "s");
    return true;
}

const struct command command_show_startup_decisions = {
    .id = "dev.perfetty.ShowStartupDecisions",
    .name = "Show what is remembered about startup commands of traces",
    .run = show,
};

const struct command command_forget_startup_decision = {
    .id = "dev.perfetty.ForgetStartupDecision",
    .name = "Forget a decision about startup commands: this trace's, one by id, or all",
    .kind = COMMAND_REACH,
    .args = {{"content", COMMAND_ARG_TEXT, true, NULL}},
    .run = forget,
};
