/* Extension servers in a session: what is asked when, what is registered, kept, taken
 * out again.  No network. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <unistd.h>
#include <cmocka.h>

#include "engine/extensions/base64.h"
#include "tests/gen/example.h"
#include "tests/gen/servers.h"
#include "tests/unit/server_fixture.h"
#include "tests/unit/session_fixture.h"

static void nothing_is_sent_before_a_person_agrees(void **state)
{
    struct fixture *f = *state;
    struct status st = STATUS_INIT;
    struct places p;
    struct fake fake = {.descriptors = ""};
    places_make(&p);
    struct settings *settings = settings_load(p.person, p.overlay, &st);
    json_t *named =
        json_of("{\"type\": \"https\", \"url\": \"https://e.x\", \"enabled_modules\": [\"a\"]}");
    struct server_host *host = host_of(settings, &fake, p.cache);
    server_host_open(host, f->session, named);
    assert_int_equal(fake.asked, 0);
    assert_string_equal(vec_last(&f->session->messages)->text,
                        "the trace wants the extension server e.x (modules: a); nothing was sent; "
                        "dev.perfetty.AddTraceServer adds it");
    /* Not as a startup command either. */
    const struct command_context startup = {.source = COMMAND_FROM_TRACE, .allowlist_only = true};
    assert_int_equal(
        registry_run(f->session, "dev.perfetty.AddTraceServer", NULL, 0, &startup, &st),
        COMMAND_BLOCKED);
    status_clear(&st);
    /* The command only asks the screen for its dialog. */
    assert_int_equal(fixture_run(f, "AddTraceServer", &st), COMMAND_DONE);
    struct session_request request;
    assert_true(session_take_request(f->session, &request));
    assert_int_equal(request.kind, REQUEST_TRACE_SERVER);
    assert_int_equal(fake.asked, 0);
    enum server_match match;
    const struct server *server = server_host_reference(host, &match);
    assert_non_null(server);
    assert_int_equal(match, SERVER_UNKNOWN);
    assert_true(server_host_add(host, f->session, server, NULL, &st));
    assert_int_equal(fake.asked, 4);
    assert_true(was_said(f->session, "server e.x: 1 macro, 1 SQL module"));
    assert_null(server_host_reference(host, &match));
    enum command_outcome outcome =
        registry_run(f->session, "com.ex.M", NULL, 0, &COMMAND_CONTEXT_PERSON, &st);
    assert_string_equal(status_message(&st), "");
    assert_int_equal(outcome, COMMAND_DONE);
    /* From now on it is an ordinary server: read at once, nothing to ask. */
    struct session *again = session_new(NULL);
    struct server_host *other = host_of(settings, &fake, p.cache);
    server_host_open(other, again, named);
    assert_int_equal(fake.asked, 8);
    assert_null(server_host_reference(other, &match));
    assert_non_null(registry_find(again->registry, "com.ex.M"));
    session_free(again);
    server_host_free(other);
    server_host_free(host);
    json_decref(named);
    settings_free(settings);
    places_remove(&p);
}

static void problems_stand_on_one_page(void **state)
{
    struct fixture *f = *state;
    struct places p;
    struct fake fake = {.descriptors = ""};
    places_make(&p);
    struct settings *settings = with_servers(
        "[{\"type\": \"https\", \"url\": \"e.x\", \"enabledModules\": [\"a\", \"b\", \"c\"]},"
        "{\"type\": \"https\", \"url\": \"gone.x\", \"enabledModules\": [\"b\"]},"
        "{\"type\": \"https\", \"url\": \"same.x\", \"enabledModules\": [\"a\"]},"
        "{\"type\": \"https\", \"url\": \"signed.x\", \"enabledModules\": [\"a\"], \"auth\": "
        "{\"type\": \"https_apikey\", \"keyType\": \"bearer\", \"secretEnv\": \"NOT_SET_AT_ALL\"}},"
        "{\"type\": \"https\", \"url\": \"off.x\", \"enabledModules\": [], \"enabled\": false}]");
    struct server_host *host = host_of(settings, &fake, p.cache);
    server_host_open(host, f->session, NULL);
    struct buffer text = BUFFER_INIT;
    server_host_append_report(host, &text);
    assert_string_equal(
        buffer_text(&text),
        "e.x \xE2\x80\x93 3 problems\n"
        "  module b: proto_descriptors[0]: base64 of 1 characters, which is no multiple of 4\n"
        "  module b: macros[0].id is \"org.M\", but has to begin \"com.ex.\"\n"
        "  module c: the server has no such module\n"
        "gone.x \xE2\x80\x93 1 problem\n"
        "  https://gone.x/manifest: the server answers 404\n"
        "same.x \xE2\x80\x93 1 problem\n"
        "  its namespace com.ex is that of the server e.x\n"
        "signed.x \xE2\x80\x93 1 problem\n"
        "  the environment variable NOT_SET_AT_ALL, which holds its credentials, is not set\n");
    assert_true(was_said(f->session, "6 problems with extension servers"));
    /* What is good of the first one is there. */
    assert_non_null(registry_find(f->session->registry, "com.ex.M"));
    buffer_free(&text);
    server_host_free(host);
    settings_free(settings);
    places_remove(&p);
}

/* The second server of a namespace gets it when the first one goes. */
static void a_namespace_is_passed_on(void **state)
{
    struct fixture *f = *state;
    struct status st = STATUS_INIT;
    struct places p;
    struct fake fake = {.descriptors = ""};
    places_make(&p);
    struct settings *settings = settings_load(p.person, p.overlay, &st);
    static const char *const urls[] = {"https://same.x", "https://e.x"};
    for (int i = 0; i < 2; i++) {
        struct server server;
        assert_true(server_parse(urls[i], &server, &st));
        vec_push(&server.modules, mem_strdup("a"));
        assert_true(servers_store(settings, &server, NULL, &st));
        server_dispose(&server);
    }
    struct server_host *host = host_of(settings, &fake, p.cache);
    server_host_open(host, f->session, NULL);
    assert_int_equal(server_host_problems(host), 1);
    assert_null(registry_find(f->session->registry, "com.ex.M"));
    assert_true(server_host_enable(host, f->session, "same.x", false, &st));
    assert_int_equal(server_host_problems(host), 0);
    assert_non_null(registry_find(f->session->registry, "com.ex.M"));
    /* Back again it comes second. */
    assert_true(server_host_enable(host, f->session, "same.x", true, &st));
    assert_int_equal(server_host_problems(host), 1);
    assert_non_null(registry_find(f->session->registry, "com.ex.M"));
    assert_true(server_host_remove(host, f->session, "e.x", &st));
    assert_int_equal(server_host_problems(host), 0);
    assert_null(registry_find(f->session->registry, "com.ex.M"));
    assert_true(server_host_at(host, 0)->is_registered);
    server_host_free(host);
    settings_free(settings);
    places_remove(&p);
}

/* A FileDescriptorSet with one empty file, in base64. */
#define A_DESCRIPTOR "\"CgA=\""

static void what_is_kept_serves_when_nobody_answers(void **state)
{
    struct fixture *f = *state;
    struct status st = STATUS_INIT;
    struct places p;
    struct fake fake = {.descriptors = A_DESCRIPTOR};
    places_make(&p);
    struct settings *settings = settings_load(p.person, p.overlay, &st);
    struct server server =
        reference("{\"type\": \"https\", \"url\": \"https://e.x\", \"enabled_modules\": [\"a\"]}");
    assert_true(servers_store(settings, &server, NULL, &st));
    /* Configured, never asked: the load waits for it. */
    struct server_host *host = host_of(settings, &fake, p.cache);
    struct server_descriptors descriptors = {0};
    server_host_descriptors(host, NULL, &descriptors);
    assert_int_equal(descriptors.count, 1);
    assert_int_equal(descriptors.items[0].n, 2);
    server_host_open(host, f->session, NULL);
    assert_false(server_host_wants_reload(host));
    vec_free(&descriptors);
    server_host_free(host);
    /* Not reached: the descriptors and the rest are those of before. */
    fake.down = true;
    struct session *again = session_new(NULL);
    host = host_of(settings, &fake, p.cache);
    server_host_descriptors(host, NULL, &descriptors);
    assert_int_equal(descriptors.count, 1);
    vec_free(&descriptors);
    server_host_open(host, again, NULL);
    assert_non_null(registry_find(again->registry, "com.ex.M"));
    settle(host, again);
    assert_non_null(registry_find(again->registry, "com.ex.M"));
    assert_true(was_said(again, "as it said before: it was not reached"));
    assert_true(server_host_at(host, 0)->content.is_stale);
    /* Asked again, it has others: the trace would have to be read again. */
    fake.down = false;
    fake.descriptors = A_DESCRIPTOR ", " A_DESCRIPTOR;
    assert_true(server_host_refresh(host, again, NULL, &st));
    assert_false(server_host_at(host, 0)->content.is_stale);
    assert_true(server_host_wants_reload(host));
    /* Off, on, gone. */
    assert_true(server_host_enable(host, again, "e.x", false, &st));
    assert_null(registry_find(again->registry, "com.ex.M"));
    assert_true(server_host_enable(host, again, "https://e.x", true, &st));
    assert_non_null(registry_find(again->registry, "com.ex.M"));
    assert_true(server_host_remove(host, again, "e.x", &st));
    assert_null(registry_find(again->registry, "com.ex.M"));
    assert_int_equal(server_host_count(host), 0);
    assert_false(server_host_remove(host, again, "e.x", &st));
    assert_string_equal(status_message(&st), "there is no server e.x in the settings");
    status_clear(&st);
    session_free(again);
    server_host_free(host);
    server_dispose(&server);
    settings_free(settings);
    places_remove(&p);
}

static int64_t decoded_args(const char *path, const struct server_descriptors *descriptors)
{
    struct status st = STATUS_INIT;
    struct engine *engine = engine_new();
    const struct engine_options options = {.descriptors = descriptors ? descriptors->items : NULL,
                                           .n_descriptors = descriptors ? descriptors->count : 0};
    assert_true(engine_load(engine, &path, 1, &options, &st));
    struct result *result = engine_query_result(
        engine, STR("SELECT COUNT(*) FROM args WHERE key GLOB '*bench_info*'"), 1, &st);
    assert_string_equal(status_message(&st), "");
    int64_t n = result_at(result, 0, 0)->integer;
    result_free(result);
    engine_free(engine);
    return n;
}

static void what_a_server_describes_is_decoded(void **state)
{
    (void)state;
    struct status st = STATUS_INIT;
    struct places p;
    struct gen_example example;
    struct buffer encoded = BUFFER_INIT;
    char path[64];
    places_make(&p);
    gen_example_make(&example);
    snprintf(path, sizeof path, "%s/trace", p.folder);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    fwrite(example.trace.data, 1, example.trace.length, file);
    fclose(file);
    buffer_append_byte(&encoded, '"');
    base64_encode(buffer_str(&example.descriptor), &encoded);
    buffer_append_byte(&encoded, '"');
    struct fake fake = {.descriptors = buffer_text(&encoded)};
    struct settings *settings = settings_load(p.person, p.overlay, &st);
    struct server server =
        reference("{\"type\": \"https\", \"url\": \"https://e.x\", \"enabled_modules\": [\"a\"]}");
    assert_true(servers_store(settings, &server, NULL, &st));
    struct server_host *host = host_of(settings, &fake, p.cache);
    struct server_descriptors descriptors = {0};
    server_host_descriptors(host, NULL, &descriptors);
    assert_int_equal(descriptors.count, 1);
    assert_int_equal(decoded_args(path, NULL), 0);
    assert_true(decoded_args(path, &descriptors) > 0);
    vec_free(&descriptors);
    server_host_free(host);
    server_dispose(&server);
    settings_free(settings);
    gen_example_free(&example);
    buffer_free(&encoded);
    places_remove(&p);
}

/* ---- answers of all kinds ---- */

static enum fetch_result answer_of(void *context, const struct fetch_request *request,
                                   struct cancel *cancel, struct buffer *out, struct status *st)
{
    static const char *const ends[] = {"/manifest", "/macros", "/sql_modules",
                                       "/proto_descriptors"};
    (void)cancel, (void)st;
    for (int i = 0; i < 4; i++)
        if (str_ends(str_of(request->url), str_of(ends[i])))
            gen_server_part(context, (enum gen_server_part)i, out);
    return FETCH_DONE;
}

/* The table that the fuzzer begins with: each problem is told, each good list is used. */
static void every_answer_gets_its_verdict(void **state)
{
    (void)state;
    size_t count = 0;
    const struct gen_server_case *cases = gen_server_cases(&count);
    struct status st = STATUS_INIT;
    struct server server =
        reference("{\"type\": \"https\", \"url\": \"https://e.x\", \"enabled_modules\": [\"a\"]}");
    for (size_t i = 0; i < count; i++) {
        struct server_content content = {0};
        struct server_access access = {.fetch = answer_of, .context = (void *)(uintptr_t)&cases[i]};
        server_content_get(&content, &server, &access, false, NULL);
        struct str rest = str_of(cases[i].problems), want;
        size_t n = 0, at;
        for (; rest.n && str_split_next(&rest, '|', &want); n++)
            if (n >= content.problems.count ||
                !str_find(str_of(content.problems.items[n]), want, &at))
                fail_msg("%s: problem %zu is %s", cases[i].name, n,
                         n < content.problems.count ? content.problems.items[n] : "not there");
        if (n != content.problems.count)
            fail_msg("%s: %s", cases[i].name, content.problems.items[n]);
        server_content_dispose(&content);
    }
    assert_true(count > 25);
    status_clear(&st);
    server_dispose(&server);
}

/* ---- SQL that comes and goes ---- */

/* "done", or what went wrong. */
static const char *sql(struct fixture *f, const char *text)
{
    static char said[300];
    struct status st = STATUS_INIT;
    const char *args[] = {text};
    snprintf(said, sizeof said, "done");
    if (registry_run(f->session, "dev.perfetto.RunQuery", args, 1, &COMMAND_CONTEXT_PERSON, &st) !=
        COMMAND_DONE)
        snprintf(said, sizeof said, "%s", status_message(&st));
    status_clear(&st);
    return said;
}

#define TABLE(name, value) "CREATE PERFETTO TABLE " name " AS SELECT " value " AS x"
#define SQL(t, other) \
    "{\"sql_modules\": [{\"name\": \"com.ex.t\", \"sql\": \"" TABLE( \
        "t", t) "\"}, {\"name\": " \
                "\"com.ex." other "\", \"sql\": \"" TABLE(other, "1") "\"}]}"

static void a_servers_sql_goes_with_it(void **state)
{
    struct fixture *f = *state;
    struct status st = STATUS_INIT;
    struct places p;
    struct fake fake = {.descriptors = "", .sql = SQL("1", "u")};
    places_make(&p);
    struct settings *settings = settings_load(p.person, p.overlay, &st);
    struct server server =
        reference("{\"type\": \"https\", \"url\": \"https://e.x\", \"enabled_modules\": [\"a\"]}");
    struct server_host *host = host_of(settings, &fake, p.cache);
    server_host_open(host, f->session, NULL);
    assert_true(server_host_add(host, f->session, &server, NULL, &st));
    assert_string_equal(sql(f, "INCLUDE PERFETTO MODULE com.ex.t"), "done");
    /* Off: no module, no macro; what was made is there. */
    assert_true(server_host_enable(host, f->session, "e.x", false, &st));
    assert_non_null(strstr(sql(f, "INCLUDE PERFETTO MODULE com.ex.t"), "'com.ex.t' not found"));
    assert_non_null(strstr(sql(f, "INCLUDE PERFETTO MODULE com.ex.u"), "'com.ex.u' not found"));
    assert_null(registry_find(f->session->registry, "com.ex.M"));
    assert_string_equal(sql(f, "SELECT x FROM t"), "done");
    /* On: included once more, it does nothing again. */
    assert_true(server_host_enable(host, f->session, "e.x", true, &st));
    assert_string_equal(sql(f, "INCLUDE PERFETTO MODULE com.ex.t; SELECT x FROM t"), "done");
    assert_non_null(registry_find(f->session->registry, "com.ex.M"));
    assert_int_equal(server_host_problems(host), 0);
    /* Other texts: the one that was not included yet is the new one. */
    fake.sql = SQL("2", "v");
    assert_true(server_host_refresh(host, f->session, NULL, &st));
    assert_int_equal(server_host_problems(host), 0);
    assert_true(was_said(f->session, "the SQL module 'com.ex.t' was included already and stays"));
    assert_string_equal(sql(f, "INCLUDE PERFETTO MODULE com.ex.*; SELECT x FROM v"), "done");
    assert_non_null(strstr(sql(f, "SELECT x FROM u"), "no such table: u"));
    struct result *result = engine_query_result(f->engine, STR("SELECT x FROM t"), 1, &st);
    assert_int_equal(result_at(result, 0, 0)->integer, 1);
    result_free(result);
    /* An answer without SQL, and one that is wrong: nothing of before stays. */
    fake.sql = "{\"sql_modules\": []}";
    assert_true(server_host_refresh(host, f->session, NULL, &st));
    assert_non_null(strstr(sql(f, "INCLUDE PERFETTO MODULE com.ex.t"), "not found"));
    fake.sql = SQL("1", "u");
    assert_true(server_host_refresh(host, f->session, NULL, &st));
    assert_string_equal(sql(f, "INCLUDE PERFETTO MODULE com.ex.u"), "done");
    fake.sql = "[]";
    assert_true(server_host_refresh(host, f->session, NULL, &st));
    assert_non_null(strstr(sql(f, "INCLUDE PERFETTO MODULE com.ex.u"), "not found"));
    fake.sql = SQL("1", "u");
    assert_true(server_host_refresh(host, f->session, NULL, &st));
    assert_true(server_host_remove(host, f->session, "e.x", &st));
    assert_non_null(strstr(sql(f, "INCLUDE PERFETTO MODULE com.ex.u"), "not found"));
    assert_string_equal(sql(f, "SELECT x FROM u"), "done");
    server_host_free(host);
    server_dispose(&server);
    settings_free(settings);
    places_remove(&p);
}

/* ---- late arrivals ---- */

#define LATE_SIDECAR \
    "{\"perfetto_metadata\": {\"version\": 1, \"extensions\": {\"type\": \"inline\", " \
    "\"namespace\": " \
    "\"com.ex\", \"sql_modules\": [{\"type\": \"inline\", \"name\": \"com.ex.t\", \"sql\": " \
    "\"" TABLE("t", "'trace'") "\"}]}}}"
#define NOTE_MACRO(id, text) \
    "{\"id\": \"" id "\", \"name\": \"N\", \"run\": [{\"id\": " \
    "\"dev.perfetto.AddNoteAtTimestamp\", \"args\": [\"1\", \"" text "\"]}]}"

static void write_file(const struct places *p, const char *name, const char *text, char *path,
                       size_t size)
{
    snprintf(path, size, "%s/%s", p->folder, name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static int64_t count_skipped(struct engine *engine)
{
    struct status st = STATUS_INIT;
    struct result *result = engine_query_result(
        engine, STR("SELECT value FROM stats WHERE name = 'perfetty_extensions_package_skipped'"),
        1, &st);
    int64_t n = result_at(result, 0, 0)->integer;
    result_free(result);
    return n;
}

/* A server that answers after the trace was opened takes its names from the trace. */
static void what_comes_late_wins_over_the_trace(void **state)
{
    (void)state;
    struct status st = STATUS_INIT;
    struct places p;
    struct fake fake = {
        .descriptors = "", .macros = "{\"macros\": []}", .sql = "{\"sql_modules\": []}"};
    char trace[64], sidecar[64];
    places_make(&p);
    write_file(&p, "a.json",
               "[{\"name\":\"a\",\"ph\":\"X\",\"ts\":1,\"dur\":2,\"pid\":1,\"tid\":1}]", trace,
               sizeof trace);
    write_file(&p, "side.json", LATE_SIDECAR, sidecar, sizeof sidecar);
    struct settings *settings = settings_load(p.person, p.overlay, &st);
    struct server server =
        reference("{\"type\": \"https\", \"url\": \"https://e.x\", \"enabled_modules\": [\"a\"]}");
    assert_true(servers_store(settings, &server, NULL, &st));
    /* What is kept of it has nothing. */
    struct session *before = session_new(NULL);
    struct server_host *host = host_of(settings, &fake, p.cache);
    server_host_open(host, before, NULL);
    server_host_free(host);
    session_free(before);
    /* The trace is opened while the server thinks. */
    atomic_store(&fake.held, true);
    fake.macros = "{\"macros\": [" NOTE_MACRO("com.ex.T", "server") "]}";
    fake.sql =
        "{\"sql_modules\": [{\"name\": \"com.ex.t\", \"sql\": \"" TABLE("t", "'server'") "\"}]}";
    host = host_of(settings, &fake, p.cache);
    struct server_descriptors descriptors = {0};
    server_host_descriptors(host, NULL, &descriptors);
    vec_free(&descriptors);
    struct engine *engine = engine_new();
    const char *operand = trace;
    const struct engine_options options = {.sidecar_path = sidecar};
    assert_true(engine_load(engine, &operand, 1, &options, &st));
    struct session *session = session_new(NULL);
    session_add_trace(session, engine, NULL, "a.json");
    server_host_open(host, session, NULL);
    struct macro_list macros;
    struct buffer path = BUFFER_INIT;
    json_t *list = json_of("[" NOTE_MACRO("com.ex.T", "trace") "]");
    assert_true(macro_list_read(list, false, &path, &macros, &st));
    assert_int_equal(macros_register(session, &macros, COMMAND_TRACE_MACRO, "the trace"), 1);
    assert_int_equal(registry_run(session, "com.ex.T", NULL, 0, &COMMAND_CONTEXT_PERSON, &st),
                     COMMAND_DONE);
    assert_string_equal(vec_last(&session->notes)->text, "trace");
    assert_int_equal(count_skipped(engine), 0);
    /* Now it answers. */
    atomic_store(&fake.held, false);
    settle(host, session);
    assert_true(was_said(session, "com.ex.T: a macro of an extension server takes this id from the "
                                  "trace's macro"));
    assert_true(was_said(session, "the SQL package 'com.ex' that came with the trace gives way"));
    assert_int_equal(count_skipped(engine), 1);
    assert_non_null(strstr(engine_trace_package_skipped(engine), "gives way to package 'com.ex'"));
    assert_int_equal(registry_run(session, "com.ex.T", NULL, 0, &COMMAND_CONTEXT_PERSON, &st),
                     COMMAND_DONE);
    assert_string_equal(vec_last(&session->notes)->text, "server");
    struct result *result = engine_query_result(
        engine, STR("INCLUDE PERFETTO MODULE com.ex.t; SELECT x = 'server' FROM t"), 1, &st);
    assert_string_equal(status_message(&st), "");
    assert_int_equal(result_at(result, 0, 0)->integer, 1);
    result_free(result);
    /* Gone again, what was the trace's does not come back before the trace is opened again. */
    assert_true(server_host_enable(host, session, "e.x", false, &st));
    assert_null(registry_find(session->registry, "com.ex.T"));
    macro_list_free(&macros);
    json_decref(list);
    buffer_free(&path);
    server_host_free(host);
    session_free(session);
    engine_free(engine);
    server_dispose(&server);
    settings_free(settings);
    places_remove(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(nothing_is_sent_before_a_person_agrees,
                                        fixture_setup_engine, fixture_teardown),
        cmocka_unit_test_setup_teardown(problems_stand_on_one_page, fixture_setup,
                                        fixture_teardown),
        cmocka_unit_test_setup_teardown(a_namespace_is_passed_on, fixture_setup, fixture_teardown),
        cmocka_unit_test_setup_teardown(what_is_kept_serves_when_nobody_answers, fixture_setup,
                                        fixture_teardown),
        cmocka_unit_test(what_a_server_describes_is_decoded),
        cmocka_unit_test(every_answer_gets_its_verdict),
        cmocka_unit_test_setup_teardown(a_servers_sql_goes_with_it, fixture_setup_engine,
                                        fixture_teardown),
        cmocka_unit_test(what_comes_late_wins_over_the_trace),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
