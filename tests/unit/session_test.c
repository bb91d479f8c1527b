/* The session: view, rows, selection, events, jumps, notes, search. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "commands/event.h"
#include "engine/base/memory.h"
#include "tests/unit/session_fixture.h"

static void the_window_stays_near_the_trace(void **state)
{
    struct fixture *f = *state;
    struct session *s = f->session;
    assert_int_equal(s->window_start, 900);
    assert_int_equal(s->window_end, 2900);
    session_set_window(s, INT64_MIN, INT64_MAX);
    assert_true(s->window_start < 900 && s->window_start > 700);
    assert_true(s->window_end > 2900 && s->window_end < 3100);
    session_set_window(s, 2000, 2000);
    assert_int_equal(s->window_end - s->window_start, SESSION_MIN_WINDOW);
    session_set_window(s, 1000, 2000);
    session_zoom(s, 0.5, 1250);
    assert_int_equal(s->window_end - s->window_start, 500);
    assert_int_equal(s->window_start, 1125);
    session_pan(s, -1000.0);
    assert_int_equal(s->window_end - s->window_start, 500);
    assert_true(s->cursor >= s->start && s->cursor < s->window_end);
    session_zoom(s, 1e300, 1250);
    session_zoom(s, 1e-300, 1250);
    assert_int_equal(s->window_end - s->window_start, SESSION_MIN_WINDOW);
    session_set_cursor(s, INT64_MAX);
    assert_int_equal(s->cursor, 2900);
    assert_true(s->window_end > 2900);
}

static void hostile_bounds_do_not_overflow(void **state)
{
    (void)state;
    struct tables *t = tables_new();
    machine_append(&t->machine, &(struct machine_row){0});
    tables_freeze(t);
    struct session *s = session_new(NULL);
    session_add_tables(s, t, INT64_MIN, INT64_MAX, "hostile");
    session_zoom(s, 0.1, s->cursor);
    session_pan(s, 1e30);
    session_pan(s, -1e30);
    session_set_cursor(s, INT64_MIN);
    session_add_tables(s, t, INT64_MAX, INT64_MIN, "backwards");
    session_set_window(s, 0, 0);
    session_free(s);
    tables_free(t);
}

static void folding_keeps_the_focus_in_sight(void **state)
{
    struct fixture *f = *state;
    struct session *s = f->session;
    assert_true(session_focus_track(s, "t0/track/0"));
    assert_string_equal(s->focus->name, "main 4213");
    struct track_node *process = track_tree_find(&s->workspace->tree, "t0/process/1");
    assert_false(process->collapsed);
    assert_int_equal(fixture_run(f, "CollapseTracksByRegex com.ex.*", NULL), COMMAND_DONE);
    assert_true(process->collapsed);
    assert_ptr_equal(s->focus, process);
    assert_true(session_focus_index(s) >= 0);
}

static void events_are_found_at_a_time(void **state)
{
    struct fixture *f = *state;
    struct event event;
    const struct track_tree *tree = &f->session->workspace->tree;
    const struct track_node *node = track_tree_find_track(tree, 0, f->main_track);
    assert_true(event_at(f->session, node, 0, 1399, &event));
    assert_int_equal(event.id, 0);
    assert_int_equal(event.dur, 400);
    assert_false(event_at(f->session, node, 0, 1400, &event));
    assert_true(event_at(f->session, node, 1, 1150, &event));
    assert_int_equal(event.id, 2);
    assert_true(event_at(f->session, node, UINT32_MAX, 1050, &event));
    assert_int_equal(event.id, 1);
    assert_true(event_near(f->session, node, 1, 1400, 60, &event));
    assert_int_equal(event.id, 2);
    assert_true(event_at(f->session, node, 0, 2890, &event));
    assert_true(event.unfinished);
    assert_int_equal(event.dur, 400);
    node = track_tree_find_track(tree, 0, f->async_b);
    assert_true(event_at(f->session, node, 1, 1420, &event));
    assert_int_equal(event.id, 5);
    assert_int_equal(event.depth, 1);
    node = track_tree_find_track(tree, 0, f->memory);
    assert_true(event_at(f->session, node, 0, 1700, &event));
    assert_int_equal(event.ts, 1500);
    assert_int_equal(event.dur, 500);
    node = track_tree_find(tree, "t0/samples/linux.perf/thread/2");
    assert_int_equal(node->events, 1);
}

static void events_step_in_order_of_time(void **state)
{
    struct fixture *f = *state;
    struct event event;
    const struct track_tree *tree = &f->session->workspace->tree;
    const struct track_node *node = track_tree_find_track(tree, 0, f->async_a);
    assert_true(event_step(f->session, node, 0, -1, true, &event));
    assert_int_equal(event.id, 4);
    assert_true(event_step(f->session, node, event.ts, event.id, true, &event));
    assert_int_equal(event.id, 5);
    assert_false(event_step(f->session, node, event.ts, event.id, true, &event));
    assert_true(event_step(f->session, node, event.ts, event.id, false, &event));
    assert_int_equal(event.id, 4);
}

static void selecting_and_walking(void **state)
{
    struct fixture *f = *state;
    struct session *s = f->session;
    session_focus_track(s, "t0/track/0");
    session_set_cursor(s, 1020);
    assert_int_equal(fixture_run(f, "SelectUnderCursor", NULL), COMMAND_DONE);
    assert_int_equal(s->selection.kind, SELECTION_EVENT);
    assert_int_equal(s->selection.id, 0);
    assert_int_equal(fixture_run(f, "SelectLongestChild", NULL), COMMAND_DONE);
    assert_int_equal(s->selection.id, 2);
    assert_int_equal(s->focus_depth, 1);
    assert_int_equal(fixture_run(f, "SelectParent", NULL), COMMAND_DONE);
    assert_int_equal(s->selection.id, 0);
    assert_int_equal(fixture_run(f, "NextSameName", NULL), COMMAND_DONE);
    assert_int_equal(s->selection.id, 6);
    assert_int_equal(fixture_run(f, "NextSameName", NULL), COMMAND_FAILED);
    assert_int_equal(fixture_run(f, "PreviousSameName", NULL), COMMAND_DONE);
    assert_int_equal(fixture_run(f, "MoveNextFlow", NULL), COMMAND_DONE);
    assert_int_equal(s->selection.id, 3);
    assert_string_equal(s->focus->name, "RenderThread 4250");
    assert_int_equal(fixture_run(f, "MovePrevFlow", NULL), COMMAND_DONE);
    assert_int_equal(s->selection.id, 0);
    assert_int_equal(fixture_run(f, "JumpBack", NULL), COMMAND_DONE);
    assert_int_equal(s->selection.id, 3);
    assert_int_equal(fixture_run(f, "JumpForward", NULL), COMMAND_DONE);
    assert_int_equal(s->selection.id, 0);
    assert_int_equal(fixture_run(f, "SelectWaker", NULL), COMMAND_DONE);
    assert_int_equal(s->selection.table, EVENT_THREAD_STATE);
    assert_int_equal(s->selection.id, 0);
    assert_int_equal(fixture_run(f, "Deselect", NULL), COMMAND_DONE);
    assert_int_equal(s->selection.kind, SELECTION_NONE);
}

static void an_area_follows_the_cursor(void **state)
{
    struct fixture *f = *state;
    struct session *s = f->session;
    session_set_cursor(s, 1000);
    session_focus_row(s, 1);
    assert_int_equal(fixture_run(f, "ToggleArea", NULL), COMMAND_DONE);
    session_set_cursor(s, 1500);
    session_focus_row(s, 2);
    assert_int_equal(s->selection.kind, SELECTION_AREA);
    assert_int_equal(s->selection.start, 1000);
    assert_int_equal(s->selection.end, 1500);
    assert_int_equal(s->selection.tracks.count, 2);
    assert_string_equal(s->selection.tracks.items[1], "t0/sched/1");
    assert_int_equal(fixture_run(f, "ToggleArea", NULL), COMMAND_DONE);
    session_set_cursor(s, 2000);
    assert_int_equal(s->selection.end, 1500);
    assert_int_equal(fixture_run(f, "FocusSelection", NULL), COMMAND_DONE);
    assert_true(s->window_start < 1000 && s->window_start > 900);
    int64_t start = s->window_start;
    assert_int_equal(fixture_run(f, "FocusSelection", NULL), COMMAND_DONE);
    assert_true(s->window_start < start);
    assert_int_equal(fixture_run(f, "SelectAll", NULL), COMMAND_DONE);
    assert_int_equal(s->selection.tracks.count, 2);
    assert_int_equal(fixture_run(f, "SelectAll", NULL), COMMAND_DONE);
    assert_int_equal(s->selection.tracks.count, 0);
}

static void searching(void **state)
{
    struct fixture *f = *state;
    struct session *s = f->session;
    struct status st = STATUS_INIT;
    session_search(s, "DOFRAME");
    assert_int_equal(s->search.hits.count, 2);
    assert_true(session_search_step(s, true, &st));
    assert_int_equal(s->selection.id, 0);
    assert_true(session_search_step(s, true, &st));
    assert_int_equal(s->selection.id, 6);
    assert_true(session_search_step(s, true, &st));
    assert_int_equal(s->selection.id, 0);
    assert_true(session_search_step(s, false, &st));
    assert_int_equal(s->search.current, 1);
    session_search(s, "shop");
    assert_int_equal(s->search.hits.count, 3); /* main on its CPU, twice; a log line */
    session_search(s, "3");
    assert_true(s->search.hits.count >= 1);
    session_search(s, "*");
    assert_int_equal(s->search.hits.count, 0);
    assert_false(session_search_step(s, true, &st));
    assert_string_equal(st.message, "0 hits for *");
    status_clear(&st);
    session_search(s, "");
    assert_null(s->search.term);
}

static void rebuilding_keeps_what_was_set(void **state)
{
    struct fixture *f = *state;
    struct session *s = f->session;
    session_focus_track(s, "t0/track/0");
    session_pin(s, s->focus);
    struct buffer before = BUFFER_INIT, after = BUFFER_INIT;
    fixture_rows(s, &before);
    session_rebuild(s);
    fixture_rows(s, &after);
    assert_string_equal(buffer_text(&before), buffer_text(&after));
    assert_string_equal(s->focus->uri, "t0/track/0");
    buffer_free(&before);
    buffer_free(&after);
}

static void two_traces_on_one_ruler(void **state)
{
    struct fixture *f = *state;
    struct session *s = f->session;
    session_add_tables(s, f->tables, 1900, 3900, "the other");
    assert_int_equal(s->traces[1].offset_ns, -1000);
    assert_int_equal(s->workspace->tree.root.children.count, 2);
    struct event event;
    assert_true(event_get(s, 1, EVENT_SLICE, 6, &event));
    assert_int_equal(event.ts, 1000);
    assert_string_equal(event.node->uri, "t1/track/0");
}

static void marks_and_notes(void **state)
{
    struct fixture *f = *state;
    struct session *s = f->session;
    struct status st = STATUS_INIT;
    session_set_cursor(s, 1111);
    assert_int_equal(fixture_run(f, "SetMark a", &st), COMMAND_DONE);
    session_set_cursor(s, 2222);
    assert_int_equal(fixture_run(f, "GoToMark a", &st), COMMAND_DONE);
    assert_int_equal(s->cursor, 1111);
    assert_int_equal(fixture_run(f, "GoToMark b", &st), COMMAND_FAILED);
    assert_string_equal(st.message, "mark b is not set");
    status_clear(&st);
    assert_int_equal(fixture_run(f, "SetMark 1", &st), COMMAND_FAILED);
    status_clear(&st);
    assert_int_equal(fixture_run(f, "AddNoteAtTimestamp 1771711048774386001 'a note'", &st),
                     COMMAND_DONE);
    assert_true(s->notes.items[0].start == INT64_C(1771711048774386001));
    assert_string_equal(s->notes.items[0].text, "a note");
    session_select_area(s, 1000, 1100, NULL, 0);
    assert_int_equal(fixture_run(f, "AddSpanNote", &st), COMMAND_DONE);
    assert_int_equal(s->notes.items[1].end, 1100);
    session_select_note(s, s->notes.items[1].id);
    assert_int_equal(fixture_run(f, "RemoveSelectedNote", &st), COMMAND_DONE);
    assert_int_equal(s->notes.count, 1);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, fixture_setup, fixture_teardown)
    const struct CMUnitTest tests[] = {
        TEST(the_window_stays_near_the_trace),
        cmocka_unit_test(hostile_bounds_do_not_overflow),
        TEST(folding_keeps_the_focus_in_sight),
        TEST(events_are_found_at_a_time),
        TEST(events_step_in_order_of_time),
        TEST(selecting_and_walking),
        TEST(an_area_follows_the_cursor),
        TEST(searching),
        TEST(rebuilding_keeps_what_was_set),
        TEST(two_traces_on_one_ruler),
        TEST(marks_and_notes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
