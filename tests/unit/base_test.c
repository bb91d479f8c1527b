/* Strings, exact decimals, maps, arenas, buffers, UTF-8, regexes, the pool. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "engine/base/arena.h"
#include "engine/base/buffer.h"
#include "engine/base/checked.h"
#include "engine/base/map.h"
#include "engine/base/regex.h"
#include "engine/base/sha256.h"
#include "engine/base/status.h"
#include "engine/base/strpool.h"
#include "engine/base/utf8.h"
#include "engine/base/vec.h"

static void decimals_are_exact(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int power;
        bool ok;
        int64_t value;
    } cases[] = {
        {"0", 3, true, 0},
        {"1", 3, true, 1000},
        {"154.5", 3, true, 154500},
        {"-154.5", 3, true, -154500},
        {"1692108548132154.5", 3, true, INT64_C(1692108548132154500)},
        {"1.6921085481321545e15", 3, true, INT64_C(1692108548132154500)},
        {"1.6921085481321605E+15", 3, true, INT64_C(1692108548132160500)},
        {"0.0004", 3, true, 0},
        {"0.0005", 3, true, 1},
        {"-0.0005", 3, true, -1},
        {"0.00049999", 3, true, 0},
        {"1e-3", 3, true, 1},
        {"1e-30", 3, true, 0},
        {"9223372036854775.807", 3, true, INT64_MAX},
        {"-9223372036854775.808", 3, true, INT64_MIN},
        {"9223372036854775.808", 3, false, 0},
        {"1e300", 3, false, 0},
        {"0e300", 3, true, 0},
        {"", 3, false, 0},
        {".", 3, false, 0},
        {"1.2.3", 3, false, 0},
        {"12x", 3, false, 0},
        {"1e", 3, false, 0},
        {"--1", 3, false, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        int64_t value = 0;
        bool ok = str_to_scaled_int64(str_of(cases[i].text), cases[i].power, &value);
        if (ok != cases[i].ok || value != cases[i].value) print_error("%s\n", cases[i].text);
        assert_true(ok == cases[i].ok);
        assert_true(value == cases[i].value);
    }
}

static void integers_stop_at_their_ends(void **state)
{
    (void)state;
    int64_t i;
    uint64_t u;
    assert_true(str_to_int64(STR("-9223372036854775808"), &i) && i == INT64_MIN);
    assert_true(str_to_int64(STR("9223372036854775807"), &i) && i == INT64_MAX);
    assert_false(str_to_int64(STR("9223372036854775808"), &i));
    assert_false(str_to_int64(STR("1 "), &i));
    assert_false(str_to_int64(STR(""), &i));
    assert_true(str_to_uint64(STR("18446744073709551615"), &u) && u == UINT64_MAX);
    assert_false(str_to_uint64(STR("18446744073709551616"), &u));
    assert_true(str_to_uint64_any_base(STR("0xFfffFfffFfffFfff"), &u) && u == UINT64_MAX);
    assert_false(str_to_uint64_any_base(STR("0x1ffffffffffffffff"), &u));
    assert_false(str_to_uint64_any_base(STR("0xg"), &u));
    double d;
    assert_true(str_to_double(STR("1.5e3"), &d) && d == 1500);
    assert_false(str_to_double(STR(" 1"), &d));
    assert_false(str_to_double(STR("1,5"), &d));
}

static void strings_split_and_trim(void **state)
{
    (void)state;
    struct str rest = STR("a,,b,"), piece;
    const char *const expected[] = {"a", "", "b", ""};
    for (int k = 0; k < 4; k++) {
        assert_true(str_split_next(&rest, ',', &piece));
        assert_true(str_is(piece, expected[k]));
    }
    assert_false(str_split_next(&rest, ',', &piece));
    assert_true(str_is(str_trim(STR(" \t x y\r\n")), "x y"));
    assert_true(str_ends(STR("trace.json"), STR(".json")));
    assert_true(str_compare(STR("ab"), STR("abc")) < 0);
    size_t at;
    assert_true(str_find(STR("hello"), STR("lo"), &at) && at == 3);
    assert_false(str_find(STR("hello"), STR("lox"), &at));
}

static void maps_hold_and_forget(void **state)
{
    (void)state;
    struct map map = {0};
    for (uint64_t k = 0; k < 5000; k++)
        map_set(&map, k * 7919, k);
    for (uint64_t k = 0; k < 5000; k += 2)
        assert_true(map_remove(&map, k * 7919));
    assert_false(map_remove(&map, 1));
    for (uint64_t k = 0; k < 5000; k++) {
        uint64_t *value = map_get(&map, k * 7919);
        assert_true(k % 2 ? value && *value == k : !value);
    }
    for (uint64_t k = 0; k < 100000; k++) { /* removed slots are used again */
        map_set(&map, UINT64_C(1) << 40 | k, k);
        map_remove(&map, UINT64_C(1) << 40 | k);
    }
    assert_true(map.capacity <= 16384);
    map_free(&map);

    struct strmap names = {0};
    bool added;
    for (int k = 0; k < 1000; k++) {
        char key[16];
        snprintf(key, sizeof key, "key%d", k % 500);
        uint64_t *value = strmap_put_if_absent(&names, str_of(key), (uint64_t)k, &added);
        assert_true(added == (k < 500));
        assert_int_equal(*value, k % 500);
    }
    assert_null(strmap_get(&names, STR("key500")));
    strmap_set(&names, STR_NONE, 9);
    assert_int_equal(*strmap_get(&names, STR("")), 9);
    strmap_free(&names);
}

static void the_pool_knows_each_string_once(void **state)
{
    (void)state;
    struct strpool *pool = strpool_new();
    assert_int_equal(strpool_intern(pool, STR_NONE), STRING_NULL);
    string_id empty = strpool_intern(pool, STR(""));
    assert_int_not_equal(empty, STRING_NULL);
    string_id ids[3000];
    for (int k = 0; k < 3000; k++) {
        char text[24];
        snprintf(text, sizeof text, "string %d", k);
        ids[k] = strpool_intern_text(pool, text);
    }
    for (int k = 0; k < 3000; k++) {
        char text[24];
        snprintf(text, sizeof text, "string %d", k);
        assert_int_equal(strpool_intern_text(pool, text), ids[k]);
        assert_string_equal(strpool_text(pool, ids[k]), text);
    }
    assert_int_equal(strpool_end(pool), ids[2999] + 1);
    struct str nul = strpool_get(pool, strpool_intern(pool, (struct str){"a\0b", 3}));
    assert_int_equal(nul.n, 3);
    assert_int_equal(strpool_find(pool, STR("not there")), STRING_NULL);
    assert_null(strpool_get(pool, UINT32_MAX).p);
    strpool_free(pool);
}

static void a_buffer_stops_at_its_largest_size(void **state)
{
    (void)state;
    struct buffer b = BUFFER_INIT;
    b.largest = 10;
    buffer_append_text(&b, "12345");
    buffer_printf(&b, "%d", 678901);
    assert_true(b.overflowed);
    assert_string_equal(buffer_text(&b), "12345");
    buffer_clear(&b);
    buffer_printf(&b, "%s", "1234567890");
    assert_false(b.overflowed);
    assert_int_equal(b.length, 10);
    char *taken = buffer_take(&b);
    assert_string_equal(taken, "1234567890");
    mem_free(taken);
    buffer_free(&b);
}

static void arenas_give_all_back_at_once(void **state)
{
    (void)state;
    struct arena arena = ARENA_INIT;
    char *first = arena_copy(&arena, "abc", 3);
    for (int k = 0; k < 10000; k++)
        assert_non_null(arena_alloc(&arena, (size_t)k % 100));
    assert_string_equal(first, "abc");
    assert_string_equal(arena_printf(&arena, "%d-%s", 7, "x"), "7-x");
    assert_non_null(arena_alloc(&arena, 5u << 20));
    arena_reset(&arena);
    assert_string_equal(arena_copy(&arena, "again", 5), "again");
    arena_free(&arena);
}

static void a_status_keeps_its_first_message(void **state)
{
    (void)state;
    struct status st = STATUS_INIT;
    assert_false(status_fail(&st, STATUS_CORRUPT, 12, "cut at %d", 12));
    status_fail(&st, STATUS_IO, 0, "second");
    status_prefix(&st, "file %s", "a");
    assert_string_equal(status_message(&st), "file a: cut at 12");
    assert_int_equal(st.code, STATUS_CORRUPT);
    struct status other = STATUS_INIT;
    status_move(&other, &st);
    assert_int_equal(st.code, STATUS_OK);
    assert_int_equal(other.offset, 12);
    status_clear(&other);
    assert_false(status_fail(NULL, STATUS_IO, 0, "nobody cares"));
}

static void utf8_is_decoded_strictly(void **state)
{
    (void)state;
    static const struct {
        const char *bytes;
        size_t used;
        uint32_t codepoint;
    } cases[] = {
        {"A", 1, 'A'},
        {"\xC3\xA9", 2, 0xE9},
        {"\xE2\x82\xAC", 3, 0x20AC},
        {"\xF0\x9F\x98\x80", 4, 0x1F600},
        {"\xC0\x80", 1, UTF8_INVALID},
        {"\xE0\x80\x80", 1, UTF8_INVALID},
        {"\xED\xA0\x80", 1, UTF8_INVALID},
        {"\xF4\x90\x80\x80", 1, UTF8_INVALID},
        {"\xF0\x9F\x98", 1, UTF8_INVALID},
        {"\x80", 1, UTF8_INVALID},
        {"\xFF", 1, UTF8_INVALID},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        uint32_t c;
        assert_int_equal(utf8_decode(str_of(cases[i].bytes), &c), cases[i].used);
        assert_int_equal(c, cases[i].codepoint);
    }
    assert_int_equal(utf8_width(0x4E2D), 2);
    assert_int_equal(utf8_width(0x0301), 0);
    assert_int_equal(utf8_visible(0x1B, false), 0x241B);
    assert_int_equal(utf8_visible(0x202E, false), UTF8_REPLACEMENT);
    assert_int_equal(utf8_visible(0xE9, true), '?');
}

static bool count_down(void *argument)
{
    int *left = argument;
    return (*left)-- > 0;
}

static void regexes_ask_whether_to_go_on(void **state)
{
    (void)state;
    struct status st = STATUS_INIT;
    struct regex *regex = regex_compile(STR("(a+)+$"), REGEX_POLLED, &st);
    assert_non_null(regex);
    int left = 20;
    regex_set_poll(regex, count_down, &left);
    assert_int_equal(regex_find(regex, STR("aaaaaaaaab"), 0, NULL), REGEX_GAVE_UP);
    assert_int_equal(left, -1);
    left = 1000;
    assert_int_equal(regex_find(regex, STR("aaaaaaaaa"), 0, NULL), REGEX_MATCH);
    assert_true(left < 1000 && left > 900);
    regex_free(regex);
}

static void regexes_end(void **state)
{
    (void)state;
    struct status st = STATUS_INIT;
    assert_null(regex_compile(STR("a("), 0, &st));
    assert_int_equal(st.code, STATUS_INVALID);
    status_clear(&st);
    struct regex *regex = regex_compile(STR("(a+)+$"), 0, &st);
    assert_non_null(regex);
    assert_int_equal(regex_find(regex, STR("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab"), 0, NULL),
                     REGEX_GAVE_UP);
    regex_free(regex);
    regex = regex_compile(STR("(b)(x)?c"), REGEX_UTF, &st);
    struct regex_match match;
    assert_int_equal(regex_find(regex, STR("abc"), 0, &match), REGEX_MATCH);
    assert_int_equal(match.start, 1);
    assert_int_equal(match.count, 3);
    assert_true(str_is(match.groups[1], "b"));
    assert_null(match.groups[2].p);
    assert_int_equal(regex_find(regex,
                                STR("\xff"
                                    "bc"),
                                0, NULL),
                     REGEX_NO_MATCH);
    regex_free(regex);
}

static void arithmetic_says_when_it_overflows(void **state)
{
    (void)state;
    size_t size = 5;
    int64_t i = 5;
    assert_false(checked_add(SIZE_MAX, 1, &size));
    assert_false(checked_mul(SIZE_MAX / 2, 3, &size));
    assert_int_equal(size, 5);
    assert_false(checked_add_int64(INT64_MAX, 1, &i));
    assert_false(checked_sub_int64(INT64_MIN, 1, &i));
    assert_false(checked_mul_int64(INT64_MIN, -1, &i));
    assert_int_equal(i, 5);
    assert_true(saturating_add_int64(INT64_MAX, 5) == INT64_MAX);
    assert_true(saturating_add_int64(INT64_MIN, -5) == INT64_MIN);
    assert_true(wrapping_add_int64(INT64_MAX, 1) == INT64_MIN);
}

static void sha256_is_the_standards(void **state)
{
    (void)state;
    static const struct {
        size_t length; /* of 'a's; 3: "abc" */
        const char *digest;
    } table[] = {
        {0, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
        {3, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
        {55, "9f4390f8d30c2dd92ec9f095b65e2b9ae9b0a925a5258e241c9f1e910f734318"},
        {56, "b35439a4ac6f0948b6d6f9e3c6af0f5f590ce20f1bde7090ef7970686ec6738a"},
        {64, "ffe054fe7ae0cb6dc65c3af9b61d5209f439851db43d0ba5997337df154668eb"},
        {119, "31eba51c313a5c08226adf18d4a359cfdfd8d2e816b13f4af952f7ea6584dcfb"},
        {1000, "41edece42d63e8d9bf515a9ba6932e1c20cbc9f5a5d134645adb5db1b9737ea3"},
    };
    char text[1000], digest[SHA256_HEX];
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        memset(text, 'a', sizeof text);
        if (table[i].length == 3) memcpy(text, "abc", 3);
        sha256_hex((struct str){text, table[i].length}, digest);
        assert_string_equal(digest, table[i].digest);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(decimals_are_exact),
        cmocka_unit_test(integers_stop_at_their_ends),
        cmocka_unit_test(strings_split_and_trim),
        cmocka_unit_test(maps_hold_and_forget),
        cmocka_unit_test(the_pool_knows_each_string_once),
        cmocka_unit_test(a_buffer_stops_at_its_largest_size),
        cmocka_unit_test(arenas_give_all_back_at_once),
        cmocka_unit_test(a_status_keeps_its_first_message),
        cmocka_unit_test(utf8_is_decoded_strictly),
        cmocka_unit_test(regexes_end),
        cmocka_unit_test(regexes_ask_whether_to_go_on),
        cmocka_unit_test(arithmetic_says_when_it_overflows),
        cmocka_unit_test(sha256_is_the_standards),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
