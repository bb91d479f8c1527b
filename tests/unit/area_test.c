/* The tables over an area: what counts, and that the shown one follows. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "commands/area.h"
#include "engine/base/memory.h"
#include "tests/unit/session_fixture.h"

/* The views come at the end of a load; these tables were filled without one. */
static int setup(void **state)
{
    static const char include[] = "INCLUDE PERFETTO MODULE prelude.after_eof.*";
    fixture_setup_engine(state);
    struct fixture *f = *state;
    struct status st = STATUS_INIT;
    struct result *result = engine_query_result(f->engine, STR(include), 0, &st);
    if (!result) print_error("%s\n", status_message(&st));
    result_free(result);
    return result ? 0 : -1;
}

static void run(struct fixture *f, const char *line)
{
    struct status st = STATUS_INIT;
    enum command_outcome outcome = fixture_run(f, line, &st);
    if (outcome != COMMAND_DONE) print_error("%s: %s\n", line, status_message(&st));
    assert_int_equal(outcome, COMMAND_DONE);
    status_clear(&st);
}

static void write_cell(const struct result_cell *cell, struct buffer *out)
{
    switch (cell->type) {
    case CELL_NULL: buffer_append_byte(out, '-'); break;
    case CELL_INT: buffer_printf(out, "%lld", (long long)cell->integer); break;
    case CELL_REAL: buffer_printf(out, "%g", cell->real); break;
    default: buffer_append_str(out, cell->text);
    }
}

/* The shown tab's rows: the named columns, a blank between, a line each. */
static void expect_rows(struct fixture *f, const char *columns, const char *rows)
{
    const struct tab *tab = session_tab_shown(f->session);
    struct buffer text = BUFFER_INIT;
    if (tab->error) print_error("%s\n%s\n", tab->error, tab->sql);
    assert_non_null(tab->result);
    for (uint64_t row = 0; row < tab->result->n_rows; row++) {
        struct str rest = str_of(columns), name;
        for (bool first = true; str_split_next(&rest, ' ', &name); first = false) {
            uint32_t column = 0;
            while (column < tab->result->n_columns && !str_is(name, tab->result->names[column]))
                column++;
            if (column == tab->result->n_columns) print_error("no column %.*s\n", STR_ARG(name));
            assert_true(column < tab->result->n_columns);
            if (!first) buffer_append_byte(&text, ' ');
            write_cell(result_at(tab->result, row, column), &text);
        }
        buffer_append_byte(&text, '\n');
    }
    assert_string_equal(buffer_text(&text), rows);
    buffer_free(&text);
}

static void test_cpu_time_is_cut_at_the_edges(void **state)
{
    struct fixture *f = *state;
    run(f, "SelectArea 1050 1250");
    run(f, "AreaCpuByThread");
    expect_rows(f, "process thread tid runs cpu_dur cpu_percent avg_dur max_dur",
                "com.ex.shop main 4213 2 100 50 50 50\n"
                "/system/bin/logd logd 77 1 100 50 100 100\n");
    run(f, "AreaCpuByProcess");
    expect_rows(f, "process pid threads cpu_dur",
                "com.ex.shop 4213 1 100\n/system/bin/logd 77 1 100\n");
    assert_string_equal(session_tab_shown(f->session)->title, "CPU by process");
    /* A CPU alone, then a process, which is all that its threads did. */
    run(f, "SelectArea 1050 1250 \"CPU 1.*\"");
    run(f, "AreaCpuByThread");
    expect_rows(f, "thread cpu_dur", "logd 100\n");
    run(f, "SelectArea 1050 1250 \"com.ex.shop.*\"");
    expect_rows(f, "thread cpu_dur", "main 100\n");
}

static void test_states(void **state)
{
    struct fixture *f = *state;
    /* The last state never ended. */
    run(f, "SelectArea 960 1250");
    run(f, "AreaThreadStates");
    expect_rows(f, "thread state states wall_dur",
                "main S 1 150\nmain Running 1 100\nmain R 1 40\n");
    run(f, "SelectArea 900 2900");
    run(f, "AreaThreadStates state");
    expect_rows(f, "state states wall_dur max_dur",
                "S 2 1850 1800\nRunning 2 150 100\nR 1 50 50\n");
    run(f, "AreaThreadStates process");
    expect_rows(f, "process state wall_dur",
                "com.ex.shop S 1850\ncom.ex.shop Running 100\ncom.ex.shop R 50\n"
                "/system/bin/logd Running 50\n");
}

static void test_slices_have_self_time(void **state)
{
    struct fixture *f = *state;
    run(f, "SelectArea 1050 1250");
    run(f, "AreaSlices");
    expect_rows(f, "name slices wall_dur self_dur avg_dur",
                "doFrame 1 200 40 200\ndraw 1 100 100 100\nmeasure 1 60 60 60\n"
                "DrawFrames 1 50 50 50\n");
    run(f, "AreaSlices thread");
    expect_rows(f, "thread names slices wall_dur self_dur",
                "main 3 3 360 200\nRenderThread 1 1 50 50\n");
    /* One track, and what never ended lasts to the end of the trace. */
    run(f, "SelectArea 2050 2900 \"main.*\"");
    run(f, "AreaSlices name");
    expect_rows(f, "name slices wall_dur self_dur min_dur max_dur",
                "stuck 1 400 400 400 400\ndoFrame 1 50 50 50 50\n");
    run(f, "SelectArea 1320 1420 launching");
    expect_rows(f, "name slices wall_dur min_dur max_dur", "launching 2 120 20 100\n");
}

static void test_counters_hold_until_the_next_value(void **state)
{
    struct fixture *f = *state;
    run(f, "SelectArea 1250 1750");
    run(f, "AreaCounters");
    expect_rows(f, "counter process samples first last delta rate_per_s min max weighted_avg",
                "mem.rss com.ex.shop 2 0 1 1 2e+06 0 1 0.5\n");
    run(f, "SelectArea 2200 2700");
    expect_rows(f, "counter samples first last delta weighted_avg",
                "mem.rss 1 2 2 0 2\npsi.cpu 1 1 1 0 1\n");
    run(f, "SelectArea 2200 2700 psi.*");
    expect_rows(f, "counter samples", "psi.cpu 1\n");
}

static void test_flows_know_their_side(void **state)
{
    struct fixture *f = *state;
    const char *columns = "direction from_slice from_thread to_slice to_thread flows avg_dur";
    run(f, "SelectArea 1050 1250");
    run(f, "AreaFlows");
    expect_rows(f, columns, "within doFrame main DrawFrames RenderThread 1 200\n");
    run(f, "SelectArea 1050 1250 RenderThread.*");
    expect_rows(f, columns, "in doFrame main DrawFrames RenderThread 1 200\n");
    run(f, "SelectArea 1050 1150");
    expect_rows(f, columns, "out doFrame main DrawFrames RenderThread 1 200\n");
    run(f, "SelectArea 2000 2100");
    expect_rows(f, columns, "");
}

static void test_the_shown_table_follows(void **state)
{
    struct fixture *f = *state;
    run(f, "SelectArea 1050 1250");
    run(f, "AreaSlices");
    size_t tabs = f->session->tabs.count;
    run(f, "SelectArea 2050 2100");
    assert_int_equal(session_tab_shown(f->session)->kind, TAB_QUERY);
    expect_rows(f, "name wall_dur", "doFrame 50\n");
    /* Behind another tab it waits until it is shown. */
    run(f, "ShowTab 1");
    run(f, "SelectArea 2500 2600");
    assert_int_equal(session_tab_shown(f->session)->kind, TAB_SELECTION);
    run(f, "ShowTab 2");
    expect_rows(f, "name wall_dur", "stuck 100\n");
    assert_int_equal(f->session->tabs.count, tabs);
    /* An event is no area. */
    run(f, "SelectEventByTableNameAndId slice 1");
    assert_int_equal(session_tab_shown(f->session)->kind, TAB_SELECTION);
    run(f, "ShowTab 2");
    expect_rows(f, "name wall_dur", "stuck 100\n");
}

static void test_without_an_area_the_window_counts(void **state)
{
    struct fixture *f = *state;
    session_set_window(f->session, 2050, 2150);
    run(f, "AreaSlices");
    expect_rows(f, "name wall_dur", "doFrame 50\n");
    const struct session_message *said =
        &f->session->messages.items[f->session->messages.count - 1];
    assert_non_null(strstr(said->text, "Slices by name in the window"));
    /* No length: what covers the instant. */
    run(f, "SelectArea 1200 1200");
    run(f, "AreaSlices");
    expect_rows(f, "name wall_dur", "DrawFrames 1\ndoFrame 1\ndraw 1\n");
}

static void open_row(struct fixture *f, uint64_t row)
{
    struct status st = STATUS_INIT;
    if (!session_open_area_rows(f->session, session_tab_shown(f->session), row, &st))
        print_error("%s\n", status_message(&st));
    assert_null(st.message);
}

static void test_rows_lead_to_their_events(void **state)
{
    struct fixture *f = *state;
    struct status st = STATUS_INIT;
    run(f, "SelectArea 1050 1250");
    run(f, "AreaCpuByThread");
    open_row(f, 0);
    expect_rows(f, "ts dur cpu", "1000 100 0\n1200 100 0\n");
    assert_string_equal(session_tab_shown(f->session)->title, "com.ex.shop");
    run(f, "AreaSlices");
    open_row(f, 1);
    expect_rows(f, "ts name", "1150 draw\n");
    /* The area is the table's, whatever is selected by now. */
    run(f, "AreaSlices thread");
    run(f, "SelectEventByTableNameAndId slice 6");
    run(f, "ShowTab 5");
    open_row(f, 0);
    expect_rows(f, "ts name", "1000 doFrame\n1150 draw\n1010 measure\n");
    run(f, "SelectArea 960 1250");
    run(f, "AreaThreadStates process");
    open_row(f, 0);
    expect_rows(f, "ts state", "1100 S\n");
    run(f, "AreaCounters");
    open_row(f, 0);
    expect_rows(f, "ts value", "1000 0\n");
    /* A tab that was kept from another time has no area of its own. */
    run(f, "AreaSlices");
    struct tab *tab = session_tab_shown(f->session);
    area_scope_free(tab->area);
    tab->area = NULL;
    open_row(f, 0);
    expect_rows(f, "ts name", "1000 doFrame\n");
    run(f, "AreaFlows");
    assert_false(session_open_area_rows(f->session, session_tab_shown(f->session), 0, &st));
    status_clear(&st);
    /* Of one track, and of a process. */
    run(f, "SelectArea 1000 2000 launching");
    run(f, "AreaSlices track");
    open_row(f, 0);
    expect_rows(f, "ts dur", "1300 500\n");
    run(f, "AreaSlices process");
    open_row(f, 0);
    expect_rows(f, "ts dur", "1300 500\n1400 50\n");
}

static void test_the_time_between_marks(void **state)
{
    struct fixture *f = *state;
    struct session *s = f->session;
    struct status st = STATUS_INIT;
    assert_int_equal(fixture_run(f, "SelectAreaOfMarks", &st), COMMAND_FAILED);
    assert_non_null(strstr(status_message(&st), "no mark is set"));
    status_clear(&st);
    session_set_cursor(s, 1250);
    run(f, "SetMark a");
    session_set_cursor(s, 1050);
    run(f, "SelectAreaOfMarks");
    assert_int_equal(s->selection.start, 1050);
    assert_int_equal(s->selection.end, 1250);
    run(f, "SetMark b");
    session_set_cursor(s, 2000);
    run(f, "SelectAreaOfMarks");
    assert_int_equal(s->selection.start, 1050);
    assert_int_equal(s->selection.end, 1250);
    assert_int_equal(s->selection.tracks.count, 0);
    run(f, "AreaCpuByThread");
    expect_rows(f, "thread cpu_dur", "main 100\nlogd 100\n");
    /* The tracks of an area stay. */
    run(f, "SelectArea 1000 1010 \"CPU 1.*\"");
    run(f, "SelectAreaOfMarks");
    run(f, "AreaCpuByThread");
    expect_rows(f, "thread cpu_dur", "logd 100\n");
}

static void test_a_wrong_pivot_is_refused(void **state)
{
    struct fixture *f = *state;
    struct status st = STATUS_INIT;
    assert_int_equal(fixture_run(f, "AreaSlices colour", &st), COMMAND_FAILED);
    assert_non_null(strstr(status_message(&st), "name|thread|process|track"));
    status_clear(&st);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, fixture_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_cpu_time_is_cut_at_the_edges),
        TEST(test_states),
        TEST(test_slices_have_self_time),
        TEST(test_counters_hold_until_the_next_value),
        TEST(test_flows_know_their_side),
        TEST(test_the_shown_table_follows),
        TEST(test_without_an_area_the_window_counts),
        TEST(test_rows_lead_to_their_events),
        TEST(test_the_time_between_marks),
        TEST(test_a_wrong_pivot_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
