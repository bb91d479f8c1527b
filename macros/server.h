/* Extension servers as settings keep them and traces name them (spec ui §4d,
 * sidecar.md "What the viewer does" 2).  Nothing here touches the network: it
 * reads and writes shapes, compares locations, makes addresses.
 *
 * Settings write camelCase keys ("enabledModules"), a trace's reference writes
 * "enabled_modules" and has no auth; both become the same struct.
 */
#ifndef MACROS_SERVER_H
#define MACROS_SERVER_H

#include "commands/settings.h"
#include "macros/fetch.h"

enum server_type { SERVER_HTTPS, SERVER_GITHUB };

enum server_auth {
    SERVER_AUTH_NONE,
    SERVER_AUTH_BASIC,
    SERVER_AUTH_BEARER,
    SERVER_AUTH_X_API_KEY,
    SERVER_AUTH_CUSTOM, /* a header of any name */
    SERVER_AUTH_GITHUB, /* a token: of github only, which has but this and none */
    SERVER_AUTH_SSO,    /* read, and refused when the server is asked */
};

struct server {
    enum server_type type;
    char *url;                                    /* https: begins "https://", no '/' at the end */
    char *repo, *ref, *path;                      /* github: "owner/name", a branch or tag, "/" */
    struct server_modules VEC_OF(char *) modules; /* enabled ones */
    bool enabled;
    enum server_auth auth;
    char *auth_name;    /* the user of basic, the header of custom; else NULL */
    char *secret;       /* typed just now, or authored inline; NULL: in secrets.json */
    char *secret_env;   /* the environment variable that holds it; NULL: none */
    bool allow_private; /* its own host may have a private address */
    char *ca_file;      /* certificates to trust instead of the system's; NULL */
};

struct server_list VEC_OF(struct server);

void server_dispose(struct server *server);
void server_copy(struct server *out, const struct server *in);
void server_list_free(struct server_list *list);
void server_modules_free(struct server_modules *modules);
bool server_modules_have(const struct server_modules *modules, const char *id);

/* "none", "basic", "bearer", "x-api-key", "header", "token". */
const char *server_auth_name(enum server_auth auth);
bool server_auth_parse(const char *name, enum server_type type, enum server_auth *out);

/* Key "extensionServers".  False on an authored mistake, with file and path. */
bool servers_read(const struct settings *settings, struct server_list *out, struct status *st);
/* The reference of a trace; auth is none, enabled. */
bool server_read_reference(const json_t *reference, struct server *out, struct status *st);
/* What a person types: "https://host/path", "host/path", "github:owner/name@ref",
 * "github:owner/name@ref:path", or a share string. */
bool server_parse(const char *text, struct server *out, struct status *st);
/* Each may be what it was before; false, with a message, when it cannot be. */
bool server_set_url(struct server *server, const char *url, struct status *st);
bool server_set_github(struct server *server, const char *repo, const char *ref, const char *path,
                       struct status *st);
bool server_is_same(const struct server *a, const struct server *b); /* by location */

enum server_match {
    SERVER_COMPLETE,      /* known, with all modules: nothing to ask */
    SERVER_LACKS_MODULES, /* known: the edit dialog, `merged` for review */
    SERVER_UNKNOWN,       /* the add dialog, prefilled with `merged` */
};

/* What a reference means for the servers there are.  `merged` holds the union of
 * the modules; the caller disposes it. */
enum server_match servers_match(const struct server_list *known, const struct server *reference,
                                struct server *merged);

/* Both keep the list in the overlay, and a typed secret in secrets.json.  False
 * where the person's own file lists the servers: it is theirs to change.
 * `instead_of` (may be NULL): the entry that it takes the place of. */
bool servers_store(struct settings *settings, const struct server *server,
                   const struct server *instead_of, struct status *st);
bool servers_remove(struct settings *settings, const struct server *server, struct status *st);

/* "addServer=BASE64", without credentials. */
void server_share(const struct server *server, struct buffer *out);
/* What settings hold; never a secret. */
json_t *server_to_json(const struct server *server);

/* What a request carries, from the server, secrets.json or the environment. */
bool server_credentials(const struct settings *settings, const struct server *server,
                        struct fetch_auth *out, struct status *st);

/* "https://e.example/modules/m/macros"; `module` NULL: the manifest. */
void server_endpoint(const struct server *server, const char *module, const char *what,
                     struct buffer *out);
/* "e.example" or "owner/name@ref": for people. */
void server_append_name(const struct server *server, struct buffer *out);
/* The whole location: two servers have the same one when they are the same. */
void server_append_location(const struct server *server, struct buffer *out);
/* The one of that name or location; NULL with a message when there is none, or
 * more than one. */
const struct server *servers_find(const struct server_list *list, const char *name,
                                  struct status *st);

#endif
