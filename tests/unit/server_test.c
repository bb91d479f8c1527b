/* Extension servers: shapes, locations, credentials, what is asked.  No network. */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cmocka.h>

#include "engine/base/memory.h"
#include "engine/extensions/base64.h"
#include "macros/secret.h"
#include "tests/unit/server_fixture.h"

static void mistakes_are_loud(void **state)
{
    (void)state;
    static const struct {
        const char *json, *message;
    } table[] = {
        {"[1]", "settings.json: extensionServers[0] is 1, but has to be a server object"},
        {"[{\"type\": \"ftp\"}]",
         "settings.json: extensionServers[0].type is \"ftp\", but has to be \"https\" or "
         "\"github\""},
        {"[{\"type\": \"https\", \"url\": \"http://x\", \"enabledModules\": []}]",
         "settings.json: extensionServers[0].url is \"http://x\", but has to be an https:// "
         "address"},
        {"[{\"type\": \"https\", \"url\": \"https://me:pw@x\", \"enabledModules\": []}]",
         "settings.json: extensionServers[0].url is \"https://me:pw@x\", but has to be an https:// "
         "address without user name and query"},
        {"[{\"type\": \"https\", \"url\": \"https://x/a/../b\", \"enabledModules\": []}]",
         "settings.json: extensionServers[0].url is \"https://x/a/../b\", but has to be an "
         "https:// "
         "address without user name and query"},
        {"[{\"type\": \"https\", \"url\": \"x\", \"enabledModules\": [], \"auth\": {\"type\": "
         "\"github_pat\"}}]",
         "settings.json: extensionServers[0].auth.type is \"github_pat\", but has to be one of "
         "\"none\", \"https_basic\", \"https_apikey\", \"https_sso\""},
        {"[{\"type\": \"https\", \"url\": \"x\", \"enabledModules\": []}, {\"type\": \"https\", "
         "\"url\": \"https://x/\", \"enabledModules\": []}]",
         "settings.json: extensionServers[1] is the same server as extensionServers[0]"},
        {"[{\"type\": \"https\", \"url\": \"x\"}]",
         "settings.json: extensionServers[0].enabledModules is nothing, but has to be a list of "
         "strings"},
        {"[{\"type\": \"github\", \"repo\": \"a\", \"ref\": \"m\", \"enabledModules\": []}]",
         "settings.json: extensionServers[0].repo is \"a\", but has to be \"owner/name\""},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        struct status st = STATUS_INIT;
        struct server_list list;
        struct settings *settings = with_servers(table[i].json);
        assert_false(servers_read(settings, &list, &st));
        assert_string_equal(st.message, table[i].message);
        status_clear(&st);
        settings_free(settings);
    }
}

static void what_a_reference_means(void **state)
{
    (void)state;
    static const struct {
        const char *reference;
        enum server_match match;
        const char *modules;
    } table[] = {
        {"{\"type\": \"https\", \"url\": \"https://e.x/\", \"enabled_modules\": [\"a\"]}",
         SERVER_COMPLETE, "a b"},
        {"{\"type\": \"https\", \"url\": \"https://e.x\", \"enabled_modules\": [\"c\", \"a\"]}",
         SERVER_LACKS_MODULES, "a b c"},
        {"{\"type\": \"https\", \"url\": \"https://other.x\", \"enabled_modules\": [\"a\"]}",
         SERVER_UNKNOWN, "a"},
        {"{\"type\": \"github\", \"repo\": \"o/n\", \"ref\": \"main\", \"enabled_modules\": []}",
         SERVER_COMPLETE, "z"},
        {"{\"type\": \"github\", \"repo\": \"o/n\", \"ref\": \"main\", \"path\": \"\", "
         "\"enabled_modules\": []}",
         SERVER_COMPLETE, "z"},
        {"{\"type\": \"github\", \"repo\": \"o/n\", \"ref\": \"v2\", \"enabled_modules\": []}",
         SERVER_UNKNOWN, ""},
    };
    struct settings *settings = with_servers(
        "[{\"type\": \"https\", \"url\": \"e.x\", \"enabledModules\": [\"a\", \"b\"], \"enabled\": "
        "true}, {\"type\": \"github\", \"repo\": \"o/n\", \"ref\": \"main\", \"enabledModules\": "
        "[\"z\"], \"enabled\": true}]");
    struct status st = STATUS_INIT;
    struct server_list known;
    assert_true(servers_read(settings, &known, &st));
    assert_int_equal(known.count, 2);
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        struct server server = reference(table[i].reference), merged;
        assert_int_equal(servers_match(&known, &server, &merged), table[i].match);
        struct buffer modules = BUFFER_INIT;
        for (size_t k = 0; k < merged.modules.count; k++)
            buffer_printf(&modules, "%s%s", k ? " " : "", merged.modules.items[k]);
        assert_string_equal(buffer_text(&modules), table[i].modules);
        buffer_free(&modules);
        server_dispose(&server);
        server_dispose(&merged);
    }
    server_list_free(&known);
    settings_free(settings);
}

static void addresses(void **state)
{
    (void)state;
    static const struct {
        const char *reference, *manifest, *macros, *name;
    } table[] = {
        {"{\"type\": \"https\", \"url\": \"https://e.x/base/\", \"enabled_modules\": []}",
         "https://e.x/base/manifest", "https://e.x/base/modules/m/macros", "e.x/base"},
        {"{\"type\": \"github\", \"repo\": \"o/n\", \"ref\": \"main\", \"enabled_modules\": []}",
         "https://raw.githubusercontent.com/o/n/main/manifest",
         "https://raw.githubusercontent.com/o/n/main/modules/m/macros", "o/n@main"},
        {"{\"type\": \"github\", \"repo\": \"o/n\", \"ref\": \"main\", \"path\": \"/a/b/\", "
         "\"enabled_modules\": []}",
         "https://raw.githubusercontent.com/o/n/main/a/b/manifest",
         "https://raw.githubusercontent.com/o/n/main/a/b/modules/m/macros", "o/n@main"},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        struct server server = reference(table[i].reference);
        struct buffer text = BUFFER_INIT;
        server_endpoint(&server, NULL, NULL, &text);
        assert_string_equal(buffer_text(&text), table[i].manifest);
        buffer_clear(&text);
        server_endpoint(&server, "m", "macros", &text);
        assert_string_equal(buffer_text(&text), table[i].macros);
        buffer_clear(&text);
        server_append_name(&server, &text);
        assert_string_equal(buffer_text(&text), table[i].name);
        buffer_free(&text);
        server_dispose(&server);
    }
}

/* ---- what is kept ---- */

static void file_text(const char *path, struct buffer *out)
{
    char bytes[4096];
    buffer_clear(out);
    FILE *file = fopen(path, "r");
    size_t n = file ? fread(bytes, 1, sizeof bytes, file) : 0;
    buffer_append(out, bytes, n);
    if (file) fclose(file);
}

static void secrets_are_kept_apart(void **state)
{
    (void)state;
    struct status st = STATUS_INIT;
    struct places p;
    struct stat info;
    struct buffer text = BUFFER_INIT;
    struct fetch_auth auth;
    places_make(&p);
    struct settings *settings = settings_load(p.person, p.overlay, &st);
    struct server server = reference("{\"type\": \"https\", \"url\": \"https://e.x\", \"auth\": "
                                     "{\"type\": \"https_basic\", \"password\": \"theirs\"}, "
                                     "\"enabled_modules\": [\"a\"]}");
    /* The trace's credentials were not taken. */
    assert_int_equal(server.auth, SERVER_AUTH_NONE);
    assert_null(server.secret);
    server.auth = SERVER_AUTH_BASIC;
    server.auth_name = mem_strdup("me");
    server.secret = mem_strdup("s3cret");
    assert_true(servers_store(settings, &server, NULL, &st));
    file_text(p.overlay, &text);
    assert_null(strstr(buffer_text(&text), "s3cret"));
    assert_non_null(strstr(buffer_text(&text), "\"username\":\"me\""));
    assert_int_equal(stat(p.secrets, &info), 0);
    assert_int_equal(info.st_mode & 0777, 0600);
    settings_free(settings);
    settings = settings_load(p.person, p.overlay, &st);
    struct server_list list;
    assert_true(servers_read(settings, &list, &st));
    assert_int_equal(list.count, 1);
    assert_null(list.items[0].secret);
    assert_true(server_credentials(settings, &list.items[0], &auth, &st));
    assert_int_equal(auth.kind, FETCH_AUTH_BASIC);
    assert_string_equal(auth.name, "me");
    assert_string_equal(auth.value, "s3cret");
    fetch_auth_dispose(&auth);
    /* Others may read it: not used, and no message holds it. */
    assert_int_equal(chmod(p.secrets, 0644), 0);
    assert_false(server_credentials(settings, &list.items[0], &auth, &st));
    assert_non_null(strstr(status_message(&st), "others may read it"));
    status_clear(&st);
    assert_int_equal(chmod(p.secrets, 0600), 0);
    /* Another address is another server: its secret is not sent there. */
    struct server moved;
    server_copy(&moved, &list.items[0]);
    assert_true(server_set_url(&moved, "https://other.x", &st));
    assert_true(servers_store(settings, &moved, &list.items[0], &st));
    assert_false(server_credentials(settings, &moved, &auth, &st));
    status_clear(&st);
    file_text(p.secrets, &text);
    assert_null(strstr(buffer_text(&text), "s3cret"));
    /* A variable instead. */
    moved.secret_env = mem_strdup("PERFETTY_TEST_SECRET");
    moved.auth = SERVER_AUTH_CUSTOM;
    mem_free(moved.auth_name);
    moved.auth_name = mem_strdup("X Mine:");
    setenv("PERFETTY_TEST_SECRET", "from outside", 1);
    assert_false(server_credentials(settings, &moved, &auth, &st));
    assert_non_null(strstr(status_message(&st), "no proper name"));
    status_clear(&st);
    unsetenv("PERFETTY_TEST_SECRET");
    mem_free(moved.auth_name);
    moved.auth_name = mem_strdup("X-Mine");
    assert_false(server_credentials(settings, &moved, &auth, &st));
    assert_non_null(strstr(status_message(&st), "PERFETTY_TEST_SECRET"));
    status_clear(&st);
    setenv("PERFETTY_TEST_SECRET", "from outside", 1);
    assert_true(server_credentials(settings, &moved, &auth, &st));
    assert_string_equal(auth.value, "from outside");
    fetch_auth_dispose(&auth);
    assert_true(servers_remove(settings, &moved, &st));
    server_list_free(&list);
    assert_true(servers_read(settings, &list, &st));
    assert_int_equal(list.count, 0);
    server_list_free(&list);
    server_dispose(&moved);
    server_dispose(&server);
    settings_free(settings);
    buffer_free(&text);
    places_remove(&p);
}

/* The viewer and the command line, one after the other, with what each had read. */
static void two_processes_keep_what_the_other_kept(void **state)
{
    (void)state;
    struct status st = STATUS_INIT;
    struct places p;
    places_make(&p);
    struct settings *one = settings_load(p.person, p.overlay, &st);
    struct settings *two = settings_load(p.person, p.overlay, &st);
    struct server a =
        reference("{\"type\": \"https\", \"url\": \"https://a.x\", \"enabled_modules\": []}");
    struct server b =
        reference("{\"type\": \"https\", \"url\": \"https://b.x\", \"enabled_modules\": []}");
    assert_true(servers_store(one, &a, NULL, &st));
    assert_true(servers_store(two, &b, NULL, &st));
    assert_true(settings_store_trace_commands(one, TRACE_COMMANDS_NEVER, &st));
    settings_free(one);
    settings_free(two);
    one = settings_load(p.person, p.overlay, &st);
    assert_int_equal(one->trace_commands, TRACE_COMMANDS_NEVER);
    assert_int_equal(json_array_size(settings_get(one, "extensionServers", NULL)), 2);
    settings_free(one);
    server_dispose(&a);
    server_dispose(&b);
    places_remove(&p);
}

static void the_persons_list_is_theirs(void **state)
{
    (void)state;
    struct status st = STATUS_INIT;
    struct settings *settings = with_servers("[]");
    struct server server =
        reference("{\"type\": \"https\", \"url\": \"https://e.x\", \"enabled_modules\": []}");
    assert_false(servers_store(settings, &server, NULL, &st));
    assert_string_equal(status_message(&st),
                        "settings.json lists the extension servers: they are changed there");
    status_clear(&st);
    server_dispose(&server);
    settings_free(settings);
}

static void shared_and_typed(void **state)
{
    (void)state;
    static const struct {
        const char *text, *location, *modules;
    } table[] = {
        {"e.x/base/", "https://e.x/base", ""},
        {" https://e.x ", "https://e.x", ""},
        {"HTTPS.Example/Base", "https://https.example/Base", ""},
        {"github:o/n@main", "github:o/n@main", ""},
        {"github:o/n@feature/x:/a/b/", "github:o/n@feature/x:a/b", ""},
        {"http://e.x", NULL, NULL},
        {"https://e.x?q", NULL, NULL},
        {"https://", NULL, NULL},
        {"github:o", NULL, NULL},
        {"github:o/../n@main", NULL, NULL},
        {"addServer=!!!!", NULL, NULL},
        {"addServer=e30%3D", NULL, NULL},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        struct status st = STATUS_INIT;
        struct server server;
        struct buffer text = BUFFER_INIT;
        bool good = server_parse(table[i].text, &server, &st);
        if (good != (table[i].location != NULL)) fail_msg("%s", table[i].text);
        status_clear(&st);
        if (!good) continue;
        server_append_location(&server, &text);
        assert_string_equal(buffer_text(&text), table[i].location);
        /* There and back, without what is secret. */
        vec_push(&server.modules, mem_strdup("m \xC3\xA9?"));
        server.auth = server.type == SERVER_GITHUB ? SERVER_AUTH_GITHUB : SERVER_AUTH_BEARER;
        server.secret = mem_strdup("s3cret");
        server.secret_env = mem_strdup("VARIABLE");
        server.allow_private = true;
        struct server back;
        struct buffer link = BUFFER_INIT, json = BUFFER_INIT;
        buffer_append_text(&link, "https://ui.example/#!/?dev.perfetto.ExtensionServers:");
        server_share(&server, &link);
        buffer_append_text(&link, "&other=1");
        assert_true(server_parse(buffer_text(&link), &back, &st));
        assert_true(server_is_same(&server, &back));
        assert_int_equal(back.auth, server.auth);
        assert_null(back.secret);
        assert_null(back.secret_env);
        assert_false(back.allow_private);
        assert_string_equal(back.modules.items[0], "m \xC3\xA9?");
        buffer_free(&link);
        buffer_free(&json);
        buffer_free(&text);
        server_dispose(&back);
        server_dispose(&server);
    }
}

struct seen {
    char name[40], value[40], accept[60], url[120];
};

static enum fetch_result note_request(void *context, const struct fetch_request *request,
                                      struct cancel *cancel, struct buffer *out, struct status *st)
{
    (void)cancel, (void)out;
    struct seen *seen = context;
    snprintf(seen->name, sizeof seen->name, "%s", request->auth->name);
    snprintf(seen->value, sizeof seen->value, "%s", request->auth->value);
    snprintf(seen->accept, sizeof seen->accept, "%s", request->accept);
    snprintf(seen->url, sizeof seen->url, "%s", request->url);
    status_fail(st, STATUS_IO, STATUS_NO_OFFSET, "not now");
    return FETCH_REFUSED;
}

static void with_a_token_github_is_asked_by_its_api(void **state)
{
    (void)state;
    struct status st = STATUS_INIT;
    struct server server;
    struct buffer url = BUFFER_INIT;
    assert_true(server_parse("github:o/n@feature/x:a b", &server, &st) == false);
    status_clear(&st);
    assert_true(server_parse("github:o/n@feature/x:a", &server, &st));
    server.auth = SERVER_AUTH_GITHUB;
    server_endpoint(&server, "m/../x?", "macros", &url);
    assert_string_equal(buffer_text(&url),
                        "https://api.github.com/repos/o/n/contents/a/modules/m%2F..%2Fx%3F/macros"
                        "?ref=feature%2Fx");
    /* The token goes along, and the file itself is wanted, not a description of it. */
    struct settings *settings = settings_default();
    struct seen seen = {0};
    struct server_content content = {0};
    struct server_access access = {.fetch = note_request, .context = &seen};
    server.secret = mem_strdup("t0ken");
    assert_true(server_credentials(settings, &server, &access.auth, &st));
    server_content_get(&content, &server, &access, true, NULL);
    assert_string_equal(seen.name, "Authorization");
    assert_string_equal(seen.value, "Bearer t0ken");
    assert_string_equal(seen.accept, "application/vnd.github.raw+json");
    assert_string_equal(seen.url,
                        "https://api.github.com/repos/o/n/contents/a/manifest?ref=feature%2Fx");
    fetch_auth_dispose(&access.auth);
    server_content_dispose(&content);
    settings_free(settings);
    buffer_free(&url);
    server_dispose(&server);
}

static void addresses_of_the_public(void **state)
{
    (void)state;
    static const struct {
        const char *address;
        bool is_public;
    } table[] = {
        {"8.8.8.8", true},
        {"140.82.121.4", true},
        {"127.0.0.1", false},
        {"127.9.9.9", false},
        {"10.0.0.1", false},
        {"172.15.0.1", true},
        {"172.16.0.1", false},
        {"172.31.255.255", false},
        {"172.32.0.1", true},
        {"192.168.1.1", false},
        {"169.254.169.254", false},
        {"100.64.0.1", false},
        {"0.0.0.0", false},
        {"255.255.255.255", false},
        {"224.0.0.1", false},
        {"198.18.0.1", false},
        {"2606:4700::1111", true},
        {"::1", false},
        {"::", false},
        {"fe80::1", false},
        {"fc00::1", false},
        {"fd12::1", false},
        {"ff02::1", false},
        {"::ffff:127.0.0.1", false},
        {"::ffff:8.8.8.8", true},
        {"64:ff9b::a00:1", false},
        {"64:ff9b::808:808", true},
        {"2002:7f00:1::", false},
        {"::127.0.0.1", false},
        {"2001:db8::1", false},
        {"2001::1", false},
        {"fec0::1", false},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        struct sockaddr_in6 six = {.sin6_family = AF_INET6};
        struct sockaddr_in four = {.sin_family = AF_INET};
        bool is_six = strchr(table[i].address, ':') != NULL;
        assert_int_equal(inet_pton(is_six ? AF_INET6 : AF_INET, table[i].address,
                                   is_six ? (void *)&six.sin6_addr : (void *)&four.sin_addr),
                         1);
        const struct sockaddr *address =
            is_six ? (const struct sockaddr *)&six : (const struct sockaddr *)&four;
        if (fetch_is_public_address(address) != table[i].is_public)
            fail_msg("%s", table[i].address);
    }
}

static void answers(void **state)
{
    (void)state;
    struct status st = STATUS_INIT;
    struct server_manifest manifest;
    assert_true(server_read_manifest(
        STR("{\"name\": \"N\", \"namespace\": \"com.ex\", \"features\": [{\"name\": \"macros\"}], "
            "\"modules\": [{\"id\": \"a\", \"name\": \"A\"}, {\"id\": \"b\", \"name\": \"B\"}]}"),
        &manifest, &st));
    assert_int_equal(manifest.modules.count, 2);
    server_manifest_dispose(&manifest);
    assert_false(server_read_manifest(STR("{\"name\": \"N\"}"), &manifest, &st));
    assert_string_equal(st.message,
                        "manifest: namespace is nothing, but has to be a text that is not empty");
    status_clear(&st);
    static const char *const wrong[] = {
        "[]",
        "{\"name\": \"\", \"namespace\": \"a\", \"modules\": []}",
        "{\"name\": \"N\", \"namespace\": \"a..b\", \"modules\": []}",
        "{\"name\": \"N\", \"namespace\": \".a\", \"modules\": []}",
        "{\"name\": \"N\", \"namespace\": \"1a\", \"modules\": []}",
        "{\"name\": \"N\", \"namespace\": \"a; DROP\", \"modules\": []}",
        "{\"name\": \"N\", \"namespace\": \"a\"}",
        "{\"name\": \"N\", \"namespace\": \"a\", \"modules\": [1]}",
        "{\"name\": \"N\", \"namespace\": \"a\", \"modules\": [{\"id\": \"..\", \"name\": \"n\"}]}",
        "{\"name\": \"N\", \"namespace\": \"a\", \"modules\": [{\"id\": \"m\"}, {\"id\": \"m\"}]}"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        if (server_read_manifest(str_of(wrong[i]), &manifest, &st)) fail_msg("%s", wrong[i]);
        status_clear(&st);
    }
    struct macro_list macros;
    assert_true(server_read_macros(
        STR("{\"macros\": [{\"id\": \"com.ex.M\", \"name\": \"M\", \"run\": []}]}"), "com.ex",
        &macros, &st));
    macro_list_free(&macros);
    assert_false(server_read_macros(
        STR("{\"macros\": [{\"id\": \"com.exM\", \"name\": \"M\", \"run\": []}]}"), "com.ex",
        &macros, &st));
    assert_string_equal(st.message, "macros[0].id is \"com.exM\", but has to begin \"com.ex.\"");
    status_clear(&st);
}

/* The first JSON of docs/servers.md is a manifest, the second a sidecar. */
static void the_documentations_examples_are_read(void **state)
{
    (void)state;
    struct status st = STATUS_INIT;
    struct buffer text = BUFFER_INIT;
    char bytes[16384];
    FILE *file = fopen(SOURCE_DIR "/docs/servers.md", "r");
    assert_non_null(file);
    buffer_append(&text, bytes, fread(bytes, 1, sizeof bytes, file));
    fclose(file);
    struct str rest = buffer_str(&text);
    size_t from, to;
    for (int i = 0; i < 2; i++) {
        assert_true(str_find(rest, STR("```json\n"), &from));
        rest = str_slice(rest, from + 8, rest.n);
        assert_true(str_find(rest, STR("```"), &to));
        struct str json = str_slice(rest, 0, to);
        rest = str_slice(rest, to + 3, rest.n);
        if (i == 0) {
            struct server_manifest manifest;
            assert_true(server_read_manifest(json, &manifest, &st));
            assert_int_equal(manifest.modules.count, 1);
            server_manifest_dispose(&manifest);
            continue;
        }
        struct server server;
        json_t *sidecar = json_strict_load(json, &st);
        const json_t *section =
            json_object_get(json_object_get(sidecar, "perfetto_metadata"), "extensions");
        assert_true(server_read_reference(json_object_get(section, "server"), &server, &st));
        assert_string_equal(server.modules.items[0], "bench");
        server_dispose(&server);
        json_decref(sidecar);
    }
    buffer_free(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mistakes_are_loud),
        cmocka_unit_test(what_a_reference_means),
        cmocka_unit_test(addresses),
        cmocka_unit_test(secrets_are_kept_apart),
        cmocka_unit_test(two_processes_keep_what_the_other_kept),
        cmocka_unit_test(the_persons_list_is_theirs),
        cmocka_unit_test(shared_and_typed),
        cmocka_unit_test(with_a_token_github_is_asked_by_its_api),
        cmocka_unit_test(addresses_of_the_public),
        cmocka_unit_test(answers),
        cmocka_unit_test(the_documentations_examples_are_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
