#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "engine/base/memory.h"
#include "engine/import/args.h"
#include "engine/import/clock.h"
#include "engine/import/clock_graph.h"
#include "engine/import/stats.h"

static const struct importer packets = {.name = "proto", .clock = IMPORT_CLOCK_PACKETS};
static const struct importer monotonic = {.name = "systrace", .clock = IMPORT_CLOCK_MONOTONIC};
static const struct importer own_clock = {.name = "json", .clock = IMPORT_CLOCK_TRACE_FILE};

struct fixture {
    struct import import;
    struct import_file files[4]; /* packets, packets, systrace, json */
};

static int open_fixture(void **state)
{
    struct fixture *f = mem_zero(1, sizeof *f);
    f->import.tables = tables_new();
    f->import.strings = f->import.tables->strings;
    f->import.stats = stats_new(&f->import);
    f->import.metadata = metadata_new(&f->import);
    f->import.args = args_new(&f->import);
    f->import.clocks = clock_tracker_new(&f->import);
    const struct importer *const of[] = {&packets, &packets, &monotonic, &own_clock};
    for (uint32_t i = 0; i < 4; i++)
        f->files[i] = (struct import_file){.import = &f->import, .importer = of[i], .file_id = i};
    *state = f;
    return 0;
}

static int close_fixture(void **state)
{
    struct fixture *f = *state;
    clock_tracker_free(f->import.clocks);
    args_free(f->import.args);
    metadata_free(f->import.metadata);
    stats_free(f->import.stats);
    tables_free(f->import.tables);
    mem_free(f);
    return 0;
}

static void begin(struct fixture *f, int file)
{
    clock_begin_file(&f->files[file], f->files[file].importer->clock);
}

static void snapshot(struct fixture *f, int file, uint32_t a, int64_t va, uint32_t b, int64_t vb)
{
    const struct clock_reading readings[] = {{a, 0, va, 1, false}, {b, 0, vb, 1, false}};
    clock_add_snapshot(&f->files[file], readings, 2, 0);
}

#define LOST INT64_C(-1)

static int64_t at(struct fixture *f, int file, uint32_t clock, int64_t value, bool last_chance)
{
    int64_t ts = 0;
    switch (clock_to_trace_time(&f->files[file], clock, 0, value, last_chance, &ts)) {
    case CLOCK_OK: return ts;
    case CLOCK_LATER: return -2;
    default: return LOST;
    }
}

static uint32_t rows(struct fixture *f)
{
    return table_rows(&f->import.tables->clock_snapshot.table);
}

static void takes_the_latest_snapshot(void **state)
{
    struct fixture *f = *state;
    begin(f, 0);
    snapshot(f, 0, CLOCK_ID_MONOTONIC, 1000, CLOCK_ID_BOOTTIME, 5000);
    snapshot(f, 0, CLOCK_ID_MONOTONIC, 2000, CLOCK_ID_BOOTTIME, 6500);
    snapshot(f, 0, CLOCK_ID_REALTIME, 900000, CLOCK_ID_MONOTONIC, 1500);
    const struct {
        uint32_t clock;
        int64_t value, ts;
    } cases[] = {
        {CLOCK_ID_BOOTTIME, 17, 17},          {0, 17, 17},
        {CLOCK_ID_MONOTONIC, 1, 4001},        {CLOCK_ID_MONOTONIC, 1000, 5000},
        {CLOCK_ID_MONOTONIC, 1999, 5999},     {CLOCK_ID_MONOTONIC, 2000, 6500},
        {CLOCK_ID_MONOTONIC, 900000, 904500}, {CLOCK_ID_MONOTONIC, 1999, 5999},
        {CLOCK_ID_REALTIME, 900000, 5500}, /* two hops */
        {CLOCK_ID_REALTIME, 900499, 5999},    {CLOCK_ID_REALTIME, 900500, 6500},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_int_equal(at(f, 0, cases[i].clock, cases[i].value, true), cases[i].ts);
    assert_int_equal(rows(f), 6);
}

static void waits_for_a_snapshot_then_counts_the_loss(void **state)
{
    struct fixture *f = *state;
    begin(f, 0);
    assert_int_equal(at(f, 0, CLOCK_ID_MONOTONIC, 10, false), -2);
    assert_int_equal(at(f, 0, CLOCK_ID_MONOTONIC, 10, true), LOST);
    assert_int_equal(stats_get(&f->import, STAT_clock_sync_failure_unknown_source_clock), 1);
    snapshot(f, 0, CLOCK_ID_MONOTONIC, 1000, CLOCK_ID_BOOTTIME, 5000);
    assert_int_equal(at(f, 0, CLOCK_ID_MONOTONIC, 10, true), 4010);
}

static void packets_without_snapshots_are_in_trace_time(void **state)
{
    struct fixture *f = *state;
    begin(f, 0);
    assert_int_equal(at(f, 0, 0, 123, false), 123);
    assert_int_equal(rows(f), 0);
    assert_int_equal(at(f, 0, CLOCK_ID_BOOTTIME, 123, false), -2);
    assert_int_equal(at(f, 0, CLOCK_ID_BOOTTIME, 123, true), 123);
    assert_int_equal(rows(f), 2); /* the tie to the clock of the trace */
}

static void incremental_clocks_add_up(void **state)
{
    struct fixture *f = *state;
    begin(f, 0);
    const struct clock_reading readings[] = {{64, 7, 10, 1000, true},
                                             {CLOCK_ID_BOOTTIME, 0, 50000, 1, false}};
    clock_add_snapshot(&f->files[0], readings, 2, 0);
    int64_t ts;
    for (int i = 1; i <= 3; i++) {
        assert_int_equal(clock_to_trace_time(&f->files[0], 64, 7, 2, true, &ts), CLOCK_OK);
        assert_int_equal(ts, 50000 + 2000 * i);
    }
    /* The same number on another sequence is another clock. */
    assert_int_equal(clock_to_trace_time(&f->files[0], 64, 8, 2, false, &ts), CLOCK_LATER);
    clock_add_snapshot(&f->files[0], readings, 2, 0);
    assert_int_equal(clock_to_trace_time(&f->files[0], 64, 7, 1, true, &ts), CLOCK_OK);
    assert_int_equal(ts, 51000);
}

static void refuses_bad_snapshots(void **state)
{
    struct fixture *f = *state;
    begin(f, 0);
    const struct {
        struct clock_reading readings[2];
        bool bad;
    } cases[] = {
        {{{CLOCK_ID_BOOTTIME, 0, 100, 1, false}, {CLOCK_ID_MONOTONIC, 0, 1, 1, false}}, false},
        {{{CLOCK_ID_BOOTTIME, 0, 99, 1, false}, {CLOCK_ID_MONOTONIC, 0, 2, 1, false}}, true},
        {{{CLOCK_ID_BOOTTIME, 0, 200, 1, false}, {CLOCK_ID_BOOTTIME, 0, 200, 1, false}}, true},
        {{{CLOCK_ID_BOOTTIME, 0, 200, 1, false}, {CLOCK_ID_MONOTONIC, 0, 1, 5, false}}, true},
        {{{CLOCK_ID_BOOTTIME, 0, 200, 2, false}, {CLOCK_ID_MONOTONIC, 0, 1, 1, false}}, true},
        {{{CLOCK_ID_BOOTTIME, 0, 200, 1, false}, {200, 0, 1, 1, true}}, true},
        {{{CLOCK_ID_BOOTTIME, 0, 200, 1, false}, {64, 0, 1, 1, false}}, true},
        {{{CLOCK_ID_BOOTTIME, 0, 200, 1, false}, {201, 0, INT64_MAX, 9, false}}, true},
        {{{CLOCK_ID_BOOTTIME, 0, 200, 1, false}, {64, 1, 1, 1, false}}, false},
    };
    int64_t bad = 0;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        clock_add_snapshot(&f->files[0], cases[i].readings, 2, 0);
        bad += cases[i].bad;
        assert_int_equal(stats_get(&f->import, STAT_invalid_clock_snapshots), bad);
    }
    assert_int_equal(rows(f), 4);
}

static void a_clock_that_runs_backwards_leads_nowhere(void **state)
{
    struct fixture *f = *state;
    begin(f, 0);
    snapshot(f, 0, CLOCK_ID_REALTIME, 1000, CLOCK_ID_BOOTTIME, 10);
    snapshot(f, 0, CLOCK_ID_REALTIME, 900, CLOCK_ID_BOOTTIME, 20);
    assert_int_equal(rows(f), 4); /* it stands in the snapshot with trace time */
    assert_int_equal(at(f, 0, CLOCK_ID_REALTIME, 1000, false), -2);
    int64_t out;
    assert_true(clock_convert(&f->files[0], CLOCK_ID_BOOTTIME, 21, CLOCK_ID_REALTIME, &out));
    assert_int_equal(out, 901);
}

static void the_first_claim_of_trace_time_holds(void **state)
{
    struct fixture *f = *state;
    begin(f, 0);
    snapshot(f, 0, CLOCK_ID_MONOTONIC, 1000, CLOCK_ID_BOOTTIME, 5000);
    begin(f, 2); /* systrace on the machine's MONOTONIC */
    assert_int_equal(at(f, 2, 0, 1500, true), 5500);
    begin(f, 3); /* a file of its own clock: taken for trace time */
    assert_int_equal(at(f, 3, 0, 77, true), 77);
    assert_int_equal(table_rows(&f->import.tables->metadata.table), 1);
    assert_int_equal(column_get_int64(&f->import.tables->metadata.int_value, 0), CLOCK_ID_BOOTTIME);
}

static void later_files_with_snapshots_have_their_own_clocks(void **state)
{
    struct fixture *f = *state;
    begin(f, 0);
    snapshot(f, 0, CLOCK_ID_MONOTONIC, 1000, CLOCK_ID_BOOTTIME, 5000);
    begin(f, 1);
    f->files[1].machine_id = 0;
    snapshot(f, 1, CLOCK_ID_MONOTONIC, 1000, CLOCK_ID_BOOTTIME, 9000);
    /* BOOTTIME is taken for BOOTTIME, each keeps its offset to MONOTONIC. */
    assert_int_equal(at(f, 1, CLOCK_ID_BOOTTIME, 9000, true), 9000);
    assert_int_equal(at(f, 1, CLOCK_ID_MONOTONIC, 1000, true), 9000);
    assert_int_equal(at(f, 0, CLOCK_ID_MONOTONIC, 1000, true), 5000);
}

static void other_machines_meet_by_wall_clock(void **state)
{
    struct fixture *f = *state;
    f->files[1].machine_id = 1;
    begin(f, 0);
    snapshot(f, 0, CLOCK_ID_REALTIME, 1000000, CLOCK_ID_BOOTTIME, 5000);
    begin(f, 1);
    snapshot(f, 1, CLOCK_ID_REALTIME, 1000100, CLOCK_ID_BOOTTIME, 300);
    assert_int_equal(at(f, 1, 0, 300, false), -2);
    assert_int_equal(at(f, 1, 0, 300, true), 5100);
}

static void clocks_of_unlike_kind_cannot_be_related(void **state)
{
    struct fixture *f = *state;
    f->files[1].machine_id = 1;
    begin(f, 2);
    begin(f, 1);
    assert_int_equal(at(f, 1, CLOCK_ID_BOOTTIME, 300, true), LOST);
    assert_int_equal(at(f, 1, CLOCK_ID_BOOTTIME, 301, true), LOST);
    assert_int_equal(stats_get(&f->import, STAT_clock_sync_unrelatable_clock_domains), 1);
}

static void the_manifest_sets_clocks(void **state)
{
    struct fixture *f = *state;
    clock_add_edge(&f->import, &f->files[3], CLOCK_ID_TRACE_FILE, &f->files[0], CLOCK_ID_BOOTTIME,
                   500);
    clock_add_edge(&f->import, &f->files[1], CLOCK_ID_BOOTTIME, &f->files[0], CLOCK_ID_BOOTTIME,
                   -20);
    begin(f, 0);
    snapshot(f, 0, CLOCK_ID_MONOTONIC, 1000, CLOCK_ID_BOOTTIME, 5000);
    begin(f, 1);
    begin(f, 3);
    assert_int_equal(at(f, 3, 0, 100, true), 600);
    assert_int_equal(at(f, 1, CLOCK_ID_BOOTTIME, 100, true), 80);
}

static void paths_have_at_most_four_hops(void **state)
{
    (void)state;
    struct clock_graph *graph = clock_graph_new();
    uint32_t nodes[7];
    for (uint32_t i = 0; i < 7; i++)
        nodes[i] = clock_graph_intern(graph, &(struct clock_key){.clock_id = 200 + i});
    for (int i = 0; i < 6; i++)
        clock_graph_add(graph, nodes + i, (const int64_t[]){0, 10}, 2);
    int64_t out = 0;
    assert_true(clock_graph_convert(graph, nodes[0], 1, nodes[4], &out));
    assert_int_equal(out, 41);
    assert_false(clock_graph_convert(graph, nodes[0], 1, nodes[5], &out));
    /* A shorter way, once it is there, is taken. */
    clock_graph_add(graph, (const uint32_t[]){nodes[0], nodes[5]}, (const int64_t[]){0, 7}, 2);
    assert_true(clock_graph_convert(graph, nodes[0], 1, nodes[5], &out));
    assert_int_equal(out, 8);
    clock_graph_free(graph);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, open_fixture, close_fixture)
    const struct CMUnitTest tests[] = {
        TEST(takes_the_latest_snapshot),
        TEST(waits_for_a_snapshot_then_counts_the_loss),
        TEST(packets_without_snapshots_are_in_trace_time),
        TEST(incremental_clocks_add_up),
        TEST(refuses_bad_snapshots),
        TEST(a_clock_that_runs_backwards_leads_nowhere),
        TEST(the_first_claim_of_trace_time_holds),
        TEST(later_files_with_snapshots_have_their_own_clocks),
        TEST(other_machines_meet_by_wall_clock),
        TEST(clocks_of_unlike_kind_cannot_be_related),
        TEST(the_manifest_sets_clocks),
        TEST(paths_have_at_most_four_hops),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
