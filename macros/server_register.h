/* What a server brings, entered into a session and its engines, and taken out. */
#ifndef MACROS_SERVER_REGISTER_H
#define MACROS_SERVER_REGISTER_H

#include "macros/server_host.h"

/* server_host.c: an entry to change. */
struct server_entry *server_host_entry(const struct server_host *host, size_t i);

/* In the place of what the entry had registered before.  A namespace that another
 * server of the host has, and a clash of SQL packages, become problems. */
void server_register(const struct server_host *host, struct session *session,
                     struct server_entry *entry);
/* Its macros and its SQL package go.  What modules that were included have made stays
 * in the trace until it is closed. */
void server_withdraw(struct session *session, struct server_entry *entry);

/* The namespace of one that went is free: who waits for it gets it. */
void server_register_shadowed(const struct server_host *host, struct session *session);

#endif
