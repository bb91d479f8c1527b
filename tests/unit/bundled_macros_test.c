/* Each bundled macro on a generated trace that has its data: pins, debug tracks,
 * tabs and their rows; and on a trace that has not: what it says is missing. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "commands/query.h"
#include "commands/registry.h"
#include "engine/base/memory.h"
#include "macros/sources.h"
#include "tests/gen/example.h"
#include "tests/gen/features.h"
#include "tests/gen/heap_formats.h"
#include "tests/gen/packet.h"
#include "tests/unit/trace_fixture.h"

struct opened {
    struct engine *engine;
    struct session *session;
};

static struct opened open_loaded(struct engine *engine)
{
    struct opened o = {engine, session_new(NULL)};
    session_add_trace(o.session, engine, NULL, "generated");
    macros_register_bundled(o.session);
    return o;
}

static void close_opened(struct opened *o)
{
    session_free(o->session);
    engine_free(o->engine);
}

/* What the macro made: pins, then tabs with their number of rows, then the last
 * warning; and the first row of a tab of that title. */
static void describe(const struct session *s, struct buffer *out)
{
    const struct track_node_list *pins = &s->workspace->pinned.root.children;
    for (size_t i = 0; i < pins->count; i++)
        buffer_printf(out, "*%s\n", pins->items[i]->name);
    for (size_t i = 0; i < s->tabs.count; i++) {
        const struct tab *tab = s->tabs.items[i];
        if (tab->kind == TAB_SELECTION) continue;
        buffer_printf(out, "%s", tab->title);
        if (tab->error) buffer_printf(out, ": %s", tab->error);
        if (tab->result) buffer_printf(out, " %llu", (unsigned long long)tab->result->n_rows);
        buffer_append_byte(out, '\n');
    }
    for (size_t i = 0; i < s->workspaces.count; i++)
        if (i && s->workspaces.items[i] == s->workspace)
            buffer_printf(out, "in %s\n", s->workspace->title);
    for (size_t i = 0; i < s->messages.count; i++)
        if (s->messages.items[i].kind != MESSAGE_INFO)
            buffer_printf(out, "! %s\n", s->messages.items[i].text);
}

static void run_macro(struct session *s, const char *name)
{
    struct buffer id = BUFFER_INIT;
    struct status st = STATUS_INIT;
    buffer_printf(&id, "dev.perfetty.macros.%s", name);
    if (registry_run(s, buffer_text(&id), NULL, 0, &COMMAND_CONTEXT_PERSON, &st) != COMMAND_DONE)
        fail_msg("%s: %s", name, status_message(&st));
    session_poll(s);
    buffer_free(&id);
}

static int differences; /* all of a table are shown before it fails */

static void expect(struct session *s, const char *name, const char *want)
{
    struct buffer got = BUFFER_INIT;
    run_macro(s, name);
    describe(s, &got);
    if (strcmp(buffer_text(&got), want) != 0) {
        print_error("%s\nwant\n%sgot\n%s", name, want, buffer_text(&got));
        differences++;
    }
    buffer_free(&got);
}

/* ---- with the data ---- */

static const struct {
    void (*write)(struct buffer *out);
    const char *macro, *made;
} with[] = {
    {gen_example_trace, "FrameJank",
     "*Expected Timeline\n*Actual Timeline\n*Expected Timeline\n*Actual Timeline\n*Late frames\n"
     "Frames by process 2\nLate frames 24\n"},
    {gen_example_trace, "Frames",
     "*Expected Timeline\n*Actual Timeline\n*Expected Timeline\n*Actual Timeline\n"
     "*RenderThread 4231\n*RenderThread 4231\n*RenderThread 2236\n*RenderThread 2236\n"
     "*RenderThread 2004\n*RenderThread 2004\n*surfaceflinger 702\n*surfaceflinger 702\n"
     "*surfaceflinger 702\n"},
    {gen_example_trace, "AppStart",
     "*App starts\n*main 4213\nApp starts 1\nApp starts: slices of the main thread 51\n"
     "App starts: states of the main thread 5\n"},
    {gen_example_trace, "IoWaits", "*Waits for I/O\nWaits for I/O by thread 5\n"},
    {gen_example_trace, "LockContention", "*main 4213\nLocks by total wait 1\nWaits for locks 2\n"},
    {gen_example_trace, "Battery",
     "*batt.charge_uah\n*batt.capacity_pct\n*batt.current_ua\n*batt.voltage_uv\n*batt.power_mw\n"
     "Battery 7\n"},
    {gen_example_trace, "CpuFrequency",
     "*CPU 0 Frequency\n*CPU 1 Frequency\n*CPU 2 Frequency\n*CPU 3 Frequency\n*CPU 4 Frequency\n"
     "*CPU 5 Frequency\n*CPU 6 Frequency\n*CPU 7 Frequency\nTime at each CPU frequency 32\n"},
    {gen_example_trace, "ThreadsByCpuTime", "CPU time by thread 57\n"},
    {gen_example_trace, "SchedulingLatency", "*Waits for a CPU\nScheduling latency by thread 57\n"},
    {gen_example_trace, "RunningThreads", "*Running threads\n"},
    {gen_example_trace, "RunnableThreads", "*Runnable threads\n"},
    {gen_example_trace, "BlockedThreads", "*Blocked\n"},
    {gen_example_trace, "LongestSlices", "Longest slices 200\n"},
    {gen_example_trace, "SlicesByName", "Slices by name 500\n"},
    {gen_example_trace, "UnfinishedSlices", "Never ended 2\n"},
    {gen_example_trace, "MainThreads", "in Main threads\n"},
    {gen_example_trace, "Cpus", "in CPUs\n"},
    {gen_example_trace, "Overview", ""},
    {gen_write_perf_samples, "CpuProfile",
     "Samples by thread 1\nSamples by function 4\nFlamegraph\n"},
    {gen_write_topics, "AppStart",
     "*App starts\n*Thread 4000\nApp starts 1\nApp starts: slices of the main thread 4\n"
     "! No states of the main thread: record sched/sched_switch and sched_waking\n"},
    {gen_write_topics, "LockContention",
     "*Thread 4000\n*worker 4001\nLocks by total wait 2\nWaits for locks 2\n"},
    {gen_write_topics, "BlockIo",
     "*Block I/O under way: device = 253:1\n*Block I/O under way: device = 8:1\n"
     "Block I/O by device 3\nSlowest block I/O 3\n"},
    {gen_write_topics, "PowerRails",
     "*power.rails.cpu.little\n*power.L14S_ALIVE_uws\n*Power (mW): rail = L14S_ALIVE\n"
     "*Power (mW): rail = S2M_VDD_CPUCL0\nPower rails 2\n"},
    {gen_write_topics, "Memory",
     "*Resident and swapped (MB): process = com.example.app 4000\nMemory by process 1\n"
     "Killed for want of memory 1\n"},
    {gen_write_process_stats, "Memory",
     "*Resident and swapped (MB): process = process 100\nMemory by process 1\n"
     "! No process was killed for want of memory\n"},
    {gen_write_heap_profile, "NativeHeap", "Native heap by function 3\n"},
    {gen_write_heap_graph, "JavaHeap", "Java heap by class 10\n"},
    {gen_write_kernel_power, "Suspend",
     "*Suspend/Resume Minimal\n*Suspend/Resume Latency\n*Wakelock(radio)\nAwake and suspended 2\n"},
    {gen_write_sys_stats, "Storage",
     "*diskstat.[sda].read_amount\n*diskstat.[sda].read_throughput\n*diskstat.[sda].write_amount\n*"
     "diskstat.[sda].write_throughput\n*diskstat.[sda].discard_amount\n*diskstat.[sda].discard_"
     "throughput\n*diskstat.[sda].flush_amount\n*diskstat.[sda].flush_time\nStorage counters 8\n"},
    {gen_write_android_power, "PowerRails",
     "*power.rails.cpu.little\n*power.odd_uws\nPower rails 2\n"
     "! Each power rail was read once only: record for longer to see its power\n"},
};

static void macros_use_what_there_is(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof with / sizeof *with; i++) {
        struct opened o = open_loaded(trace_load_written(with[i].write));
        expect(o.session, with[i].macro, with[i].made);
        close_opened(&o);
    }
    int n = differences;
    differences = 0;
    assert_int_equal(n, 0);
}

/* Not a row count alone: what stands in the rows. */
static const struct {
    void (*write)(struct buffer *out);
    const char *macro, *tab;
    const char *row; /* the first one, ' ' between cells */
} rows[] = {
    {gen_example_trace, "FrameJank", "Frames by process",
     "/system/bin/surfaceflinger 702 135 12 8.9 12 0 7.63"},
    {gen_write_topics, "AppStart", "App starts",
     "com.example.app cold 100 94 109 1000001000000 100000000"},
    {gen_write_topics, "AppStart", "App starts: slices of the main thread",
     "com.example.app bindApplication 1 30 30"},
    {gen_write_topics, "LockContention", "Waits for locks",
     "11 1000125000000 25000000 3 com.example.app - 1 worker 4001 com.example.Cache.put "
     "com.example.Cache.get 25"},
    {gen_example_trace, "LockContention", "Locks by total wait",
     "HeapTaskDaemon 4221 com.example.shop 2 2 38.08 19.05"},
    {gen_write_topics, "Memory", "Memory by process",
     "com.example.app 4000 400 400 - - 900 cached"},
    {gen_write_topics, "Memory", "Killed for want of memory",
     "1000400000000 com.example.app 4000 900 LOW_MEM_AND_SWAP"},
    {gen_write_perf_samples, "CpuProfile", "Samples by function",
     "memcpy /lib/libc.so 2 66.7 2 66.7"},
    {gen_write_topics, "PowerRails", "Power rails", "cpu.little S2M_VDD_CPUCL0 CPU 250 250 250"},
    {gen_write_topics, "BlockIo", "Slowest block I/O",
     "1000201000000 8000000 8:1 WS 300 8 worker 4001"},
};

static void rows_hold_what_they_should(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct opened o = open_loaded(trace_load_written(rows[i].write));
        struct buffer got = BUFFER_INIT;
        run_macro(o.session, rows[i].macro);
        for (size_t k = 0; k < o.session->tabs.count; k++) {
            const struct tab *tab = o.session->tabs.items[k];
            if (strcmp(tab->title, rows[i].tab) != 0) continue;
            for (uint32_t c = 0; c < tab->result->n_columns; c++) {
                const struct result_cell *cell = result_at(tab->result, 0, c);
                if (c) buffer_append_byte(&got, ' ');
                if (cell->type == CELL_INT)
                    buffer_printf(&got, "%lld", (long long)cell->integer);
                else if (cell->type == CELL_REAL)
                    buffer_printf(&got, "%g", cell->real);
                else if (cell->type == CELL_NULL)
                    buffer_append_byte(&got, '-');
                else
                    buffer_append_str(&got, cell->text);
            }
        }
        assert_string_equal(buffer_text(&got), rows[i].row);
        buffer_free(&got);
        close_opened(&o);
    }
}

/* ---- without ---- */

static const struct {
    const char *macro, *said;
} without[] = {
    {"FrameJank", "No frame timeline: record the data source android.surfaceflinger.frametimeline"},
    {"Frames", "No frames: record android.surfaceflinger.frametimeline and atrace gfx, view"},
    {"AppStart", "No app start: record atrace am, wm, dalvik and start an app meanwhile"},
    {"LockContention", "No lock contention: record atrace dalvik with the app in atrace_apps"},
    {"Memory", "No memory of processes: record linux.process_stats or ftrace kmem/rss_stat"},
    {"NativeHeap", "No native heap profile: record the data source android.heapprofd"},
    {"JavaHeap", "No Java heap: record android.java_hprof, or open an .hprof file"},
    {"ThreadsByCpuTime", "No scheduling: record ftrace sched/sched_switch and sched/sched_waking"},
    {"SchedulingLatency", "No scheduling: record ftrace sched/sched_switch and sched/sched_waking"},
    {"RunningThreads", "No scheduling: record ftrace sched/sched_switch and sched/sched_waking"},
    {"RunnableThreads", "No scheduling: record ftrace sched/sched_switch and sched/sched_waking"},
    {"BlockedThreads", "No scheduling: record ftrace sched/sched_switch and sched/sched_waking"},
    {"IoWaits", "No waits for I/O: record ftrace sched/sched_switch and sched_blocked_reason"},
    {"BlockIo", "No block I/O: record ftrace block/block_rq_issue and block_rq_complete"},
    {"Storage", "No storage counters: record ftrace ufs, f2fs or linux.sys_stats (diskstat)"},
    {"PowerRails", "No power rails: record android.power with collect_power_rails"},
    {"Battery", "No battery counters: record android.power with battery_counters"},
    {"CpuFrequency", "No CPU frequency: record ftrace power/cpu_frequency"},
    {"Suspend", "No suspend or wakelocks: record ftrace power/suspend_resume, wakeup_source_*"},
    {"CpuProfile", "No call stacks: record linux.perf, simpleperf record -g or perf record -g"},
    {"LongestSlices", "No slices: record track events, or atrace categories and apps"},
    {"SlicesByName", "No slices: record track events, or atrace categories and apps"},
    {"UnfinishedSlices", "No slices: record track events, or atrace categories and apps"},
    {"MainThreads", "No main threads: record linux.process_stats (scan_all_processes_on_start)"},
    {"Cpus", "No CPUs: record ftrace sched/sched_switch and power/cpu_frequency"},
};
/* What only arranges the view needs nothing. */
static const char *const needs_nothing[] = {"Overview"};

static void write_nearly_nothing(struct buffer *out)
{
    gen_packet_device_clocks(out, GEN_FEATURES_START);
    gen_packet_trace_uuid(out, 1, 2);
}

static void macros_say_what_is_missing(void **state)
{
    (void)state;
    struct engine *engine = trace_load_written(write_nearly_nothing);
    for (size_t i = 0; i < sizeof without / sizeof *without; i++) {
        struct opened o = open_loaded(engine);
        struct buffer want = BUFFER_INIT;
        /* It fits in the last line of 80 columns. */
        assert_in_range(strlen(without[i].said), 1, 78);
        buffer_printf(&want, "! %s\n", without[i].said);
        expect(o.session, without[i].macro, buffer_text(&want));
        buffer_free(&want);
        session_free(o.session);
    }
    engine_free(engine);
    int n = differences;
    differences = 0;
    assert_int_equal(n, 0);
}

/* Nobody adds a macro without a line above. */
static void all_of_them_are_here(void **state)
{
    (void)state;
    struct session *s = session_new(NULL);
    macros_register_bundled(s);
    for (uint32_t i = 0; i < registry_count(s->registry); i++) {
        const struct registry_entry *entry = registry_at(s->registry, i);
        if (entry->scope != COMMAND_BUNDLED_MACRO) continue;
        const char *name = entry->command->id + strlen("dev.perfetty.macros.");
        bool used = false, missed = false;
        for (size_t k = 0; k < sizeof with / sizeof *with; k++)
            used |= strcmp(with[k].macro, name) == 0;
        for (size_t k = 0; k < sizeof without / sizeof *without; k++)
            missed |= strcmp(without[k].macro, name) == 0;
        for (size_t k = 0; k < sizeof needs_nothing / sizeof *needs_nothing; k++)
            missed |= strcmp(needs_nothing[k], name) == 0;
        if (!used || !missed) fail_msg("%s is not in both tables", name);
    }
    session_free(s);
}

/* ---- traces that nobody here wrote ---- */

static const struct {
    const char *file, *macro, *first_tab;
} shared[] = {
    {"perfetto__dt_metrics.startup.StartupMetrics.android_startup_breakdown.pftrace", "AppStart",
     "App starts 1"},
    {"perfetto__dt_metrics.startup.StartupMetrics.android_startup_minsdk33.pftrace", "AppStart",
     "App starts 2"},
    {"perfetto__dt_parser.power.PowerPowerRails.power_rails_timestamp_sort.pftrace", "PowerRails",
     "Power rails 2"},
    {"ms-perf-tools__androidBasicMemory.pftrace", "Memory", "Memory by process 200"},
    {"ms-perf-tools__perfetto_android12_cpuschedstack.pftrace", "SchedulingLatency",
     "Scheduling latency by thread 200"},
    {"ms-perf-tools__perfetto_android12_cpuschedstack.pftrace", "CpuProfile",
     "Samples by thread 159"},
    {"ms-perf-tools__perfetto_android12_cpuschedstack.pftrace", "FrameJank", "Frames by process 6"},
    {"perfetto__dt_parser.power.LinuxSysfsPower.counters.pftrace", "Battery", "Battery 1"},
};

static void macros_on_shared_traces(void **state)
{
    (void)state;
    const char *root = getenv("PERFETTY_SHARED");
    if (!root) root = SOURCE_DIR "/../shared";
    char path[600];
    for (size_t i = 0; i < sizeof shared / sizeof *shared; i++) {
        snprintf(path, sizeof path, "%s/traces/perfetto/%s", root, shared[i].file);
        if (access(path, R_OK) != 0) {
            print_message("no %s: skipped\n", path);
            skip();
        }
        const char *operand = path;
        struct status st = STATUS_INIT;
        struct engine *engine = engine_new();
        if (!engine_load(engine, &operand, 1, NULL, &st)) fail_msg("%s", status_message(&st));
        struct opened o = open_loaded(engine);
        run_macro(o.session, shared[i].macro);
        const struct tab *tab = o.session->tabs.items[o.session->tabs.count > 1 ? 1 : 0];
        snprintf(path, sizeof path, "%s %llu", tab->title,
                 tab->result ? (unsigned long long)tab->result->n_rows : 0);
        if (strcmp(path, shared[i].first_tab) != 0) {
            print_error("%s on %s: %s\n", shared[i].macro, shared[i].file, path);
            differences++;
        }
        close_opened(&o);
    }
    int n = differences;
    differences = 0;
    assert_int_equal(n, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(macros_use_what_there_is),   cmocka_unit_test(rows_hold_what_they_should),
        cmocka_unit_test(macros_say_what_is_missing), cmocka_unit_test(all_of_them_are_here),
        cmocka_unit_test(macros_on_shared_traces),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
