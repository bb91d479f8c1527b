#include "macros/fetch.h"

#include <string.h>

#ifdef PERFETTY_CURL

#include <curl/curl.h>

#define MOST_BYTES      (16u << 20)
#define TIMEOUT_SECONDS 10L

static const char *text_of(const json_t *auth, const char *key)
{
    const char *text = json_string_value(json_object_get(auth, key));
    return text ? text : "";
}

static size_t on_bytes(char *bytes, size_t size, size_t count, void *context)
{
    struct buffer *out = context;
    buffer_append(out, bytes, size * count);
    return out->overflowed ? 0 : size * count;
}

static int on_progress(void *context, curl_off_t total, curl_off_t now, curl_off_t up_total,
                       curl_off_t up_now)
{
    (void)total, (void)now, (void)up_total, (void)up_now;
    return cancel_is_requested(context);
}

static struct curl_slist *header(struct curl_slist *list, const char *name, const char *before,
                                 const char *value)
{
    struct buffer line = BUFFER_INIT;
    buffer_printf(&line, "%s: %s%s", name, before, value);
    struct curl_slist *longer = NULL;
    /* A line break would begin a header of its own. */
    if (!strpbrk(buffer_text(&line), "\r\n")) longer = curl_slist_append(list, buffer_text(&line));
    buffer_free(&line);
    return longer ? longer : list;
}

static struct curl_slist *add_auth(CURL *curl, const json_t *auth, struct curl_slist *headers)
{
    const char *type = text_of(auth, "type");
    if (strcmp(type, "https_basic") == 0) {
        curl_easy_setopt(curl, CURLOPT_USERNAME, text_of(auth, "username"));
        curl_easy_setopt(curl, CURLOPT_PASSWORD, text_of(auth, "password"));
    } else if (strcmp(type, "https_apikey") == 0) {
        const char *kind = text_of(auth, "keyType"), *key = text_of(auth, "key");
        if (strcmp(kind, "x_api_key") == 0)
            headers = header(headers, "X-API-Key", "", key);
        else if (strcmp(kind, "custom") == 0)
            headers = header(headers, text_of(auth, "customHeaderName"), "", key);
        else
            headers = header(headers, "Authorization", "Bearer ", key);
    } else if (strcmp(type, "github_pat") == 0) {
        headers = header(headers, "Authorization", "Bearer ", text_of(auth, "pat"));
        headers = header(headers, "Accept", "", "application/vnd.github.raw+json");
    }
    return headers;
}

static bool has_auth(const json_t *auth)
{
    const char *type = text_of(auth, "type");
    return type[0] && strcmp(type, "none") != 0;
}

bool fetch_https(const char *url, const json_t *auth, struct cancel *cancel, struct buffer *out,
                 struct status *st)
{
    CURL *curl = curl_easy_init();
    if (!curl) return status_fail(st, STATUS_IO, STATUS_NO_OFFSET, "%s: no network", url);
    struct curl_slist *headers = add_auth(curl, auth, NULL);
    out->largest = MOST_BYTES;
    curl_easy_setopt(curl, CURLOPT_URL, url);
    curl_easy_setopt(curl, CURLOPT_PROTOCOLS_STR, "https");
    curl_easy_setopt(curl, CURLOPT_REDIR_PROTOCOLS_STR, "https");
    curl_easy_setopt(curl, CURLOPT_FOLLOWLOCATION, has_auth(auth) ? 0L : 1L);
    curl_easy_setopt(curl, CURLOPT_MAXREDIRS, 3L);
    curl_easy_setopt(curl, CURLOPT_TIMEOUT, TIMEOUT_SECONDS);
    curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(curl, CURLOPT_HTTPHEADER, headers);
    curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, on_bytes);
    curl_easy_setopt(curl, CURLOPT_WRITEDATA, out);
    curl_easy_setopt(curl, CURLOPT_NOPROGRESS, 0L);
    curl_easy_setopt(curl, CURLOPT_XFERINFOFUNCTION, on_progress);
    curl_easy_setopt(curl, CURLOPT_XFERINFODATA, cancel);
    CURLcode code = curl_easy_perform(curl);
    long answer = 0;
    curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &answer);
    bool good = false;
    if (cancel_is_requested(cancel))
        status_fail(st, STATUS_INTERRUPTED, STATUS_NO_OFFSET, "%s: stopped", url);
    else if (out->overflowed)
        status_fail(st, STATUS_LIMIT, STATUS_NO_OFFSET, "%s: longer than 16 MiB", url);
    else if (code != CURLE_OK)
        status_fail(st, STATUS_IO, STATUS_NO_OFFSET, "%s: %s", url, curl_easy_strerror(code));
    else if (answer != 200)
        status_fail(st, STATUS_IO, STATUS_NO_OFFSET, "%s: the server answers %ld", url, answer);
    else
        good = true;
    curl_slist_free_all(headers);
    curl_easy_cleanup(curl);
    return good;
}

#else

bool fetch_https(const char *url, const json_t *auth, struct cancel *cancel, struct buffer *out,
                 struct status *st)
{
    (void)auth, (void)cancel, (void)out;
    return status_fail(st, STATUS_IO, STATUS_NO_OFFSET,
                       "%s: this build has no libcurl and reaches no server", url);
}

#endif
