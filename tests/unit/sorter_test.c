#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "engine/base/vec.h"
#include "engine/import/import.h"
#include "engine/import/sorter.h"
#include "engine/import/stats.h"

struct seen {
    int64_t ts;
    uint32_t number;
};

struct recorder {
    VEC(struct seen) seen;
    struct cancel *cancel_at_first;
};

static void record(void *owner, int64_t ts, const void *payload)
{
    struct recorder *r = owner;
    vec_push(&r->seen, (struct seen){ts, *(const uint32_t *)payload});
    if (r->cancel_at_first) cancel_request(r->cancel_at_first);
}

struct fixture {
    struct tables *tables;
    struct import import;
    struct recorder recorder;
    struct cancel cancel;
};

static void open_fixture(struct fixture *f)
{
    *f = (struct fixture){.tables = tables_new()};
    f->import.tables = f->tables;
    f->import.strings = f->tables->strings;
    f->import.stats = stats_new(&f->import);
    f->import.sorter = sorter_new(&f->import);
    sorter_add_sink(f->import.sorter, record, &f->recorder);
}

static void close_fixture(struct fixture *f)
{
    sorter_free(f->import.sorter);
    stats_free(f->import.stats);
    tables_free(f->tables);
    vec_free(&f->recorder.seen);
}

static void push(struct fixture *f, uint32_t queue, int64_t ts, uint32_t number, size_t bytes)
{
    *(uint32_t *)sorter_push(f->import.sorter, queue, 0, ts, bytes) = number;
}

struct event {
    uint32_t queue;
    int64_t ts;
};

static const struct {
    struct event pushed[10];
    unsigned n;
    uint32_t expected[10]; /* numbers of pushing */
} CASES[] = {
    {{{0, 1}, {0, 2}, {0, 3}}, 3, {0, 1, 2}},
    {{{0, 3}, {0, 1}, {0, 2}}, 3, {1, 2, 0}},
    /* equal times keep the order of pushing */
    {{{0, 5}, {0, 1}, {0, 5}, {0, 1}, {0, 5}}, 5, {1, 3, 0, 2, 4}},
    /* across queues the lower number first */
    {{{1, 5}, {0, 5}, {2, 5}, {1, 5}, {0, 5}}, 5, {1, 4, 0, 3, 2}},
    {{{0, 10}, {1, 5}, {0, 20}, {1, 15}, {2, 12}, {0, 12}}, 6, {1, 0, 5, 4, 3, 2}},
    /* only the tail is out of order */
    {{{0, 1}, {0, 4}, {0, 9}, {0, 4}, {0, 10}, {0, 3}}, 6, {0, 5, 1, 3, 2, 4}},
};

static void orders_events(void **state)
{
    (void)state;
    for (size_t c = 0; c < sizeof CASES / sizeof *CASES; c++) {
        struct fixture f;
        open_fixture(&f);
        for (int i = 0; i < 3; i++)
            sorter_add_queue(f.import.sorter);
        for (unsigned i = 0; i < CASES[c].n; i++)
            push(&f, CASES[c].pushed[i].queue, CASES[c].pushed[i].ts, i, 4);
        sorter_emit_all(f.import.sorter);
        assert_int_equal(f.recorder.seen.count, CASES[c].n);
        for (unsigned i = 0; i < CASES[c].n; i++)
            assert_int_equal(f.recorder.seen.items[i].number, CASES[c].expected[i]);
        close_fixture(&f);
    }
}

/* Many events in runs and out of them, payloads of many sizes: stable by time. */
static void orders_many_events(void **state)
{
    (void)state;
    enum { N = 60000 };
    struct fixture f;
    open_fixture(&f);
    for (int i = 0; i < 5; i++)
        sorter_add_queue(f.import.sorter);
    uint32_t x = 12345;
    int64_t *times = mem_zero(N, sizeof *times);
    for (uint32_t i = 0; i < N; i++) {
        x = x * 1664525 + 1013904223;
        times[i] = i / 10 + (x >> 16) % ((i / 5000) % 2 ? 3000 : 3);
        size_t bytes = i % 4001 == 0 ? 700000 : 4 + (x >> 8) % 90;
        push(&f, 0, times[i], i, bytes);
    }
    assert_true(sorter_latest(f.import.sorter) > N / 10 - 4);
    sorter_emit_all(f.import.sorter);
    assert_int_equal(f.recorder.seen.count, N);
    for (uint32_t i = 0; i < N; i++) {
        const struct seen *s = &f.recorder.seen.items[i];
        assert_int_equal(s->ts, times[s->number]);
        if (i == 0) continue;
        assert_true(s[-1].ts < s->ts || (s[-1].ts == s->ts && s[-1].number < s->number));
    }
    mem_free(times);
    close_fixture(&f);
}

/* Like JSON's rule for slices that begin together: the larger first. */
static int larger_first(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x / 10 == y / 10 ? 0 : x / 10 > y / 10 ? -1 : 1;
}

static void follows_the_comparison_of_a_queue(void **state)
{
    (void)state;
    struct fixture f;
    open_fixture(&f);
    uint32_t queue = sorter_add_queue(f.import.sorter);
    const struct seen pushed[] = {{1, 11}, {1, 31}, {1, 32}, {1, 21}, {0, 5}, {2, 1}};
    const uint32_t expected[] = {5, 31, 32, 21, 11, 1};
    /* Set in the middle, as an importer does that learns late of the need. */
    for (size_t i = 0; i < 6; i++) {
        if (i == 2) sorter_set_compare(f.import.sorter, queue, larger_first);
        push(&f, queue, pushed[i].ts, pushed[i].number, 4);
    }
    sorter_emit_all(f.import.sorter);
    for (size_t i = 0; i < 6; i++)
        assert_int_equal(f.recorder.seen.items[i].number, expected[i]);
    close_fixture(&f);
}

static void drops_negative_times(void **state)
{
    (void)state;
    struct fixture f;
    open_fixture(&f);
    sorter_add_queue(f.import.sorter);
    push(&f, 0, -1, 0, 100000);
    push(&f, 0, 0, 1, 4);
    push(&f, 0, INT64_MIN, 2, 4);
    sorter_emit_all(f.import.sorter);
    assert_int_equal(f.recorder.seen.count, 1);
    assert_int_equal(stats_get(&f.import, STAT_trace_sorter_negative_timestamp_dropped), 2);
    close_fixture(&f);
}

static void stops_on_a_request(void **state)
{
    (void)state;
    struct fixture f;
    open_fixture(&f);
    f.import.cancel = &f.cancel;
    f.recorder.cancel_at_first = &f.cancel;
    sorter_add_queue(f.import.sorter);
    for (uint32_t i = 0; i < 100000; i++)
        push(&f, 0, i, i, 4);
    sorter_emit_all(f.import.sorter);
    assert_true(f.recorder.seen.count > 0 && f.recorder.seen.count < 100000);
    close_fixture(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(orders_events),
        cmocka_unit_test(orders_many_events),
        cmocka_unit_test(follows_the_comparison_of_a_queue),
        cmocka_unit_test(drops_negative_times),
        cmocka_unit_test(stops_on_a_request),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
