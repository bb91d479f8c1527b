/* Extension servers as settings keep them and traces name them (spec ui §4d,
 * sidecar.md "What the viewer does" 2).  Nothing here touches the network: it
 * reads shapes, compares locations and says what has to be asked.
 *
 * Settings write camelCase keys ("enabledModules"), a trace's reference writes
 * "enabled_modules" and has no auth; both become the same struct.
 */
#ifndef MACROS_SERVER_H
#define MACROS_SERVER_H

#include "commands/settings.h"
#include "macros/macro.h"

enum server_type { SERVER_HTTPS, SERVER_GITHUB };

struct server {
    enum server_type type;
    char *url;                                    /* https: begins "https://", no '/' at the end */
    char *repo, *ref, *path;                      /* github: "owner/name", a branch or tag, "/" */
    struct server_modules VEC_OF(char *) modules; /* enabled ones */
    bool enabled;
    json_t *auth; /* as settings hold it; never NULL */
};

struct server_list VEC_OF(struct server);

void server_dispose(struct server *server);
void server_list_free(struct server_list *list);

/* Key "extensionServers".  False on an authored mistake, with file and path. */
bool servers_read(const struct settings *settings, struct server_list *out, struct status *st);
/* The reference of a trace; auth is none, enabled. */
bool server_read_reference(const json_t *reference, struct server *out, struct status *st);
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
/* After the person confirmed: puts it in the overlay, in the place of the one of
 * the same location. */
bool servers_store(struct settings *settings, const struct server *server, struct status *st);

/* "https://e.example/modules/m/macros"; `module` NULL: the manifest. */
void server_endpoint(const struct server *server, const char *module, const char *what,
                     struct buffer *out);
/* "e.example" or "owner/name@ref": for people. */
void server_append_name(const struct server *server, struct buffer *out);

/* ---- answers ---- */

struct server_manifest {
    char *name, *namespace;
    struct server_modules modules; /* ids */
};
bool server_read_manifest(struct str json, struct server_manifest *out, struct status *st);
void server_manifest_dispose(struct server_manifest *manifest);
/* {"macros": […]}; the whole list is refused when an id is outside the namespace. */
bool server_read_macros(struct str json, const char *namespace, struct macro_list *out,
                        struct status *st);

#endif
