#include "commands/startup.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "commands/invocation_json.h"
#include "commands/registry.h"
#include "engine/base/memory.h"

struct startup {
    struct session *session;
    struct startup_options options;
    struct invocation_list trace, line, settings;
    char *origin;
    char content[SHA256_HEX]; /* as it was when it could be asked about */
    /* What became of the trace's commands: said last, or what other commands say
     * would hide it. */
    struct buffer notice;
    enum message_kind notice_kind;
};

static void copy_list(struct invocation_list *out, const struct invocation_list *in)
{
    for (size_t i = 0; i < in->count; i++) {
        struct invocation copy;
        invocation_copy(&copy, &in->items[i]);
        vec_push(out, copy);
    }
}

static const char *text_of(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    return text ? text : "";
}

static void append_origin(const struct trace_extensions *extensions, struct buffer *out)
{
    const json_t *server = extensions ? extensions->server : NULL;
    if (server && json_object_get(server, "repo"))
        buffer_printf(out, "server %s@%s", text_of(server, "repo"), text_of(server, "ref"));
    else if (server)
        buffer_printf(out, "server %s", text_of(server, "url"));
    else if (extensions && extensions->namespace)
        buffer_printf(out, "namespace %s", extensions->namespace);
    else
        buffer_append_text(out, "no namespace");
}

struct startup *startup_new(struct session *session, const struct startup_options *options)
{
    struct startup *startup = mem_zero(1, sizeof *startup);
    startup->session = session;
    startup->options = *options;
    if (options->extensions) copy_list(&startup->trace, &options->extensions->startup_commands);
    copy_list(&startup->line, &options->command_line);
    if (options->settings) copy_list(&startup->settings, &options->settings->startup_commands);
    struct buffer origin = BUFFER_INIT;
    append_origin(options->extensions, &origin);
    startup->origin = buffer_take(&origin);
    if (startup->trace.count)
        trust_content_id(session->registry, &startup->trace, startup->content);
    return startup;
}

void startup_free(struct startup *startup)
{
    if (!startup) return;
    invocation_list_free(&startup->trace);
    invocation_list_free(&startup->line);
    invocation_list_free(&startup->settings);
    mem_free(startup->origin);
    buffer_free(&startup->notice);
    mem_free(startup);
}

static enum trace_commands setting(const struct startup *startup)
{
    if (startup->options.trace_commands) return *startup->options.trace_commands;
    return startup->options.settings ? startup->options.settings->trace_commands
                                     : TRACE_COMMANDS_ASK;
}

static const char *who_says(const struct startup *startup)
{
    return startup->options.trace_commands ? "--trace-commands" : "traceStartupCommands";
}

const char *startup_content(const struct startup *startup)
{
    return startup->content;
}

const struct trust_decision *startup_decision(const struct startup *startup)
{
    if (!startup->options.settings || !startup->content[0]) return NULL;
    return trust_find(startup->options.settings, startup->content);
}

bool startup_asks(const struct startup *startup)
{
    bool asks_again = startup->options.trace_commands != NULL;
    return startup->trace.count && startup->options.has_person &&
           setting(startup) == TRACE_COMMANDS_ASK && (asks_again || !startup_decision(startup));
}

const struct invocation_list *startup_trace_commands(const struct startup *startup)
{
    return &startup->trace;
}

const char *startup_trace_origin(const struct startup *startup)
{
    return startup->origin;
}

bool startup_is_allowed(const struct startup *startup, const struct invocation *command)
{
    const struct registry_entry *entry = registry_find(startup->session->registry, command->id);
    return allowlist_has(command->id) || (entry && registry_is_macro(entry));
}

/* ---- the decision ---- */

/* "3 startup commands". */
struct words {
    char text[40];
};

static struct words count_words(size_t n)
{
    struct words words;
    snprintf(words.text, sizeof words.text, "%zu startup command%s", n, n == 1 ? "" : "s");
    return words;
}

static void keep(struct startup *startup, enum startup_answer answer)
{
    struct settings *settings = startup->options.settings;
    struct status st = STATUS_INIT;
    bool good = true;
    if (!settings) return;
    if (answer == STARTUP_ALWAYS || answer == STARTUP_NEVER)
        good = settings_store_trace_commands(
            settings, answer == STARTUP_ALWAYS ? TRACE_COMMANDS_ALWAYS : TRACE_COMMANDS_NEVER, &st);
    if (answer == STARTUP_ALWAYS_THIS || answer == STARTUP_NEVER_THIS) {
        struct trust_decision decision = {.runs = answer == STARTUP_ALWAYS_THIS,
                                          .commands = (uint32_t)startup->trace.count,
                                          .origin = startup->origin,
                                          .trace = (char *)(uintptr_t)startup->options.title};
        memcpy(decision.content, startup->content, sizeof decision.content);
        good = trust_store(settings, &decision, &st);
    }
    if (!good)
        session_say(startup->session, MESSAGE_ERROR, "the answer was not kept: %s",
                    status_message(&st));
    status_clear(&st);
}

/* A server can have taken the id of a macro that was shown. */
static bool is_what_was_shown(struct startup *startup)
{
    char now[SHA256_HEX];
    trust_content_id(startup->session->registry, &startup->trace, now);
    return strcmp(now, startup->content) == 0;
}

__attribute__((format(printf, 3, 4))) static void
note(struct startup *startup, enum message_kind kind, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    buffer_clear(&startup->notice);
    buffer_vprintf(&startup->notice, format, args);
    va_end(args);
    startup->notice_kind = kind;
}

static bool decide_as_answered(struct startup *startup, enum startup_answer answer)
{
    struct words words = count_words(startup->trace.count);
    bool runs = answer == STARTUP_RUN || answer == STARTUP_ALWAYS || answer == STARTUP_ALWAYS_THIS;
    if (runs && !is_what_was_shown(startup)) {
        note(startup, MESSAGE_WARNING,
             "%s of the trace skipped: a macro among them changed after it was shown", words.text);
        return false;
    }
    keep(startup, answer);
    if (!runs)
        note(startup, MESSAGE_INFO, "%s of the trace skipped%s", words.text,
             answer == STARTUP_NEVER_THIS ? ", and from now on" : "");
    return runs;
}

static bool decide_as_remembered(struct startup *startup, const struct trust_decision *decision)
{
    struct words words = count_words(startup->trace.count);
    note(startup, MESSAGE_INFO,
         "%s of the trace %s, as remembered%s%s (dev.perfetty.ForgetStartupDecision ends it)",
         words.text, decision->runs ? "run" : "skipped", decision->day ? " since " : "",
         decision->day ? decision->day : "");
    return decision->runs;
}

/* Whether the trace's commands run; says why when they do not. */
static bool decide(struct startup *startup, enum startup_answer answer)
{
    const struct trust_decision *decision =
        startup->options.trace_commands ? NULL : startup_decision(startup);
    struct words words = count_words(startup->trace.count);
    if (startup->trace.count == 0) return false;
    if (answer != STARTUP_NO_QUESTION) return decide_as_answered(startup, answer);
    if (setting(startup) == TRACE_COMMANDS_NEVER) {
        note(startup, MESSAGE_INFO, "the trace carries %s; none ran (%s is never)", words.text,
             who_says(startup));
        return false;
    }
    if (decision) return decide_as_remembered(startup, decision);
    if (setting(startup) == TRACE_COMMANDS_ALWAYS) return true;
    note(startup, MESSAGE_WARNING,
         "the trace carries %s; none ran, because nobody is here to ask (%s is ask)", words.text,
         who_says(startup));
    return false;
}

/* ---- running ---- */

static void run_list(struct startup *startup, const struct invocation_list *list,
                     enum command_source source, bool allowlist_only)
{
    struct session *session = startup->session;
    struct report *report = &session->startup_report;
    for (size_t i = 0; i < list->count; i++) {
        const struct invocation *command = &list->items[i];
        if (session->interrupted) {
            report_add(report, false, source, command->id, NULL, "stopped before it ran");
            continue;
        }
        const struct command_context context = {.source = source,
                                                .allowlist_only = allowlist_only,
                                                .no_prompts = true,
                                                .report = report};
        struct status st = STATUS_INIT;
        if (registry_run(session, command->id, (const char *const *)command->args, command->n_args,
                         &context, &st) == COMMAND_DONE)
            report->ran++;
        status_clear(&st);
    }
}

void startup_run(struct startup *startup, enum startup_answer answer)
{
    struct session *session = startup->session;
    const struct settings *settings = startup->options.settings;
    bool enforce = !settings || settings->enforce_allowlist;
    report_dispose(&session->startup_report);
    session->interrupted = false;
    if (decide(startup, answer)) run_list(startup, &startup->trace, COMMAND_FROM_TRACE, true);
    run_list(startup, &startup->line, COMMAND_FROM_COMMAND_LINE, enforce);
    run_list(startup, &startup->settings, COMMAND_FROM_SETTINGS, enforce);
    session->interrupted = false;
    if (startup->notice.length)
        session_say(session, startup->notice_kind, "%s", buffer_text(&startup->notice));
    size_t lines = session->startup_report.lines.count;
    if (lines == 0) return;
    session_tab_show(session, session_tab_of_kind(session, TAB_REPORT, "Startup report"));
    session_say(session, MESSAGE_WARNING, "%zu startup command%s did not run; see the report",
                lines, lines == 1 ? "" : "s");
}

bool startup_parse_command_line(const char *json, struct invocation_list *out, struct status *st)
{
    *out = (struct invocation_list){0};
    json_t *root = json_strict_load(str_of(json), st);
    if (!root) return false;
    struct buffer path = BUFFER_INIT;
    buffer_append_text(&path, "commands");
    bool good = invocation_list_read(root, &path, out, st);
    buffer_free(&path);
    json_decref(root);
    return good;
}
