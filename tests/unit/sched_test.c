/* Scheduling: switches, wake-ups, blocked reasons, names of states. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "engine/import/process.h"
#include "engine/import/sched.h"
#include "tests/unit/import_fixture.h"

static void switch_to(struct fixture *f, int64_t ts, uint32_t cpu, int64_t prev,
                      const char *prev_state, int64_t next)
{
    struct sched_switch s = {.cpu = cpu,
                             .prev_tid = prev,
                             .prev_state = fixture_id(f, prev_state),
                             .next_utid = thread_intern(&f->file, next),
                             .next_tid = next,
                             .next_priority = 120};
    sched_push_switch(&f->file, ts, &s);
}

static void wake(struct fixture *f, int64_t ts, int64_t tid, int64_t waker, uint32_t flags)
{
    sched_push_waking(&f->file, ts, thread_intern(&f->file, tid), thread_intern(&f->file, waker),
                      some_uint32(flags));
}

/* "tid:ts:dur:state …" */
static void states_text(struct fixture *f, struct buffer *out)
{
    const struct thread_state_table *t = &f->tables->thread_state;
    buffer_clear(out);
    for (uint32_t i = 0; i < table_rows(&t->table); i++)
        buffer_printf(
            out, "%s%lld:%lld:%lld:%s", i ? " " : "",
            (long long)column_get_int64(&f->tables->thread.tid, column_get_row(&t->utid, i)),
            (long long)column_get_int64(&t->ts, i), (long long)column_get_int64(&t->dur, i),
            fixture_text(f, &t->state, i));
}

static void switches_make_slices_and_states(void **state)
{
    (void)state;
    struct fixture f = fixture_new(NULL);
    struct buffer text = BUFFER_INIT;
    process_map_idle(f.import, 0);
    switch_to(&f, 10, 0, 0, "R", 5);
    switch_to(&f, 30, 0, 5, "S", 6);
    wake(&f, 40, 5, 6, 0x08);
    switch_to(&f, 50, 0, 6, "R+", 5);
    states_text(&f, &text);
    assert_string_equal(buffer_text(&text), "5:10:20:Running 5:30:10:S 6:30:20:Running 5:40:10:R "
                                            "6:50:-1:R+ 5:50:-1:Running");
    const struct thread_state_table *t = &f.tables->thread_state;
    assert_int_equal(column_get_row(&t->waker_utid, 3), thread_find(&f.file, 6));
    assert_int_equal(column_get_row(&t->waker_id, 3), 2);
    assert_int_equal(column_get_row(&t->irq_context, 3), 1);
    assert_int_equal(column_get_row(&t->ucpu, 0), 0);
    assert_true(column_is_null(&t->ucpu, 1));

    const struct sched_slice_table *s = &f.tables->sched_slice;
    assert_int_equal(table_rows(&s->table), 3);
    assert_int_equal(column_get_int64(&s->dur, 0), 20);
    assert_string_equal(fixture_text(&f, &s->end_state, 1), "R+");
    assert_int_equal(column_get_int64(&s->dur, 2), -1);
    assert_int_equal(sched_current_tid(&f.file, 0), 5);
    assert_int_equal(sched_current(&f.file, 1), NULL_UINT32);
    buffer_free(&text);
    fixture_free(&f);
}

static void lost_switches_leave_open_ends(void **state)
{
    (void)state;
    struct fixture f = fixture_new(NULL);
    struct buffer text = BUFFER_INIT;
    switch_to(&f, 10, 0, 4, "S", 5);
    switch_to(&f, 30, 0, 7, "S", 6); /* where did 5 go? */
    assert_int_equal(stats_get(f.import, STAT_mismatched_sched_switch_tids), 1);
    assert_int_equal(column_get_int64(&f.tables->sched_slice.dur, 0), -1);
    wake(&f, 35, 7, 6, 0);
    switch_to(&f, 40, 1, 7, "S", 8); /* 7 ran without having been switched to */
    states_text(&f, &text);
    assert_string_equal(buffer_text(&text), "4:10:-1:S 5:10:-1:Running 7:30:5:S 6:30:-1:Running "
                                            "7:35:-1:R 7:40:-1:S 8:40:-1:Running");
    buffer_free(&text);
    fixture_free(&f);
}

static void needless_wakeups_are_kept_apart(void **state)
{
    (void)state;
    struct fixture f = fixture_new(NULL);
    wake(&f, 5, 5, 6, 0);
    assert_int_equal(table_rows(&f.tables->thread_state.table), 1);
    wake(&f, 6, 5, 6, 0x10);
    assert_int_equal(table_rows(&f.tables->thread_state.table), 1);
    assert_int_equal(table_rows(&f.tables->spurious_sched_wakeup.table), 1);
    assert_int_equal(column_get_row(&f.tables->spurious_sched_wakeup.irq_context, 0), 1);
    /* A preempted thread counts as blocked here. */
    switch_to(&f, 10, 0, 5, "R+", 6);
    wake(&f, 11, 5, 6, 0);
    assert_int_equal(table_rows(&f.tables->spurious_sched_wakeup.table), 1);
    fixture_free(&f);
}

static void reasons_go_to_the_last_blocked_state(void **state)
{
    (void)state;
    struct fixture f = fixture_new(NULL);
    uint32_t utid = thread_intern(&f.file, 5);
    sched_push_blocked_reason(&f.file, utid, some_uint32(1), 0);
    switch_to(&f, 10, 0, 5, "D", 6);
    wake(&f, 11, 5, 6, 0);
    sched_push_blocked_reason(&f.file, utid, some_uint32(1), fixture_id(&f, "do_read"));
    const struct thread_state_table *t = &f.tables->thread_state;
    assert_int_equal(column_get_row(&t->io_wait, 0), 1);
    assert_string_equal(fixture_text(&f, &t->blocked_function, 0), "do_read");
    assert_true(column_is_null(&t->io_wait, 1));
    fixture_free(&f);
}

struct mask_case {
    int64_t mask;
    const char *release, *text;
};

static const struct mask_case mask_cases[] = {
    {0, NULL, "R"},           {1, NULL, "S"},         {2, "5.10.43-android12", "D"},
    {0x100, "5.10.43", "R+"}, {0x80, "5.10.43", "I"}, {0x80, "4.4.0", "K"},
    {0x82, NULL, "DK"},       {0x402, NULL, "I"},     {0x40, "4.14.1", "P"},
    {0x40, "4.9.0", "x"},     {0x800, NULL, "R+"},    {0x800, "4.8.1", NULL},
    {0x1000, "4.9.1", "R+"},  {0x200, "4.19", NULL},  {-1, NULL, NULL},
    {INT64_MIN, "6.1", NULL}, {0x102, "5.4", "D"},
};

static void masks_are_named_by_kernel(void **state)
{
    (void)state;
    struct fixture f = fixture_new(NULL);
    for (size_t i = 0; i < sizeof mask_cases / sizeof *mask_cases; i++) {
        const struct mask_case *c = &mask_cases[i];
        string_id id = sched_state_of_mask(f.import, c->mask, c->release);
        if (id != fixture_id(&f, c->text))
            fail_msg("mask %lld: %s", (long long)c->mask, strpool_text(f.tables->strings, id));
    }
    static const char *const texts[][2] = {{"S", "S"},    {"R+", "R+"}, {"R", "R"}, {"D|K", "DK"},
                                           {"K|D", "DK"}, {"x", "x"},   {"", NULL}, {"Q", NULL},
                                           {"|", NULL},   {"D+", "D"}};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        assert_int_equal(sched_state_of_text(f.import, str_of(texts[i][0])),
                         fixture_id(&f, texts[i][1]));
    fixture_free(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(switches_make_slices_and_states),
        cmocka_unit_test(lost_switches_leave_open_ends),
        cmocka_unit_test(needless_wakeups_are_kept_apart),
        cmocka_unit_test(reasons_go_to_the_last_blocked_state),
        cmocka_unit_test(masks_are_named_by_kernel),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
