/* Startup commands: order, consent, the allowlist at any depth, one report. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "commands/startup.h"
#include "engine/base/memory.h"
#include "macros/sources.h"
#include "tests/unit/session_fixture.h"

#define NOTE(text) "{\"id\": \"dev.perfetto.AddNoteAtTimestamp\", \"args\": [\"1\", \"" text "\"]}"

static struct trace_extensions *section(const char *json)
{
    struct status st = STATUS_INIT;
    struct trace_extensions *extensions = trace_extensions_read(str_of(json), &st);
    if (!extensions) print_error("%s\n", st.message);
    assert_non_null(extensions);
    return extensions;
}

static struct trace_extensions *three_notes(void)
{
    return section("{\"type\": \"inline\", \"namespace\": \"com.ex\", \"startup_commands\": ["
                   "{\"type\": \"inline\", \"id\": \"dev.perfetto.AddNoteAtTimestamp\", \"args\": "
                   "[\"1\", \"trace\"]}]}");
}

static void run_with(struct fixture *f, const struct startup_options *options,
                     enum startup_answer answer)
{
    struct startup *startup = startup_new(f->session, options);
    startup_run(startup, answer);
    startup_free(startup);
}

static const char *last_message(const struct fixture *f)
{
    return f->session->messages.count ? vec_last(&f->session->messages)->text : "";
}

static void the_order_is_trace_line_settings(void **state)
{
    struct fixture *f = *state;
    struct status st = STATUS_INIT;
    struct trace_extensions *extensions = three_notes();
    struct settings *settings = settings_default();
    settings->trace_commands = TRACE_COMMANDS_ALWAYS;
    struct startup_options options = {.extensions = extensions, .settings = settings};
    assert_true(startup_parse_command_line("[" NOTE("line") "]", &options.command_line, &st));
    assert_true(
        startup_parse_command_line("[" NOTE("settings") "]", &settings->startup_commands, &st));
    run_with(f, &options, STARTUP_NO_QUESTION);
    assert_int_equal(f->session->notes.count, 3);
    assert_string_equal(f->session->notes.items[0].text, "trace");
    assert_string_equal(f->session->notes.items[1].text, "line");
    assert_string_equal(f->session->notes.items[2].text, "settings");
    assert_int_equal(f->session->startup_report.ran, 3);
    assert_int_equal(f->session->tabs.count, 1);
    invocation_list_free(&options.command_line);
    settings_free(settings);
    trace_extensions_free(extensions);
}

static void consent(void **state)
{
    (void)state;
    static const struct {
        enum trace_commands setting;
        bool person;
        enum startup_answer answer;
        bool asks, runs;
        const char *message;
    } table[] = {
        {TRACE_COMMANDS_ASK, true, STARTUP_RUN, true, true, "note added at 1 ns"},
        {TRACE_COMMANDS_ASK, true, STARTUP_SKIP, true, false,
         "1 startup command of the trace skipped"},
        {TRACE_COMMANDS_ASK, false, STARTUP_NO_QUESTION, false, false,
         "the trace carries 1 startup command; none ran, because nobody is here to ask "
         "(traceStartupCommands is ask)"},
        {TRACE_COMMANDS_ALWAYS, true, STARTUP_NO_QUESTION, false, true, "note added at 1 ns"},
        {TRACE_COMMANDS_ALWAYS, false, STARTUP_NO_QUESTION, false, true, "note added at 1 ns"},
        {TRACE_COMMANDS_NEVER, true, STARTUP_NO_QUESTION, false, false,
         "the trace carries 1 startup command; none ran (traceStartupCommands is never)"},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        void *made;
        fixture_setup(&made);
        struct fixture *f = made;
        struct trace_extensions *extensions = three_notes();
        struct settings *settings = settings_default();
        settings->trace_commands = table[i].setting;
        struct startup_options options = {
            .extensions = extensions, .settings = settings, .has_person = table[i].person};
        struct startup *startup = startup_new(f->session, &options);
        assert_int_equal(startup_asks(startup), table[i].asks);
        assert_int_equal(startup_trace_commands(startup)->count, 1);
        assert_string_equal(startup_trace_origin(startup), "namespace com.ex");
        assert_int_equal(f->session->notes.count, 0);
        startup_run(startup, table[i].answer);
        assert_int_equal(f->session->notes.count, table[i].runs);
        assert_string_equal(last_message(f), table[i].message);
        startup_free(startup);
        settings_free(settings);
        trace_extensions_free(extensions);
        fixture_teardown(&made);
    }
}

static void always_and_never_are_kept(void **state)
{
    struct fixture *f = *state;
    struct status st = STATUS_INIT;
    char folder[] = "/tmp/perfetty-startup-XXXXXX", person[64], overlay[64];
    assert_non_null(mkdtemp(folder));
    snprintf(person, sizeof person, "%s/person.json", folder);
    snprintf(overlay, sizeof overlay, "%s/state.json", folder);
    struct settings *settings = settings_load(person, overlay, &st);
    struct trace_extensions *extensions = three_notes();
    struct startup_options options = {
        .extensions = extensions, .settings = settings, .has_person = true};
    run_with(f, &options, STARTUP_ALWAYS);
    assert_int_equal(f->session->notes.count, 1);
    assert_int_equal(settings->trace_commands, TRACE_COMMANDS_ALWAYS);
    run_with(f, &options, STARTUP_NEVER);
    assert_int_equal(f->session->notes.count, 1);
    settings_free(settings);
    settings = settings_load(person, overlay, &st);
    assert_int_equal(settings->trace_commands, TRACE_COMMANDS_NEVER);
    settings_free(settings);
    trace_extensions_free(extensions);
    unlink(overlay);
    rmdir(folder);
}

static const struct report_line *line_of(const struct fixture *f, const char *id)
{
    for (size_t i = 0; i < f->session->startup_report.lines.count; i++)
        if (strcmp(f->session->startup_report.lines.items[i].id, id) == 0)
            return &f->session->startup_report.lines.items[i];
    return NULL;
}

static void one_report_tells_everything(void **state)
{
    struct fixture *f = *state;
    struct status st = STATUS_INIT;
    struct trace_extensions *extensions = section(
        "{\"type\": \"inline\", \"namespace\": \"com.ex\","
        "\"macros\": [{\"type\": \"inline\", \"id\": \"com.ex.Bad\", \"name\": \"Bad\", \"run\": ["
        "  {\"id\": \"dev.perfetto.CreateWorkspace\", \"args\": [\"W\"]},"
        "  {\"id\": \"com.ex.Deep\", \"args\": []},"
        "  {\"id\": \"dev.perfetto.CreateWorkspace\", \"args\": [\"never\"]}]},"
        " {\"type\": \"inline\", \"id\": \"com.ex.Deep\", \"name\": \"Deep\", \"run\": ["
        "  {\"id\": \"dev.perfetto.OpenTrace\", \"args\": [\"/etc/passwd\"]}]},"
        " {\"type\": \"inline\", \"id\": \"dev.perfetto.CloseTrace\", \"name\": \"Sly\", \"run\": "
        "[]}],"
        "\"startup_commands\": ["
        "{\"id\": \"com.ex.Bad\", \"args\": []},"
        "{\"id\": \"dev.perfetto.CloseTrace\", \"args\": []},"
        "{\"id\": \"dev.perfetto.PinTracksByRegex\", \"args\": [\"(\"]},"
        "{\"id\": \"dev.perfetto.SwitchWorkspace\", \"args\": [\"nowhere\"]},"
        "{\"id\": \"com.nobody.X\", \"args\": []}," NOTE("still") "]}");
    struct settings *settings = settings_default();
    settings->trace_commands = TRACE_COMMANDS_ALWAYS;
    settings->enforce_allowlist = false; /* does not speak for the trace */
    assert_true(macros_register_trace(f->session, extensions, &st));
    struct startup_options options = {.extensions = extensions, .settings = settings};
    assert_true(
        startup_parse_command_line("[{\"id\": \"dev.perfetty.ZoomToFit\", \"args\": []},"
                                   " {\"id\": \"dev.perfetto.CreateWorkspace\", \"args\": []}]",
                                   &options.command_line, &st));
    run_with(f, &options, STARTUP_NO_QUESTION);

    const struct report *report = &f->session->startup_report;
    assert_int_equal(report->lines.count, 6);
    assert_int_equal(report->ran, 2);
    assert_int_equal(f->session->workspaces.count, 2);
    assert_string_equal(f->session->notes.items[0].text, "still");
    const struct report_line *line = line_of(f, "dev.perfetto.OpenTrace");
    assert_true(line->blocked);
    assert_string_equal(line->macro, "com.ex.Deep");
    assert_int_equal(line->source, COMMAND_FROM_TRACE);
    assert_true(line_of(f, "dev.perfetto.CloseTrace")->blocked);
    assert_null(line_of(f, "dev.perfetto.CloseTrace")->macro);
    assert_true(line_of(f, "com.nobody.X")->blocked);
    assert_false(line_of(f, "dev.perfetto.PinTracksByRegex")->blocked);
    assert_string_equal(line_of(f, "dev.perfetto.SwitchWorkspace")->why,
                        "there is no workspace \"nowhere\"");
    assert_int_equal(line_of(f, "dev.perfetto.CreateWorkspace")->source, COMMAND_FROM_COMMAND_LINE);
    assert_int_equal(session_tab_shown(f->session)->kind, TAB_REPORT);
    assert_string_equal(last_message(f), "6 startup commands did not run; see the report");
    struct session_request request;
    assert_false(session_take_request(f->session, &request));
    invocation_list_free(&options.command_line);
    settings_free(settings);
    trace_extensions_free(extensions);
}

static void the_setting_speaks_for_the_other_sources(void **state)
{
    struct fixture *f = *state;
    struct status st = STATUS_INIT;
    struct settings *settings = settings_default();
    struct startup_options options = {.settings = settings};
    assert_true(startup_parse_command_line("[{\"id\": \"dev.perfetty.ZoomToFit\", \"args\": []}]",
                                           &options.command_line, &st));
    run_with(f, &options, STARTUP_NO_QUESTION);
    assert_true(line_of(f, "dev.perfetty.ZoomToFit")->blocked);
    settings->enforce_allowlist = false;
    run_with(f, &options, STARTUP_NO_QUESTION);
    assert_int_equal(f->session->startup_report.lines.count, 0);
    invocation_list_free(&options.command_line);
    settings_free(settings);
}

static void who_speaks_for_the_trace(void **state)
{
    struct fixture *f = *state;
    static const struct {
        const char *json, *origin;
    } table[] = {
        {"{\"type\": \"inline\", \"namespace\": \"com.ex\"}", "namespace com.ex"},
        {"{\"type\": \"server\", \"server\": {\"type\": \"https\", \"url\": \"https://e.x\"}}",
         "server https://e.x"},
        {"{\"type\": \"server\", \"server\": {\"type\": \"github\", \"repo\": \"a/b\", \"ref\": "
         "\"main\"}}",
         "server a/b@main"},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        struct trace_extensions *extensions = section(table[i].json);
        struct startup_options options = {.extensions = extensions, .has_person = true};
        struct startup *startup = startup_new(f->session, &options);
        assert_false(startup_asks(startup));
        assert_string_equal(startup_trace_origin(startup), table[i].origin);
        startup_free(startup);
        trace_extensions_free(extensions);
    }
}

static void bad_rows_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *json, *message;
    } table[] = {
        {"[]", "extensions is an array, but has to be an object"},
        {"{\"macros\": 1}", "extensions.macros is 1, but has to be a list"},
        {"{\"startup_commands\": [{\"id\": \"x\"}]}",
         "extensions.startup_commands[0].args is nothing, but has to be a list of strings"},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        struct status st = STATUS_INIT;
        assert_null(trace_extensions_read(str_of(table[i].json), &st));
        assert_string_equal(st.message, table[i].message);
        status_clear(&st);
    }
    struct status st = STATUS_INIT;
    struct invocation_list list;
    assert_false(startup_parse_command_line("{", &list, &st));
    status_clear(&st);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, fixture_setup, fixture_teardown)
    const struct CMUnitTest tests[] = {
        TEST(the_order_is_trace_line_settings),
        cmocka_unit_test(consent),
        TEST(always_and_never_are_kept),
        TEST(one_report_tells_everything),
        TEST(the_setting_speaks_for_the_other_sources),
        TEST(who_speaks_for_the_trace),
        cmocka_unit_test(bad_rows_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
