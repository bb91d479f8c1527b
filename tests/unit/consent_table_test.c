/* Who decides on a trace's startup commands: every state of the setting, of the option,
 * of what is remembered and of who is there, with every answer; and what a content is. */
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
#include "macros/macro.h"
#include "tests/unit/session_fixture.h"

#define SECTION \
    "{\"type\": \"inline\", \"namespace\": \"com.ex\", \"startup_commands\": [{\"id\": " \
    "\"dev.perfetto.AddNoteAtTimestamp\", \"args\": [\"1\", \"theirs\"]}]}"

/* One start: a session and settings in a folder of their own. */
struct world {
    struct fixture *f;
    struct settings *settings;
    struct trace_extensions *extensions;
    struct startup_options options;
    char folder[40], person[64], overlay[64];
};

static void world_make(struct world *w)
{
    struct status st = STATUS_INIT;
    void *made;
    *w = (struct world){0};
    snprintf(w->folder, sizeof w->folder, "/tmp/perfetty-consent-XXXXXX");
    assert_non_null(mkdtemp(w->folder));
    snprintf(w->person, sizeof w->person, "%s/person.json", w->folder);
    snprintf(w->overlay, sizeof w->overlay, "%s/state.json", w->folder);
    fixture_setup(&made);
    w->f = made;
    w->settings = settings_load(w->person, w->overlay, &st);
    w->extensions = trace_extensions_read(STR(SECTION), &st);
    assert_non_null(w->extensions);
    w->options = (struct startup_options){
        .extensions = w->extensions, .settings = w->settings, .title = "a.zip"};
}

static void world_free(struct world *w)
{
    void *made = w->f;
    settings_free(w->settings);
    trace_extensions_free(w->extensions);
    fixture_teardown(&made);
    unlink(w->overlay);
    unlink(w->person);
    rmdir(w->folder);
}

/* The program is started again: another session, the settings as they are on the disk. */
static void world_again(struct world *w)
{
    struct status st = STATUS_INIT;
    void *made = w->f;
    fixture_teardown(&made);
    settings_free(w->settings);
    fixture_setup(&made);
    w->f = made;
    w->settings = settings_load(w->person, w->overlay, &st);
    assert_string_equal(status_message(&st), "");
    w->options.settings = w->settings;
}

static void remember(struct world *w, bool runs)
{
    struct status st = STATUS_INIT;
    struct trust_decision decision = {.runs = runs, .commands = 1};
    trust_content_id(w->f->session->registry, &w->extensions->startup_commands, decision.content);
    assert_true(trust_store(w->settings, &decision, &st));
}

/* What the command that is asked about says when it runs. */
#define SAID_BY_NOTE "note added at 1 ns"

static const char *said(const struct world *w)
{
    const struct session *s = w->f->session;
    return s->messages.count ? vec_last(&s->messages)->text : "";
}

/* ---- who decides ---- */

enum remembered { NOTHING, RUN, SKIP };
#define NO_OPTION (-1)

/* What happens: 'a' it asks, 'r' they run, 'm' they run as remembered, 's' skipped as
 * remembered, 'n' never, 'o' nobody is here to ask. */
static const struct {
    int option; /* --trace-commands, an enum trace_commands */
    enum trace_commands setting;
    enum remembered remembered;
    char person, nobody;
} states[] = {
    {NO_OPTION, TRACE_COMMANDS_ASK, NOTHING, 'a', 'o'},
    {NO_OPTION, TRACE_COMMANDS_ASK, RUN, 'm', 'm'},
    {NO_OPTION, TRACE_COMMANDS_ASK, SKIP, 's', 's'},
    {NO_OPTION, TRACE_COMMANDS_ALWAYS, NOTHING, 'r', 'r'},
    {NO_OPTION, TRACE_COMMANDS_ALWAYS, RUN, 'm', 'm'},
    {NO_OPTION, TRACE_COMMANDS_ALWAYS, SKIP, 's', 's'},
    {NO_OPTION, TRACE_COMMANDS_NEVER, NOTHING, 'n', 'n'},
    {NO_OPTION, TRACE_COMMANDS_NEVER, RUN, 'n', 'n'},
    {NO_OPTION, TRACE_COMMANDS_NEVER, SKIP, 'n', 'n'},
    {TRACE_COMMANDS_ASK, TRACE_COMMANDS_ASK, NOTHING, 'a', 'o'},
    {TRACE_COMMANDS_ASK, TRACE_COMMANDS_ASK, RUN, 'a', 'o'},
    {TRACE_COMMANDS_ASK, TRACE_COMMANDS_ASK, SKIP, 'a', 'o'},
    {TRACE_COMMANDS_ASK, TRACE_COMMANDS_ALWAYS, NOTHING, 'a', 'o'},
    {TRACE_COMMANDS_ASK, TRACE_COMMANDS_ALWAYS, RUN, 'a', 'o'},
    {TRACE_COMMANDS_ASK, TRACE_COMMANDS_ALWAYS, SKIP, 'a', 'o'},
    {TRACE_COMMANDS_ASK, TRACE_COMMANDS_NEVER, NOTHING, 'a', 'o'},
    {TRACE_COMMANDS_ASK, TRACE_COMMANDS_NEVER, RUN, 'a', 'o'},
    {TRACE_COMMANDS_ASK, TRACE_COMMANDS_NEVER, SKIP, 'a', 'o'},
    {TRACE_COMMANDS_ALWAYS, TRACE_COMMANDS_ASK, NOTHING, 'r', 'r'},
    {TRACE_COMMANDS_ALWAYS, TRACE_COMMANDS_ASK, RUN, 'r', 'r'},
    {TRACE_COMMANDS_ALWAYS, TRACE_COMMANDS_ASK, SKIP, 'r', 'r'},
    {TRACE_COMMANDS_ALWAYS, TRACE_COMMANDS_ALWAYS, NOTHING, 'r', 'r'},
    {TRACE_COMMANDS_ALWAYS, TRACE_COMMANDS_ALWAYS, RUN, 'r', 'r'},
    {TRACE_COMMANDS_ALWAYS, TRACE_COMMANDS_ALWAYS, SKIP, 'r', 'r'},
    {TRACE_COMMANDS_ALWAYS, TRACE_COMMANDS_NEVER, NOTHING, 'r', 'r'},
    {TRACE_COMMANDS_ALWAYS, TRACE_COMMANDS_NEVER, RUN, 'r', 'r'},
    {TRACE_COMMANDS_ALWAYS, TRACE_COMMANDS_NEVER, SKIP, 'r', 'r'},
    {TRACE_COMMANDS_NEVER, TRACE_COMMANDS_ASK, NOTHING, 'n', 'n'},
    {TRACE_COMMANDS_NEVER, TRACE_COMMANDS_ASK, RUN, 'n', 'n'},
    {TRACE_COMMANDS_NEVER, TRACE_COMMANDS_ASK, SKIP, 'n', 'n'},
    {TRACE_COMMANDS_NEVER, TRACE_COMMANDS_ALWAYS, NOTHING, 'n', 'n'},
    {TRACE_COMMANDS_NEVER, TRACE_COMMANDS_ALWAYS, RUN, 'n', 'n'},
    {TRACE_COMMANDS_NEVER, TRACE_COMMANDS_ALWAYS, SKIP, 'n', 'n'},
    {TRACE_COMMANDS_NEVER, TRACE_COMMANDS_NEVER, NOTHING, 'n', 'n'},
    {TRACE_COMMANDS_NEVER, TRACE_COMMANDS_NEVER, RUN, 'n', 'n'},
    {TRACE_COMMANDS_NEVER, TRACE_COMMANDS_NEVER, SKIP, 'n', 'n'},
};
#define N_STATES (sizeof states / sizeof *states)

static enum trace_commands chosen; /* what options point to */

static void set_state(struct world *w, size_t i, bool has_person)
{
    struct status st = STATUS_INIT;
    world_make(w);
    if (states[i].setting != TRACE_COMMANDS_ASK)
        assert_true(settings_store_trace_commands(w->settings, states[i].setting, &st));
    if (states[i].remembered != NOTHING) remember(w, states[i].remembered == RUN);
    chosen =
        states[i].option == NO_OPTION ? TRACE_COMMANDS_ASK : (enum trace_commands)states[i].option;
    w->options.trace_commands = states[i].option == NO_OPTION ? NULL : &chosen;
    w->options.has_person = has_person;
}

static void check_said(size_t i, char outcome, const char *message)
{
    const char *who = states[i].option == NO_OPTION ? "traceStartupCommands" : "--trace-commands";
    char want[200] = "";
    switch (outcome) {
    case 'n':
        snprintf(want, sizeof want, "the trace carries 1 startup command; none ran (%s is never)",
                 who);
        break;
    case 'o':
        snprintf(want, sizeof want,
                 "the trace carries 1 startup command; none ran, because nobody is here to ask "
                 "(%s is ask)",
                 who);
        break;
    case 'm':
    case 's':
        snprintf(want, sizeof want, "1 startup command of the trace %s, as remembered since ",
                 outcome == 'm' ? "run" : "skipped");
        assert_non_null(strstr(message, "(dev.perfetty.ForgetStartupDecision ends it)"));
        break;
    case 'a': assert_string_equal(message, ""); break;
    default: assert_string_equal(message, SAID_BY_NOTE);
    }
    if (strncmp(message, want, strlen(want)) != 0) fail_msg("state %zu: %s", i, message);
}

static void every_state(void **state)
{
    (void)state;
    assert_int_equal(N_STATES, 4 * 3 * 3);
    for (size_t i = 0; i < N_STATES; i++)
        for (int person = 0; person < 2; person++) {
            struct world w;
            char outcome = person ? states[i].person : states[i].nobody;
            set_state(&w, i, person);
            struct startup *startup = startup_new(w.f->session, &w.options);
            if (startup_asks(startup) != (outcome == 'a')) fail_msg("state %zu: asks?", i);
            assert_int_equal(startup_decision(startup) != NULL, states[i].remembered != NOTHING);
            assert_int_equal(w.f->session->notes.count, 0);
            if (outcome != 'a') {
                startup_run(startup, STARTUP_NO_QUESTION);
                if ((w.f->session->notes.count == 1) != (outcome == 'r' || outcome == 'm'))
                    fail_msg("state %zu: ran?", i);
                check_said(i, outcome, said(&w));
            }
            startup_free(startup);
            world_free(&w);
        }
}

/* ---- answers ---- */

static const struct {
    enum startup_answer answer;
    bool runs;
    const char *setting; /* what traceStartupCommands becomes; NULL: it stays */
    int remembered;      /* what becomes of it: an enum remembered; -1: it stays */
    char again;          /* the next start without an option, where the setting was ask */
    const char *said;
} answers[] = {
    {STARTUP_RUN, true, NULL, -1, 'a', SAID_BY_NOTE},
    {STARTUP_SKIP, false, NULL, -1, 'a', "1 startup command of the trace skipped"},
    {STARTUP_ALWAYS_THIS, true, NULL, RUN, 'm', SAID_BY_NOTE},
    {STARTUP_NEVER_THIS, false, NULL, SKIP, 's',
     "1 startup command of the trace skipped, and from now on"},
    {STARTUP_ALWAYS, true, "always", -1, 'r', SAID_BY_NOTE},
    {STARTUP_NEVER, false, "never", -1, 'n', "1 startup command of the trace skipped"},
};

static enum remembered remembered_now(const struct world *w)
{
    char content[SHA256_HEX];
    trust_content_id(w->f->session->registry, &w->extensions->startup_commands, content);
    const struct trust_decision *decision = trust_find(w->settings, content);
    return !decision ? NOTHING : decision->runs ? RUN : SKIP;
}

static void answer_state(size_t i, size_t k)
{
    struct world w;
    set_state(&w, i, true);
    struct startup *startup = startup_new(w.f->session, &w.options);
    startup_run(startup, answers[k].answer);
    startup_free(startup);
    if ((w.f->session->notes.count == 1) != answers[k].runs)
        fail_msg("state %zu, answer %zu: ran?", i, k);
    assert_string_equal(said(&w), answers[k].said);
    world_again(&w);
    static const char *const names[] = {"ask", "always", "never"};
    assert_string_equal(names[w.settings->trace_commands],
                        answers[k].setting ? answers[k].setting : names[states[i].setting]);
    enum remembered now =
        answers[k].remembered < 0 ? states[i].remembered : (enum remembered)answers[k].remembered;
    assert_int_equal(remembered_now(&w), now);
    /* The next start without the option is one of the states again. */
    size_t next = 0;
    while (states[next].option != NO_OPTION || states[next].setting != w.settings->trace_commands ||
           states[next].remembered != now)
        next++;
    if (states[i].setting == TRACE_COMMANDS_ASK && states[i].remembered == NOTHING)
        assert_int_equal(states[next].person, answers[k].again);
    w.options.trace_commands = NULL;
    startup = startup_new(w.f->session, &w.options);
    assert_int_equal(startup_asks(startup), states[next].person == 'a');
    startup_free(startup);
    world_free(&w);
}

static void every_answer_where_it_asks(void **state)
{
    (void)state;
    size_t asked = 0;
    for (size_t i = 0; i < N_STATES; i++)
        for (size_t k = 0; states[i].person == 'a' && k < sizeof answers / sizeof *answers; k++) {
            answer_state(i, k);
            asked++;
        }
    assert_int_equal(asked, 10 * 6);
}

/* ---- what a content is ---- */

#define STEP(id, arg)    "{\"id\": \"" id "\", \"args\": [\"" arg "\"]}"
#define CALL(id)         "{\"id\": \"" id "\", \"args\": []}"
#define MACRO(id, steps) "{\"id\": \"" id "\", \"name\": \"N\", \"run\": [" steps "]}"

static void add_macros(struct session *session, enum command_scope scope, const char *json)
{
    struct status st = STATUS_INIT;
    struct buffer path = BUFFER_INIT;
    struct macro_list list;
    json_t *root = json_strict_load(str_of(json), &st);
    assert_non_null(root);
    assert_true(macro_list_read(root, false, &path, &list, &st));
    macros_register(session, &list, scope, "test");
    macro_list_free(&list);
    json_decref(root);
    buffer_free(&path);
}

/* The id of these commands among these macros. */
static void content_of(const char *commands, const char *macros, enum command_scope scope,
                       char out[SHA256_HEX])
{
    struct status st = STATUS_INIT;
    struct invocation_list list;
    struct session *session = session_new(NULL);
    add_macros(session, scope, macros);
    assert_true(startup_parse_command_line(commands, &list, &st));
    trust_content_id(session->registry, &list, out);
    assert_int_equal(strlen(out), 64);
    invocation_list_free(&list);
    session_free(session);
}

#define NOTE(text) STEP("dev.perfetto.AddNoteAtTimestamp", text)
#define CHAIN(last) \
    "[" MACRO("a.A", CALL("a.B")) "," MACRO("a.B", CALL("a.C")) "," MACRO("a.C", last) "]"

static void what_makes_another_content(void **state)
{
    (void)state;
    static const struct {
        const char *commands, *macros;
        bool same;
    } table[] = {
        {"[" CALL("a.A") "]", CHAIN(NOTE("1")), true},
        {"[ {\"args\": [], \"id\": \"a.A\", \"note\": 1} ]", CHAIN(NOTE("1")), true},
        {"[" CALL("a.A") "]",
         "[" MACRO("x.X", NOTE("9")) "," MACRO("a.C", NOTE("1")) "," MACRO(
             "a.B", CALL("a.C")) "," MACRO("a.A", CALL("a.B")) "]",
         true},
        {"[" CALL("a.A") "," CALL("a.A") "]", CHAIN(NOTE("1")), false},
        {"[" CALL("a.B") "]", CHAIN(NOTE("1")), false},
        {"[" CALL("a.A") "]", CHAIN(NOTE("2")), false},
        {"[" CALL("a.A") "]", CHAIN(NOTE("1") "," NOTE("1")), false},
        {"[" CALL("a.A") "]", CHAIN(""), false},
        {"[" CALL("a.A") "]", CHAIN(CALL("a.A")), false}, /* a ring */
        {"[" CALL("a.A") "]", "[" MACRO("a.A", CALL("a.B")) "," MACRO("a.B", CALL("a.C")) "]",
         false},
        {"[" CALL("a.A") "]", "[]", false},
        {"[" NOTE("1") "]", "[]", false},
        {"[]", "[]", false},
    };
    char first[SHA256_HEX], one[SHA256_HEX];
    content_of(table[0].commands, table[0].macros, COMMAND_TRACE_MACRO, first);
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        content_of(table[i].commands, table[i].macros, COMMAND_TRACE_MACRO, one);
        if ((strcmp(first, one) == 0) != table[i].same) fail_msg("row %zu", i);
    }
    /* The same macro is the same, whoever has it. */
    content_of(table[0].commands, table[0].macros, COMMAND_SERVER_MACRO, one);
    assert_string_equal(first, one);
    /* As docs/security.md says how to compute it. */
    content_of("[" NOTE("1") "]", "[]", COMMAND_TRACE_MACRO, one);
    char want[SHA256_HEX];
    sha256_hex(STR("{\"commands\":[{\"id\":\"dev.perfetto.AddNoteAtTimestamp\",\"args\":[\"1\"]}],"
                   "\"macros\":[]}"),
               want);
    assert_string_equal(one, want);
}

/* A server's macro that takes the id of one that was shown does not run in its place. */
static void what_changes_after_it_was_shown_does_not_run(void **state)
{
    (void)state;
    static const enum startup_answer yes[] = {STARTUP_RUN, STARTUP_ALWAYS_THIS, STARTUP_ALWAYS};
    for (size_t i = 0; i < sizeof yes / sizeof *yes; i++) {
        struct world w;
        struct status st = STATUS_INIT;
        world_make(&w);
        trace_extensions_free(w.extensions);
        w.extensions = trace_extensions_read(
            STR("{\"type\": \"inline\", \"namespace\": \"a\", \"startup_commands\": [" CALL(
                "a.A") "]}"),
            &st);
        w.options.extensions = w.extensions;
        w.options.has_person = true;
        add_macros(w.f->session, COMMAND_TRACE_MACRO,
                   "[" MACRO("a.A", "{\"id\": \"dev.perfetto.AddNoteAtTimestamp\", \"args\": "
                                    "[\"1\", \"shown\"]}") "]");
        struct startup *startup = startup_new(w.f->session, &w.options);
        assert_true(startup_asks(startup));
        add_macros(w.f->session, COMMAND_SERVER_MACRO,
                   "[" MACRO("a.A", "{\"id\": \"dev.perfetto.AddNoteAtTimestamp\", \"args\": "
                                    "[\"1\", \"not shown\"]}") "]");
        startup_run(startup, yes[i]);
        assert_int_equal(w.f->session->notes.count, 0);
        assert_string_equal(said(&w), "1 startup command of the trace skipped: a macro among them "
                                      "changed after it was shown");
        assert_int_equal(w.settings->trace_commands, TRACE_COMMANDS_ASK);
        assert_int_equal(w.settings->decisions.count, 0);
        startup_free(startup);
        world_free(&w);
    }
}

/* ---- what is remembered ---- */

static void store(struct settings *settings, char digit, bool runs)
{
    struct status st = STATUS_INIT;
    struct trust_decision decision = {
        .runs = runs, .commands = 2, .origin = "namespace com.ex", .trace = "a\xff.zip"};
    memset(decision.content, digit, 64);
    assert_true(trust_store(settings, &decision, &st));
}

static void decisions_are_kept_listed_and_forgotten(void **state)
{
    (void)state;
    static const char *const refused[] = {"aaaaaaa", "bbbbbbbb", "", "ALL", "a*"};
    struct world w;
    struct status st = STATUS_INIT;
    world_make(&w);
    store(w.settings, 'a', true);
    store(w.settings, 'c', false);
    /* Another perfetty, which read the settings before that. */
    struct settings *other = settings_load(w.person, w.overlay, &st);
    store(w.settings, 'd', true);
    store(other, 'a', false); /* in the place of the other answer */
    settings_free(other);
    world_again(&w);
    assert_int_equal(w.settings->decisions.count, 3);
    struct buffer text = BUFFER_INIT;
    trust_append_line(&w.settings->decisions.items[2], &text);
    const char *line = "aaaaaaaaaaaa  skip  2 commands  namespace com.ex  since ";
    assert_memory_equal(buffer_text(&text), line, strlen(line));
    buffer_free(&text);
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        assert_int_equal(trust_forget(w.settings, refused[i], &st), 0);
        assert_non_null(strstr(status_message(&st), "no decision is remembered for"));
        status_clear(&st);
    }
    assert_int_equal(trust_forget(w.settings, "cccccccc", &st), 1);
    world_again(&w);
    assert_int_equal(w.settings->decisions.count, 2);
    assert_int_equal(trust_forget(w.settings, "all", &st), 2);
    world_again(&w);
    assert_int_equal(w.settings->decisions.count, 0);
    assert_int_equal(trust_forget(w.settings, "all", &st), 0);
    status_clear(&st);
    world_free(&w);
}

static void there_are_not_endlessly_many(void **state)
{
    (void)state;
    struct world w;
    world_make(&w);
    FILE *file = fopen(w.overlay, "w"); /* as many stores would have written it */
    fputs("{\"traceStartupDecisions\": [", file);
    for (int i = 0; i < TRUST_MOST_DECISIONS; i++)
        fprintf(file, "%s{\"content\": \"%064x\", \"run\": true}", i ? ", " : "", (unsigned)i);
    fputs("]}", file);
    fclose(file);
    store(w.settings, 'a', true);
    store(w.settings, 'b', true);
    store(w.settings, 'a', false);
    const struct trust_list *list = &w.settings->decisions;
    assert_int_equal(list->count, TRUST_MOST_DECISIONS);
    assert_int_equal(list->items[0].content[63], '2'); /* the oldest went */
    assert_int_equal(vec_last(list)->content[0], 'a');
    assert_false(vec_last(list)->runs);
    world_free(&w);
}

static void what_a_person_wrote_is_theirs(void **state)
{
    (void)state;
    static const struct {
        const char *json, *message;
    } table[] = {
        {"1", "is 1, but has to be a list of decisions"},
        {"[1]", "[0] is 1, but has to be an object"},
        {"[{\"run\": true}]", "[0].content is nothing, but has to be 64 digits"},
        {"[{\"content\": \"abc\", \"run\": true}]", "[0].content is \"abc\", but has to be"},
        {"[{\"content\": \"@\"}]", "[0].run is nothing, but has to be true or false"},
        {"[{\"content\": \"@\", \"run\": 1}]", "[0].run is 1, but has to be true or false"},
        {"[{\"content\": \"@\", \"run\": true, \"commands\": -1}]", "[0].commands is -1"},
        {"[{\"content\": \"@\", \"run\": true, \"day\": 3}]", "[0].day is 3, but has to be a text"},
        {"[{\"content\": \"@\", \"run\": true}]", NULL},
    };
    char content[SHA256_HEX];
    memset(content, '7', 64);
    content[64] = '\0';
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        struct world w;
        struct status st = STATUS_INIT;
        world_make(&w);
        FILE *file = fopen(w.person, "w");
        fputs("{\"traceStartupDecisions\": ", file);
        for (const char *c = table[i].json; *c; c++)
            *c == '@' ? fputs(content, file) : fputc(*c, file);
        fputs("}", file);
        fclose(file);
        struct settings *settings = settings_load(w.person, w.overlay, &st);
        assert_int_equal(settings != NULL, table[i].message == NULL);
        if (!settings) {
            if (!strstr(status_message(&st), table[i].message)) fail_msg("%s", st.message);
            assert_non_null(strstr(status_message(&st), "traceStartupDecisions"));
        } else {
            struct trust_decision decision = {.runs = false};
            assert_true(trust_find(settings, content)->runs);
            memset(decision.content, 'e', 64);
            assert_false(trust_store(settings, &decision, &st));
            assert_int_equal(trust_forget(settings, "all", &st), 0);
            assert_non_null(strstr(status_message(&st), "they are changed there"));
            settings_free(settings);
        }
        status_clear(&st);
        world_free(&w);
    }
}

/* ---- the commands ---- */

static void shown_and_forgotten_by_command(void **state)
{
    struct fixture *f = *state;
    struct status st = STATUS_INIT;
    struct world w;
    world_make(&w);
    store(w.settings, 'a', true);
    assert_int_equal(fixture_run(f, "ForgetStartupDecision aaaaaaaa", &st), COMMAND_FAILED);
    status_clear(&st); /* a session without settings */
    settings_apply(w.settings, f->session);
    assert_int_equal(fixture_run(f, "ShowStartupDecisions", &st), COMMAND_DONE);
    const char *page = session_tab_shown(f->session)->text;
    assert_non_null(strstr(page, "(1)\n  aaaaaaaaaaaa  run  2 commands  namespace com.ex"));
    assert_int_equal(fixture_run(f, "ForgetStartupDecision", &st), COMMAND_FAILED);
    assert_string_equal(status_message(&st), "the trace has no startup commands");
    status_clear(&st);
    assert_int_equal(fixture_run(f, "ForgetStartupDecision aaaaaaaa", &st), COMMAND_DONE);
    assert_string_equal(vec_last(&f->session->messages)->text,
                        "1 decision forgotten: the next such trace asks");
    assert_int_equal(fixture_run(f, "ShowStartupDecisions", &st), COMMAND_DONE);
    assert_non_null(strstr(session_tab_shown(f->session)->text, "(0)\n  none;"));
    f->session->settings = NULL;
    world_free(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_state),
        cmocka_unit_test(every_answer_where_it_asks),
        cmocka_unit_test(what_makes_another_content),
        cmocka_unit_test(what_changes_after_it_was_shown_does_not_run),
        cmocka_unit_test(decisions_are_kept_listed_and_forgotten),
        cmocka_unit_test(there_are_not_endlessly_many),
        cmocka_unit_test(what_a_person_wrote_is_theirs),
        cmocka_unit_test_setup_teardown(shown_and_forgotten_by_command, fixture_setup,
                                        fixture_teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
