/* Written forms of keys, both ways, and sequences of a script. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "tui/key.h"

static const struct {
    const char *text;
    struct key key;
} forms[] = {
    {"w", {'w', 0}},
    {"G", {'G', 0}},
    {"Ctrl+p", {'p', KEY_CTRL}},
    {"Alt+1", {'1', KEY_ALT}},
    {"Shift+left", {KEY_NAME_LEFT, KEY_SHIFT}},
    {"Ctrl+Alt+down", {KEY_NAME_DOWN, KEY_CTRL | KEY_ALT}},
    {"Space", {' ', 0}},
    {"Enter", {KEY_NAME_ENTER, 0}},
    {"Esc", {KEY_NAME_ESCAPE, 0}},
    {"F1", {KEY_NAME_F1, 0}},
    {"F12", {KEY_NAME_F12, 0}},
    {"PgDn", {KEY_NAME_PAGE_DOWN, 0}},
    {"+", {'+', 0}},
    {"\u00e9", {0xE9, 0}},
};

static void forms_go_both_ways(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        struct key key;
        assert_true(key_parse(str_of(forms[i].text), &key));
        assert_true(key_equal(key, forms[i].key));
        struct buffer out = BUFFER_INIT;
        key_write(key, &out);
        assert_string_equal(buffer_text(&out), forms[i].text);
        buffer_free(&out);
    }
    struct key key;
    assert_true(key_parse(STR("ctrl+P"), &key) && key.code == 'p');
    static const char *const bad[] = {"", "F0", "F13", "Ctrl+", "word", "Hyper+x", "\x01"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_false(key_parse(str_of(bad[i]), &key));
}

static void scripts_hold_keys_and_text(void **state)
{
    (void)state;
    struct str rest = STR("g g : \"ab c\" Enter bogus x");
    static const uint32_t expected[] = {'g', 'g', ':', 'a', 'b', ' ', 'c', KEY_NAME_ENTER};
    bool in_quotes = false, bad;
    struct key key;
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        assert_true(key_parse_next(&rest, &key, &in_quotes, &bad));
        assert_false(bad);
        assert_int_equal(key.code, expected[i]);
    }
    assert_true(key_parse_next(&rest, &key, &in_quotes, &bad));
    assert_true(bad);
    assert_true(key_parse_next(&rest, &key, &in_quotes, &bad));
    assert_int_equal(key.code, 'x');
    assert_false(key_parse_next(&rest, &key, &in_quotes, &bad));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(forms_go_both_ways),
        cmocka_unit_test(scripts_hold_keys_and_text),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
