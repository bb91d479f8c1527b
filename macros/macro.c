#include "macros/macro.h"

#include <string.h>

#include "commands/invocation_json.h"
#include "engine/base/memory.h"

/* ---- shapes ---- */

static void dispose(struct macro *macro)
{
    mem_free(macro->id);
    mem_free(macro->name);
    mem_free(macro->key);
    invocation_list_free(&macro->run);
}

void macro_list_free(struct macro_list *list)
{
    for (size_t i = 0; i < list->count; i++)
        dispose(&list->items[i]);
    vec_free(list);
}

static bool check_steps(const struct macro *macro, struct buffer *path, struct status *st)
{
    for (size_t i = 0; i < macro->run.count; i++) {
        const char *id = macro->run.items[i].id;
        if (id[0] && strcmp(id, macro->id) != 0) continue;
        size_t cut = json_path_index(path, i);
        status_fail(st, STATUS_INVALID, STATUS_NO_OFFSET, "%s: %s%s", buffer_text(path),
                    id[0] ? id : "a step without a command", id[0] ? " starts itself" : "");
        json_path_cut(path, cut);
        return false;
    }
    return true;
}

static const char *read_name(const json_t *macro, bool strict, struct buffer *path,
                             struct status *st)
{
    const char *name = json_string_value(json_object_get(macro, "name"));
    return name && !strict ? name : json_read_text(macro, "name", path, st);
}

/* A wish only: one that is none is passed over, but for what a person writes. */
static bool read_key(const json_t *macro, bool strict, struct buffer *path, char **out,
                     struct status *st)
{
    const json_t *value = json_object_get(macro, "key");
    if (!value) return true;
    const char *key = strict ? json_read_text(macro, "key", path, st) : json_string_value(value);
    if (key && key[0]) *out = mem_strdup(key);
    return key || !strict;
}

static bool read_one(const json_t *value, bool strict, struct buffer *path, struct macro *out,
                     struct status *st)
{
    *out = (struct macro){0};
    if (!json_is_object(value))
        return json_refuse(path, value, "an object {\"id\": …, \"name\": …, \"run\": […]}", st);
    const char *id = json_read_text(value, "id", path, st);
    const char *name = id ? read_name(value, strict, path, st) : NULL;
    if (!name) return false;
    size_t cut = json_path_key(path, "run");
    bool good = invocation_list_read(json_object_get(value, "run"), path, &out->run, st);
    if (good) {
        out->id = mem_strdup(id);
        out->name = mem_strdup(name);
        good = !strict || check_steps(out, path, st);
    }
    json_path_cut(path, cut);
    good = good && read_key(value, strict, path, &out->key, st);
    if (!good) dispose(out);
    return good;
}

static bool is_there(const struct macro_list *list, const char *id)
{
    for (size_t i = 0; i < list->count; i++)
        if (strcmp(list->items[i].id, id) == 0) return true;
    return false;
}

bool macro_list_read(const json_t *value, bool strict, struct buffer *path, struct macro_list *out,
                     struct status *st)
{
    *out = (struct macro_list){0};
    if (!json_is_array(value)) return json_refuse(path, value, "a list of macros", st);
    bool good = true;
    for (size_t i = 0; i < json_array_size(value) && good; i++) {
        struct macro one;
        size_t cut = json_path_index(path, i);
        good = read_one(json_array_get(value, i), strict, path, &one, st);
        if (good && is_there(out, one.id)) {
            good = status_fail(st, STATUS_INVALID, STATUS_NO_OFFSET, "%s: there are two macros %s",
                               buffer_text(path), one.id);
            dispose(&one);
        }
        json_path_cut(path, cut);
        if (good) vec_push(out, one);
    }
    if (!good) macro_list_free(out);
    return good;
}

/* ---- running ---- */

struct registered {
    struct command command; /* points into the macro */
    struct macro macro;
    enum command_scope scope;
    char *origin;
};

static void dispose_registered(void *closure)
{
    struct registered *r = closure;
    dispose(&r->macro);
    mem_free(r->origin);
    mem_free(r);
}

/* The step did not begin, so nobody told of it. */
static bool tell_limit(const struct command_context *context, const char *id, struct status *st)
{
    status_fail(st, STATUS_LIMIT, STATUS_NO_OFFSET,
                "more than %d steps in one start of a macro; stopped at %s", MACRO_MOST_STEPS, id);
    if (context->report)
        report_add(context->report, false, context->source, id, context->frame->macro_id,
                   status_message(st));
    return false;
}

static bool run_macro(const struct command_call *call, struct status *st)
{
    /* A step may end a trace and with it this macro: what is needed of it after
     * a step is copied. */
    const struct registered *r = call->closure;
    struct invocation_list steps = {0};
    for (size_t i = 0; i < r->macro.run.count; i++) {
        struct invocation copy;
        invocation_copy(&copy, &r->macro.run.items[i]);
        vec_push(&steps, copy);
    }
    char *id = mem_strdup(r->macro.id), *name = mem_strdup(r->macro.name);
    char *origin = mem_strdup(r->origin);
    const struct command_frame *outer = call->context->frame;
    uint32_t most = MACRO_MOST_STEPS;
    const struct command_frame frame = {.macro_id = id,
                                        .macro_name = name,
                                        .scope = r->scope,
                                        .origin = origin,
                                        .outer = outer,
                                        .depth = outer ? outer->depth + 1 : 1,
                                        .steps_left = outer ? outer->steps_left : &most};
    struct command_context context = *call->context;
    bool ended = false;
    context.frame = &frame;
    context.ends_macro = &ended;
    if (r->scope == COMMAND_TRACE_MACRO || r->scope == COMMAND_SERVER_MACRO)
        context.ask_before_reach = true;
    bool good = true;
    for (size_t i = 0; i < steps.count && good && !ended; i++) {
        const struct invocation *step = &steps.items[i];
        if (call->session->interrupted) {
            good = status_fail(st, STATUS_INTERRUPTED, STATUS_NO_OFFSET, "stopped");
        } else if ((*frame.steps_left)-- == 0) {
            *frame.steps_left = 0;
            good = tell_limit(&context, step->id, st);
        } else {
            good = registry_run(call->session, step->id, (const char *const *)step->args,
                                step->n_args, &context, st) == COMMAND_DONE;
        }
        if (!good) status_prefix(st, "%s, step %zu", name, i + 1);
    }
    invocation_list_free(&steps);
    mem_free(id);
    mem_free(name);
    mem_free(origin);
    return good;
}

/* ---- registering ---- */

static struct registered *prepare(const struct macro *macro, enum command_scope scope,
                                  const char *origin)
{
    struct registered *r = mem_zero(1, sizeof *r);
    r->macro.id = mem_strdup(macro->id);
    r->macro.name = mem_strdup(macro->name);
    r->macro.key = macro->key ? mem_strdup(macro->key) : NULL;
    for (size_t i = 0; i < macro->run.count; i++) {
        struct invocation copy;
        invocation_copy(&copy, &macro->run.items[i]);
        vec_push(&r->macro.run, copy);
    }
    r->scope = scope;
    r->origin = mem_strdup(origin);
    r->command = (struct command){.id = r->macro.id,
                                  .name = r->macro.name,
                                  .kind = COMMAND_VIEW, /* its steps have their own */
                                  .run = run_macro,
                                  .steps = r->macro.run.items,
                                  .n_steps = (uint32_t)r->macro.run.count,
                                  .key = r->macro.key};
    return r;
}

uint32_t macros_register(struct session *session, const struct macro_list *list,
                         enum command_scope scope, const char *origin)
{
    uint32_t entered = 0;
    bool keys = false;
    for (size_t i = 0; i < list->count; i++) {
        struct registered *r = prepare(&list->items[i], scope, origin);
        struct status st = STATUS_INIT;
        char *warning = NULL;
        if (registry_add(session->registry, &r->command, scope, origin, r, dispose_registered,
                         &warning, &st)) {
            entered++;
            keys |= list->items[i].key != NULL;
        } else {
            session_say(session, MESSAGE_WARNING, "%s", status_message(&st));
        }
        if (warning) session_say(session, MESSAGE_WARNING, "%s", warning);
        mem_free(warning);
        status_clear(&st);
    }
    if (keys) session_ask(session, REQUEST_BIND_KEYS, NULL);
    return entered;
}
