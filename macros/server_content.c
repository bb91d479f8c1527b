#include "macros/server_content.h"

#include <stdarg.h>
#include <string.h>

#include "commands/invocation_json.h"
#include "engine/base/hash.h"
#include "engine/base/memory.h"
#include "engine/extensions/base64.h"
#include "engine/proto/descriptor_pool.h"
#include "macros/server_cache.h"

#define MOST_MODULES 100
#define MOST_LISTED  10000 /* entries of one list */

struct asking {
    struct server_content *out;
    const struct server *server;
    const struct server_access *access;
    struct cancel *cancel;
    bool gave_up; /* it could not be reached once: not tried again */
};

static void dispose_sql(struct server_sql *sql)
{
    mem_free(sql->name);
    mem_free(sql->sql);
}

void server_content_dispose(struct server_content *content)
{
    server_dispose(&content->server);
    server_manifest_dispose(&content->manifest);
    macro_list_free(&content->macros);
    for (size_t i = 0; i < content->sql.count; i++)
        dispose_sql(&content->sql.items[i]);
    for (size_t i = 0; i < content->descriptors.count; i++)
        buffer_free(&content->descriptors.items[i]);
    for (size_t i = 0; i < content->problems.count; i++)
        mem_free(content->problems.items[i]);
    vec_free(&content->sql);
    vec_free(&content->descriptors);
    vec_free(&content->problems);
    *content = (struct server_content){0};
}

bool server_content_same_descriptors(const struct server_content *a, const struct server_content *b)
{
    if (a->descriptors.count != b->descriptors.count) return false;
    for (size_t i = 0; i < a->descriptors.count; i++)
        if (!str_equal(buffer_str(&a->descriptors.items[i]), buffer_str(&b->descriptors.items[i])))
            return false;
    return true;
}

static void add_problem(struct server_content *out, const char *module, struct status *st)
{
    struct buffer text = BUFFER_INIT;
    if (module) buffer_printf(&text, "module %s: ", module);
    buffer_append_text(&text, status_message(st));
    vec_push(&out->problems, buffer_take(&text));
    status_clear(st);
}

/* ---- one answer ---- */

static void note_stale(struct server_content *out, time_t when)
{
    if (!out->is_stale || when < out->kept_at) out->kept_at = when;
    out->is_stale = true;
}

/* The bytes of one address.  *fresh is true when they came from the server, and
 * are to be kept once they could be read. */
static bool get(struct asking *a, const char *url, struct buffer *bytes, bool *fresh,
                struct status *st)
{
    const struct server_access *access = a->access;
    time_t when;
    buffer_clear(bytes);
    *fresh = false;
    if (!access->fetch || a->gave_up) {
        if (server_cache_read(access->cache_folder, url, bytes, &when)) {
            note_stale(a->out, when);
            return true;
        }
        return status_fail(st, STATUS_NOT_FOUND, STATUS_NO_OFFSET,
                           "%s: the server was not reached, and nothing is kept of it", url);
    }
    const struct fetch_request request = {
        .url = url,
        .accept = a->server->auth == SERVER_AUTH_GITHUB ? "application/vnd.github.raw+json" : NULL,
        .auth = &access->auth,
        .ca_file = a->server->ca_file,
        .allow_private = a->server->allow_private,
        .deadline_ns = access->deadline_ns};
    struct buffer answer = BUFFER_INIT;
    enum fetch_result result = access->fetch(access->context, &request, a->cancel, &answer, st);
    if (result == FETCH_DONE) {
        buffer_append_str(bytes, buffer_str(&answer));
        *fresh = true;
    }
    buffer_free(&answer);
    if (result == FETCH_DONE) return true;
    if (result == FETCH_REFUSED) server_cache_evict(access->cache_folder, url);
    if (result == FETCH_STOPPED) a->out->was_stopped = true;
    if (result != FETCH_UNREACHABLE) return false;
    a->gave_up = true;
    if (!server_cache_read(access->cache_folder, url, bytes, &when)) return false;
    note_stale(a->out, when);
    add_problem(a->out, NULL, st);
    return true;
}

/* Asks for one list and reads it; what could be read is kept. */
static bool ask(struct asking *a, const char *module, const char *what,
                bool (*read)(struct asking *a, struct str json, struct status *st))
{
    struct buffer url = BUFFER_INIT, bytes = BUFFER_INIT;
    struct status st = STATUS_INIT;
    bool fresh;
    server_endpoint(a->server, module, what, &url);
    bool good = get(a, buffer_text(&url), &bytes, &fresh, &st) && read(a, buffer_str(&bytes), &st);
    if (good && fresh)
        server_cache_write(a->access->cache_folder, buffer_text(&url), buffer_str(&bytes));
    if (good)
        a->out->hash = hash_mix(a->out->hash, hash_bytes(buffer_text(&bytes), bytes.length));
    else
        add_problem(a->out, module, &st);
    buffer_free(&url);
    buffer_free(&bytes);
    return good;
}

/* ---- what they hold ---- */

static bool read_manifest(struct asking *a, struct str json, struct status *st)
{
    a->out->has_manifest = server_read_manifest(json, &a->out->manifest, st);
    return a->out->has_manifest;
}

static bool read_macros(struct asking *a, struct str json, struct status *st)
{
    struct macro_list list;
    if (!server_read_macros(json, a->out->manifest.namespace, &list, st)) return false;
    for (size_t i = 0; i < list.count; i++)
        vec_push(&a->out->macros, list.items[i]);
    vec_free(&list);
    return true;
}

static bool read_one_sql(struct asking *a, const json_t *one, size_t i, struct status *st)
{
    const char *namespace = a->out->manifest.namespace;
    size_t n = strlen(namespace);
    const char *name = json_string_value(json_object_get(one, "name"));
    const char *sql = json_string_value(json_object_get(one, "sql"));
    if (!name || !sql || strncmp(name, namespace, n) != 0 || name[n] != '.' || !name[n + 1])
        return status_fail(st, STATUS_INVALID, STATUS_NO_OFFSET,
                           "sql_modules[%zu] has to have \"sql\" and a name that begins \"%s.\"", i,
                           namespace);
    for (size_t k = 0; k < a->out->sql.count; k++)
        if (strcmp(a->out->sql.items[k].name, name) == 0)
            return status_fail(st, STATUS_INVALID, STATUS_NO_OFFSET,
                               "sql_modules[%zu]: there is a module %s already", i, name);
    vec_push(&a->out->sql, (struct server_sql){mem_strdup(name), mem_strdup(sql)});
    return true;
}

static const json_t *list_of(const json_t *root, const char *key, struct status *st)
{
    const json_t *list = json_object_get(root, key);
    if (!root) return NULL;
    if (!json_is_array(list)) {
        status_fail(st, STATUS_INVALID, STATUS_NO_OFFSET, "%s is no list", key);
        return NULL;
    }
    if (json_array_size(list) > MOST_LISTED) {
        status_fail(st, STATUS_LIMIT, STATUS_NO_OFFSET, "%s has more than %d entries", key,
                    MOST_LISTED);
        return NULL;
    }
    return list;
}

/* All of a list or nothing. */
static bool read_sql(struct asking *a, struct str json, struct status *st)
{
    size_t before = a->out->sql.count;
    json_t *root = json_strict_load(json, st);
    const json_t *list = list_of(root, "sql_modules", st);
    bool good = list != NULL;
    for (size_t i = 0; good && i < json_array_size(list); i++)
        good = read_one_sql(a, json_array_get(list, i), i, st);
    while (!good && a->out->sql.count > before)
        dispose_sql(&vec_pop(&a->out->sql));
    json_decref(root);
    return good;
}

static bool read_descriptors(struct asking *a, struct str json, struct status *st)
{
    size_t before = a->out->descriptors.count;
    json_t *root = json_strict_load(json, st);
    const json_t *list = list_of(root, "proto_descriptors", st);
    bool good = list != NULL;
    for (size_t i = 0; good && i < json_array_size(list); i++) {
        const json_t *one = json_array_get(list, i);
        struct buffer bytes = BUFFER_INIT;
        good = json_is_string(one) ||
               status_fail(st, STATUS_INVALID, STATUS_NO_OFFSET, "it is no text");
        good = good && base64_decode(json_str(one), &bytes, st) &&
               descriptor_pool_check(buffer_str(&bytes), st);
        if (!good) status_prefix(st, "proto_descriptors[%zu]", i);
        vec_push(&a->out->descriptors, bytes);
    }
    while (!good && a->out->descriptors.count > before)
        buffer_free(&vec_pop(&a->out->descriptors));
    json_decref(root);
    return good;
}

static void ask_module(struct asking *a, const char *module)
{
    const struct server_manifest *manifest = &a->out->manifest;
    struct status st = STATUS_INIT;
    if (!server_manifest_find(manifest, module)) {
        status_fail(&st, STATUS_NOT_FOUND, STATUS_NO_OFFSET, "the server has no such module");
        add_problem(a->out, module, &st);
        return;
    }
    if (manifest->has_descriptors) ask(a, module, "proto_descriptors", read_descriptors);
    if (manifest->has_macros && !a->out->was_stopped) ask(a, module, "macros", read_macros);
    if (manifest->has_sql && !a->out->was_stopped) ask(a, module, "sql_modules", read_sql);
}

void server_content_get(struct server_content *out, const struct server *server,
                        const struct server_access *access, bool manifest_only,
                        struct cancel *cancel)
{
    struct asking a = {out, server, access, cancel, false};
    struct status st = STATUS_INIT;
    struct server bare = *server;
    bare.secret = NULL;
    server_copy(&out->server, &bare);
    if (access->fetch && access->no_credentials) {
        status_fail(&st, STATUS_INVALID, STATUS_NO_OFFSET, "%s", access->no_credentials);
        add_problem(out, NULL, &st);
        return;
    }
    if (!ask(&a, NULL, NULL, read_manifest) || manifest_only) return;
    if (server->modules.count > MOST_MODULES) {
        status_fail(&st, STATUS_LIMIT, STATUS_NO_OFFSET, "more than %d modules are enabled",
                    MOST_MODULES);
        add_problem(out, NULL, &st);
        return;
    }
    for (size_t i = 0; i < server->modules.count && !out->was_stopped; i++)
        ask_module(&a, server->modules.items[i]);
}

void server_content_forget(const struct server *server, const char *cache_folder)
{
    static const char *const lists[] = {"proto_descriptors", "macros", "sql_modules"};
    struct buffer url = BUFFER_INIT;
    server_endpoint(server, NULL, NULL, &url);
    server_cache_evict(cache_folder, buffer_text(&url));
    for (size_t i = 0; i < server->modules.count; i++)
        for (size_t k = 0; k < sizeof lists / sizeof *lists; k++) {
            buffer_clear(&url);
            server_endpoint(server, server->modules.items[i], lists[k], &url);
            server_cache_evict(cache_folder, buffer_text(&url));
        }
    buffer_free(&url);
}
