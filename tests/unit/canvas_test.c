/* Cells, clipping, widths, and that no unsafe byte passes a canvas. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "engine/base/utf8.h"
#include "tui/sink.h"

static void text_is(struct canvas *canvas, const char *expected)
{
    struct buffer out = BUFFER_INIT;
    sink_write_text(canvas, &out);
    assert_string_equal(buffer_text(&out), expected);
    buffer_free(&out);
}

static void long_text_is_cut_or_elided(void **state)
{
    (void)state;
    struct canvas *canvas = canvas_new(12, 3);
    assert_int_equal(canvas_text(canvas, 0, 0, 8, STR("com.example"), STYLE_PLAIN), 8);
    assert_int_equal(canvas_text_middle(canvas, 0, 1, 9, STR("com.example.shop"), STYLE_PLAIN), 9);
    assert_int_equal(canvas_text_right(canvas, 0, 2, 10, STR("42 ms"), STYLE_PLAIN), 5);
    text_is(canvas, "com.exa\u2026\ncom.\u2026shop\n     42 ms\n");
    canvas->ascii = true;
    canvas_clear(canvas);
    canvas_text(canvas, 0, 0, 5, STR("h\u00e9llo!!"), STYLE_PLAIN);
    text_is(canvas, "h?ll~\n\n\n");
    canvas_free(canvas);
}

static void wide_characters_keep_their_two_cells(void **state)
{
    (void)state;
    struct canvas *canvas = canvas_new(6, 1);
    assert_int_equal(canvas_text(canvas, 0, 0, 6, STR("\u4e2d\u6587"), STYLE_PLAIN), 4);
    assert_int_equal(canvas_at(canvas, 1, 0)->width, 0);
    canvas_put(canvas, 1, 0, 'x', STYLE_PLAIN);
    text_is(canvas, " x\u6587\n");
    canvas_put(canvas, 5, 0, 0x4e2d, STYLE_PLAIN); /* its right half has no room */
    assert_int_equal(canvas_at(canvas, 5, 0)->width, 1);
    canvas_clear(canvas);
    assert_int_equal(canvas_text(canvas, 0, 0, 6, STR("e\u0301a"), STYLE_PLAIN), 2);
    text_is(canvas, "e\u0301a\n");
    canvas_free(canvas);
}

static void nothing_is_drawn_outside_the_clip(void **state)
{
    (void)state;
    struct canvas *canvas = canvas_new(5, 2);
    struct rect old = canvas_clip(canvas, (struct rect){1, 0, 2, 1});
    canvas_fill(canvas, (struct rect){-5, -5, 50, 50}, '#', STYLE_PLAIN);
    canvas_text(canvas, -2, 0, 20, STR("abcdefgh"), STYLE_PLAIN);
    canvas_unclip(canvas, old);
    text_is(canvas, " de\n\n");
    canvas_free(canvas);
}

static void no_unsafe_character_passes(void **state)
{
    (void)state;
    struct canvas *canvas = canvas_new(60, 1);
    struct buffer text = BUFFER_INIT, out = BUFFER_INIT;
    static const uint32_t bad[] = {0x00,   0x07,   0x1B,   0x7F,   0x80,    0x9B,   0x202E,
                                   0x2066, 0x200B, 0xFEFF, 0x061C, 0xE0001, 0x2028, 0xFFFE};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        char bytes[4];
        buffer_append(&text, bytes, utf8_encode(bad[i], bytes));
    }
    buffer_append(&text, "\xff\xc0\x80\xed\xa0\x80\xf5", 7);
    for (int ascii = 0; ascii < 2; ascii++) {
        canvas->ascii = ascii;
        canvas_clear(canvas);
        buffer_clear(&out);
        canvas_text(canvas, 0, 0, 60, buffer_str(&text), STYLE_PLAIN);
        sink_write_text(canvas, &out);
        assert_int_equal(out.data[out.length - 1], '\n');
        struct str line = {out.data, out.length - 1};
        assert_true(utf8_is_valid(line, NULL));
        for (size_t i = 0; i < line.n;) {
            uint32_t c;
            i += utf8_decode(str_slice(line, i, line.n), &c);
            assert_false(utf8_is_unsafe(c));
            if (ascii) assert_true(c < 0x7F);
        }
    }
    buffer_free(&text);
    buffer_free(&out);
    canvas_free(canvas);
}

static void sinks_write_colours(void **state)
{
    (void)state;
    struct canvas *canvas = canvas_new(4, 1);
    canvas_text(canvas, 1, 0, 2, STR("<&"), STYLE(ERROR, BAR, CELL_BOLD));
    struct buffer out = BUFFER_INIT;
    sink_write_roles(canvas, &out);
    assert_string_equal(buffer_text(&out), "1..2 error/bar+1\n");
    buffer_clear(&out);
    sink_write_svg(canvas, theme_find(STR("dark")), &out);
    assert_non_null(strstr(buffer_text(&out), ">&lt;</text>"));
    assert_non_null(strstr(buffer_text(&out), ">&amp;</text>"));
    buffer_clear(&out);
    sink_write_ansi(canvas, theme_find(STR("dark")), &out);
    assert_non_null(strstr(buffer_text(&out), "\033[0;1;38;2;255;95;95;48;2;48;48;48m<&"));
    buffer_clear(&out);
    sink_write_ansi(canvas, theme_find(STR("mono")), &out);
    assert_null(strstr(buffer_text(&out), ";38;"));
    assert_non_null(strstr(buffer_text(&out), ";7m<&"));
    buffer_free(&out);
    canvas_free(canvas);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(long_text_is_cut_or_elided),
        cmocka_unit_test(wide_characters_keep_their_two_cells),
        cmocka_unit_test(nothing_is_drawn_outside_the_clip),
        cmocka_unit_test(no_unsafe_character_passes),
        cmocka_unit_test(sinks_write_colours),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
