/* Pages on the screen, against SQL and the numbers of the traces; settings, the editor
 * and other traces from within. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <cmocka.h>

#include "engine/base/memory.h"
#include "tests/gen/catalogue.h"
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

/* Five lines in a second. */
static const char LOGS[] = "--------- beginning of main\n"
                           "01-02 03:04:05.000  1234  1250 D Alpha: first line\n"
                           "01-02 03:04:05.100  1234  1250 W Beta: second line\n"
                           "01-02 03:04:05.200  1234  1234 E Alpha: third failed\n"
                           "01-02 03:04:05.300   777   777 I Gamma: fourth line\n"
                           "01-02 03:04:06.000   777   777 V Gamma: fifth line\n";

static struct stage stage;
static char slices[STAGE_PATH], logs[STAGE_PATH], journal[STAGE_PATH];
static char heap[STAGE_PATH], hprof[STAGE_PATH];

static void write_text(const char *name, const char *text, char path[STAGE_PATH])
{
    struct buffer bytes = BUFFER_INIT;
    buffer_append_text(&bytes, text);
    stage_write(stage_file(&stage, name, path), &bytes);
    buffer_free(&bytes);
}

static void write_generated(const char *name, char path[STAGE_PATH])
{
    struct buffer bytes = BUFFER_INIT;
    size_t i;
    assert_true(gen_catalogue_find(name, &i));
    gen_catalogue_write(i, &bytes);
    stage_write(stage_file(&stage, name, path), &bytes);
    buffer_free(&bytes);
}

static int begin(void **state)
{
    (void)state;
    stage_begin(&stage);
    write_text("slices.json", SLICES, slices);
    write_text("lines.logcat", LOGS, logs);
    write_generated("android_usage.perfetto-trace", journal);
    write_generated("heap_graph.perfetto-trace", heap);
    write_generated("shop.hprof", hprof);
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

/* ---- logs ---- */

static void check_order(const struct frame *frame, const char *const *texts)
{
    int row = 2;
    for (size_t i = 0; texts[i]; i++) {
        int at = frame_find(frame, texts[i], row + 1, NULL);
        if (at < 0) fprintf(stderr, "\"%s\" does not follow\n", texts[i]);
        frame_check(frame, at > row);
        row = at;
    }
}

static void log_lines_have_their_level_in_letter_and_colour(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_LOOKS; i++) {
        struct frame text = shoot(logs, &looks[i], "Esc g L Tab");
        struct frame roles = shoot_roles(logs, &looks[i], "Esc g L Tab");
        static const char *const lines[] = {"first line",  "second line", "third failed",
                                            "fourth line", "fifth line",  NULL};
        static const struct {
            const char *line, *letter, *role;
        } levels[] = {{"first line", "D ", "dim/"},
                      {"second line", "W ", "warning/"},
                      {"third failed", "E ", "error/"},
                      {"fourth line", "I ", "good/"}};
        check_order(&text, lines);
        frame_check(&text, frame_holds(&text, "2 Android logs 5"));
        frame_check(&text, frame_holds(&text, "visible window, 5 rows"));
        int column, head = frame_find(&text, "level", 3, &column);
        for (size_t k = 0; k < sizeof levels / sizeof levels[0]; k++) {
            int row = frame_find(&text, levels[k].line, head, NULL);
            char role[64];
            frame_check(&text, frame_find(&text, levels[k].letter, row, NULL) == row);
            frame_role(&roles, row, column, role);
            frame_check(&roles, strstr(role, levels[k].role) != NULL);
        }
        frame_free(&text);
        frame_free(&roles);
    }
}

static void log_lines_are_chosen_by_level_tag_and_text(void **state)
{
    (void)state;
    static const struct {
        const char *keys, *says;
        const char *lines[4];
        const char *lacks;
    } cases[] = {
        {"L L L", "level W and worse, 2 rows", {"second line", "third failed"}, "first line"},
        {": \"dev.perfetty.PageLevel E\" Enter",
         "level E and worse, 1 row",
         {"third failed"},
         "first"},
        {"l l l \\ \"=Alpha\" Enter",
         "2 rows  tag =Alpha",
         {"first line", "third failed"},
         "second line"},
        {"/ \"/^fif|SECOND/i\" Enter", "2 rows", {"second line", "fifth line"}, "third failed"},
        {"/ \"!line\" Enter", "1 row  !line", {"third failed"}, "first line"},
        {"l l l B", "3 rows  by tag", {"Alpha", "Gamma", "Beta"}, "third failed"},
        {"s s", "5 rows", {"fifth line", "third failed", "first line"}, "0 rows"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        const struct look *look = &looks[k % N_LOOKS];
        char keys[256];
        snprintf(keys, sizeof keys, "Esc g L %s z", cases[k].keys);
        struct frame frame = shoot(logs, look, keys);
        frame_check(&frame, frame_holds(&frame, cases[k].says));
        check_order(&frame, cases[k].lines);
        frame_check(&frame, !frame_holds(&frame, cases[k].lacks));
        frame_free(&frame);
    }
    struct frame frame =
        frame_shoot(&stage, logs, "80x24", "Esc g L : \"dev.perfetty.PageLevel X\" Enter", NULL);
    frame_check(&frame, frame_holds(&frame, "there is no level X: V, D, I, W, E, F"));
    frame_free(&frame);
}

#define ZOOM ": \"dev.perfetty.ZoomTo 97445050000000 97445250000000\" Enter "

static void log_lines_are_those_of_the_visible_window(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_LOOKS; i++) {
        /* The page was open before the window moved. */
        struct frame frame = shoot(logs, &looks[i], "Esc g L " ZOOM);
        static const char *const inside[] = {"second line", "third failed", NULL};
        frame_check(&frame, frame_holds(&frame, "visible window, 2 rows"));
        check_order(&frame, inside);
        frame_check(&frame, !frame_holds(&frame, "first line"));
        frame_free(&frame);
        frame = shoot(logs, &looks[i], "Esc g L " ZOOM "W");
        frame_check(&frame, frame_holds(&frame, "first line") && frame_holds(&frame, "fifth line"));
        frame_free(&frame);
        frame = shoot(logs, &looks[i], "Esc g L " ZOOM "W z");
        frame_check(&frame, frame_holds(&frame, "whole trace, 5 rows"));
        frame_free(&frame);
    }
}

static void enter_on_a_log_line_goes_to_it(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_LOOKS; i++) {
        struct frame frame = shoot(logs, &looks[i], "Esc g L j j Enter Alt+1");
        int row = frame_find(&frame, "Current Selection", 1, NULL);
        frame_check(&frame, frame_find(&frame, "third failed", row, NULL) > row);
        frame_free(&frame);
    }
}

static void journald_has_a_page_too(void **state)
{
    (void)state;
    char *message = frame_ask(&stage, journal,
                              "SELECT msg FROM __intrinsic_logs WHERE log_source = "
                              "'systemd_journald'");
    assert_true(strlen(message) > 2);
    for (size_t i = 0; i < N_LOOKS; i++) {
        struct frame frame = shoot(journal, &looks[i], "Esc g J l l l l l l l l l l");
        char *plain = message[0] == '"' ? mem_copy_string(message + 1, strlen(message) - 2)
                                        : mem_strdup(message);
        frame_check(&frame, frame_holds(&frame, "visible window, 1 row"));
        frame_check(&frame, frame_holds(&frame, plain));
        mem_free(plain);
        frame_free(&frame);
    }
    mem_free(message);
    struct frame frame = frame_shoot(&stage, logs, "80x24", "Esc g J z", NULL);
    frame_check(&frame, frame_holds(&frame, "0 rows here: W shows those of the whole trace"));
    frame_free(&frame);
}

/* ---- ftrace ---- */

static void ftrace_events_are_counted_by_name_and_cpu(void **state)
{
    (void)state;
    char *switches =
        frame_ask(&stage, EXAMPLE, "SELECT count(*) FROM ftrace_event WHERE name = 'sched_switch'");
    char *waking = frame_ask(&stage, EXAMPLE,
                             "SELECT count(*) FROM ftrace_event WHERE name = 'sched_waking' AND "
                             "cpu = 3");
    char line[64];
    for (size_t i = 0; i < N_LOOKS; i++) {
        struct frame frame = shoot(EXAMPLE, &looks[i], "Esc g F l l l B z");
        snprintf(line, sizeof line, " %s", switches);
        int row = frame_find(&frame, "sched_switch ", 3, NULL);
        frame_check(&frame, row > 0 && frame_find(&frame, line, row, NULL) == row);
        frame_free(&frame);
        frame = shoot(EXAMPLE, &looks[i],
                      "Esc g F l l \\ \"=3\" Enter l \\ \"=sched_waking\" Enter B z");
        snprintf(line, sizeof line, " %s", waking);
        row = frame_find(&frame, "sched_waking  ", 3, NULL);
        frame_check(&frame, row > 0 && frame_find(&frame, line, row, NULL) == row);
        frame_free(&frame);
    }
    mem_free(switches);
    mem_free(waking);
}

static void ftrace_events_show_their_arguments_some_thousand_at_a_time(void **state)
{
    (void)state;
    static const char ask[] = "SELECT count(*) FROM ftrace_event WHERE arg_set_id IN (SELECT "
                              "arg_set_id FROM args WHERE key || '=' || display_value LIKE "
                              "'%next_comm=RenderThread%')";
    char *n = frame_ask(&stage, EXAMPLE, ask);
    char says[64];
    for (size_t i = 0; i < N_LOOKS; i++) {
        struct frame frame = shoot(EXAMPLE, &looks[i], "Esc g F");
        frame_check(&frame, frame_holds(&frame, "rows 1 to 5000, more: >"));
        frame_free(&frame);
        frame = shoot(EXAMPLE, &looks[i], "Esc g F $");
        frame_check(&frame, frame_holds(&frame, "state=300000"));
        frame_free(&frame);
        frame = shoot(EXAMPLE, &looks[i], "Esc g F > >");
        frame_check(&frame, frame_holds(&frame, "rows 10001 to 15000, more: >"));
        frame_free(&frame);
        frame = shoot(EXAMPLE, &looks[i],
                      "Esc g F : \"dev.perfetty.FilterTable next_comm=RenderThread args\" Enter z");
        snprintf(says, sizeof says, "window, %s row", n);
        frame_check(&frame, frame_holds(&frame, says));
        frame_free(&frame);
    }
    struct frame frame = frame_shoot(&stage, EXAMPLE, "80x24", "Esc g F <", NULL);
    frame_check(&frame, frame_holds(&frame, "these are the first rows"));
    frame_free(&frame);
    mem_free(n);
}

/* ---- the query log ---- */

static void the_query_log_has_what_ran(void **state)
{
    (void)state;
    static const char keys[] = "Esc ; \"select name from slice\" Enter ; \"select nope\" Enter g Q";
    for (size_t i = 0; i < N_LOOKS; i++) {
        char more[256];
        struct frame frame = shoot(slices, &looks[i], keys);
        int row = frame_find(&frame, "select nope", 3, NULL);
        frame_check(&frame, row > 0 && frame_find(&frame, "failed", row, NULL) == row);
        frame_check(&frame, frame_find(&frame, "nope", row, NULL) == row);
        int next = frame_find(&frame, "select name from slice", 3, NULL);
        frame_check(&frame, next == row + 1 && frame_find(&frame, "done", next, NULL) == next);
        frame_check(&frame, frame_find(&frame, " 6  Query", next, NULL) == next);
        frame_free(&frame);
        snprintf(more, sizeof more, "%s j Enter", keys);
        frame = shoot(slices, &looks[i], more);
        frame_check(&frame, frame_holds(&frame, "Query again 6"));
        frame_check(&frame, frame_find(&frame, "idle", 3, NULL) > 0);
        frame_free(&frame);
    }
}

/* ---- settings ---- */

#define SET(line) "Esc g , : \"dev.perfetty.SetSetting " line "\" Enter "

static void settings_tell_their_value_and_where_it_is_from(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_LOOKS; i++) {
        struct frame frame = shoot(slices, &looks[i], "Esc g , z");
        int row = frame_find(&frame, "traceStartupCommands", 3, NULL);
        frame_check(&frame, frame_find(&frame, "\"ask\"", row, NULL) == row);
        frame_check(&frame, frame_find(&frame, "default", row, NULL) == row);
        row = frame_find(&frame, "ascii", row, NULL);
        const char *from = looks[i].ascii ? "command line" : "default";
        frame_check(&frame, frame_find(&frame, from, row, NULL) == row);
        frame_check(&frame,
                    frame_find(&frame, looks[i].ascii ? "true" : "\"auto\"", row, NULL) == row);
        frame_free(&frame);
    }
}

static void a_setting_is_changed_on_its_row_and_kept(void **state)
{
    (void)state;
    char path[STAGE_PATH], text[512] = {0};
    struct frame frame = frame_shoot(&stage, slices, "80x24",
                                     "Esc g , / \"minimap\" Enter Enter \"false\" Enter", NULL);
    frame_check(&frame, frame_holds(&frame, "minimap is false"));
    frame_check(&frame, !frame_holds(&frame, "\u2503")); /* the overview is gone at once */
    frame_free(&frame);
    FILE *f = fopen(stage_file(&stage, "state/perfetty/settings.json", path), "rb");
    if (!f) f = fopen(stage_file(&stage, ".local/state/perfetty/settings.json", path), "rb");
    assert_non_null(f);
    fread(text, 1, sizeof text - 1, f);
    fclose(f);
    assert_non_null(strstr(text, "\"minimap\":false"));
    frame = frame_shoot(&stage, slices, "200x60", "Esc g , / \"minimap\" Enter z", NULL);
    int row = frame_find(&frame, "false", 3, NULL);
    frame_check(&frame, row > 0 && frame_find(&frame, "settings.json", row, NULL) == row);
    frame_free(&frame);
    frame = frame_shoot(&stage, slices, "80x24", SET("minimap null"), NULL);
    frame_check(&frame, frame_holds(&frame, "minimap is as it came"));
    frame_check(&frame, frame_holds(&frame, "\u2503"));
    frame_free(&frame);
}

static void a_wrong_value_is_refused(void **state)
{
    (void)state;
    static const struct {
        const char *keys, *says;
    } cases[] = {
        {SET("mouse maybe"), "mouse is \"maybe\", but has to be true or false"},
        {SET("theme pink"), "there is no theme pink: dark, light, mono, color-blind"},
        {SET("nothing 1"), "there is no setting nothing"},
        {SET("queryTimeLimitMs -5"), "queryTimeLimitMs is -5"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct frame frame = shoot(slices, &looks[i], cases[i].keys);
        frame_check(&frame, frame_holds(&frame, cases[i].says));
        frame_free(&frame);
    }
}

/* ---- what SQL can ask ---- */

static void sql_tables_are_listed_with_their_columns(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_LOOKS; i++) {
        struct frame frame = shoot(slices, &looks[i], "Esc g B l \\ \"=slice\" Enter l");
        int row = frame_find(&frame, "table  slice", 3, NULL);
        frame_check(&frame, frame_holds(&frame, "1 row  name =slice"));
        frame_check(&frame, row > 0 && frame_find(&frame, "id, ts, dur,", row, NULL) == row);
        frame_free(&frame);
        /* Enter shows its rows. */
        frame = shoot(slices, &looks[i], "Esc g B l \\ \"=slice\" Enter Enter");
        frame_check(&frame, frame_holds(&frame, "3 slice 6"));
        frame_free(&frame);
    }
}

static void a_module_of_the_library_is_included_from_the_list(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_LOOKS; i++) {
        struct frame frame = shoot(
            slices, &looks[i], "Esc g B l \\ \"=sched_latency_for_running_interval\" Enter $ h");
        frame_check(&frame, frame_holds(&frame, "sched.latency"));
        frame_free(&frame);
        frame = shoot(slices, &looks[i],
                      "Esc g B l \\ \"=sched_latency_for_running_interval\" Enter Enter");
        frame_check(&frame, frame_holds(&frame, "runnable_latency_id"));
        frame_free(&frame);
        /* Included, its tables have columns. */
        frame = shoot(slices, &looks[i],
                      "Esc g B l \\ \"/^sched.latency$|^sched_latency/\" Enter Enter");
        frame_check(&frame, frame_holds(&frame, "sched.latency is included"));
        frame_check(&frame, frame_find(&frame, "thread_state_id, sched_id", 3, NULL) > 0);
        frame_free(&frame);
    }
    struct frame frame =
        frame_shoot(&stage, slices, "80x24",
                    "Esc g B l \\ \"=sched_state_to_human_readable_string\" Enter Enter", NULL);
    frame_check(&frame, frame_holds(&frame, "SELECT sched_state_to_human_readable_string("));
    frame_free(&frame);
}

/* ---- Java heaps ---- */

/* Shop (a root, 32 bytes) leads to Cart and a weak reference, Cart to Cart[] and a Leaf;
 * a second Leaf (a root) to a class object. */
static void a_heap_is_seen_by_class(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_LOOKS; i++) {
        struct frame frame = shoot(heap, &looks[i], "Esc g H z");
        static const char *const rows[] = {"com.example.Shop                 1    32       0   368",
                                           "com.example.Cart                 1    48     512   312",
                                           "com.example.Cart[]               1   256       0   256",
                                           "com.example.Leaf                 2    16       0   104",
                                           "java.lang.Class<b>               1    88       0    88",
                                           "java.lang.ref.WeakReference      1    24       0    24",
                                           NULL};
        frame_check_rows(&frame, "class                        count  size  native  kept", rows);
        frame_free(&frame);
        frame = shoot(heap, &looks[i], "Esc g H");
        frame_check(&frame, frame_holds(&frame, "dump 1 of 1: 7 objects, 464 bytes; 5 more"));
        frame_free(&frame);
    }
    char *size =
        frame_ask(&stage, heap, "SELECT sum(self_size) FROM heap_graph_object WHERE reachable");
    assert_string_equal(size, "464");
    mem_free(size);
}

static void an_object_has_its_way_from_a_root(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_LOOKS; i++) {
        /* Cart[]: two steps below the root, reached by a field of Cart. */
        struct frame frame = shoot(heap, &looks[i], "Esc g H j j Enter Enter z");
        int row = frame_find(&frame, "step  reached by", 3, NULL);
        frame_check(&frame, row > 0);
        int shop = frame_find(&frame, "com.example.Shop  ", row, NULL);
        int cart = frame_find(&frame, "com.example.Shop.cart", row, NULL);
        int leaf = frame_find(&frame, "com.example.Cart[]", row, NULL);
        frame_check(&frame, shop == row + 1 && cart == row + 2 && leaf == row + 3);
        frame_check(&frame, frame_find(&frame, "ROOT_STICKY_CLASS", shop, NULL) == shop);
        frame_check(&frame, frame_find(&frame, "b.y", leaf, NULL) == leaf);
        frame_free(&frame);
        /* Up to the root, and what it alone keeps. */
        frame = shoot(heap, &looks[i], "Esc g H j j Enter Enter k k Enter z");
        static const char *const kept[] = {"com.example.Cart  ", "WeakReference", NULL};
        frame_check_rows(&frame, "object  class", kept);
        frame_free(&frame);
    }
}

static void the_objects_that_keep_most_alive_come_first(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_LOOKS; i++) {
        struct frame frame = shoot(heap, &looks[i], "Esc g D z");
        static const char *const rows[] = {"com.example.Shop    32       0   368        5",
                                           "com.example.Leaf     8       0    96        2", NULL};
        frame_check_rows(&frame, "object  class", rows);
        frame_free(&frame);
    }
    struct frame frame = frame_shoot(&stage, hprof, "80x24", "Esc g H", NULL);
    frame_check(&frame, frame_holds(&frame, "9 objects, 137 bytes; 14 more cannot be reached"));
    frame_free(&frame);
    frame = frame_shoot(&stage, slices, "80x24", "Esc g H", NULL);
    frame_check(&frame, frame_holds(&frame, "the trace holds no Java heap dump"));
    frame_free(&frame);
    frame = frame_shoot(&stage, heap, "80x24", "Esc : \"dev.perfetty.ShowHeap 3\" Enter", NULL);
    frame_check(&frame, frame_holds(&frame, "there is no dump 3: the trace has 0 to 0"));
    frame_free(&frame);
}

/* ---- pins, editor, other traces ---- */

static void pinned_rows_change_places(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_LOOKS; i++) {
        /* The process, then its thread; the focus stays in the tree until g g. */
        struct frame before = shoot(slices, &looks[i], "Esc g g p j j p g g");
        struct frame after = shoot(slices, &looks[i], "Esc g g p j j p g g Alt+j");
        int process = frame_find(&before, "Process 7", 3, NULL);
        int thread = frame_find(&before, "worker 7", 3, NULL);
        frame_check(&before, process > 0 && process < thread);
        process = frame_find(&after, "Process 7", 3, NULL);
        thread = frame_find(&after, "worker 7", 3, NULL);
        frame_check(&after, thread > 0 && thread < process);
        frame_check(&after, frame_holds(&after, "Process 7 is pinned row 2 of 2"));
        frame_free(&before);
        frame_free(&after);
    }
    struct frame frame = frame_shoot(&stage, slices, "80x24", "Esc G Alt+k", NULL);
    frame_check(&frame, frame_holds(&frame, "the track in focus is no pinned row"));
    frame_free(&frame);
}

static struct pty *open_with_editor(const char *script)
{
    static char variable[STAGE_PATH + 16];
    char path[STAGE_PATH];
    write_text("editor", script, path);
    chmod(path, 0700);
    snprintf(variable, sizeof variable, "EDITOR=%s", path);
    static const char *extra[] = {variable, "VISUAL=", NULL};
    const char *args[] = {slices, "--clean", NULL};
    struct pty *pty = stage_open_with(
        &stage, &(struct pty_options){.columns = 100, .rows = 30, .extra = extra}, args);
    stage_expect(pty, "worker");
    return pty;
}

static void sql_is_written_in_the_editor(void **state)
{
    (void)state;
    struct pty *pty =
        open_with_editor("#!/bin/sh\n"
                         "mode=$(stat -c %a \"$1\")\n"
                         "was=$(cat \"$1\")\n"
                         "echo \"select '$mode' as mode, 'had $was' as was\" > \"$1\"\n");
    pty_send(pty, ";select 7\x18"); /* Ctrl+x in the prompt */
    stage_expect(pty, "had select 7");
    stage_expect(pty, "600");
    /* It begins with what the tab shows. */
    pty_send(pty, "g;");
    stage_expect(pty, "Query 1  3 Query !");
    stage_quit(pty);
    pty_free(pty);
}

static void an_editor_that_fails_runs_nothing(void **state)
{
    (void)state;
    struct pty *pty = open_with_editor("#!/bin/sh\necho 'select 1' > \"$1\"\nexit 3\n");
    pty_send(pty, "g;");
    stage_expect(pty, "the editor ended with status 3");
    stage_check(pty, pty_find_row(pty, "2 Query", 0) < 0);
    stage_quit(pty);
    pty_free(pty);
}

static void another_trace_opens_in_the_same_window(void **state)
{
    (void)state;
    char line[STAGE_PATH + 64], noise[STAGE_PATH];
    write_text("noise.bin", "this is no trace at all, and nothing can read it", noise);
    const char *args[] = {slices, NULL};
    struct pty *pty = stage_open(&stage, 100, 30, args);
    stage_expect(pty, "worker");
    snprintf(line, sizeof line, ":dev.perfetto.OpenTrace %s\r", logs);
    pty_send(pty, line);
    stage_expect(pty, "lines.logcat");
    stage_expect(pty, "Android logs");
    /* Both are remembered, the last one first; Enter opens one again. */
    pty_send(pty, "gO");
    stage_expect(pty, "slices.json");
    stage_check(pty, pty_find_row(pty, "lines.logcat", 5) < pty_find_row(pty, "slices.json", 5));
    pty_send(pty, "j\r");
    stage_expect(pty, "worker");
    /* What cannot be read leaves the one that is open. */
    snprintf(line, sizeof line, ":dev.perfetto.OpenTrace %s.gone\r", logs);
    pty_send(pty, line);
    stage_expect(pty, "No such file");
    snprintf(line, sizeof line, ":dev.perfetto.OpenTrace %s\r", noise);
    pty_send(pty, line);
    stage_expect(pty, "noise.bin");
    stage_expect(pty, "worker");
    stage_quit(pty);
    pty_free(pty);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(log_lines_have_their_level_in_letter_and_colour),
        cmocka_unit_test(log_lines_are_chosen_by_level_tag_and_text),
        cmocka_unit_test(log_lines_are_those_of_the_visible_window),
        cmocka_unit_test(enter_on_a_log_line_goes_to_it),
        cmocka_unit_test(journald_has_a_page_too),
        cmocka_unit_test(ftrace_events_are_counted_by_name_and_cpu),
        cmocka_unit_test(ftrace_events_show_their_arguments_some_thousand_at_a_time),
        cmocka_unit_test(the_query_log_has_what_ran),
        cmocka_unit_test(settings_tell_their_value_and_where_it_is_from),
        cmocka_unit_test(a_setting_is_changed_on_its_row_and_kept),
        cmocka_unit_test(a_wrong_value_is_refused),
        cmocka_unit_test(a_heap_is_seen_by_class),
        cmocka_unit_test(an_object_has_its_way_from_a_root),
        cmocka_unit_test(the_objects_that_keep_most_alive_come_first),
        cmocka_unit_test(pinned_rows_change_places),
        cmocka_unit_test(sql_is_written_in_the_editor),
        cmocka_unit_test(an_editor_that_fails_runs_nothing),
        cmocka_unit_test(another_trace_opens_in_the_same_window),
        cmocka_unit_test(sql_tables_are_listed_with_their_columns),
        cmocka_unit_test(a_module_of_the_library_is_included_from_the_list),
    };
    return cmocka_run_group_tests(tests, begin, end);
}
