/* Servers as JSON (settings, a trace's reference, share strings) and as what a
 * person types. */
#include <string.h>

#include "commands/invocation_json.h"
#include "engine/base/memory.h"
#include "engine/extensions/base64.h"
#include "macros/server.h"

#define LONGEST_SHARE 65536

static const struct {
    const char *name;     /* as perfetty says it */
    const char *type;     /* as settings say it */
    const char *key_type; /* of https_apikey */
} auths[] = {
    [SERVER_AUTH_NONE] = {"none", "none", NULL},
    [SERVER_AUTH_BASIC] = {"basic", "https_basic", NULL},
    [SERVER_AUTH_BEARER] = {"bearer", "https_apikey", "bearer"},
    [SERVER_AUTH_X_API_KEY] = {"x-api-key", "https_apikey", "x_api_key"},
    [SERVER_AUTH_CUSTOM] = {"header", "https_apikey", "custom"},
    [SERVER_AUTH_GITHUB] = {"token", "github_pat", NULL},
    [SERVER_AUTH_SSO] = {"sso", "https_sso", NULL},
};
#define AUTHS (sizeof auths / sizeof *auths)

const char *server_auth_name(enum server_auth auth)
{
    return auths[auth].name;
}

static bool fits(enum server_auth auth, enum server_type type)
{
    if (auth == SERVER_AUTH_NONE) return true;
    return (auth == SERVER_AUTH_GITHUB) == (type == SERVER_GITHUB);
}

bool server_auth_parse(const char *name, enum server_type type, enum server_auth *out)
{
    for (size_t i = 0; i < AUTHS; i++) {
        if (strcmp(auths[i].name, name) != 0 || !fits((enum server_auth)i, type) ||
            i == SERVER_AUTH_SSO)
            continue;
        *out = (enum server_auth)i;
        return true;
    }
    return false;
}

/* ---- one address ---- */

static void set(char **to, const char *text)
{
    char *copy = text ? mem_strdup(text) : NULL;
    mem_free(*to);
    *to = copy;
}

/* No user name (it would be shown and kept with the address), nothing after the
 * path, no "..": what is asked for is what is shown. */
static bool is_good_url(const char *url)
{
    const char *host = url + 8, *end = host + strcspn(host, "/");
    if (end == host) return false;
    for (const char *p = host; *p; p++)
        if ((unsigned char)*p <= ' ' || (unsigned char)*p >= 127 || strchr("?#\\\"<>", *p) ||
            (*p == '@' && p < end))
            return false;
    struct str rest = str_of(end), piece;
    while (str_split_next(&rest, '/', &piece))
        if (str_is(piece, ".") || str_is(piece, "..") || str_find(piece, STR("%2"), &(size_t){0}))
            return false;
    return strlen(url) < 2000;
}

bool server_set_url(struct server *server, const char *url, struct status *st)
{
    bool is_https = strncmp(url, "https://", 8) == 0;
    struct buffer text = BUFFER_INIT;
    buffer_printf(&text, "%s%s", is_https ? "" : "https://", url);
    while (text.length > 8 && text.data[text.length - 1] == '/')
        text.data[--text.length] = '\0';
    /* Names of hosts are one in both cases. */
    for (size_t i = 8; i < text.length && text.data[i] != '/'; i++)
        if (text.data[i] >= 'A' && text.data[i] <= 'Z') text.data[i] = (char)(text.data[i] + 32);
    bool good = (is_https || !strstr(url, "://")) && is_good_url(buffer_text(&text));
    if (good) {
        server->type = SERVER_HTTPS;
        set(&server->url, buffer_text(&text));
        set(&server->repo, NULL);
        set(&server->ref, NULL);
        set(&server->path, NULL);
    } else {
        status_fail(st, STATUS_INVALID, STATUS_NO_OFFSET, "not an https:// address");
    }
    buffer_free(&text);
    return good;
}

static bool is_plain_path(struct str text, size_t least, size_t most)
{
    struct str piece;
    size_t n = 0;
    for (size_t i = 0; i < text.n; i++)
        if ((unsigned char)text.p[i] <= ' ' || text.p[i] == 127) return false;
    while (str_split_next(&text, '/', &piece)) {
        if (!piece.n || str_is(piece, ".") || str_is(piece, "..")) return false;
        n++;
    }
    return n >= least && n <= most;
}

bool server_set_github(struct server *server, const char *repo, const char *ref, const char *path,
                       struct status *st)
{
    struct str folder = str_of(path ? path : "/");
    while (folder.n && folder.p[0] == '/')
        folder = str_slice(folder, 1, folder.n);
    while (folder.n && folder.p[folder.n - 1] == '/')
        folder.n--;
    if (!is_plain_path(str_of(repo), 2, 2))
        return status_fail(st, STATUS_INVALID, STATUS_NO_OFFSET, "not \"owner/name\"");
    if (!is_plain_path(str_of(ref), 1, 100) || strchr(ref, ':'))
        return status_fail(st, STATUS_INVALID, STATUS_NO_OFFSET, "not a branch, tag or commit");
    if (folder.n && !is_plain_path(folder, 1, 100))
        return status_fail(st, STATUS_INVALID, STATUS_NO_OFFSET, "not a folder of a repository");
    server->type = SERVER_GITHUB;
    set(&server->url, NULL);
    set(&server->repo, repo);
    set(&server->ref, ref);
    set(&server->path, path && path[0] ? path : "/");
    return true;
}

/* ---- JSON ---- */

static bool refuse_key(const json_t *value, const char *key, const char *wanted,
                       struct buffer *path, struct status *st)
{
    size_t cut = json_path_key(path, key);
    json_refuse(path, json_object_get(value, key), wanted, st);
    json_path_cut(path, cut);
    return false;
}

static bool read_url(const json_t *value, struct buffer *path, struct server *out,
                     struct status *st)
{
    struct status quiet = STATUS_INIT;
    const char *url = json_read_text(value, "url", path, st);
    if (!url) return false;
    bool good = server_set_url(out, url, &quiet);
    status_clear(&quiet);
    return good || refuse_key(value, "url",
                              strstr(url, "://") && strncmp(url, "https://", 8) != 0
                                  ? "an https:// address"
                                  : "an https:// address without user name and query",
                              path, st);
}

static bool read_github(const json_t *value, struct buffer *path, struct server *out,
                        struct status *st)
{
    struct status quiet = STATUS_INIT;
    const char *repo = json_read_text(value, "repo", path, st);
    const char *ref = repo ? json_read_text(value, "ref", path, st) : NULL;
    const char *folder = json_string_value(json_object_get(value, "path"));
    if (!ref) return false;
    bool good = server_set_github(out, repo, ref, folder, &quiet);
    status_clear(&quiet);
    if (good) return true;
    if (!is_plain_path(str_of(repo), 2, 2))
        return refuse_key(value, "repo", "\"owner/name\"", path, st);
    if (server_set_github(out, repo, ref, "/", NULL))
        return refuse_key(value, "path", "a folder of the repository", path, st);
    return refuse_key(value, "ref", "a branch, a tag or a commit", path, st);
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
        if (good && !server_modules_have(out, json_string_value(module)))
            vec_push(out, mem_strdup(json_string_value(module)));
    }
    json_path_cut(path, cut);
    return good;
}

static const char *text_of(const json_t *object, const char *key)
{
    return json_string_value(json_object_get(object, key));
}

/* An inline secret is taken as it is; "secretEnv" names a variable instead. */
static bool read_auth(const json_t *value, struct buffer *path, struct server *out,
                      struct status *st)
{
    static const char *const wanted[] = {
        "one of \"none\", \"https_basic\", \"https_apikey\", \"https_sso\"",
        "one of \"none\", \"github_pat\""};
    const json_t *auth = json_object_get(value, "auth");
    if (!auth) return true;
    size_t cut = json_path_key(path, "auth");
    bool good = json_is_object(auth) || json_refuse(path, auth, "an object", st);
    const char *type = good ? text_of(auth, "type") : NULL;
    const char *key_type = good ? text_of(auth, "keyType") : NULL;
    size_t found = AUTHS;
    for (size_t i = 0; type && i < AUTHS; i++)
        if (strcmp(auths[i].type, type) == 0 && fits((enum server_auth)i, out->type) &&
            (!auths[i].key_type || strcmp(auths[i].key_type, key_type ? key_type : "bearer") == 0))
            found = i;
    if (good && found == AUTHS)
        good = type && strcmp(type, "https_apikey") == 0 && out->type == SERVER_HTTPS
                   ? refuse_key(auth, "keyType", "one of \"bearer\", \"x_api_key\", \"custom\"",
                                path, st)
                   : refuse_key(auth, "type", wanted[out->type == SERVER_GITHUB], path, st);
    json_path_cut(path, cut);
    if (!good) return false;
    const char *secret = NULL;
    out->auth = (enum server_auth)found;
    if (out->auth == SERVER_AUTH_BASIC) {
        set(&out->auth_name, text_of(auth, "username"));
        secret = text_of(auth, "password");
    } else if (out->auth == SERVER_AUTH_GITHUB) {
        secret = text_of(auth, "pat");
    } else {
        if (out->auth == SERVER_AUTH_CUSTOM)
            set(&out->auth_name, text_of(auth, "customHeaderName"));
        secret = text_of(auth, "key");
    }
    if (secret && secret[0]) set(&out->secret, secret);
    const char *variable = text_of(auth, "secretEnv");
    if (variable && variable[0]) set(&out->secret_env, variable);
    return true;
}

static bool read_server(const json_t *value, const char *modules_key, struct buffer *path,
                        struct server *out, struct status *st)
{
    *out = (struct server){.enabled = true};
    if (!json_is_object(value)) return json_refuse(path, value, "a server object", st);
    const char *type = text_of(value, "type");
    bool is_github = type && strcmp(type, "github") == 0;
    if (!is_github && !(type && strcmp(type, "https") == 0))
        return refuse_key(value, "type", "\"https\" or \"github\"", path, st);
    bool good = is_github ? read_github(value, path, out, st) : read_url(value, path, out, st);
    good = good && read_modules(value, modules_key, path, &out->modules, st);
    if (!good) server_dispose(out);
    return good;
}

static bool read_stored(const json_t *value, struct buffer *path, struct server *out,
                        struct status *st)
{
    if (!read_server(value, "enabledModules", path, out, st)) return false;
    const json_t *enabled = json_object_get(value, "enabled");
    if (json_is_boolean(enabled)) out->enabled = json_is_true(enabled);
    out->allow_private = json_is_true(json_object_get(value, "allowPrivateAddress"));
    set(&out->ca_file, text_of(value, "caFile"));
    if (read_auth(value, path, out, st)) return true;
    server_dispose(out);
    return false;
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
        good = read_stored(json_array_get(list, i), &path, &server, st);
        for (size_t k = 0; good && k < out->count; k++)
            if (server_is_same(&out->items[k], &server)) {
                good = status_fail(st, STATUS_INVALID, STATUS_NO_OFFSET,
                                   "%s is the same server as extensionServers[%zu]",
                                   buffer_text(&path), k);
                server_dispose(&server);
            }
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

/* Without credentials and permissions, whatever it says: a trace and a link carry
 * none. */
static bool read_foreign(const json_t *value, const char *modules_key, const char *place,
                         struct server *out, struct status *st)
{
    struct buffer path = BUFFER_INIT;
    buffer_append_text(&path, place);
    bool good = read_server(value, modules_key, &path, out, st);
    buffer_free(&path);
    return good;
}

bool server_read_reference(const json_t *reference, struct server *out, struct status *st)
{
    return read_foreign(reference, "enabled_modules", "extensions.server", out, st);
}

static json_t *auth_to_json(const struct server *server)
{
    json_t *auth = json_pack("{s:s}", "type", auths[server->auth].type);
    const char *name = server->auth_name ? server->auth_name : "";
    if (auths[server->auth].key_type)
        json_object_set_new(auth, "keyType", json_string(auths[server->auth].key_type));
    if (server->auth == SERVER_AUTH_BASIC) json_object_set_new(auth, "username", json_string(name));
    if (server->auth == SERVER_AUTH_CUSTOM)
        json_object_set_new(auth, "customHeaderName", json_string(name));
    return auth;
}

static json_t *location_to_json(const struct server *server)
{
    json_t *modules = json_array(), *out = json_object();
    for (size_t i = 0; i < server->modules.count; i++)
        json_array_append_new(modules, json_string(server->modules.items[i]));
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
    json_object_set_new(out, "enabled", json_boolean(server->enabled));
    json_object_set_new(out, "auth", auth_to_json(server));
    json_object_set_new(out, "origin", json_string("user_added"));
    return out;
}

json_t *server_to_json(const struct server *server)
{
    json_t *out = location_to_json(server);
    if (server->secret_env)
        json_object_set_new(json_object_get(out, "auth"), "secretEnv",
                            json_string(server->secret_env));
    if (server->allow_private) json_object_set_new(out, "allowPrivateAddress", json_true());
    if (server->ca_file) json_object_set_new(out, "caFile", json_string(server->ca_file));
    return out;
}

/* ---- share strings ---- */

void server_share(const struct server *server, struct buffer *out)
{
    struct buffer text = BUFFER_INIT, encoded = BUFFER_INIT;
    json_t *json = location_to_json(server);
    json_write(&text, json);
    base64_encode(buffer_str(&text), &encoded);
    buffer_append_text(out, "addServer=");
    for (size_t i = 0; i < encoded.length; i++) {
        char c = encoded.data[i];
        if (c == '+' || c == '/' || c == '=')
            buffer_printf(out, "%%%02X", (unsigned char)c);
        else
            buffer_append_byte(out, c);
    }
    json_decref(json);
    buffer_free(&text);
    buffer_free(&encoded);
}

static int hex(char c)
{
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return -1;
}

/* Up to '&' or the end, %XX decoded. */
static void unescape(struct str text, struct buffer *out)
{
    for (size_t i = 0; i < text.n && text.p[i] != '&'; i++) {
        bool escaped = text.p[i] == '%' && i + 2 < text.n && hex(text.p[i + 1]) >= 0 &&
                       hex(text.p[i + 2]) >= 0;
        buffer_append_byte(out, escaped ? (char)(hex(text.p[i + 1]) * 16 + hex(text.p[i + 2]))
                                        : text.p[i]);
        if (escaped) i += 2;
    }
}

static bool read_share(struct str text, struct server *out, struct status *st)
{
    struct buffer encoded = BUFFER_INIT, bytes = BUFFER_INIT;
    bool good = text.n <= LONGEST_SHARE ||
                status_fail(st, STATUS_LIMIT, STATUS_NO_OFFSET, "it is too long");
    if (good) unescape(text, &encoded);
    good = good && base64_decode(buffer_str(&encoded), &bytes, st);
    json_t *json = good ? json_strict_load(buffer_str(&bytes), st) : NULL;
    good = json && read_foreign(json, "enabledModules", "server", out, st);
    if (good) {
        /* How to sign in is known, with what is not. */
        struct buffer path = BUFFER_INIT;
        struct status quiet = STATUS_INIT;
        if (!read_auth(json, &path, out, &quiet)) out->auth = SERVER_AUTH_NONE;
        set(&out->secret, NULL);
        set(&out->secret_env, NULL);
        status_clear(&quiet);
        buffer_free(&path);
    }
    json_decref(json);
    buffer_free(&encoded);
    buffer_free(&bytes);
    if (!good) status_prefix(st, "the share string");
    return good;
}

static bool parse_github(const char *text, struct server *out, struct status *st)
{
    char *copy = mem_strdup(text), *at = strchr(copy, '@'), *colon = at ? strchr(at, ':') : NULL;
    bool good = at != NULL;
    if (at) *at = '\0';
    if (colon) *colon = '\0';
    if (!good)
        status_fail(st, STATUS_USAGE, STATUS_NO_OFFSET,
                    "a GitHub server is github:owner/name@ref or github:owner/name@ref:folder");
    good = good && server_set_github(out, copy, at + 1, colon ? colon + 1 : "/", st);
    mem_free(copy);
    return good;
}

bool server_parse(const char *text, struct server *out, struct status *st)
{
    *out = (struct server){.enabled = true};
    struct str all = str_trim(str_of(text));
    size_t at;
    if (str_find(all, STR("addServer="), &at))
        return read_share(str_slice(all, at + 10, all.n), out, st);
    char *copy = mem_copy_string(all.n ? all.p : "", all.n);
    bool good = strncmp(copy, "github:", 7) == 0 ? parse_github(copy + 7, out, st)
                                                 : server_set_url(out, copy, st);
    if (!good) status_prefix(st, "%s", copy);
    mem_free(copy);
    if (!good) server_dispose(out);
    return good;
}
