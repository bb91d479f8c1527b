#include "macros/server_load.h"

#include <string.h>

#include "commands/query.h"
#include "engine/base/memory.h"
#include "macros/fetch.h"

struct sql_text {
    char *name, *sql;
};

struct content {
    const struct server *server;
    server_fetch fetch;
    struct server_manifest manifest;
    VEC(struct macro_list) macros;
    VEC(struct sql_text) modules;
    struct status status;
};

/* ---- on the worker ---- */

static bool read_sql_modules(struct str json, struct content *content, struct status *st)
{
    json_t *root = json_strict_load(json, st);
    const json_t *list = json_object_get(root, "sql_modules");
    bool good = json_is_array(list);
    if (root && !good) status_fail(st, STATUS_INVALID, STATUS_NO_OFFSET, "sql_modules is no list");
    const char *namespace = content->manifest.namespace;
    size_t n = strlen(namespace);
    for (size_t i = 0; good && i < json_array_size(list); i++) {
        const json_t *one = json_array_get(list, i);
        const char *name = json_string_value(json_object_get(one, "name"));
        const char *sql = json_string_value(json_object_get(one, "sql"));
        good = name && sql && strncmp(name, namespace, n) == 0 && name[n] == '.' && name[n + 1];
        if (good)
            vec_push(&content->modules, (struct sql_text){mem_strdup(name), mem_strdup(sql)});
        else
            status_fail(st, STATUS_INVALID, STATUS_NO_OFFSET,
                        "sql_modules[%zu] has to have \"sql\" and a name that begins \"%s.\"", i,
                        namespace);
    }
    json_decref(root);
    return good;
}

static bool get(const struct content *content, const char *module, const char *what,
                struct cancel *cancel, struct buffer *bytes, struct status *st)
{
    struct buffer url = BUFFER_INIT;
    server_endpoint(content->server, module, what, &url);
    buffer_clear(bytes);
    bool good = content->fetch(buffer_text(&url), content->server->auth, cancel, bytes, st);
    buffer_free(&url);
    return good;
}

static bool has_module(const struct server_manifest *manifest, const char *module)
{
    for (size_t i = 0; i < manifest->modules.count; i++)
        if (strcmp(manifest->modules.items[i], module) == 0) return true;
    return false;
}

static bool load_module(struct content *content, const char *module, struct cancel *cancel,
                        struct buffer *bytes, struct status *st)
{
    struct macro_list macros;
    if (!has_module(&content->manifest, module))
        return status_fail(st, STATUS_NOT_FOUND, STATUS_NO_OFFSET, "it has no module \"%s\"",
                           module);
    if (!get(content, module, "macros", cancel, bytes, st) ||
        !server_read_macros(buffer_str(bytes), content->manifest.namespace, &macros, st))
        return false;
    vec_push(&content->macros, macros);
    return get(content, module, "sql_modules", cancel, bytes, st) &&
           read_sql_modules(buffer_str(bytes), content, st);
}

static void load(void *argument, struct cancel *cancel)
{
    struct content *content = argument;
    struct buffer bytes = BUFFER_INIT;
    const struct server *server = content->server;
    bool good = get(content, NULL, NULL, cancel, &bytes, &content->status) &&
                server_read_manifest(buffer_str(&bytes), &content->manifest, &content->status);
    for (size_t i = 0; good && i < server->modules.count; i++) {
        good = load_module(content, server->modules.items[i], cancel, &bytes, &content->status);
        if (!good) status_prefix(&content->status, "module %s", server->modules.items[i]);
    }
    buffer_free(&bytes);
}

static void content_dispose(struct content *content)
{
    server_manifest_dispose(&content->manifest);
    for (size_t i = 0; i < content->macros.count; i++)
        macro_list_free(&content->macros.items[i]);
    vec_free(&content->macros);
    for (size_t i = 0; i < content->modules.count; i++) {
        mem_free(content->modules.items[i].name);
        mem_free(content->modules.items[i].sql);
    }
    vec_free(&content->modules);
    status_clear(&content->status);
}

/* ---- registering ---- */

static bool register_sql(struct session *session, const struct content *content, struct status *st)
{
    VEC(struct engine_module) modules = {0};
    for (size_t i = 0; i < content->modules.count; i++)
        vec_push(&modules, (struct engine_module){content->modules.items[i].name,
                                                  content->modules.items[i].sql});
    bool good = true;
    for (uint32_t i = 0; i < session->n_traces && good && modules.count; i++)
        if (session->traces[i].engine)
            good = engine_register_package(session->traces[i].engine, content->manifest.namespace,
                                           modules.items, modules.count, st);
    vec_free(&modules);
    return good;
}

static bool load_server(struct session *session, const struct server *server, server_fetch fetch,
                        struct status *st)
{
    struct content content = {.server = server, .fetch = fetch};
    struct worker *worker = session->n_traces ? session->traces[0].worker : NULL;
    if (worker) {
        struct job *job = worker_post(worker, load, &content, NULL);
        session_wait(session, job);
        job_wait(job); /* whatever the hook did: the job uses what is here */
        job_release(job);
    } else {
        load(&content, NULL);
    }
    struct buffer name = BUFFER_INIT;
    server_append_name(server, &name);
    uint32_t entered = 0;
    bool good = content.status.code == STATUS_OK;
    if (good) good = register_sql(session, &content, &content.status);
    for (size_t i = 0; good && i < content.macros.count; i++)
        entered += macros_register(session, &content.macros.items[i], COMMAND_SERVER_MACRO,
                                   buffer_text(&name));
    if (good)
        session_say(session, MESSAGE_INFO, "server %s: %u macro%s, %zu SQL module%s",
                    buffer_text(&name), entered, entered == 1 ? "" : "s", content.modules.count,
                    content.modules.count == 1 ? "" : "s");
    else
        status_prefix(&content.status, "server %s", buffer_text(&name));
    status_move(st, &content.status);
    content_dispose(&content);
    buffer_free(&name);
    return good;
}

/* ---- the trace's server ---- */

struct offer {
    struct settings *settings;
    server_fetch fetch;
    struct server merged;
};

static void dispose_offer(void *closure)
{
    struct offer *offer = closure;
    server_dispose(&offer->merged);
    mem_free(offer);
}

static bool add_trace_server(const struct command_call *call, struct status *st)
{
    const struct offer *offer = call->closure;
    return servers_store(offer->settings, &offer->merged, st) &&
           load_server(call->session, &offer->merged, offer->fetch, st);
}

static const struct command command_add_trace_server = {
    .id = "dev.perfetty.AddTraceServer",
    .name = "Add the extension server that the trace names, and ask it",
    .kind = COMMAND_REACH,
    .run = add_trace_server,
};

static void append_modules(const struct server *server, struct buffer *out)
{
    for (size_t i = 0; i < server->modules.count; i++)
        buffer_printf(out, "%s%s", i ? ", " : "", server->modules.items[i]);
}

static void offer_server(struct session *session, struct settings *settings,
                         const struct server_list *known, const json_t *reference,
                         server_fetch fetch)
{
    struct status st = STATUS_INIT;
    struct server server;
    if (!server_read_reference(reference, &server, &st)) {
        session_say(session, MESSAGE_WARNING, "%s", status_message(&st));
        status_clear(&st);
        return;
    }
    struct offer *offer = mem_zero(1, sizeof *offer);
    offer->settings = settings;
    offer->fetch = fetch;
    enum server_match match = servers_match(known, &server, &offer->merged);
    server_dispose(&server);
    if (match == SERVER_COMPLETE) {
        dispose_offer(offer);
        return;
    }
    struct buffer name = BUFFER_INIT, modules = BUFFER_INIT;
    server_append_name(&offer->merged, &name);
    append_modules(&offer->merged, &modules);
    session_say(session, MESSAGE_WARNING,
                "the trace wants %sthe extension server %s (modules: %s); nothing was sent; "
                "dev.perfetty.AddTraceServer adds it",
                match == SERVER_UNKNOWN ? "" : "more of ", buffer_text(&name),
                buffer_text(&modules));
    buffer_free(&name);
    buffer_free(&modules);
    registry_add(session->registry, &command_add_trace_server, COMMAND_CORE, "", offer,
                 dispose_offer, NULL, &st);
    status_clear(&st);
}

bool servers_open(struct session *session, struct settings *settings, const json_t *reference,
                  server_fetch fetch, struct status *st)
{
    struct server_list known;
    if (!fetch) fetch = fetch_https;
    if (!servers_read(settings, &known, st)) return false;
    for (size_t i = 0; i < known.count; i++) {
        struct status why = STATUS_INIT;
        if (known.items[i].enabled && !load_server(session, &known.items[i], fetch, &why))
            session_say(session, MESSAGE_ERROR, "%s", status_message(&why));
        status_clear(&why);
    }
    if (reference) offer_server(session, settings, &known, reference, fetch);
    server_list_free(&known);
    return true;
}
