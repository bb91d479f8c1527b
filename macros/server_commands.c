/* What a person can do about extension servers, as commands.  All of them reach
 * out of the program: no macro of a trace or a server runs one unasked. */
#include "engine/base/memory.h"
#include "macros/server_host.h"

static bool ask(const struct command_call *call, enum request_kind kind)
{
    session_ask(call->session, kind, command_arg(call, 0, NULL));
    return true;
}

static bool show(const struct command_call *call, struct status *st)
{
    (void)st;
    return ask(call, REQUEST_SERVERS);
}

static bool add(const struct command_call *call, struct status *st)
{
    struct server server;
    const char *text = command_arg(call, 0, "");
    if (text[0]) {
        if (!server_parse(text, &server, st)) return false;
        server_dispose(&server);
    }
    return ask(call, REQUEST_ADD_SERVER);
}

static bool add_of_trace(const struct command_call *call, struct status *st)
{
    enum server_match match;
    if (!server_host_reference(call->closure, &match))
        return status_fail(st, STATUS_NOT_FOUND, STATUS_NO_OFFSET,
                           "the trace names no extension server that is not here already");
    return ask(call, REQUEST_TRACE_SERVER);
}

static bool edit(const struct command_call *call, struct status *st)
{
    if (!server_host_find(call->closure, call->args[0], st)) return false;
    return ask(call, REQUEST_EDIT_SERVER);
}

static bool enable(const struct command_call *call, struct status *st)
{
    return server_host_enable(call->closure, call->session, call->args[0], true, st);
}

static bool disable(const struct command_call *call, struct status *st)
{
    return server_host_enable(call->closure, call->session, call->args[0], false, st);
}

static bool remove_server(const struct command_call *call, struct status *st)
{
    return server_host_remove(call->closure, call->session, call->args[0], st);
}

static bool refresh(const struct command_call *call, struct status *st)
{
    return server_host_refresh(call->closure, call->session, command_arg(call, 0, NULL), st);
}

static bool share(const struct command_call *call, struct status *st)
{
    const struct server_entry *entry = server_host_find(call->closure, call->args[0], st);
    if (!entry) return false;
    struct buffer text = BUFFER_INIT;
    server_share(&entry->server, &text);
    session_ask(call->session, REQUEST_COPY, buffer_text(&text));
    buffer_free(&text);
    return true;
}

static bool show_report(const struct command_call *call, struct status *st)
{
    struct buffer text = BUFFER_INIT;
    (void)st;
    server_host_append_report(call->closure, &text);
    if (!text.length) buffer_append_text(&text, "No problem with an extension server.\n");
    session_tab_show(call->session,
                     session_tab_page(call->session, "Extension servers", buffer_take(&text)));
    call->session->pane = PANE_DETAILS;
    session_changed(call->session);
    return true;
}

static bool reload(const struct command_call *call, struct status *st)
{
    (void)st;
    return ask(call, REQUEST_RELOAD);
}

#define SERVER_ARG \
    { \
        "server", COMMAND_ARG_TEXT, false, NULL \
    }
#define MAYBE_SERVER_ARG \
    { \
        "server", COMMAND_ARG_TEXT, true, NULL \
    }

static const struct command commands[] = {
    {.id = "dev.perfetty.ShowServers",
     .name = "Extension servers",
     .kind = COMMAND_REACH,
     .run = show},
    {.id = "dev.perfetty.AddServer",
     .name = "Add an extension server",
     .kind = COMMAND_REACH,
     .args = {MAYBE_SERVER_ARG},
     .run = add},
    {.id = "dev.perfetty.AddTraceServer",
     .name = "Add the extension server that the trace names",
     .kind = COMMAND_REACH,
     .run = add_of_trace},
    {.id = "dev.perfetty.EditServer",
     .name = "Edit an extension server",
     .kind = COMMAND_REACH,
     .args = {SERVER_ARG},
     .run = edit},
    {.id = "dev.perfetty.EnableServer",
     .name = "Enable an extension server, and ask it",
     .kind = COMMAND_REACH,
     .args = {SERVER_ARG},
     .run = enable},
    {.id = "dev.perfetty.DisableServer",
     .name = "Disable an extension server",
     .kind = COMMAND_REACH,
     .args = {SERVER_ARG},
     .run = disable},
    {.id = "dev.perfetty.RemoveServer",
     .name = "Remove an extension server",
     .kind = COMMAND_REACH,
     .args = {SERVER_ARG},
     .run = remove_server},
    {.id = "dev.perfetty.RefreshServers",
     .name = "Ask the extension servers again, or one of them",
     .kind = COMMAND_REACH,
     .args = {MAYBE_SERVER_ARG},
     .run = refresh},
    {.id = "dev.perfetty.ShareServer",
     .name = "Copy a text that adds an extension server elsewhere",
     .kind = COMMAND_REACH,
     .args = {SERVER_ARG},
     .run = share},
    {.id = "dev.perfetty.ShowServerReport",
     .name = "What is wrong with extension servers",
     .kind = COMMAND_VIEW,
     .run = show_report},
    {.id = "dev.perfetty.ReloadTrace",
     .name = "Read the trace again",
     .kind = COMMAND_REACH,
     .run = reload},
};

void server_commands_register(struct server_host *host, struct session *session)
{
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        struct status st = STATUS_INIT;
        registry_add(session->registry, &commands[i], COMMAND_CORE, "", host, NULL, NULL, &st);
        status_clear(&st);
    }
}
