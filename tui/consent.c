#include "tui/consent.h"

#include <string.h>

#include "commands/registry.h"
#include "engine/base/memory.h"
#include "tui/dialog.h"

static void add_args(struct dialog *dialog, int indent, const char *const *args, uint32_t n_args)
{
    for (uint32_t i = 0; i < n_args; i++)
        dialog_add(dialog, indent, STYLE(DEFAULT, DEFAULT, 0), "%s", args[i]);
}

static const char *note_for(const struct session *session, const char *id)
{
    const struct registry_entry *entry = registry_find(session->registry, id);
    if (allowlist_has(id)) return "";
    if (!entry) return "   not known, will be blocked";
    return registry_is_macro(entry) ? "" : "   not allowed, will be blocked";
}

/* What a macro would do, step by step, through macros inside it. */
static void add_macro(struct dialog *dialog, const struct session *session, const char *id,
                      int depth)
{
    const struct registry_entry *entry = registry_find(session->registry, id);
    if (!entry || depth > 4) return;
    for (uint32_t i = 0; i < entry->command->n_steps; i++) {
        const struct invocation *step = &entry->command->steps[i];
        dialog_add(dialog, 2 + depth * 2, STYLE(DIM, DEFAULT, 0), "%s%s", step->id,
                   note_for(session, step->id));
        add_args(dialog, 4 + depth * 2, (const char *const *)step->args, step->n_args);
        add_macro(dialog, session, step->id, depth + 1);
    }
}

enum startup_answer consent_ask_startup(struct app *app, const struct startup *startup,
                                        const struct trace_extensions *extensions)
{
    static const struct dialog_button buttons[] = {
        {'r', "Run now"}, {'s', "Skip"}, {'A', "Always, all traces"}, {'N', "Never"}, {0, NULL}};
    const struct invocation_list *list = startup_trace_commands(startup);
    const struct session *session = app->session;
    struct dialog dialog = {.buttons = buttons, .escape = 's'};
    struct buffer title = BUFFER_INIT;
    buffer_printf(&title, "This trace wants to run %zu startup command%s", list->count,
                  list->count == 1 ? "" : "s");
    dialog.title = buffer_take(&title);
    dialog_add(&dialog, 0, STYLE_PLAIN, "They come from the file (%s), not from you.",
               startup_trace_origin(startup));
    if (extensions && extensions->server)
        dialog_add(&dialog, 0, STYLE(WARNING, DEFAULT, 0),
                   "The trace also names an extension server: only one of your settings is asked.");
    dialog_add(&dialog, 0, STYLE_PLAIN, "%s", "");
    for (size_t i = 0; i < list->count; i++) {
        const struct invocation *command = &list->items[i];
        const struct registry_entry *entry = registry_find(session->registry, command->id);
        bool allowed = startup_is_allowed(startup, command);
        struct buffer line = BUFFER_INIT;
        buffer_printf(&line, "%zu %s", i + 1, command->id);
        if (entry && registry_is_macro(entry))
            buffer_printf(&line, "   macro, %u step%s", entry->command->n_steps,
                          entry->command->n_steps == 1 ? "" : "s");
        if (!allowed) buffer_append_text(&line, "   not allowed, will be blocked");
        dialog_add(&dialog, 0,
                   allowed ? STYLE(DEFAULT, DEFAULT, CELL_BOLD) : STYLE(WARNING, DEFAULT, 0), "%s",
                   buffer_text(&line));
        buffer_free(&line);
        add_args(&dialog, 4, (const char *const *)command->args, command->n_args);
        add_macro(&dialog, session, command->id, 0);
    }
    char answer = dialog_ask(app, &dialog);
    dialog_dispose(&dialog);
    switch (answer) {
    case 'r': return STARTUP_RUN;
    case 'A': return STARTUP_ALWAYS;
    case 'N': return STARTUP_NEVER;
    default: return STARTUP_SKIP;
    }
}

bool consent_ask_reach(struct app *app, const struct reach_question *question)
{
    static const struct dialog_button buttons[] = {
        {'r', "Run this step"}, {'s', "Stop the macro"}, {0, NULL}};
    struct dialog dialog = {.buttons = buttons, .escape = 's'};
    dialog.title = mem_strdup("A macro wants to reach out of perfetty");
    dialog_add(&dialog, 0, STYLE_PLAIN, "%s (%s), from %s, wants to:", question->macro_name,
               question->macro_id, question->origin);
    dialog_add(&dialog, 0, STYLE_PLAIN, "%s", "");
    dialog_add(&dialog, 2, STYLE(DEFAULT, DEFAULT, CELL_BOLD), "%s", question->command->name);
    dialog_add(&dialog, 2, STYLE(DIM, DEFAULT, 0), "%s", question->command->id);
    add_args(&dialog, 4, question->args, question->n_args);
    char answer = dialog_ask(app, &dialog);
    dialog_dispose(&dialog);
    return answer == 'r';
}
