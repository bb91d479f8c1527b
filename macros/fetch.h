/* The one place that speaks to the network: one https address, read whole.
 *
 * libcurl is opened when the first server is asked for (dlopen), so that a start
 * without servers does not pay for it.  https only, certificates are checked, 10
 * seconds and 16 MiB at most.  Every socket is checked at the moment of
 * connecting: a private, loopback or link-local address is refused unless the
 * request allows it for its own host, whatever a name resolves to or a redirect
 * says.  At most 3 redirects, to https only, none with credentials.  Proxies of
 * the environment are not used: behind one, nobody could check the address.
 *
 * Messages name addresses, never credentials.  Blocks: belongs on a worker.
 */
#ifndef MACROS_FETCH_H
#define MACROS_FETCH_H

#include "engine/base/buffer.h"
#include "engine/base/status.h"
#include "engine/base/thread.h"

#define FETCH_MOST_BYTES (16u << 20)
#define FETCH_TIMEOUT_MS 10000

enum fetch_auth_kind { FETCH_AUTH_NONE, FETCH_AUTH_BASIC, FETCH_AUTH_HEADER };

struct fetch_auth {
    enum fetch_auth_kind kind;
    char *name;  /* the user, or the header's name; owned */
    char *value; /* the password, or the header's value; owned, wiped when freed */
};

void fetch_auth_dispose(struct fetch_auth *auth);

struct fetch_request {
    const char *url;
    const char *accept; /* NULL: anything */
    const struct fetch_auth *auth;
    const char *ca_file; /* PEM, instead of the system's authorities; NULL: those */
    bool allow_private;  /* the url's own host may have a private address */
    int64_t deadline_ns; /* of clock_now_ns; 0: only the 10 seconds */
};

enum fetch_result {
    FETCH_DONE,
    FETCH_REFUSED,     /* the server answered, but not with what was asked for */
    FETCH_UNREACHABLE, /* no answer, no whole answer, or none that can be trusted */
    FETCH_STOPPED,     /* cancelled */
};

struct fetcher; /* may be used by several threads at once */

/* NULL where there is no libcurl, with a message that says so. */
struct fetcher *fetcher_new(struct status *st);
void fetcher_free(struct fetcher *fetcher);
/* Appends the answer; `st` says why for anything but FETCH_DONE. */
enum fetch_result fetcher_get(struct fetcher *fetcher, const struct fetch_request *request,
                              struct cancel *cancel, struct buffer *out, struct status *st);

/* False for private, loopback, link-local, multicast and reserved addresses, also
 * where IPv6 carries such an IPv4 one.  `address` is a struct sockaddr. */
struct sockaddr;
bool fetch_is_public_address(const struct sockaddr *address);
#define FETCH_ADDRESS_TEXT 48
void fetch_address_text(const struct sockaddr *address, char out[FETCH_ADDRESS_TEXT]);

#endif
