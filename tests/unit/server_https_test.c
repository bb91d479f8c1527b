/* Fetching, against a real https server on loopback: what arrives, what is refused,
 * what is kept, and that no secret is in a message. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "engine/base/memory.h"
#include "macros/server_cache.h"
#include "macros/server_content.h"
#include "tests/https/https_server.h"

struct place {
    struct https_server server;
    struct fetcher *fetcher;
    char cache[80];
    bool runs;
};

static int setup(void **state)
{
    struct place *p = mem_zero(1, sizeof *p);
    struct status st = STATUS_INIT;
    p->runs = https_server_start(&p->server);
    if (p->runs) p->fetcher = fetcher_new(&st);
    if (st.code != STATUS_OK) print_message("skipped: %s\n", status_message(&st));
    status_clear(&st);
    p->runs = p->runs && p->fetcher;
    snprintf(p->cache, sizeof p->cache, "%s/cache", p->server.folder);
    *state = p;
    return 0;
}

static int teardown(void **state)
{
    struct place *p = *state;
    fetcher_free(p->fetcher);
    https_server_stop(&p->server);
    mem_free(p);
    return 0;
}

static enum fetch_result get(struct place *p, const char *host, const char *path,
                             const struct fetch_auth *auth, struct buffer *out, struct status *st)
{
    char url[200];
    snprintf(url, sizeof url, "https://%s:%d/%s", host, p->server.port, path);
    const struct fetch_request request = {
        .url = url,
        .auth = auth,
        .ca_file = p->server.ca_file,
        .allow_private = true,
        .deadline_ns = clock_now_ns() + (strstr(path, "slow") ? 500 : 10000) * INT64_C(1000000)};
    return fetcher_get(p->fetcher, &request, NULL, out, st);
}

static void what_a_server_can_answer(void **state)
{
    static const struct {
        const char *path;
        enum fetch_result result;
        const char *says;
    } table[] = {
        {"good/manifest", FETCH_DONE, ""},
        {"moved/manifest", FETCH_DONE, ""},
        {"slow/manifest", FETCH_UNREACHABLE, "no answer in time"},
        {"huge/manifest", FETCH_REFUSED, "longer than 16 MiB"},
        {"hugelength/manifest", FETCH_REFUSED, "longer than 16 MiB"},
        {"401/manifest", FETCH_REFUSED, "the server answers 401"},
        {"404/manifest", FETCH_REFUSED, "the server answers 404"},
        {"500/manifest", FETCH_REFUSED, "the server answers 500"},
        {"tohttp/manifest", FETCH_REFUSED, "which is not https"},
        {"toloopback/manifest", FETCH_UNREACHABLE, "127.0.0.1 is a private address"},
        {"ring/manifest", FETCH_REFUSED, "more than 3 redirects"},
        {"cut/manifest", FETCH_UNREACHABLE, "the connection was cut"},
    };
    struct place *p = *state;
    if (!p->runs) skip();
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        struct buffer out = BUFFER_INIT;
        struct status st = STATUS_INIT;
        enum fetch_result result = get(p, "localhost", table[i].path, NULL, &out, &st);
        if (result != table[i].result || !strstr(status_message(&st), table[i].says))
            fail_msg("%s: %d, %s", table[i].path, (int)result, status_message(&st));
        if (result == FETCH_DONE) assert_non_null(strstr(buffer_text(&out), "com.ex"));
        status_clear(&st);
        buffer_free(&out);
    }
}

static void who_may_be_connected_to(void **state)
{
    struct place *p = *state;
    struct buffer out = BUFFER_INIT;
    struct status st = STATUS_INIT;
    char url[100];
    if (!p->runs) skip();
    snprintf(url, sizeof url, "https://localhost:%d/good/manifest", p->server.port);
    int before = https_server_count(&p->server, "/good/manifest");
    /* A name that resolves to a private address. */
    struct fetch_request request = {.url = url, .ca_file = p->server.ca_file};
    assert_int_equal(fetcher_get(p->fetcher, &request, NULL, &out, &st), FETCH_UNREACHABLE);
    assert_non_null(strstr(status_message(&st), "is a private address"));
    status_clear(&st);
    /* A certificate that nobody vouches for. */
    request.allow_private = true;
    request.ca_file = NULL;
    assert_int_equal(fetcher_get(p->fetcher, &request, NULL, &out, &st), FETCH_UNREACHABLE);
    status_clear(&st);
    assert_int_equal(https_server_count(&p->server, "/good/manifest"), before);
    /* No https, even when it is asked for by hand. */
    request.url = "http://localhost:1/";
    assert_int_equal(fetcher_get(p->fetcher, &request, NULL, &out, &st), FETCH_REFUSED);
    status_clear(&st);
    struct cancel cancel = {true};
    request.url = url;
    request.ca_file = p->server.ca_file;
    assert_int_equal(fetcher_get(p->fetcher, &request, &cancel, &out, &st), FETCH_STOPPED);
    status_clear(&st);
    buffer_free(&out);
}

static char basic_name[] = "me", secret[] = "s3cret", bearer[] = "Bearer s3cret";
static char authorization[] = "Authorization", x_api_key[] = "X-API-Key", mine[] = "X-Mine";
static char with_line[] = "s3cret\r\nX-Mine: s3cret";

static void signing_in(void **state)
{
    static const struct {
        const char *path;
        struct fetch_auth auth;
        enum fetch_result result;
    } table[] = {
        {"basic/manifest", {FETCH_AUTH_BASIC, basic_name, secret}, FETCH_DONE},
        {"bearer/manifest", {FETCH_AUTH_HEADER, authorization, bearer}, FETCH_DONE},
        {"key/manifest", {FETCH_AUTH_HEADER, x_api_key, secret}, FETCH_DONE},
        {"custom/manifest", {FETCH_AUTH_HEADER, mine, secret}, FETCH_DONE},
        {"custom/manifest", {FETCH_AUTH_HEADER, x_api_key, with_line}, FETCH_REFUSED},
        {"bearer/manifest", {FETCH_AUTH_HEADER, x_api_key, secret}, FETCH_REFUSED},
        {"401/manifest", {FETCH_AUTH_HEADER, x_api_key, secret}, FETCH_REFUSED},
        /* With credentials no redirect is followed. */
        {"moved/manifest", {FETCH_AUTH_HEADER, x_api_key, secret}, FETCH_REFUSED},
    };
    struct place *p = *state;
    if (!p->runs) skip();
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        struct buffer out = BUFFER_INIT;
        struct status st = STATUS_INIT;
        enum fetch_result result = get(p, "localhost", table[i].path, &table[i].auth, &out, &st);
        if (result != table[i].result)
            fail_msg("%s: %d, %s", table[i].path, (int)result, status_message(&st));
        assert_null(strstr(status_message(&st), "s3cret"));
        status_clear(&st);
        buffer_free(&out);
    }
}

static struct server server_at(const struct place *p, const char *path, const char *modules)
{
    struct server server = {.type = SERVER_HTTPS, .enabled = true, .allow_private = true};
    struct buffer url = BUFFER_INIT;
    buffer_printf(&url, "https://localhost:%d/%s", p->server.port, path);
    server.url = buffer_take(&url);
    server.ca_file = mem_strdup(p->server.ca_file);
    struct str rest = str_of(modules), piece;
    while (str_split_next(&rest, ' ', &piece))
        vec_push(&server.modules, mem_copy_string(piece.p, piece.n));
    return server;
}

static enum fetch_result fetch(void *context, const struct fetch_request *request,
                               struct cancel *cancel, struct buffer *out, struct status *st)
{
    return fetcher_get(context, request, cancel, out, st);
}

static struct server_content content_of(struct place *p, const struct server *server)
{
    struct server_content content = {0};
    const struct server_access access = {
        .fetch = fetch, .context = p->fetcher, .cache_folder = p->cache};
    server_content_get(&content, server, &access, false, NULL);
    return content;
}

static void all_of_a_server(void **state)
{
    struct place *p = *state;
    if (!p->runs) skip();
    struct server server = server_at(p, "good", "a b");
    struct server_content first = content_of(p, &server);
    assert_int_equal(first.problems.count, 0);
    assert_string_equal(first.manifest.namespace, "com.ex");
    assert_int_equal(first.macros.count, 1);
    assert_int_equal(first.sql.count, 2);
    assert_int_equal(first.descriptors.count, 1);
    assert_false(first.is_stale);
    /* Not reached: what it said before, and why. */
    https_server_set_down(&p->server, true);
    struct server_content again = content_of(p, &server);
    https_server_set_down(&p->server, false);
    assert_true(again.is_stale);
    assert_int_equal(again.problems.count, 1);
    assert_int_equal(again.sql.count, 2);
    assert_true(server_content_same_descriptors(&first, &again));
    server_content_dispose(&again);
    server_content_forget(&server, p->cache);
    https_server_set_down(&p->server, true);
    again = content_of(p, &server);
    https_server_set_down(&p->server, false);
    assert_false(again.has_manifest);
    server_content_dispose(&again);
    server_content_dispose(&first);
    server_dispose(&server);
}

static void an_error_ends_what_is_kept(void **state)
{
    struct place *p = *state;
    if (!p->runs) skip();
    struct server server = server_at(p, "404", "a");
    struct buffer url = BUFFER_INIT, bytes = BUFFER_INIT;
    time_t when;
    server_endpoint(&server, NULL, NULL, &url);
    server_cache_write(p->cache, buffer_text(&url), STR("{}"));
    assert_true(server_cache_read(p->cache, buffer_text(&url), &bytes, &when));
    struct server_content content = content_of(p, &server);
    assert_false(content.has_manifest);
    assert_false(content.is_stale);
    assert_false(server_cache_read(p->cache, buffer_text(&url), &bytes, &when));
    server_content_dispose(&content);
    server_dispose(&server);
    buffer_free(&url);
    buffer_free(&bytes);
}

static void wrong_answers(void **state)
{
    static const struct {
        const char *path, *modules, *problem;
        size_t n;
    } table[] = {
        {"badjson", "a", "manifest: line 1", 1},
        {"badnames", "a", "sql_modules[0] has to have \"sql\" and a name that begins", 2},
        {"good", "a nothere", "module nothere: the server has no such module", 1},
        {"slow", "a", "no answer in time", 1},
    };
    struct place *p = *state;
    if (!p->runs) skip();
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        struct server server = server_at(p, table[i].path, table[i].modules);
        struct server_content content = {0};
        const struct server_access access = {
            .fetch = fetch,
            .context = p->fetcher,
            .deadline_ns = clock_now_ns() + (i == 3 ? 500 : 10000) * INT64_C(1000000)};
        server_content_get(&content, &server, &access, false, NULL);
        assert_int_equal(content.problems.count, table[i].n);
        if (!strstr(*vec_last(&content.problems), table[i].problem))
            fail_msg("%s: %s", table[i].path, *vec_last(&content.problems));
        server_content_dispose(&content);
        server_dispose(&server);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_a_server_can_answer),
        cmocka_unit_test(who_may_be_connected_to),
        cmocka_unit_test(signing_in),
        cmocka_unit_test(all_of_a_server),
        cmocka_unit_test(an_error_ends_what_is_kept),
        cmocka_unit_test(wrong_answers),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
