/* The page that shows all that a trace brings along: modules with their SQL, macros
 * with steps, descriptors, startup commands, the server, and what was skipped.  Text of
 * the trace is shown with unsafe characters replaced. */
#include "commands/command.h"
#include "commands/registry.h"
#include "commands/session.h"
#include "commands/settings.h"
#include "engine/base/memory.h"
#include "engine/base/utf8.h"
#include "engine/extensions/json.h"

struct page {
    struct session *session;
    const struct session_trace *trace;
    struct buffer text;
    struct buffer skipped; /* lines of the last part */
};

static void put(struct buffer *out, struct str s)
{
    utf8_append_visible(out, s, false);
}

static void put_member(struct buffer *out, const json_t *object, const char *key)
{
    put(out, json_str(json_object_get(object, key)));
}

static void put_heading(struct page *page, const char *words, size_t n)
{
    buffer_printf(&page->text, "\n%s (%zu)\n", words, n);
}

/* ---- modules ---- */

static void put_modules(struct page *page, json_t *list)
{
    const char *skipped = engine_trace_package_skipped(page->trace->engine);
    json_t *entry;
    size_t i;
    if (json_array_size(list) == 0) return;
    put_heading(page, "SQL modules", json_array_size(list));
    if (skipped) {
        buffer_append_text(&page->text, "  left out, see below\n");
        buffer_append_text(&page->skipped, "  the SQL package: ");
        put(&page->skipped, str_of(skipped));
        buffer_append_byte(&page->skipped, '\n');
    }
    json_array_foreach(list, i, entry)
    {
        struct str rest = str_trim(json_str(json_object_get(entry, "sql"))), line;
        buffer_append_text(&page->text, "  INCLUDE PERFETTO MODULE ");
        put_member(&page->text, entry, "name");
        buffer_append_byte(&page->text, '\n');
        while (str_split_next(&rest, '\n', &line)) {
            buffer_append_text(&page->text, "    | ");
            put(&page->text, line);
            buffer_append_byte(&page->text, '\n');
        }
    }
}

/* ---- commands and macros ---- */

static void put_invocation(struct buffer *out, const json_t *command)
{
    json_t *args = json_object_get(command, "args"), *arg;
    size_t i;
    put_member(out, command, "id");
    json_array_foreach(args, i, arg)
    {
        buffer_append_text(out, " \"");
        put(out, json_str(arg));
        buffer_append_byte(out, '"');
    }
    buffer_append_byte(out, '\n');
}

static void note_taken_id(struct page *page, const char *id)
{
    const struct registry_entry *entry = registry_find(page->session->registry, id);
    if (entry && entry->scope == COMMAND_TRACE_MACRO) return;
    buffer_append_text(&page->skipped, "  macro ");
    put(&page->skipped, str_of(id));
    if (!entry)
        buffer_append_text(&page->skipped, ": it was not registered; see the messages\n");
    else if (entry->origin && entry->origin[0])
        buffer_printf(&page->skipped, ": another macro has this id (%s)\n", entry->origin);
    else
        buffer_append_text(&page->skipped, ": a command of the program has this id\n");
}

static void put_macros(struct page *page, json_t *list)
{
    json_t *macro, *step;
    size_t i, k;
    if (json_array_size(list) == 0) return;
    put_heading(page, "Macros", json_array_size(list));
    json_array_foreach(list, i, macro)
    {
        const char *id = json_string_value(json_object_get(macro, "id"));
        buffer_append_text(&page->text, "  ");
        put_member(&page->text, macro, "name");
        buffer_append_text(&page->text, "  (");
        put(&page->text, str_of(id));
        buffer_append_text(&page->text, ")\n");
        json_array_foreach(json_object_get(macro, "run"), k, step)
        {
            buffer_printf(&page->text, "    %zu. ", k + 1);
            put_invocation(&page->text, step);
        }
        if (id) note_taken_id(page, id);
    }
}

/* What decides on them, and what is remembered. */
static void put_decision(struct page *page)
{
    static const char *const names[] = {"ask", "always", "never"};
    const struct settings *settings = page->session->settings;
    char content[SHA256_HEX];
    if (!settings || !trust_content_of_trace(page->session, page->trace, content)) return;
    const struct trust_decision *decision = trust_find(settings, content);
    buffer_printf(&page->text, "  traceStartupCommands is %s\n  content %.12s; remembered: %s",
                  names[settings->trace_commands], content[0] ? content : "too long",
                  !decision        ? "nothing"
                  : decision->runs ? "run"
                                   : "skip");
    if (decision && decision->day) buffer_printf(&page->text, " since %s", decision->day);
    buffer_append_byte(&page->text, '\n');
}

static void put_startup(struct page *page, json_t *list)
{
    const struct registry *registry = page->session->registry;
    json_t *command;
    size_t i;
    if (json_array_size(list) == 0) return;
    put_heading(page, "Startup commands", json_array_size(list));
    put_decision(page);
    json_array_foreach(list, i, command)
    {
        const char *id = json_string_value(json_object_get(command, "id"));
        const struct registry_entry *entry = id ? registry_find(registry, id) : NULL;
        buffer_printf(&page->text, "    %zu. ", i + 1);
        put_invocation(&page->text, command);
        if (!id || allowlist_has(id) || (entry && registry_is_macro(entry))) continue;
        buffer_append_text(&page->skipped, "  startup command ");
        put(&page->skipped, str_of(id));
        buffer_append_text(&page->skipped, entry ? ": not on the list of startup commands\n"
                                                 : ": no macro of this name is there\n");
    }
    const struct report *report = &page->session->startup_report;
    for (i = 0; i < report->lines.count; i++) {
        const struct report_line *line = &report->lines.items[i];
        if (line->source != COMMAND_FROM_TRACE) continue;
        buffer_printf(&page->skipped, "  at startup %s ", line->blocked ? "blocked" : "failed");
        put(&page->skipped, str_of(line->id));
        buffer_append_text(&page->skipped, ": ");
        put(&page->skipped, str_of(line->why));
        buffer_append_byte(&page->skipped, '\n');
    }
}

/* ---- descriptors and the server ---- */

static void put_descriptors(struct page *page, json_t *list)
{
    json_t *entry;
    size_t i;
    if (json_array_size(list) == 0) return;
    put_heading(page, "Descriptors", json_array_size(list));
    json_array_foreach(list, i, entry)
    {
        struct str rest = str_of(engine_trace_descriptor_names(page->trace->engine, i)), line;
        buffer_printf(&page->text, "  %lld bytes\n",
                      (long long)json_integer_value(json_object_get(entry, "size")));
        while (str_split_next(&rest, '\n', &line)) {
            if (line.n == 0) continue;
            buffer_append_text(&page->text, "    ");
            put(&page->text, line);
            buffer_append_byte(&page->text, '\n');
        }
    }
}

static void put_server(struct page *page, const json_t *server)
{
    json_t *modules = json_object_get(server, "enabled_modules"), *module;
    size_t i;
    if (!server) return;
    buffer_append_text(&page->text, "\nExtension server\n  ");
    if (json_object_get(server, "repo")) {
        buffer_append_text(&page->text, "github: ");
        put_member(&page->text, server, "repo");
        buffer_append_text(&page->text, " at ");
        put_member(&page->text, server, "ref");
        buffer_append_byte(&page->text, ' ');
        put_member(&page->text, server, "path");
    } else {
        put_member(&page->text, server, "url");
    }
    buffer_append_text(&page->text, "\n  modules:");
    json_array_foreach(modules, i, module)
    {
        buffer_append_byte(&page->text, ' ');
        put(&page->text, json_str(module));
    }
    buffer_append_text(&page->text, "\n  It is asked only after you added it.\n");
}

/* ---- the page ---- */

static void put_section(struct page *page, json_t *section)
{
    struct str namespace = json_str(json_object_get(section, "namespace"));
    buffer_append_text(&page->text, "What the trace brings along: ");
    put(&page->text, str_of(page->trace->title));
    buffer_append_byte(&page->text, '\n');
    if (!section) {
        buffer_append_text(&page->text, "  nothing, or it was told to be ignored\n");
        return;
    }
    if (namespace.n > 0) {
        buffer_append_text(&page->text, "  namespace ");
        put(&page->text, namespace);
        buffer_append_byte(&page->text, '\n');
    }
    put_modules(page, json_object_get(section, "sql_modules"));
    put_macros(page, json_object_get(section, "macros"));
    put_startup(page, json_object_get(section, "startup_commands"));
    put_descriptors(page, json_object_get(section, "proto_descriptors"));
    put_server(page, json_object_get(section, "server"));
    buffer_append_text(&page->text, "\nSkipped\n");
    if (page->skipped.length > 0)
        buffer_append_str(&page->text, buffer_str(&page->skipped));
    else
        buffer_append_text(&page->text, "  nothing\n");
}

static bool show_extensions(const struct command_call *call, struct status *st)
{
    struct session *session = call->session;
    struct page page = {.session = session};
    for (uint32_t i = 0; i < session->n_traces; i++) {
        const struct session_trace *trace = &session->traces[i];
        if (!trace->engine) continue;
        struct status bad = STATUS_INIT; /* the engine wrote it; a bad one shows nothing */
        struct str json = engine_trace_extensions(trace->engine);
        json_t *section = json.p ? json_strict_load(json, &bad) : NULL;
        if (page.text.length > 0) buffer_append_byte(&page.text, '\n');
        page.trace = trace;
        buffer_clear(&page.skipped);
        put_section(&page, section);
        json_decref(section);
        status_clear(&bad);
    }
    buffer_free(&page.skipped);
    if (page.text.length == 0)
        return status_fail(st, STATUS_INVALID, STATUS_NO_OFFSET, "no trace is open");
    struct tab *tab = session_tab_page(session, "Extensions", buffer_take(&page.text));
    session_tab_show(session, tab);
    if (session->drawer < DRAWER_HALF) session->drawer = DRAWER_HALF;
    session->pane = PANE_DETAILS;
    session_changed(session);
    return true;
}

const struct command command_show_trace_extensions = {
    .id = "dev.perfetty.ShowTraceExtensions",
    .name = "Show what the trace brought along: modules, macros, descriptors",
    .run = show_extensions,
};
