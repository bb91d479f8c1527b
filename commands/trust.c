#include "commands/trust.h"

#include <string.h>
#include <time.h>

#include "commands/invocation_json.h"
#include "commands/registry.h"
#include "commands/session.h"
#include "commands/settings.h"
#include "commands/trace_extensions.h"
#include "engine/base/map.h"
#include "engine/base/memory.h"

#define KEY           "traceStartupDecisions"
#define LARGEST       ((size_t)64 << 20) /* bytes of one content */
#define SHORTEST_NAME 8                  /* digits */

/* ---- what a content is ---- */

struct content {
    const struct registry *registry;
    json_t *macros;
    struct strmap met; /* ids of macros */
    VEC(const struct command *) to_do;
};

/* Those of one list; the macros among them are to be looked at later. */
static json_t *commands_of(struct content *content, const struct invocation *commands, size_t n)
{
    json_t *list = json_array();
    for (size_t i = 0; i < n; i++) {
        json_t *one = json_object(), *args = json_array();
        const struct registry_entry *entry = registry_find(content->registry, commands[i].id);
        bool is_new = false;
        for (uint32_t k = 0; k < commands[i].n_args; k++)
            json_array_append_new(args, json_string(commands[i].args[k]));
        json_object_set_new(one, "id", json_string(commands[i].id));
        json_object_set_new(one, "args", args);
        json_array_append_new(list, one);
        if (!entry || !registry_is_macro(entry)) continue;
        strmap_put_if_absent(&content->met, str_of(commands[i].id), 0, &is_new);
        if (is_new) vec_push(&content->to_do, entry->command);
    }
    return list;
}

void trust_content_id(const struct registry *registry, const struct invocation_list *commands,
                      char out[SHA256_HEX])
{
    struct content content = {.registry = registry, .macros = json_array()};
    struct buffer text = {.largest = LARGEST};
    json_t *root = json_object();
    json_object_set_new(root, "commands", commands_of(&content, commands->items, commands->count));
    for (size_t i = 0; i < content.to_do.count; i++) {
        const struct command *macro = content.to_do.items[i];
        json_t *one = json_object();
        json_object_set_new(one, "id", json_string(macro->id));
        json_object_set_new(one, "run", commands_of(&content, macro->steps, macro->n_steps));
        json_array_append_new(content.macros, one);
    }
    json_object_set_new(root, "macros", content.macros);
    json_write(&text, root);
    out[0] = '\0';
    if (!text.overflowed) sha256_hex(buffer_str(&text), out);
    json_decref(root);
    buffer_free(&text);
    strmap_free(&content.met);
    vec_free(&content.to_do);
}

bool trust_content_of_trace(const struct session *session, const struct session_trace *trace,
                            char out[SHA256_HEX])
{
    struct status bad = STATUS_INIT; /* told when the trace was opened */
    struct str json = trace->engine ? engine_trace_extensions(trace->engine) : STR_NONE;
    struct trace_extensions *extensions = json.p ? trace_extensions_read(json, &bad) : NULL;
    bool any = extensions && extensions->startup_commands.count;
    if (any) trust_content_id(session->registry, &extensions->startup_commands, out);
    trace_extensions_free(extensions);
    status_clear(&bad);
    return any;
}

/* ---- as settings keep it ---- */

static bool is_content_id(const char *text)
{
    size_t n = text ? strspn(text, "0123456789abcdef") : 0;
    return n == SHA256_HEX - 1 && !text[n];
}

/* A text that may be left out. */
static bool read_text(const json_t *object, const char *key, struct buffer *path, char **out,
                      struct status *st)
{
    const json_t *value = json_object_get(object, key);
    if (value && !json_is_string(value)) {
        json_path_key(path, key);
        return json_refuse(path, value, "a text", st);
    }
    *out = value ? mem_strdup(json_string_value(value)) : NULL;
    return true;
}

static void dispose(struct trust_decision *decision)
{
    mem_free(decision->origin);
    mem_free(decision->trace);
    mem_free(decision->day);
}

static bool read_one(const json_t *value, struct buffer *path, struct trust_decision *out,
                     struct status *st)
{
    *out = (struct trust_decision){.content = ""};
    if (!json_is_object(value))
        return json_refuse(path, value, "an object {\"content\": …, \"run\": …}", st);
    const json_t *content = json_object_get(value, "content"), *run = json_object_get(value, "run");
    const json_t *commands = json_object_get(value, "commands");
    if (!is_content_id(json_string_value(content))) {
        json_path_key(path, "content");
        return json_refuse(path, content, "64 digits 0 to 9 and a to f", st);
    }
    if (!json_is_boolean(run)) {
        json_path_key(path, "run");
        return json_refuse(path, run, "true or false", st);
    }
    json_int_t n = json_integer_value(commands);
    if (commands && (!json_is_integer(commands) || n < 0 || n > UINT32_MAX)) {
        json_path_key(path, "commands");
        return json_refuse(path, commands, "a number of commands", st);
    }
    memcpy(out->content, json_string_value(content), SHA256_HEX);
    out->runs = json_is_true(run);
    out->commands = (uint32_t)n;
    if (read_text(value, "origin", path, &out->origin, st) &&
        read_text(value, "trace", path, &out->trace, st) &&
        read_text(value, "day", path, &out->day, st))
        return true;
    dispose(out);
    return false;
}

bool trust_list_read(const json_t *value, struct buffer *path, struct trust_list *out,
                     struct status *st)
{
    *out = (struct trust_list){0};
    if (!json_is_array(value)) return json_refuse(path, value, "a list of decisions", st);
    bool good = true;
    for (size_t i = 0; i < json_array_size(value) && good; i++) {
        struct trust_decision one;
        size_t cut = json_path_index(path, i);
        good = read_one(json_array_get(value, i), path, &one, st);
        json_path_cut(path, cut);
        if (good) vec_push(out, one);
    }
    if (!good) trust_list_free(out);
    return good;
}

void trust_list_free(struct trust_list *list)
{
    for (size_t i = 0; i < list->count; i++)
        dispose(&list->items[i]);
    vec_free(list);
}

const struct trust_decision *trust_find(const struct settings *settings, const char *content)
{
    for (size_t i = 0; i < settings->decisions.count; i++)
        if (strcmp(settings->decisions.items[i].content, content) == 0)
            return &settings->decisions.items[i];
    return NULL;
}

/* ---- changing it ---- */

/* A copy of the list as it is on the disk now; NULL with a message. */
static json_t *list_now(struct settings *settings, struct status *st)
{
    if (json_object_get(settings->person, KEY)) {
        status_fail(st, STATUS_INVALID, STATUS_NO_OFFSET,
                    "%s lists the decisions on startup commands: they are changed there",
                    settings->person_path);
        return NULL;
    }
    struct status unread = STATUS_INIT; /* one that cannot be read is written anew */
    settings_refresh(settings, &unread);
    status_clear(&unread);
    json_t *list = json_deep_copy(json_object_get(settings->state, KEY));
    if (json_is_array(list)) return list;
    json_decref(list);
    return json_array();
}

static const char *content_at(const json_t *list, size_t i)
{
    const char *content = json_string_value(json_object_get(json_array_get(list, i), "content"));
    return content ? content : "";
}

static void set_text(json_t *object, const char *key, const char *text)
{
    json_t *value = text ? json_string(text) : NULL; /* NULL too when it is no UTF-8 */
    if (value) json_object_set_new(object, key, value);
}

bool trust_store(struct settings *settings, const struct trust_decision *decision,
                 struct status *st)
{
    char day[16] = "";
    time_t now = time(NULL);
    struct tm when;
    if (!is_content_id(decision->content))
        return status_fail(st, STATUS_LIMIT, STATUS_NO_OFFSET,
                           "the startup commands are too long to be remembered");
    json_t *list = list_now(settings, st);
    if (!list) return false;
    for (size_t i = json_array_size(list); i-- > 0;)
        if (strcmp(content_at(list, i), decision->content) == 0) json_array_remove(list, i);
    while (json_array_size(list) >= TRUST_MOST_DECISIONS)
        json_array_remove(list, 0);
    if (gmtime_r(&now, &when)) strftime(day, sizeof day, "%Y-%m-%d", &when);
    json_t *one = json_object();
    json_object_set_new(one, "content", json_string(decision->content));
    json_object_set_new(one, "run", json_boolean(decision->runs));
    json_object_set_new(one, "commands", json_integer(decision->commands));
    set_text(one, "origin", decision->origin);
    set_text(one, "trace", decision->trace);
    set_text(one, "day", day);
    json_array_append_new(list, one);
    return settings_store(settings, KEY, list, st);
}

/* True for what `name` says; a beginning has to be long enough to mean something. */
static bool is_named(const char *content, const char *name)
{
    size_t n = strlen(name);
    return strcmp(name, "all") == 0 || (n >= SHORTEST_NAME && strncmp(content, name, n) == 0);
}

size_t trust_forget(struct settings *settings, const char *name, struct status *st)
{
    bool all = strcmp(name, "all") == 0;
    json_t *list = list_now(settings, st);
    size_t n = 0;
    if (!list) return 0;
    for (size_t i = 0; i < json_array_size(list); i++)
        if (is_named(content_at(list, i), name)) n++;
    if (n > 1 && !all)
        status_fail(st, STATUS_INVALID, STATUS_NO_OFFSET,
                    "%zu decisions begin with %.70s: give more of it", n, name);
    if (n == 0)
        status_fail(st, STATUS_NOT_FOUND, STATUS_NO_OFFSET,
                    "no decision is remembered for %.70s (8 digits of its id at least, or all)",
                    name);
    if (n == 0 || (n > 1 && !all)) {
        json_decref(list);
        return 0;
    }
    for (size_t i = json_array_size(list); i-- > 0;)
        if (is_named(content_at(list, i), name)) json_array_remove(list, i);
    return settings_store(settings, KEY, list, st) ? n : 0;
}

void trust_append_line(const struct trust_decision *decision, struct buffer *out)
{
    buffer_printf(out, "%.12s  %s", decision->content, decision->runs ? "run" : "skip");
    if (decision->commands)
        buffer_printf(out, "  %u command%s", decision->commands,
                      decision->commands == 1 ? "" : "s");
    if (decision->origin) buffer_printf(out, "  %s", decision->origin);
    if (decision->trace) buffer_printf(out, "  %s", decision->trace);
    if (decision->day) buffer_printf(out, "  since %s", decision->day);
}
