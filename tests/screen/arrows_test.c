/* Arrows of flows and wake-ups over the timeline: from where, to where, and what they
 * leave alone. */
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "engine/base/memory.h"
#include "tests/screen/frame.h"

#define check frame_check

/* From 0.5 to 3.5 ms: "asks" on the worker (1 to 2 ms) is answered by the third thread
 * at 3 ms; the helper, between their rows, does something else at 0.5 ms.  "calls"
 * (2.2 to 2.9 ms) is answered at 2.5 ms, while it lasts. */
static const char KNOWN[] =
    "{\"traceEvents\":[\n"
    "{\"ph\":\"M\",\"pid\":7,\"tid\":7,\"name\":\"process_name\",\"args\":{\"name\":\"known\"}},\n"
    "{\"ph\":\"M\",\"pid\":7,\"tid\":7,\"name\":\"thread_name\",\"args\":{\"name\":\"worker\"}},\n"
    "{\"ph\":\"M\",\"pid\":7,\"tid\":8,\"name\":\"thread_name\",\"args\":{\"name\":\"helper\"}},\n"
    "{\"ph\":\"M\",\"pid\":7,\"tid\":9,\"name\":\"thread_name\",\"args\":{\"name\":\"third\"}},\n"
    "{\"ph\":\"X\",\"pid\":7,\"tid\":7,\"ts\":1000,\"dur\":1000,\"name\":\"asks\"},\n"
    "{\"ph\":\"X\",\"pid\":7,\"tid\":7,\"ts\":2200,\"dur\":700,\"name\":\"calls\"},\n"
    "{\"ph\":\"X\",\"pid\":7,\"tid\":8,\"ts\":500,\"dur\":200,\"name\":\"x\"},\n"
    "{\"ph\":\"X\",\"pid\":7,\"tid\":9,\"ts\":2500,\"dur\":100,\"name\":\"done\"},\n"
    "{\"ph\":\"X\",\"pid\":7,\"tid\":9,\"ts\":3000,\"dur\":500,\"name\":\"answer\"},\n"
    "{\"ph\":\"s\",\"pid\":7,\"tid\":7,\"ts\":1250,\"id\":1,\"name\":\"f\",\"cat\":\"f\"},\n"
    "{\"ph\":\"f\",\"bp\":\"e\",\"pid\":7,\"tid\":9,\"ts\":3100,\"id\":1,\"name\":\"f\",\"cat\":"
    "\"f\"},\n"
    "{\"ph\":\"s\",\"pid\":7,\"tid\":7,\"ts\":2250,\"id\":2,\"name\":\"f\",\"cat\":\"f\"},\n"
    "{\"ph\":\"f\",\"bp\":\"e\",\"pid\":7,\"tid\":9,\"ts\":2550,\"id\":2,\"name\":\"f\",\"cat\":"
    "\"f\"}\n]}\n";
#define START_NS INT64_C(500000)
#define SPAN_NS  INT64_C(3000000)

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

/* At 80 columns the axis takes 61 of them, right of the line of names. */
static int column_of(const struct frame *frame, int64_t ns)
{
    int x = -1;
    if (frame_find(frame, "\u2502", 3, &x) < 0) frame_find(frame, "|", 3, &x);
    return x + 1 + (int)((ns - START_NS) * 61 / SPAN_NS);
}

/* The text that stands at a cell, compared over its bytes. */
static bool cell_is(const struct frame *frame, int row, int column, const char *text)
{
    int at = -1;
    for (struct str line = frame_line(frame, row); line.n;) {
        size_t n = 1;
        while (n < line.n && (line.p[n] & 0xC0) == 0x80)
            n++;
        if (++at == column) return str_is(str_slice(line, 0, n), text);
        line = str_slice(line, n, line.n);
    }
    return str_is(STR(" "), text);
}

static void test_a_flow_goes_along_and_down(void **state)
{
    (void)state;
    static const struct {
        const char *option, *across, *down, *head;
    } drawn[] = {{NULL, "\u2504", "\u2506", "\u25b8"}, {"--ascii", "-", ":", ">"}};
    for (size_t i = 0; i < 2; i++) {
        struct frame frame =
            frame_shoot(&stage, known, "80x24", "/ \"asks\" Enter =", drawn[i].option);
        int from = frame_find(&frame, "worker 7", 3, NULL);
        int between = frame_find(&frame, "helper 8", 3, NULL);
        int to = frame_find(&frame, "third 9", 3, NULL);
        int turn = column_of(&frame, 3000000), gap = column_of(&frame, 2100000);
        check(&frame, from > 0 && between == from + 1 && to == between + 1);
        check(&frame, cell_is(&frame, to, turn, drawn[i].head));
        check(&frame, cell_is(&frame, between, turn, drawn[i].down));
        check(&frame, cell_is(&frame, from, gap, drawn[i].across));
        check(&frame, cell_is(&frame, from, turn, drawn[i].across));
        check(&frame, cell_is(&frame, from, turn + 1, " "));
        /* It passes behind what lies in its way. */
        check(&frame, frame_holds(&frame, "calls"));
        frame_free(&frame);
    }
}

/* What is answered while it lasts goes straight down, whichever end is selected. */
static void test_a_flow_out_of_the_middle(void **state)
{
    (void)state;
    static const char *const keys[] = {"/ \"calls\" Enter =", "/ \"calls\" Enter ] ="};
    for (size_t i = 0; i < 2; i++) {
        struct frame frame = frame_shoot(&stage, known, "80x24", keys[i], NULL);
        int from = frame_find(&frame, "worker 7", 3, NULL), x = column_of(&frame, 2500000);
        check(&frame, cell_is(&frame, from + 1, x, "\u2506"));
        check(&frame, cell_is(&frame, from + 2, x, "\u25b8"));
        check(&frame, frame_find(&frame, "\u2504", 3, NULL) < 0);
        frame_free(&frame);
    }
    /* Nothing without a selection, or with one that has no flow. */
    static const char *const none[] = {"=", "/ \"answer\" Enter Esc Esc ="};
    for (size_t i = 0; i < 2; i++) {
        struct frame frame = frame_shoot(&stage, known, "80x24", none[i], NULL);
        check(&frame, frame_find(&frame, "\u2504", 3, NULL) < 0);
        check(&frame, frame_find(&frame, "\u2506", 3, NULL) < 0);
        frame_free(&frame);
    }
}

static void test_out_of_sight(void **state)
{
    (void)state;
    /* The answer is beyond the window: the edge points there. */
    struct frame frame = frame_shoot(&stage, known, "80x24",
                                     "/ \"asks\" Enter \":ZoomTo 1000000 2000000\" Enter", NULL);
    int from = frame_find(&frame, "worker 7", 3, NULL);
    check(&frame, from > 0);
    check(&frame, cell_is(&frame, from, 79, "\u25b8"));
    frame_free(&frame);
}

static void test_a_wakeup_comes_from_the_wakers_cpu(void **state)
{
    (void)state;
    static const char wake[] =
        "from thread_state w join sched_slice s on s.utid = w.utid and s.ts = w.ts + w.dur "
        "join sched_slice k on k.utid = w.waker_utid and k.ts <= w.ts and k.ts + k.dur >= w.ts "
        "where w.state = 'R' and k.cpu < s.cpu - 1 and w.dur > 50000 order by w.ts limit 1";
    char sql[512], keys[160];
    snprintf(sql, sizeof sql,
             "select s.id || ' ' || s.cpu || ' ' || k.cpu || ' ' || w.ts || ' ' || s.ts %s", wake);
    char *row = frame_ask(&stage, EXAMPLE, sql);
    long long id = 0, woken = 0, ts = 0;
    int cpu = 0, waker = 0;
    assert_int_equal(sscanf(row[0] == '"' ? row + 1 : row, "%lld %d %d %lld %lld", &id, &cpu,
                            &waker, &woken, &ts),
                     5);
    mem_free(row);
    /* The wait fills a third of the window. */
    snprintf(keys, sizeof keys,
             "\":SelectEventByTableNameAndId sched_slice %lld\" Enter \":ZoomTo %lld %lld\" Enter",
             id, woken - (ts - woken), ts + (ts - woken));
    struct frame frame = frame_shoot(&stage, EXAMPLE, "110x40", keys, NULL);
    char name[32];
    int axis = -1;
    frame_find(&frame, "\u2502", 3, &axis);
    snprintf(name, sizeof name, "CPU %d Sched", cpu);
    int to = frame_find(&frame, name, 3, NULL);
    snprintf(name, sizeof name, "CPU %d Sched", waker);
    int from = frame_find(&frame, name, 3, NULL);
    check(&frame, from > 0 && to > from + 1);
    int width = 110 - axis - 1;
    int wake_x = axis + 1 + width / 3, start_x = axis + 1 + width * 2 / 3;
    bool head = false, down = false;
    for (int x = -1; x <= 1; x++) {
        head |= cell_is(&frame, to, start_x + x, "\u25b8");
        for (int y = from + 1; y < to; y++)
            down |= cell_is(&frame, y, wake_x + x, "\u2506");
    }
    check(&frame, head && down);
    frame_free(&frame);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_flow_goes_along_and_down),
        cmocka_unit_test(test_a_flow_out_of_the_middle),
        cmocka_unit_test(test_out_of_sight),
        cmocka_unit_test(test_a_wakeup_comes_from_the_wakers_cpu),
    };
    return cmocka_run_group_tests(tests, begin, end);
}
