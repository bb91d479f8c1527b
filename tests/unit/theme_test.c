/* Themes: which colour a role has, at each depth of colour, and whether it can be read
 * and told apart. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

#include "tui/theme_own.h"

static const struct theme *theme(const char *name)
{
    const struct theme *found = theme_find(str_of(name));
    assert_non_null(found);
    return found;
}

static void roles_have_their_colours(void **state)
{
    (void)state;
    static const struct {
        const char *theme;
        enum color role;
        uint32_t rgb;
        uint8_t index256, index16;
    } table[] = {
        {"dark", COLOR_ACCENT, 0xffd75f, 221, 11},
        {"dark", COLOR_ERROR, 0xff5f5f, 203, 9},
        {"dark", COLOR_RUNNING, 0x5faf5f, 71, 2},
        {"light", COLOR_ERROR, 0xaf0000, 124, 1},
        {"light", COLOR_SELECTION, 0x005faf, 25, 4},
        {"light", COLOR_SLEEPING, 0xd0d0d0, 252, 7},
        {"color-blind", COLOR_RUNNING, 0x009e73, 36, 6},  /* Okabe and Ito's bluish green */
        {"color-blind", COLOR_BLOCKED, 0xd55e00, 166, 1}, /* their vermillion */
        {"color-blind", COLOR_SLICE_0, 0x56b4e9, 74, 12}, /* their sky blue */
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        const struct theme_color *color = &theme(table[i].theme)->colors[table[i].role];
        assert_int_equal(color->rgb, table[i].rgb);
        assert_int_equal(color->index256, table[i].index256);
        assert_int_equal(color->index16, table[i].index16);
    }
    assert_int_equal(themes_count, 4);
    assert_true(theme("mono")->is_mono);
    assert_true(theme("light")->is_light);
    assert_false(theme("dark")->is_light);
    assert_null(theme_find(STR("Dark")));
    assert_null(theme_find(STR("")));
}

/* The xterm palette from 16 on: a cube of six steps, then greys. */
static uint32_t xterm_rgb(uint8_t index)
{
    static const uint8_t steps[] = {0, 95, 135, 175, 215, 255};
    if (index >= 232) {
        uint32_t grey = 8 + 10 * (uint32_t)(index - 232);
        return grey << 16 | grey << 8 | grey;
    }
    uint32_t n = index - 16u;
    return (uint32_t)steps[n / 36] << 16 | (uint32_t)steps[n / 6 % 6] << 8 | steps[n % 6];
}

static int part(uint32_t rgb, int shift)
{
    return (int)(rgb >> shift & 0xFF);
}

static void both_depths_show_the_same_colour(void **state)
{
    (void)state;
    for (unsigned t = 0; t < themes_count; t++)
        for (int role = 0; role < COLOR_COUNT && !themes[t]->is_mono; role++) {
            const struct theme_color *color = &themes[t]->colors[role];
            assert_true(color->index256 >= 16);
            uint32_t shown = xterm_rgb(color->index256);
            for (int shift = 0; shift <= 16; shift += 8)
                if (abs(part(color->rgb, shift) - part(shown, shift)) > 40)
                    fail_msg("%s, role %d: %06x is not %06x", themes[t]->name, role,
                             (unsigned)color->rgb, (unsigned)shown);
        }
}

static double luminance(uint32_t rgb)
{
    double sum = 0;
    static const double weights[] = {0.0722, 0.7152, 0.2126}; /* blue first */
    for (int i = 0; i < 3; i++) {
        double c = part(rgb, 8 * i) / 255.0;
        sum += weights[i] * c * c; /* near enough to the curve of sRGB */
    }
    return sum;
}

static double contrast(uint32_t a, uint32_t b)
{
    double x = luminance(a), y = luminance(b);
    return (x > y ? x + 0.05 : y + 0.05) / (x > y ? y + 0.05 : x + 0.05);
}

static void names_can_be_read_on_their_fills(void **state)
{
    (void)state;
    for (unsigned t = 0; t < themes_count; t++)
        for (int role = COLOR_SUMMARY; role < COLOR_COUNT && !themes[t]->is_mono; role++) {
            enum color ink = theme_ink_on(themes[t], (enum color)role);
            double ratio = contrast(themes[t]->colors[role].rgb, themes[t]->colors[ink].rgb);
            if (ratio < 3.0)
                fail_msg("%s, role %d: a contrast of %.2f", themes[t]->name, role, ratio);
        }
}

/* How somebody without one kind of cones sees a colour: red and green fall together,
 * weighted by what that kind leaves (after Vienot, Brettel and Mollon). */
static void seen(uint32_t rgb, bool is_protan, double out[2])
{
    double r = part(rgb, 16), g = part(rgb, 8), b = part(rgb, 0);
    out[0] = is_protan ? 0.11 * r + 0.89 * g : 0.29 * r + 0.71 * g;
    out[1] = b;
}

static void states_are_told_apart_without_red_and_green(void **state)
{
    (void)state;
    static const enum color states[] = {COLOR_RUNNING, COLOR_RUNNABLE, COLOR_BLOCKED_IO,
                                        COLOR_BLOCKED, COLOR_SLEEPING};
    const struct theme *look = theme("color-blind");
    for (int protan = 0; protan < 2; protan++)
        for (size_t i = 0; i < 5; i++)
            for (size_t k = i + 1; k < 5; k++) {
                double a[2], b[2];
                seen(look->colors[states[i]].rgb, protan, a);
                seen(look->colors[states[k]].rgb, protan, b);
                double distance = (a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]);
                if (distance < 25 * 25)
                    fail_msg("roles %d and %d are %.0f apart", (int)states[i], (int)states[k],
                             distance);
            }
}

static void a_name_keeps_its_colour(void **state)
{
    (void)state;
    assert_int_equal(color_of_name(STR("doFrame 1")), color_of_name(STR("doFrame 2345")));
    assert_int_not_equal(color_of_name(STR("doFrame")), color_of_name(STR("measure")));
    assert_true(color_of_name(STR("")) >= COLOR_SLICE_0);
}

static bool read_own(const char *text, struct theme_own *out, struct status *st)
{
    json_t *json = json_strict_load(str_of(text), st);
    assert_non_null(json);
    bool good = theme_own_read(json, "mine", out, st);
    json_decref(json);
    return good;
}

static void own_themes_change_their_base(void **state)
{
    (void)state;
    struct theme_own own;
    struct status st = STATUS_INIT;
    assert_true(read_own("{\"mine\":{\"base\":\"light\",\"colors\":{\"accent\":\"#D70000\","
                         "\"slice-11\":\"#5fd7ff\",\"dim\":\"#808080\"}}}",
                         &own, &st));
    assert_string_equal(own.theme.name, "mine");
    assert_true(own.theme.is_light);
    assert_int_equal(own.theme.colors[COLOR_ACCENT].rgb, 0xd70000);
    assert_int_equal(own.theme.colors[COLOR_ACCENT].index256, 160);
    assert_int_equal(own.theme.colors[COLOR_ACCENT].index16, 1);
    assert_int_equal(own.theme.colors[COLOR_SLICE_11].index256, 81);
    assert_int_equal(own.theme.colors[COLOR_DIM].index256, 244);
    assert_int_equal(own.theme.colors[COLOR_DIM].index16, 8);
    assert_int_equal(own.theme.colors[COLOR_ERROR].rgb, theme("light")->colors[COLOR_ERROR].rgb);
    assert_true(read_own("{\"mine\":{}}", &own, &st));
    assert_false(own.theme.is_light);
    assert_false(read_own("{\"other\":{}}", &own, &st));
    assert_int_equal(st.code, STATUS_OK);
    assert_false(theme_own_read(NULL, "mine", &own, &st));
    assert_int_equal(st.code, STATUS_OK);
}

static void wrong_themes_say_where(void **state)
{
    (void)state;
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"{\"mine\":5}", "themes.mine: an object"},
        {"{\"mine\":{\"base\":\"dusk\"}}", "themes.mine.base: one of dark"},
        {"{\"mine\":{\"base\":1}}", "themes.mine.base: one of dark"},
        {"{\"mine\":{\"colors\":[]}}", "themes.mine.colors: an object"},
        {"{\"mine\":{\"colors\":{\"acent\":\"#000000\"}}}", "there is no role \"acent\""},
        {"{\"mine\":{\"colors\":{\"accent\":\"#00000\"}}}", "themes.mine.colors.accent: a colour"},
        {"{\"mine\":{\"colors\":{\"accent\":\"#00000g\"}}}", "themes.mine.colors.accent: a colour"},
        {"{\"mine\":{\"colors\":{\"accent\":7}}}", "themes.mine.colors.accent: a colour"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct theme_own own;
        struct status st = STATUS_INIT;
        assert_false(read_own(cases[i].text, &own, &st));
        if (!strstr(status_message(&st), cases[i].message))
            fail_msg("not '%s' but '%s'", cases[i].message, status_message(&st));
        status_clear(&st);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(roles_have_their_colours),
        cmocka_unit_test(both_depths_show_the_same_colour),
        cmocka_unit_test(names_can_be_read_on_their_fills),
        cmocka_unit_test(states_are_told_apart_without_red_and_green),
        cmocka_unit_test(a_name_keeps_its_colour),
        cmocka_unit_test(own_themes_change_their_base),
        cmocka_unit_test(wrong_themes_say_where),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
