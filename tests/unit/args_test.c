#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "engine/import/args.h"

struct fixture {
    struct import import;
    struct arg_list list;
    string_id keys[40];
};

static int open_fixture(void **state)
{
    struct fixture *f = mem_zero(1, sizeof *f);
    f->import.tables = tables_new();
    f->import.strings = f->import.tables->strings;
    for (int i = 0; i < 40; i++) {
        char name[] = {(char)('a' + i % 26), (char)('a' + i / 26), 0};
        f->keys[i] = strpool_intern_text(f->import.strings, name);
    }
    f->import.args = args_new(&f->import);
    *state = f;
    return 0;
}

static int close_fixture(void **state)
{
    struct fixture *f = *state;
    args_free(f->import.args);
    tables_free(f->import.tables);
    vec_free(&f->list);
    mem_free(f);
    return 0;
}

static uint32_t rows(struct fixture *f)
{
    return table_rows(&f->import.tables->args.table);
}

static void no_args_are_no_set(void **state)
{
    struct fixture *f = *state;
    assert_int_equal(args_commit(f->import.args, &f->list), NULL_UINT32);
    assert_int_equal(rows(f), 0);
}

static void equal_sets_are_one(void **state)
{
    struct fixture *f = *state;
    arg_list_put_int(&f->list, f->keys[0], 1);
    arg_list_put_int(&f->list, f->keys[1], 2);
    uint32_t first = args_commit(f->import.args, &f->list);
    assert_int_equal(f->list.count, 0);
    arg_list_put_int(&f->list, f->keys[1], 2);
    arg_list_put_int(&f->list, f->keys[0], 1);
    assert_int_equal(args_commit(f->import.args, &f->list), first);
    /* A part, more, another value and another type are other sets. */
    arg_list_put_int(&f->list, f->keys[0], 1);
    uint32_t part = args_commit(f->import.args, &f->list);
    assert_int_equal(part, 2);
    arg_list_put_bool(&f->list, f->keys[0], 1);
    assert_int_equal(args_commit(f->import.args, &f->list), 3);
    arg_list_put_int(&f->list, f->keys[0], 2);
    assert_int_equal(args_commit(f->import.args, &f->list), 4);
    for (int i = 0; i < 3; i++)
        arg_list_put_int(&f->list, f->keys[i], i + 1);
    assert_int_equal(args_commit(f->import.args, &f->list), 5);
    assert_int_equal(rows(f), 8);
}

static void the_last_of_a_key_stays_and_order_is_by_key(void **state)
{
    struct fixture *f = *state;
    for (int i = 39; i >= 0; i--)
        arg_list_put_int(&f->list, f->keys[i], i);
    for (int i = 0; i < 40; i += 2)
        arg_list_put_string(&f->list, f->keys[i], f->keys[0]);
    uint32_t set = args_commit(f->import.args, &f->list);
    args_read(f->import.tables, set, &f->list);
    assert_int_equal(f->list.count, 40);
    for (int i = 0; i < 40; i++) {
        assert_int_equal(f->list.items[i].key, f->keys[i]);
        assert_int_equal(f->list.items[i].type, i % 2 ? ARG_INT : ARG_STRING);
    }
}

static void every_type_comes_back(void **state)
{
    struct fixture *f = *state;
    struct arg args[] = {
        {.type = ARG_INT, .value.integer = INT64_MIN},    {.type = ARG_UINT, .value.integer = -1},
        {.type = ARG_STRING, .value.string = f->keys[3]}, {.type = ARG_REAL, .value.real = -0.5},
        {.type = ARG_POINTER, .value.integer = 0x1234},   {.type = ARG_BOOL, .value.integer = 1},
        {.type = ARG_JSON, .value.string = f->keys[4]},   {.type = ARG_NULL},
    };
    enum { N = sizeof args / sizeof *args };
    for (int i = 0; i < N; i++) {
        args[i].flat_key = args[i].key = f->keys[i];
        arg_list_put(&f->list, args[i]);
    }
    uint32_t set = args_commit(f->import.args, &f->list);
    args_read(f->import.tables, set, &f->list);
    assert_int_equal(f->list.count, N);
    for (int i = 0; i < N; i++) {
        assert_int_equal(f->list.items[i].type, args[i].type);
        if (args[i].type == ARG_STRING || args[i].type == ARG_JSON)
            assert_int_equal(f->list.items[i].value.string, args[i].value.string);
        else
            assert_int_equal(f->list.items[i].value.integer, args[i].value.integer);
    }
    /* What was read is the same set again. */
    assert_int_equal(args_commit(f->import.args, &f->list), set);
}

static void many_sets_are_found_again(void **state)
{
    struct fixture *f = *state;
    for (int round = 0; round < 2; round++)
        for (uint32_t i = 0; i < 5000; i++) {
            arg_list_put_int(&f->list, f->keys[1], i);
            assert_int_equal(args_commit(f->import.args, &f->list), i);
        }
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, open_fixture, close_fixture)
    const struct CMUnitTest tests[] = {
        TEST(no_args_are_no_set),        TEST(equal_sets_are_one),
        TEST(every_type_comes_back),     TEST(the_last_of_a_key_stays_and_order_is_by_key),
        TEST(many_sets_are_found_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
