/* The tree of tracks: names, order, lanes, paths, speed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "engine/base/memory.h"
#include "engine/base/thread.h"
#include "tests/unit/session_fixture.h"

static void everything_has_its_place(void **state)
{
    struct fixture *f = *state;
    struct buffer rows = BUFFER_INIT;
    assert_int_equal(fixture_run(f, "ExpandAllGroups", NULL), COMMAND_DONE);
    fixture_rows(f->session, &rows);
    assert_string_equal(buffer_text(&rows), "CPU Scheduling\n"
                                            "  CPU 0 Scheduling\n"
                                            "  CPU 1 Scheduling\n"
                                            "System\n"
                                            "  PSI\n"
                                            "    psi.cpu\n"
                                            "Android logs\n"
                                            "com.ex.shop 4213\n"
                                            "  Perf Process Callstacks\n"
                                            "  launching\n"
                                            "  main 4213 Perf Callstacks\n"
                                            "  main 4213\n"
                                            "  main 4213\n"
                                            "  RenderThread 4250\n"
                                            "  mem.rss\n"
                                            "logd 77\n"
                                            "  logd 77\n");
    buffer_free(&rows);
}

static void starts_folded_but_for_cpus(void **state)
{
    struct fixture *f = *state;
    struct buffer rows = BUFFER_INIT;
    fixture_rows(f->session, &rows);
    assert_string_equal(buffer_text(&rows), "CPU Scheduling\n"
                                            "  CPU 0 Scheduling\n"
                                            "  CPU 1 Scheduling\n"
                                            "System\n"
                                            "Android logs\n"
                                            "com.ex.shop 4213\n"
                                            "logd 77\n");
    buffer_free(&rows);
}

static void lanes_are_one_node(void **state)
{
    struct fixture *f = *state;
    const struct track_tree *tree = &f->session->workspace->tree;
    struct track_node *node = track_tree_find_track(tree, 0, f->async_b);
    assert_non_null(node);
    assert_ptr_equal(node, track_tree_find_track(tree, 0, f->async_a));
    assert_int_equal(node->n_tracks, 2);
    assert_int_equal(node->depths, 2);
    assert_int_equal(node->events, 2);
    assert_int_equal(track_node_lane_start(node, f->async_b), 1);
    assert_int_equal(track_tree_find_track(tree, 0, f->main_track)->depths, 2);
}

static void paths_leave_out_headless_groups(void **state)
{
    struct fixture *f = *state;
    struct buffer path = BUFFER_INIT;
    const struct track_tree *tree = &f->session->workspace->tree;
    track_node_path(track_tree_find_track(tree, 0, f->main_track), &path);
    assert_string_equal(buffer_text(&path), "com.ex.shop 4213 > main 4213");
    buffer_free(&path);
}

static void copies_are_whole(void **state)
{
    struct fixture *f = *state;
    const struct track_tree *tree = &f->session->workspace->tree;
    struct track_tree other;
    track_tree_init(&other);
    const struct track_node *process = track_tree_find(tree, "t0/process/1");
    struct track_node *copy = track_tree_copy(&other, &other.root, process, true);
    uint32_t n = 0, expected = 0;
    for (struct track_node *at = copy; at; at = track_tree_next(copy, at))
        n++;
    for (const struct track_node *at = process; at; at = track_tree_next(process, at))
        expected++;
    assert_int_equal(n, expected);
    assert_int_equal(track_tree_find(&other, "t0/state/2")->utid, 2);
    track_tree_remove(&other, copy);
    assert_null(track_tree_find(&other, "t0/state/2"));
    track_tree_copy(&other, &other.root, process, true);
    assert_non_null(track_tree_find(&other, "t0/state/2"));
    track_tree_dispose(&other);
}

static void frequency_and_idle_are_one_node(void **state)
{
    (void)state;
    struct tables *t = tables_new();
    machine_append(&t->machine, &(struct machine_row){0});
    for (uint32_t cpu = 0; cpu < 3; cpu++)
        cpu_append(&t->cpu, &(struct cpu_row){.cpu = some_uint32(cpu)});
    for (uint32_t i = 0; i < 4; i++) {
        uint32_t set = table_rows(&t->args.table);
        args_append(&t->args, &(struct args_row){.arg_set_id = set,
                                                 .flat_key = fixture_name(t, "cpu"),
                                                 .key = fixture_name(t, "cpu"),
                                                 .int_value = some_int64(2 - i / 2),
                                                 .value_type = fixture_name(t, "int")});
        uint32_t track = track_append(
            &t->track,
            &(struct track_row){.type = fixture_name(t, i % 2 ? "cpu_idle" : "cpu_frequency"),
                                .event_type = fixture_name(t, "counter"),
                                .dimension_arg_set_id = some_uint32(set)});
        counter_append(&t->counter, &(struct counter_row){.ts = i, .track_id = track});
    }
    tables_freeze(t);
    struct track_tree tree;
    track_tree_init(&tree);
    track_tree_build(&tree, &tree.root, 0, t);
    assert_int_equal(tree.root.children.count, 1);
    const struct track_node *group = tree.root.children.items[0];
    assert_string_equal(group->name, "CPU Frequency");
    assert_int_equal(group->children.count, 2);
    assert_string_equal(group->children.items[0]->name, "CPU 1 Frequency");
    assert_int_equal(group->children.items[0]->tracks[0], 2);
    assert_int_equal(group->children.items[0]->idle_track, 3);
    track_tree_dispose(&tree);
    tables_free(t);
}

static uint32_t one_arg(struct tables *t, const char *key, const char *text, int64_t number)
{
    uint32_t set = table_rows(&t->args.table);
    struct args_row row = {.arg_set_id = set,
                           .flat_key = fixture_name(t, key),
                           .key = fixture_name(t, key),
                           .value_type = fixture_name(t, text ? "string" : "int")};
    if (text)
        row.string_value = fixture_name(t, text);
    else
        row.int_value = some_int64(number);
    args_append(&t->args, &row);
    return set;
}

static void track_events_are_ordered_as_their_parent_says(void **state)
{
    (void)state;
    static const struct {
        const char *ordering, *expected;
    } table[] = {{"explicit", "c b a"}, {"lexicographic", "a b c"}, {"chronological", "b c a"}};
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        struct tables *t = tables_new();
        machine_append(&t->machine, &(struct machine_row){0});
        struct track_row track = {
            .name = fixture_name(t, "parent"),
            .type = fixture_name(t, "global_track_event"),
            .event_type = fixture_name(t, "slice"),
            .source_arg_set_id = some_uint32(one_arg(t, "child_ordering", table[i].ordering, 0))};
        track_append(&t->track, &track);
        static const struct {
            const char *name;
            int64_t rank, ts;
        } children[] = {{"b", 5, 1}, {"c", -1, 2}, {"a", 7, 3}};
        for (uint32_t k = 0; k < 3; k++) {
            track.name = fixture_name(t, children[k].name);
            track.parent_id = some_uint32(0);
            track.source_arg_set_id =
                some_uint32(one_arg(t, "sibling_order_rank", NULL, children[k].rank));
            track_append(&t->track, &track);
            fixture_slice(t, children[k].ts, 1, k + 1, 0, NULL_UINT32, "x");
        }
        tables_freeze(t);
        struct track_tree tree;
        track_tree_init(&tree);
        track_tree_build(&tree, &tree.root, 0, t);
        const struct track_node *parent = tree.root.children.items[0]->children.items[0];
        struct buffer names = BUFFER_INIT;
        for (size_t k = 0; k < parent->children.count; k++)
            buffer_printf(&names, "%s%s", k ? " " : "", parent->children.items[k]->name);
        assert_string_equal(buffer_text(&names), table[i].expected);
        buffer_free(&names);
        track_tree_dispose(&tree);
        tables_free(t);
    }
}

static void ten_thousand_tracks(void **state)
{
    (void)state;
    struct tables *t = tables_new();
    machine_append(&t->machine, &(struct machine_row){0});
    for (uint32_t i = 0; i < 10000; i++) {
        if (i % 20 == 0)
            process_append(&t->process,
                           &(struct process_row){.pid = i + 1, .name = fixture_name(t, "p")});
        thread_append(&t->thread, &(struct thread_row){.tid = i + 1,
                                                       .name = fixture_name(t, "t"),
                                                       .upid = some_uint32(i / 20)});
        uint32_t track =
            fixture_track(t, "thread_execution", "slice", NULL, i, NULL_UINT32, NULL_UINT32);
        fixture_slice(t, i, 1, track, 0, NULL_UINT32, "s");
    }
    tables_freeze(t);
    int64_t begin = clock_now_ns();
    struct session *session = session_new(NULL);
    session_add_tables(session, t, 0, 10000, "many");
    assert_int_equal(session->workspace->tree.root.children.count, 500);
    uint32_t count;
    session_rows(session, &count);
    assert_int_equal(count, 500);
    assert_true(clock_now_ns() - begin < INT64_C(2000000000));
    session_free(session);
    tables_free(t);
}

static void a_ring_of_parents_ends(void **state)
{
    (void)state;
    struct tables *t = tables_new();
    machine_append(&t->machine, &(struct machine_row){0});
    for (uint32_t i = 0; i < 3; i++)
        track_append(&t->track, &(struct track_row){.name = fixture_name(t, "ring"),
                                                    .type = fixture_name(t, "global_track_event"),
                                                    .event_type = fixture_name(t, "slice"),
                                                    .parent_id = some_uint32((i + 1) % 3)});
    fixture_slice(t, 1, 1, 0, 0, NULL_UINT32, "x");
    fixture_slice(t, 2, 1, 77, 0, NULL_UINT32, "a track that is not there");
    tables_freeze(t);
    struct track_tree tree;
    track_tree_init(&tree);
    track_tree_build(&tree, &tree.root, 0, t);
    assert_non_null(track_tree_find_track(&tree, 0, 0));
    track_tree_dispose(&tree);
    tables_free(t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(everything_has_its_place, fixture_setup, fixture_teardown),
        cmocka_unit_test_setup_teardown(starts_folded_but_for_cpus, fixture_setup,
                                        fixture_teardown),
        cmocka_unit_test_setup_teardown(lanes_are_one_node, fixture_setup, fixture_teardown),
        cmocka_unit_test_setup_teardown(paths_leave_out_headless_groups, fixture_setup,
                                        fixture_teardown),
        cmocka_unit_test_setup_teardown(copies_are_whole, fixture_setup, fixture_teardown),
        cmocka_unit_test(frequency_and_idle_are_one_node),
        cmocka_unit_test(track_events_are_ordered_as_their_parent_says),
        cmocka_unit_test(ten_thousand_tracks),
        cmocka_unit_test(a_ring_of_parents_ends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
