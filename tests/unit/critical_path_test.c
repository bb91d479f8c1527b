/* What a thread waited for: the walk over wakeups, on states written by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "engine/base/buffer.h"
#include "engine/sql/database.h"

#define NONE UINT32_MAX

struct state {
    int64_t ts, dur;
    uint32_t utid;
    const char *name;
    uint32_t waker; /* row */
    uint32_t irq;
};

/* Three threads: a is woken by b, which had been woken by c. */
static const struct state chain[] = {
    {0, 20, 0, "Running", NONE, 0},  /* 0 */
    {0, 50, 2, "Running", NONE, 0},  /* 1 */
    {5, 35, 1, "S", NONE, 0},        /* 2 */
    {20, 40, 0, "S", NONE, 0},       /* 3 */
    {40, 5, 1, "R", 1, 0},           /* 4 */
    {45, 55, 1, "Running", NONE, 0}, /* 5 */
    {60, 10, 0, "R", 5, 0},          /* 6 */
    {70, 30, 0, "Running", NONE, 0}, /* 7 */
    {100, -1, 0, "D", NONE, 0},      /* 8 */
};

/* Sleeps that nobody's wakeup ended: an interrupt, I/O, a waker that is not there,
 * a hole in what is known. */
static const struct state own[] = {
    {0, 10, 1, "Running", NONE, 0}, /* 0 */
    {0, 10, 0, "S", NONE, 0},       /* 1 */
    {10, 5, 0, "R", 0, 1},          /* 2 */
    {15, 5, 0, "Running", NONE, 0}, /* 3 */
    {20, 10, 0, "D", NONE, 0},      /* 4 */
    {30, 5, 0, "R+", 77, 0},        /* 5 */
    {40, 10, 0, "Running", NONE, 0} /* 6 */
};

/* Two threads that wake each other, and run for no time at all between. */
static const struct state ring[] = {
    {0, 10, 0, "S", NONE, 0},        /* 0 */
    {0, 10, 1, "S", NONE, 0},        /* 1 */
    {10, 0, 0, "R", 5, 0},           /* 2 */
    {10, 0, 1, "R", 4, 0},           /* 3 */
    {10, 10, 0, "Running", NONE, 0}, /* 4 */
    {10, 10, 1, "Running", NONE, 0}, /* 5 */
};

struct fixture {
    struct tables *tables;
    struct sql_database *db;
};

static struct fixture fill(const struct state *states, size_t n)
{
    struct fixture f = {.tables = tables_new()};
    struct tables *t = f.tables;
    for (uint32_t i = 0; i < 3; i++) {
        const char *name = (const char *[]){"a", "b", "c"}[i];
        process_append(&t->process, &(struct process_row){.pid = 10 + i});
        thread_append(&t->thread,
                      &(struct thread_row){.tid = 20 + i,
                                           .name = strpool_intern_text(t->strings, name),
                                           .upid = some_uint32(i)});
        track_append(&t->track,
                     &(struct track_row){.event_type = strpool_intern_text(t->strings, "slice"),
                                         .utid = some_uint32(i)});
    }
    for (size_t i = 0; i < n; i++) {
        const struct state *s = &states[i];
        thread_state_append(&t->thread_state, &(struct thread_state_row){
                                                  .ts = s->ts,
                                                  .dur = s->dur,
                                                  .utid = s->utid,
                                                  .state = strpool_intern_text(t->strings, s->name),
                                                  .waker_id = opt_row(s->waker),
                                                  .irq_context = some_uint32(s->irq)});
    }
    struct slice_row slice = {.ts = 30, .dur = 60, .name = strpool_intern_text(t->strings, "work")};
    slice.track_id = 1;
    slice_append(&t->slice, &slice);
    tables_freeze(t);
    struct status st = STATUS_INIT;
    f.db = sql_database_new(t, &st);
    assert_non_null(f.db);
    assert_true(sql_database_after_load(f.db, &st));
    return f;
}

static void drop(struct fixture *f)
{
    sql_database_free(f->db);
    tables_free(f->tables);
}

static void expect(struct fixture *f, const char *sql, const char *expected)
{
    struct status st = STATUS_INIT;
    struct buffer out = BUFFER_INIT;
    struct sql_cursor *c = sql_database_query(f->db, str_of(sql), SQL_ORIGIN_USER, &st);
    while (c && sql_cursor_next_statement(c, &st))
        while (sql_cursor_step(c, &st))
            for (uint32_t i = 0; i < sql_cursor_column_count(c); i++) {
                if (i || out.length) buffer_append_byte(&out, i ? ',' : ' ');
                buffer_append_str(&out, sql_cursor_text(c, i));
            }
    if (st.code != STATUS_OK) {
        const char *text = status_message(&st), *last = strrchr(text, '\n');
        buffer_append_text(&out, last ? last + 1 : text);
    }
    assert_string_equal(buffer_text(&out), expected);
    sql_cursor_free(c);
    buffer_free(&out);
    status_clear(&st);
}

#define PATH(arguments) "SELECT id, ts, dur, utid, depth FROM __intrinsic_critical_path" arguments

static void a_sleep_is_its_wakers(void **state)
{
    (void)state;
    struct fixture f = fill(chain, sizeof chain / sizeof *chain);
    const char *all = "0,0,20,0,0 1,20,20,2,2 4,40,5,1,1 5,45,15,1,1 6,60,10,0,0 7,70,30,0,0";
    expect(&f, PATH("(0, 0, 100)"), all);
    /* What is asked for may begin and end anywhere, in the sleep too. */
    expect(&f, PATH("(0, 30, 35)"), "1,30,10,2,2 4,40,5,1,1 5,45,15,1,1 6,60,5,0,0");
    expect(&f, PATH("(0, 10, 32)"), "0,10,10,0,0 1,20,20,2,2 4,40,2,1,1");
    expect(&f, PATH("(0, 95, 20)"), "7,95,5,0,0 8,100,15,0,0");
    expect(&f, PATH("(1, 0, 50)"), "1,5,35,2,1 4,40,5,1,0 5,45,5,1,0");
    expect(&f, PATH("(0, 200, 0)"), "");
    expect(&f, PATH("(0, 9223372036854775000, 9223372036854775000)"),
           "8,9223372036854775000,807,0,0");
    expect(&f, PATH("(NULL, 0, 100)"), "");
    expect(&f, PATH("(3, 0, 100)"), "no row with id 3");
    drop(&f);
}

static void other_sleeps_are_their_own(void **state)
{
    (void)state;
    struct fixture f = fill(own, sizeof own / sizeof *own);
    expect(&f, PATH("(0, 0, 60)"),
           "1,0,10,0,0 2,10,5,0,0 3,15,5,0,0 4,20,10,0,0 5,30,5,0,0 6,40,10,0,0");
    drop(&f);
}

static void rings_end(void **state)
{
    (void)state;
    struct fixture f = fill(ring, sizeof ring / sizeof *ring);
    expect(&f, PATH("(0, 0, 20)"), "0,0,10,0,0 4,10,10,0,0");
    drop(&f);
}

static void modules(void **state)
{
    (void)state;
    struct fixture f = fill(chain, sizeof chain / sizeof *chain);
    expect(&f,
           "INCLUDE PERFETTO MODULE sched.thread_executing_span;"
           "SELECT ts, dur, utid, root_utid FROM _thread_executing_span_critical_path(0, 40, 20)",
           "40,5,1,0 45,15,1,0");
    expect(&f,
           "INCLUDE PERFETTO MODULE sched.thread_executing_span_with_slice;"
           "SELECT ts, dur, stack_depth, name, table_name "
           "FROM _thread_executing_span_critical_path_stack(0, 45, 30) ORDER BY ts, stack_depth",
           "45,15,0,b 21,thread_state 45,15,1,process 11,thread_state "
           "45,15,2,Running,thread_state 45,15,3,work,slice 60,10,0,a 20,thread_state "
           "60,10,1,process 10,thread_state 60,10,2,Runnable,thread_state 70,5,0,a 20,thread_state "
           "70,5,1,process 10,thread_state 70,5,2,Running,thread_state");
    drop(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_sleep_is_its_wakers),
        cmocka_unit_test(other_sleeps_are_their_own),
        cmocka_unit_test(rings_end),
        cmocka_unit_test(modules),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
