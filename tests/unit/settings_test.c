/* Settings: two files, who wins, authored mistakes, writing by rename. */
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

#include "commands/session.h"
#include "commands/settings.h"
#include "engine/base/memory.h"

struct places {
    char folder[64], person[96], state[128];
};

static int setup(void **state)
{
    struct places *p = mem_zero(1, sizeof *p);
    snprintf(p->folder, sizeof p->folder, "/tmp/perfetty-settings-XXXXXX");
    if (!mkdtemp(p->folder)) return -1;
    snprintf(p->person, sizeof p->person, "%s/person.json", p->folder);
    snprintf(p->state, sizeof p->state, "%s/deep/er/settings.json", p->folder);
    *state = p;
    return 0;
}

static int teardown(void **state)
{
    struct places *p = *state;
    char path[160];
    unlink(p->person);
    unlink(p->state);
    snprintf(path, sizeof path, "%s/deep/er", p->folder);
    rmdir(path);
    snprintf(path, sizeof path, "%s/deep", p->folder);
    rmdir(path);
    rmdir(p->folder);
    mem_free(p);
    return 0;
}

static void write_text(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static void missing_files_are_defaults(void **state)
{
    struct places *p = *state;
    struct status st = STATUS_INIT;
    struct settings *s = settings_load(p->person, p->state, &st);
    assert_non_null(s);
    assert_int_equal(s->trace_commands, TRACE_COMMANDS_ASK);
    assert_true(s->enforce_allowlist && s->mouse);
    assert_int_equal(s->notices.count, 0);
    settings_free(s);
}

static void everything_is_read(void **state)
{
    struct places *p = *state;
    struct status st = STATUS_INIT;
    write_text(p->person,
               "{\"traceStartupCommands\": \"never\", \"enforceStartupCommandAllowlist\": false,"
               "\"startupCommands\": [{\"id\": \"dev.perfetto.RunQuery\", \"args\": [\"x\"]}],"
               "\"keys\": {\"g s\": \"dev.perfetty.ShowMetadata\", \"q\": null,"
               "  \"X\": {\"command\": \"dev.perfetty.Quit\", \"in\": \"details\"}},"
               "\"theme\": \"light\", \"timestampFormat\": \"seconds\", \"mouse\": false,"
               "\"ascii\": true, \"color\": \"auto\", \"timezoneOverride\": \"+02:00\","
               "\"queryTimeLimitMs\": 5000, \"durationPrecision\": \"human_readable\"}");
    struct settings *s = settings_load(p->person, p->state, &st);
    assert_non_null(s);
    assert_int_equal(s->trace_commands, TRACE_COMMANDS_NEVER);
    assert_false(s->enforce_allowlist);
    assert_string_equal(s->startup_commands.items[0].args[0], "x");
    assert_int_equal(s->keys.count, 3);
    assert_string_equal(s->keys.items[0].line, "dev.perfetty.ShowMetadata");
    assert_null(s->keys.items[1].line);
    assert_string_equal(s->keys.items[2].place, "details");
    assert_string_equal(s->theme, "light");
    assert_string_equal(s->timestamp_format, "seconds");
    assert_false(s->mouse);
    assert_int_equal(s->ascii, SETTING_ON);
    assert_int_equal(s->query_limit_ms, 5000);
    assert_true(s->human_durations);
    struct session *session = session_new(NULL);
    settings_apply(s, session);
    assert_int_equal(session->time_format, TIME_FORMAT_SECONDS);
    assert_true(session->human_durations);
    session_free(session);
    settings_free(s);
}

static void mistakes_are_loud(void **state)
{
    struct places *p = *state;
    static const struct {
        const char *json, *message;
    } table[] = {
        {"{\"traceStartupCommands\": \"maybe\"}",
         "traceStartupCommands is \"maybe\", but has to be one of ask|always|never"},
        {"{\"mouse\": 1}", "mouse is 1, but has to be true or false"},
        {"{\"startupCommands\": [{\"id\": \"x\"}]}",
         "startupCommands[0].args is nothing, but has to be a list of strings"},
        {"{\"startupCommands\": [{\"id\": \"x\", \"args\": [\"a\", 2]}]}",
         "startupCommands[0].args[1] is 2, but has to be a string"},
        {"{\"timestampFormat\": \"ns\"}",
         "timestampFormat is \"ns\", but has to be one of timecode|traceNs|traceNsLocale|seconds|"
         "milliseconds|microseconds|utc|traceTz|customTimezone"},
        {"{\"macros\": {}}", "macros is an object, but has to be a list"},
        {"{\"keys\": {\"q\": 1}}", "keys.q is 1, but has to be a command line, null, or "
                                   "{\"command\": …, \"in\": \"timeline\"}"},
        {"{\"timezoneOverride\": \"CET\"}",
         "timezoneOverride is \"CET\", but has to be an offset as in \"+02:00\""},
        {"[]", "it has to be a JSON object"},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        struct status st = STATUS_INIT;
        char expected[512];
        write_text(p->person, table[i].json);
        assert_null(settings_load(p->person, p->state, &st));
        snprintf(expected, sizeof expected, "%s: %s", p->person, table[i].message);
        assert_string_equal(st.message, expected);
        status_clear(&st);
    }
    struct status st = STATUS_INIT;
    write_text(p->person, "{\"mouse\": true, \"mouse\": false}");
    assert_null(settings_load(p->person, p->state, &st));
    assert_non_null(strstr(st.message, "line 1"));
    status_clear(&st);
}

static void unknown_keys_are_told(void **state)
{
    struct places *p = *state;
    struct status st = STATUS_INIT;
    char expected[160];
    write_text(p->person, "{\"them\": \"dark\"}");
    struct settings *s = settings_load(p->person, p->state, &st);
    assert_int_equal(s->notices.count, 1);
    snprintf(expected, sizeof expected, "%s: there is no setting \"them\"", p->person);
    assert_string_equal(s->notices.items[0], expected);
    settings_free(s);
}

static void the_overlay_is_kept_and_loses(void **state)
{
    struct places *p = *state;
    struct status st = STATUS_INIT;
    struct settings *s = settings_load(p->person, p->state, &st);
    assert_true(settings_store_trace_commands(s, TRACE_COMMANDS_ALWAYS, &st));
    assert_int_equal(s->trace_commands, TRACE_COMMANDS_ALWAYS);
    settings_free(s);
    struct stat info;
    assert_int_equal(stat(p->state, &info), 0);
    assert_int_equal(info.st_mode & 0777, 0600);
    assert_int_equal(access(p->person, F_OK), -1);

    s = settings_load(p->person, p->state, &st);
    assert_int_equal(s->trace_commands, TRACE_COMMANDS_ALWAYS);
    settings_free(s);

    write_text(p->person, "{\"traceStartupCommands\": \"ask\"}");
    s = settings_load(p->person, p->state, &st);
    assert_int_equal(s->trace_commands, TRACE_COMMANDS_ASK);
    assert_int_equal(s->notices.count, 1);
    assert_non_null(strstr(s->notices.items[0], "yours is taken"));
    assert_true(settings_store_trace_commands(s, TRACE_COMMANDS_NEVER, &st));
    assert_int_equal(s->trace_commands, TRACE_COMMANDS_ASK);
    assert_int_equal(s->notices.count, 2);
    settings_free(s);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
    const struct CMUnitTest tests[] = {
        TEST(missing_files_are_defaults),
        TEST(everything_is_read),
        TEST(mistakes_are_loud),
        TEST(unknown_keys_are_told),
        TEST(the_overlay_is_kept_and_loses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
