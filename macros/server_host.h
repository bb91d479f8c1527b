/* The extension servers of one window: asked while the trace loads, registered in
 * its session, changed by the person (spec ui §4d, sidecar.md "What the viewer
 * does" 2).
 *
 *     host = server_host_new(&options);
 *     server_host_start(host, st);                  asks the enabled ones, in threads
 *     server_host_descriptors(host, …);             on the loading thread
 *     server_host_open(host, session, reference);   after the load
 *
 * A server whose answers are kept never delays anything: what is kept is used until
 * server_host_poll takes its answer in.  One that was configured but not asked yet
 * is waited for, 10 seconds from the start at most.  A server that only the trace names is not
 * contacted: the person's dialog (tui/server_dialog) does that.  All problems of all servers stand
 * on one page.  Belongs to the main thread but for the descriptors.
 */
#ifndef MACROS_SERVER_HOST_H
#define MACROS_SERVER_HOST_H

#include "macros/server_content.h"

struct server_host;

struct server_host_options {
    struct settings *settings; /* borrowed */
    server_fetch fetch;        /* NULL: the network */
    void *fetch_context;
    const char *cache_folder;      /* NULL: of the environment */
    void (*notify)(void *context); /* on other threads, when something arrived; or NULL */
    void *notify_context;
};

struct server_host *server_host_new(const struct server_host_options *options);
/* Stops what is being asked. */
void server_host_free(struct server_host *host); /* NULL is fine */

/* False on an authored mistake in the settings. */
bool server_host_start(struct server_host *host, struct status *st);
/* Borrowed until server_host_open. */
struct server_descriptors VEC_OF(struct str);
void server_host_descriptors(struct server_host *host, struct cancel *cancel,
                             struct server_descriptors *out);
/* Whether that waits for an answer, and an end to it: from any thread.  Nobody is
 * waited for after that. */
bool server_host_is_waiting(const struct server_host *host);
void server_host_go_on(struct server_host *host);
/* Registers commands, macros and SQL; says what is wrong and what the trace's
 * reference (may be NULL) means. */
void server_host_open(struct server_host *host, struct session *session, const json_t *reference);

/* Takes in what arrived; not while somebody holds an entry. */
void server_host_poll(struct server_host *host, struct session *session);

/* ---- what there is ---- */

struct server_entry {
    struct server server;
    struct server_content content; /* empty until it was asked */
    bool was_asked;
    bool is_asking; /* what is shown is what is kept, until it answers */
    bool is_registered;
    bool is_shadowed; /* another server has its namespace: that is its last problem */
    char *package;    /* what its SQL is registered as; NULL: none is */
    uint64_t given;   /* hash of the descriptors that the trace was read with */
};

size_t server_host_count(const struct server_host *host);
const struct server_entry *server_host_at(const struct server_host *host, size_t i);
/* The entry of that name or address; NULL with a message. */
const struct server_entry *server_host_find(const struct server_host *host, const char *name,
                                            struct status *st);
/* NULL when the trace names none, or nothing is to be asked about it. */
const struct server *server_host_reference(const struct server_host *host,
                                           enum server_match *match);
/* server_report.c: "asked", "2 problems", "kept since 2026-11-30 (not reached)", "disabled" …  */
void server_entry_append_state(const struct server_entry *entry, struct buffer *out);
/* A server has descriptors that the trace was read without. */
bool server_host_wants_reload(const struct server_host *host);
size_t server_host_problems(const struct server_host *host);
/* One page of all problems; empty when there is none. */
void server_host_append_report(const struct server_host *host, struct buffer *out);

/* ---- what a person does ---- */

/* Asks for the manifest and waits through the session, where Esc stops it. */
void server_host_ask(struct server_host *host, struct session *session, const struct server *draft,
                     struct server_content *out);
/* Keeps it (in the place of `instead_of`, may be NULL), asks it, registers what it
 * brings. */
bool server_host_add(struct server_host *host, struct session *session, const struct server *server,
                     const struct server *instead_of, struct status *st);
bool server_host_enable(struct server_host *host, struct session *session, const char *name,
                        bool enabled, struct status *st);
bool server_host_remove(struct server_host *host, struct session *session, const char *name,
                        struct status *st);
/* `name` NULL: all that are enabled. */
bool server_host_refresh(struct server_host *host, struct session *session, const char *name,
                         struct status *st);

/* server_commands.c: dev.perfetty.ShowServers and its kin. */
void server_commands_register(struct server_host *host, struct session *session);

#endif
