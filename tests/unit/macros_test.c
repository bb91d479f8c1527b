/* Macros: shapes, collisions, rings, failing steps, steps that reach out. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "engine/base/memory.h"
#include "macros/bundled.h"
#include "macros/sources.h"
#include "tests/unit/session_fixture.h"

static void add(struct fixture *f, enum command_scope scope, const char *json)
{
    struct status st = STATUS_INIT;
    struct buffer path = BUFFER_INIT;
    struct macro_list list;
    json_t *root = json_strict_load(str_of(json), &st);
    assert_non_null(root);
    assert_true(macro_list_read(root, false, &path, &list, &st));
    macros_register(f->session, &list, scope, scope == COMMAND_TRACE_MACRO ? "the trace" : "mine");
    macro_list_free(&list);
    json_decref(root);
    buffer_free(&path);
}

static enum command_outcome run(struct fixture *f, const char *id, struct status *st)
{
    return registry_run(f->session, id, NULL, 0, &COMMAND_CONTEXT_PERSON, st);
}

static void shapes(void **state)
{
    (void)state;
    static const struct {
        const char *json, *message;
    } table[] = {
        {"{}", "macros is an object, but has to be a list of macros"},
        {"[1]", "macros[0] is 1, but has to be an object {\"id\": …, \"name\": …, \"run\": […]}"},
        {"[{\"name\": \"N\", \"run\": []}]",
         "macros[0].id is nothing, but has to be a text that is not empty"},
        {"[{\"id\": \"a.b\", \"name\": \"\", \"run\": []}]",
         "macros[0].name is \"\", but has to be a text that is not empty"},
        {"[{\"id\": \"a.b\", \"name\": \"N\"}]",
         "macros[0].run is nothing, but has to be a list of {\"id\": …, \"args\": […]}"},
        {"[{\"id\": \"a.b\", \"name\": \"N\", \"run\": [{\"id\": \"x\"}]}]",
         "macros[0].run[0].args is nothing, but has to be a list of strings"},
        {"[{\"id\": \"a.b\", \"name\": \"N\", \"run\": [{\"id\": \"x\", \"args\": [1]}]}]",
         "macros[0].run[0].args[0] is 1, but has to be a string"},
        {"[{\"id\": \"a.b\", \"name\": \"N\", \"run\": [{\"id\": \"a.b\", \"args\": []}]}]",
         "macros[0].run[0]: a.b starts itself"},
        {"[{\"id\": \"a.b\", \"name\": \"N\", \"run\": []}, {\"id\": \"a.b\", \"name\": \"M\", "
         "\"run\": []}]",
         "macros[1]: there are two macros a.b"},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        struct status st = STATUS_INIT;
        struct buffer path = BUFFER_INIT;
        struct macro_list list;
        json_t *root = json_strict_load(str_of(table[i].json), &st);
        buffer_append_text(&path, "macros");
        assert_false(macro_list_read(root, true, &path, &list, &st));
        assert_string_equal(st.message, table[i].message);
        status_clear(&st);
        json_decref(root);
        buffer_free(&path);
    }
}

static void steps_run_in_order_until_one_fails(void **state)
{
    struct fixture *f = *state;
    struct status st = STATUS_INIT;
    add(f, COMMAND_SETTINGS_MACRO,
        "[{\"id\": \"my.M\", \"name\": \"Mine\", \"run\": ["
        "{\"id\": \"dev.perfetto.CreateWorkspace\", \"args\": [\"W\"]},"
        "{\"id\": \"dev.perfetto.SwitchWorkspace\", \"args\": [\"nowhere\"]},"
        "{\"id\": \"dev.perfetto.CreateWorkspace\", \"args\": [\"V\"]}]}]");
    assert_int_equal(run(f, "my.M", &st), COMMAND_FAILED);
    assert_string_equal(st.message, "Mine, step 2: there is no workspace \"nowhere\"");
    status_clear(&st);
    assert_int_equal(f->session->workspaces.count, 2);
    const char *args[] = {"x"};
    assert_int_equal(registry_run(f->session, "my.M", args, 1, &COMMAND_CONTEXT_PERSON, &st),
                     COMMAND_FAILED);
    assert_string_equal(st.message, "my.M takes no arguments, got 1");
    status_clear(&st);
}

static void rings_are_stopped(void **state)
{
    struct fixture *f = *state;
    struct status st = STATUS_INIT;
    add(f, COMMAND_TRACE_MACRO,
        "[{\"id\": \"t.A\", \"name\": \"A\", \"run\": [{\"id\": \"t.B\", \"args\": []}]},"
        "{\"id\": \"t.B\", \"name\": \"B\", \"run\": [{\"id\": \"t.A\", \"args\": []}]},"
        "{\"id\": \"t.C\", \"name\": \"C\", \"run\": [{\"id\": \"t.C\", \"args\": []}]}]");
    assert_int_equal(run(f, "t.A", &st), COMMAND_FAILED);
    assert_string_equal(st.message, "A, step 1: B, step 1: macro t.A starts itself and is stopped");
    status_clear(&st);
    assert_int_equal(run(f, "t.C", &st), COMMAND_FAILED);
    status_clear(&st);
}

static void long_chains_are_stopped(void **state)
{
    struct fixture *f = *state;
    struct status st = STATUS_INIT;
    for (int i = 0; i < 100; i++) {
        char json[200];
        snprintf(json, sizeof json,
                 "[{\"id\": \"t.M%d\", \"name\": \"M\", \"run\": [{\"id\": \"t.M%d\", \"args\": "
                 "[]}]}]",
                 i, i + 1);
        add(f, COMMAND_TRACE_MACRO, json);
    }
    assert_int_equal(run(f, "t.M0", &st), COMMAND_FAILED);
    assert_non_null(strstr(st.message, "macros start macros more than 32 deep"));
    status_clear(&st);
}

static void the_traces_macro_never_takes_an_id(void **state)
{
    struct fixture *f = *state;
    struct status st = STATUS_INIT;
    const char *theirs = "[{\"id\": \"dev.perfetty.Quit\", \"name\": \"Q\", \"run\": []},"
                         "{\"id\": \"my.M\", \"name\": \"theirs\", \"run\": []}]";
    add(f, COMMAND_SETTINGS_MACRO, "[{\"id\": \"my.M\", \"name\": \"mine\", \"run\": []}]");
    add(f, COMMAND_TRACE_MACRO, theirs);
    assert_int_equal(f->session->messages.count, 2);
    assert_string_equal(f->session->messages.items[1].text,
                        "my.M: a macro of the settings has this id (mine); a macro of the trace is "
                        "skipped");
    const struct command_context startup = {.source = COMMAND_FROM_TRACE, .allowlist_only = true};
    assert_int_equal(registry_run(f->session, "dev.perfetty.Quit", NULL, 0, &startup, &st),
                     COMMAND_BLOCKED);
    status_clear(&st);
    /* A later one of the person's takes it. */
    add(f, COMMAND_TRACE_MACRO, "[{\"id\": \"t.T\", \"name\": \"theirs\", \"run\": []}]");
    add(f, COMMAND_SETTINGS_MACRO, "[{\"id\": \"t.T\", \"name\": \"mine\", \"run\": []}]");
    assert_string_equal(vec_last(&f->session->messages)->text,
                        "t.T: a macro of the settings takes this id from the trace's macro");
    registry_remove_scope(f->session->registry, COMMAND_TRACE_MACRO);
    assert_non_null(registry_find(f->session->registry, "t.T"));
}

struct asked {
    int times;
    bool answer;
    char macro[32], origin[32], step[64];
};

static bool may_reach(void *context, const struct reach_question *question)
{
    struct asked *asked = context;
    asked->times++;
    snprintf(asked->macro, sizeof asked->macro, "%s", question->macro_id);
    snprintf(asked->origin, sizeof asked->origin, "%s", question->origin);
    snprintf(asked->step, sizeof asked->step, "%s", question->command->id);
    return asked->answer;
}

#define REACHES(id) \
    "[{\"id\": \"" id "\", \"name\": \"R\", \"run\": [" \
    "{\"id\": \"dev.perfetto.UnpinAllTracks\", \"args\": []}," \
    "{\"id\": \"dev.perfetty.Copy\", \"args\": [\"secret\"]}]}]"

static void steps_that_reach_out_ask(void **state)
{
    struct fixture *f = *state;
    struct session *s = f->session;
    struct status st = STATUS_INIT;
    struct asked asked = {0};
    struct session_request request;
    add(f, COMMAND_TRACE_MACRO, REACHES("t.R"));
    add(f, COMMAND_SETTINGS_MACRO, REACHES("my.R"));
    add(f, COMMAND_SETTINGS_MACRO,
        "[{\"id\": \"my.Outer\", \"name\": \"O\", \"run\": [{\"id\": \"t.R\", \"args\": []}]}]");
    add(f, COMMAND_TRACE_MACRO,
        "[{\"id\": \"t.Outer\", \"name\": \"O\", \"run\": [{\"id\": \"my.R\", \"args\": []}]}]");
    /* Nobody to ask. */
    assert_int_equal(run(f, "t.R", &st), COMMAND_FAILED);
    assert_string_equal(
        st.message, "R, step 2: dev.perfetty.Copy reaches out of the viewer and was not allowed");
    status_clear(&st);
    s->hooks.context = &asked;
    s->hooks.may_reach = may_reach;
    assert_int_equal(run(f, "t.R", &st), COMMAND_FAILED);
    status_clear(&st);
    assert_int_equal(asked.times, 1);
    assert_string_equal(asked.macro, "t.R");
    assert_string_equal(asked.origin, "the trace");
    assert_string_equal(asked.step, "dev.perfetty.Copy");
    assert_false(session_take_request(s, &request));
    asked.answer = true;
    assert_int_equal(run(f, "my.Outer", &st), COMMAND_DONE);
    assert_int_equal(asked.times, 2);
    /* At any depth below a trace's macro, whoever wrote the inner one. */
    assert_int_equal(run(f, "t.Outer", &st), COMMAND_DONE);
    assert_int_equal(asked.times, 3);
    assert_string_equal(asked.macro, "t.Outer");
    /* One's own does not ask. */
    assert_int_equal(run(f, "my.R", &st), COMMAND_DONE);
    assert_int_equal(asked.times, 3);
    while (session_take_request(s, &request)) {
        assert_int_equal(request.kind, REQUEST_COPY);
        mem_free(request.text);
    }
}

static void trace_macros_carry_the_traces_sql(void **state)
{
    struct fixture *f = *state;
    struct status st = STATUS_INIT;
    assert_int_equal(fixture_run(f, "RunQuery CREATE PERFETTO TABLE mine AS SELECT 1 AS a", &st),
                     COMMAND_DONE);
    add(f, COMMAND_TRACE_MACRO,
        "[{\"id\": \"t.Drop\", \"name\": \"Drop\", \"run\": ["
        "{\"id\": \"dev.perfetto.RunQuery\", \"args\": [\"DROP TABLE mine\"]}]}]");
    assert_int_equal(run(f, "t.Drop", &st), COMMAND_FAILED);
    status_clear(&st);
    assert_int_equal(fixture_run(f, "RunQuery SELECT a FROM mine", &st), COMMAND_DONE);
}

static void bundled_macros_are_sound(void **state)
{
    struct fixture *f = *state;
    size_t before = f->session->messages.count;
    macros_register_bundled(f->session);
    assert_int_equal(f->session->messages.count, before);
    uint32_t n = 0;
    struct registry *registry = f->session->registry;
    for (uint32_t i = 0; i < registry_count(registry); i++) {
        const struct registry_entry *entry = registry_at(registry, i);
        if (entry->scope != COMMAND_BUNDLED_MACRO) continue;
        n++;
        assert_int_equal(strncmp(entry->command->id, "dev.perfetty.macros.", 20), 0);
        for (uint32_t k = 0; k < entry->command->n_steps; k++) {
            const struct invocation *step = &entry->command->steps[k];
            struct status st = STATUS_INIT;
            const struct registry_entry *command = registry_find(registry, step->id);
            assert_non_null(command);
            assert_true(command_check_args(command->command, (const char *const *)step->args,
                                           step->n_args, &st));
        }
    }
    assert_true(n >= 10);
    assert_true(bundled_macro_files_count >= 4);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, fixture_setup, fixture_teardown)
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shapes),
        TEST(steps_run_in_order_until_one_fails),
        TEST(rings_are_stopped),
        TEST(long_chains_are_stopped),
        TEST(the_traces_macro_never_takes_an_id),
        TEST(steps_that_reach_out_ask),
        cmocka_unit_test_setup_teardown(trace_macros_carry_the_traces_sql, fixture_setup_engine,
                                        fixture_teardown),
        TEST(bundled_macros_are_sound),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
