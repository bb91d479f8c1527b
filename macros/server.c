#include "macros/server.h"

#include <stdlib.h>
#include <string.h>

#include "engine/base/memory.h"
#include "macros/secret.h"

/* ---- life ---- */

void server_modules_free(struct server_modules *modules)
{
    for (size_t i = 0; i < modules->count; i++)
        mem_free(modules->items[i]);
    vec_free(modules);
}

bool server_modules_have(const struct server_modules *modules, const char *id)
{
    for (size_t i = 0; i < modules->count; i++)
        if (strcmp(modules->items[i], id) == 0) return true;
    return false;
}

void server_dispose(struct server *server)
{
    for (volatile char *p = server->secret; p && *p; p++)
        *p = 0;
    mem_free(server->url);
    mem_free(server->repo);
    mem_free(server->ref);
    mem_free(server->path);
    mem_free(server->auth_name);
    mem_free(server->secret);
    mem_free(server->secret_env);
    mem_free(server->ca_file);
    server_modules_free(&server->modules);
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

void server_copy(struct server *out, const struct server *in)
{
    *out = *in;
    out->url = copy_text(in->url);
    out->repo = copy_text(in->repo);
    out->ref = copy_text(in->ref);
    out->path = copy_text(in->path);
    out->auth_name = copy_text(in->auth_name);
    out->secret = copy_text(in->secret);
    out->secret_env = copy_text(in->secret_env);
    out->ca_file = copy_text(in->ca_file);
    out->modules = (struct server_modules){0};
    for (size_t i = 0; i < in->modules.count; i++)
        vec_push(&out->modules, mem_strdup(in->modules.items[i]));
}

/* ---- comparing ---- */

static bool same_text(const char *a, const char *b)
{
    return a && b ? strcmp(a, b) == 0 : a == b;
}

static struct str folder_of(const struct server *server)
{
    struct str folder = str_of(server->path);
    while (folder.n && folder.p[0] == '/')
        folder = str_slice(folder, 1, folder.n);
    while (folder.n && folder.p[folder.n - 1] == '/')
        folder.n--;
    return folder;
}

bool server_is_same(const struct server *a, const struct server *b)
{
    return a->type == b->type && same_text(a->url, b->url) && same_text(a->repo, b->repo) &&
           same_text(a->ref, b->ref) && str_equal(folder_of(a), folder_of(b));
}

static const struct server *find_same(const struct server_list *known, const struct server *server)
{
    for (size_t i = 0; i < known->count; i++)
        if (server_is_same(&known->items[i], server)) return &known->items[i];
    return NULL;
}

enum server_match servers_match(const struct server_list *known, const struct server *reference,
                                struct server *merged)
{
    const struct server *there = find_same(known, reference);
    server_copy(merged, there ? there : reference);
    if (!there) return SERVER_UNKNOWN;
    for (size_t i = 0; i < reference->modules.count; i++)
        if (!server_modules_have(&merged->modules, reference->modules.items[i]))
            vec_push(&merged->modules, mem_strdup(reference->modules.items[i]));
    return merged->modules.count > there->modules.count || !there->enabled ? SERVER_LACKS_MODULES
                                                                           : SERVER_COMPLETE;
}

const struct server *servers_find(const struct server_list *list, const char *name,
                                  struct status *st)
{
    const struct server *found = NULL;
    struct buffer text = BUFFER_INIT;
    size_t matches = 0;
    for (size_t i = 0; i < list->count; i++) {
        buffer_clear(&text);
        server_append_location(&list->items[i], &text);
        bool is_location = strcmp(buffer_text(&text), name) == 0;
        buffer_clear(&text);
        server_append_name(&list->items[i], &text);
        if (!is_location && strcmp(buffer_text(&text), name) != 0) continue;
        found = &list->items[i];
        matches++;
    }
    buffer_free(&text);
    if (matches == 1) return found;
    if (matches)
        status_fail(st, STATUS_USAGE, STATUS_NO_OFFSET,
                    "there are %zu servers %s: say the whole address", matches, name);
    else
        status_fail(st, STATUS_NOT_FOUND, STATUS_NO_OFFSET, "there is no server %s in the settings",
                    name);
    return NULL;
}

/* ---- storing ---- */

/* A secret that stood inline in the overlay moves out of it. */
static bool store_secret(const struct settings *settings, const struct server *server,
                         struct status *st)
{
    bool wanted = server->auth != SERVER_AUTH_NONE && !server->secret_env;
    if (wanted && !server->secret) return true;
    struct buffer location = BUFFER_INIT;
    char *path = secret_path(settings);
    server_append_location(server, &location);
    bool good = secret_store(path, buffer_text(&location), wanted ? server->secret : NULL, st);
    buffer_free(&location);
    mem_free(path);
    return good;
}

static bool forget_secret(const struct settings *settings, const struct server *server,
                          struct status *st)
{
    struct server bare = *server;
    bare.auth = SERVER_AUTH_NONE;
    return store_secret(settings, &bare, st);
}

static bool write_list(struct settings *settings, const struct server_list *list, struct status *st)
{
    const char *file;
    if (json_object_get(settings->person, "extensionServers")) {
        settings_get(settings, "extensionServers", &file);
        return status_fail(st, STATUS_INVALID, STATUS_NO_OFFSET,
                           "%s lists the extension servers: they are changed there", file);
    }
    json_t *array = json_array();
    for (size_t i = 0; i < list->count; i++) {
        json_array_append_new(array, server_to_json(&list->items[i]));
        if (!list->items[i].secret || store_secret(settings, &list->items[i], st)) continue;
        json_decref(array);
        return false;
    }
    return settings_store(settings, "extensionServers", array, st);
}

static bool change(struct settings *settings, const struct server *server,
                   const struct server *place, bool keep, struct status *st)
{
    struct server_list list;
    if (!settings_refresh(settings, st) || !servers_read(settings, &list, st)) return false;
    struct server copy;
    size_t at = 0;
    while (at < list.count && !server_is_same(&list.items[at], place))
        at++;
    bool is_there = at < list.count;
    if (is_there) server_dispose(&list.items[at]);
    if (keep) {
        server_copy(&copy, server);
        if (is_there)
            list.items[at] = copy;
        else
            vec_push(&list, copy);
    } else if (is_there) {
        for (; at + 1 < list.count; at++)
            list.items[at] = list.items[at + 1];
        list.count--;
    }
    bool good = write_list(settings, &list, st);
    server_list_free(&list);
    return good;
}

bool servers_store(struct settings *settings, const struct server *server,
                   const struct server *instead_of, struct status *st)
{
    struct server_list known;
    bool moves = instead_of && !server_is_same(server, instead_of);
    if (!servers_read(settings, &known, st)) return false;
    bool taken = moves && find_same(&known, server);
    server_list_free(&known);
    if (taken)
        return status_fail(st, STATUS_INVALID, STATUS_NO_OFFSET,
                           "there is a server of that address already");
    if (!change(settings, server, instead_of ? instead_of : server, true, st)) return false;
    return store_secret(settings, server, st) &&
           (!moves || forget_secret(settings, instead_of, st));
}

bool servers_remove(struct settings *settings, const struct server *server, struct status *st)
{
    return change(settings, server, server, false, st) && forget_secret(settings, server, st);
}

/* ---- credentials ---- */

static bool find_secret(const struct settings *settings, const struct server *server, char **out,
                        struct status *st)
{
    *out = NULL;
    if (server->secret_env) {
        const char *value = getenv(server->secret_env);
        if (!value || !*value)
            return status_fail(st, STATUS_INVALID, STATUS_NO_OFFSET,
                               "the environment variable %s, which holds its credentials, is not "
                               "set",
                               server->secret_env);
        *out = mem_strdup(value);
        return true;
    }
    if (server->secret) {
        *out = mem_strdup(server->secret);
        return true;
    }
    struct buffer location = BUFFER_INIT;
    char *path = secret_path(settings);
    server_append_location(server, &location);
    bool good = secret_find(path, buffer_text(&location), out, st);
    buffer_free(&location);
    mem_free(path);
    if (good && !*out)
        return status_fail(st, STATUS_NOT_FOUND, STATUS_NO_OFFSET,
                           "its credentials are not here; edit the server to enter them");
    return good;
}

static void wipe_free(char *secret)
{
    for (volatile char *p = secret; *p; p++)
        *p = 0;
    mem_free(secret);
}

/* A token of RFC 9110, section 5.6.2, as far as people use it. */
static bool is_header_name(const char *name)
{
    if (!name || !*name) return false;
    for (; *name; name++) {
        bool good = (*name >= 'A' && *name <= 'Z') || (*name >= 'a' && *name <= 'z') ||
                    (*name >= '0' && *name <= '9') || strchr("-_.!#$%&'*+^`|~", *name);
        if (!good) return false;
    }
    return true;
}

bool server_credentials(const struct settings *settings, const struct server *server,
                        struct fetch_auth *out, struct status *st)
{
    char *secret = NULL;
    struct buffer value = BUFFER_INIT;
    *out = (struct fetch_auth){0};
    if (server->auth == SERVER_AUTH_NONE) return true;
    if (server->auth == SERVER_AUTH_SSO)
        return status_fail(st, STATUS_INVALID, STATUS_NO_OFFSET,
                           "it wants to be signed in to with a browser (https_sso)");
    if (!find_secret(settings, server, &secret, st)) return false;
    if (server->auth == SERVER_AUTH_CUSTOM && !is_header_name(server->auth_name)) {
        wipe_free(secret);
        return status_fail(st, STATUS_INVALID, STATUS_NO_OFFSET,
                           "the header that is to hold its secret has no proper name");
    }
    out->kind = server->auth == SERVER_AUTH_BASIC ? FETCH_AUTH_BASIC : FETCH_AUTH_HEADER;
    const char *name = server->auth_name ? server->auth_name : "";
    bool is_bearer = server->auth == SERVER_AUTH_BEARER || server->auth == SERVER_AUTH_GITHUB;
    if (is_bearer) name = "Authorization";
    if (server->auth == SERVER_AUTH_X_API_KEY) name = "X-API-Key";
    buffer_printf(&value, "%s%s", is_bearer ? "Bearer " : "", secret);
    out->name = mem_strdup(name);
    out->value = buffer_take(&value);
    wipe_free(secret);
    return true;
}

/* ---- addresses ---- */

/* Everything but unreserved characters and '/' as %XX (RFC 3986, section 2.3). */
static void append_escaped(struct buffer *out, struct str text, bool keep_slash)
{
    for (size_t i = 0; i < text.n; i++) {
        unsigned char c = (unsigned char)text.p[i];
        bool plain = (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') ||
                     c == '-' || c == '.' || c == '_' || c == '~' || (keep_slash && c == '/');
        if (plain)
            buffer_append_byte(out, (char)c);
        else
            buffer_printf(out, "%%%02X", c);
    }
}

void server_endpoint(const struct server *server, const char *module, const char *what,
                     struct buffer *out)
{
    bool by_api = server->type == SERVER_GITHUB && server->auth == SERVER_AUTH_GITHUB;
    if (server->type == SERVER_GITHUB) {
        struct str folder = folder_of(server);
        buffer_append_text(out, by_api ? "https://api.github.com/repos/"
                                       : "https://raw.githubusercontent.com/");
        append_escaped(out, str_of(server->repo), true);
        buffer_append_byte(out, '/');
        if (by_api)
            buffer_append_text(out, "contents");
        else
            append_escaped(out, str_of(server->ref), true);
        buffer_append_byte(out, '/');
        append_escaped(out, folder, true);
        if (folder.n) buffer_append_byte(out, '/');
    } else {
        buffer_printf(out, "%s/", server->url);
    }
    if (module) {
        buffer_append_text(out, "modules/");
        append_escaped(out, str_of(module), false);
        buffer_printf(out, "/%s", what);
    } else {
        buffer_append_text(out, "manifest");
    }
    if (by_api) {
        buffer_append_text(out, "?ref=");
        append_escaped(out, str_of(server->ref), false);
    }
}

void server_append_name(const struct server *server, struct buffer *out)
{
    if (server->type == SERVER_GITHUB)
        buffer_printf(out, "%s@%s", server->repo, server->ref);
    else
        buffer_append_text(out, server->url + 8);
}

void server_append_location(const struct server *server, struct buffer *out)
{
    if (server->type == SERVER_GITHUB) {
        struct str folder = folder_of(server);
        buffer_printf(out, "github:%s@%s", server->repo, server->ref);
        if (folder.n) buffer_append_byte(out, ':');
        buffer_append_str(out, folder);
    } else {
        buffer_append_text(out, server->url);
    }
}
