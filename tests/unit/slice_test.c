/* The stack of a track: nesting, closing, overlaps, args; flows, counters, states. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "engine/import/process.h"
#include "engine/import/slice.h"
#include "engine/import/track.h"
#include "tests/unit/import_fixture.h"

struct op {
    char what; /* B, E, X */
    int64_t ts, dur;
    const char *category, *name;
};

struct slice_case {
    struct op ops[8];
    const char *slices;
    enum stat stat;
    int64_t value;
};

static const struct slice_case slice_cases[] = {
    {{{'B', 10, 0, 0, "a"}, {'B', 20, 0, 0, "b"}, {'E', 30, 0, 0, 0}, {'E', 40, 0, 0, 0}},
     "a:10:30:0 b:20:10:1",
     STAT_misplaced_end_event,
     0},
    /* An end takes the innermost slice that its name and category fit. */
    {{{'B', 10, 0, 0, "a"}, {'B', 20, 0, 0, "b"}, {'E', 30, 0, 0, "a"}, {'E', 40, 0, 0, "b"}},
     "a:10:20:0 b:20:10:1",
     STAT_misplaced_end_event,
     1},
    {{{'B', 10, 0, "x", "a"}, {'B', 20, 0, "y", 0}, {'E', 30, 0, "x", "a"}, {'E', 30, 0, "y", "q"}},
     "a:10:20:0 -:20:10:1",
     STAT_misplaced_end_event,
     0},
    {{{'B', 10, 0, 0, "a"}, {'E', 20, 0, "c", 0}}, "a:10:-1:0", STAT_misplaced_end_event, 0},
    {{{'E', 10, 0, 0, "a"}, {'X', 20, 5, 0, "b"}}, "b:20:5:0", STAT_misplaced_end_event, 0},
    /* A complete slice is over when time reaches its end, instants among themselves not. */
    {{{'X', 0, 10, 0, "o"}, {'X', 5, 0, 0, "i"}, {'X', 5, 0, 0, "j"}, {'X', 10, 0, 0, "k"}},
     "o:0:10:0 i:5:0:1 j:5:0:2 k:10:0:0",
     STAT_misplaced_end_event,
     0},
    {{{'X', 0, 10, 0, "o"}, {'X', 10, 5, 0, "p"}},
     "o:0:10:0 p:10:5:0",
     STAT_slice_drop_overlapping_complete_event,
     0},
    {{{'X', 0, 10, 0, "o"}, {'X', 5, 10, 0, "p"}},
     "o:0:10:0",
     STAT_slice_drop_overlapping_complete_event,
     1},
    {{{'X', 0, 10, 0, "o"}, {'X', 5, 5, 0, "p"}, {'X', 5, 2, 0, "q"}},
     "o:0:10:0 p:5:5:1 q:5:2:2",
     STAT_slice_drop_overlapping_complete_event,
     0},
    {{{'X', 5, -3, 0, "o"}}, "", STAT_slice_negative_duration, 1},
    {{{'X', INT64_MAX - 1, 1000, 0, "o"}, {'X', INT64_MAX, 0, 0, "p"}},
     "o:9223372036854775806:1000:0 p:9223372036854775807:0:0",
     STAT_slice_drop_overlapping_complete_event,
     0},
    /* What was left open inside a complete slice is cut at its end. */
    {{{'X', 0, 10, 0, "o"}, {'B', 2, 0, 0, "b"}, {'X', 20, 1, 0, "n"}},
     "o:0:10:0 b:2:8:1 n:20:1:0",
     STAT_misplaced_end_event,
     1},
    {{{'X', 0, 10, 0, "o"}, {'B', 2, 0, 0, "b"}, {'E', 10, 0, 0, 0}, {'X', 10, 1, 0, "n"}},
     "o:0:10:0 b:2:8:1 n:10:1:0",
     STAT_misplaced_end_event,
     0},
};

static void slices_nest_and_close(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof slice_cases / sizeof *slice_cases; i++) {
        const struct slice_case *c = &slice_cases[i];
        struct fixture f = fixture_new(NULL);
        struct buffer text = BUFFER_INIT;
        for (const struct op *op = c->ops; op < c->ops + 8 && op->what; op++) {
            string_id category = fixture_id(&f, op->category), name = fixture_id(&f, op->name);
            if (op->what == 'B') slice_begin(&f.file, op->ts, 3, category, name, NULL);
            if (op->what == 'E') slice_end(&f.file, op->ts, 3, category, name, NULL);
            if (op->what == 'X') slice_scoped(&f.file, op->ts, op->dur, 3, category, name, NULL);
        }
        fixture_finish(&f);
        fixture_slices(&f, &text);
        if (strcmp(buffer_text(&text), c->slices) != 0)
            fail_msg("case %zu: %s, want %s", i, buffer_text(&text), c->slices);
        assert_int_equal(stats_get(f.import, c->stat), c->value);
        buffer_free(&text);
        fixture_free(&f);
    }
}

static void depth_has_a_limit(void **state)
{
    (void)state;
    struct fixture f = fixture_new(NULL);
    for (int i = 0; i < 512; i++)
        assert_int_not_equal(slice_begin(&f.file, i, 0, 0, 0, NULL), NO_SLICE);
    assert_int_equal(slice_begin(&f.file, 600, 0, 0, 0, NULL), NO_SLICE);
    assert_int_equal(stats_get(f.import, STAT_slice_max_depth_exceeded), 1);
    fixture_free(&f);
}

static void args_of_both_ends_are_one_set(void **state)
{
    (void)state;
    struct fixture f = fixture_new(NULL);
    struct arg_list args = {NULL, 0, 0};
    arg_list_put_int(&args, fixture_id(&f, "at_begin"), 1);
    uint32_t slice = slice_begin(&f.file, 10, 0, 0, fixture_id(&f, "a"), &args);
    assert_int_equal(args.count, 0);
    arg_list_put_int(&args, fixture_id(&f, "at_end"), 2);
    slice_end(&f.file, 20, 0, 0, 0, &args);
    /* Only the whole set is there. */
    assert_int_equal(table_rows(&f.tables->args.table), 2);
    assert_int_equal(column_get_row(&f.tables->slice.arg_set_id, slice), 0);
    arg_list_put_int(&args, fixture_id(&f, "later"), 3);
    slice_add_args(&f.file, slice, &args);
    uint32_t set = column_get_row(&f.tables->slice.arg_set_id, slice);
    args_read(f.tables, set, &args);
    assert_int_equal(args.count, 3);
    vec_free(&args);
    fixture_free(&f);
}

static void an_unnestable_slice_counts_its_begins(void **state)
{
    (void)state;
    struct fixture f = fixture_new(NULL);
    string_id name = fixture_id(&f, "launch");
    uint32_t first = slice_begin_unnestable(&f.file, 10, 0, 0, name, NULL);
    assert_int_equal(slice_begin_unnestable(&f.file, 15, 0, 0, name, NULL), first);
    assert_int_equal(slice_end(&f.file, 30, 0, 0, name, NULL), first);
    assert_int_equal(slice_end(&f.file, 40, 0, 0, name, NULL), NO_SLICE);
    fixture_finish(&f);
    assert_int_equal(column_get_int64(&f.tables->slice.dur, first), 20);
    struct arg_list args = {NULL, 0, 0};
    args_read(f.tables, column_get_row(&f.tables->slice.arg_set_id, first), &args);
    assert_int_equal(args.count, 2);
    assert_int_equal(args.items[0].value.integer, 2);
    assert_int_equal(args.items[1].value.integer, 15);
    vec_free(&args);
    fixture_free(&f);
}

static void tops_are_found(void **state)
{
    (void)state;
    struct fixture f = fixture_new(NULL);
    uint32_t outer = slice_scoped(&f.file, 0, 100, 0, 0, 0, NULL);
    uint32_t inner = slice_scoped(&f.file, 10, 5, 0, 0, 0, NULL);
    assert_int_equal(slice_top(&f.file, 12, 0), inner);
    assert_int_equal(slice_top(&f.file, 50, 0), outer);
    assert_int_equal(slice_top(&f.file, 200, 0), NO_SLICE);
    assert_int_equal(slice_last(&f.file, 0), inner);
    assert_true(slice_would_overlap(&f.file, 90, 20, 0));
    assert_false(slice_would_overlap(&f.file, 90, 10, 0));
    fixture_free(&f);
}

static void flows_connect_slices(void **state)
{
    (void)state;
    struct fixture f = fixture_new(NULL);
    uint32_t a = slice_scoped(&f.file, 0, 5, 0, 0, 0, NULL);
    uint32_t b = slice_scoped(&f.file, 10, 5, 1, 0, 0, NULL);
    flow_begin(&f.file, a, 77);
    flow_begin(&f.file, b, 77);
    flow_step(&f.file, b, 77);
    flow_end_at_next_slice(&f.file, 2, 77);
    uint32_t c = slice_scoped(&f.file, 20, 5, 2, 0, 0, NULL);
    flow_end(&f.file, c, 78, true);
    flow_begin(&f.file, NO_SLICE, 79);
    assert_true(flow_is_active(&f.file, 77));
    flow_end(&f.file, c, 77, true);
    assert_false(flow_is_active(&f.file, 77));

    const struct flow_table *t = &f.tables->flow;
    assert_int_equal(table_rows(&t->table), 3);
    assert_int_equal(column_get_row(&t->slice_out, 0), a);
    assert_int_equal(column_get_row(&t->slice_in, 0), b);
    assert_int_equal(column_get_row(&t->slice_out, 1), b);
    assert_int_equal(column_get_row(&t->slice_in, 1), c);
    assert_int_equal(column_get_int64(&t->trace_id, 1), 77);
    assert_int_equal(stats_get(f.import, STAT_flow_duplicate_id), 1);
    assert_int_equal(stats_get(f.import, STAT_flow_end_without_start), 1);
    assert_int_equal(stats_get(f.import, STAT_flow_no_enclosing_slice), 1);
    fixture_free(&f);
}

static void flows_v1_are_numbered(void **state)
{
    (void)state;
    struct fixture f = fixture_new(NULL);
    uint32_t late = slice_scoped(&f.file, 10, 5, 0, 0, 0, NULL);
    uint32_t early = slice_scoped(&f.file, 0, 5, 1, 0, 0, NULL);
    string_id name = fixture_id(&f, "IPC");
    uint64_t first = flow_id_v1(&f.file, 5, 0, name), second = flow_id_v1(&f.file, 6, 0, name);
    assert_true(first != second && first == flow_id_v1(&f.file, 5, 0, name));
    flow_begin(&f.file, late, second);
    flow_end(&f.file, early, second, false);
    /* The arrow goes forward in time, with the number as its id and args. */
    assert_int_equal(column_get_row(&f.tables->flow.slice_out, 0), early);
    assert_int_equal(column_get_int64(&f.tables->flow.trace_id, 0), 1);
    assert_false(column_is_null(&f.tables->flow.arg_set_id, 0));
    fixture_free(&f);
}

static void counters_of_threads_find_their_process_late(void **state)
{
    (void)state;
    struct fixture f = fixture_new(NULL);
    uint32_t known = thread_intern(&f.file, 5), lonely = thread_intern(&f.file, 6);
    struct thread_counter counter = {.process_type = "oom_score_adj",
                                     .thread_type = "oom_score_adj_thread_fallback",
                                     .name = fixture_id(&f, "oom_score_adj")};
    counter_push_for_thread(&f.file, 1, known, &counter, 1.5, NULL);
    counter_push_for_thread(&f.file, 2, lonely, &counter, 2, NULL);
    counter_push_for_thread(&f.file, 3, known, &counter, 3, NULL);
    uint32_t upid = thread_process(&f.file, thread_intern_in(&f.file, 5, 4));
    fixture_finish(&f);
    const struct counter_table *t = &f.tables->counter;
    uint32_t track = column_get_row(&t->track_id, 0);
    assert_int_equal(column_get_row(&t->track_id, 2), track);
    assert_int_equal(column_get_row(&f.tables->track.upid, track), upid);
    assert_string_equal(fixture_text(&f, &f.tables->track.type, column_get_row(&t->track_id, 1)),
                        "oom_score_adj_thread_fallback");
    fixture_free(&f);
}

static void states_follow_each_other(void **state)
{
    (void)state;
    struct fixture f = fixture_new(NULL);
    state_push(&f.file, 10, 0, 0, fixture_id(&f, "on"), NULL);
    state_push(&f.file, 25, 0, 0, fixture_id(&f, "off"), NULL);
    state_push(&f.file, 30, 0, 0, STRING_NULL, NULL);
    const struct state_table *t = &f.tables->state;
    assert_int_equal(table_rows(&t->table), 2);
    assert_int_equal(column_get_int64(&t->dur, 0), 15);
    assert_int_equal(column_get_int64(&t->dur, 1), 5);
    fixture_free(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(slices_nest_and_close),
        cmocka_unit_test(depth_has_a_limit),
        cmocka_unit_test(args_of_both_ends_are_one_set),
        cmocka_unit_test(an_unnestable_slice_counts_its_begins),
        cmocka_unit_test(tops_are_found),
        cmocka_unit_test(flows_connect_slices),
        cmocka_unit_test(flows_v1_are_numbered),
        cmocka_unit_test(counters_of_threads_find_their_process_late),
        cmocka_unit_test(states_follow_each_other),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
