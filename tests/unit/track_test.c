/* Tracks: identity, dimensions, lanes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "engine/import/track.h"
#include "tests/unit/import_fixture.h"

static struct track_key key_of(int64_t upid, string_id name)
{
    return (struct track_key){
        .type = "atrace_async_slice",
        .n_dimensions = 2,
        .dimensions = {dimension_int("upid", upid), dimension_string("name", name)}};
}

static void a_track_is_its_type_and_dimensions(void **state)
{
    (void)state;
    struct fixture f = fixture_new(NULL);
    struct track_key key = key_of(3, fixture_id(&f, "x"));
    struct track_info info = {.name = fixture_id(&f, "x")};
    uint32_t first = track_intern(f.import->tracks, &key, &info);
    assert_int_equal(track_intern(f.import->tracks, &key, NULL), first);
    struct track_key other[] = {key, key, key, key, key};
    other[0].dimensions[0].integer = 4;
    other[1].dimensions[1].string = fixture_id(&f, "y");
    other[2].type = "atrace_counter";
    other[3].machine_id = 1;
    other[4].scope = 9;
    for (size_t i = 0; i < sizeof other / sizeof *other; i++)
        assert_int_equal(track_intern(f.import->tracks, &other[i], NULL), first + 1 + i);

    const struct track_table *t = &f.tables->track;
    assert_int_equal(column_get_row(&t->upid, first), 3);
    assert_true(column_is_null(&t->utid, first));
    assert_string_equal(fixture_text(&f, &t->event_type, first), "slice");
    struct arg_list args = {NULL, 0, 0};
    args_read(f.tables, column_get_row(&t->dimension_arg_set_id, first), &args);
    assert_int_equal(args.count, 2);
    for (size_t i = 0; i < args.count; i++) {
        bool is_upid = args.items[i].key == fixture_id(&f, "upid");
        assert_int_equal(args.items[i].type, is_upid ? ARG_INT : ARG_STRING);
    }
    vec_free(&args);
    fixture_free(&f);
}

static void threads_and_cpus_have_short_ways(void **state)
{
    (void)state;
    struct fixture f = fixture_new(NULL);
    uint32_t a = track_of_thread(f.import->tracks, 0, 7);
    assert_int_equal(track_of_thread(f.import->tracks, 0, 7), a);
    assert_int_equal(column_get_row(&f.tables->track.utid, a), 7);
    assert_true(column_is_null(&f.tables->track.name, a));
    uint32_t c = track_counter_of_cpu(f.import->tracks, 0, "cpu_idle", 2, "cpuidle", NULL);
    assert_int_equal(track_counter_of_cpu(f.import->tracks, 0, "cpu_idle", 2, NULL, NULL), c);
    assert_int_not_equal(track_counter_of_cpu(f.import->tracks, 0, "cpu_idle", 3, NULL, NULL), c);
    assert_string_equal(fixture_text(&f, &f.tables->track.event_type, c), "counter");
    fixture_free(&f);
}

struct lane_op {
    char what; /* b, e, x */
    int64_t cookie_or_ts, dur;
    uint32_t lane; /* from 0 */
};

static const struct lane_op lane_ops[] = {
    {'b', 1, 0, 0}, {'b', 2, 0, 1}, {'b', 1, 0, 0}, {'e', 1, 0, 0},
    {'b', 3, 0, 2}, {'e', 1, 0, 0}, {'b', 4, 0, 0}, /* the first free lane takes a new cookie */
    {'b', 1, 0, 3},                                 /* which the old cookie has lost */
    {'e', 2, 0, 1}, {'b', 2, 0, 1}, {'e', 9, 0, 4},
};

static void lanes_are_taken_again(void **state)
{
    (void)state;
    struct fixture f = fixture_new(NULL);
    struct track_key key = key_of(1, fixture_id(&f, "lanes"));
    uint32_t set = track_lanes_intern(f.import->tracks, &key, NULL);
    assert_int_equal(track_lanes_intern(f.import->tracks, &key, NULL), set);
    for (size_t i = 0; i < sizeof lane_ops / sizeof *lane_ops; i++) {
        const struct lane_op *op = &lane_ops[i];
        uint32_t track = op->what == 'b' ? track_lane_begin(f.import->tracks, set, op->cookie_or_ts)
                                         : track_lane_end(f.import->tracks, set, op->cookie_or_ts);
        if (track != op->lane) fail_msg("op %zu: lane %u, want %u", i, track, op->lane);
        assert_int_equal(column_get_row(&f.tables->track.track_group_id, track), set);
    }
    fixture_free(&f);
}

static void a_lane_can_count_one_begin_only(void **state)
{
    (void)state;
    struct fixture f = fixture_new(NULL);
    struct track_key key = key_of(1, 0);
    struct track_tracker *tracks = f.import->tracks;
    uint32_t set = track_lanes_intern(tracks, &key, NULL);
    assert_int_equal(track_lane_begin_once(tracks, set, 1), 0);
    assert_int_equal(track_lane_begin_once(tracks, set, 1), 0);
    assert_int_equal(track_lane_end(tracks, set, 1), 0);
    assert_int_equal(track_lane_begin_once(tracks, set, 2), 0);
    assert_int_equal(track_lane_begin_once(tracks, set, 3), 1);
    fixture_free(&f);
}

static void scoped_lanes_go_by_time(void **state)
{
    (void)state;
    struct fixture f = fixture_new(NULL);
    struct track_key key = key_of(1, 0);
    struct track_tracker *tracks = f.import->tracks;
    uint32_t set = track_lanes_intern(tracks, &key, NULL);
    assert_int_equal(track_lane_scoped(tracks, set, 0, 10), 0);
    assert_int_equal(track_lane_scoped(tracks, set, 5, INT64_MAX), 1);
    assert_int_equal(track_lane_scoped(tracks, set, 10, 1), 0);
    assert_int_equal(track_lane_scoped(tracks, set, 10, 1), 2);
    fixture_free(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_track_is_its_type_and_dimensions),
        cmocka_unit_test(threads_and_cpus_have_short_ways),
        cmocka_unit_test(lanes_are_taken_again),
        cmocka_unit_test(a_lane_can_count_one_begin_only),
        cmocka_unit_test(scoped_lanes_go_by_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
