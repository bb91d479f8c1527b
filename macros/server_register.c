#include "macros/server_register.h"

#include <string.h>

#include "commands/query.h"
#include "engine/base/memory.h"

/* What is done to the packages of one trace, in this order; either may be NULL. */
struct registering {
    struct engine *engine;
    const char *gone;
    const struct server_content *content;
    struct status status;
};

static void register_sql(void *argument, struct cancel *cancel)
{
    struct registering *r = argument;
    VEC(struct engine_module) modules = {0};
    (void)cancel;
    if (r->gone) engine_unregister_server_package(r->engine, r->gone);
    if (!r->content) return;
    for (size_t i = 0; i < r->content->sql.count; i++)
        vec_push(&modules, (struct engine_module){r->content->sql.items[i].name,
                                                  r->content->sql.items[i].sql});
    engine_register_server_package(r->engine, r->content->manifest.namespace, modules.items,
                                   modules.count, &r->status);
    vec_free(&modules);
}

/* On the trace's own thread, where its SQL runs. */
static bool change_trace(struct session *session, const struct session_trace *trace,
                         const char *gone, const struct server_content *content, struct status *st)
{
    struct registering r = {.engine = trace->engine, .gone = gone, .content = content};
    size_t told = 0;
    while (engine_warning(trace->engine, told))
        told++;
    if (trace->worker) {
        struct job *job = worker_post(trace->worker, register_sql, &r, NULL);
        session_wait(session, job);
        job_wait(job); /* whatever the hook did: the job uses what is here */
        job_release(job);
    } else {
        register_sql(&r, NULL);
    }
    for (const char *warning; (warning = engine_warning(trace->engine, told)) != NULL; told++)
        session_say(session, MESSAGE_WARNING, "%s", warning);
    bool good = r.status.code == STATUS_OK;
    status_move(st, &r.status);
    return good;
}

/* In every trace: the entry's package is what `content` has, or none (NULL). */
static void change_package(struct session *session, struct server_entry *entry,
                           struct server_content *content)
{
    char *gone = entry->package;
    bool any = content && content->sql.count;
    entry->package = any ? mem_strdup(content->manifest.namespace) : NULL;
    for (uint32_t i = 0; i < session->n_traces && (gone || any); i++) {
        struct status st = STATUS_INIT;
        if (session->traces[i].engine &&
            !change_trace(session, &session->traces[i], gone, any ? content : NULL, &st))
            vec_push(&content->problems, mem_strdup(status_message(&st)));
        status_clear(&st);
    }
    mem_free(gone);
}

static void remove_macros(struct session *session, struct server_entry *entry)
{
    struct buffer name = BUFFER_INIT;
    server_append_name(&entry->server, &name);
    registry_remove_origin(session->registry, COMMAND_SERVER_MACRO, buffer_text(&name));
    session_ask(session, REQUEST_BIND_KEYS, NULL);
    entry->is_registered = false;
    buffer_free(&name);
}

/* Two servers of one namespace would shadow each other. */
static bool namespace_is_free(const struct server_host *host, struct server_entry *entry)
{
    for (size_t i = 0; i < server_host_count(host); i++) {
        const struct server_entry *other = server_host_at(host, i);
        if (other == entry || !other->is_registered ||
            strcmp(other->content.manifest.namespace, entry->content.manifest.namespace) != 0)
            continue;
        struct buffer text = BUFFER_INIT;
        buffer_printf(&text, "its namespace %s is that of the server ",
                      entry->content.manifest.namespace);
        server_append_name(&other->server, &text);
        vec_push(&entry->content.problems, buffer_take(&text));
        entry->is_shadowed = true;
        return false;
    }
    return true;
}

void server_register_shadowed(const struct server_host *host, struct session *session)
{
    for (size_t i = 0; i < server_host_count(host); i++) {
        struct server_entry *entry = server_host_entry(host, i);
        if (!entry->is_shadowed || entry->is_registered || !entry->server.enabled) continue;
        mem_free(vec_pop(&entry->content.problems));
        server_register(host, session, entry);
    }
}

void server_withdraw(struct session *session, struct server_entry *entry)
{
    remove_macros(session, entry);
    change_package(session, entry, NULL);
}

void server_register(const struct server_host *host, struct session *session,
                     struct server_entry *entry)
{
    struct server_content *content = &entry->content;
    struct buffer name = BUFFER_INIT;
    entry->is_shadowed = false;
    remove_macros(session, entry);
    server_append_name(&entry->server, &name);
    bool any = content->has_manifest && namespace_is_free(host, entry);
    change_package(session, entry, any ? content : NULL);
    if (any) {
        entry->is_registered = true;
        uint32_t n =
            macros_register(session, &content->macros, COMMAND_SERVER_MACRO, buffer_text(&name));
        session_say(session,
                    content->is_stale && !entry->is_asking ? MESSAGE_WARNING : MESSAGE_INFO,
                    "server %s: %u macro%s, %zu SQL module%s%s", buffer_text(&name), n,
                    n == 1 ? "" : "s", content->sql.count, content->sql.count == 1 ? "" : "s",
                    entry->is_asking    ? ", as it said before: it is being asked"
                    : content->is_stale ? ", as it said before: it was not reached"
                                        : "");
    }
    buffer_free(&name);
}
