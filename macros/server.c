#include "macros/server.h"

#include <string.h>

#include "commands/invocation_json.h"
#include "engine/base/memory.h"

void server_dispose(struct server *server)
{
    mem_free(server->url);
    mem_free(server->repo);
    mem_free(server->ref);
    mem_free(server->path);
    for (size_t i = 0; i < server->modules.count; i++)
        mem_free(server->modules.items[i]);
    vec_free(&server->modules);
    json_decref(server->auth);
    *server = (struct server){0};
}

void server_list_free(struct server_list *list)
{
    for (size_t i = 0; i < list->count; i++)
        server_dispose(&list->items[i]);
    vec_free(list);
}

static char *copy_text(const char *text)
{
    return text ? mem_strdup(text) : NULL;
}

static void copy(struct server *out, const struct server *in)
{
    *out = *in;
    out->url = copy_text(in->url);
    out->repo = copy_text(in->repo);
    out->ref = copy_text(in->ref);
    out->path = copy_text(in->path);
    out->auth = json_incref(in->auth);
    out->modules = (struct server_modules){0};
    for (size_t i = 0; i < in->modules.count; i++)
        vec_push(&out->modules, mem_strdup(in->modules.items[i]));
}

/* ---- shapes ---- */

/* "https://" is put in front of a bare host; other schemes are refused. */
static bool read_url(const json_t *value, struct buffer *path, struct server *out,
                     struct status *st)
{
    const char *url = json_read_text(value, "url", path, st);
    if (!url) return false;
    bool is_https = strncmp(url, "https://", 8) == 0;
    if (!is_https && strstr(url, "://")) {
        size_t cut = json_path_key(path, "url");
        json_refuse(path, json_object_get(value, "url"), "an https:// address", st);
        json_path_cut(path, cut);
        return false;
    }
    struct buffer text = BUFFER_INIT;
    buffer_printf(&text, "%s%s", is_https ? "" : "https://", url);
    while (text.length > 8 && text.data[text.length - 1] == '/')
        text.data[--text.length] = '\0';
    out->url = buffer_take(&text);
    return true;
}

static bool read_github(const json_t *value, struct buffer *path, struct server *out,
                        struct status *st)
{
    const char *repo = json_read_text(value, "repo", path, st);
    const char *ref = repo ? json_read_text(value, "ref", path, st) : NULL;
    const char *folder = json_string_value(json_object_get(value, "path"));
    if (!ref) return false;
    const char *slash = strchr(repo, '/');
    if (!slash || slash == repo || !slash[1] || strchr(slash + 1, '/')) {
        size_t cut = json_path_key(path, "repo");
        json_refuse(path, json_object_get(value, "repo"), "\"owner/name\"", st);
        json_path_cut(path, cut);
        return false;
    }
    out->repo = mem_strdup(repo);
    out->ref = mem_strdup(ref);
    out->path = mem_strdup(folder && folder[0] ? folder : "/");
    return true;
}

static bool read_modules(const json_t *value, const char *key, struct buffer *path,
                         struct server_modules *out, struct status *st)
{
    const json_t *list = json_object_get(value, key);
    size_t cut = json_path_key(path, key);
    bool good = json_is_array(list) || json_refuse(path, list, "a list of strings", st);
    for (size_t i = 0; good && i < json_array_size(list); i++) {
        const json_t *module = json_array_get(list, i);
        size_t inner = json_path_index(path, i);
        good = json_is_string(module) || json_refuse(path, module, "a string", st);
        json_path_cut(path, inner);
        if (good) vec_push(out, mem_strdup(json_string_value(module)));
    }
    json_path_cut(path, cut);
    return good;
}

static bool read_server(const json_t *value, const char *modules_key, struct buffer *path,
                        struct server *out, struct status *st)
{
    *out = (struct server){.enabled = true};
    if (!json_is_object(value)) return json_refuse(path, value, "a server object", st);
    const json_t *type = json_object_get(value, "type");
    bool is_github = json_is_string(type) && str_is(json_str(type), "github");
    if (!is_github && !(json_is_string(type) && str_is(json_str(type), "https"))) {
        size_t cut = json_path_key(path, "type");
        json_refuse(path, type, "\"https\" or \"github\"", st);
        json_path_cut(path, cut);
        return false;
    }
    out->type = is_github ? SERVER_GITHUB : SERVER_HTTPS;
    bool good = is_github ? read_github(value, path, out, st) : read_url(value, path, out, st);
    good = good && read_modules(value, modules_key, path, &out->modules, st);
    const json_t *enabled = json_object_get(value, "enabled");
    if (json_is_boolean(enabled)) out->enabled = json_is_true(enabled);
    json_t *auth = json_object_get(value, "auth");
    out->auth = json_is_object(auth) ? json_incref(auth) : json_pack("{s:s}", "type", "none");
    if (!good) server_dispose(out);
    return good;
}

bool servers_read(const struct settings *settings, struct server_list *out, struct status *st)
{
    const char *file;
    const json_t *list = settings_get(settings, "extensionServers", &file);
    struct buffer path = BUFFER_INIT;
    bool good = true;
    *out = (struct server_list){0};
    buffer_append_text(&path, "extensionServers");
    for (size_t i = 0; good && i < json_array_size(list); i++) {
        struct server server;
        size_t cut = json_path_index(&path, i);
        good = read_server(json_array_get(list, i), "enabledModules", &path, &server, st);
        json_path_cut(&path, cut);
        if (good) vec_push(out, server);
    }
    if (!good) {
        status_prefix(st, "%s", file);
        server_list_free(out);
    }
    buffer_free(&path);
    return good;
}

bool server_read_reference(const json_t *reference, struct server *out, struct status *st)
{
    struct buffer path = BUFFER_INIT;
    buffer_append_text(&path, "extensions.server");
    bool good = read_server(reference, "enabled_modules", &path, out, st);
    if (good) {
        /* A trace brings no credentials, whatever it says. */
        json_decref(out->auth);
        out->auth = json_pack("{s:s}", "type", "none");
        out->enabled = true;
    }
    buffer_free(&path);
    return good;
}

/* ---- comparing ---- */

static bool same_text(const char *a, const char *b)
{
    return a && b ? strcmp(a, b) == 0 : a == b;
}

bool server_is_same(const struct server *a, const struct server *b)
{
    return a->type == b->type && same_text(a->url, b->url) && same_text(a->repo, b->repo) &&
           same_text(a->ref, b->ref) && same_text(a->path, b->path);
}

static bool has_module(const struct server *server, const char *module)
{
    for (size_t i = 0; i < server->modules.count; i++)
        if (strcmp(server->modules.items[i], module) == 0) return true;
    return false;
}

enum server_match servers_match(const struct server_list *known, const struct server *reference,
                                struct server *merged)
{
    const struct server *there = NULL;
    for (size_t i = 0; i < known->count && !there; i++)
        if (server_is_same(&known->items[i], reference)) there = &known->items[i];
    copy(merged, there ? there : reference);
    if (!there) return SERVER_UNKNOWN;
    for (size_t i = 0; i < reference->modules.count; i++)
        if (!has_module(merged, reference->modules.items[i]))
            vec_push(&merged->modules, mem_strdup(reference->modules.items[i]));
    return merged->modules.count > there->modules.count || !there->enabled ? SERVER_LACKS_MODULES
                                                                           : SERVER_COMPLETE;
}

/* ---- storing ---- */

static json_t *to_json(const struct server *server)
{
    json_t *modules = json_array();
    for (size_t i = 0; i < server->modules.count; i++)
        json_array_append_new(modules, json_string(server->modules.items[i]));
    json_t *out = json_object();
    if (server->type == SERVER_GITHUB) {
        json_object_set_new(out, "type", json_string("github"));
        json_object_set_new(out, "repo", json_string(server->repo));
        json_object_set_new(out, "ref", json_string(server->ref));
        json_object_set_new(out, "path", json_string(server->path));
    } else {
        json_object_set_new(out, "type", json_string("https"));
        json_object_set_new(out, "url", json_string(server->url));
    }
    json_object_set_new(out, "enabledModules", modules);
    json_object_set_new(out, "enabled", json_true());
    json_object_set(out, "auth", server->auth);
    json_object_set_new(out, "origin", json_string("user_added"));
    return out;
}

bool servers_store(struct settings *settings, const struct server *server, struct status *st)
{
    struct server_list known;
    if (!servers_read(settings, &known, st)) return false;
    const json_t *before = settings_get(settings, "extensionServers", NULL);
    json_t *list = json_is_array(before) ? json_deep_copy(before) : json_array();
    size_t at = 0;
    while (at < known.count && !server_is_same(&known.items[at], server))
        at++;
    if (at < known.count)
        json_array_set_new(list, at, to_json(server));
    else
        json_array_append_new(list, to_json(server));
    server_list_free(&known);
    return settings_store(settings, "extensionServers", list, st);
}

/* ---- addresses ---- */

void server_endpoint(const struct server *server, const char *module, const char *what,
                     struct buffer *out)
{
    if (server->type == SERVER_GITHUB) {
        const char *folder = server->path;
        while (*folder == '/')
            folder++;
        size_t n = strlen(folder);
        while (n && folder[n - 1] == '/')
            n--;
        buffer_printf(out, "https://raw.githubusercontent.com/%s/%s/%.*s%s", server->repo,
                      server->ref, (int)n, folder, n ? "/" : "");
    } else {
        buffer_printf(out, "%s/", server->url);
    }
    if (module)
        buffer_printf(out, "modules/%s/%s", module, what);
    else
        buffer_append_text(out, "manifest");
}

void server_append_name(const struct server *server, struct buffer *out)
{
    if (server->type == SERVER_GITHUB)
        buffer_printf(out, "%s@%s", server->repo, server->ref);
    else
        buffer_append_text(out, server->url + 8);
}

/* ---- answers ---- */

void server_manifest_dispose(struct server_manifest *manifest)
{
    mem_free(manifest->name);
    mem_free(manifest->namespace);
    for (size_t i = 0; i < manifest->modules.count; i++)
        mem_free(manifest->modules.items[i]);
    vec_free(&manifest->modules);
    *manifest = (struct server_manifest){0};
}

static bool read_manifest(const json_t *root, struct buffer *path, struct server_manifest *out,
                          struct status *st)
{
    if (!json_is_object(root)) return json_refuse(path, root, "an object", st);
    const char *name = json_read_text(root, "name", path, st);
    const char *namespace = name ? json_read_text(root, "namespace", path, st) : NULL;
    const json_t *modules = json_object_get(root, "modules");
    if (!namespace) return false;
    out->name = mem_strdup(name);
    out->namespace = mem_strdup(namespace);
    json_path_key(path, "modules");
    if (!json_is_array(modules)) return json_refuse(path, modules, "a list", st);
    for (size_t i = 0; i < json_array_size(modules); i++) {
        size_t cut = json_path_index(path, i);
        const json_t *module = json_array_get(modules, i);
        if (!json_is_object(module)) return json_refuse(path, module, "an object", st);
        const char *id = json_read_text(module, "id", path, st);
        if (!id) return false;
        vec_push(&out->modules, mem_strdup(id));
        json_path_cut(path, cut);
    }
    return true;
}

bool server_read_manifest(struct str json, struct server_manifest *out, struct status *st)
{
    struct buffer path = BUFFER_INIT;
    json_t *root = json_strict_load(json, st);
    *out = (struct server_manifest){0};
    bool good = root && read_manifest(root, &path, out, st);
    if (!good) {
        server_manifest_dispose(out);
        status_prefix(st, "manifest");
    }
    json_decref(root);
    buffer_free(&path);
    return good;
}

static bool in_namespace(const char *id, const char *namespace)
{
    size_t n = strlen(namespace);
    return strncmp(id, namespace, n) == 0 && id[n] == '.' && id[n + 1];
}

bool server_read_macros(struct str json, const char *namespace, struct macro_list *out,
                        struct status *st)
{
    struct buffer path = BUFFER_INIT;
    json_t *root = json_strict_load(json, st);
    *out = (struct macro_list){0};
    buffer_append_text(&path, "macros");
    bool good = root && macro_list_read(json_object_get(root, "macros"), false, &path, out, st);
    for (size_t i = 0; good && i < out->count; i++)
        if (!in_namespace(out->items[i].id, namespace))
            good = status_fail(st, STATUS_INVALID, STATUS_NO_OFFSET,
                               "macros[%zu].id is \"%s\", but has to begin \"%s.\"", i,
                               out->items[i].id, namespace);
    if (!good) macro_list_free(out);
    json_decref(root);
    buffer_free(&path);
    return good;
}
