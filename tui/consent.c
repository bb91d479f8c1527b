#include "tui/consent.h"

#include <stdio.h>

#include "commands/registry.h"
#include "engine/base/map.h"
#include "engine/base/memory.h"
#include "tui/dialog.h"

static void add_args(struct dialog *dialog, int indent, const char *const *args, uint32_t n_args)
{
    for (uint32_t i = 0; i < n_args; i++)
        dialog_add(dialog, indent, STYLE(DEFAULT, DEFAULT, 0), "%s", args[i]);
}

/* ---- startup commands ---- */

/* What is shown so far: the steps of a macro stand where it is met first. */
struct listing {
    struct dialog *dialog;
    const struct session *session;
    struct strmap met; /* ids of macros */
};

static void append_note(const struct listing *listing, const char *id, bool is_new,
                        struct buffer *out)
{
    const struct registry_entry *entry = registry_find(listing->session->registry, id);
    if (allowlist_has(id)) return;
    if (!entry) {
        buffer_append_text(out, "   not known, will be blocked");
    } else if (!registry_is_macro(entry)) {
        buffer_append_text(out, "   not allowed, will be blocked");
    } else {
        buffer_printf(out, "   macro, %u step%s%s", entry->command->n_steps,
                      entry->command->n_steps == 1 ? "" : "s", is_new ? "" : ", shown above");
    }
}

#define MOST_NESTED    40 /* more than the registry runs */
#define DEEPEST_INDENT 24 /* cells; what is deeper is shown there */

/* A command, its arguments and, when it is a macro, its steps at any depth.  The ids
 * that are met bound the depth and the lines. */
static void add_command(struct listing *listing, const struct invocation *command,
                        const char *number, int indent, int depth)
{
    struct dialog *dialog = listing->dialog;
    const struct registry_entry *entry = registry_find(listing->session->registry, command->id);
    bool is_macro = entry && registry_is_macro(entry), is_new = false;
    bool runs = allowlist_has(command->id) || is_macro;
    struct buffer line = BUFFER_INIT;
    if (is_macro) strmap_put_if_absent(&listing->met, str_of(command->id), 0, &is_new);
    buffer_printf(&line, "%s%s", number, command->id);
    append_note(listing, command->id, is_new, &line);
    dialog_add(dialog, indent,
               !runs       ? STYLE(WARNING, DEFAULT, 0)
               : number[0] ? STYLE(DEFAULT, DEFAULT, CELL_BOLD)
                           : STYLE(DIM, DEFAULT, 0),
               "%s", buffer_text(&line));
    buffer_free(&line);
    add_args(dialog, indent + (number[0] ? 4 : 2), (const char *const *)command->args,
             command->n_args);
    if (!is_new) return;
    if (depth >= MOST_NESTED) {
        dialog_add(dialog, indent + 2, STYLE(WARNING, DEFAULT, 0),
                   "its steps are nested too deep and will be stopped");
        return;
    }
    int below = indent < DEEPEST_INDENT ? indent + 2 : indent;
    for (uint32_t i = 0; i < entry->command->n_steps; i++)
        add_command(listing, &entry->command->steps[i], "", below, depth + 1);
}

static void add_decision(struct dialog *dialog, const struct startup *startup)
{
    const struct trust_decision *decision = startup_decision(startup);
    if (decision)
        dialog_add(dialog, 0, STYLE(WARNING, DEFAULT, 0),
                   "Remembered for them%s%s: %s. --trace-commands asks again.",
                   decision->day ? " since " : "", decision->day ? decision->day : "",
                   decision->runs ? "run" : "skip");
    dialog_add(dialog, 0, STYLE(DIM, DEFAULT, 0),
               startup_content(startup)[0]
                   ? "\"This\" is kept for exactly what is listed here (content %.12s), \"all\" "
                     "for every trace."
                   : "What is listed here is too long to be remembered (%s).",
               startup_content(startup)[0] ? startup_content(startup) : "more than 64 MiB");
}

enum startup_answer consent_ask_startup(struct app *app, const struct startup *startup,
                                        const struct trace_extensions *extensions)
{
    static const struct dialog_button buttons[] = {{'r', "Run now"},
                                                   {'s', "Skip"},
                                                   {'a', "Always this"},
                                                   {'n', "Never this"},
                                                   {'A', "Always all"},
                                                   {'N', "Never all"},
                                                   {0, NULL}};
    const struct invocation_list *list = startup_trace_commands(startup);
    struct dialog dialog = {.buttons = buttons, .escape = 's'};
    struct listing listing = {.dialog = &dialog, .session = app->session};
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
        char number[24];
        snprintf(number, sizeof number, "%zu ", i + 1);
        add_command(&listing, &list->items[i], number, 0, 0);
    }
    dialog_add(&dialog, 0, STYLE_PLAIN, "%s", "");
    add_decision(&dialog, startup);
    strmap_free(&listing.met);
    char answer = dialog_ask(app, &dialog);
    dialog_dispose(&dialog);
    switch (answer) {
    case 'r': return STARTUP_RUN;
    case 'a': return STARTUP_ALWAYS_THIS;
    case 'n': return STARTUP_NEVER_THIS;
    case 'A': return STARTUP_ALWAYS;
    case 'N': return STARTUP_NEVER;
    default: return STARTUP_SKIP;
    }
}

/* ---- steps that reach out ---- */

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
