/* Tables on the screen: what is sorted, filtered, counted, hidden and exported, and
 * where Enter on a row leads. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "engine/base/memory.h"
#include "tests/screen/frame.h"

/* Six slices of one thread, 1 ms to 3 ms: draw three times, load twice, idle. */
static const char SLICES[] =
    "{\"traceEvents\":[\n"
    "{\"ph\":\"M\",\"pid\":7,\"tid\":7,\"name\":\"thread_name\",\"args\":{\"name\":\"worker\"}},\n"
    "{\"ph\":\"X\",\"pid\":7,\"tid\":7,\"ts\":1000,\"dur\":300,\"name\":\"draw\"},\n"
    "{\"ph\":\"X\",\"pid\":7,\"tid\":7,\"ts\":1400,\"dur\":50,\"name\":\"load\"},\n"
    "{\"ph\":\"X\",\"pid\":7,\"tid\":7,\"ts\":1500,\"dur\":500,\"name\":\"draw\"},\n"
    "{\"ph\":\"X\",\"pid\":7,\"tid\":7,\"ts\":2100,\"dur\":100,\"name\":\"idle\"},\n"
    "{\"ph\":\"X\",\"pid\":7,\"tid\":7,\"ts\":2300,\"dur\":75,\"name\":\"load\"},\n"
    "{\"ph\":\"X\",\"pid\":7,\"tid\":7,\"ts\":2500,\"dur\":500,\"name\":\"draw\"}\n]}\n";

static struct stage stage;
static char slices[STAGE_PATH];

static int begin(void **state)
{
    (void)state;
    struct buffer bytes = BUFFER_INIT;
    stage_begin(&stage);
    buffer_append_text(&bytes, SLICES);
    stage_write(stage_file(&stage, "slices.json", slices), &bytes);
    buffer_free(&bytes);
    return 0;
}

static int end(void **state)
{
    (void)state;
    stage_end(&stage);
    return 0;
}

static struct frame shoot(const char *trace, const struct look *look, const char *keys)
{
    return frame_shoot_look(&stage, trace, look, keys);
}

static struct frame shoot_roles(const char *trace, const struct look *look, const char *keys)
{
    return frame_shoot_roles(&stage, trace, look, keys);
}

#define ASK "Esc ; \"select id, ts, dur, track_id, name from slice\" Enter Tab "

static void a_table_is_sorted_by_the_column_at_the_cursor(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_LOOKS; i++) {
        /* dur, largest first; of equals the order of before holds. */
        struct frame frame = shoot(slices, &looks[i], ASK "l l s s");
        static const char *const falling[] = {"500.0 us", "500.0 us", "300.0 us", "100.0 us", NULL};
        frame_check(&frame, frame_holds(&frame, "sorted by dur, largest first"));
        frame_check(&frame, frame_holds(&frame, looks[i].ascii ? "dur v" : "dur \u25BC"));
        frame_check_rows(&frame, looks[i].ascii ? "dur v" : "dur \u25BC", falling);
        frame_free(&frame);
        frame = shoot(slices, &looks[i], ASK "l l s");
        static const char *const rising[] = {"50.00 us", "75.00 us", "100.0 us", "300.0 us", NULL};
        frame_check_rows(&frame, looks[i].ascii ? "dur ^" : "dur \u25B2", rising);
        frame_free(&frame);
        /* By name, then by dur within a name: the sort before decides among equals. */
        frame = shoot(slices, &looks[i], ASK "l l s l l s z");
        static const char *const both[] = {"300.0 us", "500.0 us", "500.0 us", "100.0 us",
                                           "50.00 us", "75.00 us", NULL};
        frame_check_rows(&frame, looks[i].ascii ? "name ^" : "name \u25B2", both);
        frame_free(&frame);
    }
}

static void the_cell_at_the_cursor_stands_out(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_LOOKS; i++) {
        struct frame text = shoot(slices, &looks[i], ASK "l l j z");
        struct frame roles = shoot_roles(slices, &looks[i], ASK "l l j z");
        int x, row = frame_find(&text, "50.00 us", 3, &x);
        char role[64], other[64];
        frame_check(&text, row > 0);
        frame_role(&roles, row, x + 1, role);
        frame_role(&roles, row + 1, x + 1, other);
        frame_check(&roles, strstr(role, looks[i].mono ? "+7" : "focus+3") != NULL);
        frame_check(&roles, strcmp(other, "default/default") == 0);
        frame_free(&text);
        frame_free(&roles);
    }
}

static void a_filter_keeps_the_rows_that_match(void **state)
{
    (void)state;
    static const struct {
        const char *keys, *says, *holds, *lacks;
    } cases[] = {
        {"/ \"LOA\" Enter", "2 of 6 rows  ~ LOA", "load", "draw"},
        {"/ \"/^(idle|load)$/\" Enter", "3 of 6 rows  /^(idle|load)$/", "idle", "draw"},
        {"/ \"!draw\" Enter", "3 of 6 rows  !draw", "load", "draw"},
        {"l l \\ \">0.2ms\" Enter", "3 of 6 rows  dur >0.2ms", "draw", "load"},
        {"l l l l \\ \"=idle\" Enter", "1 of 6 rows  name =idle", "idle", "draw"},
        {"l l l l =", "3 of 6 rows  name =draw", "draw", "load"},
        {"l l l l !", "3 of 6 rows  name !=draw", "load", "draw"},
        {"/ \"lo\" Enter l l \\ \"<60us\" Enter", "1 of 6 rows  ~ lo, dur <60us", "50.00 us",
         "75.00 us"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        const struct look *look = &looks[k % N_LOOKS];
        char keys[256];
        snprintf(keys, sizeof keys, ASK "%s z", cases[k].keys);
        struct frame frame = shoot(slices, look, keys);
        int row = frame_find(&frame, cases[k].says, 3, NULL);
        frame_check(&frame, row > 0);
        frame_check(&frame, frame_find(&frame, cases[k].holds, row + 2, NULL) > 0);
        /* Beyond the line that names the filter. */
        for (int r = row + 2; r < frame.height; r++) {
            size_t at;
            struct str line = frame_line(&frame, r);
            if (look->size[0] == '2') continue; /* the timeline stands beside it */
            frame_check(&frame, !str_find(line, str_of(cases[k].lacks), &at));
        }
        frame_free(&frame);
    }
}

static void a_wrong_filter_is_told_and_changes_nothing(void **state)
{
    (void)state;
    struct frame frame = frame_shoot(&stage, slices, "80x24", ASK "/ \"/(/\" Enter", NULL);
    frame_check(&frame, frame_holds(&frame, "2 Query 6"));
    frame_check(&frame, frame_holds(&frame, "a group is not closed"));
    frame_check(&frame, frame_holds(&frame, "draw"));
    frame_free(&frame);
    frame = frame_shoot(&stage, slices, "80x24", ASK "/ \">much\" Enter", NULL);
    frame_check(&frame, frame_holds(&frame, "after > comes a number"));
    frame_free(&frame);
}

static void rows_are_counted_by_a_column(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_LOOKS; i++) {
        struct frame frame = shoot(slices, &looks[i], ASK "l l l l B z");
        int row = frame_find(&frame, "3 values of 6 rows  by name", 3, NULL);
        frame_check(&frame, row > 0);
        static const char *const lines[] = {"draw      3  1.300 ms", "load      2  125.0 us",
                                            "idle      1  100.0 us", NULL};
        frame_check_rows(&frame, "name  count   sum dur", lines);
        frame_free(&frame);
        /* Enter shows the rows of one value, and is one filter away from all. */
        frame = shoot(slices, &looks[i], ASK "l l l l B j Enter z");
        frame_check(&frame, frame_holds(&frame, "2 of 6 rows  name =load"));
        frame_free(&frame);
        frame = shoot(slices, &looks[i], ASK "l l l l B j Enter Backspace");
        frame_check(&frame, frame_holds(&frame, "6 of 6 rows"));
        frame_free(&frame);
    }
}

static void a_column_is_hidden_and_shown_again(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_LOOKS; i++) {
        struct frame frame = shoot(slices, &looks[i], ASK "l l l - z");
        frame_check(&frame, frame_holds(&frame, "1 column hidden"));
        frame_check(&frame, !frame_holds(&frame, "track_id"));
        frame_free(&frame);
        frame = shoot(slices, &looks[i], ASK "l l l - + z");
        frame_check(&frame, frame_holds(&frame, "track_id"));
        frame_free(&frame);
    }
}

static void what_is_shown_is_exported(void **state)
{
    (void)state;
    char path[STAGE_PATH], keys[512];
    stage_file(&stage, "shown.csv", path);
    snprintf(keys, sizeof keys, ASK "l l s s l - / \"draw\" Enter 0 - - e \"%s\" Enter", path);
    struct frame frame = frame_shoot(&stage, slices, "80x24", keys, NULL);
    frame_check(&frame, frame_holds(&frame, "3 rows written to"));
    frame_free(&frame);
    FILE *f = fopen(path, "rb");
    assert_non_null(f);
    char text[256] = {0};
    fread(text, 1, sizeof text - 1, f);
    fclose(f);
    assert_string_equal(text, "dur,name\r\n500000,draw\r\n500000,draw\r\n300000,draw\r\n");
}

static void enter_on_a_row_goes_to_its_event(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_LOOKS; i++) {
        struct frame frame = shoot(slices, &looks[i], ASK "l l l l / \"idle\" Enter Enter Alt+1");
        int row = frame_find(&frame, "Current Selection", 1, NULL);
        frame_check(&frame, row > 0 && frame_find(&frame, "idle", row, NULL) > 0);
        frame_check(&frame, frame_find(&frame, "100.0 us", row, NULL) > 0);
        frame_free(&frame);
    }
    /* What has no event, but a time, moves the cursor there: "+1.2 ms" from the start. */
    struct frame frame = frame_shoot(&stage, slices, "80x24",
                                     "Esc ; \"select 2200000 as ts\" Enter Tab Enter g z", NULL);
    frame_check(&frame, !frame_holds(&frame, "names no event"));
    frame_free(&frame);
    frame = frame_shoot(&stage, slices, "80x24", "Esc ; \"select 1 as one\" Enter Tab Enter", NULL);
    frame_check(&frame, frame_holds(&frame, "this row names no event and no time"));
    frame_free(&frame);
}

static void a_wide_table_scrolls_to_the_column_at_the_cursor(void **state)
{
    (void)state;
    const char *keys = "Esc ; \"select 'a long text that takes cells' as first, 'another long text "
                       "that takes cells' as second, 'the third long text of them' as third, 4 as "
                       "last_one\" Enter Tab ";
    char more[512];
    struct frame frame = frame_shoot(&stage, slices, "80x24", keys, NULL);
    frame_check(&frame, frame_holds(&frame, "first") && !frame_holds(&frame, "last_one"));
    frame_free(&frame);
    snprintf(more, sizeof more, "%s$", keys);
    frame = frame_shoot(&stage, slices, "80x24", more, NULL);
    frame_check(&frame, frame_holds(&frame, "last_one") && !frame_holds(&frame, " first"));
    frame_free(&frame);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_table_is_sorted_by_the_column_at_the_cursor),
        cmocka_unit_test(the_cell_at_the_cursor_stands_out),
        cmocka_unit_test(a_filter_keeps_the_rows_that_match),
        cmocka_unit_test(a_wrong_filter_is_told_and_changes_nothing),
        cmocka_unit_test(rows_are_counted_by_a_column),
        cmocka_unit_test(a_column_is_hidden_and_shown_again),
        cmocka_unit_test(what_is_shown_is_exported),
        cmocka_unit_test(enter_on_a_row_goes_to_its_event),
        cmocka_unit_test(a_wide_table_scrolls_to_the_column_at_the_cursor),
    };
    return cmocka_run_group_tests(tests, begin, end);
}
