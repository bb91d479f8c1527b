/* What an extension server provides (spec ui §4d): manifest, macros, SQL modules,
 * descriptors; asked over the network, with a cache behind it.
 *
 * A wrong or missing list of a module is a problem of its own: the others are
 * used.  Every answer that could be read is kept; when the server cannot be
 * reached the kept one is used, and the content is stale.  When it answers with
 * an error the kept one goes.
 */
#ifndef MACROS_SERVER_CONTENT_H
#define MACROS_SERVER_CONTENT_H

#include <time.h>

#include "macros/macro.h"
#include "macros/server.h"

/* How bytes are got: fetcher_get with a fetcher as its context. */
typedef enum fetch_result (*server_fetch)(void *context, const struct fetch_request *request,
                                          struct cancel *cancel, struct buffer *out,
                                          struct status *st);

struct server_access {
    server_fetch fetch; /* NULL: only what is kept */
    void *context;
    const char *cache_folder;   /* NULL: nothing is kept */
    const char *no_credentials; /* why there are none though they are needed; or NULL */
    struct fetch_auth auth;
    int64_t deadline_ns; /* of clock_now_ns; 0: none */
};

struct server_module {
    char *id, *name;
};

struct server_manifest {
    char *name, *namespace;
    bool has_macros, has_sql, has_descriptors; /* features */
    VEC(struct server_module) modules;
};

struct server_sql {
    char *name, *sql;
};

struct server_content {
    struct server server; /* a copy, without its secret */
    bool has_manifest;
    struct server_manifest manifest;
    struct macro_list macros;       /* of all enabled modules */
    VEC(struct server_sql) sql;     /* one package, named by the namespace */
    VEC(struct buffer) descriptors; /* FileDescriptorSets */
    VEC(char *) problems;           /* one line each, without the server's name */
    bool is_stale;                  /* at least one part is from the cache */
    bool was_stopped;
    uint64_t hash;  /* of all answers that could be read */
    time_t kept_at; /* the oldest of those parts */
};

/* Fills `out` (which was zero) with what the enabled modules of `server` bring;
 * the manifest alone when `manifest_only`.  Blocks. */
void server_content_get(struct server_content *out, const struct server *server,
                        const struct server_access *access, bool manifest_only,
                        struct cancel *cancel);
void server_content_dispose(struct server_content *content);
/* Both have the same descriptors, in the same order. */
bool server_content_same_descriptors(const struct server_content *a,
                                     const struct server_content *b);
/* Everything of the server that is kept goes. */
void server_content_forget(const struct server *server, const char *cache_folder);
const struct server_module *server_manifest_find(const struct server_manifest *manifest,
                                                 const char *id);

/* ---- answers ---- */

bool server_read_manifest(struct str json, struct server_manifest *out, struct status *st);
void server_manifest_dispose(struct server_manifest *manifest);
/* {"macros": […]}; the whole list is refused when an id is outside the namespace. */
bool server_read_macros(struct str json, const char *namespace, struct macro_list *out,
                        struct status *st);

#endif
