/* The order of a viewer's start (spec/sidecar.md) on the bundled example, with
 * an engine and a worker, but without a screen. */
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "commands/event.h"
#include "commands/startup.h"
#include "engine/base/memory.h"
#include "macros/sources.h"
#include "tests/unit/session_fixture.h"

struct opened {
    struct engine *engine;
    struct worker *worker;
    struct session *session;
    struct trace_extensions *extensions;
};

static bool open_example(struct opened *o)
{
    const char *operands[] = {BINARY_DIR "/example.zip"};
    struct status st = STATUS_INIT;
    *o = (struct opened){0};
    if (access(operands[0], R_OK) != 0) {
        print_message("skipped: no %s\n", operands[0]);
        return false;
    }
    o->engine = engine_new();
    const struct engine_options options = {.extensions = ENGINE_EXTENSIONS_LOAD};
    bool loaded = engine_load(o->engine, operands, 1, &options, &st);
    if (!loaded) print_error("%s\n", status_message(&st));
    assert_true(loaded);
    o->worker = worker_new(NULL, NULL);
    o->session = session_new(NULL);
    session_add_trace(o->session, o->engine, o->worker, "example.zip");
    struct str row = engine_trace_extensions(o->engine);
    if (row.n) o->extensions = trace_extensions_read(row, &st);
    assert_int_equal(st.code, STATUS_OK);
    macros_register_bundled(o->session);
    if (o->extensions) assert_true(macros_register_trace(o->session, o->extensions, &st));
    return true;
}

static void close_example(struct opened *o)
{
    session_free(o->session);
    trace_extensions_free(o->extensions);
    worker_free(o->worker);
    engine_free(o->engine);
}

static void nothing(void *argument, struct cancel *cancel)
{
    (void)argument;
    (void)cancel;
}

/* Jobs run in order: when a new one is done, all before it are. */
static void settle(struct opened *o)
{
    struct job *job = worker_post(o->worker, nothing, NULL, NULL);
    job_wait(job);
    job_release(job);
    session_poll(o->session);
    assert_false(session_is_busy(o->session));
}

static void show(struct opened *o)
{
    if (!getenv("PERFETTY_SHOW")) return;
    struct buffer rows = BUFFER_INIT;
    fixture_rows(o->session, &rows);
    printf("%s", buffer_text(&rows));
    for (size_t i = 0; i < o->session->messages.count; i++)
        printf("message: %s\n", o->session->messages.items[i].text);
    for (size_t i = 0; i < o->session->startup_report.lines.count; i++)
        printf("report: %s (%s): %s\n", o->session->startup_report.lines.items[i].id,
               o->session->startup_report.lines.items[i].macro
                   ? o->session->startup_report.lines.items[i].macro
                   : "-",
               o->session->startup_report.lines.items[i].why);
    for (size_t i = 0; i < o->session->tabs.count; i++)
        printf("tab: %s %d %s\n", o->session->tabs.items[i]->title,
               (int)o->session->tabs.items[i]->state,
               o->session->tabs.items[i]->error ? o->session->tabs.items[i]->error : "");
    buffer_free(&rows);
}

static void the_examples_commands_run(void **state)
{
    (void)state;
    struct opened o;
    if (!open_example(&o)) return;
    assert_non_null(o.extensions);
    assert_true(o.extensions->startup_commands.count > 0);
    enum trace_commands always = TRACE_COMMANDS_ALWAYS;
    struct startup_options options = {.extensions = o.extensions, .trace_commands = &always};
    struct startup *startup = startup_new(o.session, &options);
    assert_false(startup_asks(startup));
    startup_run(startup, STARTUP_NO_QUESTION);
    startup_free(startup);
    settle(&o);
    show(&o);
    assert_true(o.session->startup_report.ran > 0);
    close_example(&o);
}

static void bundled_macros_run(void **state)
{
    (void)state;
    struct opened o;
    if (!open_example(&o)) return;
    const struct registry *registry = o.session->registry;
    for (uint32_t i = 0; i < registry_count(registry); i++) {
        const struct registry_entry *entry = registry_at(registry, i);
        if (entry->scope != COMMAND_BUNDLED_MACRO) continue;
        struct status st = STATUS_INIT;
        enum command_outcome outcome =
            registry_run(o.session, entry->command->id, NULL, 0, &COMMAND_CONTEXT_PERSON, &st);
        if (outcome != COMMAND_DONE)
            print_error("%s: %s\n", entry->command->id, status_message(&st));
        assert_int_equal(outcome, COMMAND_DONE);
    }
    settle(&o);
    for (size_t i = 0; i < o.session->tabs.count; i++) {
        const struct tab *tab = o.session->tabs.items[i];
        if (tab->error) print_error("%s: %s\n", tab->title, tab->error);
        assert_null(tab->error);
    }
    show(&o);
    close_example(&o);
}

static void events_of_every_track_can_be_walked(void **state)
{
    (void)state;
    struct opened o;
    if (!open_example(&o)) return;
    const struct track_node *root = &o.session->workspace->tree.root;
    for (struct track_node *node = track_tree_next(root, root); node;
         node = track_tree_next(root, node)) {
        struct event event, again;
        if (node->children.count || node->kind == TRACK_KIND_GROUP) continue;
        if (!event_step(o.session, node, INT64_MIN / 4, -1, true, &event)) {
            print_error("%s has no events (kind %d)\n", node->uri, node->kind);
            fail();
        }
        assert_ptr_equal(event.node, node);
        session_select_found(o.session, &event);
        session_show_selection(o.session);
        assert_true(event_of_selection(o.session, &again));
        assert_int_equal(again.ts, event.ts);
        assert_ptr_equal(again.node, node);
        assert_true(event_at(o.session, node, event.depth, event.ts, &again));
    }
    close_example(&o);
}

static void searching_on_the_worker(void **state)
{
    (void)state;
    struct opened o;
    if (!open_example(&o)) return;
    struct status st = STATUS_INIT;
    session_search(o.session, "doframe");
    assert_true(session_search_step(o.session, true, &st));
    assert_int_equal(o.session->selection.kind, SELECTION_EVENT);
    assert_true(o.session->search.hits.count > 1);
    close_example(&o);
}

static void an_endless_query_is_stopped(void **state)
{
    (void)state;
    struct opened o;
    if (!open_example(&o)) return;
    struct tab *tab = session_open_query(
        o.session, 0, ENGINE_ORIGIN_USER, "endless", NULL,
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT sum(i) FROM n");
    assert_int_equal(tab->state, TAB_RUNNING);
    while (tab->state == TAB_RUNNING) {
        session_interrupt(o.session);
        session_poll(o.session);
        sched_yield();
    }
    assert_int_equal(tab->state, TAB_FAILED);
    struct result *result = session_query(o.session, 0, ENGINE_ORIGIN_USER, "SELECT 1", 1, NULL);
    assert_non_null(result);
    result_free(result);
    close_example(&o);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_examples_commands_run),
        cmocka_unit_test(bundled_macros_run),
        cmocka_unit_test(events_of_every_track_can_be_walked),
        cmocka_unit_test(searching_on_the_worker),
        cmocka_unit_test(an_endless_query_is_stopped),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
