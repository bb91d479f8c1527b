/* Extension servers on a terminal of 80x24: the dialogs of a trace's server, the
 * list, and that no byte goes out before a person says so.  The server is a real
 * one, https on loopback. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "engine/base/memory.h"
#include "tests/https/https_server.h"
#include "tests/screen/stage.h"

#define DOWN  "\033OB" /* as a terminal in application mode sends it */
#define UP    "\033OA"
#define PG_DN "\033[6~"
#define TRACE "[{\"name\":\"a\",\"ph\":\"X\",\"ts\":1,\"dur\":2,\"pid\":1,\"tid\":1}]"

struct set {
    struct stage stage;
    struct https_server server;
    bool runs;
    char trace[STAGE_PATH], sidecar[STAGE_PATH], url[80];
};

static void write_text(const char *path, const char *text)
{
    struct buffer bytes = BUFFER_INIT;
    buffer_append_text(&bytes, text);
    stage_write(path, &bytes);
    buffer_free(&bytes);
}

/* A trace whose sidecar names the server, with these modules. */
static int setup(void **state)
{
    struct set *set = mem_zero(1, sizeof *set);
    struct buffer text = BUFFER_INIT;
    stage_begin(&set->stage);
    set->runs = https_server_start(&set->server);
    snprintf(set->url, sizeof set->url, "https://localhost:%d/good", set->server.port);
    write_text(stage_file(&set->stage, "a.json", set->trace), TRACE);
    buffer_printf(&text,
                  "{\"perfetto_metadata\": {\"version\": 1, \"extensions\": {\"type\": \"server\", "
                  "\"server\": {\"type\": \"https\", \"url\": \"%s\", \"enabled_modules\": "
                  "[\"a\"]}, \"startup_commands\": []}}}",
                  set->url);
    stage_write(stage_file(&set->stage, "side.json", set->sidecar), &text);
    buffer_free(&text);
    *state = set;
    return 0;
}

static int teardown(void **state)
{
    struct set *set = *state;
    https_server_stop(&set->server);
    stage_end(&set->stage);
    mem_free(set);
    return 0;
}

static struct pty *open_trace(struct set *set)
{
    const char *args[] = {set->trace, "--with", set->sidecar, NULL};
    return stage_open(&set->stage, 80, 24, args);
}

/* perfetty servers add, with what the loopback server needs. */
static void add_by_hand(struct set *set, const char *modules)
{
    const char *argv[] = {PERFETTY,    "servers",           "add",
                          set->url,    "--modules",         modules,
                          "--ca-file", set->server.ca_file, "--allow-private-address",
                          NULL};
    struct stage_output output;
    assert_true(stage_run(&set->stage, argv, &output));
    if (output.exit_status != 0) fail_msg("%s", buffer_text(&output.err));
    stage_output_free(&output);
}

/* ---- the command line ---- */

struct said {
    int exit_status;
    const char *out, *err; /* parts of it; NULL: anything */
};

static void say(struct set *set, const struct said *said, const char *const *args)
{
    const char *argv[16] = {PERFETTY, "servers"};
    struct stage_output output;
    for (int i = 0; args[i]; i++)
        argv[i + 2] = args[i];
    assert_true(stage_run(&set->stage, argv, &output));
    const char *out = buffer_text(&output.out), *err = buffer_text(&output.err);
    bool good = output.exit_status == said->exit_status && (!said->out || strstr(out, said->out)) &&
                (!said->err || strstr(err, said->err));
    if (!good) fail_msg("%s: %d\n%s\n%s", args[0], output.exit_status, out, err);
    assert_null(strstr(out, "s3cret"));
    assert_null(strstr(err, "s3cret"));
    stage_output_free(&output);
}

#define SAY(status_, out_, err_, ...) \
    say(set, &(struct said){status_, out_, err_}, (const char *const[]){__VA_ARGS__, NULL})

/* ---- the screen ---- */

/* From the first field to Load: this server is here, with an authority of its own. */
static void fill_and_load(struct set *set, struct pty *pty)
{
    pty_send(pty, DOWN DOWN " ");
    stage_expect(pty, "allowed for this server");
    pty_send(pty, DOWN);
    pty_send(pty, set->server.ca_file);
    stage_expect(pty, set->server.ca_file);
    pty_send(pty, DOWN "\r");
}

static void nothing_but_load_sends(void **state)
{
    struct set *set = *state;
    if (!set->runs) skip();
    struct pty *pty = open_trace(set);
    stage_expect(pty, "Add an extension server");
    stage_expect(pty, "Nothing has been sent to it yet.");
    stage_expect(pty, "[x] a   wanted, not checked yet");
    pty_send(pty, DOWN DOWN DOWN DOWN DOWN DOWN "\r");
    stage_expect(pty, "Load its modules first");
    pty_send(pty, UP UP UP UP UP UP "/x");
    stage_expect_gone(pty, "Load its modules first");
    pty_send(pty, UP " ");
    stage_expect(pty, "Repository");
    pty_send(pty, " ");
    stage_expect(pty, "Private address");
    for (int i = 0; i < 8; i++)
        pty_send(pty, DOWN);
    pty_send(pty, "\r");
    stage_expect(pty, "Load its modules first");
    assert_int_equal(https_server_count(&set->server, "GET"), 0);
    pty_send(pty, "\033");
    stage_expect_gone(pty, "Add an extension server");
    stage_quit(pty);
    pty_free(pty);
}

/* Until the server was asked `n` times for `what`. */
static void wait_for_requests(struct set *set, struct pty *pty, const char *what, int n)
{
    for (int i = 0; i < STAGE_WAIT_MS / 100 && https_server_count(&set->server, what) < n; i++)
        pty_settle(pty, 100);
    stage_check(pty, https_server_count(&set->server, what) >= n);
}

/* Every line of the form can be reached. */
static void the_dialog_at_80x24(void **state)
{
    struct set *set = *state;
    if (!set->runs) skip();
    struct pty *pty = open_trace(set);
    stage_expect(pty, "[x] a   wanted, not checked yet");
    fill_and_load(set, pty);
    stage_expect(pty, "It calls itself Example, namespace com.ex.");
    stage_expect(pty, "Module A");
    stage_expect(pty, "[ ] b  Module B");
    assert_int_equal(https_server_count(&set->server, "GET"), 1);
    for (int i = 0; i < 4; i++)
        pty_send(pty, PG_DN);
    stage_expect(pty, "Kept in your settings as:");
    stage_check(pty, pty_find_row(pty, set->url, 0) >= 0);
    stage_expect_gone(pty, "more below");
    /* A change of the address asks again. */
    pty_send(pty, UP UP UP UP "/");
    stage_expect_gone(pty, "It calls itself");
    pty_send(pty, "\x7f" DOWN DOWN DOWN DOWN "\r");
    stage_expect(pty, "It calls itself Example");
    /* b as well, then add. */
    pty_send(pty, DOWN DOWN " ");
    stage_expect(pty, "[x] b  Module B");
    pty_send(pty, DOWN "\r");
    stage_expect(pty, "Read the trace again?");
    pty_send(pty, "\r");
    stage_expect_gone(pty, "Read the trace again?");
    wait_for_requests(set, pty, "modules/b/sql_modules", 2);
    stage_expect(pty, "1 macro, 2 SQL modules");
    pty_settle(pty, 300);
    pty_send(pty, ":ShowServers\r");
    stage_expect(pty, "modules: a, b");
    stage_expect(pty, "asked");
    pty_send(pty, " ");
    stage_expect(pty, "disabled");
    pty_send(pty, "d");
    stage_expect(pty, "Remove this server");
    pty_send(pty, "n");
    stage_expect_gone(pty, "Remove this server");
    pty_send(pty, "dy");
    stage_expect(pty, "There is none.");
    pty_send(pty, "\033");
    stage_expect_gone(pty, "There is none.");
    stage_quit(pty);
    pty_free(pty);
}

/* A trace that wants much, with long names: both ends of each can be read. */
static void write_much(struct set *set)
{
    struct buffer text = BUFFER_INIT;
    buffer_printf(&text,
                  "{\"perfetto_metadata\": {\"version\": 1, \"extensions\": {\"type\": \"server\", "
                  "\"server\": {\"type\": \"https\", \"url\": \"https://e.example/%0200d/end\", "
                  "\"enabled_modules\": [",
                  7);
    for (int i = 0; i < 30; i++)
        buffer_printf(&text, "%s\"begin%d_%0150d_end%d_\\u001b[31m\"", i ? ", " : "", i, 0, i);
    buffer_append_text(&text, "]}, \"startup_commands\": []}}}");
    stage_write(set->sidecar, &text);
    buffer_free(&text);
}

static void check_much_can_be_read(struct set *set, const char *title, const char *also)
{
    struct buffer seen = BUFFER_INIT;
    struct pty *pty = open_trace(set);
    stage_expect(pty, title);
    for (int i = 0; i < 40; i++) {
        pty_settle(pty, 60);
        buffer_append_text(&seen, pty_screen(pty));
        pty_send(pty, PG_DN);
    }
    stage_expect_gone(pty, "more below");
    for (int i = 0; i < 30; i++) {
        char begin[32], end[32];
        snprintf(begin, sizeof begin, "[x] begin%d_", i);
        snprintf(end, sizeof end, "_end%d_", i);
        if (!strstr(buffer_text(&seen), begin) || !strstr(buffer_text(&seen), end))
            fail_msg("module %d is not shown in full", i);
    }
    assert_non_null(strstr(buffer_text(&seen), "/end/manifest"));
    assert_non_null(strstr(buffer_text(&seen), "/macros"));
    if (!strstr(buffer_text(&seen), also)) fail_msg("not shown: %s", also);
    pty_send(pty, "\033");
    stage_expect_gone(pty, title);
    stage_quit(pty);
    pty_free(pty);
    buffer_free(&seen);
}

static void all_that_is_wanted_can_be_read(void **state)
{
    struct set *set = *state;
    write_much(set);
    check_much_can_be_read(set, "Add an extension server", "Nothing has been sent to it yet.");
}

/* The same of a server that is known, with a module that the trace does not want. */
static void all_of_an_edit_can_be_read(void **state)
{
    struct set *set = *state;
    char url[300];
    snprintf(url, sizeof url, "https://e.example/%0200d/end", 7);
    write_much(set);
    SAY(0, NULL, NULL, "add", url, "-m", "mine_alone", "--no-request");
    SAY(0, NULL, NULL, "disable", url);
    check_much_can_be_read(set, "Edit an extension server", "[x] mine_alone");
}

static void declining_sends_nothing(void **state)
{
    struct set *set = *state;
    if (!set->runs) skip();
    struct pty *pty = open_trace(set);
    stage_expect(pty, "Add an extension server");
    pty_send(pty, "\033");
    stage_expect_gone(pty, "Add an extension server");
    stage_expect(pty, "Thread 1");
    assert_int_equal(https_server_count(&set->server, "GET"), 0);
    /* It can be had back. */
    pty_send(pty, ":AddTraceServer\r");
    stage_expect(pty, "Add an extension server");
    pty_send(pty, "\033");
    stage_expect_gone(pty, "Add an extension server");
    stage_quit(pty);
    pty_free(pty);
}

static void more_modules_of_a_known_server(void **state)
{
    struct set *set = *state;
    if (!set->runs) skip();
    add_by_hand(set, "b");
    int before = https_server_count(&set->server, "modules/a/");
    struct pty *pty = open_trace(set);
    stage_expect(pty, "Edit an extension server");
    stage_expect(pty, "The trace wants modules of this server");
    /* It was asked as it is configured: its answer is there, and only b was had. */
    stage_expect(pty, "It calls itself Example");
    stage_expect(pty, "[x] a  Module A");
    stage_expect(pty, "[x] b  Module B");
    assert_int_equal(https_server_count(&set->server, "modules/a/"), before);
    /* Save is the last row. */
    for (int i = 0; i < 12; i++)
        pty_send(pty, DOWN);
    pty_send(pty, "\r");
    stage_expect(pty, "Read the trace again?");
    pty_send(pty, DOWN "\r");
    stage_expect_gone(pty, "Read the trace again?");
    wait_for_requests(set, pty, "modules/a/macros", 1);
    stage_quit(pty);
    pty_free(pty);
}

static void a_server_that_is_down_is_stale(void **state)
{
    struct set *set = *state;
    if (!set->runs) skip();
    add_by_hand(set, "a");
    https_server_set_down(&set->server, true);
    struct pty *pty = open_trace(set);
    stage_expect(pty, "1 problem with extension servers");
    pty_send(pty, ":ShowServers\r");
    stage_expect(pty, "stale: not reached, as of");
    pty_send(pty, "p");
    stage_expect(pty, "/good/manifest");
    https_server_set_down(&set->server, false);
    pty_send(pty, ":RefreshServers\r");
    stage_expect(pty, "server localhost");
    stage_quit(pty);
    pty_free(pty);
}

/* Never asked before, and slow: it is waited for, but not for those who do not want
 * to. */
static void a_slow_server_can_be_left(void **state)
{
    struct set *set = *state;
    char slow[80];
    if (!set->runs) skip();
    snprintf(slow, sizeof slow, "https://localhost:%d/slow", set->server.port);
    const char *ca = set->server.ca_file;
    SAY(0, NULL, NULL, "add", slow, "-m", "a", "--no-request", "--ca-file", ca,
        "--allow-private-address");
    const char *args[] = {set->trace, NULL};
    struct pty *pty = stage_open(&set->stage, 80, 24, args);
    stage_expect(pty, "asking extension servers");
    pty_send(pty, "\033");
    stage_expect(pty, "Thread 1");
    stage_expect(pty, "1 problem with extension servers");
    stage_check(pty, https_server_count(&set->server, "/slow") == 1);
    stage_quit(pty);
    pty_free(pty);
}

/* ---- without a screen ---- */

static void on_the_command_line(void **state)
{
    struct set *set = *state;
    char secret[STAGE_PATH], signed_url[80];
    const char *ca = set->server.ca_file;
    if (!set->runs) skip();
    write_text(stage_file(&set->stage, "secret", secret), "s3cret\n");
    snprintf(signed_url, sizeof signed_url, "https://localhost:%d/key", set->server.port);
    SAY(0, "usage: perfetty servers list", NULL, "--help");
    SAY(2, NULL, "say list, add", "nothing");
    SAY(2, NULL, "no server was named", "remove");
    SAY(2, NULL, "not an https:// address", "add", "http://x", "--modules", "a");
    SAY(2, NULL, "no module is named", "add", set->url);
    SAY(1, NULL, "is a private address", "add", set->url, "--modules", "?", "--ca-file", ca);
    SAY(0, "there is no extension server", NULL, "list");
    SAY(0, "a  Module A", NULL, "add", set->url, "--modules", "?", "--ca-file", ca,
        "--allow-private-address");
    SAY(0, "1 macro, 1 SQL module, 1 descriptor set", NULL, "add", set->url, "--modules", "a",
        "--ca-file", ca, "--allow-private-address");
    SAY(1, NULL, "in the settings already", "add", set->url, "--modules", "a");
    SAY(1, NULL, "no such module", "edit", set->url, "--modules", "a,c");
    SAY(0, "1 macro, 2 SQL modules", NULL, "edit", set->url, "--modules", "a,b");
    SAY(0, "1 macro", NULL, "add", signed_url, "-m", "a", "--sign-in", "x-api-key", "--secret-file",
        secret, "--ca-file", ca, "--allow-private-address");
    SAY(0, "\"keyType\":\"x_api_key\"", NULL, "list", "--json");
    SAY(0, "addServer=eyJ0eXBlIjoi", NULL, "share", signed_url);
    SAY(0, NULL, NULL, "disable", set->url);
    SAY(0, "disabled", NULL, "list");
    SAY(1, NULL, "is disabled", "refresh", set->url);
    SAY(0, NULL, NULL, "enable", set->url, "--no-request");
    SAY(0, NULL, NULL, "refresh");
    https_server_set_down(&set->server, true);
    SAY(1, NULL, "stale, as it said before", "refresh");
    https_server_set_down(&set->server, false);
    SAY(0, NULL, NULL, "remove", set->url);
    SAY(1, NULL, "there is no server", "remove", set->url);
}

/* Runs one line of the documentation, without asking anybody. */
static void run_example(struct set *set, const char *line, const char *verb)
{
    const char *argv[16] = {PERFETTY};
    char *copy = mem_strdup(line), *rest = copy + strlen("perfetty ");
    size_t n = 1;
    for (char *end; n < 14 && *rest; rest = end) {
        end = rest + strcspn(rest, " \n");
        if (*end) *end++ = '\0';
        if (*rest && *rest != '[') argv[n++] = rest;
    }
    argv[2] = verb ? verb : argv[2];
    argv[n] = "--no-request";
    struct stage_output output;
    assert_true(stage_run(&set->stage, argv, &output));
    if (output.exit_status != 0) fail_msg("%s%s", line, buffer_text(&output.err));
    stage_output_free(&output);
    mem_free(copy);
}

static void the_documentations_commands_run(void **state)
{
    static const char *const verbs[] = {"enable", "disable", "share", "remove"};
    struct set *set = *state;
    FILE *file = fopen(SOURCE_DIR "/docs/servers.md", "r");
    char line[400];
    int n = 0;
    assert_non_null(file);
    while (fgets(line, sizeof line, file)) {
        /* What asks for something needs the server of the example. */
        if (strncmp(line, "perfetty servers ", 17) != 0 || strstr(line, "'?'") ||
            strstr(line, "refresh"))
            continue;
        bool several = strstr(line, "enable|") != NULL;
        for (size_t i = 0; several && i < sizeof verbs / sizeof *verbs; i++)
            run_example(set, line, verbs[i]);
        if (!several) run_example(set, line, NULL);
        n++;
    }
    fclose(file);
    assert_int_equal(n, 5);
}

/* ---- system calls ---- */

static bool can_trace(struct set *set)
{
    const char *argv[] = {"strace", "-o", "/dev/null", "true", NULL};
    struct stage_output output;
    bool good = stage_run(&set->stage, argv, &output) && output.exit_status == 0;
    if (!good) print_message("skipped: strace is not here, or may not trace\n");
    stage_output_free(&output);
    return good;
}

static int count_internet(const char *path)
{
    FILE *file = fopen(path, "r");
    char line[1024];
    int n = 0;
    while (file && fgets(line, sizeof line, file))
        if (strstr(line, "AF_INET")) n++;
    if (file) fclose(file);
    return n;
}

static void no_connection_before_the_confirm(void **state)
{
    static const char *const extra[] = {"ASAN_OPTIONS=detect_leaks=0", NULL};
    struct set *set = *state;
    char calls[STAGE_PATH];
    if (!set->runs || !can_trace(set)) skip();
    stage_file(&set->stage, "calls", calls);
    const char *argv[] = {"/usr/bin/env", "strace", "-f",       "-e",     "trace=network", "-o",
                          calls,          PERFETTY, set->trace, "--with", set->sidecar,    NULL};
    struct pty *pty = pty_start(
        &(struct pty_options){.columns = 80, .rows = 24, .home = set->stage.folder, .extra = extra},
        argv);
    stage_expect(pty, "[x] a   wanted, not checked yet");
    pty_send(pty, DOWN DOWN " " DOWN);
    pty_send(pty, set->server.ca_file);
    stage_expect(pty, set->server.ca_file);
    pty_settle(pty, 300);
    assert_int_equal(count_internet(calls), 0);
    pty_send(pty, DOWN "\r");
    stage_expect(pty, "It calls itself Example");
    stage_check(pty, count_internet(calls) > 0);
    pty_send(pty, "\033");
    stage_expect_gone(pty, "It calls itself");
    stage_quit(pty);
    pty_free(pty);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(nothing_but_load_sends, setup, teardown),
        cmocka_unit_test_setup_teardown(the_dialog_at_80x24, setup, teardown),
        cmocka_unit_test_setup_teardown(all_that_is_wanted_can_be_read, setup, teardown),
        cmocka_unit_test_setup_teardown(all_of_an_edit_can_be_read, setup, teardown),
        cmocka_unit_test_setup_teardown(declining_sends_nothing, setup, teardown),
        cmocka_unit_test_setup_teardown(more_modules_of_a_known_server, setup, teardown),
        cmocka_unit_test_setup_teardown(a_server_that_is_down_is_stale, setup, teardown),
        cmocka_unit_test_setup_teardown(a_slow_server_can_be_left, setup, teardown),
        cmocka_unit_test_setup_teardown(on_the_command_line, setup, teardown),
        cmocka_unit_test_setup_teardown(the_documentations_commands_run, setup, teardown),
        cmocka_unit_test_setup_teardown(no_connection_before_the_confirm, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
