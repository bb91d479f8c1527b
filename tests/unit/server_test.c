/* Extension servers: shapes, locations, what is asked, namespaces.  No network. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "engine/base/memory.h"
#include "macros/server_load.h"
#include "tests/unit/session_fixture.h"

static struct settings *with_servers(const char *json)
{
    struct status st = STATUS_INIT;
    struct settings *settings = settings_default();
    json_t *list = json_strict_load(str_of(json), &st);
    assert_non_null(list);
    json_object_set_new(settings->person, "extensionServers", list);
    settings->person_path = mem_strdup("settings.json");
    return settings;
}

static struct server reference(const char *json)
{
    struct status st = STATUS_INIT;
    struct server server;
    json_t *value = json_strict_load(str_of(json), &st);
    assert_non_null(value);
    assert_true(server_read_reference(value, &server, &st));
    json_decref(value);
    return server;
}

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

static void confirmed_servers_are_kept(void **state)
{
    (void)state;
    struct status st = STATUS_INIT;
    char folder[] = "/tmp/perfetty-server-XXXXXX", person[64], overlay[64];
    assert_non_null(mkdtemp(folder));
    snprintf(person, sizeof person, "%s/person.json", folder);
    snprintf(overlay, sizeof overlay, "%s/state.json", folder);
    struct settings *settings = settings_load(person, overlay, &st);
    struct server server = reference("{\"type\": \"https\", \"url\": \"https://e.x\", \"auth\": "
                                     "{\"type\": \"https_basic\"}, \"enabled_modules\": [\"a\"]}");
    assert_true(servers_store(settings, &server, &st));
    vec_push(&server.modules, mem_strdup("b"));
    assert_true(servers_store(settings, &server, &st));
    settings_free(settings);
    settings = settings_load(person, overlay, &st);
    assert_non_null(settings);
    struct server_list list;
    assert_true(servers_read(settings, &list, &st));
    assert_int_equal(list.count, 1);
    assert_int_equal(list.items[0].modules.count, 2);
    /* The trace's credentials were not taken. */
    assert_string_equal(json_string_value(json_object_get(list.items[0].auth, "type")), "none");
    server_list_free(&list);
    server_dispose(&server);
    settings_free(settings);
    unlink(overlay);
    rmdir(folder);
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

/* ---- loading ---- */

static int fetched; /* of the fake below */

static bool fake_fetch(const char *url, const json_t *auth, struct cancel *cancel,
                       struct buffer *out, struct status *st)
{
    (void)auth, (void)cancel;
    static const struct {
        const char *url, *text;
    } answers_of[] = {
        {"https://e.x/manifest", "{\"name\": \"E\", \"namespace\": \"com.ex\", \"modules\": "
                                 "[{\"id\": \"a\", \"name\": \"A\"}]}"},
        {"https://e.x/modules/a/macros",
         "{\"macros\": [{\"id\": \"com.ex.M\", \"name\": \"M\", \"run\": [{\"id\": "
         "\"dev.perfetto.RunQuery\", \"args\": [\"INCLUDE PERFETTO MODULE com.ex.t; SELECT * FROM "
         "served\"]}]}]}"},
        {"https://e.x/modules/a/sql_modules",
         "{\"sql_modules\": [{\"name\": \"com.ex.t\", \"sql\": \"CREATE PERFETTO TABLE served AS "
         "SELECT 1 AS one;\"}]}"},
    };
    fetched++;
    for (size_t i = 0; i < sizeof answers_of / sizeof answers_of[0]; i++) {
        if (strcmp(answers_of[i].url, url) != 0) continue;
        buffer_append_text(out, answers_of[i].text);
        return true;
    }
    return status_fail(st, STATUS_IO, STATUS_NO_OFFSET, "%s: the server answers 404", url);
}

static json_t *json_of(const char *text)
{
    struct status st = STATUS_INIT;
    json_t *value = json_strict_load(str_of(text), &st);
    assert_non_null(value);
    return value;
}

static void nothing_is_sent_before_a_person_agrees(void **state)
{
    struct fixture *f = *state;
    struct status st = STATUS_INIT;
    char folder[] = "/tmp/perfetty-server-XXXXXX", person[64], overlay[64];
    assert_non_null(mkdtemp(folder));
    snprintf(person, sizeof person, "%s/person.json", folder);
    snprintf(overlay, sizeof overlay, "%s/state.json", folder);
    struct settings *settings = settings_load(person, overlay, &st);
    json_t *reference_json =
        json_of("{\"type\": \"https\", \"url\": \"https://e.x\", \"enabled_modules\": [\"a\"]}");
    fetched = 0;
    assert_true(servers_open(f->session, settings, reference_json, fake_fetch, &st));
    assert_int_equal(fetched, 0);
    assert_string_equal(vec_last(&f->session->messages)->text,
                        "the trace wants the extension server e.x (modules: a); nothing was sent; "
                        "dev.perfetty.AddTraceServer adds it");
    /* Not as a startup command either. */
    const struct command_context startup = {.source = COMMAND_FROM_TRACE, .allowlist_only = true};
    assert_int_equal(
        registry_run(f->session, "dev.perfetty.AddTraceServer", NULL, 0, &startup, &st),
        COMMAND_BLOCKED);
    status_clear(&st);
    assert_int_equal(fetched, 0);
    enum command_outcome outcome = fixture_run(f, "AddTraceServer", &st);
    assert_string_equal(status_message(&st), "");
    assert_int_equal(outcome, COMMAND_DONE);
    assert_int_equal(fetched, 3);
    assert_string_equal(vec_last(&f->session->messages)->text, "server e.x: 1 macro, 1 SQL module");
    outcome = registry_run(f->session, "com.ex.M", NULL, 0, &COMMAND_CONTEXT_PERSON, &st);
    assert_string_equal(status_message(&st), "");
    assert_int_equal(outcome, COMMAND_DONE);
    /* From now on it is an ordinary server: read at once, nothing to ask. */
    struct session *again = session_new(NULL);
    assert_true(servers_open(again, settings, reference_json, fake_fetch, &st));
    assert_int_equal(fetched, 6);
    assert_null(registry_find(again->registry, "dev.perfetty.AddTraceServer"));
    assert_non_null(registry_find(again->registry, "com.ex.M"));
    session_free(again);
    json_decref(reference_json);
    settings_free(settings);
    unlink(overlay);
    rmdir(folder);
}

static void a_server_that_fails_is_told(void **state)
{
    struct fixture *f = *state;
    struct status st = STATUS_INIT;
    struct settings *settings = with_servers(
        "[{\"type\": \"https\", \"url\": \"e.x\", \"enabledModules\": [\"b\"]},"
        "{\"type\": \"https\", \"url\": \"gone.x\", \"enabledModules\": [\"b\"]},"
        "{\"type\": \"https\", \"url\": \"off.x\", \"enabledModules\": [], \"enabled\": "
        "false}]");
    fetched = 0;
    assert_true(servers_open(f->session, settings, NULL, fake_fetch, &st));
    assert_int_equal(fetched, 2);
    assert_int_equal(f->session->messages.count, 2);
    assert_string_equal(f->session->messages.items[0].text,
                        "server e.x: module b: it has no module \"b\"");
    assert_string_equal(f->session->messages.items[1].text,
                        "server gone.x: https://gone.x/manifest: the server answers 404");
    settings_free(settings);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mistakes_are_loud),
        cmocka_unit_test(what_a_reference_means),
        cmocka_unit_test(addresses),
        cmocka_unit_test(confirmed_servers_are_kept),
        cmocka_unit_test(answers),
        cmocka_unit_test_setup_teardown(nothing_is_sent_before_a_person_agrees,
                                        fixture_setup_engine, fixture_teardown),
        cmocka_unit_test_setup_teardown(a_server_that_fails_is_told, fixture_setup,
                                        fixture_teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
