#include "commands/registry.h"

#include <string.h>

#include "commands/core.h"
#include "commands/report.h"
#include "commands/session.h"
#include "engine/base/memory.h"

/* A macro that starts macros, and so on: deeper than anybody writes by hand. */
#define MAX_DEPTH 32

struct registry {
    VEC(struct registry_entry) entries;
    struct strmap by_id; /* → index in entries */
};

static void index_again(struct registry *registry)
{
    strmap_free(&registry->by_id);
    for (size_t i = 0; i < registry->entries.count; i++)
        strmap_set(&registry->by_id, str_of(registry->entries.items[i].command->id), i);
}

struct registry *registry_new(void)
{
    struct registry *registry = mem_zero(1, sizeof *registry);
    for (uint32_t i = 0; core_command_at(i); i++)
        vec_push(&registry->entries,
                 (struct registry_entry){.command = core_command_at(i), .scope = COMMAND_CORE});
    index_again(registry);
    return registry;
}

static void dispose_entry(struct registry_entry *entry)
{
    if (entry->dispose) entry->dispose(entry->closure);
    mem_free((char *)(uintptr_t)entry->origin);
}

void registry_free(struct registry *registry)
{
    if (!registry) return;
    for (size_t i = 0; i < registry->entries.count; i++)
        dispose_entry(&registry->entries.items[i]);
    vec_free(&registry->entries);
    strmap_free(&registry->by_id);
    mem_free(registry);
}

static void remove_at(struct registry *registry, size_t at)
{
    dispose_entry(&registry->entries.items[at]);
    registry->entries.count--;
    memmove(&registry->entries.items[at], &registry->entries.items[at + 1],
            (registry->entries.count - at) * sizeof registry->entries.items[0]);
    index_again(registry);
}

static const char *scope_name(enum command_scope scope)
{
    switch (scope) {
    case COMMAND_CORE: return "a command of the program";
    case COMMAND_BUNDLED_MACRO: return "a bundled macro";
    case COMMAND_SETTINGS_MACRO: return "a macro of the settings";
    case COMMAND_SERVER_MACRO: return "a macro of an extension server";
    case COMMAND_TRACE_MACRO: return "a macro of the trace";
    }
    return "";
}

static bool refuse(const struct registry_entry *taken, const char *id, enum command_scope scope,
                   struct status *st)
{
    bool named = taken->origin && taken->origin[0];
    return status_fail(st, STATUS_INVALID, STATUS_NO_OFFSET,
                       "%s: %s has this id%s%s%s; %s is skipped", id, scope_name(taken->scope),
                       named ? " (" : "", named ? taken->origin : "", named ? ")" : "",
                       scope_name(scope));
}

bool registry_add(struct registry *registry, const struct command *command,
                  enum command_scope scope, const char *origin, void *closure,
                  void (*dispose)(void *), char **warning, struct status *st)
{
    const uint64_t *taken = strmap_get(&registry->by_id, str_of(command->id));
    if (warning) *warning = NULL;
    if (taken) {
        struct registry_entry *entry = &registry->entries.items[*taken];
        bool wins = entry->scope == COMMAND_TRACE_MACRO && scope != COMMAND_TRACE_MACRO;
        if (!wins) {
            refuse(entry, command->id, scope, st);
            if (dispose) dispose(closure);
            return false;
        }
        if (warning) {
            struct buffer text = BUFFER_INIT;
            buffer_printf(&text, "%s: %s takes this id from the trace's macro", command->id,
                          scope_name(scope));
            *warning = mem_strdup(buffer_text(&text));
            buffer_free(&text);
        }
        remove_at(registry, *taken);
    }
    strmap_set(&registry->by_id, str_of(command->id), registry->entries.count);
    vec_push(&registry->entries, (struct registry_entry){.command = command,
                                                         .scope = scope,
                                                         .origin = mem_strdup(origin ? origin : ""),
                                                         .closure = closure,
                                                         .dispose = dispose});
    return true;
}

void registry_remove_scope(struct registry *registry, enum command_scope scope)
{
    for (size_t i = registry->entries.count; i-- > 0;)
        if (registry->entries.items[i].scope == scope) remove_at(registry, i);
}

void registry_remove_origin(struct registry *registry, enum command_scope scope, const char *origin)
{
    for (size_t i = registry->entries.count; i-- > 0;) {
        const struct registry_entry *entry = &registry->entries.items[i];
        if (entry->scope == scope && strcmp(entry->origin, origin) == 0) remove_at(registry, i);
    }
}

const struct registry_entry *registry_find(const struct registry *registry, const char *id)
{
    const uint64_t *index = strmap_get(&registry->by_id, str_of(id));
    return index ? &registry->entries.items[*index] : NULL;
}

uint32_t registry_count(const struct registry *registry)
{
    return (uint32_t)registry->entries.count;
}

const struct registry_entry *registry_at(const struct registry *registry, uint32_t i)
{
    return i < registry->entries.count ? &registry->entries.items[i] : NULL;
}

bool registry_is_macro(const struct registry_entry *entry)
{
    return entry->scope != COMMAND_CORE;
}

/* ---- running ---- */

/* A macro's own failure was told by its step already. */
static void tell(const struct command_context *context, bool blocked, const char *id,
                 const char *why)
{
    if (!context->report) return;
    report_add(context->report, blocked, context->source, id,
               context->frame ? context->frame->macro_id : NULL, why);
}

static bool may_run(const struct registry_entry *entry, const char *id)
{
    return allowlist_has(id) || (entry && registry_is_macro(entry));
}

/* A step of a trace's or a server's macro that reaches out of the program. */
static bool may_reach(struct session *session, const struct command_context *context,
                      const struct command *command, const char *const *args, uint32_t n_args)
{
    if (!context->ask_before_reach || command->kind != COMMAND_REACH) return true;
    if (!session->hooks.may_reach || context->no_prompts) return false;
    const struct command_frame *frame = context->frame;
    const struct command_frame *theirs = frame;
    for (; frame; frame = frame->outer)
        if (frame->scope == COMMAND_TRACE_MACRO || frame->scope == COMMAND_SERVER_MACRO)
            theirs = frame;
    struct reach_question question = {.macro_id = theirs ? theirs->macro_id : "",
                                      .macro_name = theirs ? theirs->macro_name : "",
                                      .origin = theirs ? theirs->origin : "",
                                      .command = command,
                                      .args = args,
                                      .n_args = n_args};
    return session->hooks.may_reach(session->hooks.context, &question);
}

static bool is_in_ring(const struct command_context *context, const char *id, struct status *st)
{
    for (const struct command_frame *frame = context->frame; frame; frame = frame->outer)
        if (strcmp(frame->macro_id, id) == 0)
            return !status_fail(st, STATUS_INVALID, STATUS_NO_OFFSET,
                                "macro %s starts itself and is stopped", id);
    if (context->frame && context->frame->depth >= MAX_DEPTH)
        return !status_fail(st, STATUS_LIMIT, STATUS_NO_OFFSET,
                            "macros start macros more than %d deep; stopped at %s", MAX_DEPTH, id);
    return false;
}

static bool is_persons(const struct command_context *context)
{
    return !context->frame && context->source == COMMAND_FROM_PERSON;
}

/* A command may have ended what it was entered as. */
static void tell_observer(struct session *session, const char *id, const char *const *args,
                          uint32_t n_args, bool done)
{
    const struct registry_entry *entry = registry_find(session->registry, id);
    if (entry)
        session->observer->after(session->observer->context, session, entry, args, n_args, done);
}

enum command_outcome registry_run(struct session *session, const char *id, const char *const *args,
                                  uint32_t n_args, const struct command_context *context,
                                  struct status *st)
{
    const struct registry_entry *entry = registry_find(session->registry, id);
    struct status why = STATUS_INIT;
    enum command_outcome outcome = COMMAND_FAILED;
    bool told = false;
    if (is_persons(context)) session->interrupted = false;
    if (context->allowlist_only && !may_run(entry, id)) {
        status_fail(&why, STATUS_INVALID, STATUS_NO_OFFSET,
                    "%s is not allowed as a startup command", id);
        outcome = COMMAND_BLOCKED;
    } else if (!entry) {
        status_fail(&why, STATUS_NOT_FOUND, STATUS_NO_OFFSET, "there is no command %s", id);
    } else if (registry_is_macro(entry) && is_in_ring(context, id, &why)) {
        outcome = COMMAND_FAILED;
    } else if (!command_check_args(entry->command, args, n_args, &why)) {
        outcome = COMMAND_FAILED;
    } else if (!may_reach(session, context, entry->command, args, n_args)) {
        status_fail(&why, STATUS_INVALID, STATUS_NO_OFFSET,
                    "%s reaches out of the viewer and was not allowed", id);
        outcome = COMMAND_BLOCKED;
    } else {
        const struct command_call call = {.session = session,
                                          .command = entry->command,
                                          .context = context,
                                          .args = args,
                                          .n_args = n_args,
                                          .closure = entry->closure};
        size_t lines = context->report ? context->report->lines.count : 0;
        const struct session_observer *observer = is_persons(context) ? session->observer : NULL;
        if (observer) observer->before(observer->context, session, entry, args, n_args);
        if (entry->command->run(&call, &why)) outcome = COMMAND_DONE;
        if (observer && observer == session->observer)
            tell_observer(session, id, args, n_args, outcome == COMMAND_DONE);
        told = context->report && context->report->lines.count > lines;
    }
    if (outcome != COMMAND_DONE) {
        if (!told) tell(context, outcome == COMMAND_BLOCKED, id, status_message(&why));
        status_move(st, &why);
    }
    status_clear(&why);
    return outcome;
}
