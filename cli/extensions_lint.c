/* What the loader lets pass because it shows only when a command runs: unknown ids,
 * wrong arguments, regexes that do not compile, rings, what a startup may not do. */
#include <ctype.h>
#include <stdarg.h>
#include <string.h>

#include "cli/extensions.h"
#include "commands/js_regex.h"
#include "commands/registry.h"
#include "commands/session.h"
#include "commands/trace_extensions.h"
#include "engine/base/map.h"
#include "macros/server_host.h"
#include "macros/sources.h"

enum { MAX_DEPTH = 32, NEAR = 3, LONGEST_ID = 120 };

struct lint {
    struct session *session;
    const struct trace_extensions *extensions;
    const char *label;
    struct buffer path;
    size_t problems;
};

static void complain(struct lint *lint, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static void complain(struct lint *lint, const char *format, ...)
{
    struct buffer text = BUFFER_INIT;
    va_list args;
    va_start(args, format);
    buffer_vprintf(&text, format, args);
    va_end(args);
    cli_say("%s: %s: %s", lint->label, buffer_text(&lint->path), buffer_text(&text));
    buffer_free(&text);
    lint->problems++;
}

static void note(const struct lint *lint, const char *id, const char *text)
{
    printf("note: %s: %s %s\n", buffer_text(&lint->path), id, text);
}

/* ---- a name that was meant ---- */

static size_t smallest(size_t a, size_t b, size_t c)
{
    size_t least = a < b ? a : b;
    return least < c ? least : c;
}

/* Edits that make one of the other, without regard to case. */
static size_t distance(const char *a, const char *b)
{
    size_t n = strlen(a), m = strlen(b), row[LONGEST_ID + 1];
    if (n > LONGEST_ID || m > LONGEST_ID) return LONGEST_ID;
    for (size_t j = 0; j <= m; j++)
        row[j] = j;
    for (size_t i = 1; i <= n; i++) {
        size_t diagonal = row[0];
        row[0] = i;
        for (size_t j = 1; j <= m; j++) {
            bool same = tolower((unsigned char)a[i - 1]) == tolower((unsigned char)b[j - 1]);
            size_t next = smallest(row[j] + 1, row[j - 1] + 1, diagonal + (same ? 0 : 1));
            diagonal = row[j];
            row[j] = next;
        }
    }
    return row[m];
}

static const char *last_word(const char *id)
{
    const char *dot = strrchr(id, '.');
    return dot ? dot + 1 : id;
}

static const char *nearest(const struct registry *registry, const char *id)
{
    const char *best = NULL;
    size_t least = NEAR + 1;
    for (uint32_t i = 0; i < registry_count(registry); i++) {
        const char *other = registry_at(registry, i)->command->id;
        size_t whole = distance(id, other), word = distance(last_word(id), last_word(other));
        size_t far = whole < word ? whole : word;
        if (far >= least) continue;
        least = far;
        best = other;
    }
    return best;
}

/* ---- one command ---- */

/* A server's macros are not here to be looked at. */
static bool may_be_of_server(const struct lint *lint, const char *id)
{
    return lint->extensions->server && strncmp(id, "dev.perfett", 11) != 0;
}

static void check_regexes(struct lint *lint, const struct command *command,
                          const struct invocation *invocation)
{
    for (uint32_t i = 0; i < invocation->n_args && i < COMMAND_MAX_ARGS; i++) {
        if (!command->args[i].name) return;
        if (command->args[i].type != COMMAND_ARG_REGEX) continue;
        struct status st = STATUS_INIT;
        struct js_regex *regex = js_regex_compile(str_of(invocation->args[i]), &st);
        if (!regex) {
            size_t here = json_path_key(&lint->path, "args");
            json_path_index(&lint->path, i);
            complain(lint,
                     "found the regex \"%.200s\": %s; allowed: a JavaScript regex without "
                     "flags",
                     invocation->args[i], status_message(&st));
            json_path_cut(&lint->path, here);
        }
        js_regex_free(regex);
        status_clear(&st);
    }
}

static void check_command(struct lint *lint, const struct invocation *invocation)
{
    const struct registry *registry = lint->session->registry;
    const struct registry_entry *entry = registry_find(registry, invocation->id);
    if (!entry && may_be_of_server(lint, invocation->id)) {
        note(lint, invocation->id, "has to come from the server");
        return;
    }
    if (!entry) {
        const char *near = nearest(registry, invocation->id);
        size_t here = json_path_key(&lint->path, "id");
        complain(lint, "there is no command %.200s%s%s%s", invocation->id, near ? "; is it " : "",
                 near ? near : "", near ? "?" : "");
        json_path_cut(&lint->path, here);
        return;
    }
    struct status st = STATUS_INIT;
    if (!command_check_args(entry->command, (const char *const *)invocation->args,
                            invocation->n_args, &st)) {
        size_t here = json_path_key(&lint->path, "args");
        complain(lint, "%s", status_message(&st));
        json_path_cut(&lint->path, here);
    } else {
        check_regexes(lint, entry->command, invocation);
    }
    status_clear(&st);
    if (entry->command->kind == COMMAND_REACH)
        note(lint, invocation->id, "reaches out of the viewer: a person is asked each time");
}

/* ---- macros ---- */

/* Whether `id` is met again below `command`; each macro is looked at once. */
static bool is_met_below(const struct registry *registry, const char *id,
                         const struct command *command, struct strmap *met, int depth)
{
    for (uint32_t i = 0; i < command->n_steps && depth < MAX_DEPTH; i++) {
        const char *step = command->steps[i].id;
        bool is_new = false;
        if (strcmp(step, id) == 0) return true;
        const struct registry_entry *next = registry_find(registry, step);
        if (!next || !next->command->steps) continue;
        strmap_put_if_absent(met, str_of(step), 0, &is_new);
        if (is_new && is_met_below(registry, id, next->command, met, depth + 1)) return true;
    }
    return false;
}

static bool leads_back(const struct registry *registry, const char *id,
                       const struct command *command)
{
    struct strmap met = {0};
    bool back = is_met_below(registry, id, command, &met, 0);
    strmap_free(&met);
    return back;
}

static void check_macros(struct lint *lint, const struct macro_list *macros)
{
    const struct registry *registry = lint->session->registry;
    size_t outer = json_path_key(&lint->path, "macros");
    for (size_t i = 0; i < macros->count; i++) {
        const struct macro *macro = &macros->items[i];
        const struct registry_entry *entry = registry_find(registry, macro->id);
        size_t here = json_path_index(&lint->path, i);
        if (entry && entry->scope != COMMAND_TRACE_MACRO)
            complain(lint, "%s is the id of another command already; this macro would be skipped",
                     macro->id);
        else if (entry && leads_back(registry, macro->id, entry->command))
            complain(lint, "%s leads back to itself and would be stopped", macro->id);
        json_path_key(&lint->path, "run");
        size_t run = lint->path.length;
        for (size_t k = 0; k < macro->run.count; k++) {
            json_path_index(&lint->path, k);
            check_command(lint, &macro->run.items[k]);
            json_path_cut(&lint->path, run);
        }
        json_path_cut(&lint->path, here);
    }
    json_path_cut(&lint->path, outer);
}

/* ---- startup ---- */

/* What a macro does on the way that a startup may not; each macro is told once. */
static void check_allowed(struct lint *lint, const char *macro, const struct command *command,
                          struct strmap *met, int depth)
{
    for (uint32_t i = 0; i < command->n_steps && depth < MAX_DEPTH; i++) {
        const char *id = command->steps[i].id;
        const struct registry_entry *entry = registry_find(lint->session->registry, id);
        bool is_new = false;
        if (entry && registry_is_macro(entry)) {
            strmap_put_if_absent(met, str_of(id), 0, &is_new);
            if (is_new) check_allowed(lint, id, entry->command, met, depth + 1);
        } else if (!allowlist_has(id)) {
            complain(lint,
                     "step %u of %s, %s, is not on the list of startup commands and is "
                     "blocked there",
                     i + 1, macro, id);
        }
    }
}

static void check_startup(struct lint *lint)
{
    const struct invocation_list *list = &lint->extensions->startup_commands;
    size_t outer = json_path_key(&lint->path, "startup_commands");
    for (size_t i = 0; i < list->count; i++) {
        const struct invocation *command = &list->items[i];
        const struct registry_entry *entry = registry_find(lint->session->registry, command->id);
        size_t here = json_path_index(&lint->path, i);
        check_command(lint, command);
        if (entry && registry_is_macro(entry)) {
            struct strmap met = {0};
            strmap_set(&met, str_of(command->id), 0);
            check_allowed(lint, command->id, entry->command, &met, 0);
            strmap_free(&met);
        } else if (entry && !allowlist_has(command->id)) {
            complain(lint, "%s is not on the list of startup commands and is blocked", command->id);
        }
        json_path_cut(&lint->path, here);
    }
    json_path_cut(&lint->path, outer);
}

size_t extensions_lint(struct engine *engine, const char *label)
{
    struct status st = STATUS_INIT;
    struct str section = engine_trace_extensions(engine);
    struct trace_extensions *extensions = section.p ? trace_extensions_read(section, &st) : NULL;
    struct lint lint = {.extensions = extensions, .label = label};
    struct macro_list macros = {0};
    if (extensions) {
        lint.session = session_new(NULL);
        buffer_append_text(&lint.path, "extensions");
        server_commands_register(NULL, lint.session); /* they are looked up, not run */
        macros_register_bundled(lint.session);
        if (macros_register_trace(lint.session, extensions, &st) &&
            (!extensions->macros ||
             macro_list_read(extensions->macros, false, &lint.path, &macros, &st))) {
            check_macros(&lint, &macros);
            check_startup(&lint);
        }
        session_free(lint.session);
    }
    if (st.code != STATUS_OK) {
        cli_say("%s: %s", label, status_message(&st));
        lint.problems++;
    }
    status_clear(&st);
    macro_list_free(&macros);
    buffer_free(&lint.path);
    trace_extensions_free(extensions);
    return lint.problems;
}
