#include "macros/fetch.h"

#include <string.h>

#include "engine/base/memory.h"

/* A compiler does not see that nobody reads it any more: volatile keeps the writes. */
static void wipe(char *text)
{
    for (volatile char *p = text; p && *p; p++)
        *p = 0;
}

void fetch_auth_dispose(struct fetch_auth *auth)
{
    wipe(auth->value);
    mem_free(auth->name);
    mem_free(auth->value);
    *auth = (struct fetch_auth){0};
}

#ifdef PERFETTY_CURL

#include <dlfcn.h>
#include <sys/socket.h>

#define CURL_DISABLE_TYPECHECK
#include <curl/curl.h>

#define MOST_REDIRECTS 3

/* What is used of libcurl. */
struct fetcher {
    CURLcode (*global_init)(long);
    void (*global_cleanup)(void);
    CURL *(*easy_init)(void);
    CURLcode (*easy_setopt)(CURL *, CURLoption, ...);
    CURLcode (*easy_perform)(CURL *);
    CURLcode (*easy_getinfo)(CURL *, CURLINFO, ...);
    void (*easy_cleanup)(CURL *);
    const char *(*easy_strerror)(CURLcode);
    struct curl_slist *(*slist_append)(struct curl_slist *, const char *);
    void (*slist_free_all)(struct curl_slist *);
};

/* A data pointer becomes a function pointer as POSIX wants it. */
static bool find(void *library, const char *name, void *function)
{
    void *symbol = dlsym(library, name);
    memcpy(function, &symbol, sizeof symbol);
    return symbol != NULL;
}

/* Never closed: it may have left threads and exit handlers behind. */
static void *open_library(void)
{
    static const char *const names[] = {"libcurl.so.4", "libcurl-gnutls.so.4", "libcurl.4.dylib"};
    void *library = NULL;
    for (size_t i = 0; !library && i < sizeof names / sizeof *names; i++)
        library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
    return library;
}

struct fetcher *fetcher_new(struct status *st)
{
    void *library = open_library();
    struct fetcher *f = mem_zero(1, sizeof *f);
    bool good = library && find(library, "curl_global_init", &f->global_init) &&
                find(library, "curl_global_cleanup", &f->global_cleanup) &&
                find(library, "curl_easy_init", &f->easy_init) &&
                find(library, "curl_easy_setopt", &f->easy_setopt) &&
                find(library, "curl_easy_perform", &f->easy_perform) &&
                find(library, "curl_easy_getinfo", &f->easy_getinfo) &&
                find(library, "curl_easy_cleanup", &f->easy_cleanup) &&
                find(library, "curl_easy_strerror", &f->easy_strerror) &&
                find(library, "curl_slist_append", &f->slist_append) &&
                find(library, "curl_slist_free_all", &f->slist_free_all) &&
                f->global_init(CURL_GLOBAL_DEFAULT) == CURLE_OK;
    if (good) return f;
    mem_free(f);
    status_fail(st, STATUS_IO, STATUS_NO_OFFSET,
                "no server can be reached: libcurl is not on this machine");
    return NULL;
}

void fetcher_free(struct fetcher *fetcher)
{
    if (fetcher) fetcher->global_cleanup();
    mem_free(fetcher);
}

/* ---- one hop ---- */

struct hop {
    struct buffer *out;
    struct cancel *cancel;
    bool allow_private;
    char refused[FETCH_ADDRESS_TEXT]; /* the address that was not connected to; "" */
};

static size_t on_bytes(char *bytes, size_t size, size_t count, void *context)
{
    struct hop *hop = context;
    buffer_append(hop->out, bytes, size * count);
    return hop->out->overflowed ? 0 : size * count;
}

static int on_progress(void *context, curl_off_t total, curl_off_t now, curl_off_t up_total,
                       curl_off_t up_now)
{
    (void)total, (void)now, (void)up_total, (void)up_now;
    return cancel_is_requested(((struct hop *)context)->cancel);
}

static curl_socket_t on_socket(void *context, curlsocktype purpose, struct curl_sockaddr *address)
{
    struct hop *hop = context;
    (void)purpose;
    if (!hop->allow_private && !fetch_is_public_address(&address->addr)) {
        fetch_address_text(&address->addr, hop->refused);
        return CURL_SOCKET_BAD;
    }
    return socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
}

static struct curl_slist *add_header(const struct fetcher *f, struct curl_slist *list,
                                     const char *name, const char *value)
{
    struct buffer line = BUFFER_INIT;
    buffer_printf(&line, "%s: %s", name, value);
    struct curl_slist *longer = f->slist_append(list, buffer_text(&line));
    wipe(line.data);
    buffer_free(&line);
    return longer ? longer : list;
}

/* A line break would begin a header of its own. */
static bool is_plain(const char *text)
{
    for (; text && *text; text++)
        if ((unsigned char)*text < ' ' || *text == 127) return false;
    return true;
}

static long milliseconds_left(const struct fetch_request *request)
{
    int64_t left = (request->deadline_ns - clock_now_ns()) / 1000000;
    return left > 0 ? (long)left : 0;
}

static void set_up(const struct fetcher *f, CURL *curl, const struct fetch_request *request,
                   const char *url, struct hop *hop, struct curl_slist *headers)
{
    f->easy_setopt(curl, CURLOPT_URL, url);
    f->easy_setopt(curl, CURLOPT_PROTOCOLS_STR, "https");
    f->easy_setopt(curl, CURLOPT_FOLLOWLOCATION, 0L);
    f->easy_setopt(curl, CURLOPT_PROXY, "");
    f->easy_setopt(curl, CURLOPT_SSL_VERIFYPEER, 1L);
    f->easy_setopt(curl, CURLOPT_SSL_VERIFYHOST, 2L);
    if (request->ca_file) f->easy_setopt(curl, CURLOPT_CAINFO, request->ca_file);
    f->easy_setopt(curl, CURLOPT_TIMEOUT_MS, milliseconds_left(request));
    f->easy_setopt(curl, CURLOPT_MAXFILESIZE_LARGE, (curl_off_t)FETCH_MOST_BYTES);
    f->easy_setopt(curl, CURLOPT_NOSIGNAL, 1L);
    f->easy_setopt(curl, CURLOPT_USERAGENT, "perfetty");
    f->easy_setopt(curl, CURLOPT_HTTPHEADER, headers);
    f->easy_setopt(curl, CURLOPT_OPENSOCKETFUNCTION, on_socket);
    f->easy_setopt(curl, CURLOPT_OPENSOCKETDATA, hop);
    f->easy_setopt(curl, CURLOPT_WRITEFUNCTION, on_bytes);
    f->easy_setopt(curl, CURLOPT_WRITEDATA, hop);
    f->easy_setopt(curl, CURLOPT_NOPROGRESS, 0L);
    f->easy_setopt(curl, CURLOPT_XFERINFOFUNCTION, on_progress);
    f->easy_setopt(curl, CURLOPT_XFERINFODATA, hop);
    if (request->auth && request->auth->kind == FETCH_AUTH_BASIC) {
        f->easy_setopt(curl, CURLOPT_HTTPAUTH, (long)CURLAUTH_BASIC);
        f->easy_setopt(curl, CURLOPT_USERNAME, request->auth->name);
        f->easy_setopt(curl, CURLOPT_PASSWORD, request->auth->value);
    }
}

static enum fetch_result explain(const struct fetcher *f, const char *url, const struct hop *hop,
                                 CURLcode code, struct status *st)
{
    if (cancel_is_requested(hop->cancel)) {
        status_fail(st, STATUS_INTERRUPTED, STATUS_NO_OFFSET, "%s: stopped", url);
        return FETCH_STOPPED;
    }
    if (hop->out->overflowed || code == CURLE_FILESIZE_EXCEEDED) {
        status_fail(st, STATUS_LIMIT, STATUS_NO_OFFSET, "%s: the answer is longer than %u MiB", url,
                    FETCH_MOST_BYTES >> 20);
        return FETCH_REFUSED;
    }
    if (hop->refused[0])
        status_fail(st, STATUS_IO, STATUS_NO_OFFSET,
                    "%s: %s is a private address; nothing was sent (\"allowPrivateAddress\": true "
                    "in the settings of this server allows its own)",
                    url, hop->refused);
    else if (code == CURLE_OPERATION_TIMEDOUT)
        status_fail(st, STATUS_IO, STATUS_NO_OFFSET, "%s: no answer in time (%d seconds)", url,
                    FETCH_TIMEOUT_MS / 1000);
    else if (code == CURLE_PARTIAL_FILE)
        status_fail(st, STATUS_IO, STATUS_NO_OFFSET, "%s: the connection was cut", url);
    else
        status_fail(st, STATUS_IO, STATUS_NO_OFFSET, "%s: %s", url, f->easy_strerror(code));
    return FETCH_UNREACHABLE;
}

/* The answer's status, and where a redirect leads (owned). */
struct answer {
    long status;
    char *location;
};

static enum fetch_result get_once(const struct fetcher *f, const struct fetch_request *request,
                                  const char *url, struct hop *hop, struct answer *answer,
                                  struct status *st)
{
    CURL *curl = f->easy_init();
    struct curl_slist *headers = NULL;
    if (!curl) {
        status_fail(st, STATUS_IO, STATUS_NO_OFFSET, "%s: libcurl does not start", url);
        return FETCH_UNREACHABLE;
    }
    if (request->accept) headers = add_header(f, headers, "Accept", request->accept);
    if (request->auth && request->auth->kind == FETCH_AUTH_HEADER)
        headers = add_header(f, headers, request->auth->name, request->auth->value);
    set_up(f, curl, request, url, hop, headers);
    CURLcode code = f->easy_perform(curl);
    enum fetch_result result = FETCH_DONE;
    if (code != CURLE_OK) {
        result = explain(f, url, hop, code, st);
    } else {
        const char *location = NULL;
        f->easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &answer->status);
        f->easy_getinfo(curl, CURLINFO_REDIRECT_URL, &location);
        answer->location = location ? mem_strdup(location) : NULL;
    }
    for (struct curl_slist *h = headers; h; h = h->next)
        wipe(h->data);
    f->slist_free_all(headers);
    f->easy_cleanup(curl);
    return result;
}

/* ---- redirects ---- */

/* "https://host:port" of an address. */
static struct str origin_of(const char *url)
{
    struct str s = str_of(url);
    size_t n = 8;
    while (n < s.n && s.p[n] != '/' && s.p[n] != '?' && s.p[n] != '#')
        n++;
    return str_slice(s, 0, n);
}

static enum fetch_result refuse_status(const char *url, const struct fetch_request *request,
                                       const struct answer *answer, struct status *st)
{
    bool moved = answer->status >= 300 && answer->status < 400 && answer->location;
    if (!moved)
        status_fail(st, STATUS_IO, STATUS_NO_OFFSET, "%s: the server answers %ld", url,
                    answer->status);
    else if (request->auth && request->auth->kind != FETCH_AUTH_NONE)
        status_fail(st, STATUS_IO, STATUS_NO_OFFSET,
                    "%s: the server redirects; with credentials no redirect is followed", url);
    else if (strncmp(answer->location, "https://", 8) != 0)
        status_fail(st, STATUS_IO, STATUS_NO_OFFSET,
                    "%s: the server redirects to %.200s, which is not https", url,
                    answer->location);
    else
        status_fail(st, STATUS_IO, STATUS_NO_OFFSET, "%s: more than %d redirects", url,
                    MOST_REDIRECTS);
    return FETCH_REFUSED;
}

static bool may_follow(const struct fetch_request *request, const struct answer *answer, int hops)
{
    return answer->status >= 300 && answer->status < 400 && answer->location &&
           strncmp(answer->location, "https://", 8) == 0 && hops < MOST_REDIRECTS &&
           (!request->auth || request->auth->kind == FETCH_AUTH_NONE);
}

enum fetch_result fetcher_get(struct fetcher *fetcher, const struct fetch_request *request,
                              struct cancel *cancel, struct buffer *out, struct status *st)
{
    /* 10 seconds for all hops together. */
    struct fetch_request bounded = *request;
    int64_t longest = clock_now_ns() + FETCH_TIMEOUT_MS * INT64_C(1000000);
    if (!bounded.deadline_ns || bounded.deadline_ns > longest) bounded.deadline_ns = longest;
    request = &bounded;
    char *url = mem_strdup(request->url);
    size_t before = out->length;
    enum fetch_result result = FETCH_DONE;
    /* Not left to a library of any age. */
    if (strncmp(url, "https://", 8) != 0) {
        status_fail(st, STATUS_INVALID, STATUS_NO_OFFSET, "%s: not an https:// address", url);
        result = FETCH_REFUSED;
    }
    if (request->auth && (!is_plain(request->auth->name) || !is_plain(request->auth->value))) {
        status_fail(st, STATUS_INVALID, STATUS_NO_OFFSET,
                    "%s: the credentials hold characters that no header may have", url);
        result = FETCH_REFUSED;
    }
    for (int hops = 0; result == FETCH_DONE; hops++) {
        struct hop hop = {.out = out, .cancel = cancel};
        struct answer answer = {0};
        hop.allow_private =
            request->allow_private && str_equal(origin_of(url), origin_of(request->url));
        out->length = before;
        out->largest = before + FETCH_MOST_BYTES;
        if (milliseconds_left(request) == 0) {
            status_fail(st, STATUS_IO, STATUS_NO_OFFSET, "%s: the time for this server is over",
                        url);
            result = FETCH_UNREACHABLE;
            break;
        }
        result = get_once(fetcher, request, url, &hop, &answer, st);
        bool follow = result == FETCH_DONE && may_follow(request, &answer, hops);
        if (result == FETCH_DONE && !follow && answer.status != 200)
            result = refuse_status(url, request, &answer, st);
        if (follow) {
            mem_free(url);
            url = answer.location;
            answer.location = NULL;
        }
        mem_free(answer.location);
        if (!follow) break;
    }
    mem_free(url);
    return result;
}

#else

struct fetcher {
    int unused;
};

struct fetcher *fetcher_new(struct status *st)
{
    status_fail(st, STATUS_IO, STATUS_NO_OFFSET,
                "no server can be reached: this build has no libcurl");
    return NULL;
}

void fetcher_free(struct fetcher *fetcher)
{
    mem_free(fetcher);
}

enum fetch_result fetcher_get(struct fetcher *fetcher, const struct fetch_request *request,
                              struct cancel *cancel, struct buffer *out, struct status *st)
{
    (void)fetcher, (void)cancel, (void)out;
    status_fail(st, STATUS_IO, STATUS_NO_OFFSET, "%s: this build has no libcurl", request->url);
    return FETCH_UNREACHABLE;
}

#endif
