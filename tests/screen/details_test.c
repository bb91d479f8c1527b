/* What the details and the tables of an area say about events of a small trace whose
 * every time is known, and of the bundled example, against what SQL says. */
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "engine/base/memory.h"
#include "tests/gen/features.h"
#include "tests/gen/heap_formats.h"
#include "tests/screen/frame.h"
#include "tui/time_text.h"

#define check frame_check

/* Ten slices "work" of 100 us to 1 ms in steps, one of them with children, a flow and
 * nested arguments; a counter. */
static const char KNOWN[] =
    "{\"traceEvents\":[\n"
    "{\"ph\":\"M\",\"pid\":7,\"tid\":7,\"name\":\"process_name\",\"args\":{\"name\":\"known\"}},\n"
    "{\"ph\":\"M\",\"pid\":7,\"tid\":7,\"name\":\"thread_name\",\"args\":{\"name\":\"worker\"}},\n"
    "{\"ph\":\"M\",\"pid\":7,\"tid\":8,\"name\":\"thread_name\",\"args\":{\"name\":\"helper\"}},\n"
    "{\"ph\":\"X\",\"pid\":7,\"tid\":7,\"ts\":1000,\"dur\":5000,\"name\":\"outer\"},\n"
    "{\"ph\":\"X\",\"pid\":7,\"tid\":7,\"ts\":1100,\"dur\":4000,\"name\":\"middle\"},\n"
    "{\"ph\":\"X\",\"pid\":7,\"tid\":7,\"ts\":1200,\"dur\":1000,\"name\":\"work\",\"args\":{"
    "\"tree\":{\"leaf\":\"green\",\"twig\":{\"length\":12}},\"list\":[\"one\",\"two\"],"
    "\"single\":{\"only\":\"child\"}}},\n"
    "{\"ph\":\"X\",\"pid\":7,\"tid\":7,\"ts\":1300,\"dur\":300,\"name\":\"kid\"},\n"
    "{\"ph\":\"X\",\"pid\":7,\"tid\":7,\"ts\":1700,\"dur\":50,\"name\":\"kid\"},\n"
    "{\"ph\":\"X\",\"pid\":7,\"tid\":7,\"ts\":1800,\"dur\":20,\"name\":\"kid\"},\n"
    "{\"ph\":\"X\",\"pid\":7,\"tid\":7,\"ts\":1900,\"dur\":10,\"name\":\"kid\"},\n"
    "{\"ph\":\"s\",\"pid\":7,\"tid\":7,\"ts\":1250,\"id\":1,\"name\":\"f\",\"cat\":\"f\"},\n"
    "{\"ph\":\"X\",\"pid\":7,\"tid\":8,\"ts\":2500,\"dur\":400,\"name\":\"answer\"},\n"
    "{\"ph\":\"f\",\"bp\":\"e\",\"pid\":7,\"tid\":8,\"ts\":2600,\"id\":1,\"name\":\"f\",\"cat\":"
    "\"f\"},\n"
    "{\"ph\":\"X\",\"pid\":7,\"tid\":8,\"ts\":7100,\"dur\":100,\"name\":\"work\"},\n"
    "{\"ph\":\"X\",\"pid\":7,\"tid\":8,\"ts\":7200,\"dur\":200,\"name\":\"work\"},\n"
    "{\"ph\":\"X\",\"pid\":7,\"tid\":8,\"ts\":7400,\"dur\":300,\"name\":\"work\"},\n"
    "{\"ph\":\"X\",\"pid\":7,\"tid\":8,\"ts\":7700,\"dur\":400,\"name\":\"work\"},\n"
    "{\"ph\":\"s\",\"pid\":7,\"tid\":7,\"ts\":1310,\"id\":2,\"name\":\"f\",\"cat\":\"f\"},\n"
    "{\"ph\":\"f\",\"bp\":\"e\",\"pid\":7,\"tid\":8,\"ts\":7110,\"id\":2,\"name\":\"f\",\"cat\":"
    "\"f\"},\n"
    "{\"ph\":\"s\",\"pid\":7,\"tid\":7,\"ts\":1320,\"id\":3,\"name\":\"f\",\"cat\":\"f\"},\n"
    "{\"ph\":\"f\",\"bp\":\"e\",\"pid\":7,\"tid\":8,\"ts\":7250,\"id\":3,\"name\":\"f\",\"cat\":"
    "\"f\"},\n"
    "{\"ph\":\"C\",\"pid\":7,\"ts\":1000,\"name\":\"load\",\"args\":{\"value\":10}},\n"
    "{\"ph\":\"C\",\"pid\":7,\"ts\":3000,\"name\":\"load\",\"args\":{\"value\":30}},\n"
    "{\"ph\":\"C\",\"pid\":7,\"ts\":5000,\"name\":\"load\",\"args\":{\"value\":26}}\n]}\n";

static struct stage stage;
static char known[STAGE_PATH];

static int begin(void **state)
{
    (void)state;
    struct buffer bytes = BUFFER_INIT;
    stage_begin(&stage);
    buffer_append_text(&bytes, KNOWN);
    stage_write(stage_file(&stage, "known.json", known), &bytes);
    buffer_free(&bytes);
    return 0;
}

static int end(void **state)
{
    (void)state;
    stage_end(&stage);
    return 0;
}

/* The first value of a query as text without quotes; owned. */
static char *ask(const char *trace, const char *sql)
{
    char *value = frame_ask(&stage, trace, sql);
    size_t n = strlen(value);
    if (n >= 2 && value[0] == '"') {
        memmove(value, value + 1, n - 2);
        value[n - 2] = '\0';
    }
    return value;
}

static int64_t ask_number(const char *trace, const char *sql)
{
    char *value = ask(trace, sql);
    int64_t number = strtoll(value, NULL, 10);
    mem_free(value);
    return number;
}

/* A duration that SQL tells, as the screen writes it. */
static const char *ask_duration(const char *trace, const char *sql, char out[32])
{
    struct buffer text = BUFFER_INIT;
    duration_write(ask_number(trace, sql), &text);
    snprintf(out, 32, "%s", buffer_text(&text));
    buffer_free(&text);
    return out;
}

/* A row that holds one text and then another. */
static bool row_holds(const struct frame *frame, const char *text, const char *then)
{
    for (int row = 0; row < frame->height; row++) {
        struct str line = frame_line(frame, row);
        size_t at;
        if (str_find(line, str_of(text), &at) &&
            str_find(str_slice(line, at + strlen(text), line.n), str_of(then), &at))
            return true;
    }
    return false;
}

static struct frame shoot_event(const char *trace, const char *size, const char *table, int64_t id,
                                const char *keys)
{
    char script[256];
    snprintf(script, sizeof script,
             "\":dev.perfetto.SelectEventByTableNameAndId %s %" PRId64 "\" Enter z z %s", table, id,
             keys);
    return frame_shoot(&stage, trace, size, script, NULL);
}

/* ---- slices ---- */

#define WORK "name = 'work' and dur = 1000000"

static void test_slice_has_arguments_as_a_tree(void **state)
{
    (void)state;
    int64_t id = ask_number(known, "select id from slice where " WORK);
    struct frame frame = shoot_event(known, "80x24", "slice", id, "");
    int args = frame_find(&frame, "Arguments 5", 0, NULL), column, below;
    check(&frame, args > 0);
    int tree = frame_find(&frame, "tree", args, &column);
    check(&frame, tree > args && row_holds(&frame, "tree", "2 keys"));
    check(&frame, frame_find(&frame, "leaf", tree, &below) > tree && below > column);
    check(&frame, row_holds(&frame, "leaf", "green"));
    check(&frame, row_holds(&frame, "twig.length", "12"));
    check(&frame, row_holds(&frame, "list", "2 items"));
    check(&frame, row_holds(&frame, "[0]", "one") && row_holds(&frame, "[1]", "two"));
    check(&frame, row_holds(&frame, "single.only", "child"));
    frame_free(&frame);
}

/* Enter on an argument: the slices that have the same. */
static void test_argument_lists_others_with_it(void **state)
{
    (void)state;
    int64_t id = ask_number(known, "select id from slice where " WORK);
    struct frame frame = shoot_event(known, "100x40", "slice", id, "");
    int top = frame_find(&frame, "work", 4, NULL), leaf = frame_find(&frame, "leaf", 4, NULL);
    frame_free(&frame);
    char keys[32];
    snprintf(keys, sizeof keys, leaf - top < 10 ? "Tab %d j Enter" : "Tab 1 %d j Enter",
             (leaf - top) % 10);
    frame = shoot_event(known, "100x40", "slice", id, keys);
    char *key = ask(known, "select key from args where string_value = 'green'"), title[64];
    snprintf(title, sizeof title, "2 %s 1", key);
    check(&frame, frame_holds(&frame, title) && row_holds(&frame, "1.000 ms", "work"));
    mem_free(key);
    frame_free(&frame);
}

/* A row of a query's track says which query that was. */
static void test_debug_track(void **state)
{
    (void)state;
    struct frame frame =
        frame_shoot(&stage, known, "100x40",
                    "\":dev.perfetto.AddDebugSliceTrack 'select ts, dur, name, 77 as extra "
                    "from slice where dur = 1000000' mine\" Enter g g . z z",
                    NULL);
    check(&frame, row_holds(&frame, "track", "mine") && row_holds(&frame, "duration", "1.000 ms"));
    check(&frame, frame_holds(&frame, "77 as extra"));
    frame_free(&frame);
}

static void test_groups_fold_and_stay_so(void **state)
{
    (void)state;
    int64_t id = ask_number(known, "select id from slice where " WORK);
    /* The heading of the arguments is the row after the id. */
    struct frame open = shoot_event(known, "80x24", "slice", id, "");
    check(&open, frame_holds(&open, "\u25be Arguments"));
    int id_row = frame_find(&open, "Arguments", 0, NULL), top = frame_find(&open, "work", 4, NULL);
    char keys[64];
    snprintf(keys, sizeof keys, "Tab g g %d j Space", id_row - top);
    struct frame folded = shoot_event(known, "80x24", "slice", id, keys);
    check(&folded, frame_holds(&folded, "\u25b8 Arguments 5") && !frame_holds(&folded, "leaf"));
    /* Enter opens it again; a group within it is folded alone. */
    snprintf(keys, sizeof keys, "Tab g g %d j Space Enter 2 j o", id_row - top);
    struct frame inner = shoot_event(known, "80x24", "slice", id, keys);
    check(&inner, frame_holds(&inner, "\u25be Arguments 5") && !frame_holds(&inner, "leaf"));
    check(&inner, frame_holds(&inner, "[0]"));
    /* O: all of them, and back. */
    struct frame all = shoot_event(known, "80x24", "slice", id, "Tab O");
    check(&all, frame_holds(&all, "\u25be"
                                  "children") &&
                    frame_holds(&all, "leaf"));
    struct frame none = shoot_event(known, "80x24", "slice", id, "Tab O O");
    check(&none, !frame_holds(&none, "\u25be") && !frame_holds(&none, "leaf"));
    struct frame ascii = frame_shoot(&stage, known, "80x24", "\"/work\" Enter z z", "--ascii");
    check(&ascii, frame_holds(&ascii, "- Arguments") || frame_holds(&ascii, "same name"));
    frame_free(&open);
    frame_free(&folded);
    frame_free(&inner);
    frame_free(&all);
    frame_free(&none);
    frame_free(&ascii);
}

static void test_slice_knows_its_relatives(void **state)
{
    (void)state;
    char text[32];
    int64_t id = ask_number(known, "select id from slice where " WORK);
    struct frame frame = shoot_event(known, "100x40", "slice", id, "Tab O");
    check(&frame, row_holds(&frame, "parent", "middle"));
    check(&frame, row_holds(&frame, "ancestors", "2"));
    check(&frame, row_holds(&frame, "-200.0 us", "outer"));
    /* Children, the longest first; what they leave is its own. */
    int at = frame_find(&frame, "children", 0, NULL);
    check(&frame, row_holds(&frame, "children", "4, the longest 300.0 us"));
    check(&frame, frame_find(&frame, "300.0 us  kid", at, NULL) == at + 1);
    check(&frame, frame_find(&frame, "50.00 us  kid", at, NULL) == at + 2);
    ask_duration(known,
                 "select dur - (select sum(dur) from slice k where k.parent_id = s.id) from slice "
                 "s where " WORK,
                 text);
    check(&frame, row_holds(&frame, "self time", text));
    /* The flow to the other thread. */
    check(&frame, row_holds(&frame, "flows out", "1"));
    ask_duration(known,
                 "select i.ts - o.ts from flow join slice o on o.id = slice_out join slice i on "
                 "i.id = slice_in where i.name = 'answer'",
                 text);
    check(&frame, row_holds(&frame, text, "answer  helper 8"));
    frame_free(&frame);
    /* Enter on the flow goes there, Ctrl+o comes back. */
    struct frame there = shoot_event(known, "100x40", "slice", id, "]");
    check(&there, row_holds(&there, "flows in", "1") && frame_holds(&there, "work  worker 7"));
    struct frame back = shoot_event(known, "100x40", "slice", id, "] Ctrl+o");
    check(&back, frame_holds(&back, "flows out"));
    frame_free(&there);
    frame_free(&back);
}

static void test_enter_on_a_line_goes_there(void **state)
{
    (void)state;
    int64_t id = ask_number(known, "select id from slice where name = 'answer'");
    /* The last line but those of the same name is where the flow comes from. */
    struct frame frame = shoot_event(known, "100x40", "slice", id, "Tab G Enter");
    check(&frame, row_holds(&frame, "self time", "620.0 us"));
    check(&frame, row_holds(&frame, "duration", "1.000 ms"));
    frame_free(&frame);
}

/* Of several flows one has a mark: the one that ] follows. */
static void test_flows_are_chosen(void **state)
{
    (void)state;
    int64_t id = ask_number(known, "select id from slice where name = 'kid' and dur = 300000");
    static const char *const marked[] = {"+5.800 ms > work", "+5.900 ms > work"};
    static const char *const durations[] = {"100.0 us", "200.0 us"};
    static const char *const keys[][2] = {{"", "]"}, {"Ctrl+]", "Ctrl+] ]"}};
    for (size_t i = 0; i < 2; i++) {
        struct frame frame = shoot_event(known, "100x40", "slice", id, keys[i][0]);
        check(&frame, row_holds(&frame, "flows out", "2"));
        check(&frame, frame_holds(&frame, marked[i]) && !frame_holds(&frame, marked[1 - i]));
        frame_free(&frame);
        frame = shoot_event(known, "100x40", "slice", id, keys[i][1]);
        check(&frame, row_holds(&frame, "duration", durations[i]));
        frame_free(&frame);
    }
}

static void test_slices_of_the_same_name(void **state)
{
    (void)state;
    char p50[32], p95[32], text[128];
    int64_t id = ask_number(known, "select id from slice where " WORK);
    ask_duration(known, "select dur from slice where name = 'work' order by dur limit 1 offset 2",
                 p50);
    ask_duration(known, "select dur from slice where name = 'work' order by dur limit 1 offset 3",
                 p95);
    snprintf(text, sizeof text, "5  p50 %s  p95 %s", p50, p95);
    struct frame frame = shoot_event(known, "100x40", "slice", id, "");
    struct frame roles =
        frame_shoot(&stage, known, "100x40", "\"/work\" Enter z z", "--format=roles");
    check(&frame, row_holds(&frame, "same name", text));
    /* From 100 us to 1 ms in 20 steps of 45 us: places 0, 2, 4, 6 and 19. */
    int column, row = frame_find(&frame, "\u2588 \u2588 \u2588 \u2588   ", 0, &column);
    check(&frame, row > 0);
    check(&frame,
          frame_find(&frame, "100.0 us  \u2588 \u2588 \u2588 \u2588            \u2588 1.000 ms", 0,
                     NULL) == row);
    /* The one that is selected is marked. */
    char here[64], other[64];
    frame_role(&roles, row, column + 19, here);
    frame_role(&roles, row, column, other);
    check(&roles, strstr(here, "selection") != NULL && strstr(other, "selection") == NULL);
    frame_free(&frame);
    frame_free(&roles);
    struct frame ascii = frame_shoot(&stage, known, "100x40", "\"/work\" Enter z z", "--ascii");
    check(&ascii, frame_holds(&ascii, "100.0 us  # # # #            # 1.000 ms"));
    frame_free(&ascii);
}

/* ---- counters ---- */

static void test_counter(void **state)
{
    (void)state;
    int64_t id = ask_number(known, "select id from counter where value = 30");
    struct frame frame = shoot_event(known, "100x40", "counter", id, "");
    check(&frame, row_holds(&frame, "value", "30"));
    check(&frame, row_holds(&frame, "change", "20"));
    check(&frame, row_holds(&frame, "rate", "10 K/s"));
    check(&frame, row_holds(&frame, "until next", "2.000 ms"));
    check(&frame, row_holds(&frame, "sample", "2 of 3"));
    check(&frame, row_holds(&frame, "least", "10") && row_holds(&frame, "most", "30"));
    /* 10 for 2 ms, 30 for 2 ms, 26 until the end of the trace. */
    double length = (double)ask_number(known, "select trace_end() - 5000000");
    double mean = (10 * 2e6 + 30 * 2e6 + 26 * length) / (4e6 + length);
    char text[32];
    snprintf(text, sizeof text, "%.2f", mean);
    check(&frame, row_holds(&frame, "mean", text));
    frame_free(&frame);
}

/* ---- scheduling, of the example ---- */

static void test_cpu_slice_waited_and_was_woken(void **state)
{
    (void)state;
    char text[32];
    static const char wake[] =
        "from thread_state w join sched_slice s on s.utid = w.utid and s.ts = w.ts + w.dur "
        "join thread k on k.utid = w.waker_utid join thread t on t.utid = w.utid "
        "where w.state = 'R' and not coalesce(w.irq_context, 0) and t.name = 'RenderThread' "
        "order by w.ts limit 1";
    char sql[512];
    snprintf(sql, sizeof sql, "select s.id %s", wake);
    int64_t id = ask_number(EXAMPLE, sql);
    struct frame frame = shoot_event(EXAMPLE, "110x40", "sched_slice", id, "");
    snprintf(sql, sizeof sql, "select w.dur %s", wake);
    check(&frame, row_holds(&frame, "waited", ask_duration(EXAMPLE, sql, text)));
    snprintf(sql, sizeof sql, "select s.dur %s", wake);
    check(&frame, row_holds(&frame, "ran for", ask_duration(EXAMPLE, sql, text)));
    snprintf(sql, sizeof sql, "select k.name || ' ' || k.tid %s", wake);
    char *waker = ask(EXAMPLE, sql);
    check(&frame, row_holds(&frame, "woken by", waker));
    snprintf(sql, sizeof sql, "select s.cpu %s", wake);
    snprintf(text, sizeof text, "%" PRId64, ask_number(EXAMPLE, sql));
    check(&frame, row_holds(&frame, "CPU  ", text));
    check(&frame, row_holds(&frame, "before", "Runnable"));
    mem_free(waker);
    frame_free(&frame);
}

static void test_thread_state_and_whom_it_woke(void **state)
{
    (void)state;
    int64_t id = ask_number(EXAMPLE, "select waker_id from thread_state where waker_id is not null "
                                     "group by 1 order by count() desc, 1 limit 1");
    char sql[256], text[64];
    struct frame frame = shoot_event(EXAMPLE, "110x40", "thread_state", id, "Tab O");
    snprintf(sql, sizeof sql, "select count() from thread_state where waker_id = %" PRId64, id);
    snprintf(text, sizeof text, "%" PRId64 " threads", ask_number(EXAMPLE, sql));
    check(&frame, row_holds(&frame, "woke", text));
    snprintf(sql, sizeof sql,
             "select t.name || ' ' || t.tid from thread_state w join thread t using (utid) where "
             "waker_id = %" PRId64 " order by w.id limit 1",
             id);
    char *woken = ask(EXAMPLE, sql);
    check(&frame, frame_holds(&frame, woken));
    check(&frame, row_holds(&frame, "CPU slice", "on its CPU's track"));
    mem_free(woken);
    frame_free(&frame);

    static const char blocked[] = "from thread_state where io_wait = 1 and blocked_function is not "
                                  "null order by id limit 1";
    snprintf(sql, sizeof sql, "select id %s", blocked);
    frame = shoot_event(EXAMPLE, "110x40", "thread_state", ask_number(EXAMPLE, sql), "");
    snprintf(sql, sizeof sql, "select blocked_function %s", blocked);
    char *function = ask(EXAMPLE, sql);
    check(&frame, frame_holds(&frame, "Blocked (IO)"));
    check(&frame, row_holds(&frame, "I/O wait", "yes"));
    check(&frame, row_holds(&frame, "blocked in", function));
    check(&frame, row_holds(&frame, "before", "  ") && row_holds(&frame, "after", "  "));
    mem_free(function);
    frame_free(&frame);
}

/* What follows a sleep names who ended it; Enter goes to what that one did then. */
static void test_sleep_says_who_ended_it(void **state)
{
    (void)state;
    static const char sleep[] =
        "from thread_state s join thread_state r on r.utid = s.utid and r.ts = s.ts + s.dur "
        "join thread k on k.utid = r.waker_utid where s.state = 'S' and r.waker_id is not null "
        "and s.utid = (select utid from thread where name = 'RenderThread' order by utid limit 1) "
        "order by s.ts limit 1";
    char sql[512];
    snprintf(sql, sizeof sql, "select s.id %s", sleep);
    int64_t id = ask_number(EXAMPLE, sql);
    snprintf(sql, sizeof sql, "select k.name || ' ' || k.tid %s", sleep);
    char *waker = ask(EXAMPLE, sql);
    struct frame frame = shoot_event(EXAMPLE, "110x40", "thread_state", id, "");
    check(&frame, frame_holds(&frame, "Sleeping") && row_holds(&frame, "ended by", waker));
    check(&frame, row_holds(&frame, "after", "Runnable"));
    frame_free(&frame);
    frame = shoot_event(EXAMPLE, "110x40", "thread_state", id, "b");
    check(&frame, row_holds(&frame, "thread", waker));
    mem_free(waker);
    frame_free(&frame);
}

static void test_slice_shows_how_its_thread_spent_it(void **state)
{
    (void)state;
    char sql[512], text[32];
    int64_t id = ask_number(EXAMPLE, "select id from slice where name = 'ShopFrame' "
                                     "order by dur desc limit 1");
    struct frame frame = shoot_event(EXAMPLE, "110x40", "slice", id, "");
    static const struct {
        const char *state, *words;
    } states[] = {{"Running", "Running"}, {"S", "Sleeping"}, {"R+", "Runnable (preempted)"}};
    for (size_t i = 0; i < sizeof states / sizeof *states; i++) {
        snprintf(sql, sizeof sql,
                 "select sum(min(t.ts + t.dur, s.ts + s.dur) - max(t.ts, s.ts)) from slice s join "
                 "thread_track k on k.id = s.track_id join thread_state t on t.utid = k.utid "
                 "where s.id = %" PRId64
                 " and t.ts < s.ts + s.dur and t.ts + t.dur > s.ts and t.state = '%s'",
                 id, states[i].state);
        check(&frame, row_holds(&frame, states[i].words, ask_duration(EXAMPLE, sql, text)));
    }
    frame_free(&frame);
}

/* ---- frames, samples, log lines ---- */

static void test_frame_says_why_it_was_late(void **state)
{
    (void)state;
    char text[32];
    int64_t id = ask_number(EXAMPLE, "select id from actual_frame_timeline_slice where jank_type = "
                                     "'App Deadline Missed' order by dur desc, id limit 1");
    struct frame frame = shoot_event(EXAMPLE, "110x40", "slice", id, "");
    check(&frame, row_holds(&frame, "jank type", "App Deadline Missed"));
    check(&frame, frame_holds(&frame, "the app was not done by its deadline"));
    check(&frame, row_holds(&frame, "on time", "no"));
    ask_duration(EXAMPLE,
                 "select a.ts + a.dur - e.ts - e.dur from actual_frame_timeline_slice a join "
                 "expected_frame_timeline_slice e using (upid, surface_frame_token) where "
                 "a.jank_type = 'App Deadline Missed' order by a.dur desc, a.id limit 1",
                 text);
    check(&frame, row_holds(&frame, "late by", text));
    frame_free(&frame);
}

static void test_sample_has_its_stack(void **state)
{
    (void)state;
    static const char leaf[] =
        "from stack_sample s join stack_profile_callsite c on c.id = s.callsite_id "
        "join stack_profile_frame f on f.id = c.frame_id order by s.id limit 1";
    char sql[512];
    snprintf(sql, sizeof sql, "select s.id %s", leaf);
    int64_t id = ask_number(EXAMPLE, sql);
    snprintf(sql, sizeof sql, "select f.name %s", leaf);
    char *name = ask(EXAMPLE, sql);
    struct frame frame = shoot_event(EXAMPLE, "110x40", "stack_sample", id, "");
    int row = frame_find(&frame, "Call stack", 0, NULL);
    check(&frame, row > 0 && frame_find(&frame, name, row, NULL) == row + 1);
    /* The line leads to the flamegraph of its thread. */
    struct frame flame = shoot_event(EXAMPLE, "110x40", "stack_sample", id, "Tab 5 j Enter");
    check(&flame, frame_holds(&flame, "Flamegraph") || frame_holds(&flame, "flamegraph"));
    mem_free(name);
    frame_free(&frame);
    frame_free(&flame);
}

static void test_log_line(void **state)
{
    (void)state;
    char *tag = ask(EXAMPLE, "select tag from android_logs order by id limit 1");
    char *message = ask(EXAMPLE, "select substr(msg, 1, 20) from android_logs order by id limit 1");
    int64_t id = ask_number(EXAMPLE, "select id from android_logs order by id limit 1");
    struct frame frame = shoot_event(EXAMPLE, "80x24", "android_logs", id, "");
    check(&frame, frame_holds(&frame, "Log line"));
    check(&frame, row_holds(&frame, "tag", tag));
    check(&frame, frame_holds(&frame, message));
    mem_free(tag);
    mem_free(message);
    frame_free(&frame);
}

/* ---- heaps, states, tracks ---- */

static void write_trace(const char *name, void (*write)(struct buffer *out), char path[STAGE_PATH])
{
    struct buffer bytes = BUFFER_INIT;
    write(&bytes);
    stage_write(stage_file(&stage, name, path), &bytes);
    buffer_free(&bytes);
}

static void test_heap_dumps(void **state)
{
    (void)state;
    char path[STAGE_PATH];
    write_trace("profile.pb", gen_write_heap_profile, path);
    struct frame frame = shoot_event(path, "100x40", "heap_profile", 0, "");
    char *heap = ask(path, "select heap_name from heap_profile where id = 0");
    check(&frame, frame_holds(&frame, "Heap profile") && row_holds(&frame, "heap", heap));
    check(&frame, row_holds(&frame, "duration", "1.000 us"));
    check(&frame, row_holds(&frame, "after", "libc.malloc  +2.000 us"));
    mem_free(heap);
    frame_free(&frame);
    write_trace("graph.pb", gen_write_heap_graph, path);
    frame = shoot_event(path, "100x40", "heap_graph", 0, "");
    check(&frame, frame_holds(&frame, "Java heap") && row_holds(&frame, "size", "4096 B"));
    frame_free(&frame);
    /* Its line leads to the objects. */
    frame = shoot_event(path, "100x40", "heap_graph", 0, "Tab G Enter");
    check(&frame, frame_holds(&frame, "Flamegraph"));
    frame_free(&frame);
}

static void test_states_of_a_track(void **state)
{
    (void)state;
    char path[STAGE_PATH], text[32];
    write_trace("states.pb", gen_write_states, path);
    int64_t id = ask_number(path, "select id from state where value = 'busy'");
    struct frame frame = shoot_event(path, "100x40", "state", id, "");
    check(&frame, frame_holds(&frame, "busy"));
    check(&frame,
          row_holds(&frame, "duration",
                    ask_duration(path, "select dur from state where value = 'busy'", text)));
    check(&frame, row_holds(&frame, "before", "idle"));
    frame_free(&frame);
}

static void test_track(void **state)
{
    (void)state;
    struct frame frame = frame_shoot(&stage, EXAMPLE, "100x40", "/ \"Frame time\" Enter z z", NULL);
    char *n = ask(EXAMPLE, "select count() from counter join counter_track t on t.id = track_id "
                           "where t.name = 'Frame time ms'");
    check(&frame, row_holds(&frame, "path", "com.example.shop 4213 > Frame time ms"));
    check(&frame, row_holds(&frame, "unit", "ms") && row_holds(&frame, "events", n));
    mem_free(n);
    frame_free(&frame);
    /* The last event, two lines from the end of the track's. */
    frame = frame_shoot(&stage, EXAMPLE, "100x40", "/ \"Frame time\" Enter z z Tab G Enter", NULL);
    check(&frame, row_holds(&frame, "sample", "135 of 135"));
    frame_free(&frame);
}

/* ---- areas ---- */

/* Enter ends what v began and goes to its tables. */
static void test_enter_ends_an_area(void **state)
{
    (void)state;
    struct frame frame = frame_shoot(&stage, known, "100x40", "v 5 l Enter", NULL);
    check(&frame, frame_holds(&frame, "Area") && frame_holds(&frame, "g a n"));
    int row = frame.height - 1;
    check(&frame, frame_find(&frame, "details", row, NULL) == row);
    struct frame later = frame_shoot(&stage, known, "100x40", "v 5 l Enter Tab 9 l", NULL);
    int length = frame_find(&frame, "length", 0, NULL);
    check(&later, str_equal(frame_line(&frame, length), frame_line(&later, length)));
    frame_free(&frame);
    frame_free(&later);
}

static void test_area_leads_to_its_tables(void **state)
{
    (void)state;
    struct frame frame =
        frame_shoot(&stage, known, "100x40", "\":SelectArea 1150000 1450000\" Enter z z", NULL);
    check(&frame, row_holds(&frame, "length", "300.0 us"));
    check(&frame, row_holds(&frame, "tracks", "all"));
    check(&frame, row_holds(&frame, "g a n", "slices by name"));
    frame_free(&frame);
    /* work 1200-1450 with a kid from 1300 on: 250 us, 100 us its own. */
    static const char *const keys[] = {"g a n", "Tab 9 j Enter"};
    for (size_t i = 0; i < 2; i++) {
        char script[128];
        snprintf(script, sizeof script, "\":SelectArea 1150000 1450000\" Enter z z %s", keys[i]);
        frame = frame_shoot(&stage, known, "100x40", script, NULL);
        check(&frame, frame_holds(&frame, "Slices by name 4"));
        check(&frame, row_holds(&frame, "work", "250.0 us"));
        check(&frame, row_holds(&frame, "work", "100.0 us"));
        check(&frame, row_holds(&frame, "outer", "300.0 us"));
        frame_free(&frame);
    }
}

/* Enter on a row: its events; Enter there: the event. */
static void test_table_of_an_area_leads_to_events(void **state)
{
    (void)state;
    char keys[128];
    snprintf(keys, sizeof keys, "\":SelectArea 1150000 8000000\" Enter z z g a n Tab j j Enter");
    struct frame frame = frame_shoot(&stage, known, "100x40", keys, NULL);
    check(&frame, frame_holds(&frame, "3 work 5"));
    check(&frame, row_holds(&frame, "1.000 ms", "work"));
    frame_free(&frame);
    snprintf(keys, sizeof keys,
             "\":SelectArea 1150000 8000000\" Enter z z g a n Tab j j Enter Enter");
    frame = frame_shoot(&stage, known, "100x40", keys, NULL);
    check(&frame, row_holds(&frame, "parent", "middle"));
    frame_free(&frame);
}

/* The last line of an area is the flamegraph of what its tracks hold. */
static void test_area_leads_to_its_flamegraph(void **state)
{
    (void)state;
    char script[160], text[64];
    int64_t start = ask_number(EXAMPLE, "select trace_start()") + 900000000;
    snprintf(script, sizeof script,
             "\":SelectArea %" PRId64 " %" PRId64 " .*Callstacks\" Enter z z Tab G Enter", start,
             start + 100000000);
    struct frame frame = frame_shoot(&stage, EXAMPLE, "110x40", script, NULL);
    /* As many samples as SQL counts. */
    char sql[160];
    snprintf(sql, sizeof sql,
             "select count() from stack_sample where ts >= %" PRId64 " and ts < %" PRId64, start,
             start + 100000000);
    snprintf(text, sizeof text, "%" PRId64, ask_number(EXAMPLE, sql));
    check(&frame, frame_holds(&frame, "100 ms of ") && frame_holds(&frame, text));
    frame_free(&frame);
}

/* The keys alone: v, to the right, a table; it follows while the area grows. */
static void test_table_follows_the_area(void **state)
{
    (void)state;
    struct frame small = frame_shoot(&stage, known, "100x40", "z z v 5 l g a n", NULL);
    struct frame large = frame_shoot(&stage, known, "100x40", "z z v 5 l g a n 6 0 l", NULL);
    check(&small, frame_holds(&small, "Slices by name"));
    check(&large, frame_holds(&large, "Slices by name"));
    check(&small, !frame_holds(&small, "answer"));
    check(&large, row_holds(&large, "outer", "5.000 ms"));
    frame_free(&small);
    frame_free(&large);
}

/* Every table of the example against SQL that counts another way. */
static void test_tables_say_what_sql_says(void **state)
{
    (void)state;
    char text[32], sql[512];
    int64_t start = ask_number(EXAMPLE, "select trace_start()") + 900000000;
    int64_t end = start + 100000000;
    static const struct {
        const char *command, *name, *sql;
    } tables[] = {
        {"AreaCpuByThread", "RenderThread",
         "select sum(min(ts + dur, %2$" PRId64 ") - max(ts, %1$" PRId64
         ")) from sched join thread using (utid) where ts < %2$" PRId64 " and ts + dur > %1$" PRId64
         " and thread.name = 'RenderThread' and upid in (select upid from process where name = "
         "'com.example.shop')"},
        {"AreaCpuByProcess", "com.example.shop",
         "select sum(min(ts + dur, %2$" PRId64 ") - max(ts, %1$" PRId64
         ")) from sched join thread using (utid) join process using (upid) where ts < %2$" PRId64
         " and ts + dur > %1$" PRId64 " and process.name = 'com.example.shop'"},
        {"AreaSlices", "ShopRender",
         "select sum(min(ts + dur, %2$" PRId64 ") - max(ts, %1$" PRId64
         ")) from slice where ts < %2$" PRId64 " and ts + dur > %1$" PRId64
         " and name = 'ShopRender'"},
        {"AreaFrames", "App Deadline Missed",
         "select max(dur) from actual_frame_timeline_slice where ts < %2$" PRId64
         " and ts + dur > %1$" PRId64 " and jank_type = 'App Deadline Missed'"},
    };
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
        char script[160];
        snprintf(script, sizeof script,
                 "\":SelectArea %" PRId64 " %" PRId64 "\" Enter z z \":%s\" Enter", start, end,
                 tables[i].command);
        struct frame frame = frame_shoot(&stage, EXAMPLE, "140x50", script, NULL);
        snprintf(sql, sizeof sql, tables[i].sql, start, end);
        check(&frame, row_holds(&frame, tables[i].name, ask_duration(EXAMPLE, sql, text)));
        frame_free(&frame);
    }
}

/* ---- every size and look ---- */

static void test_every_size_and_look(void **state)
{
    (void)state;
    static const char *const sizes[] = {"80x24", "200x60", "40x10"};
    static const char *const drawn[] = {NULL, "--ascii", "--no-color", "--theme=mono --ascii"};
    static const char *const keys[] = {"/ \"work\" Enter z z",
                                       ("\":SelectArea 1150000 1450000\" "
                                        "Enter z z g a n"),
                                       "/ \"load\" Enter g s z z"};
    static const char *const words[][2] = {{"duration", "1.000 ms"}, {"work", "1"}, {"load", ""}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (size_t k = 0; k < sizeof drawn / sizeof *drawn; k++)
            for (size_t w = 0; w < sizeof keys / sizeof *keys; w++) {
                struct frame frame = frame_shoot(&stage, known, sizes[i], keys[w], drawn[k]);
                check(&frame, row_holds(&frame, words[w][0], words[w][1]));
                for (const char *c = frame.text; drawn[k] && strstr(drawn[k], "ascii") && *c; c++)
                    check(&frame, (unsigned char)*c < 0x80 && (*c >= 0x20 || *c == '\n'));
                frame_free(&frame);
            }
}

/* A click puts the cursor on the line; Enter then does what the line does. */
static void test_mouse(void **state)
{
    (void)state;
    char bytes[32];
    const char *args[] = {known, NULL};
    struct pty *pty = stage_open(&stage, 100, 40, args);
    stage_expect(pty, "worker 7");
    pty_send(pty, "/work\r");
    stage_expect(pty, "Around it");
    pty_send(pty, "zz");
    stage_expect(pty, "same name");
    int row = pty_find_row(pty, "ancestors", 0), column = pty_find_column(pty, row, "ancestors");
    snprintf(bytes, sizeof bytes, "\033[<0;%d;%dM", column + 1, row + 1);
    pty_send(pty, bytes);
    snprintf(bytes, sizeof bytes, "\033[<0;%d;%dm", column + 1, row + 1);
    pty_send(pty, bytes);
    stage_expect(pty, "details");
    pty_send(pty, "\r");
    stage_expect(pty, "-200.0 us");
    stage_quit(pty);
    pty_free(pty);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_slice_has_arguments_as_a_tree),
        cmocka_unit_test(test_argument_lists_others_with_it),
        cmocka_unit_test(test_debug_track),
        cmocka_unit_test(test_groups_fold_and_stay_so),
        cmocka_unit_test(test_slice_knows_its_relatives),
        cmocka_unit_test(test_enter_on_a_line_goes_there),
        cmocka_unit_test(test_flows_are_chosen),
        cmocka_unit_test(test_slices_of_the_same_name),
        cmocka_unit_test(test_counter),
        cmocka_unit_test(test_cpu_slice_waited_and_was_woken),
        cmocka_unit_test(test_thread_state_and_whom_it_woke),
        cmocka_unit_test(test_sleep_says_who_ended_it),
        cmocka_unit_test(test_slice_shows_how_its_thread_spent_it),
        cmocka_unit_test(test_frame_says_why_it_was_late),
        cmocka_unit_test(test_sample_has_its_stack),
        cmocka_unit_test(test_log_line),
        cmocka_unit_test(test_heap_dumps),
        cmocka_unit_test(test_states_of_a_track),
        cmocka_unit_test(test_track),
        cmocka_unit_test(test_enter_ends_an_area),
        cmocka_unit_test(test_area_leads_to_its_tables),
        cmocka_unit_test(test_table_of_an_area_leads_to_events),
        cmocka_unit_test(test_area_leads_to_its_flamegraph),
        cmocka_unit_test(test_table_follows_the_area),
        cmocka_unit_test(test_tables_say_what_sql_says),
        cmocka_unit_test(test_every_size_and_look),
        cmocka_unit_test(test_mouse),
    };
    return cmocka_run_group_tests(tests, begin, end);
}
