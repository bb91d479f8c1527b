/* Threads and processes: reuse of ids, names, late associations. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "engine/import/process.h"
#include "tests/unit/import_fixture.h"

static void a_process_comes_with_its_main_thread(void **state)
{
    (void)state;
    struct fixture f = fixture_new(NULL);
    uint32_t upid = process_intern(&f.file, 10);
    uint32_t main_utid = thread_find(&f.file, 10);
    assert_int_equal(thread_process(&f.file, main_utid), upid);
    assert_int_equal(column_get_row(&f.tables->thread.is_main_thread, main_utid), 1);
    uint32_t worker = thread_intern_in(&f.file, 11, 10);
    assert_int_equal(thread_intern_in(&f.file, 11, 10), worker);
    assert_int_equal(thread_intern(&f.file, 11), worker);
    assert_int_equal(column_get_row(&f.tables->thread.is_main_thread, worker), 0);
    /* A thread that was seen alone joins later. */
    uint32_t alone = thread_intern(&f.file, 20);
    assert_int_equal(thread_process(&f.file, alone), NULL_UINT32);
    assert_int_equal(thread_intern_in(&f.file, 20, 10), alone);
    assert_int_equal(thread_process(&f.file, alone), upid);
    assert_int_equal(process_find(&f.file, 99), NULL_UINT32);
    fixture_free(&f);
}

static void one_tid_in_two_processes(void **state)
{
    (void)state;
    struct fixture f = fixture_new(NULL);
    uint32_t a = thread_intern_in(&f.file, 29, 1), b = thread_intern_in(&f.file, 29, 2);
    assert_int_not_equal(a, b);
    assert_int_equal(thread_intern_in(&f.file, 29, 1), a);
    assert_int_equal(thread_intern_in(&f.file, 29, 2), b);
    fixture_free(&f);
}

static void ids_are_used_again(void **state)
{
    (void)state;
    struct fixture f = fixture_new(NULL);
    uint32_t upid = process_intern(&f.file, 5);
    uint32_t utid = thread_intern_in(&f.file, 5, 5), worker = thread_intern_in(&f.file, 6, 5);
    thread_end(&f.file, 100, 5);
    assert_int_equal(column_get_int64(&f.tables->thread.end_ts, utid), 100);
    assert_int_equal(column_get_int64(&f.tables->process.end_ts, upid), 100);
    assert_int_not_equal(thread_intern(&f.file, 6), worker);
    uint32_t next = process_start(&f.file, some_int64(200), 5, some_uint32(0), fixture_id(&f, "sh"),
                                  THREAD_NAME_FTRACE);
    assert_int_not_equal(next, upid);
    assert_int_not_equal(thread_find(&f.file, 5), utid);
    assert_string_equal(fixture_text(&f, &f.tables->process.name, next), "sh");
    assert_int_equal(column_get_int64(&f.tables->process.start_ts, next), 200);
    /* A new one without an end of the old. */
    uint32_t third =
        process_start(&f.file, some_int64(300), 5, (struct opt_uint32){0}, 0, THREAD_NAME_OTHER);
    assert_int_not_equal(third, next);
    assert_int_equal(process_find(&f.file, 5), third);
    assert_true(column_is_null(&f.tables->process.parent_upid, third));
    uint32_t t1 = thread_start(&f.file, some_int64(310), 7, thread_find(&f.file, 5));
    assert_int_equal(thread_process(&f.file, t1), third);
    assert_int_equal(thread_find(&f.file, 7), t1);
    fixture_free(&f);
}

static void processes_become_known_late(void **state)
{
    (void)state;
    struct fixture f = fixture_new(NULL);
    uint32_t parent = thread_intern(&f.file, 8);
    uint32_t child = thread_start(&f.file, some_int64(1), 9, parent);
    uint32_t grandchild = thread_start(&f.file, some_int64(2), 10, child);
    assert_int_equal(thread_process(&f.file, grandchild), NULL_UINT32);
    thread_intern_in(&f.file, 8, 8);
    assert_int_equal(thread_process(&f.file, child), process_find(&f.file, 8));
    assert_int_equal(thread_process(&f.file, grandchild), process_find(&f.file, 8));
    assert_int_equal(column_get_row(&f.tables->thread.is_main_thread, parent), 1);
    fixture_free(&f);
}

static void names_have_priorities(void **state)
{
    (void)state;
    struct fixture f = fixture_new(NULL);
    uint32_t utid = thread_intern_in(&f.file, 5, 5);
    uint32_t upid = process_find(&f.file, 5);
    const struct column *thread = &f.tables->thread.name, *process = &f.tables->process.name;
    thread_set_name(&f.file, utid, fixture_id(&f, "tree"), THREAD_NAME_PROCESS_TREE);
    thread_set_name(&f.file, utid, fixture_id(&f, "comm"), THREAD_NAME_FTRACE);
    assert_string_equal(fixture_text(&f, thread, utid), "tree");
    thread_set_name(&f.file, utid, fixture_id(&f, "tree2"), THREAD_NAME_PROCESS_TREE);
    assert_string_equal(fixture_text(&f, thread, utid), "tree2");
    process_set_name(&f.file, upid, fixture_id(&f, "label"), PROCESS_NAME_CHROME_LABEL);
    assert_string_equal(fixture_text(&f, process, upid), "label");
    thread_set_name_and_process(&f.file, utid, fixture_id(&f, "renamed"), THREAD_NAME_FTRACE);
    assert_string_equal(fixture_text(&f, process, upid), "renamed");
    process_set_name(&f.file, upid, fixture_id(&f, "desc"), PROCESS_NAME_TRACK_DESCRIPTOR);
    assert_string_equal(fixture_text(&f, process, upid), "renamed");
    process_set_uid(&f.file, upid, 1010123);
    assert_int_equal(column_get_row(&f.tables->process.android_appid, upid), 10123);
    assert_int_equal(column_get_row(&f.tables->process.android_user_id, upid), 10);
    fixture_free(&f);
}

static void idle_is_row_0_where_it_is_mapped(void **state)
{
    (void)state;
    struct fixture f = fixture_new(NULL);
    assert_int_not_equal(thread_intern_in(&f.file, 0, 0), 0);
    fixture_free(&f);
    f = fixture_new(NULL);
    process_map_idle(f.import, 0);
    assert_int_equal(thread_intern(&f.file, 0), 0);
    assert_int_equal(process_intern(&f.file, 0), 0);
    assert_string_equal(fixture_text(&f, &f.tables->thread.name, 0), "swapper");
    thread_set_name(&f.file, 0, fixture_id(&f, "swapper/3"), THREAD_NAME_FTRACE);
    assert_string_equal(fixture_text(&f, &f.tables->thread.name, 0), "swapper");
    fixture_free(&f);
}

static void machines_have_their_own_ids(void **state)
{
    (void)state;
    struct fixture f = fixture_new(NULL);
    uint32_t machine = machine_intern(f.import, 77);
    assert_int_equal(machine_intern(f.import, 77), machine);
    struct import_file other = f.file;
    other.machine_id = machine;
    uint32_t here = thread_intern(&f.file, 5), there = thread_intern(&other, 5);
    assert_int_not_equal(here, there);
    assert_int_equal(column_get_row(&f.tables->thread.machine_id, there), machine);
    assert_int_equal(cpu_intern(&other, 3), machine * 4096 + 3);
    assert_int_equal(column_get_row(&f.tables->cpu.cpu, machine * 4096 + 3), 3);
    assert_int_equal(cpu_intern(&f.file, UINT32_MAX), 4095);
    fixture_free(&f);
}

static void args_are_committed_at_the_end(void **state)
{
    (void)state;
    struct fixture f = fixture_new(NULL);
    string_id key = fixture_id(&f, "hint");
    uint32_t upid = process_intern(&f.file, 5);
    struct arg arg = {.flat_key = key, .key = key, .type = ARG_INT, .value.integer = 3};
    process_put_arg(&f.file, upid, arg);
    arg.value.integer = 4;
    process_put_arg(&f.file, upid, arg);
    assert_true(column_is_null(&f.tables->process.arg_set_id, upid));
    fixture_finish(&f);
    struct arg_list args = {NULL, 0, 0};
    args_read(f.tables, column_get_row(&f.tables->process.arg_set_id, upid), &args);
    assert_int_equal(args.count, 1);
    assert_int_equal(args.items[0].value.integer, 4);
    vec_free(&args);
    fixture_free(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_process_comes_with_its_main_thread),
        cmocka_unit_test(one_tid_in_two_processes),
        cmocka_unit_test(ids_are_used_again),
        cmocka_unit_test(processes_become_known_late),
        cmocka_unit_test(names_have_priorities),
        cmocka_unit_test(idle_is_row_0_where_it_is_mapped),
        cmocka_unit_test(machines_have_their_own_ids),
        cmocka_unit_test(args_are_committed_at_the_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
