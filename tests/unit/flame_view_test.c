/* The flamegraph's commands on a session: what each opens, moves to, filters and
 * says.  Slices of the fixture, ns: on main doFrame 1000-1400 (measure 1010-1110,
 * draw 1150-1350) and 2000-2100, stuck 2500-2900; DrawFrames 1200-1350 on
 * RenderThread; launching 1300-1800 and 1400-1450 of the process. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "commands/flame_text.h"
#include "commands/flame_view.h"
#include "engine/base/memory.h"
#include "tests/unit/session_fixture.h"

static void run_line(struct fixture *f, const char *line)
{
    struct status st = STATUS_INIT;
    if (fixture_run(f, line, &st) != COMMAND_DONE) fail_msg("%s: %s", line, status_message(&st));
}

static void run_refused(struct fixture *f, const char *line, const char *why)
{
    struct status st = STATUS_INIT;
    assert_int_equal(fixture_run(f, line, &st), COMMAND_FAILED);
    size_t at;
    if (!str_find(str_of(status_message(&st)), str_of(why), &at))
        fail_msg("%s: said %s", line, status_message(&st));
    status_clear(&st);
}

static const char *said(const struct fixture *f)
{
    return f->session->messages.items[f->session->messages.count - 1].text;
}

static double total(const struct fixture *f)
{
    assert_non_null(f->session->flame->tree);
    return f->session->flame->tree->nodes.items[0].total[0];
}

static const char *here(const struct fixture *f)
{
    static char name[64];
    const struct flame_view *view = f->session->flame;
    struct str text = flame_node_name(view->profile, flame_view_node(view));
    snprintf(name, sizeof name, "%.*s", (int)text.n, text.p);
    return name;
}

static void focus_main(struct fixture *f)
{
    const struct track_node *node =
        track_tree_find_track(&f->session->workspace->tree, 0, f->main_track);
    assert_true(session_focus_track(f->session, node->uri));
}

/* ---- what is opened ---- */

static void the_trace(void **state)
{
    struct fixture *f = *state;
    run_line(f, "Flamegraph trace slice");
    assert_true(total(f) == 1600);
    assert_string_equal(said(f), "flamegraph: Slice Duration of the whole trace");
    assert_int_equal(session_tab_shown(f->session)->kind, TAB_FLAME);
    assert_int_equal(f->session->pane, PANE_DETAILS);
    run_line(f, "Flamegraph trace");
    assert_string_equal(f->session->flame->weighed.name, "Samples");
}

static void a_thread_and_its_process(void **state)
{
    struct fixture *f = *state;
    focus_main(f);
    run_line(f, "Flamegraph thread slice");
    assert_true(total(f) == 900);
    assert_string_equal(f->session->flame->now.title, "main 4213");
    run_line(f, "Flamegraph process slice");
    assert_true(total(f) == 1600);
    assert_string_equal(f->session->flame->now.title, "com.ex.shop 4213");
    run_line(f, "SelectArea 1000 1100");
    run_line(f, "Flamegraph thread slice"); /* the selected time narrows it */
    assert_true(total(f) == 100);
    assert_string_equal(f->session->flame->now.title, "main 4213 in 100 ns");
}

static void selections(void **state)
{
    struct fixture *f = *state;
    run_line(f, "SelectEventByTableNameAndId slice 2"); /* draw */
    run_line(f, "Flamegraph");
    assert_true(total(f) == 200);
    assert_string_equal(f->session->flame->weighed.name, "Slice Duration");
    assert_true(strstr(f->session->flame->now.title, "draw on ") != NULL);
    run_line(f, "SelectArea 1000 1200");
    run_line(f, "Flamegraph selection slice");
    assert_true(total(f) == 200);
    assert_string_equal(f->session->flame->now.title, "200 ns");
    focus_main(f);
    char line[200];
    snprintf(line, sizeof line, "SelectArea 1000 1300 \"^%s$\"", f->session->focus->name);
    run_line(f, line);
    run_line(f, "Flamegraph selection slice");
    assert_true(total(f) == 300); /* without DrawFrames */
}

static void windows_and_marks(void **state)
{
    struct fixture *f = *state;
    run_refused(f, "Flamegraph marks", "no mark is set");
    session_set_window(f->session, 1000, 1100);
    run_line(f, "Flamegraph window slice");
    assert_true(total(f) == 100);
    session_set_cursor(f->session, 1000);
    run_line(f, "SetMark a");
    session_set_cursor(f->session, 1200);
    run_line(f, "Flamegraph marks slice"); /* one mark, and the cursor */
    assert_true(total(f) == 200);
    run_line(f, "SetMark b");
    session_set_cursor(f->session, 2800);
    run_line(f, "Flamegraph marks slice");
    assert_true(total(f) == 200);
}

static void what_is_not_there_is_said(void **state)
{
    struct fixture *f = *state;
    run_refused(f, "FlamegraphMove down", "no flamegraph is open");
    run_refused(f, "FlamegraphFilter x", "no flamegraph is open");
    run_refused(f, "Flamegraph trace bananas", "Samples, Slice Duration");
    run_refused(f, "Flamegraph nowhere", "");
}

static void a_trace_of_nothing_has_none(void **state)
{
    (void)state;
    struct tables *t = tables_new();
    machine_append(&t->machine, &(struct machine_row){0});
    tables_freeze(t);
    struct fixture f = {.session = session_new(NULL), .tables = t};
    session_add_tables(f.session, t, 0, 10, "empty");
    run_refused(&f, "Flamegraph trace", "no call stacks, no heaps and no slices");
    flame_view_open_alone(f.session);
    assert_int_equal(f.session->tabs.count, 1);
    session_free(f.session);
    tables_free(t);
}

static void profiles_alone_open_by_themselves(void **state)
{
    (void)state;
    struct tables *t = tables_new();
    machine_append(&t->machine, &(struct machine_row){0});
    aggregate_profile_append(
        &t->aggregate_profile,
        &(struct aggregate_profile_row){.sample_type_type = fixture_name(t, "space"),
                                        .sample_type_unit = fixture_name(t, "bytes")});
    stack_profile_frame_append(&t->stack_profile_frame,
                               &(struct stack_profile_frame_row){.name = fixture_name(t, "f")});
    stack_profile_callsite_append(&t->stack_profile_callsite,
                                  &(struct stack_profile_callsite_row){0});
    aggregate_sample_append(&t->aggregate_sample, &(struct aggregate_sample_row){.value = 12});
    tables_freeze(t);
    struct fixture f = {.session = session_new(NULL), .tables = t};
    session_add_tables(f.session, t, 0, 1, "alone");
    flame_view_open_alone(f.session);
    assert_true(total(&f) == 12);
    assert_int_equal(f.session->drawer, DRAWER_FULL);
    assert_int_equal(session_tab_shown(f.session)->kind, TAB_FLAME);
    session_free(f.session);
    tables_free(t);
}

/* ---- in it ---- */

static void moving_and_zooming(void **state)
{
    struct fixture *f = *state;
    run_line(f, "Flamegraph trace slice");
    struct flame_view *view = f->session->flame;
    run_line(f, "FlamegraphMove up"); /* nothing is over all */
    assert_int_equal(view->cursor, 0);
    run_line(f, "FlamegraphMove down");
    assert_string_equal(here(f), "launching"); /* 550 */
    run_line(f, "FlamegraphMove right");
    assert_string_equal(here(f), "doFrame"); /* 500 */
    run_line(f, "FlamegraphMove down");
    assert_string_equal(here(f), "draw");
    run_line(f, "FlamegraphMove right");
    assert_string_equal(here(f), "measure");
    run_line(f, "FlamegraphMove right");
    assert_string_equal(here(f), "measure"); /* the last of its row */
    run_line(f, "FlamegraphZoom");
    assert_int_equal(view->zoom, view->cursor);
    assert_string_equal(said(f), "measure fills the width");
    run_line(f, "FlamegraphMove up");
    assert_string_equal(here(f), "doFrame");
    run_line(f, "FlamegraphZoom in");
    run_line(f, "FlamegraphMove right"); /* out of what is zoomed */
    assert_string_equal(here(f), "stuck");
    assert_int_equal(view->zoom, 0);
    run_line(f, "FlamegraphZoom in");
    run_line(f, "FlamegraphBack");
    assert_int_equal(view->zoom, 0);
    assert_int_equal(f->session->pane, PANE_DETAILS);
    run_line(f, "FlamegraphBack");
    assert_int_equal(f->session->pane, PANE_TIMELINE);
}

static void filters_by_words_and_by_frame(void **state)
{
    struct fixture *f = *state;
    run_line(f, "Flamegraph trace slice");
    struct flame_view *view = f->session->flame;
    run_line(f, "FlamegraphFilter 'show stack: doframe HF:/^measure$/'");
    assert_string_equal(said(f), "flamegraph filters: SS:doframe HF:/^measure$/");
    assert_true(total(f) == 500);
    assert_int_equal(view->tree->nodes.count, 3); /* all, doFrame, draw */
    run_line(f, "FlamegraphClearFilters last");
    assert_string_equal(said(f), "flamegraph filters: SS:doframe");
    assert_int_equal(view->tree->nodes.count, 4);
    run_refused(f, "FlamegraphFilter HS:/(/", "bad regular expression");
    assert_int_equal(view->look.filters.count, 1);
    run_refused(f, "FlamegraphFilter 'SS: HS:x'", "the pattern is empty");
    run_line(f, "FlamegraphClearFilters");
    assert_true(total(f) == 1600);
    run_refused(f, "FlamegraphFilterFrame hide", "the cursor is on no frame");
    run_line(f, "FlamegraphMove down");
    run_line(f, "FlamegraphFilterFrame hide");
    assert_string_equal(said(f), "flamegraph filters: HS:/^launching$/");
    assert_true(total(f) == 1050);
    run_line(f, "FlamegraphMove down");
    run_line(f, "FlamegraphMove down");
    assert_string_equal(here(f), "draw");
    run_line(f, "FlamegraphFilterFrame pivot");
    assert_int_equal(view->drawn.direction, FLAME_PIVOT);
    assert_true(total(f) == 200);
    assert_string_equal(here(f), "draw"); /* there is no root to stand on */
    run_line(f, "FlamegraphMove up");
    assert_string_equal(here(f), "doFrame");
    assert_true(flame_view_node(view)->is_caller);
    run_line(f, "FlamegraphMove up");
    assert_string_equal(here(f), "doFrame");
    run_line(f, "FlamegraphMove down");
    assert_string_equal(here(f), "draw");
    assert_false(flame_view_node(view)->is_caller);
}

static void sides_and_measures(void **state)
{
    struct fixture *f = *state;
    run_line(f, "Flamegraph trace slice");
    run_line(f, "FlamegraphDirection");
    assert_int_equal(f->session->flame->drawn.direction, FLAME_BOTTOM_UP);
    run_line(f, "FlamegraphDirection top-down");
    assert_int_equal(f->session->flame->drawn.direction, FLAME_TOP_DOWN);
    run_line(f, "FlamegraphMetric");
    assert_string_equal(said(f), "flamegraph by Samples (1 of 2)");
    run_line(f, "FlamegraphMetric \"slice dur\"");
    assert_string_equal(said(f), "flamegraph by Slice Duration (2 of 2)");
    run_refused(f, "FlamegraphMetric Cycles", "the trace has no Cycles to weigh by");
    assert_true(total(f) == 1600);
}

static void highlights_are_walked(void **state)
{
    struct fixture *f = *state;
    run_line(f, "Flamegraph trace slice");
    run_refused(f, "FlamegraphNextMatch", "no frame is highlighted");
    run_line(f, "FlamegraphHighlight /^d/i");
    assert_int_equal(f->session->flame->tree->highlighted_nodes, 3);
    static const char *const order[] = {"doFrame", "DrawFrames", "draw", "doFrame"};
    for (size_t i = 0; i < 4; i++) {
        run_line(f, "FlamegraphNextMatch");
        assert_string_equal(here(f), order[i]);
    }
    run_line(f, "FlamegraphNextMatch previous");
    assert_string_equal(here(f), "draw");
}

static void two_selections_are_compared(void **state)
{
    struct fixture *f = *state;
    run_line(f, "SelectArea 1000 1400");
    run_line(f, "Flamegraph selection slice");
    run_refused(f, "FlamegraphCompare", "nothing to compare with");
    run_line(f, "FlamegraphSetBase");
    assert_string_equal(said(f), "what flamegraphs are compared with: 400 ns");
    run_line(f, "Flamegraph trace slice");
    run_line(f, "FlamegraphCompare");
    assert_string_equal(said(f), "the whole trace compared with 400 ns");
    const struct flame_tree *tree = f->session->flame->tree;
    assert_true(tree->nodes.items[0].total[0] == 1600);
    assert_true(tree->nodes.items[0].total[1] == 400 + 150 + 100);
    assert_true(tree->nodes.items[0].width == 2250);
    run_line(f, "FlamegraphCompare");
    assert_true(f->session->flame->tree->nodes.items[0].width == 1600);
    run_line(f, "FlamegraphSetBase window");
    assert_true(strstr(said(f), "in the window") != NULL);
}

static void export_asks_the_screen(void **state)
{
    struct fixture *f = *state;
    struct session_request request;
    run_refused(f, "ExportFlamegraph /tmp/x.svg", "no flamegraph is open");
    run_line(f, "Flamegraph trace slice");
    run_line(f, "ExportFlamegraph /tmp/x.svg");
    assert_true(session_take_request(f->session, &request));
    assert_int_equal(request.kind, REQUEST_EXPORT);
    assert_string_equal(request.text, "/tmp/x.svg");
    mem_free(request.text);
    run_line(f, "FlamegraphFilter");
    assert_true(session_take_request(f->session, &request));
    assert_int_equal(request.kind, REQUEST_FLAME_FILTER);
    mem_free(request.text);
}

/* On a worker: the command returns, the tree comes with session_poll. */
static void a_worker_makes_it(void **state)
{
    struct fixture *f = *state;
    struct worker *worker = worker_new(NULL, NULL);
    f->session->traces[0].worker = worker;
    run_line(f, "Flamegraph trace slice");
    run_line(f, "FlamegraphDirection bottom-up"); /* takes the place of what runs */
    for (int i = 0; session_is_busy(f->session) && i < 100000000; i++)
        session_poll(f->session);
    assert_true(total(f) == 1600);
    assert_int_equal(f->session->flame->drawn.direction, FLAME_BOTTOM_UP);
    run_line(f, "FlamegraphMetric");
    session_interrupt(f->session);
    for (int i = 0; session_is_busy(f->session) && i < 100000000; i++)
        session_poll(f->session);
    session_free(f->session);
    worker_free(worker);
    f->session = session_new(NULL);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, fixture_setup, fixture_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(the_trace),
        TEST(a_thread_and_its_process),
        TEST(selections),
        TEST(windows_and_marks),
        TEST(what_is_not_there_is_said),
        cmocka_unit_test(a_trace_of_nothing_has_none),
        cmocka_unit_test(profiles_alone_open_by_themselves),
        TEST(moving_and_zooming),
        TEST(filters_by_words_and_by_frame),
        TEST(sides_and_measures),
        TEST(highlights_are_walked),
        TEST(two_selections_are_compared),
        TEST(export_asks_the_screen),
        TEST(a_worker_makes_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
