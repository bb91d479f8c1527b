/* What may run: every kind of startup command from every source, through macros of every
 * owner to a depth of three; who gets an id; which steps ask before they reach out. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "commands/startup.h"
#include "engine/base/memory.h"
#include "macros/macro.h"
#include "tests/unit/session_fixture.h"

#define CALL(id)         "{\"id\": \"" id "\", \"args\": []}"
#define NOTE(text)       "{\"id\": \"dev.perfetto.AddNoteAtTimestamp\", \"args\": [\"1\", \"" text "\"]}"
#define MACRO(id, steps) "{\"id\": \"" id "\", \"name\": \"N\", \"run\": [" steps "]}"

static void add_macros(struct session *session, enum command_scope scope, const char *json)
{
    struct status st = STATUS_INIT;
    struct buffer path = BUFFER_INIT;
    struct macro_list list;
    json_t *root = json_strict_load(str_of(json), &st);
    assert_string_equal(status_message(&st), "");
    assert_true(macro_list_read(root, false, &path, &list, &st));
    macros_register(session, &list, scope, "owner");
    macro_list_free(&list);
    json_decref(root);
    buffer_free(&path);
}

static const enum command_scope owners[] = {COMMAND_BUNDLED_MACRO, COMMAND_SETTINGS_MACRO,
                                            COMMAND_SERVER_MACRO, COMMAND_TRACE_MACRO};
static const char *const owner_names[] = {"bundled", "settings", "server", "trace"};

/* ---- startup commands ---- */

/* A macro t.D1 whose chain t.D2, t.D3 ends in LAST at the depth that is tested; each
 * notes that it was reached before, and after. */
#define CHAIN1(last) "[" MACRO("t.D1", NOTE("reached") "," last "," NOTE("after")) "]"
#define CHAIN2(last) \
    "[" MACRO("t.D1", CALL("t.D2") "," NOTE("after")) "," MACRO( \
        "t.D2", NOTE("reached") "," last "," NOTE("after")) "]"
#define CHAIN3(last) \
    "[" MACRO("t.D1", CALL("t.D2") "," NOTE("after")) "," MACRO( \
        "t.D2", CALL("t.D3") "," NOTE( \
                    "after")) "," MACRO("t.D3", NOTE("reached") "," last "," NOTE("after")) "]"

#define ALLOWED  NOTE("allowed")
#define OFF_LIST CALL("dev.perfetty.ZoomToFit")
#define REACH    "{\"id\": \"dev.perfetty.Copy\", \"args\": [\"secret\"]}"
#define UNKNOWN  CALL("com.nobody.X")
#define BAD_ARGS CALL("dev.perfetto.CreateWorkspace")
#define RING     CALL("t.D1")

/* What becomes of it, a letter for each column: (trace, command line, settings) ×
 * (allowlist enforced, not enforced).  'd' done, 'b' blocked, 'f' failed.  `theirs` where
 * it is another for macros of a server or a trace. */
static const struct {
    const char *what, *command, *macros; /* macros NULL: no macro, the command itself */
    const char *id, *in;                 /* of the report's line; `in` NULL: no macro */
    const char *mine, *theirs;
} kinds[] = {
    {"allowed", ALLOWED, NULL, "", NULL, "dddddd", NULL},
    {"off the list", OFF_LIST, NULL, "dev.perfetty.ZoomToFit", NULL, "bbbdbd", NULL},
    {"reaches out", REACH, NULL, "dev.perfetty.Copy", NULL, "bbbdbd", NULL},
    {"unknown", UNKNOWN, NULL, "com.nobody.X", NULL, "bbbfbf", NULL},
    {"wrong arguments", BAD_ARGS, NULL, "dev.perfetto.CreateWorkspace", NULL, "ffffff", NULL},
    {"macro, allowed, 1", CALL("t.D1"), CHAIN1(ALLOWED), "", NULL, "dddddd", NULL},
    {"macro, allowed, 2", CALL("t.D1"), CHAIN2(ALLOWED), "", NULL, "dddddd", NULL},
    {"macro, allowed, 3", CALL("t.D1"), CHAIN3(ALLOWED), "", NULL, "dddddd", NULL},
    {"macro, off the list, 1", CALL("t.D1"), CHAIN1(OFF_LIST), "dev.perfetty.ZoomToFit", "t.D1",
     "bbbdbd", NULL},
    {"macro, off the list, 2", CALL("t.D1"), CHAIN2(OFF_LIST), "dev.perfetty.ZoomToFit", "t.D2",
     "bbbdbd", NULL},
    {"macro, off the list, 3", CALL("t.D1"), CHAIN3(OFF_LIST), "dev.perfetty.ZoomToFit", "t.D3",
     "bbbdbd", NULL},
    {"macro, reaches out, 1", CALL("t.D1"), CHAIN1(REACH), "dev.perfetty.Copy", "t.D1", "bbbdbd",
     "bbbbbb"},
    {"macro, reaches out, 2", CALL("t.D1"), CHAIN2(REACH), "dev.perfetty.Copy", "t.D2", "bbbdbd",
     "bbbbbb"},
    {"macro, reaches out, 3", CALL("t.D1"), CHAIN3(REACH), "dev.perfetty.Copy", "t.D3", "bbbdbd",
     "bbbbbb"},
    {"macro, unknown, 1", CALL("t.D1"), CHAIN1(UNKNOWN), "com.nobody.X", "t.D1", "bbbfbf", NULL},
    {"macro, unknown, 2", CALL("t.D1"), CHAIN2(UNKNOWN), "com.nobody.X", "t.D2", "bbbfbf", NULL},
    {"macro, unknown, 3", CALL("t.D1"), CHAIN3(UNKNOWN), "com.nobody.X", "t.D3", "bbbfbf", NULL},
    {"macro, wrong arguments, 1", CALL("t.D1"), CHAIN1(BAD_ARGS), "dev.perfetto.CreateWorkspace",
     "t.D1", "ffffff", NULL},
    {"macro, wrong arguments, 2", CALL("t.D1"), CHAIN2(BAD_ARGS), "dev.perfetto.CreateWorkspace",
     "t.D2", "ffffff", NULL},
    {"macro, wrong arguments, 3", CALL("t.D1"), CHAIN3(BAD_ARGS), "dev.perfetto.CreateWorkspace",
     "t.D3", "ffffff", NULL},
    {"ring of 1", CALL("t.D1"), CHAIN1(RING), "t.D1", "t.D1", "ffffff", NULL},
    {"ring of 2", CALL("t.D1"), CHAIN2(RING), "t.D1", "t.D2", "ffffff", NULL},
    {"ring of 3", CALL("t.D1"), CHAIN3(RING), "t.D1", "t.D3", "ffffff", NULL},
};

static const enum command_source sources[] = {COMMAND_FROM_TRACE, COMMAND_FROM_COMMAND_LINE,
                                              COMMAND_FROM_SETTINGS};

static size_t count_notes(const struct session *session, const char *text)
{
    size_t n = 0;
    for (size_t i = 0; i < session->notes.count; i++)
        n += strcmp(session->notes.items[i].text, text) == 0;
    return n;
}

/* The list [before, the command, behind] as startup commands of one source. */
static void start(struct fixture *f, const char *command, enum command_source source, bool enforced)
{
    struct status st = STATUS_INIT;
    struct buffer list = BUFFER_INIT, section = BUFFER_INIT;
    struct settings *settings = settings_default();
    struct trace_extensions *extensions = NULL;
    struct startup_options options = {.settings = settings};
    settings->enforce_allowlist = enforced;
    settings->trace_commands = TRACE_COMMANDS_ALWAYS;
    buffer_printf(&list, "[%s,%s,%s]", NOTE("before"), command, NOTE("behind"));
    buffer_printf(&section,
                  "{\"type\": \"inline\", \"namespace\": \"t\", \"startup_commands\": %s}",
                  buffer_text(&list));
    if (source == COMMAND_FROM_TRACE)
        options.extensions = extensions = trace_extensions_read(buffer_str(&section), &st);
    else
        assert_true(startup_parse_command_line(
            buffer_text(&list),
            source == COMMAND_FROM_SETTINGS ? &settings->startup_commands : &options.command_line,
            &st));
    struct startup *startup = startup_new(f->session, &options);
    startup_run(startup, STARTUP_NO_QUESTION);
    startup_free(startup);
    trace_extensions_free(extensions);
    invocation_list_free(&options.command_line);
    settings_free(settings);
    buffer_free(&list);
    buffer_free(&section);
}

static void check_outcome(const struct fixture *f, size_t kind, enum command_source source,
                          char want, const char *place)
{
    const struct session *s = f->session;
    const struct report *report = &s->startup_report;
    bool is_macro = kinds[kind].macros != NULL;
    /* Siblings run whatever becomes of it. */
    if (count_notes(s, "before") != 1 || count_notes(s, "behind") != 1)
        fail_msg("%s: the others did not run", place);
    if (count_notes(s, "reached") != is_macro) fail_msg("%s: its end was not reached", place);
    if (report->ran != (want == 'd' ? 3u : 2u)) fail_msg("%s: %u ran", place, report->ran);
    /* A macro ends at the step, and so do those that it is a step of. */
    if (want != 'd' && count_notes(s, "after") != 0) fail_msg("%s: it went on", place);
    if (want == 'd' && is_macro && count_notes(s, "after") == 0) fail_msg("%s: it ended", place);
    if (report->lines.count != (want != 'd')) fail_msg("%s: %zu lines", place, report->lines.count);
    if (want == 'd') return;
    const struct report_line *line = &report->lines.items[0];
    const char *in = kinds[kind].in;
    if (line->blocked != (want == 'b') || strcmp(line->id, kinds[kind].id) != 0 ||
        line->source != source || (line->macro != NULL) != (in != NULL) ||
        (in && strcmp(line->macro, in) != 0))
        fail_msg("%s: %s %s in %s: %s", place, line->blocked ? "blocked" : "failed", line->id,
                 line->macro ? line->macro : "-", line->why);
}

static void drop_requests(struct session *session, bool may_copy, const char *place)
{
    struct session_request request;
    while (session_take_request(session, &request)) {
        if (request.kind != REQUEST_COPY || !may_copy) fail_msg("%s: it reached out", place);
        mem_free(request.text);
    }
}

static void every_kind_from_every_source(void **state)
{
    (void)state;
    size_t cases = 0;
    for (size_t kind = 0; kind < sizeof kinds / sizeof *kinds; kind++)
        for (size_t owner = 0; owner < (kinds[kind].macros ? 4 : 1); owner++)
            for (size_t column = 0; column < 6; column++, cases++) {
                void *made;
                char place[120];
                bool is_theirs = owner >= 2 && kinds[kind].theirs;
                const char *row = is_theirs ? kinds[kind].theirs : kinds[kind].mine;
                enum command_source source = sources[column / 2];
                snprintf(place, sizeof place, "%s, macro of %s, from %s, %s", kinds[kind].what,
                         owner_names[owner], command_source_name(source),
                         column % 2 ? "not enforced" : "enforced");
                fixture_setup(&made);
                struct fixture *f = made;
                if (kinds[kind].macros) add_macros(f->session, owners[owner], kinds[kind].macros);
                start(f, kinds[kind].command, source, column % 2 == 0);
                check_outcome(f, kind, source, row[column], place);
                drop_requests(f->session, row[column] == 'd', place);
                fixture_teardown(&made);
            }
    assert_int_equal(cases, (5 + 18 * 4) * 6);
}

/* A chain through macros of different owners: the rule is that of the source, each step
 * by itself; one foreign macro on the way is enough for the question before a reach. */
static void chains_through_several_owners(void **state)
{
    (void)state;
    for (size_t a = 0; a < 4; a++)
        for (size_t b = 0; b < 4; b++)
            for (size_t column = 0; column < 6; column++) {
                void *made;
                char place[120];
                enum command_source source = sources[column / 2];
                bool is_foreign = a >= 2 || b >= 2;
                char want = (is_foreign ? "bbbbbb" : "bbbdbd")[column];
                snprintf(place, sizeof place, "%s's macro in %s's, from %s", owner_names[b],
                         owner_names[a], command_source_name(source));
                fixture_setup(&made);
                struct fixture *f = made;
                add_macros(f->session, owners[a],
                           "[" MACRO("t.D1", CALL("t.D2") "," NOTE("after")) "]");
                add_macros(f->session, owners[b],
                           "[" MACRO("t.D2", NOTE("reached") "," REACH "," NOTE("after")) "]");
                start(f, CALL("t.D1"), source, column % 2 == 0);
                size_t kind = 12; /* "macro, reaches out, 2" */
                assert_string_equal(kinds[kind].what, "macro, reaches out, 2");
                check_outcome(f, kind, source, want, place);
                drop_requests(f->session, want == 'd', place);
                fixture_teardown(&made);
            }
}

/* Twenty macros, each ten times the next: no ring and not deep, but without end. */
static void fans_are_stopped(void **state)
{
    struct fixture *f = *state;
    struct buffer json = BUFFER_INIT;
    buffer_append_byte(&json, '[');
    for (int i = 0; i < 20; i++) {
        buffer_printf(&json, "%s{\"id\": \"t.F%d\", \"name\": \"F\", \"run\": [", i ? "," : "", i);
        for (int k = 0; k < 10; k++)
            buffer_printf(&json, "%s{\"id\": \"t.F%d\", \"args\": []}", k ? "," : "", i + 1);
        buffer_append_text(&json, "]}");
    }
    buffer_append_text(&json, "," MACRO("t.F20", "") "]");
    add_macros(f->session, COMMAND_TRACE_MACRO, buffer_text(&json));
    start(f, CALL("t.F0"), COMMAND_FROM_TRACE, true);
    const struct report *report = &f->session->startup_report;
    assert_int_equal(report->lines.count, 1);
    assert_int_equal(report->ran, 2); /* each start has its own steps */
    assert_non_null(strstr(report->lines.items[0].why, "more than 10000 steps in one start"));
    buffer_free(&json);
}

/* Nothing but the fourteen, letter by letter. */
static void the_list_is_exact(void **state)
{
    (void)state;
    static const char *const others[] = {"dev.perfetto.PinTracksByRegex2",
                                         "dev.perfetto.PinTracksByRege",
                                         "dev.perfetto.pinTracksByRegex",
                                         " dev.perfetto.PinTracksByRegex",
                                         "PinTracksByRegex",
                                         "dev.perfetto.",
                                         "",
                                         "dev.perfetto.RunQueryAndShowTab#",
                                         "dev.perfetty.RunQuery",
                                         "dev.perfetto.RunQuery.x"};
    uint32_t n = 0;
    struct session *session = session_new(NULL);
    for (; allowlist_at(n); n++) {
        const struct registry_entry *entry = registry_find(session->registry, allowlist_at(n));
        assert_non_null(entry);
        assert_int_not_equal(entry->command->kind, COMMAND_REACH);
        assert_true(allowlist_has(allowlist_at(n)));
    }
    assert_int_equal(n, 14);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        assert_false(allowlist_has(others[i]));
    session_free(session);
}

/* ---- who gets an id ---- */

/* Rows: who has it, columns: who wants it; '1' the first keeps it, '2' the second takes
 * it.  In the order of `owners`; the first row is a command of the program. */
static const char *const collisions[] = {
    /* b s e t: bundled, settings, server, trace */
    "1111", /* a command of the program */
    "1111", /* a bundled macro */
    "1111", /* a macro of the settings */
    "1111", /* a macro of a server */
    "2221", /* a macro of the trace */
};

static void every_pair_of_owners(void **state)
{
    (void)state;
    static const char *const ids[] = {"dev.perfetty.ZoomToFit", "t.X"};
    static const char *const has[] = {"a command of the program", "a bundled macro",
                                      "a macro of the settings", "a macro of an extension server",
                                      "a macro of the trace"};
    for (size_t first = 0; first < 5; first++)
        for (size_t second = 0; second < 4; second++) {
            struct session *session = session_new(NULL);
            const char *id = ids[first > 0];
            const char *json = first ? "[" MACRO("t.X", NOTE("second")) "]"
                                     : "[" MACRO("dev.perfetty.ZoomToFit", NOTE("second")) "]";
            char want[200];
            if (first) add_macros(session, owners[first - 1], "[" MACRO("t.X", NOTE("first")) "]");
            size_t before = session->messages.count;
            uint32_t entries = registry_count(session->registry);
            add_macros(session, owners[second], json);
            const struct registry_entry *entry = registry_find(session->registry, id);
            bool taken = collisions[first][second] == '2';
            assert_int_equal(registry_count(session->registry), entries);
            assert_int_equal(entry->scope, taken   ? owners[second]
                                           : first ? owners[first - 1]
                                                   : COMMAND_CORE);
            assert_string_equal(entry->command->steps ? entry->command->steps[0].args[1] : "first",
                                taken ? "second" : "first");
            /* One message, which says who had it and who was turned down. */
            assert_int_equal(session->messages.count, before + 1);
            if (taken)
                snprintf(want, sizeof want, "%s: %s takes this id from the trace's macro", id,
                         has[second + 1]);
            else
                snprintf(want, sizeof want, "%s: %s has this id%s; %s is skipped", id, has[first],
                         first ? " (owner)" : "", has[second + 1]);
            assert_string_equal(vec_last(&session->messages)->text, want);
            session_free(session);
        }
}

/* A macro that is turned down does not make a command of the program one that may be
 * started: the allowlist asks who has the id. */
static void an_id_that_is_taken_opens_no_door(void **state)
{
    struct fixture *f = *state;
    add_macros(f->session, COMMAND_TRACE_MACRO,
               "[" MACRO("dev.perfetty.ZoomToFit", NOTE("sly")) "]");
    start(f, OFF_LIST, COMMAND_FROM_TRACE, false);
    assert_int_equal(f->session->startup_report.lines.count, 1);
    assert_true(f->session->startup_report.lines.items[0].blocked);
    assert_int_equal(count_notes(f->session, "sly"), 0);
}

/* ---- a macro that a person starts ---- */

struct asked {
    int times;
    bool answer;
    char macro[16], origin[16], step[64];
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

/* At depth 1, 2 and 3, in chains of one owner: bundled and one's own do not ask. */
static void reach_steps_of_every_owner_at_depth(void **state)
{
    (void)state;
    static const char *const chains[] = {CHAIN1(REACH), CHAIN2(REACH), CHAIN3(REACH)};
    for (size_t owner = 0; owner < 4; owner++)
        for (size_t depth = 0; depth < 3; depth++)
            for (int answer = 0; answer < 3; answer++) { /* no, yes, nobody there */
                struct status st = STATUS_INIT;
                void *made;
                fixture_setup(&made);
                struct fixture *f = made;
                struct asked asked = {.answer = answer == 1};
                bool asks = owner >= 2, runs = !asks || answer == 1;
                f->session->hooks.context = &asked;
                f->session->hooks.may_reach = answer < 2 ? may_reach : NULL;
                add_macros(f->session, owners[owner], chains[depth]);
                enum command_outcome outcome =
                    registry_run(f->session, "t.D1", NULL, 0, &COMMAND_CONTEXT_PERSON, &st);
                assert_int_equal(outcome, runs ? COMMAND_DONE : COMMAND_FAILED);
                assert_int_equal(asked.times, asks && answer < 2);
                if (asked.times) {
                    /* The outermost is what the person started. */
                    assert_string_equal(asked.macro, "t.D1");
                    assert_string_equal(asked.origin, "owner");
                    assert_string_equal(asked.step, "dev.perfetty.Copy");
                }
                assert_int_equal(count_notes(f->session, "reached"), 1);
                assert_int_equal(count_notes(f->session, "after") > 0, runs);
                struct session_request request;
                assert_int_equal(session_take_request(f->session, &request), runs);
                if (runs) mem_free(request.text);
                status_clear(&st);
                fixture_teardown(&made);
            }
}

/* Views and queries run unasked, whoever wrote the macro. */
static void views_and_queries_do_not_ask(void **state)
{
    (void)state;
    for (size_t owner = 0; owner < 4; owner++) {
        struct status st = STATUS_INIT;
        void *made;
        fixture_setup_engine(&made);
        struct fixture *f = made;
        struct asked asked = {.answer = false};
        f->session->hooks.context = &asked;
        f->session->hooks.may_reach = may_reach;
        add_macros(f->session, owners[owner],
                   "[" MACRO("t.D1", OFF_LIST ",{\"id\": \"dev.perfetto.RunQuery\", \"args\": "
                                              "[\"SELECT 1\"]}," NOTE("done")) "]");
        assert_int_equal(registry_run(f->session, "t.D1", NULL, 0, &COMMAND_CONTEXT_PERSON, &st),
                         COMMAND_DONE);
        assert_int_equal(asked.times, 0);
        assert_int_equal(count_notes(f->session, "done"), 1);
        fixture_teardown(&made);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kind_from_every_source),
        cmocka_unit_test(chains_through_several_owners),
        cmocka_unit_test_setup_teardown(fans_are_stopped, fixture_setup, fixture_teardown),
        cmocka_unit_test(the_list_is_exact),
        cmocka_unit_test(every_pair_of_owners),
        cmocka_unit_test_setup_teardown(an_id_that_is_taken_opens_no_door, fixture_setup,
                                        fixture_teardown),
        cmocka_unit_test(reach_steps_of_every_owner_at_depth),
        cmocka_unit_test(views_and_queries_do_not_ask),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
